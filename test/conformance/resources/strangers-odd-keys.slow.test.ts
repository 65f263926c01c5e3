// What services do whose keys are said in words, shown by no record, given in the path of a create, or alike.
import { expect } from 'vitest';
import { content, inPath } from '../../support/open-paths.js';
import { MARKS } from './support/odd-contracts.js';
import { integer, object, text } from './support/odd-resource.js';
import { fail, type Asked, type Item } from './support/stranger.js';
import { id, name, rowsOf, stranger, testStrangers, type Row, type Stranger } from './support/strangers.js';

const kites = { name: 'kites', record: object({ id, name }, ['id', 'name']), sent: object({ name }, ['name']) };
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
/** Keys that are UUIDs by their description alone: another text is malformed, and no record that is missing. */
const saidUuid = (unknown: number): Row => ({
  plan: {
    ...kites,
    record: object({ id: { ...text, readOnly: true }, name }, ['id', 'name']),
    methods: ['list', 'create', 'get', 'remove'],
    refusals: { get: [400, 404] },
  },
  paths: (paths) => {
    const [parameter] = (paths['/kites/{id}'] as unknown as { parameters: object[] }).parameters;
    Object.assign(parameter ?? {}, { schema: text, description: 'The UUID of the kite' });
  },
  habits: (fit) => {
    let made = 0;
    return {
      renames: () => `0b5b4f2c-9a55-4d0c-9d1e-${String((made += 1)).padStart(12, '0')}`,
      refuse: fit,
      answer: ({ method, path: [, key] }, items) => {
        if (key === undefined || items.some((each) => each['id'] === key)) return undefined;
        return fail(UUID.test(key) && method === 'GET' ? unknown : 400, 'No UUID');
      },
    };
  },
  only: ['kites/records/*'],
});

/** Without a create: records stay as they are, and changes at keys that none has are rejected. */
function fixed(accepts?: string): Row {
  const writes: Asked[] = [];
  return {
    plan: { ...kites, methods: ['list', 'get', 'replace', 'update', 'remove'] },
    first: [{ id: 7, name: 'Red' }],
    habits: (fit) => ({
      refuse: fit,
      answer: (asked, items) => {
        const { method, path, body } = asked;
        if (path[1] === undefined || method === 'GET') return undefined;
        writes.push(asked);
        const isThere = items.some((each) => String(each['id']) === path[1]);
        return method === accepts && !isThere && typeof body === 'object'
          ? { status: 200, body: { id: Number(path[1]), name: 'None' } }
          : undefined;
      },
    }),
    also: () => {
      expect(new Set(writes.map(({ method }) => method))).toEqual(new Set(['PATCH', 'PUT', 'DELETE']));
      expect(writes.filter(({ path }) => path[1] === '7')).toEqual([]);
    },
  };
}

/** What the run takes for a key may be none: several records are alike in it, and nothing is found by it. */
const alike = (repeats: boolean): Row => ({
  plan: {
    name: 'tokens',
    record: object({ name, note: text }),
    methods: ['list', 'create', 'get', 'remove'],
    key: text,
    keyName: 'token',
  },
  first: ['one', 'another'].map((note) => ({ name: 'Old', note })),
  habits: () => {
    const show = ({ secret: _, ...shown }: Item): Item => shown;
    return {
      keyProperty: 'secret',
      keep: (body) => ({ ...body, secret: `s${String(body['name'])}` }),
      refuse: (body) => (['name', 'note'].every((each) => typeof body[each] === 'string') ? undefined : fail(400)),
      show,
      list: (items) => ({ status: 200, body: [...items, ...(repeats ? items.slice(-1) : [])].map(show) }),
    };
  },
  only: ['tokens/records/*', 'tokens/sequences/*'],
});

