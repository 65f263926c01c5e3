import { expect, test } from 'vitest';
import { inQuery, keep, openPaths } from '../../../support/open-paths.js';
import { listOf, NUMBER, object, TEXT, YES } from '../../../support/schemas.js';
import { ask } from '../../../support/test-world.js';

const article = object({ id: TEXT, title: TEXT }, ['id', 'title']);

function open(envelope: Record<string, object>, parameters: object[], others = 5): ReturnType<typeof openPaths> {
  const list = object({ articles: listOf(article), ...envelope }, ['articles', ...Object.keys(envelope)]);
  const { '/articles': all, ...one } = keep('/articles/{id}', article, 'list get', { key: 'string', list });
  return openPaths({ '/articles': { ...all, parameters }, ...one }, { others });
}

const LIMITED = [inQuery('limit', NUMBER), inQuery('offset', NUMBER)];

test.each([
  ['a total has any name that says of what it is', { articlesCount: 5, errorCount: 7 }],
  ['what counts beside a total counts the page', { articlesCount: 2, grandTotal: 5 }],
  ['itemCount is the total', { itemCount: 5 }],
  ['itemCount counts the page where totalItems stands beside it', { itemCount: 2, totalItems: 5 }],
])('%s', (_, counts) => {
  const schemas = Object.keys(counts).map((name) => [name, name === 'errorCount' ? { ...NUMBER, const: 7 } : NUMBER]);
  const world = open(Object.fromEntries(schemas) as Record<string, object>, LIMITED);
  expect(ask(world, 'GET /articles?limit=2').value).toMatchObject(counts);
});

test('a cursor list says its first and last key, and whether there is more', () => {
  const facts = { object: { const: 'list' }, first_id: TEXT, last_id: TEXT, has_more: YES };
  const world = open(facts, [inQuery('after'), inQuery('limit', NUMBER)]);
  type Page = { articles: { id: string }[]; first_id: string; last_id: string; has_more: boolean };
  const page = ask(world, 'GET /articles?limit=3').value as Page;
  const ends = { first_id: page.articles[0]?.id, last_id: page.articles[2]?.id };
  expect(page).toMatchObject({ object: 'list', ...ends, has_more: true });
  const rest = ask(world, `GET /articles?limit=3&after=${page.last_id}`).value as Page;
  expect(rest).toMatchObject({ last_id: rest.articles[1]?.id, has_more: false });
});

test('the first and last key of an empty list are none', () => {
  const world = open({ first_id: { type: ['string', 'null'] }, last_id: TEXT }, LIMITED, 0);
  expect(ask(world, 'GET /articles').value).toEqual({ articles: [], first_id: null, last_id: '' });
});

test('a page says that it is the first or the last, and where the one before it is', () => {
  const counts = { totalElements: NUMBER, numberOfElements: NUMBER };
  const facts = { ...counts, first: YES, last: YES, empty: YES, previous: { type: ['string', 'null'] } };
  const world = open(facts, [inQuery('page', { ...NUMBER, default: 0 }), inQuery('size', NUMBER)]);
  const page = { totalElements: 5, numberOfElements: 2, first: true, last: false, empty: false, previous: null };
  expect(ask(world, 'GET /articles?size=2').value).toMatchObject(page);
  const last = ask(world, 'GET /articles?size=2&page=2').value as { previous: string };
  expect(last).toMatchObject({ totalElements: 5, numberOfElements: 1, first: false, last: true });
  expect(last.previous).toMatch(/\/articles\?size=2&page=1$/);
});

test('what the contract does not let a count say stays as the contract has it', () => {
  const world = open({ articlesCount: { type: 'integer', enum: [99] } }, LIMITED);
  expect(ask(world, 'GET /articles').value).toMatchObject({ articlesCount: 99 });
});

test('what an envelope must have beside its records is there, however deep they stand', () => {
  const data = object({ articles: listOf(article), revision: NUMBER }, ['articles', 'revision']);
  const paths = keep('/articles/{id}', article, 'list get', { key: 'string', list: object({ data }, ['data']) });
  const { value } = ask(openPaths(paths, { others: 2 }), 'GET /articles');
  const two = [expect.any(Object), expect.any(Object)];
  expect(value).toEqual({ data: { articles: two, revision: expect.any(Number) as number } });
});

test('a key that is a text in a record and an integer in a path is made of digits', () => {
  const world = openPaths(keep('/articles/{id}', article), { others: 2 });
  expect(ask(world, 'GET /articles').value).toMatchObject([{ id: '2' }, { id: '1' }]);
  expect(ask(world, 'GET /articles/2').value).toMatchObject({ id: '2' });
});
