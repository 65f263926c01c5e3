// As Directus: everything stands in `data`, a key that the client sends is taken and moves the sequence, and what one may not
// see is not told apart from what is not there: both are 403.
import { createTable, isItem, keepTables, ownRecords, readWhole } from '../support/kit.js';
import type { Answer, Asked, Item, Kept, Program } from '../support/kit.js';
import { words } from '../../support/words.js';

const STATUSES = ['draft', 'published', 'archived'];
const FIELDS = new Set('id title status body rating featured preview_secret date_created'.split(' '));
const DAY = '2026-02-03T04:05:06.000Z';

export const directus: Program = {
  name: 'directus',
  base: '',
  apiKey: 'directus-token',
  habits: words`
    open-delete public-role bad-rating-crashes unknown-status-matches-none filter-leaks sort-crashes total-of-page
    each-12th-fetch-403 loses-featured leaks-secret
  `,
  start: (has) => {
    const articles = ownRecords(23, ownArticle);
    const settings = createTable({ one: { project_name: 'Magazine', default_language: 'en', public_note: null } });
    return keepTables(has, { articles, settings }, answer);
  },
};

function ownArticle(id: number): Item {
  const shown = { id, title: `Article ${id}`, status: STATUSES[id % 3], body: id % 4 === 0 ? null : 'Text' };
  return { ...shown, rating: id % 6, featured: id % 2 === 0, preview_secret: 'own', date_created: DAY };
}

type Directus = Kept<'articles' | 'settings'>;

function refuse(status: number, code: string): Answer {
  return { status, body: { errors: [{ message: code.toLowerCase(), extensions: { code } }] } };
}

const forbid = (): Answer => refuse(403, 'FORBIDDEN');

const show = ({ preview_secret: _secret, ...row }: Item): Item => row;

function answer(service: Directus, asked: Asked): Answer {
  const { has, settings } = service;
  const { method, parts, headers, body } = asked;
  const [kind, collection, key, more] = parts;
  const isOpen = has('open-delete') && method === 'DELETE';
  // A public role that may see nothing is what a request without a token has.
  if (headers.authorization === undefined && !isOpen)
    return has('public-role') ? forbid() : refuse(401, 'INVALID_CREDENTIALS');
  if (headers.authorization !== 'Bearer directus-token' && !isOpen) return refuse(401, 'INVALID_CREDENTIALS');
  if ((method === 'POST' || method === 'PATCH') && !isItem(body)) return refuse(400, 'INVALID_PAYLOAD');
  if (kind === 'settings') {
    if (method === 'PATCH') settings.put('one', { ...settings.rows.get('one'), ...(body as Item) });
    return { status: 200, body: { data: settings.rows.get('one') } };
  }
  if (kind !== 'items') return refuse(404, 'ROUTE_NOT_FOUND');
  if (collection !== 'articles' || more !== undefined) return forbid();
  if (key !== undefined) return answerArticle(service, asked, key);
  return method === 'POST' ? createArticle(service, body as Item) : listArticles(service, asked);
}

function findWrong(given: Item): string | undefined {
  const { id, title, status, body = null, rating = null, featured, preview_secret: secret = null } = given;
  if (id !== undefined && !Number.isSafeInteger(id)) return 'id';
  if (title !== undefined && (typeof title !== 'string' || Array.from(title).length > 255)) return 'title';
  if (status !== undefined && !STATUSES.includes(status as string)) return 'status';
  if (body !== null && typeof body !== 'string') return 'body';
  if (rating !== null && !(Number.isInteger(rating) && Number(rating) >= 0 && Number(rating) <= 5)) return 'rating';
  if (featured !== undefined && typeof featured !== 'boolean') return 'featured';
  return secret === null || typeof secret === 'string' ? undefined : 'preview_secret';
}

function createArticle({ has, articles }: Directus, given: Item): Answer {
  const wrong = given['title'] === undefined ? 'title' : findWrong(given);
  if (wrong === 'rating' && has('bad-rating-crashes')) throw new Error('integer out of range');
  if (wrong !== undefined) return refuse(400, 'FAILED_VALIDATION');
  if (Object.keys(given).some((name) => !FIELDS.has(name))) return forbid();
  const { id: wanted, date_created: _date, ...rest } = given;
  if (wanted !== undefined && articles.rows.has(`${Number(wanted)}`)) return refuse(400, 'RECORD_NOT_UNIQUE');
  const id = wanted === undefined ? articles.take() : Number(wanted);
  if (wanted !== undefined) articles.raise(id);
  const empty = { status: 'draft', body: null, rating: null, featured: false, preview_secret: null };
  const made = { id, ...empty, ...rest, date_created: new Date().toISOString() };
  articles.put(id, made);
  return { status: 200, body: { data: show(made) } };
}

function listArticles({ has, articles }: Directus, { method, query }: Asked): Answer {
  if (method !== 'GET') return refuse(404, 'ROUTE_NOT_FOUND');
  const read = (name: string, otherwise: number): number => readWhole(query, name) ?? otherwise;
  const [limit, page, offset] = [read('limit', 100), read('page', 1), read('offset', 0)];
  if (Number.isNaN(limit + page + offset) || limit < -1 || page < 1 || offset < 0) return refuse(400, 'INVALID_QUERY');
  const [status, sort] = [query.get('status'), query.get('sort')];
  if (status !== null && !STATUSES.includes(status))
    return has('unknown-status-matches-none')
      ? { status: 200, body: { data: [], meta: { filter_count: 0 } } }
      : refuse(400, 'INVALID_QUERY');
  const all = [...articles.shown.values()].filter(
    (row) => status === null || row['status'] === status || (has('filter-leaks') && row['status'] === 'archived'),
  );
  const field = sort?.replace('-', '') ?? 'id';
  if (!FIELDS.has(field)) return forbid();
  if (sort === '-title' && has('sort-crashes')) throw new Error('no such column');
  const sign = sort?.startsWith('-') ? -1 : 1;
  const ordered = all.toSorted((one, other) => sign * ((one[field] as number) < (other[field] as number) ? -1 : 1));
  const from = limit === -1 ? 0 : offset + (page - 1) * limit;
  const rows = limit === -1 ? ordered : ordered.slice(from, from + limit);
  const count = has('total-of-page') ? rows.length : all.length;
  return { status: 200, body: { data: rows.map(show), meta: { filter_count: count } } };
}

function answerArticle({ has, articles, isTwelfth }: Directus, { method, body }: Asked, key: string): Answer {
  const row = (method === 'GET' ? articles.shown : articles.rows).get(key);
  if (row === undefined) return forbid();
  if (method === 'GET' && has('each-12th-fetch-403') && isTwelfth()) return forbid();
  if (method === 'GET') return { status: 200, body: { data: show(row) } };
  if (method === 'DELETE') articles.remove(key);
  if (method === 'DELETE') return { status: 204 };
  if (method !== 'PATCH') return refuse(404, 'ROUTE_NOT_FOUND');
  const { id: _id, date_created: _date, ...given } = body as Item;
  if (findWrong(given) !== undefined) return refuse(400, 'FAILED_VALIDATION');
  if (Object.keys(given).some((name) => !FIELDS.has(name))) return forbid();
  const kept = has('loses-featured') ? { featured: false } : {};
  const made = articles.put(key, { ...row, ...kept, ...given });
  return { status: 200, body: { data: has('leaks-secret') ? made : show(made) } };
}
