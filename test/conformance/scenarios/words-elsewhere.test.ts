import { join } from 'node:path';
import { onTestFinished, expect, test } from 'vitest';
import { runConformance } from '../../../src/conformance/product/run-conformance.js';
import { makeFolder } from '../../support/folder.js';
import { serveJson } from '../../support/network/serve-json.js';

/** The words of a team's own scenarios at a service that pages its lists, and says nothing of where a record is. */

type Unit = Readonly<Record<string, unknown>>;

interface Habits {
  /** How a fetch shows a record. */
  get?: (unit: Unit) => Unit;
  /** Whether the contract has no create. */
  isReadOnly?: boolean;
}

const unit = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer' }, name: { type: 'string' }, parent: { type: ['integer', 'null'] } },
};
const content = (schema: object): object => ({ content: { 'application/json': { schema } } });
const inQuery = (name: string, schema: object): object => ({
  name,
  in: 'query',
  schema: { type: 'integer', ...schema },
});

const contractOf = (isReadOnly: boolean): object => ({
  openapi: '3.1.0',
  info: { title: 'Units', version: '1' },
  paths: {
    '/units': {
      get: {
        operationId: 'listUnits',
        parameters: [inQuery('limit', { minimum: 1, maximum: 10, default: 10 }), inQuery('offset', { minimum: 0 })],
        responses: { 200: { description: 'Some.', ...content({ type: 'array', items: unit }) } },
      },
      ...(isReadOnly
        ? {}
        : {
            post: {
              operationId: 'createUnit',
              requestBody: {
                required: true,
                ...content({ ...unit, required: ['name'], properties: { name: { type: 'string' } } }),
              },
              responses: { 201: { description: 'Made.', ...content(unit) } },
            },
          }),
    },
    '/units/{unitId}': {
      get: {
        operationId: 'getUnit',
        parameters: [{ name: 'unitId', in: 'path', required: true, schema: { type: 'integer' } }],
        responses: { 200: { description: 'It.', ...content(unit) }, 404: { description: 'None.' } },
      },
    },
  },
});

async function startUnits({ get = (each) => each }: Habits): Promise<string> {
  const units: Unit[] = Array.from({ length: 30 }, (_, index) => ({
    id: index + 1,
    name: `unit ${index + 1}`,
    parent: null,
  }));
  const { url, close } = await serveJson(({ method, path, query, body }) => {
    const found = units.find(({ id }) => path === `/units/${String(id)}`);
    const [offset, limit] = [Number(query.get('offset') ?? 0), Number(query.get('limit') ?? 10)];
    if (found !== undefined) return { status: 200, body: get(found) };
    if (path !== '/units') return { status: 404, body: {} };
    if (method === 'GET') return { status: 200, body: units.slice(offset, offset + limit) };
    units.push({ id: units.length + 1, parent: null, ...(body as Unit) });
    return { status: 201, body: units.at(-1) };
  });
  onTestFinished(close);
  return url;
}

/** What a scenario of these steps comes to. */
async function judge(habits: Habits, ...steps: string[]): Promise<string> {
  const text = `scenarios:\n  - id: own\n    title: ours\n    basis: RFC 9110 section 9.3.1\n    steps:\n${steps.map((step) => `      - ${step}\n`).join('')}`;
  const folder = makeFolder({
    'mine.yaml': text,
    'units.json': JSON.stringify(contractOf(habits.isReadOnly === true)),
  });
  const { scenarios } = await runConformance({
    target: await startUnits(habits),
    apiKey: '',
    spec: join(folder, 'units.json'),
    scenarios: [join(folder, 'mine.yaml')],
    only: ['mine/own'],
    settleMs: 0,
  });
  return scenarios.find(({ id }) => id === 'mine/own')?.verdict ?? 'not run';
}

const shout: Habits['get'] = (each) => ({ ...each, name: String(each['name']).toUpperCase() });
const CREATE =
  "{ id: create, operationId: createUnit, requestBody: { json: { name: 'a {$unique}' } }, expect: { status: 201 }, outputs: { parent: '$response.body#/parent' } }";
const fetchWith = (expected: string): string =>
  `{ id: fetch, operationId: getUnit, parameters: { unitId: $steps.create.response.body#/id }, expect: { ${expected} } }`;

test('a create answers its record, which a fetch equals, also where no header field says where it is', async () => {
  const steps = [CREATE, fetchWith('equals: $steps.create.response.body')];
  expect(await judge({}, ...steps)).toBe('passed');
  expect(await judge({ get: shout }, ...steps)).toBe('deviated');
});

test('an output that is null is null', async () => {
  const steps = [CREATE, fetchWith('body: { properties: { parent: { const: $steps.create.outputs.parent } } }')];
  expect(await judge({}, ...steps)).toBe('passed');
  expect(await judge({ get: (each) => ({ ...each, parent: 7 }) }, ...steps)).toBe('deviated');
});

test('what a client cannot set is compared where nothing else is there', async () => {
  const steps = [
    "{ id: list, operationId: listUnits, expect: { status: 200 }, outputs: { first: '$response.body#/0' } }",
    '{ id: fetch, operationId: getUnit, parameters: { unitId: 1 }, expect: { equals: $steps.list.outputs.first } }',
  ];
  expect(await judge({ isReadOnly: true }, ...steps)).toBe('passed');
  expect(await judge({ isReadOnly: true, get: shout }, ...steps)).toBe('deviated');
});

test.each([
  ['has: [{ key: 999999 }]', 'inconclusive'],
  ['has: [{ key: 3 }]', 'passed'],
  ['lacks: [25]', 'inconclusive'],
  ['lacks: [3]', 'deviated'],
  ['moreThan: 1000', 'inconclusive'],
  ['moreThan: 5', 'passed'],
])('of the first page of a list, `records: { %s }` is %s', async (word, verdict) => {
  expect(await judge({}, `{ id: list, operationId: listUnits, expect: { records: { ${word} } } }`)).toBe(verdict);
});
