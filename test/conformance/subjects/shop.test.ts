import { expect, test } from 'vitest';
import { runConformance } from '../../../src/conformance/product/run-conformance.js';
import { packageFile } from '../../../src/package-files.js';
import { SHOP_KEY, startShop } from './shop-server.js';

async function listHeadlines(changes: string[] = [], only: string[] = []): Promise<string[]> {
  const shop = await startShop(...changes);
  const spec = packageFile('test/conformance/subjects/shop.openapi.yaml');
  try {
    const { problems, scenarios } = await runConformance({
      target: shop.url,
      apiKey: SHOP_KEY,
      spec,
      only,
      settleMs: 30,
    });
    expect(scenarios.length).toBeGreaterThan(only.length === 0 ? 130 : 0);
    return problems.map(({ headline }) => headline);
  } finally {
    await shop.close();
  }
}

test('a service that keeps the contract has no problem with any of its resources', async () => {
  expect(await listHeadlines()).toEqual([]);
});

test.each([
  ['points-as-text', 'customers/records/*', [/^`points` of a record is text \("\d+"\), not an integer/]],
  [
    'filter-leaks-gold',
    'customers/lists/filter*',
    [/^The filter by `tier` of browseCustomers lets other records through$/],
  ],
  [
    'notes-shared',
    'notes/parents/*',
    [/^A record is found where it does not belong, in the answers of (?=.*listNotes)(?=.*readNote)/],
  ],
  [
    'replace-merges',
    'orders/changes/replace*',
    [/^A replacement leaves `\w+`, which it does not name, as it was \(orders\)$/],
  ],
  ['quantity-may-be-fraction', 'orders/refusals/create', [/^placeOrder accepts `quantity`/]],
])('%s is told as what it is', async (change, only, headlines) => {
  const found = await listHeadlines([change], [only]);
  for (const headline of headlines) expect(found).toContainEqual(expect.stringMatching(headline));
});
