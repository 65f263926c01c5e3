import { describe, expect, test } from 'vitest';
import { findFull, isKeyOfAnother, type Search } from '../../../src/conformance/engine/accepted-payload.js';
import type { RunResult } from '../../../src/conformance/index.js';
import type { Trial } from '../../../src/conformance/resources/instantiate-resources.js';
import type { Field } from '../../../src/conformance/resources/resource-under-test.js';
import { content } from '../../support/open-paths.js';
import { object, type Schema, text } from '../resources/support/odd-resource.js';
import { describeShelf, type Habits, serveShelf } from '../resources/support/shelf.js';
import {
  type Answer,
  type Asked,
  describePaths,
  fail,
  type Item,
  judgeStranger,
  listTold,
} from '../resources/support/stranger.js';

const OWNER = '$scenarios.customers/records/create.outputs.key';

function fieldOf(name: string): Field {
  return { name, type: 'string', required: true, schema: { type: 'string', pattern: '^.+$' } } as unknown as Field;
}

test('other texts of patterns go on from what was mended, and leave the keys of other records', async () => {
  const plain = { owner: 'C-1', serial: 'S-1', site: 'x' };
  const first: Trial = { full: { ...plain, owner: OWNER }, plain };
  const sent: Trial['full'][] = [];
  const send: Search['send'] = async ({ full }) => {
    sent.push(full);
    await Promise.resolve();
    if (full['site'] === 'x') return '{"message":"site must be an address"}';
    return full['serial'] === 'S-1' ? '{"message":"conflict"}' : undefined;
  };
  const search: Search = {
    fields: ['owner', 'serial'].map(fieldOf),
    whole: first,
    references: [],
    isAllowed: () => true,
    makeLike: ({ name }) => `$uniqueLike#/${name}`,
    send,
  };
  const fields = [
    ...search.fields,
    { name: 'site', type: 'string', required: true, schema: { type: 'string' } } as unknown as Field,
  ];
  const makeLike: Search['makeLike'] = (field, value) =>
    field.name === 'site' ? undefined : search.makeLike(field, value);
  const said = '{"message":"site must be an address"}';
  const found = await findFull({ trial: first, said }, { least: first, others: [] }, { ...search, fields, makeLike });
  expect(found?.full).toMatchObject({ owner: OWNER, serial: '$uniqueLike#/serial' });
  expect(found?.full['site']).not.toBe('x');
});

test('of many fields, those few are left out that a service rejects without a word on which', async () => {
  const names = Array.from({ length: 26 }, (_, index) => `f${index}`);
  const all = Object.fromEntries(names.map((name) => [name, 'x']));
  const whole: Trial = { full: all, plain: all };
  const least: Trial = { full: {}, plain: {} };
  const bad = ['f17', 'f22'];
  const search: Search = {
    fields: names.map((name) => ({ name, type: 'string', required: false, schema: {} }) as unknown as Field),
    whole,
    references: [],
    isAllowed: () => true,
    makeLike: () => undefined,
    send: ({ full }) => Promise.resolve(bad.some((name) => Object.hasOwn(full, name)) ? 'Invalid key.' : undefined),
  };
  const found = await findFull({ trial: whole, said: 'Invalid key.' }, { least, others: [] }, search);
  expect(names.filter((name) => found?.full[name] === undefined)).toEqual(bad);
});

// A service that names in each rejection what is wrong with the field that was missing before, and the value beside it.

const FIELDS = {
  name: { type: 'string' },
  kind: { type: 'string', enum: ['native', 'copy'] },
  file: { type: 'string', description: 'All records of the zone as text' },
};

function refuse({ name, kind, file }: Item): Answer | undefined {
  if (typeof name !== 'string') return fail(400, `Key 'name' not present or not a string`);
  if (!/^[a-z]+\.example\.com\.$/.test(name)) return fail(400, `Name '${name}' is not canonical`);
  if (kind !== 'native' && kind !== 'copy') return fail(400, `Key 'kind' not present`);
  return file === undefined ? undefined : fail(400, 'An error occurred while parsing it');
}

