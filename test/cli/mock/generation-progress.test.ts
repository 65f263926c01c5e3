import { expect, test } from 'vitest';
import { createProgressTeller } from '../../../src/cli/mock/keep-up.js';

test('a long generation is told once a second, and a short one not at all', () => {
  let ms = 0;
  const told: string[] = [];
  const tell = createProgressTeller(
    (message) => void told.push(message),
    () => ms,
  );
  for (; ms < 2500; ms += 100) tell({ made: ms, total: 2500 });
  expect(told).toEqual([
    'generated 1000 of 2500 pets; press Ctrl-C to stop.',
    'generated 2000 of 2500 pets; press Ctrl-C to stop.',
  ]);
});
