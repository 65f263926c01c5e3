import { expect, test } from 'vitest';
import { object, text } from '../resources/support/odd-resource.js';
import { describeShelf } from '../resources/support/shelf.js';
import { describePaths, fail, judgeStranger, listTold, type Item, type Serve } from '../resources/support/stranger.js';

const RECORD = object({ id: { type: 'integer', readOnly: true }, name: text }, ['id', 'name']);
const DOCUMENT = describePaths(
  describeShelf({ name: 'kites', record: RECORD, sent: object({ name: text }, ['name']) }),
);

/** Gives every key twice: of its own, or where a create has sent one. */
function serve(isTwice: boolean): Serve {
  const items: Item[] = [];
  let next = 0;
  return ({ method, path: [, key], body }) => {
    const index = items.findIndex(({ id }) => String(id) === key);
    if (method === 'GET' && key === undefined) return { status: 200, body: items };
    if (method === 'POST') {
      const sent = body as Item;
      if (typeof sent !== 'object' || typeof sent['name'] !== 'string' || sent['name'] === '') return fail(400);
      next += 1;
      const item = { id: isTwice ? Math.ceil(next / 2) : next, ...(isTwice ? { name: sent['name'] } : sent) };
      items.push(item);
      return { status: 201, body: item };
    }
    if (index === -1) return fail(404);
    if (method === 'DELETE') items.splice(index, 1);
    if (method === 'PUT') items[index] = { ...(body as Item), id: items[index]?.['id'] };
    return method === 'DELETE' ? { status: 204 } : { status: 200, body: items[index] };
  };
}

test('a key that a create of the run has sent, and that the service gives later, says so in one problem', async () => {
  const result = await judgeStranger(DOCUMENT, serve(false), ['kites/*'], { concurrency: 1 });
  const problems = result.problems.filter(({ actual }) => actual.includes('another record was created with'));
  for (const { actual } of problems) expect(actual).toMatch(/: a create of the run had sent `id` in its body$/);
  expect(listTold(result).filter((headline) => headline.startsWith('One key is given to several')).length).toBeLessThan(
    2,
  );
});

test('a key that the service alone gives twice is its own', async () => {
  const result = await judgeStranger(DOCUMENT, serve(true), ['kites/records/*']);
  const problem = result.problems.find(({ actual }) => actual.includes('another record was created with'));
  expect(problem?.actual).not.toContain('had sent');
});
