import { answered, type Check } from './check.js';

export const keyEchoCheck: Check = {
  id: 'key-echo',
  title: 'no response repeats the API key',
  run(context) {
    const answer = answered(context);
    if (answer === undefined) return [];
    const holdsSecret = (text: string): boolean => context.secrets.some((secret) => text.includes(secret));
    const header = Object.entries(answer.headers).find(([name, value]) => holdsSecret(name) || holdsSecret(value));
    if (header !== undefined)
      return [{ rule: 'header', at: `header/${header[0]}`, expected: 'no API key', actual: 'the API key' }];
    if (!holdsSecret(Buffer.from(answer.bytes).toString('utf8'))) return [];
    return [{ rule: 'body', at: 'body', expected: 'no API key', actual: 'the API key' }];
  },
};
