import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { packageFile } from '../../src/package-files.js';
import { blockUnder, createProject, readBlocks, readShown } from '../support/readme.js';
import { startProgram } from '../support/run-program.js';
import { cleanEnvironment } from '../support/tarball.js';

const run = promisify(execFile);
const PAGE = 'docs/testing.md';
const blocks = readBlocks(PAGE);

/** What runs in another test, and is compared with that here. */
const ELSEWHERE = ['Playwright', 'jest'];

const scripts = blocks.filter(({ language, text }) => language === 'js' && text.includes('console.log('));
const suites = blocks.filter(({ text }) => /^\/\/ \w+\.test\.js$/m.test(text));

test('every block of the page is run here, or in the tests of the examples', () => {
  const shown = blocks.filter(({ language }) => language === 'console');
  const others = blocks.filter(({ heading }) => ELSEWHERE.includes(heading));
  expect([scripts.length, suites.length, shown.length, others.length]).toEqual([4, 2, 1, 3]);
  expect(blocks).toHaveLength(10);
});

test.each(scripts)('the script under "$heading" prints what it says', async ({ text }) => {
  const project = createProject({ 'example.js': text });
  const { stdout } = await run(process.execPath, ['example.js'], { cwd: project, env: cleanEnvironment() });
  const said = [...text.matchAll(/console\.log\(.*\); \/\/ (.*)/g)].map(([, output]) => output);
  expect(stdout.trim().split('\n')).toEqual(said);
});

test.each(suites)('the tests under "$heading" pass', async ({ text }) => {
  const project = createProject({ 'pets.test.js': text });
  const args = ['node_modules/vitest/vitest.mjs', 'run'];
  const env = cleanEnvironment({ NO_COLOR: '1' });
  const { stdout } = await run(process.execPath, args, { cwd: project, env });
  expect(stdout).toMatch(/Tests +[12] passed/);
});

test.each([
  ['Playwright', 'ts', 'examples/pet-shop/e2e/petstore.ts'],
  ['jest', 'js', 'examples/jest/pets.test.js'],
])('what stands under "%s" is what runs in the example', (heading, language, file) => {
  expect(blockUnder(heading, language, PAGE)).toBe(readFileSync(packageFile(file), 'utf8'));
});

test('the URL that Playwright waits for answers when the mock is there', async () => {
  const [, url = ''] = /url: '([^']+)'/.exec(blockUnder('Playwright', 'js', PAGE)) ?? [];
  const program = await startProgram();
  const response = await fetch(new URL(new URL(url).pathname, program.url));
  expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);
  await program.stop();
});

describe('the admin API', () => {
  test('answers as the terminal shows', async () => {
    const program = await startProgram();
    const { port } = new URL(program.url);
    const block = blocks.find(({ language }) => language === 'console');
    for (const { command, output } of block === undefined ? [] : readShown(block)) {
      const { stdout } = await run('sh', ['-c', command.replaceAll('4010', port)]);
      expect(stdout.trimEnd()).toBe(output.trimEnd());
    }
    await program.stop();
  });
});
