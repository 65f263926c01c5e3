// Which record a service accepts is found step by step, by what it says; what cannot be created takes down what builds on it alone.
import { describe, expect, test } from 'vitest';
import { findFull, isKeyOfAnother, type Search } from '../../../src/conformance/engine/accepted-payload.js';
import type { RunResult } from '../../../src/conformance/index.js';
import type { Trial } from '../../../src/conformance/resources/instantiate-resources.js';
import type { Field } from '../../../src/conformance/resources/resource-under-test.js';
import { content } from '../../support/open-paths.js';
import { integer, object, text } from '../resources/support/odd-resource.js';
import { describeShelf, serveShelf, type Habits } from '../resources/support/shelf.js';
import { describePaths, fail, judgeStranger, listTold, type Answer, type Item } from '../resources/support/stranger.js';
import { ALL, id, name, runStranger } from '../resources/support/strangers.js';

const fieldOf = (own: string, required = true, pattern?: string): Field =>
  ({ name: own, type: 'string', required, schema: { type: 'string', pattern } }) as unknown as Field;
const verdictOf = ({ scenarios }: RunResult, scenario: string): string | undefined =>
  scenarios.find((each) => each.id === scenario)?.verdict;

test('other texts of patterns go on from what was mended, and leave the keys of other records', async () => {
  const owner = '$scenarios.customers/records/create.outputs.key';
  const plain = { owner: 'C-1', serial: 'S-1', site: 'x' };
  const first: Trial = { full: { ...plain, owner }, plain };
  const said = '{"message":"site must be an address"}';
  const search: Search = {
    fields: [fieldOf('owner', true, '^.+$'), fieldOf('serial', true, '^.+$'), fieldOf('site')],
    whole: first,
    references: [],
    isAllowed: () => true,
    makeLike: (field) => (field.name === 'site' ? undefined : `$uniqueLike#/${field.name}`),
    send: ({ full }) => {
      if (full['site'] === 'x') return Promise.resolve(said);
      return Promise.resolve(full['serial'] === 'S-1' ? '{"message":"conflict"}' : undefined);
    },
  };
  const found = await findFull({ trial: first, said }, { least: first, others: [] }, search);
  expect(found?.full).toMatchObject({ owner, serial: '$uniqueLike#/serial' });
  expect(found?.full['site']).not.toBe('x');
});

test('by its name, a field may be the key of another record, of which the others are not copied', () => {
  const keys = ['categoryId', 'owner_id', 'fk', 'parentRef', 'category-id', 'siteID'];
  const others = ['paid', 'valid', 'api_key', 'accessKey', 'pinCode', 'promo_code', 'name', 'sessionId'];
  expect([...keys, ...others].filter(isKeyOfAnother)).toEqual(keys);
});

const zone = {
  name: text,
  kind: { ...text, enum: ['native', 'copy'] },
  file: { ...text, description: 'All records of the zone as text' },
};

function refuseZone({ name: own, kind, file }: Item): Answer | undefined {
  if (typeof own !== 'string') return fail(400, `Key 'name' not present or not a string`);
  if (!/^[a-z]+\.example\.com\.$/.test(own)) return fail(400, `Name '${own}' is not canonical`);
  if (kind !== 'native' && kind !== 'copy') return fail(400, `Key 'kind' not present`);
  return file === undefined ? undefined : fail(400, 'An error occurred while parsing it');
}

test.each([
  ['the sound one', (body: Item): Item => body, []],
  [
    'one that loses the name',
    (body: Item): Item => ({ ...body, name: `${String(body['name'])}lost` }),
    [expect.stringMatching(/^`?name`? .*not as it was sent/)],
  ],
])('what a service that names one mistake after the other takes is found step by step: %s', async (_, keep, told) => {
  const sent = object({ ...zone, note: { ...text, description: 'Assigned by the server' } }, []);
  const plan = { name: 'zones', record: object({ id, ...zone }, ['id']), sent, refusals: { create: [400] } };
  const result = await runStranger({
    plan,
    habits: () => ({ refuse: refuseZone, keep }),
    only: ['zones/records/create*', 'zones/records/get*'],
  });
  expect(listTold(result).filter((each) => !each.startsWith('zones_create rejects with 400'))).toEqual(told);
  expect(verdictOf(result, 'zones/records/get')).toBe(told.length === 0 ? 'passed' : 'deviated');
});

