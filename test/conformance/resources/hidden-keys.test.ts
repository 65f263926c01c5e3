// Records that do not show their key: a list has them by their keys, and a create responds with the key alone.
import { expect, test } from 'vitest';
import { content, inPath } from '../../support/open-paths.js';
import { object, runAgainstMock, text } from './support/odd-resource.js';
import {
  describePaths,
  fail,
  judgeStranger,
  listTold,
  type Answer,
  type Asked,
  type Item,
} from './support/stranger.js';

const POINT = object({ name: text, depth: { type: 'integer', minimum: 0 } }, ['name']);
const KEY = { type: 'string', format: 'uuid' };
const NOTHING = { description: 'Nothing.' };
const PATHS = {
  '/points': {
    get: { responses: { 200: content({ type: 'object', additionalProperties: POINT }) } },
    post: { requestBody: content(POINT), responses: { 201: content(object({ state: text, id: KEY })), 400: NOTHING } },
  },
  '/points/{id}': {
    parameters: [{ ...inPath('id'), schema: { type: 'string' } }],
    get: { responses: { 200: content(POINT), 404: NOTHING } },
    put: {
      summary: 'Add / update a point',
      requestBody: content(POINT),
      responses: { 200: content(object({ id: KEY })), 400: NOTHING },
    },
    delete: { responses: { 204: NOTHING, 404: NOTHING } },
  },
};

const isPoint = (body: unknown): body is Item =>
  typeof body === 'object' &&
  body !== null &&
  typeof (body as Item)['name'] === 'string' &&
  ((body as Item)['depth'] === undefined ||
    (Number.isInteger((body as Item)['depth']) && Number((body as Item)['depth']) >= 0));

function servePoints(keep: (body: Item) => Item): (asked: Asked) => Answer {
  const points = new Map<string, Item>();
  return ({ method, path: [collection, id], body }) => {
    if (collection !== 'points') return fail(404);
    if ((method === 'POST' || method === 'PUT') && !isPoint(body)) return fail(400);
    const key = method === 'POST' ? crypto.randomUUID() : id;
    if (method === 'POST' || method === 'PUT') points.set(String(key), keep(body as Item));
    if (method === 'POST') return { status: 201, body: { state: 'done', id: key } };
    if (key === undefined) return method === 'GET' ? { status: 200, body: Object.fromEntries(points) } : fail(405);
    if (method === 'PUT') return { status: 200, body: { id: key } };
    const found = points.get(key);
    if (found === undefined) return fail(404);
    if (method === 'DELETE') return points.delete(key) ? { status: 204 } : fail(404);
    return method === 'GET' ? { status: 200, body: found } : fail(405);
  };
}

const ONLY = ['points/records/*', 'points/changes/*'];

test.each([
  ['that keeps them', (body: Item) => body, []],
  ['that loses a field', ({ depth: _depth, ...body }: Item) => body, [expect.stringMatching(/depth/)]],
])('they are tested at a service %s', async (_, keep, told) => {
  const result = await judgeStranger(describePaths(PATHS), servePoints(keep), ONLY);
  expect(listTold(result)).toEqual(told);
  expect(result.summary.created).toBeGreaterThan(0);
});

test('the mock of such a contract is accused of nothing', async () => {
  const { headlines, tested } = await runAgainstMock([PATHS], ONLY);
  expect(headlines).toEqual([]);
  expect(tested).toEqual(expect.arrayContaining(['points/records/get', 'points/changes/replace']));
});
