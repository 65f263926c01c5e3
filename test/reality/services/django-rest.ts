// As Django REST framework with its router, and a document by drf-spectacular: pages by number and 404 past the last, decimals
// as texts, `Token` before the key, 403 for what only an administrator may do.
import { isItem, keepTables, ownRecords } from '../support/kit.js';
import type { Answer, Asked, Item, Kept, Program, Table } from '../support/kit.js';
import { words } from '../../support/words.js';

const DAY = '2026-02-03T04:05:06.000000Z';
const CONDITIONS = ['new', 'used'];

export const djangoRest: Program = {
  name: 'django-rest',
  base: '/api',
  apiKey: 'Token drf-token',
  habits: words`
    open-patch only-admins page second-filter-page-crashes last-page-past-the-end pages-overlap count-of-all
    empty-note-crashes note-lost each-12th-fetch-404 put-keeps
  `,
  start: (has) => {
    const categories = ownRecords(3, (id) => ({ id, name: `Category ${id}` }));
    const products = ownRecords(37, ownProduct);
    return keepTables(has, { categories, products }, answer);
  },
};

function ownProduct(id: number): Item {
  const category = id % 4 === 0 ? null : { id: 1, name: 'Category 1' };
  const shown = { id, name: `Product ${id}`, price: `${id}.50`, category, condition: CONDITIONS[id % 2] };
  return { ...shown, in_stock: id % 3 === 0, note: '', created: DAY };
}

type Django = Kept<'categories' | 'products'>;

const CHALLENGE = { 'WWW-Authenticate': 'Token' };

const detail = (status: number, text: string): Answer => ({ status, body: { detail: text } });

function answer(service: Django, asked: Asked): Answer {
  const { has, categories, products } = service;
  const { method, path, parts, headers } = asked;
  const [kind, key, more] = parts;
  if (!path.endsWith('/') || more !== undefined) return detail(404, 'Not found.');
  const isOpen = has('open-patch') && method === 'PATCH';
  if (headers.authorization !== 'Token drf-token' && !isOpen)
    return { ...detail(401, 'Authentication credentials were not provided.'), headers: CHALLENGE };
  if (kind === 'categories') {
    if (method === 'GET')
      return key === undefined ? listPage(service, asked, categories) : answerOne(categories.shown.get(key));
    return has('only-admins')
      ? detail(403, 'You do not have permission to perform this action.')
      : answerCategory(service, asked, key);
  }
  if (kind !== 'products') return detail(404, 'Not found.');
  if (['POST', 'PUT', 'PATCH'].includes(method) && !isItem(asked.body)) return detail(400, 'JSON parse error');
  if (key !== undefined) return answerProduct(service, asked, key);
  if (method === 'GET') return listPage(service, asked, products);
  return method === 'POST' ? create(service, asked.body as Item) : detail(405, 'Method not allowed.');
}

const answerOne = (row: Item | undefined): Answer =>
  row === undefined ? detail(404, 'Not found.') : { status: 200, body: row };

function answerCategory({ categories }: Django, { method, body }: Asked, key: string | undefined): Answer {
  if (method === 'DELETE' && key !== undefined)
    return categories.remove(key) ? { status: 204 } : detail(404, 'Not found.');
  if (method !== 'POST' || key !== undefined) return detail(405, 'Method not allowed.');
  const name = isItem(body) ? body['name'] : undefined;
  const isName = typeof name === 'string' && name.trim() !== '' && Array.from(name).length <= 60;
  if (!isName) return { status: 400, body: { name: ['Not a valid string.'] } };
  const id = categories.take();
  return { status: 201, body: categories.put(id, { id, name: name.trim() }) };
}

function listPage({ has }: Django, { path, query, headers }: Asked, table: Table): Answer {
  const size = Math.min(50, Number(/^[1-9]\d*$/.exec(query.get('page_size') ?? '')?.[0] ?? 10));
  const condition = query.get('condition');
  if (condition !== null && !CONDITIONS.includes(condition))
    return { status: 400, body: { condition: ['Select a valid choice.'] } };
  if (condition !== null && query.has('page') && has('second-filter-page-crashes') && query.get('page') !== '1')
    throw new Error('no page');
  const found = [...table.shown.values()].filter((row) => condition === null || row['condition'] === condition);
  const last = Math.max(1, Math.ceil(found.length / size));
  const text = query.get('page') ?? '1';
  const wanted = text === 'last' ? last : /^\d+$/.test(text) ? Number(text) : Number.NaN;
  const page = has('last-page-past-the-end') && wanted > last ? last : wanted;
  if (!(page >= 1 && page <= last)) return detail(404, 'Invalid page.');
  const results = found.slice((page - 1) * size - (has('pages-overlap') && page > 1 ? 1 : 0), (page - 1) * size + size);
  const link = (to: number): string | null => {
    if (to < 1 || to > last) return null;
    const others = new URLSearchParams(query);
    others.set('page', String(to));
    return `http://${headers.host}/api${path}?${others.toString()}`;
  };
  const count = has('count-of-all') ? table.shown.size + 1 : found.length;
  return { status: 200, body: { count, next: link(page + 1), previous: link(page - 1), results } };
}