describe('volumes, whose key is their name, with a driver that only the service knows', () => {
  const record = object({ name: text, driver: text });

  const judge = (
    required: string[],
    habits: Habits,
    { first = [] as Item[], receipt = record } = {},
  ): Promise<RunResult> =>
    runStranger({
      plan: { name: 'volumes', record, sent: { ...record, required }, key: text, keyName: 'name' },
      paths: (all) => void Object.assign(all['/volumes']?.['post']?.responses ?? {}, { 201: content(receipt) }),
      habits: () => ({ keyProperty: 'name', keep: (body) => ({ driver: 'local', ...body }), ...habits }),
      first,
      only: ['volumes/records/*'],
    });

  test.each([
    ['as it is', undefined, /^$/],
    ['but another driver than was sent', 'other', /`?driver`? is not as it was sent/],
  ])('are given a key that the response to a create does not show: %s', async (_, driver, told) => {
    let made = 0;
    const answer: Habits['answer'] = ({ method, path, body }, items) => {
      if (method !== 'POST' || path[1] !== undefined || typeof body !== 'object' || body === null) return undefined;
      const { name: own = `v${(made += 1)}` } = body as Item;
      if (typeof own !== 'string') return fail(400);
      items.push({ driver: 'local', ...body, name: own, ...(driver && { driver }) });
      return { status: 201, body: { warning: '' } };
    };
    const result = await judge([], { answer }, { receipt: object({ warning: text }) });
    expect(verdictOf(result, 'volumes/records/get')).toBe('passed');
    expect(listTold(result).join()).toMatch(told);
    expect(result.leftBehind).toBeUndefined();
  });

  const refuse = ({ name: own, driver }: Item): Answer | undefined => {
    if (typeof own !== 'string' || typeof driver !== 'string') return fail(400);
    return driver === 'local' ? undefined : fail(500, 'no plugin with that name is available');
  };

  test('are sent with a text that is taken from a record that is there, where another is refused', async () => {
    const result = await judge(['name', 'driver'], { refuse }, { first: [{ name: 'home', driver: 'local' }] });
    expect(listTold(result)).toEqual([expect.stringMatching(/^volumes_create fails with 500/)]);
    expect(verdictOf(result, 'volumes/records/get')).toBe('passed');
  });

  test('are inconclusive without one, since of what the failure says', async () => {
    const { scenarios } = await judge(['name', 'driver'], { refuse });
    expect(scenarios.find((each) => each.id === 'volumes/records/get')?.reason).toMatch(
      /needs a service that accepts a volume .*; it says "no plugin with that name is available"$/,
    );
  });
});

test.each([
  ['stream', 200, 'false', []],
  ['stream', 500, 'false', [expect.stringMatching(/^events fails with 500/)]],
  ['brief', 200, null, []],
])('a response that may go on for ever is asked to end: %s, %i', async (own, status, wanted, told) => {
  const flag = { name: own, in: 'query', schema: { type: 'boolean', default: true } };
  const responses = { 200: content(object({})), 400: content(object({ message: text })) };
  const asked: (string | null)[] = [];
  const events = { operationId: 'events', parameters: [flag], responses };
  const result = await judgeStranger(describePaths({ '/events': { get: events } }), ({ query }) => {
    const value = query.get(own);
    asked.push(value);
    if (value !== null && value !== 'true' && value !== 'false') return fail(400);
    return { status: value === 'true' ? 200 : status, body: {} };
  });
  expect(asked).toContain(wanted);
  expect(listTold(result)).toEqual(told);
});

