// A shop of its own, which shares nothing with the mock: customers, their notes and orders in memory, behind bare node:http.
// Every mutant changes one thing of it, every variant one that the contract leaves to the service.
import { randomUUID } from 'node:crypto';
import { arrange, countSeeds, isTurnedAway, noteNew, finish, writeAsOther, type Shop } from './shop-habits.js';
import { judgeCustomer, judgeNote, judgeOrder } from './shop-rules.js';
import { serveJson, type Answer, type Asked, type Item, type Served } from '../../support/network/serve-json.js';

export const SHOP_KEY = 'shop-key';

interface Kind {
  items: Item[];
  /** The wrong things about an item, or about a change of one. */
  judge(item: Item, isChange: boolean): string | undefined;
}

/** Starts a shop with some of its habits changed. */
export function startShop(...changes: string[]): Promise<Served> {
  const shop = createShop(new Set(changes));
  return serveJson((asked) => {
    shop.count += 1;
    writeAsOther(shop);
    return finish(shop, asked, isTurnedAway(shop) ? problem(429, 'Later') : answer(shop, asked));
  }, '/api');
}

function createShop(changes: ReadonlySet<string>): Shop {
  const customers = Array.from({ length: countSeeds(changes, 300, 5) }, (_, index) => ({
    id: randomUUID(),
    createdAt: new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString(),
    name: `Customer ${index}`,
    tier: ['basic', 'gold', 'platinum'][index % 3],
  }));
  const orders = Array.from({ length: countSeeds(changes, 700, 7) }, (_, index) => ({
    id: index + 1,
    customerId: customers[index % 5]?.id,
    quantity: (index % 9) + 1,
    state: ['open', 'paid', 'sent'][index % 3],
  }));
  return {
    has: (name) => changes.has(name),
    customers,
    orders,
    notes: new Map(),
    next: changes.has('huge-keys') ? 2 ** 40 : 1_000_000,
    count: 0,
  };
}

function problem(status: number, title: string): Answer {
  return { status, body: { title, status } };
}

function answer(shop: Shop, asked: Asked): Answer {
  const { method, parts } = asked;
  const { authorization } = asked.headers;
  const name = `${parts[0] ?? ''}${parts.length > 2 ? `-${parts[2] ?? ''}` : ''}`;
  const kind = findKind(shop, parts);
  if (kind === undefined) return problem(404, 'Not found');
  const isOpen = shop.has(`no-key-for-${method}-${name}`) || shop.has('no-keys');
  const isRight =
    authorization === `Bearer ${SHOP_KEY}` || (shop.has('any-key') && authorization?.startsWith('Bearer ') === true);
  if (!isRight && !isOpen) return problem(shop.has('key-400') ? 400 : shop.has('key-403') ? 403 : 401, 'No');
  if (!asked.isReadable && !shop.has('malformed-taken'))
    return problem(shop.has('malformed-500') ? 500 : refusal(parts), 'Not JSON');
  const isNested = parts[0] === 'customers' && parts.length > 2;
  const key = isNested ? parts[3] : parts[1];
  if (isNested && !shop.has('orphans') && shop.customers.every(({ id }) => id !== parts[1]))
    return problem(404, 'No customer');
  const at = { shop, asked, kind, name, isNested };
  if (key === undefined) return method === 'GET' ? list(at) : create(at);
  return one(at, key);
}

function refusal(parts: string[]): number {
  return parts[0] === 'customers' && parts.length <= 2 ? 422 : 400;
}

function findKind(shop: Shop, parts: string[]): Kind | undefined {
  if (parts[0] === 'orders') return { items: shop.orders, judge: (item) => judgeOrder(shop, item) };
  if (parts[0] !== 'customers') return undefined;
  if (parts.length <= 2)
    return { items: shop.customers, judge: (item, isChange) => judgeCustomer(shop, item, isChange) };
  if (parts[2] !== 'notes') return undefined;
  const owner = shop.has('notes-shared') ? 'all' : parts[1];
  if (!shop.notes.has(owner)) shop.notes.set(owner, []);
  return { items: shop.notes.get(owner) ?? [], judge: (item) => judgeNote(shop, item) };
}

type At = { shop: Shop; asked: Asked; kind: Kind; name: string; isNested: boolean };

function wrap({ asked: { parts }, isNested, shop }: At, item: Item): unknown {
  const shown = show(shop, item, parts[0] ?? '');
  return parts[0] === 'customers' && !isNested ? { data: shown } : shown;
}

