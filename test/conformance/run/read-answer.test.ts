import { expect, test } from 'vitest';
import { recordResponse } from '../../../src/conformance/run/read-answer.js';

test.each([
  ['ids alone', [7, 8], [{ id: 7 }, { id: 8 }]],
  ['ids past 2^53 alone', [9223372036854775807n], [{ id: 9223372036854775807n }]],
  ['pets, and what is none', [{ id: 7 }, null], [{ id: 7 }, null]],
])('later steps see a list of %s as what it shows of pets', (_, value, body) => {
  const answer = { kind: 'answered', status: 200, headers: {}, bytes: new Uint8Array(), durationMs: 1 } as const;
  expect(recordResponse(answer, { kind: 'json', value }, 'listPets').body).toEqual(body);
});
