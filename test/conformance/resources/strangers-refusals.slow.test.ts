// What services that nobody here wrote reject, fail at, forbid, say in words alone, and send in a form of their own.
import { expect } from 'vitest';
import type { RunResult } from '../../../src/conformance/index.js';
import { content, inQuery } from '../../support/open-paths.js';
import { integer, object, text, type Schema } from './support/odd-resource.js';
import type { Habits } from './support/shelf.js';
import { fail, type Answer, type Asked, type Item } from './support/stranger.js';
import {
  ALL,
  createFit,
  id,
  listOpen,
  name,
  rowsOf,
  runStranger,
  testStrangers,
  type Fit,
  type Row,
  type Stranger,
  stranger,
} from './support/strangers.js';

type List = NonNullable<Habits['list']>;
const isThere = (items: readonly Item[], key: unknown): boolean => items.some((each) => String(each['id']) === key);
/** Beyond what the schema says. */
const rejecting =
  (wrong: (body: Item, asked: Asked) => Answer | undefined, keep?: Habits['keep']) =>
  (fit: Fit): Habits => ({
    refuse: (body, asked) => fit(body, asked) ?? wrong(body, asked),
    ...(keep === undefined ? {} : { keep }),
  });

/** A site must have a host name and one of the categories that there are. */
const sites = (status: number, documented: readonly number[], first: readonly Item[] = []): Row => ({
  plan: {
    name: 'sites',
    record: object({ id, host: name, categoryId: integer }, ['host', 'categoryId']),
    refusals: { create: documented, replace: documented },
  },
  first,
  habits: rejecting(({ host, categoryId }) =>
    categoryId === 7 && String(host).endsWith('.example') ? undefined : fail(status),
  ),
});
const open = { name: 'sites', record: object({ id, note: text, kind: { ...text, enum: ['a', 'b'] } }, []) };
const rejectB = (status: number) => rejecting(({ kind }) => (kind === 'b' ? fail(status) : undefined));
const documenting = (...create: number[]): Pick<Stranger, 'plan'> => ({
  plan: { ...open, refusals: { create, replace: [...create, 404] } },
});
const paged = (list: List, ...documented: number[]): Row => ({
  plan: { ...open, query: [inQuery('page', { ...integer, minimum: 1 })], refusals: { list: documented } },
  habits: () => ({ list }),
});
const orNoPage: List = (items, { query }) => {
  const page = query.get('page') ?? '1';
  return /^[1-9]\d*$/.test(page) ? { status: 200, body: page === '1' ? items : [] } : fail(404, 'Invalid page.');
};
const SITE_STATUSES = [400, 404, 409, 422];

function expectInconclusive({ scenarios }: RunResult): void {
  const create = scenarios.find((each) => each.id === 'sites/records/create');
  expect(create?.verdict).toBe('inconclusive');
  expect(create?.reason).toMatch(
    /^needs a service that accepts a site generated from the contract; give a valid example/,
  );
}

const REJECTIONS: readonly Stranger[] = [
  ...rowsOf(SITE_STATUSES, (status) =>
    stranger(
      `what was made up is rejected with ${status}, which proves nothing`,
      sites(status, SITE_STATUSES, [{ id: 1, host: 'a.example', categoryId: 7 }]),
      { also: expectInconclusive },
    ),
  ),
  stranger('what was made up is rejected with a status that the contract does not have', sites(422, [400]), {
    told: ['sites_create rejects with 422 what the contract allows'],
  }),
  stranger('an empty object is rejected, and what becomes of more is judged', {
    plan: open,
    habits: rejecting(({ note }) => (note === undefined ? fail(400) : undefined)),
    also: ({ scenarios }) =>
      expect(scenarios.find((each) => each.id === 'sites/changes/replace')?.verdict).toBe('passed'),
  }),
  stranger('a value that the contract lists is rejected where all else was accepted', {
    plan: open,
    habits: rejectB(400),
    among: /^sites_create rejects with 400 what the contract allows (?:with `kind` "b"|for \d+ of \d+ requests)$/,
  }),
  { title: 'a value that the contract lists is 422, beside 400', ...documenting(400, 422), habits: rejectB(422) },
  { title: 'an invalid page is 404, which is documented', ...paged(orNoPage, 400, 404) },
  stranger('an invalid page is 404, which is not documented', paged(orNoPage, 400), {
    told: [/^sites_list returns 404 instead of 400/],
  }),
];