test.each([
  ['the sound one', refuse, []],
  [
    'one that loses the name',
    (body: Item) => {
      const refused = refuse(body);
      if (refused === undefined) body['name'] = `${String(body['name'])}lost`;
      return refused;
    },
    [expect.stringMatching(/^`?name`? .*not as it was sent/)],
  ],
])('what it takes is found step by step: %s', async (_, refusal, told) => {
  const paths = describeShelf({
    name: 'zones',
    record: object({ id: { type: 'integer', readOnly: true }, ...FIELDS }, ['id']),
    sent: object({ ...FIELDS, note: { ...text, description: 'Assigned by the server' } }, []),
    refusals: { create: [400] },
  });
  const result = await judgeStranger(describePaths(paths), serveShelf('zones', { refuse: refusal }), [
    'zones/records/*',
  ]);
  const headlines = result.problems.map(({ headline }) => headline);
  expect(headlines.filter((each) => !each.startsWith('zones_create rejects with 400'))).toEqual(told);
  const found = result.scenarios.find(({ id }) => id === 'zones/records/get');
  expect(found?.verdict).toBe(told.length === 0 ? 'passed' : 'deviated');
});

// What a program with names for keys does: a create that shows no key, values of its own, why it failed, endless responses.

const ONLY = ['volumes/records/*', 'volumes/changes/*'];

/** Volumes, whose key is their name, with a driver that only the service knows. */
function describe(success: Schema, required: readonly string[]): Record<string, unknown> {
  const record = object({ name: text, driver: { type: 'string' } }, ['name', 'driver']);
  const sent = object({ name: { type: 'string' }, driver: { type: 'string' } }, [...required]);
  const paths = describeShelf({ name: 'volumes', record, sent, key: { type: 'string' }, keyName: 'name' });
  Object.assign((paths['/volumes'] as Record<string, Record<string, object>>)['post']?.['responses'] ?? {}, {
    201: content(success),
  });
  return paths;
}

const keep = (body: Item): Item => ({ driver: 'local', ...body });

function serve({ refuse, answer }: Pick<Habits, 'refuse' | 'answer'>, first: readonly Item[] = []) {
  return serveShelf(
    'volumes',
    { keyProperty: 'name', keep, ...(refuse && { refuse }), ...(answer && { answer }) },
    first,
  );
}

const RECEIPT = object({ warning: { type: 'string' } }, ['warning']);

test.each([
  ['as it is', false],
  ['but another driver than was sent', true],
])('the run gives a key that the response to a create does not show: %s', async (_, isOther) => {
  let made = 0;
  const answer = ({ method, path, body }: Asked, items: Item[]): Answer | undefined => {
    if (method !== 'POST' || path[1] !== undefined || typeof body !== 'object' || body === null) return undefined;
    const { name = `v${(made += 1)}` } = body as Item;
    if (typeof name !== 'string') return fail(400);
    items.push({ driver: 'local', ...body, name, ...(isOther ? { driver: 'other' } : {}) });
    return { status: 201, body: { warning: '' } };
  };
  const result = await judgeStranger(describePaths(describe(RECEIPT, [])), serve({ answer }), ONLY);
  const found = result.scenarios.find(({ id }) => id === 'volumes/records/get');
  expect(found?.verdict).toBe('passed');
  expect(listTold(result).join()).toMatch(
    isOther ? /`driver` is not as it was sent|driver is not as it was sent/ : /^$/,
  );
  expect(result.leftBehind).toBeUndefined();
});

const refuse = ({ name, driver }: Item): Answer | undefined => {
  if (typeof name !== 'string' || typeof driver !== 'string') return fail(400);
  return driver === 'local' ? undefined : fail(500, 'no plugin with that name is available');
};
const WHOLE = object({ name: text, driver: { type: 'string' } }, ['name', 'driver']);

test('a text that is refused is taken from a record that is there', async () => {
  const first = [{ name: 'home', driver: 'local' }];
  const result = await judgeStranger(
    describePaths(describe(WHOLE, ['name', 'driver'])),
    serve({ refuse }, first),
    ONLY,
  );
  expect(listTold(result)).toEqual([expect.stringMatching(/^volumes_create fails with 500/)]);
  expect(result.scenarios.find(({ id }) => id === 'volumes/records/get')?.verdict).toBe('passed');
});

test('without one, what the failure says is why the others are inconclusive', async () => {
  const result = await judgeStranger(describePaths(describe(WHOLE, ['name', 'driver'])), serve({ refuse }), ONLY);
  const reason = result.scenarios.find(({ id }) => id === 'volumes/records/get')?.reason;
  expect(reason).toMatch(/needs a service that accepts a volume .*; it says "no plugin with that name is available"$/);
});

