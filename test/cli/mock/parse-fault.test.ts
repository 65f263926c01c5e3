import { expect, test } from 'vitest';
import { parseFault } from '../../../src/cli/mock/options.js';
import type { Fault } from '../../../src/mock/faults/faults.js';

test.each<[string, Fault]>([
  ['createPet:500:after:times=2', { operationId: 'createPet', at: 'after', times: 2, effect: { status: 500 } }],
  ['*:delay=100-800', { effect: { delay: { from: 100, to: 800 } } }],
  ['*:delay=20:503:retry-after=2:code=down', { effect: { delay: 20, status: 503, retryAfter: 2, code: 'down' } }],
  ['getPet:reset:before', { operationId: 'getPet', at: 'before', effect: { reset: true } }],
  ['*:truncate:rate=0.25:seed=7', { rate: 0.25, seed: 7, effect: { truncate: true } }],
  ['*:invalid-json:method=GET:path=/p', { when: { method: 'GET', path: '/p' }, effect: { invalidJson: true } }],
  ['*:break-contract:status=201', { when: { status: 201 }, effect: { breakContract: true } }],
  [
    'listPets:500:query.status=sold:query.limit=1:header.X-Page=a=b',
    {
      operationId: 'listPets',
      when: { query: { status: 'sold', limit: '1' }, headers: { 'X-Page': 'a=b' } },
      effect: { status: 500 },
    },
  ],
])('%s is read', (text, fault) => expect(parseFault(text)).toEqual({ fault }));

test.each([
  ['', 'an empty text is not'],
  ['*:5oo', '5oo is not one of a status, before'],
  ['*:tuncate', 'did you mean truncate?'],
  ['*:reset=1', 'reset=1 is not one of'],
  ['*:500:times=many', 'times must be a whole number from 1, not "many"'],
  ['*:delay=fast', 'effect.delay must be milliseconds'],
  ['*:500:__proto__=1', '__proto__=1 is not one of'],
])('%j is refused', (text, problem) => {
  expect(parseFault(text)).toEqual({ problem: expect.stringContaining(problem) });
});
