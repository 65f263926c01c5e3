import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ConformanceOptions } from '../../../src/conformance/model/options.js';
import { runConformance } from '../../../src/conformance/product/run-conformance.js';
import { loadScenarios } from '../../../src/conformance/scenarios/load-scenarios.js';
import { packageFile } from '../../../src/package-files.js';
import { mutants } from '../../mutation/mutants/index.js';
import { answers, changeBody, changeList, changeNames, changeReply } from '../../mutation/mutants/planting.js';
import type { Change } from '../../mutation/server/behaviour.js';
import { isObject } from '../../mutation/server/exact-json.js';
import { startWith } from '../../mutation/server/start-server.js';
import { makeFolder } from '../../support/folder.js';
import { serveJson } from '../../support/network/serve-json.js';
import { shippedContract } from '../../support/shipped.js';
import { specOf } from '../resources/support/judge-service.js';
import { startService } from '../resources/support/service.js';
import { DESK_KEY, helpdesk } from '../resources/support/services.js';

/** The words `record` and `records` of a file of a team: what they find, and what they cannot mean. */

/** A file `mine.yaml` with one scenario, `mine/own`, whose steps end in line 6 or later. */
function writeOwn(...steps: string[]): string {
  const head = `scenarios:\n  - id: own\n    title: ours\n    basis: RFC 9110 section 9.3.1\n    steps:\n`;
  return join(makeFolder({ 'mine.yaml': head + steps.map((step) => `      - ${step}\n`).join('') }), 'mine.yaml');
}

/** What a run of that scenario alone found: its verdict, and what its checks said. */
async function runOwn(options: ConformanceOptions): Promise<string[]> {
  const result = await runConformance({ ...options, only: ['mine/own'], settleMs: 0, concurrency: 1 });
  const own = result.scenarios.find(({ id }) => id === 'mine/own');
  const findings = own?.steps.flatMap(({ exchanges }) => exchanges).flatMap((exchange) => exchange.findings) ?? [];
  return [own?.verdict ?? 'not run', ...findings.map(({ check, rule, at }) => `${check} ${rule} ${at}`)];
}

async function judgePetstore(file: string, ...changes: Change[]): Promise<string[]> {
  const target = await startWith(changes);
  try {
    return await runOwn({ target: target.url, apiKey: target.apiKey, scenarios: [file] });
  } finally {
    await target.close();
  }
}

const CREATE =
  "{ id: create, operationId: createPet, requestBody: { json: { name: 'A {$unique}', categoryId: 7, status: sold } }, expect: { status: 201 } }";
const KEY = '$steps.create.response.body#/id';
const SENT = '$steps.create.request.body';
const fetchAnd = (expected: string): string[] => [
  CREATE,
  `{ id: fetch, operationId: getPet, parameters: { petId: ${KEY} }, expect: { ${expected} } }`,
];
const listAnd = (expected: string, parameters = 'limit: 100'): string[] => [
  CREATE,
  `{ id: list, operationId: listPets, parameters: { ${parameters} }, expect: { ${expected} } }`,
];
const inCapitals: Change = changeNames(['getPet', 'listPets'], (name) => name.toUpperCase());
const firstTwice = changeList((items) => [...items, ...items.slice(0, 1)]);
const withAnother: Change = changeList((items) => [...items, { id: 77n, name: 'Max', categoryId: 7n }]);

