// What services that nobody here wrote do with the fields of a record.
import { expect } from 'vitest';
import { integer, object, text, type Schema } from './support/odd-resource.js';
import type { Habits } from './support/shelf.js';
import { fail, type Asked, type Item } from './support/stranger.js';
import {
  ALL,
  createFit,
  id,
  listOpen,
  name,
  rowsOf,
  testStrangers,
  type Fit,
  type Row,
  type Stranger,
  stranger,
} from './support/strangers.js';

const notAsSent = (field: string): RegExp => new RegExp(`^\`${field}\` is not as it was sent`);

/** Each of their fields is required. */
const cats = (fields: Schema) => ({
  plan: { name: 'cats', record: object({ id, name, ...fields }, ['name', ...Object.keys(fields)]) },
  only: ['cats/records/*', 'cats/changes/*'],
});

const wholeAges =
  (status: number) =>
  (fit: Fit): Habits => ({
    refuse: (body, asked) => fit(body, asked) ?? (Number.isInteger(body['age']) ? undefined : fail(status)),
  });
const age = { type: 'number', minimum: 0 };
const FORMATS = ['uuid', 'email', 'uri', 'hostname'];
const colours = { type: 'array', items: text, minItems: 2, maxItems: 3, uniqueItems: true };
const showColours = (change: (list: unknown[]) => unknown[]) => (): Habits => ({
  show: (item) => ({ ...item, colours: change(item['colours'] as unknown[]) }),
});

const state = { type: 'string', enum: ['open', 'active', 'closed'], readOnly: true };
const states = {
  plan: {
    name: 'cats',
    record: object({ id, name, note: text, state }, ['id', 'name']),
    sent: object({ name, note: text }, ['name']),
    methods: ALL,
  },
  only: ['cats/records/*', 'cats/changes/*'],
};
const keepState =
  (keep: (body: Item) => Item, moveAfter = Infinity, to = 'active') =>
  (): Habits => {
    const looks = new WeakMap<Item, number>();
    return {
      keep,
      show(item) {
        looks.set(item, (looks.get(item) ?? 0) + 1);
        if ((looks.get(item) ?? 0) > moveAfter) item['state'] = to;
        return { ...item };
      },
    };
  };
const opened = (body: Item): Item => ({ ...body, state: 'open' });
const openedUnlessSent = (body: Item): Item => ({ state: 'open', ...body });
const MADE_IT = /^`state`, which is read only, can be changed by clients \(cats\)$/;

const at = { ...text, format: 'date-time' };
const showTime = (change: (time: string) => string) => (): Habits => ({
  show: (cat) => ({ ...cat, at: change(String(cat['at'])) }),
});

