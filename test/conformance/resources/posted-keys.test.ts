// Records that a POST on their own path creates, of nothing but the key in it: `POST /tags/{name}`.
import { expect, test } from 'vitest';
import { content, inPath } from '../../support/open-paths.js';
import { object, text } from './support/odd-resource.js';
import { describePaths, fail, judgeStranger, listTold, type Answer, type Asked } from './support/stranger.js';

const TAG = content(object({ name: text }));
const NOTHING = { description: 'Nothing.' };
const PATHS = {
  '/tags': { get: { responses: { 200: content({ type: 'array', items: object({ name: text }) }) } } },
  '/tags/{name}': {
    parameters: [inPath('name', 'string')],
    get: { responses: { 200: TAG, 404: NOTHING } },
    post: { summary: 'Create a tag', responses: { 201: NOTHING, 409: NOTHING } },
    delete: { responses: { 204: NOTHING, 404: NOTHING } },
  },
};

function serveTags({ keeps = true } = {}): {
  serve: (asked: Asked) => Answer;
  overwritten: string[];
  tags: Set<string>;
} {
  const tags = new Set(['red']);
  const overwritten: string[] = [];
  const serve = ({ method, path: [collection, name] }: Asked): Answer => {
    if (collection !== 'tags') return fail(404);
    if (name === undefined)
      return method === 'GET' ? { status: 200, body: [...tags].map((each) => ({ name: each })) } : fail(405);
    if (method === 'POST' && tags.has(name)) overwritten.push(name);
    if (method === 'POST') return tags.has(name) ? fail(409) : (keeps && tags.add(name), { status: 201 });
    if (!tags.has(name)) return fail(404);
    if (method === 'GET') return { status: 200, body: { name } };
    return method === 'DELETE' ? (tags.delete(name), { status: 204 }) : fail(405);
  };
  return { serve, overwritten, tags };
}

test('they are created at free keys, read and removed', async () => {
  const { serve, overwritten, tags } = serveTags();
  const result = await judgeStranger(describePaths(PATHS), serve);
  expect(listTold(result)).toEqual([]);
  expect(result.summary.inconclusive).toBe(0);
  const passed = result.scenarios.filter(({ verdict }) => verdict === 'passed').map(({ id }) => id);
  expect(passed).toEqual(expect.arrayContaining(['tags/records/create', 'tags/records/get', 'tags/changes/remove']));
  expect([overwritten, [...tags]]).toEqual([[], ['red']]);
});

test('one that is not there afterwards is reported', async () => {
  const { serve } = serveTags({ keeps: false });
  const told = listTold(await judgeStranger(describePaths(PATHS), serve, ['tags/records/*']));
  expect(told).toContainEqual(expect.stringMatching(/404|missing/));
});
