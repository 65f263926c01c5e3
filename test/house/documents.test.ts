import { readdirSync, readFileSync } from 'node:fs';
import { extname, posix } from 'node:path';
import { expect, test } from 'vitest';
import { packageFile } from '../../src/package-files.js';

const DOCUMENTS = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'README.md', 'CHANGELOG.md', 'SECURITY.md'];
const ROOMS = ['src', 'test', 'spec', 'fixtures', 'scenarios', 'scripts', 'docs'];

function listFiles(): string[] {
  return ROOMS.flatMap((room) =>
    readdirSync(packageFile(room), { recursive: true, encoding: 'utf8' }).map((path) => posix.join(room, path)),
  ).filter((path) => !path.includes('node_modules'));
}

/** The TypeScript files that a text names in code, which none of `paths` is or ends with. */
function listDeadNames(text: string, paths: readonly string[]): string[] {
  const named = [...text.matchAll(/`([\w./<>*-]+\.ts)`/g)].map(([, name]) => name ?? '');
  return named.filter((name) => !/[<*]/.test(name) && !paths.some((path) => `/${path}`.endsWith(`/${name}`)));
}

/** Lines that a merge left behind, also where a formatter has made quotes or table rows of them. */
function listMergeMarkers(text: string): string[] {
  return text.split('\n').filter((line) => /^[\s>|]*(<{7} |={7}\s*(\||$))|^(> ){3,}|^>{7} /.test(line));
}

test('every file that ARCHITECTURE and CONTRIBUTING name is there', () => {
  const paths = listFiles();
  for (const document of ['ARCHITECTURE.md', 'CONTRIBUTING.md'])
    expect([document, listDeadNames(readFileSync(packageFile(document), 'utf8'), paths)]).toEqual([document, []]);
});

test('a name that leads to no file is found', () => {
  expect(listDeadNames('`mock/gone.ts`, `mock/world.ts`, `<role>-record.ts`', ['src/mock/world.ts'])).toEqual([
    'mock/gone.ts',
  ]);
});

test('no document and no file of the project holds what a merge left behind', () => {
  const readable = listFiles().filter((path) =>
    ['.md', '.ts', '.tsx', '.mjs', '.yaml', '.css'].includes(extname(path)),
  );
  const left = [...DOCUMENTS, ...readable]
    .filter((path) => path !== 'test/house/documents.test.ts')
    .flatMap((path) => listMergeMarkers(readFileSync(packageFile(path), 'utf8')).map((line) => `${path}: ${line}`));
  expect(left).toEqual([]);
});

test.each(['<<<<<<< HEAD', '| <<<<<<< HEAD   |', '| =======  |', '=======', '>>>>>>> a3', '> > > > > > > a3 (x)'])(
  'what a merge leaves is found: %s',
  (line) => {
    expect(listMergeMarkers(`a\n${line}\nb`)).toEqual([line]);
  },
);
