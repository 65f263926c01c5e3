import { expect, test } from 'vitest';
import { runConformance } from '../../../src/conformance/product/run-conformance.js';
import { loadContract } from '../../../src/contract/contract.js';
import { consentFor } from '../../../src/conformance/engine/run.js';
import type { ConformanceOptions } from '../../../src/conformance/model/options.js';
import type { RunResult } from '../../../src/conformance/model/result.js';
import { packageFile } from '../../../src/package-files.js';
import { listLeft } from '../../../src/report/problems.js';
import { SHOP_KEY, startShop } from '../resources/shop-server.js';

interface Visit {
  result: RunResult;
  /** How many orders there are afterwards; seven were there before. */
  orders: number;
}

async function visit(options: Partial<ConformanceOptions>, ...changes: string[]): Promise<Visit> {
  const shop = await startShop(...changes);
  const spec = packageFile('test/conformance/resources/shop.openapi.yaml');
  try {
    const only = ['orders/records/*', 'orders/changes/*'];
    const result = await runConformance({ target: shop.url, apiKey: SHOP_KEY, spec, settleMs: 30, only, ...options });
    const headers = { Authorization: `Bearer ${SHOP_KEY}` };
    const orders = (await (await fetch(`${shop.url}/orders?limit=100`, { headers })).json()) as unknown[];
    return { result, orders: orders.length };
  } finally {
    await shop.close();
  }
}

test('what the run created is gone when it ends', async () => {
  const { result, orders } = await visit({});
  expect([orders, result.summary.deviated, result.leftBehind]).toEqual([7, 0, undefined]);
});

test('it stays when the user keeps it', async () => {
  const { result, orders } = await visit({ keep: true });
  expect(orders).toBeGreaterThan(7);
  const left = result.leftBehind?.find(({ many }) => many === 'orders');
  expect(left).toMatchObject({ many: 'orders', count: orders - 7, why: 'as --keep asks' });
  expect(left?.keys).toHaveLength(orders - 7);
});

test('what the target does not remove is told', async () => {
  const { result, orders } = await visit({}, 'remove-refused');
  expect(orders).toBeGreaterThan(7);
  expect(listLeft(result).filter((line) => line.includes('orders'))).toEqual([
    expect.stringMatching(
      /^leftover: \d+ created orders, since the target did not remove what the run deleted: DELETE http:.*\/orders\//,
    ),
  ]);
});

test('without consent nothing is changed or removed, and what is left is told', async () => {
  const { result } = await visit({ may: ['create'] });
  const skipped = result.scenarios.filter(({ verdict }) => verdict === 'skipped').map(({ reason }) => reason);
  expect(new Set(skipped)).toEqual(
    new Set(['it would update a record (--may update)', 'it would remove a record (--may remove)']),
  );
  expect(listLeft(result).join('\n')).toMatch(
    /leftover: \d+ created orders, since the run may not remove any \(--may create,update,remove/,
  );
});

test('a PUT needs consent to create only where the run itself has found its key to be free, whatever a step is called', () => {
  const contract = loadContract(packageFile('test/conformance/resources/shop.openapi.yaml'));
  const named = { operationId: 'replaceOrder', parameters: { orderId: '$steps.free-order.outputs.key' } };
  expect(consentFor({ ...named, isAtNewKey: false }, contract)).toBe('update');
  expect(consentFor({ ...named, isAtNewKey: true }, contract)).toBe('create');
});

test('a run that is interrupted takes along what it created', async () => {
  const stop = new AbortController();
  let finished = 0;
  const onEvent = ({ type }: { type: string }): void => {
    if (type === 'scenarioFinished' && ++finished === 4) stop.abort('the user');
  };
  const { result, orders } = await visit({ signal: stop.signal, onEvent, concurrency: 1 });
  expect([result.interrupted, orders]).toEqual([true, 7]);
  expect(result.summary.created).toBeGreaterThan(0);
});
