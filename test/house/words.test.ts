import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { packageFile } from '../../src/package-files.js';

/** The pages in the browser are a program of their own: they describe what arrives by the names that it has here. */
const PAGES = 'console/';

/** Words that have another name in this project (ARCHITECTURE.md), and that name. */
const REPLACED: readonly (readonly [RegExp, string])[] = [
  [/\banimals?\b(?!\.\w)/i, 'pet'],
  [/\bopen[ -]?points?\b/i, 'gap'],
  [/\b(?:read|write)-?ahead\b/i, 'precompiled'],
  [/\btwins?\b/i, 'control'],
];

/** Where an old word is meant: what files of the first release have, and what data is called. */
const OLD_WORDS = ["'open-points'", "const OLD_NAME = 'animals'", '|animal|', '|^animal$'];

/** The files that export a type of the same name, for each such name. */
function listSharedNames(files: Record<string, string>): string[] {
  const homes = new Map<string, string[]>();
  for (const [path, text] of Object.entries(files)) {
    for (const [, name = ''] of text.matchAll(/^export (?:interface|type|class) (\w+)/gm)) {
      homes.set(name, [...(homes.get(name) ?? []), path]);
    }
  }
  return [...homes].filter(([, paths]) => paths.length > 1).map(([name, paths]) => `${name}: ${paths.join(', ')}`);
}

function listReplacedWords(files: Record<string, string>): string[] {
  return Object.entries(files).flatMap(([path, text]) =>
    text
      .split('\n')
      .filter((line) => !OLD_WORDS.some((old) => line.includes(old)))
      .flatMap((line) =>
        REPLACED.filter(([word]) => word.test(line)).map(([, now]) => `${path}: ${line.trim()} (${now})`),
      ),
  );
}

function readSources(): Record<string, string> {
  const paths = readdirSync(packageFile('src'), { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.tsx?$/.test(path));
  return Object.fromEntries(paths.map((path) => [path, readFileSync(packageFile(`src/${path}`), 'utf8')]));
}

const SOURCES = readSources();

test('no two types that rooms share have the same name', () => {
  const shared = Object.fromEntries(Object.entries(SOURCES).filter(([path]) => !path.startsWith(PAGES)));
  expect(Object.keys(shared)).toContain('mock/handle-request.ts');
  expect(listSharedNames(shared)).toEqual([]);
});

test('a second type of the same name is found', () => {
  const files = {
    'mock/one.ts': 'export interface Finding {\n}\n',
    'report/two.ts': 'interface Other {}\nexport type Finding = string;\n',
    'cli/three.ts': 'export interface Other {}\n',
  };
  expect(listSharedNames(files)).toEqual(['Finding: mock/one.ts, report/two.ts']);
});

test('one thing has one word', () => {
  expect(listReplacedWords(SOURCES)).toEqual([]);
});

test('a word that has another name here is found', () => {
  const lines = ['/** Every animal. */', 'const openPoints = [];', 'faker.animal.dog()', 'const twin = 1;', '// fine'];
  expect(listReplacedWords({ 'mock/one.ts': lines.join('\n') })).toEqual([
    'mock/one.ts: /** Every animal. */ (pet)',
    'mock/one.ts: const openPoints = []; (gap)',
    'mock/one.ts: const twin = 1; (control)',
  ]);
});