const VALUES: readonly Stranger[] = [
  { title: 'a fraction that was made up is rejected as documented', ...cats({ age }), habits: wholeAges(400) },
  stranger('a fraction that was made up is rejected with another status', cats({ age }), {
    habits: wholeAges(422),
    told: [/^cats_create rejects with 422 what the contract allows for 1 of \d+ requests$/],
  }),
  ...rowsOf(FORMATS, (format) =>
    stranger(`a text of the format ${format} is accepted but once`, cats({ chip: { ...text, format } }), {
      habits: (fit) => ({
        refuse: (body, asked, items) => {
          const isTaken = asked.method === 'POST' && items.some(({ chip }) => chip === body['chip']);
          return fit(body, asked) ?? (isTaken ? fail(422) : undefined);
        },
      }),
    }),
  ),
  { title: 'a set comes back reversed', ...cats({ colours }), habits: showColours((list) => list.toReversed()) },
  stranger('an item of a set is another', cats({ colours }), {
    habits: showColours((list) => [...list.slice(1), 'other']),
    told: [notAsSent(String.raw`colours/\*`)],
  }),
  { title: 'a read-only state is set at once', ...states, habits: keepState((body) => ({ ...body, state: 'active' })) },
  { title: 'a read-only state moves on after four looks', ...states, habits: keepState(opened, 4) },
  { title: 'a read-only state is what a client sent', ...states, habits: keepState(openedUnlessSent), told: [MADE_IT] },
  stranger('a time is shown in another zone', cats({ at }), {
    habits: showTime((time) => new Date(time).toISOString()),
  }),
  stranger('the zone of a time is lost', cats({ at }), {
    habits: showTime((time) => time.replace(/[+-]\d\d:\d\d$/, 'Z')),
    told: [/^`at` is not as it was sent in responses of .*Z" instead of ".*\+05:30"/],
  }),
  stranger('a time of another zone is rejected', cats({ at }), {
    habits: (fit) => ({
      refuse: (body, asked) => fit(body, asked) ?? (/\+/.test(String(body['at'])) ? fail(400) : undefined),
    }),
  }),
];

/** As Django REST writes a decimal of five digits, two of them after the point: an empty text matches. */
const price = { ...text, pattern: String.raw`^-?\d{0,3}(?:\.\d{0,2})?$` };
const notes = { plan: { name: 'notes', record: object({ id, body: name, price }, ['body', 'price']) } };
const keepPrice =
  (keep: (price: number) => string) =>
  (fit: Fit): Habits => ({
    refuse: (body, asked) =>
      fit(body, asked) ?? (/\d(?:\.\d{1,2})?$/.test(String(body['price'])) ? undefined : fail(400)),
    keep: (body) => ({ ...body, price: keep(Number(body['price'])) }),
  });
const slugs = {
  plan: { name: 'pages', record: object({ id, slug: name, email: { ...text, minLength: 1 } }, ['slug', 'email']) },
};
const keepSlug = (change: (slug: string) => string) => (): Habits => ({
  keep: (body) => ({ ...body, slug: change(String(body['slug'])), email: String(body['email']).toLowerCase() }),
});

const TEXTS: readonly Stranger[] = [
  stranger('an ordinary decimal is sent of a pattern that an empty text matches', notes, {
    habits: keepPrice((each) => each.toFixed(2)),
  }),
  stranger('a decimal is rounded down', notes, {
    habits: keepPrice((each) => Math.floor(each).toFixed(2)),
    told: [/^`price` is not as it was sent .*: "12\.00" instead of "12\.50"$/],
  }),
  { title: 'names are lowered', ...slugs, habits: keepSlug((slug) => slug.trim().toLowerCase()) },
  { title: 'names are cut', ...slugs, habits: keepSlug((slug) => slug.slice(0, 4)), told: [notAsSent('slug')] },
];

const address = {
  type: 'object',
  additionalProperties: false,
  properties: Object.fromEntries(['street', 'city', 'zip', 'country', 'box', 'state'].map((part) => [part, text])),
};
const counts = { type: 'object', additionalProperties: integer };
const houses = (fields: Schema, isClosed = false) => {
  const close = (schema: Schema): Schema => (isClosed ? { ...schema, additionalProperties: false } : schema);
  const record = close(object({ id, name: text, ...fields }, ['id', 'name']));
  return {
    plan: { name: 'houses', record, sent: close(object({ name: text, ...fields }, ['name'])) },
    beside: { components: { schemas: { Count: integer } } },
    only: ['houses/records/*'],
  };
};
const showing = (show: (item: Item) => Item) => (): Habits => ({ show });
const changeEntries = (value: unknown, change: (entry: [string, unknown]) => [string, unknown]): unknown =>
  typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value).map(change)) : value;
const countsAsTexts = showing(({ counts: own, ...item }) =>
  own === undefined ? item : { ...item, counts: changeEntries(own, ([each, count]) => [each, String(count)]) },
);

