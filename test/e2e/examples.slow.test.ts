import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { packageFile } from '../../src/package-files.js';
import { findBrowser } from '../support/browser.js';
import { findFreePort } from '../support/free-port.js';
import { isMissing } from '../support/optional-tool.js';
import { cleanEnvironment, installProject, packTarball } from '../support/tarball.js';

const run = promisify(execFile);
const INSTALLING = 180_000;
let tarball: string;

beforeAll(async () => {
  tarball = await packTarball();
}, INSTALLING);

/** What a script of a project prints; rejects with it when the script fails. */
async function runScript(folder: string, args: string[], env: Record<string, string> = {}): Promise<string> {
  const given = cleanEnvironment({ NO_COLOR: '1', ...env });
  const { stdout, stderr } = await run('npm', ['run', ...args], { cwd: folder, env: given }).catch(
    (error: { stdout: string; stderr: string }) => {
      throw new Error(`npm run ${args.join(' ')} failed:\n${error.stdout}\n${error.stderr}`);
    },
  );
  return stdout + stderr;
}

test.each(['examples/pet-shop', 'examples/jest', 'test/e2e/msw-3'])(
  'the lockfile of %s names no place of the machine it was made on',
  (folder) => {
    const lock = readFileSync(packageFile(`${folder}/package-lock.json`), 'utf8');
    expect(lock).not.toMatch(/"resolved"|file:|"link"|\/home\/|\/tmp\//);
  },
);

describe('the pet shop, with the package from its tarball', () => {
  let folder: string;
  const executablePath = findBrowser();
  const withoutBrowser = isMissing({
    found: executablePath !== undefined,
    name: 'a Chromium',
    howToGet: 'install one (on Debian: apt-get install chromium), or set CHROMIUM_PATH',
  });

  beforeAll(async () => {
    folder = await installProject('examples/pet-shop', tarball);
  }, INSTALLING);

  test('keeps to the types of the package', async () =>
    expect(await runScript(folder, ['types'])).not.toContain('error'));

  test('passes its tests in vitest', async () =>
    expect(await runScript(folder, ['test'])).toMatch(/Tests +1[1-9] passed \(1[1-9]\)/));

  test.skipIf(withoutBrowser)('passes its tests in Playwright, in parallel on one port', async () => {
    const env = {
      CHROMIUM_PATH: executablePath ?? '',
      PETSTORE_PORT: String(await findFreePort()),
      PAGE_PORT: String(await findFreePort()),
    };
    const printed = await runScript(folder, ['test:e2e', '--', '--workers', '2'], env);
    expect(printed).toMatch(/using 2 workers/);
    expect(printed).toMatch(/^ +8 passed/m);
  });

  test('fails its tests once the app sends what breaks the contract', async () => {
    const path = join(folder, 'src/api.ts');
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace('const LARGEST_PAGE = 100;', 'const LARGEST_PAGE = 101;'));
    await expect(runScript(folder, ['test', '--', 'api'])).rejects.toThrow('query/limit');
    writeFileSync(path, text);
  });

  test('fails its tests once a failed create is sent again', async () => {
    const path = join(folder, 'src/api.ts');
    const text = readFileSync(path, 'utf8');
    const doubling = "const stored = await send<Pet>('/pets', init);";
    writeFileSync(path, text.replace(/const stored = \(await list.*/, doubling));
    await expect(runScript(folder, ['test', '--', 'api'])).rejects.toThrow(
      'once, when the service fails after it has stored it',
    );
    writeFileSync(path, text);
  });
});

describe('MSW 3, with the package from its tarball', () => {
  test('is answered as MSW 2 is, on the Node that it asks for', { timeout: INSTALLING }, async () => {
    const folder = await installProject('test/e2e/msw-3', tarball);
    const { stdout } = await run('npx', ['--yes', 'node@22.23.3', '--test', '--test-reporter', 'tap'], {
      cwd: folder,
      env: cleanEnvironment(),
    });
    expect(stdout).toMatch(/^# pass 3$/m);
  });
});

describe('the jest example, with the package from its tarball', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await installProject('examples/jest', tarball);
  }, INSTALLING);

  test('passes', async () => expect(await runScript(folder, ['test'])).toMatch(/Tests: +[3-9] passed/));

  test('needs the flag that its script sets, as the docs say', async () => {
    const jest = run('npx', ['jest'], { cwd: folder, env: cleanEnvironment() });
    await expect(jest).rejects.toThrow(/Must use import|Cannot use import|experimental-vm-modules/);
  });
});
