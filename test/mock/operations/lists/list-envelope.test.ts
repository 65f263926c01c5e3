import { expect, test } from 'vitest';
import { createPetstoreFetch } from '../../../../src/index.js';
import { makeFile } from '../../../support/folder.js';
import { inQuery, keep } from '../../../support/open-paths.js';
import { listOf, NUMBER, object, TEXT, type Schema } from '../../../support/schemas.js';

type Ask = (path: string) => Promise<{ status: number; page: Schema; text: string }>;

/** Asks for pages of boats, of which there are so many. */
function serve(
  list: Schema,
  query: Record<string, Schema>,
  { count = 5, key = NUMBER, more = {} }: { count?: number; key?: Schema; more?: object } = {},
): Ask {
  const type = key['type'] as 'integer';
  const boat = object({ id: { ...key, readOnly: true }, name: TEXT }, ['name']);
  const { '/boats': all, ...one } = keep('/boats/{id}', boat, 'list create get', {
    key: type,
    list,
    also: { 400: NO },
  });
  const parameters = Object.entries(query).map(([name, schema]) => inQuery(name, schema));
  const head = { openapi: '3.1.0', info: { title: 'Boats', version: '1' } };
  const document = { ...head, ...more, paths: { '/boats': { ...all, parameters }, ...one } };
  const spec = makeFile('boats.json', JSON.stringify(document));
  const mock = createPetstoreFetch({ spec, prism: false, count, apiKey: 'a-secret' });
  return async (path) => {
    const response = await mock.fetch(path);
    const text = await response.text();
    return { status: response.status, page: JSON.parse(text) as Schema, text };
  };
}

const NO = { description: 'No.' };
const boats = listOf(object({ id: NUMBER, name: TEXT }));
const PAGED = { page: NUMBER, per_page: NUMBER };
const pagination = (perPage: Schema): Schema => {
  const previous = { type: ['number', 'null'], example: 2 };
  const region = { ...TEXT, example: 'north' };
  const all = { page: NUMBER, per_page: perPage, previous_page: previous, total_entries: NUMBER, region };
  return object(all, Object.keys(all));
};
const around = (perPage: Schema): Schema =>
  object({ boats, meta: object({ pagination: pagination(perPage) }, ['pagination']) }, ['boats']);

test('an object around what is known of a page has what it must have beside it, and null for what nobody knows', async () => {
  const { page } = await serve(around(NUMBER), PAGED)('/boats?per_page=2');
  expect(page['boats']).toHaveLength(2);
  const told = { page: 1, per_page: 2, previous_page: null, total_entries: 5, region: 'north' };
  expect(page['meta']).toEqual({ pagination: told });
});

test('a page is no larger than its envelope can state, although the parameter allows more', async () => {
  const ask = serve(around({ ...NUMBER, maximum: 3 }), PAGED);
  const { page } = await ask('/boats?per_page=300&page=1');
  expect(page['boats']).toHaveLength(3);
  expect(page['meta']).toMatchObject({ pagination: { per_page: 3, total_entries: 5 } });
  expect((await ask('/boats?per_page=300&page=2')).page['boats']).toHaveLength(2);
});

const COUNTED = object({ boats, pages: { ...NUMBER, minimum: 1 }, next: TEXT }, ['boats', 'pages']);
const key = { type: 'apiKey', in: 'query', name: 'client_id' };
const more = { security: [{ key: [] }], components: { securitySchemes: { key } } };

test('the address of the next page has no credentials in it', async () => {
  const { page } = await serve(COUNTED, PAGED, { more })('/boats?per_page=2&client_id=a-secret');
  expect(page['next']).toMatch(/\/boats\?per_page=2&page=2$/);
});

test('an empty list has as many pages as the contract allows at least', async () => {
  const { page } = await serve(COUNTED, PAGED, { more, count: 0 })('/boats?per_page=2&client_id=a-secret');
  expect(page).toEqual({ boats: [], pages: 1 });
});

type Page = { boats: { id: string }[]; nextToken?: string };

const UUID = { ...TEXT, format: 'uuid' };
function serveCursors(pattern: string, id: Schema = UUID): Ask {
  const token = { ...TEXT, pattern };
  const list = object({ boats: listOf(object({ id, name: TEXT })), nextToken: token }, ['boats']);
  return serve(list, { nextToken: token, limit: NUMBER }, { key: id });
}

test.each<[string, string, RegExp, Schema?]>([
  ['any text', '.', /^[0-9a-f]{8}-/],
  ['base64 alone', '^[A-Za-z0-9+/=]+$', /^\w{48}$/],
  ['base64 without padding', '^[A-Z][A-Za-z0-9_]+$', /^\w\w$/, NUMBER],
  ['a mark somewhere', 'page:', /page:[0-9a-f]{8}-/],
])('a contract whose cursors are %s has its pages one after the other', async (_, pattern, form, id) => {
  const ask = serveCursors(pattern, id);
  const idsOf = ({ boats: page }: Page): string[] => page.map((boat) => boat.id);
  let page = (await ask('/boats?limit=2')).page as Page;
  const seen = idsOf(page);
  for (let count = 1; page.nextToken !== undefined && count < 5; count += 1) {
    expect(page.nextToken).toMatch(form);
    page = (await ask(`/boats?limit=2&nextToken=${encodeURIComponent(page.nextToken)}`)).page as Page;
    seen.push(...idsOf(page));
  }
  expect(seen).toEqual(idsOf((await ask('/boats')).page as Page));
  expect(seen).toHaveLength(5);
});

test('a cursor that nobody gave is refused by its name', async () => {
  const { status, text } = await serveCursors('^[A-Za-z0-9+/=]+$')('/boats?nextToken=abcd');
  expect([status, text]).toEqual([400, expect.stringContaining('query/nextToken is not a cursor of this list')]);
});