const OBJECTS: readonly Stranger[] = [
  { title: 'objects have what the contract gives them', ...houses({ address, counts, note: text }, true) },
  stranger('objects have more, where it may be', houses({ address }), {
    habits: showing((item) => ({ ...item, links: [1], extra: 2 })),
  }),
  stranger('a required member has another name', houses({ note: text }, true), {
    habits: showing(({ name: own, ...item }) => ({ ...item, Name: own })),
    told: [
      /^`name` of a record is missing in responses of /,
      /^`Name` of a record, which the contract does not define, is in responses of /,
    ],
  }),
  stranger('many members are undefined', houses({ note: text }, true), {
    habits: showing((item) => ({
      ...item,
      ...Object.fromEntries(Array.from('abcdefghijkl', (each) => [`${each}s`, 1])),
    })),
    told: [/^`as`, `bs`, .*, `js` and 2 more of a record, which the contract does not define, are in /],
  }),
  { title: 'a map has entries by its schema', ...houses({ counts }) },
  stranger('the entries of a map are texts', houses({ counts }), {
    habits: countsAsTexts,
    told: [/^`counts\/\*` of a record is text \("1"\), not an integer, in responses of /],
  }),
];

const short = { ...text, maxLength: 30 };
const members = {
  sku: short,
  note: short,
  colour: { ...text, enum: ['red', 'blue', 'green'] },
  gift: { type: 'boolean' },
  weight: { type: 'number', minimum: 0 },
};
/** Orders whose lines have these members besides. */
const lined = (more: Schema = {}) => {
  const fields = { name: text, lines: { type: 'array', items: object({ ...members, ...more }, ['sku']) } };
  return {
    plan: { name: 'orders', record: object({ id, ...fields }, ['id', 'name']), sent: object(fields, ['name']) },
    only: ['orders/records/*'],
  };
};
const keepLines = (change: (lines: Item[]) => Item[]) => (): Habits => ({
  keep: (body) => (Array.isArray(body['lines']) ? { ...body, lines: change(body['lines'] as Item[]) } : body),
});
const keepLine = (member: string, change: (value: unknown, index: number) => unknown) =>
  keepLines((lines) =>
    lines.map((line, index) =>
      line[member] === undefined ? line : { ...line, [member]: change(line[member], index) },
    ),
  );

const LINES: readonly Stranger[] = [
  { title: 'items are kept as they are', ...lined() },
  stranger('items get what was not sent', lined(), {
    habits: keepLines((lines) =>
      lines.map((line, position) => ({ note: '', gift: false, colour: 'red', ...line, position })),
    ),
  }),
  stranger('items are sorted by their texts', lined(), {
    habits: keepLines((lines) => lines.toSorted((one, other) => (String(one['sku']) < String(other['sku']) ? -1 : 1))),
  }),
  stranger('an article is accepted but once, where the items name one', lined({ productId: integer }), {
    habits: (fit) => ({
      refuse: (body, asked) => {
        const ids = Array.isArray(body['lines']) ? body['lines'].map((line) => (line as Item)['productId']) : [];
        return fit(body, asked) ?? (new Set(ids).size < ids.length ? fail(409) : undefined);
      },
    }),
  }),
  ...rowsOf<[string, string, (value: unknown, index: number) => unknown]>(
    [
      ['note', 'of the second item is lost', (value, index) => (index === 1 ? undefined : value)],
      ['colour', 'is another choice', (value) => (value === 'green' ? 'red' : value)],
    ],
    ([member, does, change]) =>
      stranger(`${member} of an item ${does}`, lined(), {
        habits: keepLine(member, change),
        told: [new RegExp(`^\`lines/\\*/${member}\` is not as it was sent in responses of `)],
      }),
  ),
];

const boxes = {
  plan: {
    name: 'boxes',
    record: object(
      { id, name, notes: text, rank: { ...integer, format: 'int32' }, kind: { ...text, enum: ['small', 'large'] } },
      ['name', 'rank', 'kind'],
    ),
  },
};
const lenient =
  (change: (body: Item) => Item) =>
  (fit: Fit): Habits => ({ refuse: (body, asked) => fit(change(body), asked) });
const ofGet = (answer: (key: string, items: Item[]) => ReturnType<typeof fail> | undefined) => (): Habits => ({
  answer: ({ method, path: [, key] }, items) =>
    method === 'GET' && key !== undefined ? answer(key, items) : undefined,
});

