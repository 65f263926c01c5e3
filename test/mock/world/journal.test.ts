import { expect, test } from 'vitest';
import { createJournal, type JournalEntry, type RecordedExchange } from '../../../src/mock/world/journal.js';

const exchange = (url: string): JournalEntry =>
  ({
    exchange: { url, violations: [] } as unknown as RecordedExchange,
    request: {},
    response: {},
  }) as unknown as JournalEntry;

function fill(size: number, count: number): string[] {
  const journal = createJournal(undefined, size);
  for (let index = 1; index <= count; index++) journal.add(exchange(String(index)));
  return journal.entries().map((entry) => entry.exchange.url);
}

test('exchanges are kept, oldest first', () => expect(fill(3, 2)).toEqual(['1', '2']));

test.each([
  [3, ['1', '2', '3']],
  [4, ['2', '3', '4']],
  [6, ['4', '5', '6']],
  [7, ['5', '6', '7']],
])('of %i exchanges the last three are kept', (count, kept) => expect(fill(3, count)).toEqual(kept));

test('a journal that was cleared starts anew', () => {
  const journal = createJournal(undefined, 2);
  for (const url of ['1', '2', '3']) journal.add(exchange(url));
  journal.clear();
  expect(journal.entries()).toEqual([]);
  for (const url of ['4', '5', '6']) journal.add(exchange(url));
  expect(journal.entries().map((entry) => entry.exchange.url)).toEqual(['5', '6']);
});

test('what is read from the journal is not the journal', () => {
  const journal = createJournal();
  journal.entries().push(exchange('1'));
  expect(journal.entries()).toEqual([]);
});