describe('whatever a service answers to the first create, the next smaller one is tried', () => {
  const fields = { name, label: text, teamId: integer };

  async function judge(
    refuse: (body: Item) => Answer | undefined,
    { required = ['name'], teams = [] as Item[], only = ['kites/records/*', 'teams/records/*'] } = {},
  ): Promise<RunResult> {
    const paths = {
      ...describeShelf({
        name: 'kites',
        record: object({ id, ...fields }, ['id', 'name']),
        sent: object(fields, required),
        refusals: { create: [400, 409, 413, 418] },
      }),
      ...describeShelf({ name: 'teams', record: object({ id, title: text }), methods: ['list', 'get'] }),
    };
    const isWrong = (body: Item): boolean => typeof body['name'] !== 'string' || body['name'] === '';
    const kites = serveShelf('kites', { refuse: (body) => (isWrong(body) ? fail(400) : refuse(body)) });
    const others = serveShelf('teams', {}, teams);
    const serve = (asked: Parameters<typeof kites>[0]): Answer => (asked.path[0] === 'teams' ? others : kites)(asked);
    return judgeStranger(describePaths(paths), serve, only);
  }

  test.each([500, 418])('after a %i', async (status) => {
    const refuse = ({ label }: Item) => (label === undefined ? fail(status, 'label is required') : undefined);
    const result = await judge(refuse);
    expect(verdictOf(result, 'kites/records/get')).toBe('passed');
    const isTold = listTold(result).some((each) => each.startsWith('kites_create fails with 500'));
    expect(isTold).toBe(status === 500);
  });

  test('with the key of a record that is in the list of another resource', async () => {
    const refuse = ({ teamId }: Item) => (teamId === 71 ? undefined : fail(400, 'no such team'));
    expect(
      verdictOf(
        await judge(refuse, { required: ['name', 'teamId'], teams: [{ id: 71, title: 'Red' }] }),
        'kites/records/get',
      ),
    ).toBe('passed');
  });

  test('and where nothing is taken, the reason shows what the service says', async () => {
    const refuse = () => fail(409, 'The season is over.');
    const result = await judge(refuse, { only: ['kites/*', 'teams/*'] });
    expect(listTold(result)).toEqual([]);
    expect(result.untested).toMatch(/; it says "The season is over\."$/);
  });
});

describe('where no record can be created', () => {
  const limit = { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 50, default: 20 } };
  const refusals = {
    list: [400, 401],
    create: [400, 401, 409],
    get: [401, 404],
    replace: [400, 401, 404],
    update: [400, 401, 404],
    remove: [401, 404],
  };
  const beside = {
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    security: [{ token: [] }],
  };
  const two = [
    { id: 1, name: 'Red' },
    { id: 2, name: 'Blue' },
  ];

  async function judge(
    only: string[],
    { first = two, answer }: { first?: Item[]; answer?: Habits['answer'] } = {},
  ): Promise<{ result: RunResult; written: string[] }> {
    const written: string[] = [];
    const habits = (): Habits => ({
      refuse: () => fail(409, 'The season is over.'),
      answer: (asked, items) => {
        const { method, path, query, headers } = asked;
        if (headers['authorization'] !== 'Bearer any') return fail(401);
        if (method !== 'GET' && path.length > 1) written.push(`${method} ${path.join('/')}`);
        const isFine = /^(?:[1-9]|[1-4]\d|50)?$/.test(query.get('limit') ?? '');
        return answer?.(asked, items) ?? (isFine ? undefined : fail(400));
      },
      list: (items, { query }) => ({ status: 200, body: items.slice(0, Number(query.get('limit') ?? 20)) }),
    });
    const plan = { name: 'kites', record: object({ id, name }), query: [limit], methods: ALL, refusals };
    return { result: await runStranger({ plan, beside, habits, first, only }), written };
  }

  test('what is there is read, and nothing of it is changed', async () => {
    const { result, written } = await judge(['kites/*']);
    expect(listTold(result)).toEqual([]);
    const read = ['records/get', 'records/unknown', 'records/list', 'lists/limit[1]'];
    expect(read.map((each) => verdictOf(result, `kites/${each}`))).toEqual(read.map(() => 'passed'));
    const below = (prefix: string): Set<string> =>
      new Set(result.scenarios.filter((each) => each.id.startsWith(prefix)).map(({ verdict }) => verdict));
    expect(below('kites/refusals/credentials[')).toEqual(new Set(['passed']));
    expect(below('kites/refusals/create[')).toEqual(new Set(['inconclusive']));
    expect(written).toEqual([]);
    expect(result.resources?.tested).toEqual(['kites']);
  });

  test('a key that no record has is asked for, although there is none to read', async () => {
    const { result } = await judge(['kites/records/*'], { first: [] });
    expect(verdictOf(result, 'kites/records/unknown')).toBe('passed');
    expect(verdictOf(result, 'kites/records/get')).toBe('inconclusive');
  });

  test('nothing is expected of a record that is there but that it is served: its values are its own', async () => {
    const record = object({ id, name, soil: { ...text, default: 'clay' } }, ['name']);
    const plan = { name: 'beds', record, refusals: { create: [403, 400] } };
    const habits = (): Habits => ({ refuse: () => fail(403, 'No room.') });
    const first = [{ id: 1, name: 'North', soil: 'sand' }];
    expect(listTold(await runStranger({ plan, habits, first }))).toEqual([]);
  });
});
