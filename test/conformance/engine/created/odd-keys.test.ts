import { expect, test } from 'vitest';
import { listLeft, visit } from './pinboard.js';

const KEYS = ['$x', '$steps.a.b', '{$unique}', '$', '$$y', '$case.id', 'a{$run.created}b'];

test('keys that look like templates are sent as they are, and what was created is removed', async () => {
  const key = { type: 'string' };
  const nextKey = (count: number): string => `${KEYS[count % KEYS.length] ?? ''}${count}`;
  const { result, board } = await visit({ key, nextKey });
  expect(result.problems.map(({ headline }) => headline)).toEqual([]);
  expect(result.summary.created).toBeGreaterThan(KEYS.length);
  expect(listLeft(board)).toEqual([]);
});
