import { expect, test } from 'vitest';
import { makeLike } from '../../../../src/contract/samples/sample-scalars.js';
import { uniqueLike } from '../../../../src/conformance/resources/fit-record.js';
import { object, text } from '../support/odd-resource.js';
import type { ShelfPlan } from '../support/shelf.js';
import { fail, listTold } from '../support/stranger.js';
import { id, runStranger } from '../support/strangers.js';
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

test.each<[string, ShelfPlan, string, number]>([
  [
    "a client's own key of a pattern is another one for each record",
    {
      name: 'orders',
      record: object({ code: { type: 'string', ...schemas.order }, note: { ...text, example: 'n' } }, ['code']),
      key: { type: 'string', ...schemas.order },
      keyName: 'code',
      refusals: { create: [400, 409] },
    },
    'code',
    409,
  ],
  [
    'what a service keeps but once is sent but once, whatever it is called',
    { name: 'orders', record: object({ id, motto: text }, ['motto']), refusals: { create: [400] } },
    'motto',
    400,
  ],
])('%s', async (_, plan, unique, status) => {
  const result = await runStranger({
    plan,
    habits: (fit) => ({
      keyProperty: plan.keyName ?? 'id',
      refuse: (body, asked, items) => {
        const isTaken = asked.method === 'POST' && items.some((each) => each[unique] === body[unique]);
        return fit(body, asked) ?? (isTaken ? fail(status) : undefined);
      },
    }),
    only: ['orders/records/*', 'orders/changes/*', 'orders/sequences/*'],
  });
  expect(listTold(result)).toEqual([]);
  expect(result.summary.inconclusive).toBe(0);
  expect(result.summary.passed).toBeGreaterThan(8);
});
