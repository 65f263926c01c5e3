// What services that nobody here wrote do in lists: parameters, bounds, pages, totals and null.
import { expect } from 'vitest';
import { content, inPath, inQuery } from '../../support/open-paths.js';
import { integer, object, text, type Schema } from './support/odd-resource.js';
import { describeShelf, serveShelf, type Habits } from './support/shelf.js';
import { fail, type Answer, type Asked, type Item, type Serve } from './support/stranger.js';
import {
  ALL,
  createFit,
  id,
  listOpen,
  name,
  testStrangers,
  type Operation,
  type Row,
  type Stranger,
  stranger,
} from './support/strangers.js';

type List = NonNullable<Habits['list']>;
const listing = (list: List) => (): Habits => ({ list });
const whole: List = (items) => ({ status: 200, body: items });

const KINDS = ['open', 'shut'];
/** A list that shows neither note nor size of its boats, and what its document says of it. */
const shortened = (say: (list: Operation, record: Schema) => void, more: Item = {}): Row => {
  const record = object({ id, name, note: text, size: integer }, ['id', 'name']);
  return {
    plan: { name: 'boats', record, sent: object({ name, note: text, size: integer }, ['name']), methods: ALL },
    paths: (paths) => say(paths['/boats']?.['get'] as Operation, record),
    habits: listing((items) => ({
      status: 200,
      body: items.map(({ note: _note, size: _size, ...rest }) => ({ ...rest, ...more })),
    })),
    only: ['boats/*'],
  };
};
const describedAs = (description: string) => (list: Operation) => void Object.assign(list, { description });
const LACKS = /^`note` and `size` are not as they were sent in responses of boats_list/;

const SHORTENED: readonly Stranger[] = [
  { title: 'a list is said to be in short', ...shortened(describedAs('Lists the boats in short.')) },
  { title: 'a list is said to lack fields', ...shortened(describedAs('All boats, without note and size.')) },
  stranger(
    'a response is said to lack fields',
    shortened(({ responses }) => {
      Object.assign(responses['200'] ?? {}, { description: 'The boats. It omits `note` and `size`.' });
    }),
  ),
  stranger(
    'fields are said to be left out of lists',
    shortened((_, record) => {
      const fields = record['properties'] as Record<string, Schema>;
      for (const field of ['note', 'size']) fields[field] = { ...fields[field], description: 'Left out of lists.' };
    }),
  ),
  stranger(
    'a list lacks fields of which nothing is said',
    shortened(describedAs('All boats. Without a limit, all of them.')),
    { told: [LACKS] },
  ),
  stranger('a list in short has another value', shortened(describedAs('Lists the boats in short.'), { size: 7 }), {
    told: [/^`size` is not as it was sent in responses of boats_list/],
  }),
];

const members = {
  plan: {
    name: 'members',
    record: object({ id, name }, ['name']),
    query: ['count', 'page'].map((each) => inQuery(each, integer)),
  },
};

const FAILING: readonly Stranger[] = [
  stranger('a limit of -1, which the contract allows, stands for all records', {
    plan: {
      ...members.plan,
      query: [inQuery('limit', { ...integer, minimum: -1, default: 4 }), inQuery('offset', { ...integer, minimum: 0 })],
      refusals: { list: [400] },
    },
    first: [1, 2, 3, 4, 5, 6].map((each) => ({ id: each, name: 'Old' })),
    habits: listing((items, { query }) => {
      const [limit, offset] = [Number(query.get('limit') ?? 4), Number(query.get('offset') ?? 0)];
      if (!Number.isInteger(limit) || !Number.isInteger(offset) || offset < 0) return fail(400);
      return { status: 200, body: items.slice(offset, limit < 0 ? undefined : offset + limit) };
    }),
    only: ['members/records/*', 'members/lists/*'],
  }),
  stranger('a list fails wherever a parameter is sent, also after a removal', members, {
    habits: listing((items, asked) => (asked.query.has('count') ? fail(500) : whole(items, asked))),
    told: [/^members_list fails with 500 (?:with a|for) .*count/],
  }),
  stranger('a get fails for what was removed', {
    plan: { ...members.plan, query: [] },
    habits: () => ({
      answer: ({ method, path }, items) =>
        method === 'GET' && path[1] !== undefined && !items.some((each) => String(each['id']) === path[1])
          ? fail(500)
          : undefined,
    }),
    told: [/^members_get fails with 500 for a record that does not exist/],
  }),
];