const NOTHING = { description: 'Nothing.' };
const tag = content(object({ name: text }));
/** A POST on their own path creates them, of nothing but the key in it. */
function posted(keeps: boolean): Row {
  const tags = new Set(['red']);
  const overwritten: string[] = [];
  return {
    plan: { name: 'tags', record: object({ name }) },
    paths: () => ({
      '/tags': { get: { responses: { 200: content({ type: 'array', items: object({ name: text }) }) } } },
      '/tags/{name}': {
        parameters: [inPath('name', 'string')],
        get: { responses: { 200: tag, 404: NOTHING } },
        post: { summary: 'Create a tag', responses: { 201: NOTHING, 409: NOTHING } },
        delete: { responses: { 204: NOTHING, 404: NOTHING } },
      },
    }),
    serve:
      () =>
      ({ method, path: [collection, own] }) => {
        if (collection !== 'tags') return fail(404);
        if (own === undefined)
          return method === 'GET' ? { status: 200, body: [...tags].map((each) => ({ name: each })) } : fail(405);
        if (method === 'POST' && tags.has(own)) overwritten.push(own);
        if (method === 'POST') return tags.has(own) ? fail(409) : (keeps && tags.add(own), { status: 201 });
        if (!tags.has(own)) return fail(404);
        if (method === 'GET') return { status: 200, body: { name: own } };
        return method === 'DELETE' ? (tags.delete(own), { status: 204 }) : fail(405);
      },
    also: ({ scenarios, summary }) => {
      expect([overwritten, [...tags]]).toEqual([[], ['red']]);
      if (!keeps) return;
      expect(summary.inconclusive).toBe(0);
      const passed = scenarios.filter(({ verdict }) => verdict === 'passed').map((each) => each.id);
      expect(passed).toEqual(
        expect.arrayContaining(['tags/records/create', 'tags/records/get', 'tags/changes/remove']),
      );
    },
  };
}

/** Records do not show their key: a list has them by their keys, and a create responds with the key alone. */
const hidden = (keep: (body: Item) => Item): Row => ({
  plan: { name: 'points', record: object({ name, depth: { ...integer, minimum: 0 } }, ['name']) },
  paths: () =>
    MARKS['a key that no record shows: a list has records by their keys, and a create responds with the key alone'],
  serve: (fit) => {
    const points = new Map<string, Item>();
    return (asked) => {
      const { method, path, body } = asked;
      if (path[0] !== 'points') return fail(404);
      const isWrite = method === 'POST' || method === 'PUT';
      if (isWrite && fit(body, asked) !== undefined) return fail(400);
      const key = method === 'POST' ? crypto.randomUUID() : path[1];
      if (isWrite) points.set(String(key), keep(body as Item));
      if (isWrite) return { status: method === 'PUT' ? 200 : 201, body: { state: 'done', id: key } };
      if (key === undefined) return method === 'GET' ? { status: 200, body: Object.fromEntries(points) } : fail(405);
      const found = points.get(key);
      if (method === 'DELETE') return points.delete(key) ? { status: 204 } : fail(404);
      return found === undefined ? fail(404) : { status: 200, body: found };
    };
  },
  only: ['points/records/*', 'points/changes/*'],
  also: ({ summary }) => expect(summary.created).toBeGreaterThan(0),
});

const ROWS: readonly Stranger[] = [
  { title: 'keys are UUIDs as their description says', ...saidUuid(404) },
  stranger('an unknown UUID has another status', saidUuid(400), { told: [/kites_get returns 400 instead of 404/] }),
  { title: 'records that a run cannot create stay as they are', ...fixed() },
  ...rowsOf(Object.entries({ PATCH: /^kites_update/, PUT: /^kites_replace/ }), ([method, headline]) =>
    stranger(`a ${method} of a record that there is not succeeds`, fixed(method), { told: [headline] }),
  ),
  stranger('records of one name are several, where the path has another key', alike(false), {
    also: ({ problems }) => expect(problems.filter(({ headline }) => /twice|several|once/.test(headline))).toEqual([]),
  }),
  { title: 'a list shows a record twice that has another key', ...alike(true), among: /twice|several|once/ },
  { title: 'records are created by a POST at free keys, read and removed', ...posted(true) },
  { title: 'a record that a POST created is not there', ...posted(false), among: /404|missing/ },
  { title: 'records do not show their key', ...hidden((body) => body) },
  stranger(
    'records that do not show their key lose a field',
    hidden(({ depth: _, ...body }) => body),
    { told: [/depth/] },
  ),
];

testStrangers(ROWS);
