// Whether a change replaces a record or merges with it, the contract says by its words, its schema or its method; else it is open.
import { describe, expect, test } from 'vitest';
import { content } from '../../support/open-paths.js';
import { object, text, type Schema } from './support/odd-resource.js';
import { describeShelf } from './support/shelf.js';
import { describePaths, fail, judgeStranger, listTold, type Item, type Serve } from './support/stranger.js';

const FIELDS = { name: text, label: text };
const RECORD = object({ id: { type: 'integer', readOnly: true }, ...FIELDS }, ['id', 'name']);

interface Change {
  method: 'PUT' | 'PATCH' | 'POST';
  merges: boolean;
  /** Whether every field may be left out. */
  isPartial?: boolean;
  summary?: string;
}

function describeKites({ method, isPartial = false, summary }: Change): object {
  const paths = describeShelf({ name: 'kites', record: RECORD, sent: object(FIELDS, ['name']) });
  const { put, ...item } = paths['/kites/{id}'] as Record<string, Schema>;
  const change = {
    ...put,
    operationId: 'kites_put',
    ...(summary === undefined ? {} : { summary }),
    requestBody: { required: true, ...content(object(FIELDS, isPartial ? [] : ['name'])) },
  };
  return describePaths({ ...paths, '/kites/{id}': { ...item, [method.toLowerCase()]: change } });
}

function serve({ method, merges, isPartial = false }: Change): Serve {
  const items: Item[] = [];
  let next = 0;
  const isWrong = (body: Item, mayLack: boolean): boolean =>
    typeof body !== 'object' ||
    body === null ||
    Array.isArray(body) ||
    (['name', 'label'] as const).some((field) => {
      const value = body[field];
      return value === undefined ? field === 'name' && !mayLack : typeof value !== 'string' || value === '';
    });
  return ({ method: asked, path: [, key], body }) => {
    const index = items.findIndex(({ id }) => String(id) === key);
    if (key === undefined && asked === 'GET') return { status: 200, body: items };
    if (key === undefined) {
      if (isWrong(body as Item, false)) return fail(400);
      const item = { ...(body as Item), id: (next += 1) };
      items.push(item);
      return { status: 201, body: item };
    }
    if (index === -1) return fail(404);
    if (asked === 'GET') return { status: 200, body: items[index] };
    if (asked === 'DELETE') items.splice(index, 1);
    if (asked === 'DELETE') return { status: 204 };
    if (asked !== method) return fail(405);
    if (isWrong(body as Item, isPartial)) return fail(400);
    items[index] = { ...(merges ? items[index] : {}), ...(body as Item), id: items[index]?.['id'] };
    return { status: 200, body: items[index] };
  };
}

const judge = async (change: Change): Promise<string[]> =>
  listTold(await judgeStranger(describeKites(change), serve(change), ['kites/*']));

describe('is open', () => {
  test.each<[string, Change]>([
    ['a PUT that is called an update and merges', { method: 'PUT', merges: true, summary: 'Updates a kite.' }],
    ['a PUT that need not have what a create must and merges', { method: 'PUT', merges: true, isPartial: true }],
    ['a POST that replaces', { method: 'POST', merges: false }],
    ['a POST that merges', { method: 'POST', merges: true }],
    ['a PATCH that is said to replace and does', { method: 'PATCH', merges: false, summary: 'Replaces a kite.' }],
  ])('%s', async (_, change) => expect(await judge(change)).toEqual([]));
});

describe('is told', () => {
  test('a PUT that is said to replace and merges', async () => {
    const told = await judge({ method: 'PUT', merges: true, summary: 'Replaces a kite.' });
    expect(told).toEqual([expect.stringMatching(/^A replacement without `label` does not remove it/)]);
  });

  test('a PATCH that replaces', async () => {
    const told = await judge({ method: 'PATCH', merges: false });
    expect(told).toEqual([expect.stringMatching(/`label` is not as it was sent/)]);
  });
});