const title = object({ id, title: name }, ['title']);
const withField = (field: Schema): Schema => ({
  ...title,
  properties: { ...(title['properties'] as object), ...field },
});
const openOrClosed = { ...text, enum: ['open', 'closed'] };
/** What is out of bounds is brought into them, and an unknown state has no books; how a list is rejected, one status says. */
const clamping = (stated: string): Row => ({
  plan: {
    name: 'books',
    record: withField({ state: openOrClosed }),
    query: [
      inQuery('limit', { ...integer, minimum: 1, maximum: 5 }),
      inQuery('offset', { ...integer, minimum: 0 }),
      inQuery('state', openOrClosed),
    ],
  },
  paths: (paths) =>
    void Object.assign(paths['/books']?.['get']?.responses ?? {}, { [stated]: content(object({ message: text })) }),
  only: ['books/lists/*', 'books/gaps/*limit*'],
  habits: () => ({
    keep: (body) => ({ state: 'open', ...body }),
    list: (items, { query }) => {
      const read = (parameter: string, usual: number): number =>
        Number.parseInt(query.get(parameter) ?? '', 10) || usual;
      const [limit, offset] = [Math.min(5, Math.max(1, read('limit', 5))), Math.max(0, read('offset', 0))];
      const found = items.filter(({ state }) => (query.get('state') ?? state) === state);
      return { status: 200, body: found.slice(offset, offset + limit) };
    },
  }),
});

/** Items below shops; a shop may be asked to remove what another has. */
const removingBelow = (removes: (shop: string, kept: Map<string, Serve>) => Serve): Row => ({
  plan: { name: 'shops', record: title },
  paths: (paths) => {
    const items = describeShelf({ name: 'items', record: title }) as Record<string, { parameters?: Schema[] }>;
    const below = Object.entries(items).map(([path, rules]) => [
      `/shops/{shopId}${path}`,
      { ...rules, parameters: [inPath('shopId'), ...(rules.parameters ?? [])] },
    ]);
    return { ...paths, ...Object.fromEntries(below) };
  },
  serve: (fit, shops) => {
    const kept = new Map<string, Serve>();
    return (asked) => {
      const [, shop = '', ...path] = asked.path;
      if (path.length === 0) return shops(asked);
      const { body: _, ...plain } = asked;
      const own = shops({ ...plain, method: 'GET', path: asked.path.slice(0, 2), body: undefined });
      if (own.status !== 200) return own;
      if (!kept.has(shop)) kept.set(shop, serveShelf('items', { refuse: fit }));
      return (asked.method === 'DELETE' ? removes(shop, kept) : kept.get(shop))?.({ ...asked, path }) ?? fail(404);
    };
  },
  only: ['items/parents/*', 'items/changes/remove*'],
});
const done: Answer = { status: 204 };

const BELOW: readonly Stranger[] = [
  { title: 'a limit out of bounds is made the best of', ...clamping('default') },
  stranger('a limit that is no number is accepted where the contract says how it is rejected', clamping('400'), {
    told: [
      'books_list accepts `limit` "no-such-value", `offset` -1 and `offset` "no-such-value", which the contract does not allow',
    ],
  }),
  stranger(
    'a removal below another parent counts as done, and removes nothing',
    removingBelow((shop, kept) => (asked) => {
      const answer = kept.get(shop)?.(asked);
      return answer === undefined || answer.status === 404 ? done : answer;
    }),
  ),
  stranger(
    'a removal below another parent removes what is there',
    removingBelow((_shop, kept) => (asked) => {
      for (const serve of kept.values()) serve(asked);
      return done;
    }),
    { among: /./ },
  ),
];