const book = object({ id, title: name }, ['title']);
/** Asks for a key, and answers some requests with 403. */
const guarded = (forbids: (asked: Asked, items: readonly Item[]) => boolean, ofOne = [401, 403, 404]): Row => ({
  plan: {
    name: 'books',
    record: book,
    refusals: { list: [401, 403], create: [400, 401, 403], get: ofOne, replace: [400, ...ofOne], remove: ofOne },
  },
  beside: { components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } }, security: [{ token: [] }] },
  habits: () => ({
    answer: (asked, items) => {
      if (asked.headers['authorization'] !== 'Bearer any') return fail(401);
      return forbids(asked, items) ? fail(403) : undefined;
    },
  }),
});
const isUnknown = ({ path }: Asked, items: readonly Item[]): boolean =>
  path[1] !== undefined && !isThere(items, path[1]);

function expectReason({ scenarios }: RunResult, operation: string): void {
  const reasons = scenarios.filter(({ verdict }) => verdict === 'inconclusive').map(({ reason }) => reason);
  expect([...new Set(reasons)]).toEqual([
    `needs a key that may call ${operation}: the target accepts this one, and returns 403 there`,
  ]);
}

const RIGHTS: readonly Stranger[] = [
  ...rowsOf(Object.entries({ PUT: 'books_replace', DELETE: 'books_remove' }), ([method, operation]) =>
    stranger(
      `a key may not ${method}, and the reason names the right`,
      guarded((asked) => asked.method === method),
      { also: (result) => expectReason(result, operation) },
    ),
  ),
  stranger(
    'a record that a list shows is forbidden to the same key',
    guarded(({ method, path }) => method === 'GET' && path[1] !== undefined),
    { told: [/^books_get (?:rejects|returns).* 403/] },
  ),
  stranger(
    'what was allowed a moment ago is forbidden',
    guarded(
      (
        (count: number) =>
        ({ method }: Asked) =>
          method === 'DELETE' && (count += 1) > 1
      )(0),
    ),
    { told: [/^books_remove rejects with 403/] },
  ),
  { title: 'that there is no such record is hidden behind 403', ...guarded(isUnknown) },
  stranger(
    'that there is no such record is hidden behind a status that the contract does not have',
    guarded(isUnknown, [401, 404]),
    { told: ['books_get returns 403 instead of 404 for a record that does not exist'] },
  ),
];

const code = { ...text, pattern: '^[a-z]{4,12}$' };
const tag = object({ code, name: { ...name, maxLength: 20 }, colour: { ...text, enum: ['red', 'teal'] } }, [
  'code',
  'name',
]);
/** Rejects a replacement that says another key than its path, and all that is wrong, as far as it looks. */
const tags = (overlook: (body: Item) => Item = (body) => body): Row => ({
  plan: { name: 'tags', record: tag, key: code, keyName: 'code' },
  habits: (fit) => ({
    keyProperty: 'code',
    refuse: (body, asked) => {
      const isPut = asked.method === 'PUT';
      const wrong = fit(isPut ? overlook(body) : body, asked);
      return wrong ?? (isPut && body['code'] !== asked.path[1] ? fail(400, 'another key') : undefined);
    },
  }),
});
const anyColour = ({ colour: _, ...rest }: Item): Item => rest;
const revised = object({ ...(tag['properties'] as Schema), revision: { ...integer, minimum: 1 } }, [
  'code',
  'name',
  'revision',
]);

interface Change {
  method: 'PUT' | 'PATCH' | 'POST';
  merges: boolean;
  /** Whether every field may be left out. */
  isPartial?: boolean;
  summary?: string;
  description?: string;
  ofField?: string;
}
/** Whether a change replaces a record or merges with it, the contract says by its words, its schema or its method; else it is open. */
const changing = ({ method, merges, isPartial = false, ofField, ...said }: Change): Row => ({
  plan: {
    name: 'kites',
    record: object({ id, name, label: { ...text, ...(ofField && { description: ofField }) } }, ['id', 'name']),
    sent: object({ name, label: { ...text, ...(ofField && { description: ofField }) } }, ['name']),
  },
  paths: (paths) => {
    const { put, ...rest } = paths['/kites/{id}'] ?? {};
    const requestBody = isPartial
      ? { required: true, ...content(object({ name, label: text }, [])) }
      : put?.requestBody;
    const change = { ...put, operationId: 'kites_put', ...said, requestBody };
    return { ...paths, '/kites/{id}': { ...rest, [method.toLowerCase()]: change } };
  },
  habits: (fit) => ({
    answer: ({ method: asked, path: [, key], body }, items) => {
      const found = items.find((each) => String(each['id']) === key);
      if (found === undefined || !['PUT', 'PATCH', 'POST'].includes(asked)) return undefined;
      if (asked !== method) return fail(405);
      const wrong = fit(body, { method: isPartial ? 'PATCH' : 'PUT' });
      if (wrong !== undefined) return wrong;
      if (!merges) delete found['label'];
      return { status: 200, body: Object.assign(found, body, { id: found['id'] }) };
    },
  }),
});

