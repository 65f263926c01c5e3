import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { packageFile } from '../../src/package-files.js';

test('the bench of the suite ends with a line for each set-up', async () => {
  const options = ['--rounds', '1', '--latency', '0,1', '--concurrency', '8'];
  const { stdout } = await promisify(execFile)(process.execPath, [packageFile('bench/suite.mjs'), ...options]);
  const [head = '', ...rows] = stdout.trim().split('\n');
  expect(head).toMatch(/^latency .* ratio$/);
  expect(rows).toHaveLength(2);
  for (const row of rows) expect(row).toMatch(/^[01] ms +8 +[1-9]\d+ +\d+\.\d+ +\d+\.\d+ +\d+\.\d+$/);
});
