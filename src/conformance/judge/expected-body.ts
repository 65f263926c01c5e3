import { findBadSchema, listUnseen } from './judge-schema.js';
import { describeMismatch } from './match-schema.js';
import type { Check } from './check.js';
import type { Keyword } from './keyword.js';
import { readBodyFor } from './looked-at.js';

export const expectedBodyCheck: Check = {
  id: 'expected-body',
  title: 'a body is as the scenario requires',
  onRequest: true,
  run(context) {
    const read = readBodyFor('body', context);
    if ('outcomes' in read) return read.outcomes;
    const schema = context.expect.body;
    const mismatches = describeMismatch(schema, read.value, 'body');
    if (mismatches.length > 0) return mismatches;
    return listUnseen(schema, read.value).map((at) => ({
      needs: `something at body${at}, which the scenario describes`,
    }));
  },
};

export const bodyKeyword: Keyword = {
  check: expectedBodyCheck,
  looksAt: 'body',
  findMistake: (value, given) => findBadSchema(value, given, given.bodyKind),
};
