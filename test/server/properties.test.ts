import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseJson, printJson } from '../../src/contract/document/json.js';
import type { Listening } from '../../src/server/http/listen.js';
import { startServer } from '../../src/server/start-petstore-mock.js';
import type { Answer } from '../support/contract-check.js';
import { exchange } from '../support/exchange.js';
import { createTestWorlds } from '../support/test-world.js';

let server: Listening;

beforeAll(async () => {
  server = await startServer(createTestWorlds(), { host: '127.0.0.1', port: 0, cors: false });
});
afterAll(() => server.close());

const JSON_TYPE = { 'Content-Type': 'application/json' };
const MAX = 2n ** 63n - 1n;

const get = (query: string): Promise<Answer> => exchange(server.port, { method: 'GET', target: `/v1/pets?${query}` });
const post = (body: string | Uint8Array): Promise<Answer> =>
  exchange(server.port, { method: 'POST', target: '/v1/pets', headers: JSON_TYPE, body });
/** Parameters as a form writes them. */
const formOf = (pairs: string[][]): string =>
  new URLSearchParams(
    pairs.map(([key = '', value = '']): [string, string] => [toWellFormed(key), toWellFormed(value)]),
  ).toString();

const status = fc.constantFrom('available', 'pending', 'sold');
const int64 = fc.bigInt({ min: -MAX - 1n, max: MAX });
/** The same integer as people and programs write it. */
const literal = fc
  .tuple(int64, fc.constantFrom('', '.0', 'e0', 'E+0', '.000e-0'), fc.boolean())
  .map(([value, suffix, shifted]) => (shifted && String(value) !== '0' ? `${value}0e-1` : `${value}${suffix}`));
const limit = fc.integer({ min: 1, max: 100 });
const name = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom('__proto__', 'constructor', ''));
const anything = fc.jsonValue({ maxDepth: 5 }).map((value) => JSON.stringify(value));
const KNOWN = ['name', 'categoryId', 'status', 'id'];
const stranger = name.filter((field) => !KNOWN.includes(field));

test('a list with valid parameters is served, and is what was asked for', async () => {
  const query = fc.record({ limit, status }, { requiredKeys: [] });
  const others = fc.array(fc.tuple(stranger, fc.string()), { maxLength: 2 });
  await fc.assert(
    fc.asyncProperty(query, others, async (known, unknown) => {
      const pairs = [...Object.entries(known).map(([key, value]) => [key, String(value)]), ...unknown];
      const isKnown = ([key]: string[]): boolean => key === 'limit' || key === 'status';
      fc.pre(pairs.filter(isKnown).length === Object.keys(known).length);
      const answer = await get(formOf(pairs));
      expect(answer.status).toBe(200);
      const pets = JSON.parse(answer.text) as { status?: string }[];
      expect(pets.length).toBeLessThanOrEqual(known.limit ?? 20);
      expect(pets.every((pet) => known.status === undefined || pet.status === known.status)).toBe(true);
    }),
    { numRuns: 200 },
  );
});

test('a list with an invalid parameter is refused with 400', async () => {
  const isValidLimit = (text: string): boolean => {
    const value = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? Number(text) : Number.NaN;
    return Number.isInteger(value) && value >= 1 && value <= 100;
  };
  const badLimit = fc
    .oneof(fc.string(), int64.map(String), fc.double().map(String))
    .filter((text) => !isValidLimit(toWellFormed(text)));
  const badStatus = fc.string().filter((text) => !['available', 'pending', 'sold'].includes(text));
  const bad = fc.oneof(
    badLimit.map((value) => [['limit', value]]),
    badStatus.map((value) => [['status', value]]),
    fc.tuple(limit, limit).map((values) => values.map((value) => ['limit', String(value)])),
  );
  await fc.assert(
    fc.asyncProperty(bad, async (pairs) => {
      expect((await get(formOf(pairs))).status).toBe(400);
    }),
    { numRuns: 200 },
  );
});

test('a valid pet is added, and is what was sent', async () => {
  const fields = fc.array(fc.tuple(stranger, anything), { maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(name, literal, fc.option(status), fields, async (named, category, given, others) => {
      const parts = [
        ...others.map(([key, value]) => `${JSON.stringify(key)}:${value}`),
        `"name":${JSON.stringify(named)}`,
        `"categoryId":${category}`,
        ...(given === null ? [] : [`"status":"${given}"`]),
      ];
      const answer = await post(`{${parts.join(',')}}`);
      expect(answer.status).toBe(201);
      const parsed = parseJson(answer.text);
      const pet = (parsed.ok ? parsed.value : {}) as Record<string, unknown>;
      expect(Object.keys(pet)).toEqual(['id', 'name', 'categoryId', ...(given === null ? [] : ['status'])]);
      expect(pet['name']).toBe(toWellFormed(named));
      expect(printJson(pet['categoryId'])).toBe(String(toInteger(category)));
      expect(await fetchById(printJson(pet['id']))).toBe(answer.text);
    }),
    { numRuns: 200 },
  );
});

test('an invalid pet is refused with 400', async () => {
  const wrongName = anything.filter((text) => typeof JSON.parse(text) !== 'string');
  const outside = fc
    .bigInt({ min: MAX + 1n, max: MAX * 1_000_000n })
    .chain((value) => fc.constantFrom(`${value}`, `-${value + 1n}`));
  const fraction = fc.tuple(int64, fc.integer({ min: 1, max: 9 })).map(([value, digit]) => `${value}.${digit}`);
  const wrongCategory = fc.oneof(
    outside,
    fraction,
    anything.filter((text) => !Number.isInteger(JSON.parse(text))),
    fc.constant('1e400'),
  );
  const wrongStatus = anything.filter((text) => !['"available"', '"pending"', '"sold"'].includes(text));
  const bad = fc.oneof(
    wrongName.map((text) => `{"name":${text},"categoryId":1}`),
    wrongCategory.map((text) => `{"name":"Max","categoryId":${text}}`),
    wrongStatus.map((text) => `{"name":"Max","categoryId":1,"status":${text}}`),
    fc.constantFrom('{"name":"Max"}', '{"categoryId":1}', '{}', '[]', 'null', '""', '{"Name":"Max","categoryId":1}'),
    anything.filter((text) => !text.startsWith('{')),
  );
  await fc.assert(
    fc.asyncProperty(bad, async (body) => {
      expect((await post(body)).status).toBe(400);
    }),
    { numRuns: 300 },
  );
});

async function fetchById(id: string): Promise<string> {
  return (await exchange(server.port, { method: 'GET', target: `/v1/pets/${id}` })).text;
}

function toInteger(text: string): bigint {
  return BigInt(/^(-?\d+)0e-1$/.exec(text)?.[1] ?? text.replace(/[.eE].*$/, ''));
}

/** Half a surrogate pair cannot be written in UTF-8. */
function toWellFormed(value: string): string {
  return Buffer.from(value).toString();
}
