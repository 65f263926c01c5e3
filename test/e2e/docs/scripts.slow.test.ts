import { readFileSync } from 'node:fs';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { packageFile } from '../../../src/package-files.js';
import { ALL_BLOCKS, blockUnder, createProject, isScript, isSuite } from '../../support/readme.js';
import { cleanEnvironment } from '../../support/tarball.js';

const run = promisify(execFile);

test.each(ALL_BLOCKS.filter(isScript))('$page: the script under $heading prints what it says', async ({ text }) => {
  const project = createProject({ 'example.js': text });
  const { stdout } = await run(process.execPath, ['example.js'], { cwd: project, env: cleanEnvironment() });
  const said = [...text.matchAll(/console\.log\(.*\); \/\/ (.*)/g)].map(([, output]) => output);
  expect(said).not.toEqual([]);
  expect(stdout.trim().split('\n')).toEqual(said);
});

test.each(ALL_BLOCKS.filter(isSuite))('$page: the tests under $heading pass', async ({ text }) => {
  const project = createProject({ 'pets.test.js': text });
  const args = ['node_modules/vitest/vitest.mjs', 'run'];
  const env = cleanEnvironment({ NO_COLOR: '1' });
  expect((await run(process.execPath, args, { cwd: project, env })).stdout).toMatch(/Tests +1 passed/);
});

test.each([
  ['Playwright', 'ts', 'examples/pet-shop/e2e/petstore.ts'],
  ['jest', 'js', 'examples/jest/pets.test.js'],
])('docs/testing.md shows under "%s" what runs in the example', (heading, language, file) => {
  expect(blockUnder('docs/testing.md', heading, language)).toBe(readFileSync(packageFile(file), 'utf8'));
});