function show(shop: Shop, item: Item, kind: string): Item {
  const shown: Item = { ...item };
  if (shop.has('extra-fields')) shown['internal'] = { score: 1 };
  if (shop.has('null-for-absent') && kind === 'none') shown['comment'] = null;
  if (shop.has('key-as-text') && kind === 'orders') shown['id'] = String(item['id']);
  if (shop.has('lower-case-email') && typeof item['email'] === 'string') shown['email'] = item['email'].toLowerCase();
  if (shop.has('points-as-text') && item['points'] !== undefined) shown['points'] = JSON.stringify(item['points']);
  if (shop.has('name-cut') && typeof item['name'] === 'string') shown['name'] = item['name'].slice(0, 4);
  if (shop.has('address-flat') && kind === 'orders' && item['address'] !== undefined)
    shown['address'] = { street: 'x', city: 'y' };
  if (shop.has('flag-lost')) delete shown['newsletter'];
  if (shop.has('created-missing')) delete shown['createdAt'];
  return shown;
}

function list(at: At): Answer {
  const { shop, asked, kind, isNested } = at;
  const { parts, query } = asked;
  const isCustomers = parts[0] === 'customers' && !isNested;
  const maximum = isCustomers ? 50 : 100;
  const limit = Number(query.get('limit') ?? (shop.has('small-default') ? 3 : 20));
  const isBad = !Number.isInteger(limit) || limit < 1 || limit > maximum;
  if (isBad && !isNested && !shop.has(limit > maximum ? 'large-limit-taken' : 'small-limit-taken'))
    return problem(400, 'Bad limit');
  const offset = Number(query.get('offset') ?? 0);
  if (!isNested && !(Number.isInteger(offset) && offset >= 0)) return problem(400, 'Bad offset');
  const field = isCustomers ? 'tier' : 'state';
  const wanted = query.get(field);
  const known = isCustomers ? ['basic', 'gold', 'platinum'] : ['open', 'paid', 'sent'];
  if (!isNested && wanted !== null && !known.includes(wanted)) return problem(400, `Bad ${field}`);
  let items = arrange(shop, kind.items, { isFiltered: !isNested && query.has(field) });
  if (shop.has('list-misses-newest')) items.splice(shop.has('oldest-first') ? -1 : 0, 1);
  const fits = (item: Item): boolean => (shop.has('filter-without-case') ? true : item[field] === wanted);
  if (wanted !== null && !shop.has(`filter-ignored-${field}`)) items = items.filter(fits);
  if (wanted === 'paid' && shop.has('filter-drops-paid')) items = [];
  if (wanted === 'gold' && shop.has('filter-leaks-gold'))
    items.push(...kind.items.filter((item) => item['tier'] === 'basic').slice(0, 1));
  if (isNested) return { status: 200, body: items.map((item) => show(shop, item, 'notes')) };
  const from = Number((isCustomers ? query.get('cursor') : query.get('offset')) ?? 0);
  const start =
    shop.has('offset-ignored') && !isCustomers
      ? 0
      : Math.max(0, from - (shop.has('pages-overlap') && from > 0 ? 1 : 0));
  const size = shop.has('limit-ignored')
    ? 1000
    : shop.has('short-pages')
      ? Math.min(limit, 4)
      : limit + (shop.has('limit-plus-one') ? 1 : 0);
  const skip = shop.has('pages-skip') && from > 0 ? 1 : 0;
  const page = items.slice(start + skip, start + skip + size);
  const listed = page.map((item) => show(shop, item, parts[0] ?? ''));
  if (shop.has('list-shows-old-values')) for (const item of listed) if (item['quantity'] === 2) item['quantity'] = 1;
  if (!isCustomers) return { status: 200, body: shop.has('list-in-envelope') ? { data: listed } : listed };
  const end = start + skip + page.length;
  const next =
    end < items.length || shop.has('cursor-never-ends') ? String(shop.has('cursor-stuck') ? start : end) : null;
  return { status: 200, body: { data: listed, nextCursor: shop.has('cursor-ends-early') ? null : next } };
}

