import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { createPrismFallback, createPrismAnswer } from '../../../src/mock/response/prism.js';
import { createErrorResponse } from '../../../src/mock/response/errors.js';
import { createStateless } from '../../../src/mock/response/from-contract.js';
import { readWish } from '../../../src/mock/response/prefer.js';
import type { Handler } from '../../../src/mock/world/world.js';
import { ask, createTestWorld } from '../../support/test-world.js';
import { parseContract } from '../../support/parse-contract.js';

const contract = parseContract(
  `openapi: 3.1.0
info: { title: T, version: 1.0.0 }
paths: { /thing: { get: { operationId: getThing, responses: { '200': { description: Fine., content: { application/json: { schema: { type: object, required: [a], properties: { a: { type: integer } } } } } } } } } }
`,
  { shownAs: 'thing.yaml' },
);
const real = createRequire(createRequire(import.meta.url).resolve('@stoplight/prism-http'));

/** Two answers of a mock whose Prism loads its parts so, with what is noted of them. */
function askTwice(load: (id: string) => unknown): unknown[] {
  const askPrism = createPrismFallback(contract, () => createPrismAnswer(load as NodeJS.Require, contract));
  const handler: Handler = (call) => askPrism(call, readWish(call.request, 1)) ?? createErrorResponse(501, 'none');
  const world = createTestWorld({
    contract,
    pets: [],
    stateless: { getThing: handler },
    handlers: { getThing: handler },
  });
  const notes: unknown[] = [];
  world.onExchange = (exchange) => notes.push(exchange.notes);
  return [1, 2].map(() => {
    const { status, value } = ask(world, 'GET /thing');
    return [status, value, notes.at(-1)];
  });
}

test('Prism answers where nothing is wrong with it', () => {
  expect(askTwice((id) => real(id))).toEqual([
    [200, { a: expect.any(Number) as number }, []],
    [200, { a: expect.any(Number) as number }, []],
  ]);
});

test('Prism is not asked for what the mock makes itself', () => {
  const { handlers } = createStateless({ contract, stateful: {}, seed: 1, specPath: undefined });
  // Prism makes another number at each request.
  const values = [1, 2].map(
    () => ask(createTestWorld({ contract, pets: [], stateless: handlers }), 'GET /thing').value,
  );
  expect(values).toEqual([{ a: 1 }, { a: 1 }]);
});

test.each<[string, (id: string) => unknown, string]>([
  [
    'cannot be loaded',
    () => {
      throw new Error("Cannot find module './mocker'\nRequire stack:");
    },
    "Prism cannot be loaded (Cannot find module './mocker')",
  ],
  [
    'cannot read the document',
    (id) =>
      id.includes('http-spec')
        ? {
            transformOas3Operations: () => {
              throw new Error('odd');
            },
          }
        : real(id),
    'Prism cannot read the document (odd)',
  ],
  [
    'fails to answer',
    (id) =>
      id === './mocker'
        ? {
            default: () => () => {
              throw new RangeError('Maximum call stack size exceeded');
            },
          }
        : real(id),
    'Prism cannot respond (Maximum call stack size exceeded)',
  ],
])('where Prism %s, the log says so', (_, load, note) => {
  expect(askTwice(load)).toEqual([
    [501, expect.anything(), [note]],
    [501, expect.anything(), [note]],
  ]);
});
