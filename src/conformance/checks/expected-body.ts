import { describeMismatch } from '../match-schema.js';
import type { Check } from './check.js';

export const expectedBodyCheck: Check = {
  id: 'expected-body',
  title: 'a body is as the scenario asks',
  run({ body, expect }) {
    if (expect.body === undefined || body.kind !== 'json') return [];
    return describeMismatch(expect.body, body.value, 'body');
  },
};