const SIZE = 3;
/** Invalid pages are 404, which no such document states; `last` is where the service stops. In an envelope, as Django REST has lists. */
const paged = (isEnveloped: boolean, last = Infinity): Row => ({
  plan: { name: 'books', record: title, query: [inQuery('page', integer)] },
  paths: (paths) => {
    const link = { ...text, nullable: true };
    const all = object({ count: integer, next: link, previous: link, results: { type: 'array', items: title } });
    if (isEnveloped) Object.assign(paths['/books']?.['get'] ?? {}, { responses: { 200: content(all) } });
  },
  first: [1, 2, 3, 4].map((each) => ({ id: each, title: `Old ${each}` })),
  habits: listing((items, { query }) => {
    const page = Number(query.get('page') ?? 1);
    const isThere = page === 1 || (page - 1) * SIZE < items.length;
    if (!Number.isInteger(page) || page < 1 || !isThere || page > last) return fail(404, 'Invalid page.');
    const results = items.slice((page - 1) * SIZE, page * SIZE);
    const next = page * SIZE < items.length ? `/books?page=${page + 1}` : null;
    return { status: 200, body: isEnveloped ? { count: items.length, next, previous: null, results } : results };
  }),
});

const PAGES: readonly Stranger[] = [false, true].flatMap((isEnveloped) => [
  { title: `a page past the last is 404 (envelope: ${isEnveloped})`, ...paged(isEnveloped) },
  { title: `a page is 404 although there is more (envelope: ${isEnveloped})`, ...paged(isEnveloped, 1), among: /./ },
]);

const SWITCHES = [
  ['includeArchived', { default: false }],
  ['archived', {}],
] as const;
const switched = (parameter: string, usual: object, habits: Habits): Row => ({
  plan: {
    name: 'books',
    record: withField({ archived: { type: 'boolean' } }),
    query: [inQuery(parameter, { type: 'boolean', ...usual })],
  },
  first: [
    { id: 1, title: 'Old', archived: true },
    { id: 2, title: 'New', archived: false },
  ],
  only: ['books/records/*', 'books/lists/*', 'books/changes/*'],
  habits: () => ({ keep: (body) => ({ archived: false, ...body }), ...habits }),
});
const isOfList = ({ method, path }: Asked): boolean => method === 'GET' && path[1] === undefined;

const OF_SWITCHES: readonly Stranger[] = [
  ...SWITCHES.flatMap(([parameter, usual]) => [
    stranger(
      `a parameter ${parameter} ${JSON.stringify(usual)} adds records`,
      switched(parameter, usual, {
        list: (items, { query }) => ({
          status: 200,
          body: items.filter(({ archived }) => query.get(parameter) === 'true' || archived !== true),
        }),
      }),
    ),
    stranger(
      `a parameter ${parameter} ${JSON.stringify(usual)} shows a field`,
      switched(parameter, usual, {
        show: ({ archived, ...rest }, asked) =>
          isOfList(asked) && asked.query.get(parameter) !== 'true' ? rest : { ...rest, archived },
      }),
    ),
    stranger(
      `records are in no list, whatever ${parameter} ${JSON.stringify(usual)} is`,
      switched(parameter, usual, {
        list: (items, { query }) => {
          const wanted = query.get('archived');
          const found = items.filter(({ archived }) => wanted === null || String(archived) === wanted);
          return { status: 200, body: found.slice(0, 2) };
        },
      }),
      { among: /^A created record is missing in responses of books_list$/ },
    ),
  ]),
  stranger(
    'a list has all without a parameter that has a default',
    switched(
      'archived',
      { default: true },
      {
        show: ({ archived, ...rest }, asked) =>
          isOfList(asked) && asked.query.get('archived') === 'false' ? rest : { ...rest, archived },
      },
    ),
  ),
  stranger('a filter is ignored', switched('archived', {}, {}), {
    told: ['The filter by `archived` of books_list returns records that do not match'],
  }),
];