test.each<[word: string, steps: string[], fault: Change, found: string]>([
  ['record.like', fetchAnd(`status: 200, record: { like: ${SENT} }`), inCapitals, 'record name body/name'],
  [
    'record.except',
    fetchAnd(`status: 200, record: { like: { name: another, status: sold }, except: [name] }`),
    changeBody('getPet', (body) => (isObject(body) ? { ...body, status: 'pending' } : body)),
    'record status body/status',
  ],
  [
    'record.key',
    fetchAnd(`status: 200, record: { key: ${KEY} }`),
    changeBody('getPet', (body) => (isObject(body) ? { ...body, id: 77n } : body)),
    'record key body/id',
  ],
  [
    'record.notKey',
    [
      CREATE,
      `{ id: again, operationId: createPet, requestBody: { json: ${SENT} }, expect: { status: 201, record: { notKey: ${KEY} } } }`,
    ],
    changeBody('createPet', (body) => (isObject(body) ? { ...body, id: 77n } : body)),
    'record new-key body/id',
  ],
  [
    'records.every',
    listAnd('status: 200, records: { every: { status: sold } }', 'status: sold'),
    mutants['filter-ignored'].change,
    'records filter body/0/status',
  ],
  [
    'records.has',
    listAnd(`status: 200, records: { has: [{ key: ${KEY}, like: ${SENT} }] }`),
    inCapitals,
    'records name body/*/name',
  ],
  [
    'records.has, of a list that is shorter than its limit',
    listAnd(`status: 200, records: { has: [{ key: ${KEY} }] }`),
    mutants['list-misses-created'].change,
    'records present body',
  ],
  ['records.lacks', listAnd('status: 200, records: { lacks: [77] }'), withAnother, 'records absent body/'],
  [
    'records.atMost',
    listAnd('status: 200, records: { atMost: 3 }', 'limit: 3'),
    mutants['limit-one-more'].change,
    'records limit body',
  ],
  [
    'records.moreThan',
    listAnd('status: 200, records: { moreThan: 2 }', 'limit: 3'),
    mutants['limit-one-less'].change,
    'records more body',
  ],
  ['records.distinct', listAnd('status: 200, records: { distinct: true }'), firstTwice, 'records distinct body/'],
  [
    'record, without a status beside it',
    fetchAnd(`record: { key: ${KEY} }`),
    changeReply(answers('getPet', 200), (reply) => ({
      ...reply,
      status: 404,
      json: { code: 'x', message: 'y', status: 404n },
    })),
    'record present status',
  ],
  [
    'records, without a status beside it',
    listAnd('records: { atMost: 100 }', 'limit: 77'),
    changeReply(
      (_, { query }) => query.get('limit') === '77',
      (reply) => ({ ...reply, status: 404, json: { code: 'x', message: 'y', status: 404n } }),
    ),
    'records present status',
  ],
])('a correct service passes what %s says, and one with a fault does not', async (_, steps, fault, found) => {
  const file = writeOwn(...steps);
  expect(await judgePetstore(file)).toEqual(['passed']);
  const [verdict, ...findings] = await judgePetstore(file, fault);
  expect(verdict).toBe('deviated');
  expect(findings).toContainEqual(expect.stringContaining(found));
});

test.each([
  [
    'a list',
    'tickets.list, parameters: { status: solved }',
    '{ records: { every: { status: solved } } }',
    'tickets:filter-leaks:status=solved',
  ],
  ['a record', 'agents.get, parameters: { agentId: 4002 }', '{ record: { key: 4002 } }', 'agents:get-neighbour'],
])(
  'of another contract the words judge %s where it has it, in an envelope or not',
  async (_, asked, expected, fault) => {
    const file = writeOwn(`{ id: look, operationId: ${asked}, expect: ${expected} }`);
    const judge = async (...changes: string[]): Promise<string | undefined> => {
      const desk = await startService(helpdesk, ...changes);
      const given = { target: desk.url, apiKey: DESK_KEY, spec: specOf('helpdesk') };
      const found = await runOwn({ ...given, scenarios: [file] });
      await desk.close();
      return found[0];
    };
    expect(await judge()).toBe('passed');
    expect(await judge(fault)).toBe('deviated');
  },
);

/** Why a file with such a step is refused, from the line on. */
function findRejection(step: string): string {
  try {
    loadScenarios([writeOwn(`{ id: look, ${step} }`)], shippedContract);
    return 'not refused';
  } catch (error) {
    return (error as Error).message.replace(/^.*mine\.yaml:/, '');
  }
}

const LIST = 'operationId: listPets';
const GET = 'operationId: getPet, parameters: { petId: 1 }';