test.each([
  ['stream', 200, 'false', []],
  ['stream', 500, 'false', [expect.stringMatching(/^events fails with 500/)]],
  ['brief', 200, null, []],
])('a response that may go on for ever is asked to end: %s, %i', async (name, status, wanted, told) => {
  const flag = { name, in: 'query', schema: { type: 'boolean', default: true } };
  const responses = { 200: content(object({})), 400: content(object({ message: text })) };
  const asked: (string | null)[] = [];
  const answer = ({ query }: Asked): Answer => {
    const value = query.get(name);
    asked.push(value);
    if (value !== null && value !== 'true' && value !== 'false') return fail(400);
    return value === 'true' ? { status: 200, body: {} } : { status, body: {} };
  };
  const events = { operationId: 'events', parameters: [flag], responses };
  const result = await judgeStranger(describePaths({ '/events': { get: events } }), answer);
  expect(asked).toContain(wanted);
  expect(listTold(result)).toEqual(told);
});

// Whatever a service answers to the first create, the next smaller one is tried, and the reason shows what it says.

const FIELDS = { name: text, label: { type: 'string' }, teamId: { type: 'integer' } } satisfies Record<string, Schema>;

interface Service {
  required?: readonly string[];
  refuse: (body: Item) => Answer | undefined;
  first?: readonly Item[];
  teams?: readonly Item[];
}

async function judge({ required = ['name'], refuse, first = [], teams = [] }: Service): Promise<RunResult> {
  const sent = object(FIELDS, [...required]);
  const record = object({ id: { type: 'integer', readOnly: true }, ...FIELDS }, ['id', 'name']);
  const team = object({ id: { type: 'integer', readOnly: true }, title: text }, ['id', 'title']);
  const refusals = { create: [400, 409, 413, 418] };
  const paths = {
    ...describeShelf({ name: 'kites', record, sent, refusals }),
    ...describeShelf({ name: 'teams', record: team, methods: ['list', 'get'] }),
  };
  const isWrong = (body: Item): boolean => typeof body['name'] !== 'string' || body['name'] === '';
  const kites = serveShelf('kites', { refuse: (body) => (isWrong(body) ? fail(400) : refuse(body)) }, first);
  const all = serveShelf('teams', {}, teams);
  const serve = (asked: Parameters<typeof kites>[0]): Answer => (asked.path[0] === 'teams' ? all(asked) : kites(asked));
  return judgeStranger(describePaths(paths), serve, ['kites/*', 'teams/*']);
}

const passes = ({ scenarios }: RunResult, id: string): boolean | undefined =>
  scenarios.find((each) => each.id === id)?.verdict === 'passed';

describe('the next is tried', () => {
  test('after a 500, which is told', async () => {
    const result = await judge({
      refuse: ({ label }) => (label === undefined ? fail(500, 'label must not be null') : undefined),
    });
    expect(listTold(result)).toContainEqual(expect.stringMatching(/^kites_create fails with 500/));
    expect(passes(result, 'kites/records/get')).toBe(true);
  });

  test.each([409, 413, 418])('after a %i', async (status) => {
    const result = await judge({
      refuse: ({ label }) => (label === undefined ? fail(status, 'label is required') : undefined),
    });
    expect(passes(result, 'kites/records/get')).toBe(true);
  });

  test('with the key of a record that is in the list of another resource', async () => {
    const result = await judge({
      required: ['name', 'teamId'],
      teams: [{ id: 71, title: 'Red' }],
      refuse: ({ teamId }) => (teamId === 71 ? undefined : fail(400, 'no such team')),
    });
    expect(passes(result, 'kites/records/get')).toBe(true);
  });
});

test('where nothing is taken, the reason shows what the service says', async () => {
  const result = await judge({ refuse: () => fail(409, 'The season is over.') });
  expect(listTold(result)).toEqual([]);
  expect(result.untested).toMatch(/; it says "The season is over\."$/);
});

test.each(['categoryId', 'owner_id', 'fk', 'parentRef', 'category-id', 'siteID'])(
  '%s may be the key of another',
  (name) => {
    expect(isKeyOfAnother(name)).toBe(true);
  },
);

test.each(['paid', 'valid', 'api_key', 'accessKey', 'pinCode', 'promo_code', 'name', 'sessionId'])(
  'what others have in %s is not copied',
  (name) => {
    expect(isKeyOfAnother(name)).toBe(false);
  },
);

