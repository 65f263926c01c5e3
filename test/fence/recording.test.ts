import { expect, test } from 'vitest';
import { readRecording } from './recording.js';

const rows = Object.entries(readRecording());
const listRows = (group: string) => rows.filter(([id]) => id.startsWith(`${group}/`));

test('what was recorded last: every mutant is found, and is told as 1.3 problems at most on average', () => {
  const counts = listRows('mutants').map(([, { problems }]) => problems.length);
  expect(counts.length).toBeGreaterThan(400);
  expect(counts).not.toContain(0);
  expect(counts.reduce((sum, each) => sum + each, 0) / counts.length).toBeLessThanOrEqual(1.3);
});

test.each(['variants', 'documents'])('what was recorded last: none of the %s is accused', (group) => {
  const accused = listRows(group).filter(([, { problems }]) => problems.length > 0);
  expect(listRows(group).length).toBeGreaterThan(20);
  expect(accused.map(([id]) => id)).toEqual([]);
});
