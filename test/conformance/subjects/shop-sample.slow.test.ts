import { expect, test } from 'vitest';
import { judgeShop } from './support/judge-service.js';

async function listHeadlines(changes: string[] = [], only: string[] = []): Promise<string[]> {
  const { problems, scenarios } = await judgeShop(changes, only);
  expect(scenarios.length).toBeGreaterThan(only.length === 0 ? 130 : 0);
  return problems.map(({ headline }) => headline);
}

test('a service that keeps the contract has no problem with any of its resources', async () => {
  expect(await listHeadlines()).toEqual([]);
});

test.each([
  ['points-as-text', 'customers/records/*', [/^`points` of a record is text \("\d+"\), not an integer/]],
  [
    'filter-leaks-gold',
    'customers/lists/filter*',
    [/^The filter by `tier` of browseCustomers returns records that do not match$/],
  ],
  [
    'notes-shared',
    'notes/parents/*',
    [/^A record is in a collection to which it does not belong, in responses of (?=.*listNotes)(?=.*readNote)/],
  ],
  ['replace-merges', 'orders/changes/replace*', [/^A replacement without `\w+` does not remove it \(orders\)$/]],
  ['quantity-may-be-fraction', 'orders/refusals/create', [/^placeOrder accepts `quantity`/]],
])('%s is told as what it is', async (change, only, headlines) => {
  const found = await listHeadlines([change], [only]);
  for (const headline of headlines) expect(found).toContainEqual(expect.stringMatching(headline));
});
