import { expect, test } from 'vitest';
import { content, inPath, inQuery } from '../../support/open-paths.js';
import { object, text, type Schema } from './support/odd-resource.js';
import {
  describePaths,
  fail,
  judgeStranger,
  listTold,
  type Answer,
  type Asked,
  type Serve,
} from './support/stranger.js';

const KEY = 'railway-key';
const LINES = ['coast', 'hill', 'city'];
const STATIONS = Array.from({ length: 9 }, (_, at) => ({ id: at + 1, name: `Halt ${at + 1}`, line: LINES[at % 3] }));
const ERROR = content(object({ message: text }));
const STATION = object({ id: { type: 'integer' }, name: text, line: { type: 'string', enum: LINES } });

const answers = (description: string, schema: Schema): Schema => ({ description, ...content(schema) });
const get = (operationId: string, success: Schema, parameters: Schema[] = []): Schema => ({
  operationId,
  security: [{ key: [] }],
  parameters,
  responses: {
    200: answers('Fine', success),
    400: { description: 'No', ...ERROR },
    401: { description: 'No', ...ERROR },
    404: { description: 'No', ...ERROR },
  },
});

/** A railway whose document has nothing but what can be read. */
const RAILWAY = describePaths(
  {
    '/stations': {
      get: get('listStations', { type: 'array', items: STATION }, [
        inQuery('line', { type: 'string', enum: LINES }),
        inQuery('limit', { type: 'integer', minimum: 1, maximum: 50 }),
      ]),
    },
    '/stations/{id}': { get: get('getStation', STATION, [inPath('id')]) },
    '/weather': { get: get('readWeather', object({ degrees: { type: 'number' } })) },
    '/lines/{line}/length': {
      get: get('measureLine', object({ km: { type: 'number' } }), [{ ...inPath('line', 'string'), example: 'coast' }]),
    },
  },
  { components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } } },
);

type Change = (asked: Asked, answer: Answer) => Answer;

const serve =
  (change: Change = (_, answer) => answer, stations: object[] = STATIONS): Serve =>
  (asked) =>
    change(asked, asked.headers['x-key'] === KEY ? answerOf(asked, stations) : fail(401));

function answerOf({ method, path: [kind, key = '', part], query }: Asked, stations: object[]): Answer {
  if (method !== 'GET') return fail(405);
  if (kind === 'weather') return { status: 200, body: { degrees: 11 } };
  if (kind === 'lines' && part === 'length') return LINES.includes(key) ? { status: 200, body: { km: 9 } } : fail(404);
  if (kind !== 'stations') return fail(404);
  const all = stations as typeof STATIONS;
  if (key !== '') {
    const found = all.find(({ id }) => String(id) === key);
    return found === undefined ? fail(404) : { status: 200, body: found };
  }
  const limit = query.get('limit') ?? '50';
  const line = query.get('line');
  if (!/^\d+$/.test(limit) || Number(limit) < 1 || Number(limit) > 50) return fail(400);
  if (line !== null && !LINES.includes(line)) return fail(400);
  return { status: 200, body: all.filter((each) => line === null || each.line === line).slice(0, Number(limit)) };
}

const isFor =
  (kind: string, isOfOne: boolean) =>
  ({ path }: Asked): boolean =>
    path[0] === kind && isOfOne === path.length > 1;
const isList = isFor('stations', false);
const isStation = isFor('stations', true);

test('what cannot be created is read, and nothing is sent that could change it', async () => {
  const methods = new Set<string>();
  const watched: Serve = (asked) => {
    if (asked.path[0] === 'stations' && asked.path.length > 1) methods.add(asked.method);
    return serve()(asked);
  };
  const result = await judgeStranger(RAILWAY, watched, [], { apiKey: KEY });
  expect(listTold(result)).toEqual([]);
  const listIds = (wanted: string): string[] =>
    result.scenarios.filter(({ verdict }) => verdict === wanted).map(({ id }) => id);
  expect(listIds('inconclusive')).toEqual([]);
  const passed = new Set(listIds('passed'));
  for (const id of ['found', 'get-found', 'unknown']) expect(passed).toContain(`stations/records/${id}`);
  const others = [...passed].filter((id) => id.includes('/requests/other-answer['));
  expect(others.map((id) => id.slice(id.indexOf('[')))).toEqual(['[readWeather]', '[measureLine]']);
  expect([...passed].filter((id) => /credentials\[(?:list|get)/.test(id))).toHaveLength(4);
  expect(methods).toEqual(new Set(['GET']));
  expect(result.notes.join('\n')).toContain(
    'only read, since a run cannot create any: /stations: the contract has no create',
  );
});

test.each<[string, RegExp, Change]>([
  [
    'shows another station',
    /getStation/,
    (asked, given) => (isStation(asked) && given.status === 200 ? { status: 200, body: STATIONS[8] } : given),
  ],
  [
    'has a station at every key',
    /getStation/,
    (asked, given) => (isStation(asked) && given.status === 404 ? { status: 200, body: STATIONS[0] } : given),
  ],
  [
    'filters nothing',
    /filter by `line`/,
    (asked, given) =>
      isList(asked) && given.status === 200 && asked.query.has('line') ? { status: 200, body: STATIONS } : given,
  ],
  [
    'takes no limit',
    /limit/,
    (asked, given) =>
      isList(asked) && given.status === 200 && asked.query.has('limit') ? { status: 200, body: STATIONS } : given,
  ],
  [
    'asks nobody for a key',
    /^The key is not checked/,
    (asked, given) => (given.status === 401 ? answerOf(asked, STATIONS) : given),
  ],
  [
    'fails at the weather',
    /readWeather fails with 500/,
    ({ path }, given) => (path[0] === 'weather' ? fail(500) : given),
  ],
  [
    'says a length in words',
    /measureLine/,
    ({ path }, given) => (path[0] === 'lines' && given.status === 200 ? { status: 200, body: { km: 'nine' } } : given),
  ],
])('a railway that %s is told of', async (_, headline, change) => {
  const told = listTold(await judgeStranger(RAILWAY, serve(change), [], { apiKey: KEY }));
  expect(told.filter((each) => headline.test(each))).not.toEqual([]);
  expect(told.length).toBeLessThanOrEqual(2);
});

test('without a station nothing is told, and what needs one is skipped', async () => {
  const { scenarios, problems } = await judgeStranger(RAILWAY, serve(undefined, []), [], { apiKey: KEY });
  expect(problems).toEqual([]);
  const found = scenarios.find(({ id }) => id === 'stations/records/found');
  expect(found).toMatchObject({
    verdict: 'skipped',
    reason: expect.stringContaining('there is no record to read') as string,
  });
});