const REPLACEMENTS: readonly Stranger[] = [
  ...rowsOf<[string, Change]>(
    [
      ['a PUT that is called an update merges', { method: 'PUT', merges: true, summary: 'Updates a kite.' }],
      ['a PUT that need not have what a create must merges', { method: 'PUT', merges: true, isPartial: true }],
      ['a PUT merges, as it says', { method: 'PUT', merges: true, description: 'What is left out stays.' }],
      ['a PUT merges, as a field says', { method: 'PUT', merges: true, ofField: 'If omitted, it is left untouched.' }],
      ['a POST replaces', { method: 'POST', merges: false }],
      ['a POST merges', { method: 'POST', merges: true }],
      ['a PATCH that is said to replace does', { method: 'PATCH', merges: false, summary: 'Replaces a kite.' }],
    ],
    ([title, change]) => ({ title, ...changing(change) }),
  ),
  stranger('a PATCH replaces', changing({ method: 'PATCH', merges: false }), {
    told: [/`label` is not as it was sent/],
  }),
  { title: 'a replacement must have the key of its path', ...tags() },
  { title: 'a replacement may have any choice', ...tags(anyColour), among: /tags_replace.*colour/ },
  stranger('a replacement needs more than a create sends, and may have any choice', tags(anyColour), {
    paths: (paths) =>
      void Object.assign(paths['/tags/{code}']?.['put'] ?? {}, {
        requestBody: { required: true, ...content(revised) },
      }),
    habits: (fit) => {
      const fits = { PUT: createFit({ record: revised }), POST: fit };
      return {
        keyProperty: 'code',
        refuse: (body, asked) => {
          const isPut = asked.method === 'PUT';
          const wrong = fits[isPut ? 'PUT' : 'POST'](isPut ? anyColour(body) : body, asked);
          return wrong ?? (isPut && body['code'] !== asked.path[1] ? fail(400, 'another key') : undefined);
        },
        keep: ({ revision: _, ...rest }) => rest,
      };
    },
    only: ['tags/records/*', 'tags/refusals/*'],
    told: [/tags_replace.*`colour`/],
  }),
  stranger(
    'a PUT that is said to replace merges',
    changing({ method: 'PUT', merges: true, summary: 'Replaces a kite.' }),
    { told: ['A replacement without `label` does not remove it (kites)'] },
  ),
];

const said = (properties: Schema, habits: (fit: Fit) => Habits, query: Schema[] = []): Row => ({
  plan: { name: 'books', record: object({ id, title: name, ...properties }), query, refusals: { list: [400] } },
  habits,
});
const texts = { type: 'array', items: text, example: ['Sea', 'Air'] };
const lowered = { ...texts, description: 'Kept in lower case and without duplicates.' };
const keepTags = (change: (tags: string[]) => string[]) => (): Habits => ({
  keep: (body) => ({ ...body, tags: change(body['tags'] as string[]) }),
});
const lowerTags = keepTags((each) => [...new Set(each.map((one) => one.toLowerCase()))]);
const day = { ...text, format: 'date', example: '2026-05-04' };
const ofDay = inQuery('day', { ...text, format: 'date' });
const orLater = { ...ofDay, description: 'Only books of this day or later.' };
const fromDay = (): Habits => {
  const isDay = createFit({ record: object({ day }) });
  return {
    list: (items, { query }) => {
      const from = query.get('day');
      if (from !== null && isDay({ day: from }, { method: 'GET' })) return fail(400);
      return { status: 200, body: items.filter((item) => from === null || String(item['day']) >= from) };
    },
  };
};
const listAll = (): Habits => ({ list: (items) => ({ status: 200, body: items }) });
const deep = inQuery('deep', { type: 'boolean' });
const unusable = {
  ...deep,
  description: 'Other values than `true` and `false` are ignored; unknown values count as `false`.',
};
const signed = (more: Schema): Row =>
  said(
    {
      kind: { ...text, enum: ['in', 'out'], example: 'in' },
      amount: { ...integer, minimum: -50, maximum: 50, example: 5, ...more },
    },
    rejecting(({ amount }) => (Number(amount) > 0 ? undefined : fail(400))),
  );
