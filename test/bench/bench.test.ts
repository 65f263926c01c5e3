import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { packageFile } from '../../src/package-files.js';

// What it measures depends on the machine; that it measures does not.
test('the bench runs to its end and prints a figure for every server', async () => {
  const options = ['--rounds', '1', '--seconds', '0.1', '--starts', '1', '--load', 'own'];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [packageFile('bench/run.mjs'), ...options]);
  const rows = stdout.trim().split('\n').slice(3);
  expect(rows.map((row) => row.replace(/ {2}.*/, ''))).toEqual([
    'bare node:http',
    'bare Express 5',
    'petstore-mock',
    'petstore-mock --log silent',
    'petstore-mock mounted in Express',
  ]);
  expect(rows.every((row) => /( +\d+(\.\d\d)?){6}$/.test(row))).toBe(true);
  expect(stderr).toBe('');
}, 60_000);
