import { expect, test } from 'vitest';
import { content, inPath, inQuery, openPaths } from '../../../support/open-paths.js';
import { ask } from '../../../support/test-world.js';

const text = { type: 'string' };
const integer = { type: 'integer' };
const article = { type: 'object', required: ['id', 'title'], properties: { id: text, title: text } };

function open(envelope: Record<string, unknown>, parameters: object[], others = 5): ReturnType<typeof openPaths> {
  const properties = { articles: { type: 'array', items: article }, ...envelope };
  const list = { type: 'object', required: Object.keys(properties), properties };
  return openPaths(
    {
      '/articles': { get: { parameters, responses: { 200: content(list) } } },
      '/articles/{id}': { parameters: [inPath('id', 'string')], get: { responses: { 200: content(article) } } },
    },
    { others },
  );
}

const LIMITED = [inQuery('limit', integer), inQuery('offset', integer)];

test('a total has any name that says of what it is', () => {
  const world = open({ articlesCount: integer, errorCount: { type: 'integer', const: 7 } }, LIMITED);
  expect(ask(world, 'GET /articles?limit=2').value).toMatchObject({ articlesCount: 5, errorCount: 7 });
});

test('what counts beside a total counts the page', () => {
  const world = open({ articlesCount: integer, grandTotal: integer }, LIMITED);
  expect(ask(world, 'GET /articles?limit=2').value).toMatchObject({ articlesCount: 2, grandTotal: 5 });
});

test('itemCount is the total, unless totalItems stands beside it', () => {
  expect(ask(open({ itemCount: integer }, LIMITED), 'GET /articles?limit=2').value).toMatchObject({ itemCount: 5 });
  const both = open({ itemCount: integer, totalItems: integer }, LIMITED);
  expect(ask(both, 'GET /articles?limit=2').value).toMatchObject({ itemCount: 2, totalItems: 5 });
});

test('a cursor list says its first and last key, and whether there is more', () => {
  const world = open({ object: { const: 'list' }, first_id: text, last_id: text, has_more: { type: 'boolean' } }, [
    inQuery('after'),
    inQuery('limit', integer),
  ]);
  type Page = { articles: { id: string }[]; first_id: string; last_id: string; has_more: boolean };
  const page = ask(world, 'GET /articles?limit=3').value as Page;
  expect(page).toMatchObject({
    object: 'list',
    first_id: page.articles[0]?.id,
    last_id: page.articles[2]?.id,
    has_more: true,
  });
  const rest = ask(world, `GET /articles?limit=3&after=${page.last_id}`).value as Page;
  expect(rest).toMatchObject({ last_id: rest.articles[1]?.id, has_more: false });
});

test('the first and last key of an empty list are none', () => {
  const world = open({ first_id: { type: ['string', 'null'] }, last_id: text }, LIMITED, 0);
  expect(ask(world, 'GET /articles').value).toEqual({ articles: [], first_id: null, last_id: '' });
});

test('a page says that it is the first or the last, and where the one before it is', () => {
  const truth = { type: 'boolean' };
  const world = open(
    {
      totalElements: integer,
      numberOfElements: integer,
      first: truth,
      last: truth,
      empty: truth,
      previous: { type: ['string', 'null'] },
    },
    [inQuery('page', { ...integer, default: 0 }), inQuery('size', integer)],
  );
  expect(ask(world, 'GET /articles?size=2').value).toMatchObject({
    totalElements: 5,
    numberOfElements: 2,
    first: true,
    last: false,
    empty: false,
    previous: null,
  });
  const last = ask(world, 'GET /articles?size=2&page=2').value as { previous: string };
  expect(last).toMatchObject({ totalElements: 5, numberOfElements: 1, first: false, last: true });
  expect(last.previous).toMatch(/\/articles\?size=2&page=1$/);
});

test('what the contract does not let a count say stays as the contract has it', () => {
  const world = open({ articlesCount: { type: 'integer', enum: [99] } }, LIMITED);
  expect(ask(world, 'GET /articles').value).toMatchObject({ articlesCount: 99 });
});
