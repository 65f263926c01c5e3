import { chmodSync, closeSync, fstatSync, mkdirSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { replaceFile, tryToReplaceFile } from '../../../src/cli/output/file-output.js';
import { makeFolder } from '../../support/folder.js';

const read = (path: string): string => readFileSync(path, 'utf8');

test('a file that is not there is made', () => {
  const path = join(makeFolder(), 'new');
  replaceFile(path, 'text');
  expect(read(path)).toBe('text');
});

test('an old file is replaced as a whole: whoever reads it has one of the two', () => {
  const folder = makeFolder({ old: 'a long old text' });
  const path = join(folder, 'old');
  const open = openSync(path, 'r');
  replaceFile(path, 'new');
  expect(read(path)).toBe('new');
  expect(statSync(path).ino).not.toBe(fstatSync(open).ino);
  expect(readFileSync(open, 'utf8')).toBe('a long old text');
  closeSync(open);
  expect(readdirSync(folder)).toEqual(['old']);
});

test('permissions stay', () => {
  const path = join(makeFolder({ old: '' }), 'old');
  chmodSync(path, 0o604);
  replaceFile(path, 'new');
  expect(statSync(path).mode & 0o777).toBe(0o604);
});

test('a name of the greatest length leaves room for the file beside it', () => {
  const path = join(makeFolder(), 'n'.repeat(255));
  replaceFile(path, 'text');
  expect(read(path)).toBe('text');
});

test('where the new file cannot take its place, what was written beside it goes', () => {
  const folder = makeFolder({ file: '' });
  mkdirSync(join(folder, 'inner'));
  expect(() => replaceFile(join(folder, 'inner'), 'text')).toThrow(expect.objectContaining({ code: 'EISDIR' }));
  expect(() => replaceFile(join(folder, 'file', 'within'), 'text')).toThrow(
    expect.objectContaining({ code: 'ENOTDIR' }),
  );
  expect(readdirSync(folder).toSorted()).toEqual(['file', 'inner']);
});

test('a try changes nothing and leaves nothing behind', () => {
  const folder = makeFolder({ old: 'text' });
  const before = statSync(join(folder, 'old')).mtimeMs;
  tryToReplaceFile(join(folder, 'old'));
  tryToReplaceFile(join(folder, 'new'));
  expect(readdirSync(folder)).toEqual(['old']);
  expect(statSync(join(folder, 'old')).mtimeMs).toBe(before);
});

test.each(['/no/such/folder/file', '/proc/nope'])('a try throws what a replacement would: %s', (path) => {
  const codeOf = (step: () => void): unknown => {
    try {
      step();
    } catch (error) {
      return (error as NodeJS.ErrnoException).code;
    }
    return 'none';
  };
  expect(codeOf(() => tryToReplaceFile(path))).toMatch(/^E/);
  expect(codeOf(() => tryToReplaceFile(path))).toBe(codeOf(() => replaceFile(path, '')));
});
