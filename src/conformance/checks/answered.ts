import type { Check } from './check.js';

export const answeredCheck: Check = {
  id: 'answered',
  title: 'every request is answered, whole and in time',
  run: ({ answer }) =>
    answer.kind === 'answered' || answer.reason === 'interrupted'
      ? []
      : [{ rule: answer.reason, at: 'response', expected: 'a whole HTTP answer', actual: answer.detail }],
};