/** A record that has another title is elsewhere. */
const moving = (status: string): Row => ({
  plan: { name: 'books', record: object({ id: text, title: name }), sent: object({ title: name }), key: text },
  paths: (paths) =>
    void Object.assign(paths['/books/{id}']?.['get']?.responses ?? {}, {
      [status]: { description: 'It is elsewhere now.' },
    }),
  habits: () => {
    const old = new Map<string, string>();
    return {
      renames: ({ title }) => String(title),
      answer: ({ method, path: [, key = ''], body }, items) => {
        if (method === 'PUT' && isThere(items, key)) old.set(key, String((body as Item)['title']));
        const to = old.get(key);
        if (method !== 'GET' || isThere(items, key) || to === undefined) return undefined;
        return { status: 301, headers: { Location: `/books/${encodeURIComponent(to)}` } };
      },
    };
  },
  only: ['books/changes/*'],
});

const SAID: readonly Stranger[] = [
  { title: 'tags are kept in lower case, each once, as the contract says', ...said({ tags: lowered }, lowerTags) },
  stranger('tags are kept in lower case, each once', said({ tags: texts }, lowerTags), {
    told: [/`tags\/\*` is not as it was/],
  }),
  { title: 'a filter is a bound, as the contract says', ...said({ day }, fromDay, [orLater]) },
  stranger('a filter is a bound', said({ day }, fromDay, [ofDay]), {
    told: [/^The filter by `day` of books_list returns records that do not match/],
  }),
  { title: 'a value that cannot be used is ignored, as the contract says', ...said({}, listAll, [unusable]) },
  stranger('a value that cannot be used is ignored', said({}, listAll, [deep]), {
    told: [/^books_list accepts `deep` "no-such-value"/],
  }),
  stranger(
    'a sign depends on another field, as the contract says',
    signed({ description: 'More than 0 for `in` and `out`.' }),
  ),
  stranger('a sign depends on another field', signed({}), {
    among: /^books_\w+.* rejects? with 400 what the contract allows/,
  }),
  { title: 'a record has moved, as the contract says', ...moving('301') },
  { title: 'a record has moved', ...moving('410'), told: [/301/] },
];

const fields = { name, size: { ...integer, minimum: 0, maximum: 900 }, state: { ...text, enum: ['open', 'paid'] } };
const failing = (habits: (fit: Fit) => Habits, only: readonly string[] = []): Row => ({
  plan: {
    name: 'bills',
    record: object({ id, ...fields }, ['id', 'name']),
    sent: object(fields, ['name']),
    methods: ALL,
  },
  habits,
  only,
});
const OF_CHANGES = ['bills/refusals/*'];
const isSpoiled = ({ size }: Item): boolean => size !== undefined && typeof size !== 'number';
/** Accepts any size where a record is changed, and then can write neither the record nor the list that it is in. */
const spoiling = (fit: Fit): Habits => ({
  refuse: (body, asked) => (asked.method !== 'POST' && isSpoiled(body) ? undefined : fit(body, asked)),
  answer: ({ method, path: [, key] }, items) =>
    method !== 'DELETE' && items.some((item) => String(item['id']) === key && isSpoiled(item)) ? fail(500) : undefined,
  list: (items) => (items.some(isSpoiled) ? fail(500) : { status: 200, body: items }),
});
/** An update by a text for a number fails, and may leave the record as one at which all fails; counts the creates. */
const broken = (isLasting: boolean, counts: { created: number }): Row => {
  const bad = new Set<string>();
  return failing(
    () => ({
      answer({ method, path: [, key = ''], body }) {
        if (method === 'POST') counts.created += 1;
        if (bad.has(key) && method !== 'DELETE') return fail(500);
        if (method !== 'PATCH' || typeof (body as Item)['size'] !== 'string') return undefined;
        if (isLasting) bad.add(key);
        return fail(500);
      },
    }),
    OF_CHANGES,
  );
};
const [usual, lasting] = [{ created: 0 }, { created: 0 }];
const BROKEN = [/^bills_update fails with 500 for `size` as text$/];

