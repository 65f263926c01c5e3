import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageFile } from '../../src/package-files.js';

/** What the linter finds in some files, laid out as in this project: `src/mock/one.ts import(no-cycle)`. */
async function lint(files: Record<string, string>): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-lint-'));
  for (const name of ['.oxlintrc.json', 'package.json', 'tsconfig.json']) cpSync(packageFile(name), join(folder, name));
  // The types that tsconfig.json names.
  symlinkSync(packageFile('node_modules'), join(folder, 'node_modules'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const { code, stdout } = await run(['--deny-warnings', '--format', 'json', 'src'], folder);
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; filename: string }[] };
  if ((code === 0) !== (diagnostics.length === 0)) throw new Error(`the linter ends with ${code}`);
  return diagnostics.map((diagnostic) => `${diagnostic.filename} ${diagnostic.code}`).sort();
}

function run(options: string[], cwd: string): Promise<{ code: number; stdout: string }> {
  return new Promise((resolve) => {
    execFile(packageFile('node_modules/.bin/oxlint'), options, { cwd }, (error, stdout) => {
      resolve({ code: Number(error?.code ?? 0), stdout });
    });
  });
}

const FORBIDDEN: Record<string, string[]> = {
  contract: ['redact', 'mock', 'options', 'server', 'testing', 'conformance', 'report', 'cli'],
  redact: ['mock', 'options', 'server', 'testing', 'conformance', 'report', 'cli'],
  mock: ['options', 'server', 'testing', 'conformance', 'report', 'cli'],
  options: ['server', 'testing', 'conformance', 'report', 'cli'],
  server: ['testing', 'conformance', 'report', 'cli'],
  testing: ['conformance', 'report', 'cli'],
  conformance: ['mock', 'options', 'server', 'testing', 'report', 'cli'],
  report: ['mock', 'options', 'server', 'testing', 'cli'],
  console: ['contract', 'redact', 'mock', 'options', 'server', 'testing', 'conformance', 'report', 'cli'],
};
const ALLOWED: Record<string, string[]> = {
  redact: ['contract'],
  mock: ['redact', 'contract'],
  options: ['mock', 'contract'],
  server: ['options', 'mock', 'redact', 'contract'],
  testing: ['server', 'options', 'mock', 'contract'],
  conformance: ['redact', 'contract'],
  report: ['conformance', 'redact', 'contract'],
  cli: ['server', 'options', 'report', 'conformance', 'redact', 'contract'],
};

/** A file for every import of a table, and the files that are imported. */
function write(imports: Record<string, string[]>): Record<string, string> {
  const files: Record<string, string> = {};
  for (const [from, folders] of Object.entries(imports)) {
    for (const to of folders) {
      files[`src/${from}/to-${to}.ts`] = `import { other } from '../${to}/other.js';\n\nexport const mine = other;\n`;
      files[`src/${to}/other.ts`] = 'export const other = 1;\n';
    }
  }
  return files;
}

test('no import may point the wrong way', async () => {
  const expected = Object.entries(FORBIDDEN).flatMap(([from, folders]) =>
    folders.map((to) => `src/${from}/to-${to}.ts eslint(no-restricted-imports)`),
  );
  expect(await lint(write(FORBIDDEN))).toEqual(expected.sort());
});

test('imports that point the right way pass', async () => {
  expect(await lint(write(ALLOWED))).toEqual([]);
});

test('only the server may import Express', async () => {
  const text = "import express from 'express';\n\nexport const mine = express;\n";
  const folders = ['contract', 'redact', 'mock', 'options', 'testing', 'conformance', 'report'];
  const files = Object.fromEntries([...folders, 'server'].map((folder) => [`src/${folder}/mine.ts`, text]));
  const expected = folders.map((folder) => `src/${folder}/mine.ts eslint(no-restricted-imports)`);
  expect(await lint(files)).toEqual(expected.sort());
});

test('no file may import itself through another', async () => {
  const found = await lint({
    'src/mock/one.ts': "import { two } from './two.js';\n\nexport const one = (): number => two();\n",
    'src/mock/two.ts': "import { one } from './one.js';\n\nexport const two = (): number => one();\n",
  });
  expect(found).toEqual(['src/mock/one.ts import(no-cycle)', 'src/mock/two.ts import(no-cycle)']);
});

test('no file may import itself through another, by types alone either', async () => {
  const found = await lint({
    'src/mock/one.ts': "import type { Two } from './two.js';\n\nexport interface One {\n  two: Two;\n}\n",
    'src/mock/two.ts': "import type { One } from './one.js';\n\nexport interface Two {\n  one: One;\n}\n",
  });
  expect(found).toEqual(['src/mock/one.ts import(no-cycle)', 'src/mock/two.ts import(no-cycle)']);
});

test('only the programs may touch the process', async () => {
  const folders = ['contract', 'redact', 'mock', 'options', 'server', 'testing', 'conformance', 'report'];
  const files = Object.fromEntries(
    [...folders, 'cli'].map((folder) => [`src/${folder}/mine.ts`, 'export const mine = process.argv;\n']),
  );
  const expected = folders.map((folder) => `src/${folder}/mine.ts eslint(no-restricted-globals)`);
  expect(await lint(files)).toEqual(expected.sort());
});

test('no function of src may be longer than 80 lines, and no file longer than 600', async () => {
  const writeFunction = (lines: number): string =>
    `export function work(log: (line: string) => void): void {\n${"  log('line');\n".repeat(lines - 2)}}\n`;
  const found = await lint({
    'src/mock/long.ts': writeFunction(81),
    'src/mock/whole.ts': writeFunction(80),
    'src/mock/large.ts': Array.from({ length: 601 }, (_, line) => `export const line${line} = ${line};\n`).join(''),
  });
  expect(found).toEqual(['src/mock/large.ts eslint(max-lines)', 'src/mock/long.ts eslint(max-lines-per-function)']);
});
