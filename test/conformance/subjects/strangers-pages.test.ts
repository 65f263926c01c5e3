import { expect, test } from 'vitest';
import { content, inQuery } from '../../support/open-paths.js';
import { integer, object, text, type Schema } from './support/odd-resource.js';
import { describeShelf, serveShelf } from './support/shelf.js';
import {
  describePaths,
  fail,
  judgeStranger,
  listTold,
  type Answer,
  type Asked,
  type Item,
} from './support/stranger.js';

const record = object({ id: { ...integer, readOnly: true }, title: { ...text, minLength: 1 } }, ['title']);
const plain = describeShelf({ name: 'books', record, query: [inQuery('page', integer)] });

/** As Django REST describes a list. */
function inEnvelope(): Schema {
  const paths = structuredClone(plain) as Record<string, Record<string, Schema>>;
  const link = { type: 'string', nullable: true };
  const all = object({ count: integer, next: link, previous: link, results: { type: 'array', items: record } });
  Object.assign(paths['/books']?.['get'] ?? {}, { responses: { 200: content(all) } });
  return paths;
}

const SIZE = 3;
const AT_FIRST = [1, 2, 3, 4].map((id) => ({ id, title: `Old ${id}` }));

/** Invalid pages are 404, which no such document states; `last` is where the service stops. */
async function judgePages(isEnveloped: boolean, last = Number.POSITIVE_INFINITY): Promise<string[]> {
  const list = (items: Item[], { query }: Asked): Answer => {
    const page = Number(query.get('page') ?? 1);
    const isThere = page === 1 || (page - 1) * SIZE < items.length;
    if (!Number.isInteger(page) || page < 1 || !isThere || page > last) return fail(404, 'Invalid page.');
    const results = items.slice((page - 1) * SIZE, page * SIZE);
    const next = page * SIZE < items.length ? `/books?page=${page + 1}` : null;
    return { status: 200, body: isEnveloped ? { count: items.length, next, previous: null, results } : results };
  };
  const refuse = ({ title }: Item): Answer | undefined =>
    typeof title === 'string' && title !== '' ? undefined : fail(400);
  const serve = serveShelf('books', { refuse, list }, AT_FIRST);
  return listTold(await judgeStranger(describePaths(isEnveloped ? inEnvelope() : plain), serve));
}

test('a page past the last that is answered with 404 is no lost record', async () => {
  expect(await judgePages(false)).toEqual([]);
  expect(await judgePages(true)).toEqual([]);
});

test('a page that is refused although there are more records is told', async () => {
  expect(await judgePages(false, 1)).not.toEqual([]);
  expect(await judgePages(true, 1)).not.toEqual([]);
});