const FAILURES: readonly Stranger[] = [
  { title: 'a service rejects each change that is wrong', ...failing(() => ({}), OF_CHANGES) },
  stranger(
    'a record is spoiled by a change, and what is tried after it is tried on another',
    failing(spoiling, OF_CHANGES),
    {
      told: [
        /^bills_update and bills_replace accept `size` null, as text, true and as a list, though it must be an integer$/,
      ],
      also: (result) => {
        expect(listOpen(result)).toEqual([]);
      },
    },
  ),
  stranger(
    'a change fails, and so does the record from then on: it is left alone, and no other is',
    broken(true, lasting),
    {
      told: BROKEN,
      also: async () => {
        const { problems } = await runStranger(broken(false, usual));
        expect(problems.map(({ headline }) => headline)).toEqual(BROKEN.map((each) => expect.stringMatching(each)));
        // A word, and a number in a text.
        expect(lasting.created).toBe(usual.created + 2);
      },
    },
  ),
];

const nest = (depth: number): unknown => (depth === 0 ? 1 : JSON.parse('['.repeat(depth) + '1' + ']'.repeat(depth)));
/** Sends all its answers in another way. */
const sendingAs = (change: (answer: Answer) => Answer, more: Item = {}): Row => ({
  plan: { name: 'books', record: book },
  habits: () => ({ show: (item) => ({ ...item, ...more }) }),
  serve: (_fit, shelf) => (asked) => {
    const answer = shelf(asked);
    return answer.body === undefined ? answer : change(answer);
  },
});
const latin = { 'Content-Type': 'application/json; charset=iso-8859-1' };
const asIs = (answer: Answer): Answer => answer;

const JSON_OF_OWN: readonly Stranger[] = [
  { title: 'JSON in UTF-8 has another charset', ...sendingAs((answer) => ({ ...answer, headers: latin })) },
  stranger(
    'JSON is in another encoding',
    sendingAs((answer) => ({ ...answer, headers: latin, bytes: Buffer.from(JSON.stringify(answer.body), 'latin1') }), {
      shelf: 'Bücher',
    }),
    {
      among: /the bytes are not valid UTF-8/,
      also: ({ problems }) =>
        expect(problems.filter(({ headline }) => headline.includes('the bytes are not valid UTF-8'))).toHaveLength(1),
    },
  ),
  { title: 'JSON is nested deeply', ...sendingAs(asIs, { tree: nest(300) }) },
  stranger('JSON is nested so deeply that nobody can read it', sendingAs(asIs, { tree: nest(1500) }), {
    only: ['books/records/create'],
    also: ({ scenarios }) =>
      expect(scenarios.map(({ verdict, reason }) => `${verdict}: ${reason ?? ''}`)).toEqual([
        'inconclusive: needs a response that is nested at most 1000 levels deep',
      ]),
  }),
  stranger(
    'deep JSON does not end',
    sendingAs(({ status, body }) => ({ status, text: JSON.stringify(body).slice(0, -1) }), { tree: nest(300) }),
    { among: /are not JSON/, also: ({ problems }) => expect(problems[0]?.headline).toMatch(/are not JSON/) },
  ),
];

const ACCEPTING: readonly Stranger[] = [
  stranger('a change that should be rejected is carried out, which is one find', {
    plan: {
      name: 'sites',
      record: object({ id, host: name, size: { ...integer, minimum: 0 } }, ['host', 'size']),
      methods: ALL,
    },
    habits: (fit) => ({
      refuse: (body, asked) => (asked.method !== 'POST' && Number(body['size']) < 0 ? undefined : fit(body, asked)),
    }),
    only: ['sites/refusals/update*', 'sites/refusals/replace*'],
    told: [/^sites_update and sites_replace accept `size` -1/],
    also: ({ scenarios }) => {
      const found = scenarios.flatMap(({ steps }) => steps.flatMap(({ exchanges }) => exchanges));
      expect(found.flatMap(({ findings }) => findings.map(({ check }) => check))).not.toContain('record');
    },
  }),
];

testStrangers([...ACCEPTING, ...REJECTIONS, ...RIGHTS, ...REPLACEMENTS, ...SAID, ...FAILURES, ...JSON_OF_OWN]);