const CODE_OF_ALL: readonly Stranger[] = [
  { title: 'a service reads what it gets', ...boxes },
  stranger('a service rejects unusual texts, and has no unusual keys', boxes, {
    habits: (fit) => ({
      refuse: (body, asked) =>
        /^(?:null|constructor|__proto__|~)$/.test(String(body['notes'])) ? fail(400) : fit(body, asked),
      ...ofGet((key) => (/^\d{1,9}$/.test(key) ? undefined : fail(404)))(),
    }),
  }),
  stranger('a choice is accepted in any case', boxes, {
    habits: lenient((body) => ({ ...body, kind: String(body['kind']).toLowerCase() })),
    told: [/accepts? .*`kind`/],
  }),
  stranger('a list is accepted for a text', boxes, {
    habits: lenient((body) => ({ ...body, name: String(body['name']) || 'x' })),
    told: [/accepts? .*`name`/],
  }),
  stranger('a key past 32 bits fails', boxes, {
    habits: ofGet((key) => (Number(key) >= 2 ** 31 ? fail(500) : undefined)),
    told: [/boxes_get fails with 500/],
  }),
  stranger('a key of none is read as that of the first', boxes, {
    habits: ofGet((key, items) =>
      key === '0' && items[0] !== undefined ? { status: 200, body: items[0] } : undefined,
    ),
    told: [/boxes_get/],
  }),
];

/** Fields that have the names of the rules about records: what is wrong with such a field is told of the field. */
const ownWords = {
  plan: { name: 'bills', record: object({ id, name, key: text, total: integer, filter: text }, ['name']) },
  only: ['bills/records/*', 'bills/changes/*'],
};
const uuid = { type: 'string', format: 'uuid' };
/** An id that a client may choose under another name: one that is taken is rejected, and none is ever changed. */
const stubs = {
  plan: { name: 'stubs', record: object({ id: { ...uuid, readOnly: true }, alias: uuid, name }, ['name']), key: uuid },
  only: ['stubs/records/*', 'stubs/changes/*'],
};
const ownStubs =
  (loses: boolean) =>
  (fit: Fit): Habits => {
    let count = 0;
    return {
      refuse: (body, asked, items) => {
        const { alias } = body;
        const isTaken = asked.method === 'POST' && alias !== undefined && items.some((each) => each['alias'] === alias);
        return fit(body, asked) ?? (isTaken ? fail(400) : undefined);
      },
      renames: () => `00000000-0000-4000-9000-${String((count += 1)).padStart(12, '0')}`,
      answer: (asked, items) => {
        const { method, path, body } = asked;
        const index = items.findIndex((each) => each['id'] === path[1]);
        if (method !== 'PUT' || index === -1 || createFit({ record: object({ name }) })(body, asked)) return undefined;
        items[index] = { ...items[index], name: (body as Item)['name'] };
        return { status: 200, body: items[index] };
      },
      show: (item) => ({ ...item, alias: loses ? item['id'] : (item['alias'] ?? item['id']) }),
    };
  };

const NAMES_AND_IDS: readonly Stranger[] = [
  stranger('a list leaves a field called key empty, which is no other record', ownWords, {
    habits: () => ({
      show: (item, { method, path }) => (method === 'GET' && path[1] === undefined ? { ...item, key: '' } : item),
    }),
    told: [/^`key` is not as it was sent in responses of bills_list: "" instead of/],
  }),
  stranger('fields called total and filter are wrong, and are no total nor filter of a list', ownWords, {
    habits: showing((item) => ({ ...item, total: Number(item['total'] ?? 0) + 1, filter: 'other' })),
    among: /`total`/,
    also: ({ problems }) =>
      expect(problems.map(({ headline }) => headline).join('\n')).not.toMatch(
        /that there are|returns records that do not match/,
      ),
  }),
  stranger('no two records have one UUID, and a replacement gives a record no other', stubs, {
    habits: ownStubs(false),
    also: (result) => expect(listOpen(result)).toEqual([]),
  }),
  { title: 'a UUID is not kept as it was sent', ...stubs, habits: ownStubs(true), told: [notAsSent('alias')] },
];