// A create that is refused takes down what builds on it, and nothing else.

const SENT = object({ name: text }, ['name']);
const RECORD = object({ id: { type: 'integer', readOnly: true }, name: text }, ['id', 'name']);
const SIZE = { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 50, default: 20 } };
const DOCUMENT = describePaths(
  describeShelf({
    name: 'kites',
    record: RECORD,
    sent: SENT,
    query: [SIZE],
    methods: ['list', 'create', 'get', 'replace', 'update', 'remove'],
    refusals: {
      list: [400, 401],
      create: [400, 401, 409],
      get: [401, 404],
      replace: [400, 401, 404],
      update: [400, 401, 404],
      remove: [401, 404],
    },
  }),
  { components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } }, security: [{ token: [] }] },
);

type Service = { first?: readonly Item[]; answer?: (asked: Asked) => Answer | undefined };

async function judge({
  first = [
    { id: 1, name: 'Red' },
    { id: 2, name: 'Blue' },
  ],
  answer,
}: Service = {}): Promise<{ result: RunResult; written: string[] }> {
  const written: string[] = [];
  const serve = serveShelf(
    'kites',
    {
      refuse: () => fail(409, 'The season is over.'),
      answer: (asked) => {
        const { method, path, query, headers } = asked;
        const isOpen = headers['authorization'] === 'Bearer any';
        if (isOpen && method !== 'GET' && path.length > 1) written.push(`${method} ${path.join('/')}`);
        if (!isOpen) return fail(401);
        return answer?.(asked) ?? (/^(?:[1-9]|[1-4]\d|50)?$/.test(query.get('limit') ?? '') ? undefined : fail(400));
      },
      list: (items, { query }) => ({ status: 200, body: items.slice(0, Number(query.get('limit') ?? 20)) }),
    },
    first,
  );
  return { result: await judgeStranger(DOCUMENT, serve, ['kites/*']), written };
}

const verdictOf = ({ scenarios }: RunResult, id: string): string | undefined =>
  scenarios.find((each) => each.id === `kites/${id}`)?.verdict;

describe('where no record can be created', () => {
  test('what is there is read, and nothing of it is changed', async () => {
    const { result, written } = await judge();
    expect(listTold(result)).toEqual([]);
    for (const id of ['records/get', 'records/unknown', 'records/list', 'lists/limit[1]'])
      expect(`${id} ${verdictOf(result, id)}`).toBe(`${id} passed`);
    const ofCredentials = result.scenarios.filter(({ id }) => id.startsWith('kites/refusals/credentials['));
    expect(new Set(ofCredentials.map(({ verdict }) => verdict))).toEqual(new Set(['passed']));
    const ofBodies = result.scenarios.filter(({ id }) => id.startsWith('kites/refusals/create['));
    expect(new Set(ofBodies.map(({ verdict }) => verdict))).toEqual(new Set(['inconclusive']));
    expect(written).toEqual([]);
    expect(result.resources?.tested).toEqual(['kites']);
  });

  test('a defect of what only reads is told', async () => {
    const { result } = await judge({
      answer: ({ method, path: [, key] }) =>
        method === 'GET' && key !== undefined && Number(key) > 100 ? fail(500) : undefined,
    });
    expect(listTold(result)).toEqual([expect.stringMatching(/^kites_get fails with 500/)]);
  });

  test('a key that no record has is asked for, although there is none to read', async () => {
    const { result } = await judge({ first: [] });
    expect(verdictOf(result, 'records/unknown')).toBe('passed');
    expect(verdictOf(result, 'records/get')).toBe('inconclusive');
  });
});

test('of a record that is there, nothing is expected but that it is served: its values are its own', async () => {
  const soil = { type: 'string', default: 'clay' };
  const record = object({ id: { type: 'integer', readOnly: true }, name: text, soil }, ['id', 'name']);
  const document = describePaths(
    describeShelf({
      name: 'beds',
      record,
      sent: object({ name: text, soil }, ['name']),
      refusals: { create: [403, 400] },
    }),
  );
  const serve = serveShelf('beds', { refuse: () => fail(403, 'No room.') }, [{ id: 1, name: 'North', soil: 'sand' }]);
  expect(listTold(await judgeStranger(document, serve))).toEqual([]);
});