function readDecimal(value: unknown): string | undefined {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value).trim() : '';
  if (!/^-?(?:\d+(?:\.\d{0,2})?|\.\d{1,2})$/.test(text) || !/^-?\d{0,6}(?:\.|$)/.test(text)) return undefined;
  return Number(text).toFixed(2);
}

function findWrong(given: Item): Record<string, string[]> | undefined {
  const { name, price, category_id: category, condition, in_stock: stock, note } = given;
  const wrong: Record<string, string[]> = {};
  if (name !== undefined && !(typeof name === 'string' && name.trim() !== '' && Array.from(name).length <= 60))
    wrong['name'] = ['This field may not be blank.'];
  if (price !== undefined && readDecimal(price) === undefined) wrong['price'] = ['A valid number is required.'];
  if (category !== undefined && category !== null && !Number.isInteger(category))
    wrong['category_id'] = ['Incorrect type.'];
  if (condition !== undefined && !CONDITIONS.includes(condition as string))
    wrong['condition'] = ['Not a valid choice.'];
  if (stock !== undefined && typeof stock !== 'boolean') wrong['in_stock'] = ['Must be a valid boolean.'];
  if (note !== undefined && typeof note !== 'string') wrong['note'] = ['Not a valid string.'];
  return Object.keys(wrong).length === 0 ? undefined : wrong;
}

function fill({ categories }: Django, given: Item, old: Item): Item | undefined {
  const { name, price, category_id: category, condition, in_stock, note } = given;
  const found = categories.rows.get(String(category));
  if (category !== undefined && category !== null && found === undefined) return undefined;
  const [decimal, known] = [
    price === undefined ? undefined : readDecimal(price),
    category === undefined ? undefined : (found ?? null),
  ];
  const set = Object.entries({ name, price: decimal, category: known, condition, in_stock, note });
  const trimmed = set
    .filter(([, value]) => value !== undefined)
    .map(([field, value]) => [field, typeof value === 'string' ? value.trim() : value]);
  return { ...old, ...Object.fromEntries(trimmed) };
}

const EMPTY = { category: null, condition: 'new', in_stock: true, note: '' };
const noCategory = (): Answer => ({ status: 400, body: { category_id: ['Invalid pk - object does not exist.'] } });

function create(service: Django, given: Item): Answer {
  const { has, products } = service;
  const lacking = ['name', 'price'].filter((name) => given[name] === undefined);
  if (lacking.length > 0)
    return { status: 400, body: Object.fromEntries(lacking.map((name) => [name, ['This field is required.']])) };
  const wrong = findWrong(given);
  if (given['note'] === '' && has('empty-note-crashes')) throw new Error('NOT NULL constraint failed');
  if (wrong !== undefined) return { status: 400, body: wrong };
  const made = fill(service, given, EMPTY);
  if (made === undefined) return noCategory();
  const row = { id: products.take(), ...made, created: new Date().toISOString() };
  return { status: 201, body: products.put(row.id, has('note-lost') ? { ...row, note: '' } : row) };
}

function answerProduct(service: Django, { method, body }: Asked, key: string): Answer {
  const { has, products, isTwelfth } = service;
  const row = (method === 'GET' ? products.shown : products.rows).get(key);
  if (row === undefined) return detail(404, 'Not found.');
  if (method === 'GET' && has('each-12th-fetch-404') && isTwelfth()) return detail(404, 'Not found.');
  if (method === 'GET') return answerOne(row);
  if (method === 'DELETE') products.remove(key);
  if (method === 'DELETE') return { status: 204 };
  if (method !== 'PUT' && method !== 'PATCH') return detail(405, 'Method not allowed.');
  const given = body as Item;
  const lacking = method === 'PUT' ? ['name', 'price'].filter((name) => given[name] === undefined) : [];
  if (lacking.length > 0) return { status: 400, body: { [String(lacking[0])]: ['This field is required.'] } };
  const wrong = findWrong(given);
  if (wrong !== undefined) return { status: 400, body: wrong };
  const made = fill(service, given, method === 'PUT' && !has('put-keeps') ? { ...row, ...EMPTY } : row);
  return made === undefined ? noCategory() : { status: 200, body: products.put(key, made) };
}
