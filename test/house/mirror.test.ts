import { existsSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { packageFile } from '../../src/package-files.js';

/** What tests of a room need: helpers, and files that they compare with. */
const NO_ROOMS = new Set(['support', 'golden', '__snapshots__']);

const ROOMS = listInner('src');

function listInner(folder: string): string[] {
  const entries = readdirSync(packageFile(folder), { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

/** Every folder below one that has files, with its path from there. */
function listFolders(folder: string): string[] {
  const files = readdirSync(packageFile(folder), { withFileTypes: true, recursive: true }).filter((entry) =>
    entry.isFile(),
  );
  const folders = new Set(files.map(({ parentPath }) => parentPath.slice(packageFile(folder).length + 1)));
  return [...folders].filter((path) => path !== '');
}

test.each(ROOMS)('src/%s has tests, and every folder of them is a room of src, or helps', (room) => {
  expect(existsSync(packageFile(`test/${room}`))).toBe(true);
  const folders = listFolders(`test/${room}`).filter((path) => !path.split('/').some((part) => NO_ROOMS.has(part)));
  expect(folders.filter((path) => !existsSync(packageFile(`src/${room}/${path}`)))).toEqual([]);
});

test('tests of programs, and what all tests share, are in folders of their own', () => {
  const others = listInner('test').filter((name) => !ROOMS.includes(name));
  const folders = ['bench', 'e2e', 'fuzz', 'hostile', 'house', 'mutation', 'reality', 'soak', 'support', 'types'];
  expect(others.toSorted()).toEqual(folders);
});
