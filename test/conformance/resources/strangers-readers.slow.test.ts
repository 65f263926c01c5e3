// A service of which a run only reads what is there, since its document has nothing else.
import { expect } from 'vitest';
import type { RunResult } from '../../../src/conformance/index.js';
import { content, inPath, inQuery } from '../../support/open-paths.js';
import { integer, object, text, type Schema } from './support/odd-resource.js';
import { fail, type Answer, type Asked, type Item } from './support/stranger.js';
import { listOpen, rowsOf, stranger, testStrangers, type Row, type Stranger } from './support/strangers.js';

const KEY = 'key-of-the-run';
const components = { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } };
const secured = { components, security: [{ key: [] }] };
const passedOf = ({ scenarios }: RunResult): string[] =>
  scenarios.filter(({ verdict }) => verdict === 'passed').map((each) => each.id);
const LINES = ['coast', 'hill', 'city'];
const STATIONS = Array.from({ length: 9 }, (_, at) => ({ id: at + 1, name: `Halt ${at + 1}`, line: LINES[at % 3] }));
const station = object({ id: integer, name: text, line: { ...text, enum: LINES } });
const FAILED = content(object({ message: text }));
const get = (operationId: string, success: Schema, parameters: Schema[] = []): { get: Schema } => ({
  get: { operationId, parameters, responses: { 200: content(success), 400: FAILED, 401: FAILED, 404: FAILED } },
});

function readRailway({ method, path: [kind, key = '', part], query }: Asked, stations: readonly Item[]): Answer {
  if (method !== 'GET') return fail(405);
  if (kind === 'weather') return { status: 200, body: { degrees: 11 } };
  if (kind === 'lines' && part === 'length') return LINES.includes(key) ? { status: 200, body: { km: 9 } } : fail(404);
  if (kind !== 'stations') return fail(404);
  if (key !== '') {
    const found = stations.find((each) => String(each['id']) === key);
    return found === undefined ? fail(404) : { status: 200, body: found };
  }
  const [limit, line] = [query.get('limit') ?? '50', query.get('line')];
  if (!/^\d+$/.test(limit) || Number(limit) < 1 || Number(limit) > 50) return fail(400);
  if (line !== null && !LINES.includes(line)) return fail(400);
  const found = stations.filter((each) => line === null || each['line'] === line);
  return { status: 200, body: found.slice(0, Number(limit)) };
}

type Change = (asked: Asked, given: Answer) => Answer | undefined;
/** Nothing is sent to its stations that could change them. */
function railway(change: Change = () => undefined, stations: readonly Item[] = STATIONS): Row {
  const methods = new Set<string>();
  return {
    plan: { name: 'stations', record: station },
    paths: () => ({
      '/stations': get('listStations', { type: 'array', items: station }, [
        inQuery('line', { ...text, enum: LINES }),
        inQuery('limit', { ...integer, minimum: 1, maximum: 50 }),
      ]),
      '/stations/{id}': get('getStation', station, [inPath('id')]),
      '/weather': get('readWeather', object({ degrees: { type: 'number' } })),
      '/lines/{line}/length': get('measureLine', object({ km: { type: 'number' } }), [
        { ...inPath('line', 'string'), example: 'coast' },
      ]),
    }),
    beside: secured,
    serve: () => (asked) => {
      if (asked.path[0] === 'stations' && asked.path.length > 1) methods.add(asked.method);
      const given = asked.headers['x-key'] === KEY ? readRailway(asked, stations) : fail(401);
      return change(asked, given) ?? given;
    },
    options: { apiKey: KEY },
    also: () => expect([...methods].filter((method) => method !== 'GET')).toEqual([]),
  };
}

function expectRailway(result: RunResult): void {
  expect(listOpen(result)).toEqual([]);
  const passed = passedOf(result);
  expect(passed).toEqual(
    expect.arrayContaining(['found', 'get-found', 'unknown'].map((each) => `stations/records/${each}`)),
  );
  const others = passed.filter((each) => each.includes('/requests/other-answer['));
  expect(others.map((each) => each.slice(each.indexOf('[')))).toEqual(['[readWeather]', '[measureLine]']);
  expect(passed.filter((each) => /credentials\[(?:list|get)/.test(each))).toHaveLength(4);
  expect(result.notes.join('\n')).toContain(
    'only read, since a run cannot create any: /stations: the contract has no create',
  );
}

const isOf = ({ path }: Asked, kind: string): boolean => path[0] === kind;
const shown = (body: unknown): Answer => ({ status: 200, body });
const FAULTS: readonly (readonly [does: string, headline: RegExp, change: Change])[] = [
  [
    'shows another station',
    /getStation/,
    ({ path }, { status }) => (path[1] && status === 200 ? shown(STATIONS[8]) : undefined),
  ],
  [
    'has a station at every key',
    /getStation/,
    (asked, { status }) =>
      isOf(asked, 'stations') && asked.path[1] && status === 404 ? shown(STATIONS[0]) : undefined,
  ],
  [
    'filters nothing',
    /filter by `line`/,
    ({ query }, { status }) => (query.has('line') && status === 200 ? shown(STATIONS) : undefined),
  ],
  [
    'takes no limit',
    /limit/,
    ({ query }, { status }) => (query.has('limit') && status === 200 ? shown(STATIONS) : undefined),
  ],
  [
    'asks nobody for a key',
    /^The key is not checked/,
    (asked, { status }) => (status === 401 ? readRailway(asked, STATIONS) : undefined),
  ],
  ['fails at the weather', /readWeather fails with 500/, (asked) => (isOf(asked, 'weather') ? fail(500) : undefined)],
  [
    'says a length in words',
    /measureLine/,
    (asked, { status }) => (isOf(asked, 'lines') && status === 200 ? shown({ km: 'nine' }) : undefined),
  ],
];

const ROWS: readonly Stranger[] = [
  stranger('a railway is read', railway(), { also: expectRailway }),
  ...rowsOf(FAULTS, ([does, among, change]) => stranger(`a railway ${does}`, railway(change), { among, most: 2 })),
  stranger('without a station, what needs one is skipped', railway(undefined, []), {
    also: ({ scenarios }) =>
      expect(scenarios.find((each) => each.id === 'stations/records/found')).toMatchObject({
        verdict: 'skipped',
        reason: expect.stringContaining('there is no record to read') as string,
      }),
  }),
];

testStrangers(ROWS);
