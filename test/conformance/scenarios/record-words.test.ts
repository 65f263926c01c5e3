// The words `record` and `records` of a file of a team: what they find, and what they cannot mean.
import { describe, expect, test } from 'vitest';
import type { ConformanceOptions } from '../../../src/conformance/model/options.js';
import type { RunResult } from '../../../src/conformance/model/result.js';
import { loadScenarios } from '../../../src/conformance/scenarios/load-scenarios.js';
import { mutants } from '../../mutation/mutants/index.js';
import { answers, changeBody, changeList, changeNames, changeReply } from '../../mutation/mutants/planting.js';
import type { Change } from '../../mutation/server/behaviour.js';
import { isObject, type JsonObject } from '../../mutation/server/exact-json.js';
import type { Reply } from '../../mutation/server/replies.js';
import { makeFile } from '../../support/folder.js';
import { inQuery } from '../../support/open-paths.js';
import { shippedContract } from '../../support/shipped.js';
import { object, text } from '../resources/support/odd-resource.js';
import type { Item } from '../resources/support/stranger.js';
import { id, runStranger } from '../resources/support/strangers.js';
import { runPets } from '../support/ask.js';

/** A file `mine.yaml` with one scenario, `mine/own`, whose steps end in line 6 or later. */
function writeOwn(...steps: string[]): string {
  const head = `scenarios:\n  - id: own\n    title: ours\n    basis: RFC 9110 section 9.3.1\n    steps:\n`;
  return makeFile('mine.yaml', head + steps.map((step) => `      - ${step}\n`).join(''));
}

type Run = (options: Pick<ConformanceOptions, 'scenarios' | 'only' | 'concurrency'>) => Promise<RunResult>;

/** What a run of that scenario alone found: its verdict, and what its checks said. */
async function judge(steps: string[], run: Run): Promise<string[]> {
  const result = await run({ scenarios: [writeOwn(...steps)], only: ['mine/own'], concurrency: 1 });
  const own = result.scenarios.find((each) => each.id === 'mine/own');
  const findings = own?.steps.flatMap(({ exchanges }) => exchanges).flatMap((exchange) => exchange.findings) ?? [];
  return [own?.verdict ?? 'not run', ...findings.map(({ check, rule, at }) => `${check} ${rule} ${at}`)];
}

const PET = `name: 'A {$unique}', categoryId: 7, status: sold`;
const CREATE = `{ id: create, operationId: createPet, requestBody: { json: { ${PET} } }, expect: { status: 201 } }`;
const KEY = '$steps.create.response.body#/id';
const SENT = '$steps.create.request.body';
const fetchAnd = (expected: string): string =>
  `{ id: fetch, operationId: getPet, parameters: { petId: ${KEY} }, expect: { ${expected} } }`;
const listAnd = (expected: string, parameters = 'limit: 100'): string =>
  `{ id: list, operationId: listPets, parameters: { ${parameters} }, expect: { ${expected} } }`;
const again = `{ id: again, operationId: createPet, requestBody: { json: ${SENT} }, expect: { status: 201, record: { notKey: ${KEY} } } }`;

const inCapitals: Change = changeNames(['getPet', 'listPets'], (name) => name.toUpperCase());
const withAnother: Change = changeList((items) => [...items, { id: 77n, name: 'Max', categoryId: 7n }]);
const showing = (operation: 'getPet' | 'createPet', more: JsonObject): Change =>
  changeBody(operation, (body) => (isObject(body) ? { ...body, ...more } : body));
const missing = (reply: Reply): Reply => ({ ...reply, status: 404, json: { code: 'x', message: 'y', status: 404n } });
test.each<[string, Change, string]>([
  [fetchAnd(`status: 200, record: { like: ${SENT} }`), inCapitals, 'record name body/name'],
  [again, showing('createPet', { id: 77n }), 'record new-key body/id'],
  [
    listAnd('status: 200, records: { every: { status: sold } }', 'status: sold'),
    mutants['filter-ignored'].change,
    'records filter body/0/status',
  ],
  [listAnd(`status: 200, records: { has: [{ key: ${KEY}, like: ${SENT} }] }`), inCapitals, 'records name body/*/name'],
  [listAnd('status: 200, records: { lacks: [77] }'), withAnother, 'records absent body/'],
  // Without a status beside it.
  [fetchAnd(`record: { key: ${KEY} }`), changeReply(answers('getPet', 200), missing), 'record present status'],
])('a correct service passes %s, and one with a fault does not', async (step, fault, found) => {
  expect(await judge([CREATE, step], (options) => runPets([], options))).toEqual(['passed']);
  const [verdict, ...findings] = await judge([CREATE, step], (options) => runPets([fault], options));
  expect(verdict).toBe('deviated');
  expect(findings).toContainEqual(expect.stringContaining(found));
});

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
const HEAD = 'request: { method: HEAD, path: /pets }';
const NO_LIST = /`records` looks at a list, and the response of getPet is no list/;
const NO_RECORD = /`record` looks at one record, and the response of listPets is a list/;

