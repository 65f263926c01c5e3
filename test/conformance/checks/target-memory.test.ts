import { expect, test } from 'vitest';
import { createMark, createMemory, nextName, rememberFound } from '../../../src/conformance/checks/target-memory.js';

test('a run gives more than ten thousand names before one comes again, all of one length', () => {
  const memory = createMemory(
    createMark(() => 3),
    25 * 26 ** 2,
  );
  const names = Array.from({ length: 17_576 }, () => nextName(memory));
  expect(new Set(names).size).toBe(names.length);
  expect(names.every((name) => /^Cfdd[a-z]{3}$/.test(name))).toBe(true);
});

test('a pet whose creation does not show it should be as it was sent, whatever a list shows', () => {
  const memory = createMemory('Cfaa');
  const listed = { id: 7, name: 'REX', status: 'sold' };
  rememberFound(memory, listed, { name: 'Rex', categoryId: 1, status: 'pending' });
  expect(memory.created).toEqual([{ id: 7, name: 'Rex', categoryId: 1, status: 'pending' }]);
  expect([...memory.statuses.values()]).toEqual([{ status: 'pending' }]);
  // What was not sent, the service chooses.
  expect(rememberFound(memory, { ...listed, id: 8 }, { name: 'Tom', categoryId: 1 })).toHaveProperty('status', 'sold');
});
