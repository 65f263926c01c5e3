import { expect, test } from 'vitest';
import { content, inPath, inQuery, openPaths } from '../../../support/open-paths.js';
import { ask } from '../../../support/test-world.js';

const text = { type: 'string' };
const integer = { type: 'integer' };
const owner = { type: 'object', properties: { id: text, login: text } };

interface Asked {
  parameter: string;
  schema: Record<string, unknown>;
  /** Of the key. */
  type?: 'integer' | 'string';
  isRequired?: boolean;
}

function list({ parameter, schema, type = 'integer', isRequired = true }: Asked, query: string): unknown[] {
  const artist = { type: 'object', required: ['id', 'name'], properties: { id: { type }, name: text, owner } };
  const found = { type: 'object', required: ['artists'], properties: { artists: { type: 'array', items: artist } } };
  const world = openPaths(
    {
      '/artists': {
        get: {
          parameters: [{ ...inQuery(parameter, schema), required: isRequired }],
          responses: { 200: content(found) },
        },
      },
      '/artists/{id}': { parameters: [inPath('id', type)], get: { responses: { 200: content(artist) } } },
    },
    { others: 5 },
  );
  const { artists } = ask(world, `GET /artists${query}`).value as { artists: { id: unknown }[] };
  return artists.map(({ id }) => id).toReversed();
}

const ALL = [1, 2, 3, 4, 5];
const keys = { type: 'array', items: integer };

test.each([
  [{ parameter: 'ids', schema: keys }, '?ids=1&ids=4', [1, 4]],
  [{ parameter: 'artist_ids', schema: keys }, '?artist_ids=2&artist_ids=3', [2, 3]],
  [{ parameter: 'ids', schema: text }, '?ids=1,4', [1, 4]],
  [
    { parameter: 'ids[]', schema: { type: 'array', items: text }, type: 'string' },
    '?ids%5B%5D=artist-1,artist-2',
    ['artist-1', 'artist-2'],
  ],
  [{ parameter: 'ids', schema: keys }, '?ids=77', []],
  // No word of it says that these are keys of artists.
  [{ parameter: 'labels', schema: keys }, '?labels=1', ALL],
  [{ parameter: 'ids', schema: text, isRequired: false }, '?ids=1,4', ALL],
  [{ parameter: 'ids', schema: { type: 'array', items: { type: 'boolean' } } }, '?ids=true', ALL],
] as [Asked, string, unknown[]][])('%j and %s list %j', (asked, query, expected) => {
  expect(list(asked, query)).toEqual(expected);
});

test.each(['owner', 'Owner'])('a text %s is no filter of an object, so that it empties no list', (parameter) => {
  expect(list({ parameter, schema: text }, `?${parameter}=ida`)).toEqual(ALL);
});

test('the key of an object is still one', () =>
  expect(list({ parameter: 'owner_id', schema: text }, '?owner_id=nobody')).toEqual([]));
