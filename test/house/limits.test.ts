import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { packageFile } from '../../src/package-files.js';

/** Lists of like things, one for each file. */
const LISTS = new Set(['src/conformance/judge', 'src/conformance/run/gaps/observers']);

const MOST_FILES = 20;
const MOST_LINES = 250;

/** What is too large among files, given by path and number of lines. */
function listTooLarge(files: Record<string, number>): string[] {
  const folders = new Map<string, number>();
  for (const path of Object.keys(files)) {
    const folder = posix.dirname(path);
    folders.set(folder, (folders.get(folder) ?? 0) + 1);
  }
  return [
    ...[...folders]
      .filter(([folder, count]) => count > MOST_FILES && !LISTS.has(folder))
      .map(([folder, count]) => `${folder} has ${count} files of its own, more than ${MOST_FILES}`),
    ...Object.entries(files)
      .filter(([, lines]) => lines > MOST_LINES)
      .map(([path, lines]) => `${path} has ${lines} lines, more than ${MOST_LINES}`),
  ];
}

function countLines(): Record<string, number> {
  const entries = readdirSync(packageFile('src'), { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => posix.join(parentPath, name));
  const root = packageFile('');
  return Object.fromEntries(
    paths.map((path) => [path.slice(root.length), readFileSync(path, 'utf8').split('\n').length - 1]),
  );
}

test('no folder of src has more than 20 files of its own, and no file more than 250 lines', () => {
  const files = countLines();
  expect(Object.keys(files)).toContain('src/mock/handle-request.ts');
  expect(listTooLarge(files)).toEqual([]);
});

test('a folder of 21 files is found, unless it is a list of like things', () => {
  const fill = (folder: string): Record<string, number> =>
    Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`${folder}/file-${index}.ts`, 10]));
  expect(listTooLarge(fill('src/mock'))).toEqual(['src/mock has 21 files of its own, more than 20']);
  expect(listTooLarge(fill('src/conformance/judge'))).toEqual([]);
});

test('a file of 251 lines is found', () => {
  expect(listTooLarge({ 'src/mock/long.ts': 251, 'src/mock/whole.ts': 250 })).toEqual([
    'src/mock/long.ts has 251 lines, more than 250',
  ]);
});
