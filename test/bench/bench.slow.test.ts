import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { packageFile } from '../../src/package-files.js';
import { words } from '../support/words.js';

// What it measures depends on the machine; that it measures does not.
async function run(script: string, options: readonly string[]): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [packageFile(`bench/${script}`), ...options]);
  expect(stderr).toBe('');
  return stdout;
}

const FIGURE = String.raw`\d+ \(\d+\.\d\d\)`;

test('the bench ends with a row for every server, and says which peers are missing', async () => {
  const quick = words`--rounds 1 --seconds 0.1 --starts 1 --load own --only petstore,json-server`;
  const lines = (await run('run.mjs', quick)).split('\n');
  const rowOf = (name: string): string => lines.find((line) => line.startsWith(`${name}  `)) ?? '';
  const loads = `( +${FIGURE}){5}`;
  expect(rowOf('bare node:http')).toMatch(new RegExp(`${loads} +\\d+ +${FIGURE} +- +200$`));
  expect(rowOf('bare Express 5')).toMatch(new RegExp(`${loads} +\\d+ +${FIGURE} +${FIGURE} +200$`));
  // Both validations are on: what is sent and what is answered.
  expect(rowOf('petstore-mock')).toMatch(new RegExp(`${loads} +\\d+ +${FIGURE} +${FIGURE} +400$`));
  expect(rowOf('petstore-mock in Express')).toMatch(/ 400$/);
  expect(lines.at(-1) === '' ? lines.join('\n') : '').toContain(
    "planted in petstore-mock: 500, the mock's own response (200) breaks the contract: body/0/name must be a string, but is 5",
  );
  expect(lines.some((line) => line.startsWith('json-server'))).toBe(true);
});

test('the bench of growth ends with a row for every size, and the memory on the way', async () => {
  const quick = ['--rounds', '1', '--seconds', '0.1', '--sizes', '10,100', '--requests', '20', '--load', 'own'];
  const lines = (await run('growth.mjs', quick)).split('\n');
  for (const size of ['10', '100']) {
    expect(lines.find((line) => line.startsWith(`${size} `))).toMatch(new RegExp(`( +${FIGURE}){4} +\\d+$`));
  }
  const [, requests] = /^(\d+) +\d+$/.exec(lines.at(-2) ?? '') ?? [];
  expect(Number(requests)).toBeGreaterThanOrEqual(20);
});

test('the bench of lasting data ends with a row for every mode, and says how long who comes late takes', async () => {
  const quick = ['--rounds', '1', '--seconds', '0.1', '--changes', '300', '--load', 'own'];
  const lines = (await run('lasting.mjs', quick)).split('\n');
  const cells = (name: string): string => lines.find((line) => line.startsWith(`${name}  `))?.slice(name.length) ?? '';
  const loads = `( +${FIGURE}){4}`;
  expect(cells('in memory')).toMatch(new RegExp(`^${loads} +\\d+ \\(1\\.00\\) +- +-$`));
  expect(cells('--data')).toMatch(new RegExp(`^${loads}( +${FIGURE}){2} +-$`));
  expect(cells('--shared, one replica')).toMatch(new RegExp(`^${loads}( +${FIGURE}){3}$`));
  expect(cells('--shared, three replicas')).toMatch(new RegExp(`^${loads} +- +- +-$`));
});
