import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { loadGaps } from '../../src/contract/gaps/gaps.js';
import { startPetstoreMock, type PetstoreMock } from '../../src/index.js';
import { packageFile } from '../../src/package-files.js';
import { makeFolder } from '../support/folder.js';
import { runRunner } from '../conformance/support/runner-program.js';
import { startProgram } from '../support/run-program.js';

const KEY = 'petstore-dev-key';
/** How many gaps there are. */
const ALL = loadGaps(packageFile('spec/gaps.yaml'), 'spec/gaps.yaml').length;
/** A run without a second credential does not ask for what one may do. */
const ASKED = ALL - 1;
const ONLY = ['--only', '*/gaps/*', '--only', 'petstore/*', '--only', 'pets/service/*', '--quiet'];
const FLAGS = { env: { PETSTORE_API_KEY: KEY } };
let mock: PetstoreMock | undefined;
afterEach(() => mock?.close());

async function startMock(gaps: Record<string, string | number> = {}): Promise<PetstoreMock> {
  await mock?.close();
  mock = await startPetstoreMock({ profile: { gaps } });
  return mock;
}

/** Writes a profile of a mock that makes these choices, and gives back its path. */
async function writeProfile(gaps: Record<string, string | number> = {}, folder = makeFolder()): Promise<string> {
  const { url } = await startMock(gaps);
  const file = join(folder, `${Object.values(gaps).join('-') || 'default'}.profile.yaml`);
  const end = await runRunner(['--target', url, '--write-profile', file, ...ONLY], FLAGS);
  expect(end).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(new RegExp(`wrote .*: \\d+ of ${ASKED} gaps observed\\.`)),
  });
  return file;
}

test('what a mock does is written, and a mock that reads it does the same', async () => {
  const file = await writeProfile({ head: 'refused-405', 'unknown-parameters': 'refused-400' });
  const program = await startProgram(['--profile', file]);
  expect(program.stdout).toContain(`profile ${file} (${mock?.url} on 20`);
  expect(program.stdout).toContain('  gaps    unknown-parameters: refused-400, head: refused-405\n');
  expect(program.stdout).toContain('  gaps    default choice, since the profile does not say: ');
  const end = await runRunner(['--target', program.url, '--profile', file, ...ONLY], FLAGS);
  await program.stop();
  expect(end).toMatchObject({ code: 0, stdout: expect.stringContaining(' · 0 changes since the profile · ') });
});

test('a profile is the same from run to run, but for date and target', async () => {
  const strip = (file: string): string => readFileSync(file, 'utf8').replace(/^(target|date): .*$/gm, '');
  const [first, second] = [await writeProfile(), await writeProfile()];
  expect(strip(second)).toBe(strip(first));
  const ids = [...strip(first).matchAll(/^ {2}([a-z-]+):$/gm)].map(([, id]) => id);
  expect(ids).toEqual(ids.toSorted((a = '', b = '') => (a < b ? -1 : 1)));
  expect(strip(first)).not.toContain(KEY);
});