describe('what the words cannot mean is refused with its place', () => {
  test.each([
    [
      `${LIST}, expect: { record: { key: 1 } }`,
      /^6:\d+: .*`record` looks at one record, and the response of listPets is a list/,
    ],
    [
      `${GET}, expect: { records: { distinct: true } }`,
      /^6:\d+: .*`records` looks at a list, and the response of getPet is no list/,
    ],
    [
      `${GET}, expect: { record: { key: 1 }, records: { distinct: true } }`,
      /^6:\d+: .*`records` looks at a list, and the response of getPet is no list/,
    ],
    ['request: { method: GET, path: /pets }, expect: { records: { distinct: true } }', /^6:\d+: .*`records`/],
    [
      'request: { method: HEAD, path: /pets }, expect: { record: { key: 1 } }',
      /^6:\d+: .*the response of HEAD has no body/,
    ],
    [`${LIST}, records: { distinct: true }`, /^6:\d+: there is no `records` here/],
    [`${LIST}, expect: { records: { lack: [1] } }`, /^6:\d+: there is no `lack` here; did you mean lacks\?/],
    [`${LIST}, expect: { records: { at: /data, distinct: true } }`, /^6:\d+: there is no `at` here/],
    [`${LIST}, expect: { records: {} }`, /^6:\d+: `records` must be an object of at least 1 fields/],
    [`${LIST}, expect: { records: { has: [{ like: { name: Rex } }] } }`, /^6:\d+: `key` is missing/],
    [`${LIST}, expect: { records: { distinct: false } }`, /^6:\d+: `distinct` must be true, but is false/],
    [`${LIST}, expect: { records: { lacks: 5 } }`, /^6:\d+: `lacks` must be an array, but is 5/],
    [`${LIST}, expect: { records: { atMost: many } }`, /^6:\d+: .*`(?:expect\.records\.)?atMost`.* "?many/],
    [`${LIST}, expect: { records: { moreThan: ~ } }`, /^6:\d+: .*`(?:expect\.records\.)?moreThan`.* null/],
    [`${LIST}, expect: { records: { every: { stauts: sold } } }`, /^6:\d+: .*stauts.*did you mean status\?/],
    [`${LIST}, expect: { records: { every: { status: solt } } }`, /^6:\d+: .*solt.*did you mean sold\?/],
    [
      `${LIST}, expect: { records: { has: [{ key: 1, like: 5 }] } }`,
      /^6:\d+: .*`(?:expect\.records\.has\.0\.)?like`.* 5/,
    ],
    [`${GET}, expect: { record: { like: 5 } }`, /^6:\d+: .*`(?:expect\.record\.)?like`.* 5/],
    [`${GET}, expect: { record: { except: [name] } }`, /^6:\d+: .*(?:except|like)`/],
  ])('%s → %s', (step, message) => expect(findRejection(step)).toMatch(message));
});

const WRITE = 'write `records: { ';
const LOOKED_FOR = 'the shipped scenarios look for rejected records';

test.each([
  ['every: { status: sold }', `${WRITE}every: { status: sold } }\``],
  ['contains: { pets: [{ id: 1 }] }', `${WRITE}has: [{ key: ..., like: ... }] }\``],
  ['page: { limit: 3, of: [] }', `${WRITE}atMost: ... }\`; whether a page is full, the shipped scenarios observe`],
  ['covers: { all: [], status: sold }', 'the shipped scenarios compare filtered lists with the whole list'],
  ['listed: { in: [], limit: 3 }', `${WRITE}has: [{ key: ... }] }\``],
  ['nothingNew: { since: [] }', LOOKED_FOR],
  ['noneRefused: true', LOOKED_FOR],
  ['noRefusedPets: true', LOOKED_FOR],
])('a file with the word of an earlier release in %s is told what says it now', (said, instead) => {
  const word = said.replace(/:.*/, '');
  const told = `there is no \`${word}\` any more: ${instead}.`;
  for (const part of ['expect: { status: 200,', 'assume: { otherwise: x,']) {
    const [, message] = /^6:\d+: (.*)$/s.exec(findRejection(`${LIST}, ${part} ${said} }`)) ?? [];
    expect(message).toBe(told);
  }
});

test('a step has no `lacksPets` any more, and nothing takes its place', () => {
  expect(findRejection(`${LIST}, lacksPets: true, expect: { status: 200 }`)).toMatch(
    /^6:\d+: there is no `lacksPets` any more: leave it out\.$/,
  );
});

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