function create(at: At): Answer {
  const { shop, asked, kind, isNested } = at;
  const { parts, body } = asked;
  const item = (typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {}) as Item;
  const wrong = asked.isReadable ? kind.judge(item, false) : undefined;
  if (wrong !== undefined) return problem(refusal(parts), wrong);
  const made: Item = { ...keepGiven(item), ...assign(shop, parts[0] === 'customers' && !isNested) };
  if (shop.has('create-forgets-optional')) for (const name of ['comment', 'points', 'email']) delete made[name];
  noteNew(made);
  if (!shop.has('create-keeps-nothing')) kind.items.push(made);
  if (shop.has('create-twice')) kind.items.push({ ...made });
  if (shop.has('create-changes-others'))
    for (const other of kind.items) if ('tier' in other) other['name'] = item['name'];
  const status = shop.has('create-200') ? 200 : 201;
  const shown = shop.has('create-echoes-wrong') ? { ...made, quantity: 99, name: 'Nobody' } : made;
  return { status, body: wrap(at, shown) };
}

/** What only the shop decides is not taken from a client. */
const keepGiven = ({ id: _id, createdAt: _createdAt, ...given }: Item): Item => given;

function assign(shop: Shop, isCustomer: boolean): Item {
  if (isCustomer)
    return {
      id: shop.has('key-twice') ? '11111111-1111-4111-8111-111111111111' : randomUUID(),
      createdAt: new Date().toISOString(),
    };
  return { id: shop.has('key-twice') ? 500 : (shop.next += 1) };
}

function one(at: At, key: string): Answer {
  const { shop, asked, kind } = at;
  const { method, parts } = asked;
  const isLoose = shop.has('get-first-for-unknown') && method === 'GET';
  const index = kind.items.findIndex(({ id }) => String(id) === key);
  const item = kind.items[isLoose && index === -1 ? 0 : index];
  if (item === undefined)
    return problem(shop.has('unknown-200') ? 500 : shop.has('unknown-400') ? 400 : 404, 'No such thing');
  if (method === 'GET') return get(at, item);
  if (method === 'DELETE') return remove(at, item);
  const body = (typeof asked.body === 'object' && asked.body !== null ? asked.body : {}) as Item;
  const isChange = method === 'PATCH';
  const wrong = shop.has(`${method}-unchecked`) ? undefined : kind.judge(body, isChange);
  if (wrong !== undefined) return problem(refusal(parts), wrong);
  return isChange ? update(at, item, keepGiven(body)) : replace(at, item, keepGiven(body));
}

function get(at: At, item: Item): Answer {
  const { shop, kind } = at;
  if (shop.has('get-another')) return { status: 200, body: wrap(at, kind.items[0] ?? item) };
  return { status: 200, body: wrap(at, item) };
}

function remove({ shop, kind }: At, item: Item): Answer {
  const index = kind.items.indexOf(item);
  if (shop.has('remove-refused')) return problem(409, 'Not now');
  if (shop.has('remove-keeps')) return { status: 204 };
  if (shop.has('remove-another')) kind.items.splice(Math.max(0, index - 1), 1);
  else if (shop.has('remove-all')) kind.items.length = 0;
  else kind.items.splice(index, 1);
  return shop.has('remove-200') ? { status: 200, body: {} } : { status: 204 };
}

function update(at: At, item: Item, body: Item): Answer {
  const { shop, kind } = at;
  if (shop.has('update-keeps-old')) return { status: 200, body: wrap(at, { ...item, ...body }) };
  if (shop.has('update-drops-rest'))
    for (const name of Object.keys(item)) if (!['id', 'createdAt', 'name', 'tier'].includes(name)) delete item[name];
  for (const [name, value] of Object.entries(body)) if (!shop.has(`update-skips-${name}`)) item[name] = value;
  if (shop.has('update-all')) for (const other of kind.items) Object.assign(other, body);
  return { status: 200, body: wrap(at, shop.has('update-answers-old') ? { ...item, name: 'Old' } : item) };
}

function replace(at: At, item: Item, body: Item): Answer {
  const { shop, kind } = at;
  if (shop.has('replace-keeps-old')) return { status: 200, body: wrap(at, { ...body, id: item['id'] }) };
  if (shop.has('replace-new-key')) item['id'] = shop.next += 1;
  if (!shop.has('replace-merges')) for (const name of Object.keys(item)) if (name !== 'id') delete item[name];
  Object.assign(item, body, { id: item['id'] });
  if (shop.has('replace-skips-quantity')) item['quantity'] = 1;
  if (shop.has('replace-others')) for (const other of kind.items) other['quantity'] = item['quantity'];
  return { status: 200, body: wrap(at, item) };
}