const key = { ...text, readOnly: true };
/** Orders name articles in their lines, of which so many are checked, and have a total of what a filter chooses. */
const ordered = (lines?: number): Row => {
  const line = object({ articleId: text, count: { ...integer, minimum: 1, example: 2 } });
  const record = object({
    id: key,
    buyer: { ...name, maxLength: 40 },
    lines: { type: 'array', items: line, minItems: 1 },
  });
  const article = object({ id: key, title: name });
  const next =
    (prefix: string, last = 0) =>
    (): string =>
      `${prefix}-${(last += 1)}`;
  return {
    plan: {
      name: 'orders',
      record,
      key: text,
      query: [inQuery('buyer'), inQuery('limit', { ...integer, minimum: 1, maximum: 100 }), inQuery('offset', integer)],
      methods: ['list', 'create', 'get'],
    },
    paths: (paths) => {
      const page = content(object({ items: { type: 'array', items: record }, total: integer }));
      Object.assign(paths['/orders']?.['get']?.responses ?? {}, { 200: page });
      return { ...describeShelf({ name: 'articles', record: article, key: text }), ...paths };
    },
    serve: (fit) => {
      const known = new Set<unknown>();
      const articles = serveShelf('articles', { renames: next('a'), refuse: createFit({ record: article }) });
      const isOfArticles = (body: Item): boolean =>
        (body['lines'] as Item[]).slice(0, lines).every(({ articleId }) => known.has(articleId));
      const checked = (body: Item): Item =>
        Array.isArray(body['lines']) ? { ...body, lines: body['lines'].slice(0, lines) as unknown } : body;
      const orders = serveShelf('orders', {
        renames: next('o'),
        refuse: (body, asked) => fit(checked(body), asked) ?? (isOfArticles(body) ? undefined : fail(400)),
        list: (items, { query }) => {
          const chosen = items.filter(({ buyer }) => (query.get('buyer') ?? buyer) === buyer);
          const [limit, offset] = [Number(query.get('limit') ?? 100), Number(query.get('offset') ?? 0)];
          return { status: 200, body: { items: chosen.slice(offset, offset + limit), total: chosen.length } };
        },
      });
      return (asked) => {
        if (asked.path[0] !== 'articles') return orders(asked);
        const answer = articles(asked);
        if (answer.status === 201) known.add((answer.body as Item)['id']);
        return answer;
      };
    },
    only: ['orders/records/*', 'orders/refusals/create*', 'orders/lists/total*'],
  };
};