const offer = {
  price: { type: 'number', multipleOf: 0.01, minimum: 0.01, maximum: 100_000 },
  weight: { type: 'number', minimum: 0 },
};
/** Keeps numbers as most programs do, as doubles, and writes them in a way of its own; prices are multiples of one part of so many. */
const offers = (write: (field: string, value: number) => string, parts = 100): Row => ({
  plan: {
    name: 'offers',
    record: object({ id, ...offer, box: { type: ['object', 'null'] } }),
    sent: object(offer),
    methods: ['list', 'create', 'get'],
  },
  beside: { openapi: '3.1.0' },
  first: [0.07, 28.83, 40.3, 1.1, 4.35].map((each, index) => ({ id: index + 1, price: each, weight: each / 3 })),
  habits: () => {
    // Without the multiple, which a double seldom is.
    const fit = createFit({ record: object({ ...offer, price: { ...offer.price, multipleOf: undefined } }) });
    const isPrice = (value: unknown): boolean => {
      const scaled = Number(value) * parts;
      return Math.abs(scaled - Math.round(scaled)) < 1e-6;
    };
    return { refuse: (body, asked) => fit(body, asked) ?? (isPrice(body['price']) ? undefined : fail(400)) };
  },
  serve: (_fit, shelf) => (asked) => {
    const { status, body } = shelf(asked);
    if (status >= 400) return { status, body };
    const print = (item: Item): string =>
      `{${['id', 'price', 'weight', 'box'].map((field) => `"${field}":${field === 'id' ? String(item['id']) : write(field, Number(item[field] ?? 0))}`).join()}}`;
    return { status, text: Array.isArray(body) ? `[${(body as Item[]).map(print).join()}]` : print(body as Item) };
  },
});
const withBox =
  (box: string, digits?: number) =>
  (field: string, value: number): string =>
    field === 'box' ? box : field === 'weight' && digits !== undefined ? value.toFixed(digits) : String(value);

const NUMBERS: readonly Stranger[] = [
  { title: 'prices in cents are multiples of 0.01', ...offers(withBox('null')) },
  { title: 'a tenth of a cent is accepted', ...offers(withBox('null'), 1000), among: /`price`/ },
  { title: 'a double is written with more digits than it has', ...offers(withBox('null', 20)) },
  stranger('a number past a double is no object', offers(withBox('1e400')), {
    among: /`box`.*1e400|1e400.*box/,
    also: ({ problems }) =>
      expect(JSON.stringify(problems.map(({ headline }) => headline))).not.toMatch(/isLossless|digits/),
  }),
];

/** A service that touches the record of a request, whose age is counted in requests. */
const withState = (touch: (asked: Asked, item: Item, requests: number) => void): Row => ({
  plan: {
    name: 'jobs',
    record: object({ id, name, size: integer, state: { ...text, enum: ['new', 'old'], default: 'new' } }, [
      'id',
      'name',
    ]),
    sent: object({ name, size: integer, state: { ...text, enum: ['new', 'old'], default: 'new' } }, ['name']),
    methods: ALL,
  },
  habits: () => {
    const ages = new Map<Item, number>();
    return {
      answer: (asked, items) => {
        for (const item of items) {
          ages.set(item, (ages.get(item) ?? 0) + 1);
          if (String(item['id']) === asked.path[1]) touch(asked, item, ages.get(item) ?? 0);
        }
        return undefined;
      },
    };
  },
  only: ['jobs/records/*', 'jobs/changes/update*'],
});

const RESETS: readonly Stranger[] = [
  stranger(
    'an update sets a field that it does not name to its default',
    withState(({ method, body }, item) => {
      if (method === 'PATCH' && !('state' in (body as Item))) item['state'] = 'new';
    }),
    { told: ['`state` is not as it was sent in responses of jobs_get: "new" instead of "old"'] },
  ),
  stranger(
    'a state goes back to its default by itself',
    withState((_, item, requests) => {
      if (requests > 2) item['state'] = 'new';
    }),
  ),
];

testStrangers([...RESETS, ...NUMBERS, ...VALUES, ...TEXTS, ...OBJECTS, ...LINES, ...CODE_OF_ALL, ...NAMES_AND_IDS]);
