import { expect, test } from 'vitest';
import { makeLike } from '../../../../src/contract/samples/sample-scalars.js';
import { uniqueLike } from '../../../../src/conformance/resources/unique-texts.js';
import { integer, object, text } from '../support/odd-resource.js';
import { describeShelf, serveShelf } from '../support/shelf.js';
import { describePaths, fail, judgeStranger, listTold } from '../support/stranger.js';
import { parseContract } from '../../../support/parse-contract.js';

const schemas = {
  zone: { pattern: '^[a-z0-9]+\\.example\\.$' },
  any: { pattern: '^\\S+$' },
  order: { pattern: '^[A-Z]{2}-\\d{4}$' },
  few: { pattern: '^[AB]$' },
  free: {},
};
const contract = parseContract({ paths: {}, components: { schemas } });

test.each([
  ['zone', /^\{\$unique\}\w*\.example\.$/],
  ['any', /^\$unique$/],
  ['order', /^\$uniqueLike#\/components\/schemas\/order$/],
])('texts of the pattern of a %s differ', (name, template) => {
  expect(uniqueLike([`/components/schemas/${name}`], contract)).toMatch(template);
});

test.each(['few', 'free'])('there are none where a pattern allows few texts, or there is none: %s', (name) => {
  expect(uniqueLike([`/components/schemas/${name}`], contract)).toBeUndefined();
});

test('ten thousand numbers draw as many texts', () => {
  const drawn = Array.from({ length: 10_000 }, (_, index) => makeLike(schemas.order, 10_000_000 + index));
  expect(new Set(drawn).size).toBeGreaterThan(9_950);
  expect(drawn.every((each) => /^[A-Z]{2}-\d{4}$/.test(each ?? ''))).toBe(true);
});

const ONLY = ['orders/records/*', 'orders/changes/*', 'orders/sequences/*'];

test("a client's own key of a pattern is another one for each record", async () => {
  const code = { type: 'string', ...schemas.order };
  const record = object({ code, note: { ...text, example: 'n' } }, ['code']);
  const paths = describeShelf({ name: 'orders', record, key: code, keyName: 'code', refusals: { create: [400, 409] } });
  const serve = serveShelf('orders', {
    keyProperty: 'code',
    refuse: (body, { method }, items) =>
      method === 'POST' && items.some((each) => each['code'] === body['code']) ? fail(409) : undefined,
  });
  const result = await judgeStranger(describePaths(paths), serve, ONLY);
  expect(listTold(result)).toEqual([]);
  expect(result.summary.inconclusive).toBe(0);
  expect(result.summary.passed).toBeGreaterThan(8);
});

test('what a service keeps but once is sent but once, whatever it is called', async () => {
  const record = object({ id: { ...integer, readOnly: true }, motto: text }, ['motto']);
  const paths = describeShelf({ name: 'orders', record, refusals: { create: [400] } });
  const serve = serveShelf('orders', {
    refuse: (body, { method }, items) => {
      if (typeof body['motto'] !== 'string') return fail(400);
      return method === 'POST' && items.some((each) => each['motto'] === body['motto']) ? fail(400) : undefined;
    },
  });
  const result = await judgeStranger(describePaths(paths), serve, ONLY);
  expect(listTold(result)).toEqual([]);
  expect(result.summary.inconclusive).toBe(0);
});