const ORDERS: readonly Stranger[] = [
  stranger('an order is of articles that there are, and all of it is concluded', ordered(), {
    also: (result) => {
      expect(listOpen(result)).toEqual([]);
      expect(result.scenarios.find((each) => each.id === 'orders/records/create-full')?.verdict).toBe('passed');
    },
  }),
  stranger('only the first line of an order is checked', ordered(1), { told: [/^orders_create accepts .*`lines\/1/] }),
];

const author = { $ref: '#/components/schemas/Author' };
/** Books that may have no author, whatever the document says. */
const authored = (schema: Schema): Row => ({
  plan: { name: 'books', record: withField({ author: schema }) },
  beside: { openapi: '3.0.1', components: { schemas: { Author: object({ name: text }) } } },
  habits: () => {
    const fit = createFit({ record: title });
    return {
      refuse: (body, asked) => {
        const sent = body['author'] as Item | null | undefined;
        return (
          fit(body, asked) ??
          (sent === null || sent === undefined || typeof sent['name'] === 'string' ? undefined : fail(400))
        );
      },
      show: (item) => ({ author: null, ...item }),
    };
  },
});
/** A filter that may be left out, as FastAPI writes it. */
const stateOrNull = { anyOf: [{ type: 'string', enum: ['new', 'old'] }, { type: 'null' }] };
const stated = (list: List): Row => ({
  plan: {
    name: 'books',
    record: withField({ state: stateOrNull }),
    query: [inQuery('state', stateOrNull)],
    refusals: { list: [400] },
  },
  beside: { openapi: '3.1.0' },
  habits: listing(list),
});
const ofState: List = (items, { query }) => {
  const wanted = query.get('state');
  return { status: 200, body: items.filter(({ state }) => wanted === null || state === wanted) };
};
const isState = ({ query }: Asked): boolean => ['new', 'old'].includes(query.get('state') ?? 'new');
/** A change in the document's example empties the shelf mark, which a service may forget to do. */
const marked = (example: object, isForgetful: boolean): Row => {
  const record = withField({ mark: { ...text, nullable: true } });
  return {
    plan: { name: 'books', record, methods: ['list', 'create', 'get', 'update'] },
    paths: (paths) => {
      const schema = { ...record, required: undefined };
      const requestBody = { required: true, content: { 'application/json': { schema, example } } };
      Object.assign(paths['/books/{id}']?.['patch'] ?? {}, { requestBody });
    },
    beside: { openapi: '3.0.1' },
    habits: () => ({
      answer: ({ method, body }) => {
        const sent = body as Item | undefined;
        if (isForgetful && method === 'PATCH' && sent?.['mark'] === null) delete sent['mark'];
        return undefined;
      },
    }),
    only: ['books/changes/*'],
  };
};

const NULLS: readonly Stranger[] = [
  ...[{ allOf: [author] }, { oneOf: [author] }, { anyOf: [author] }, author].flatMap((schema) => [
    { title: `null is shown beside nullable: ${JSON.stringify(schema)}`, ...authored({ nullable: true, ...schema }) },
    { title: `null is shown without nullable: ${JSON.stringify(schema)}`, ...authored(schema), among: /./ },
  ]),
  stranger(
    'a filter that may be null is heeded',
    stated((items, asked) => (isState(asked) ? ofState(items, asked) : fail(400))),
  ),
  stranger(
    'a filter that may be null is ignored',
    stated((items, asked) => (isState(asked) ? whole(items, asked) : fail(400))),
    { among: /The filter by `state`/ },
  ),
  { title: 'a null empties where an example says so', ...marked({ title: 'A book', mark: null }, false) },
  { title: 'a null is ignored where no example says what it does', ...marked({ title: 'A book' }, true) },
  stranger('a null is ignored where an example says so', marked({ title: 'A book', mark: null }, true), {
    told: [/`mark`/],
  }),
];

const withTags = (list: List): Row => ({
  plan: {
    name: 'boats',
    record: object({ id, name, tags: { type: 'array', items: text } }, ['id', 'name']),
    sent: object({ name, tags: { type: 'array', items: text } }, ['name']),
    query: [inQuery('tag', text)],
    methods: ALL,
  },
  habits: listing(list),
  only: ['boats/records/*', 'boats/lists/*'],
});

/** Where a page begins, which records it is of, how many it has at most, and whether it says that there are more. */
interface Paging {
  begin?: (start: number) => number;
  isChosen?: (item: Item, kind: string | null, start: number) => boolean;
  most?: number;
  ends?: (start: number) => boolean;
}
/** Pages by a token that stands in the `Link` header field alone, or after the last key of the one before, as large APIs have it. */
const linked = (style: string, { begin, isChosen, most = 50, ends }: Paging = {}): Row => {
  const isLinked = style === 'links';
  const turn = isLinked ? 'page_token' : 'starting_after';
  const record = object({ id, name, kind: { ...text, enum: KINDS } }, ['id', 'name']);
  return {
    plan: {
      name: 'boats',
      record,
      sent: object({ name, kind: { ...text, enum: KINDS } }, ['name']),
      query: [
        inQuery('limit', { ...integer, minimum: 1, ...(isLinked ? { maximum: 50, default: 20 } : { default: 5 }) }),
        inQuery(turn, text),
        inQuery('kind', { ...text, enum: KINDS }),
      ],
      methods: ALL,
      refusals: { list: [400] },
    },
    paths: (paths) => {
      const page = content(object({ data: { type: 'array', items: record }, has_more: { type: 'boolean' } }));
      const { responses = {} } = paths['/boats']?.['get'] ?? {};
      if (isLinked) Object.assign(responses['200'] ?? {}, { headers: { Link: { schema: text } } });
      else Object.assign(responses, { 200: page });
    },
    habits: listing((items, { query }) => {
      const [limit, kind, token] = [query.get('limit') ?? (isLinked ? '20' : '5'), query.get('kind'), query.get(turn)];
      const isFit = /^[1-9]\d*$/.test(limit) && (!isLinked || Number(limit) <= 50);
      if (!isFit || (kind !== null && !KINDS.includes(kind))) return fail(400);
      const choose = (start: number): Item[] =>
        items.filter((item) => isChosen?.(item, kind, start) ?? (kind === null || item['kind'] === kind));
      const keyOf = (item?: Item): string => (item === undefined ? '' : String(item['id']));
      // The last key, or one after all that come before: a removed record is in no list.
      const after = token === null ? 0 : choose(1).findIndex((item) => keyOf(item) === token) + 1;
      const start = isLinked ? Number((token ?? 't0').slice(1)) : after;
      if (token !== null && (isLinked ? !/^t\d+$/.test(token) : after === 0)) return fail(400);
      const found = choose(start);
      const from = begin?.(start) ?? start;
      const body = found.slice(from, from + Math.min(Number(limit), most));
      const hasMore = start + Math.min(Number(limit), most) < found.length && ends?.(start) !== true;
      if (!isLinked) return { status: 200, body: { data: body, has_more: hasMore } };
      const next = `limit=${limit}&page_token=t${start + Number(limit)}${kind === null ? '' : `&kind=${kind}`}`;
      return { status: 200, body, ...(hasMore ? { headers: { Link: `</boats?${next}>; rel="next"` } } : {}) };
    }),
    first: [1, 2, 3, 4, 5, 6, 7, 8].map((each) => ({ id: each, name: `Boat ${each}`, kind: KINDS[each % 2] })),
    only: ['boats/records/*', 'boats/lists/*'],
  };
};
const LACKS_ONE = /^A page or a filter of boats_list lacks a record that the complete list has/;
const TWICE = 'A record appears twice in the pages of boats_list';

const OF_ITEMS: readonly Stranger[] = [
  stranger(
    'a filter by an item of a list',
    withTags((items, { query }) => ({
      status: 200,
      body: items.filter(
        ({ tags }) => !query.has('tag') || (tags as string[] | undefined)?.includes(query.get('tag') ?? ''),
      ),
    })),
  ),
  stranger('a filter by an item of a list is ignored', withTags(whole), {
    told: ['The filter by `tag` of boats_list returns records that do not match'],
  }),
  ...['links', 'the last key'].flatMap((style) => [
    stranger(`pages by ${style} are sound`, linked(style), { also: (result) => expect(listOpen(result)).toEqual([]) }),
    stranger(`pages by ${style} repeat a record`, linked(style, { begin: (start) => Math.max(0, start - 1) }), {
      among: TWICE,
    }),
    stranger(`pages by ${style} lack a record`, linked(style, { begin: (start) => (start === 0 ? 0 : start + 1) }), {
      among: LACKS_ONE,
    }),
  ]),
  stranger(
    'pages by links lose the filter',
    linked('links', { isChosen: ({ kind }, wanted, start) => wanted === null || kind === wanted || start > 0 }),
    { among: /^The filter by `kind` of boats_list returns records that do not match/ },
  ),
  stranger('pages by the last key are no longer than the service likes', linked('the last key', { most: 4 })),
];

testStrangers([...SHORTENED, ...OF_ITEMS, ...FAILING, ...BELOW, ...PAGES, ...OF_SWITCHES, ...ORDERS, ...NULLS]);
