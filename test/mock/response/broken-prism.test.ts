import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { createPrismFallback, createPrismAnswer } from '../../../src/mock/response/prism.js';
import { createErrorResponse } from '../../../src/mock/response/errors.js';
import { createStateless } from '../../../src/mock/response/from-contract.js';
import { readWish } from '../../../src/mock/response/prefer.js';
import type { Handler } from '../../../src/mock/world/world.js';
import { ask, createTestWorld } from '../../support/test-world.js';
import { parseContract } from '../../support/parse-contract.js';
import { content } from '../../support/open-paths.js';
import { NUMBER, object } from '../../support/schemas.js';

const thing = object({ a: NUMBER }, ['a']);
const get = { operationId: 'getThing', responses: { 200: content(thing) } };
const contract = parseContract({ paths: { '/thing': { get } } });
const real = createRequire(createRequire(import.meta.url).resolve('@stoplight/prism-http'));

/** Two answers of a mock whose Prism loads its parts so, with what is noted of them. */
function askTwice(load: (id: string) => unknown): unknown[] {
  const askPrism = createPrismFallback(contract, () => createPrismAnswer(load as NodeJS.Require, contract));
  const handler: Handler = (call) => askPrism(call, readWish(call.request, 1)) ?? createErrorResponse(501, 'none');
  const handlers = { getThing: handler };
  const world = createTestWorld({ contract, pets: [], stateless: handlers, handlers });
  const notes: unknown[] = [];
  world.onExchange = (exchange) => notes.push(exchange.notes);
  return [1, 2].map(() => {
    const { status, value } = ask(world, 'GET /thing');
    return [status, value, notes.at(-1)];
  });
}

test('Prism answers where nothing is wrong with it', () => {
  const answer = [200, { a: expect.any(Number) as number }, []];
  expect(askTwice((id) => real(id))).toEqual([answer, answer]);
});

test('Prism is not asked for what the mock makes itself', () => {
  const { handlers } = createStateless({ contract, stateful: {}, seed: 1, specPath: undefined });
  // Prism makes another number at each request.
  const value = (): unknown => ask(createTestWorld({ contract, pets: [], stateless: handlers }), 'GET /thing').value;
  expect([value(), value()]).toEqual([{ a: 1 }, { a: 1 }]);
});

const raise = (error: Error) => (): never => {
  throw error;
};
const MISSING = "Cannot find module './mocker'";
const oddSpec = { transformOas3Operations: raise(new Error('odd')) };
const oddMocker = { default: () => raise(new RangeError('Maximum call stack')) };

test.each<[string, (id: string) => unknown, string]>([
  ['cannot be loaded', raise(new Error(`${MISSING}\nRequire stack:`)), `Prism cannot be loaded (${MISSING})`],
  ['cannot read', (id) => (id.includes('http-spec') ? oddSpec : real(id)), 'Prism cannot read the document (odd)'],
  ['fails', (id) => (id === './mocker' ? oddMocker : real(id)), 'Prism cannot respond (Maximum call stack)'],
])('where Prism %s, the log says so', (_, load, note) => {
  const answer = [501, expect.anything(), [note]];
  expect(askTwice(load)).toEqual([answer, answer]);
});
