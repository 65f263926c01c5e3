// A plain collection of records, as a document describes it and as a service keeps it. A test changes the habits that it is about.
import { content, inPath } from '../../../support/open-paths.js';
import { object, text, type Schema } from './odd-resource.js';
import { fail, type Answer, type Asked, type Item, type Serve } from './stranger.js';

const ERROR = content(object({ message: text }));

export interface ShelfPlan {
  /** The path of the list, `books`. */
  name: string;
  record: Schema;
  /** Default: the record. */
  sent?: Schema;
  /** Of the key in the path. Default: an integer. */
  key?: Schema;
  /** What the path calls it. Default: `id`. */
  keyName?: string;
  /** The parameters of the list. */
  query?: readonly Schema[];
  /** What each operation documents beyond its success: `{ create: [400, 404] }`. */
  refusals?: Readonly<Partial<Record<Method, readonly number[]>>>;
  /** Which operations there are. Default: all but the update. */
  methods?: readonly Method[];
}

type Method = 'list' | 'create' | 'get' | 'replace' | 'update' | 'remove';

const USUAL: Readonly<Partial<Record<Method, readonly number[]>>> = {
  create: [400],
  get: [404],
  replace: [400, 404],
  update: [400, 404],
  remove: [404],
};

/** The paths of its document. */
export function describeShelf({
  name,
  record,
  sent = record,
  key,
  query = [],
  refusals = {},
  methods,
  keyName = 'id',
}: ShelfPlan): Schema {
  const wanted = methods ?? ['list', 'create', 'get', 'replace', 'remove'];
  const answers = (method: Method, success: Schema): Schema => ({
    ...success,
    ...Object.fromEntries([...(refusals[method] ?? USUAL[method] ?? [])].map((status) => [status, ERROR])),
  });
  const operation = (method: Method, rest: Schema): Schema =>
    wanted.includes(method) ? { operationId: `${name}_${method}`, ...rest } : {};
  const body = { requestBody: { required: true, ...content(sent) } };
  const one = content(record);
  const part = { requestBody: { required: true, ...content({ ...sent, required: undefined }) } };
  const both = (all: Record<string, Schema>): Schema =>
    Object.fromEntries(Object.entries(all).filter(([, each]) => Object.keys(each).length > 0));
  return {
    [`/${name}`]: both({
      get: operation('list', {
        parameters: query,
        responses: answers('list', { 200: content({ type: 'array', items: record }) }),
      }),
      post: operation('create', { ...body, responses: answers('create', { 201: one }) }),
    }),
    [`/${name}/{${keyName}}`]: {
      parameters: [key === undefined ? inPath(keyName) : { ...inPath(keyName), schema: key }],
      ...both({
        get: operation('get', { responses: answers('get', { 200: one }) }),
        put: operation('replace', { ...body, responses: answers('replace', { 200: one }) }),
        patch: operation('update', { ...part, responses: answers('update', { 200: one }) }),
        delete: operation('remove', { responses: answers('remove', { 204: { description: 'Gone.' } }) }),
      }),
    },
  };
}

export interface Habits {
  /** Before all else; `undefined` leaves it to the shelf. */
  answer?: (asked: Asked, items: Item[]) => Answer | undefined;
  /** What is wrong with a body. */
  refuse?: (body: Item, asked: Asked, items: Item[]) => Answer | undefined;
  /** What is kept of a body. */
  keep?: (body: Item) => Item;
  show?: (item: Item, asked: Asked) => Item;
  list?: (items: Item[], asked: Asked) => Answer;
  keyProperty?: string;
  /** The key that a record has by what a client says of it, also after a replacement. */
  renames?: (item: Item) => string;
  /** The key of a new record. Default: one after the last that was given. */
  nextKey?: (items: readonly Item[]) => number;
}

/** Serves it; the first records are the service's own. */
export function serveShelf(name: string, habits: Habits = {}, first: readonly Item[] = []): Serve {
  const items: Item[] = first.map((item) => ({ ...item }));
  const keyProperty = habits.keyProperty ?? 'id';
  let next = 100;
  const { keep = (body) => body, show = (item) => item } = habits;
  const done = (status: number, item: Item, asked: Asked): Answer => ({ status, body: show(item, asked) });
  return (asked) => {
    const { method, path, body } = asked;
    if (path[0] !== name) return fail(404);
    const special = habits.answer?.(asked, items);
    if (special !== undefined) return special;
    const sends = method === 'POST' || method === 'PUT' || method === 'PATCH';
    if (sends && (typeof body !== 'object' || body === null || Array.isArray(body))) return fail(400, 'No object');
    const wrong = sends ? habits.refuse?.(body as Item, asked, items) : undefined;
    if (path[1] === undefined) {
      if (method === 'GET')
        return habits.list?.(items, asked) ?? { status: 200, body: items.map((each) => show(each, asked)) };
      if (method !== 'POST') return fail(405);
      if (wrong !== undefined) return wrong;
      const named = habits.renames?.(body as Item);
      if (named !== undefined && items.some(({ id }) => id === named)) return fail(409, 'There is one already');
      const item = {
        ...keep(body as Item),
        ...(keyProperty === 'id' ? { id: named ?? habits.nextKey?.(items) ?? (next += 1) } : {}),
      };
      items.push(item);
      return done(201, item, asked);
    }
    const index = items.findIndex((each) => String(each[keyProperty]) === path[1]);
    const found = items[index];
    if (found === undefined) return fail(404);
    if (method === 'GET') return done(200, found, asked);
    if (method === 'DELETE') {
      items.splice(index, 1);
      return { status: 204 };
    }
    if (wrong !== undefined) return wrong;
    const own = { [keyProperty]: habits.renames?.(body as Item) ?? found[keyProperty] };
    const changed = method === 'PUT' ? { ...keep(body as Item), ...own } : { ...found, ...keep(body as Item), ...own };
    items[index] = changed;
    return done(200, changed, asked);
  };
}