describe('what the words cannot mean is refused with its place', () => {
  test.each([
    [`${LIST}, expect: { record: { key: 1 } }`, NO_RECORD],
    [`${GET}, expect: { records: { distinct: true } }`, NO_LIST],
    [`${GET}, expect: { record: { key: 1 }, records: { distinct: true } }`, NO_LIST],
    ['request: { method: GET, path: /pets }, expect: { records: { distinct: true } }', /`records`/],
    [`${HEAD}, expect: { record: { key: 1 } }`, /the response of HEAD has no body/],
    [`${LIST}, records: { distinct: true }`, /: there is no `records` here/],
    [`${LIST}, expect: { records: { lack: [1] } }`, /: there is no `lack` here; did you mean lacks\?/],
    [`${LIST}, expect: { records: { at: /data, distinct: true } }`, /: there is no `at` here/],
    [`${LIST}, expect: { records: {} }`, /: `records` must be an object of at least 1 fields/],
    [`${LIST}, expect: { records: { has: [{ like: { name: Rex } }] } }`, /: `key` is missing/],
    [`${LIST}, expect: { records: { distinct: false } }`, /: `distinct` must be true, but is false/],
    [`${LIST}, expect: { records: { lacks: 5 } }`, /: `lacks` must be an array, but is 5/],
    [`${LIST}, expect: { records: { atMost: many } }`, /`(?:expect\.records\.)?atMost`.* "?many/],
    [`${LIST}, expect: { records: { moreThan: ~ } }`, /`(?:expect\.records\.)?moreThan`.* null/],
    [`${LIST}, expect: { records: { every: { stauts: sold } } }`, /stauts.*did you mean status\?/],
    [`${LIST}, expect: { records: { every: { status: solt } } }`, /solt.*did you mean sold\?/],
    [`${LIST}, expect: { records: { has: [{ key: 1, like: 5 }] } }`, /`(?:expect\.records\.has\.0\.)?like`.* 5/],
    [`${GET}, expect: { record: { like: 5 } }`, /`(?:expect\.record\.)?like`.* 5/],
    [`${GET}, expect: { record: { except: [name] } }`, /(?:except|like)`/],
  ])('%s → %s', (step, message) => {
    expect(findRejection(step)).toMatch(/^6:\d+: /);
    expect(findRejection(step)).toMatch(message);
  });
});

const page = ['limit', 'offset'].map((own) => inQuery(own, { type: 'integer', minimum: own === 'limit' ? 1 : 0 }));

/** What steps come to at a service that pages its lists, and says nothing of where a record is. */
const judgeUnits = async (steps: string[], show = (unit: Item): Item => unit, isReadOnly = false): Promise<unknown> => {
  const named = object({ name: text });
  const [verdict] = await judge(steps, (options) =>
    runStranger({
      plan: {
        name: 'units',
        record: object({ id, name: text, parent: { type: ['integer', 'null'] } }, ['id', 'name']),
        sent: named,
        query: page,
        methods: isReadOnly ? ['list', 'get'] : ['list', 'create', 'get'],
      },
      beside: { openapi: '3.1.0' },
      first: Array.from({ length: 30 }, (_, index) => ({ id: index + 1, name: `unit ${index + 1}`, parent: null })),
      habits: () => ({
        keep: (body) => ({ parent: null, ...body }),
        show: (unit, { method }) => (method === 'GET' ? show(unit) : unit),
        list: (items, { query }) => {
          const offset = Number(query.get('offset') ?? 0);
          return { status: 200, body: items.slice(offset, offset + Number(query.get('limit') ?? 10)) };
        },
      }),
      only: options.only ?? [],
      options: { ...options, settleMs: 0 },
    }),
  );
  return verdict;
};

const shout = (unit: Item): Item => ({ ...unit, name: String(unit['name']).toUpperCase() });
const MAKE =
  "{ id: create, operationId: units_create, requestBody: { json: { name: 'a {$unique}' } }, expect: { status: 201 }, outputs: { parent: '$response.body#/parent' } }";
const lookAt = (key: string, expected: string): string =>
  `{ id: fetch, operationId: units_get, parameters: { id: ${key} }, expect: { ${expected} } }`;
const MADE = '$steps.create.response.body#/id';
const PARENT = 'body: { properties: { parent: { const: $steps.create.outputs.parent } } }';
const FIRST = "{ id: list, operationId: units_list, expect: { status: 200 }, outputs: { first: '$response.body#/0' } }";

test.each<[string, string[], (unit: Item) => Item, boolean]>([
  ['the record that a create answered', [MAKE, lookAt(MADE, 'equals: $steps.create.response.body')], shout, false],
  ['an output that is null', [MAKE, lookAt(MADE, PARENT)], (unit) => ({ ...unit, parent: 7 }), false],
  [
    'what a client cannot set, where nothing else is there',
    [FIRST, lookAt('1', 'equals: $steps.list.outputs.first')],
    shout,
    true,
  ],
])('a fetch is compared with %s', async (_, steps, fault, isReadOnly) => {
  expect(await judgeUnits(steps, undefined, isReadOnly)).toBe('passed');
  expect(await judgeUnits(steps, fault, isReadOnly)).toBe('deviated');
});

test.each([
  ['has: [{ key: 999999 }]', 'inconclusive'],
  ['has: [{ key: 3 }]', 'passed'],
  ['lacks: [25]', 'inconclusive'],
  ['lacks: [3]', 'deviated'],
  ['moreThan: 1000', 'inconclusive'],
  ['moreThan: 5', 'passed'],
])('of the first page of a list, `records: { %s }` is %s', async (word, verdict) => {
  expect(await judgeUnits([`{ id: list, operationId: units_list, expect: { records: { ${word} } } }`])).toBe(verdict);
});
