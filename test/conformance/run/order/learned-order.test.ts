import { expect, test } from 'vitest';
import { putInOrder, readLearnedOrder } from '../../../../src/conformance/run/order/learned-order.js';
import { planRun } from '../../../../src/conformance/product/plan-run.js';
import type { Scenario } from '../../../../src/conformance/model/scenario.js';
import { listPredecessors } from '../../../../src/conformance/language/select-scenarios.js';
import { hashIds } from '../../../../scripts/learn-order/hash-ids.mjs';
import { mutantList } from '../../../mutation/mutants/index.js';

const { scenarios } = planRun({});
const learned = readLearnedOrder();
const make = (id: string): Scenario => ({ id }) as Scenario;

// After a change of scenarios or mutants: npm run learn-order (CONTRIBUTING.md, The order of a run).
test('the order was learned from the scenarios and the mutants that there are', () => {
  expect(learned.learnedFrom).toEqual({
    scenarios: hashIds(scenarios.map(({ id }) => id)),
    mutants: hashIds(mutantList.map(({ id }) => id)),
  });
  expect(learned.order.map(([id]) => id).toSorted()).toEqual(scenarios.map(({ id }) => id).toSorted());
});

test('nothing has its place before what it comes after', () => {
  const places = new Map(learned.order.map(([id], place) => [id, place]));
  const early = [...listPredecessors(scenarios)].filter(([id, before]) =>
    before.some((each) => (places.get(each) ?? 0) > (places.get(id) ?? 0)),
  );
  expect(early.map(([id]) => id)).toEqual([]);
});

test("a team's own scenarios come after those that find something, and before those that observe", () => {
  const order = {
    order: [['b', 1] as [string, number], ['a', 1] as [string, number], ['gap', 1] as [string, number]],
    finding: 2,
  };
  const sorted = putInOrder([make('gap'), make('own'), make('a'), make('b')], { ...learned, ...order });
  expect(sorted.map(({ id }) => id)).toEqual(['b', 'a', 'own', 'gap']);
});
