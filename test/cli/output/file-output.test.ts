import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { openFileOutput, watchOutput } from '../../../src/cli/output/file-output.js';
import { PetstoreMockError } from '../../../src/errors.js';
import { makeFolder } from '../../support/folder.js';

describe('a file that is written', () => {
  test('takes the place of the old one with its permissions, which whoever has it open reads to its end', () => {
    const folder = makeFolder({ live: 'what people wrote' });
    const file = join(folder, 'live');
    chmodSync(file, 0o640);
    const open = openSync(file, 'r');
    const before = statSync(file).mtimeMs;
    const output = openFileOutput(file);
    expect([readdirSync(folder), readFileSync(file, 'utf8')]).toEqual([['live'], 'what people wrote']);
    expect(statSync(file).mtimeMs).toBe(before);
    output.write('new');
    expect(readFileSync(open, 'utf8')).toBe('what people wrote');
    closeSync(open);
    expect([readdirSync(folder), readFileSync(file, 'utf8')]).toEqual([['live'], 'new']);
    expect((statSync(file).mode & 0o777).toString(8)).toBe('640');
  });

  test('behind a link is the one that changes; the link stays', () => {
    const folder = makeFolder({ live: 'old' });
    mkdirSync(join(folder, 'links'));
    const link = join(folder, 'links', 'to-live');
    symlinkSync('../live', link);
    openFileOutput(link).write('new');
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder, 'live'), 'utf8')).toBe('new');
  });

  test('behind a link that leads nowhere yet is created there', () => {
    const folder = makeFolder();
    symlinkSync('later', join(folder, 'link'));
    openFileOutput(join(folder, 'link')).write('new');
    expect(readFileSync(join(folder, 'later'), 'utf8')).toBe('new');
  });

  test('may have the longest name there is, in folders that are not there yet', () => {
    const file = join(makeFolder(), 'a', 'b', 'x'.repeat(255));
    openFileOutput(file).write('new');
    expect(readFileSync(file, 'utf8')).toBe('new');
  });
});

test.each([
  ['below /proc', () => '/proc/nope', 'nothing can be created there'],
  ['a device that is full', () => '/dev/full', 'no space is left on the device'],
  ['a folder', () => makeFolder(), 'it is a folder'],
  ['below a file', () => join(makeFolder({ file: '' }), 'file', 'x'), 'a part of the path is a file, not a folder'],
  ['a circle of links', circle, 'its symbolic links form a circle'],
  ['a name that is too long', () => join(makeFolder(), 'x'.repeat(256)), 'the name is too long'],
])('what cannot be written is told when it is opened: %s', (_, make, reason) => {
  const path = make();
  const open = (): unknown => openFileOutput(path);
  expect(open).toThrow(PetstoreMockError);
  expect(open).toThrow(`cannot write ${path}: ${reason}`);
});

function circle(): string {
  const folder = makeFolder();
  symlinkSync('two', join(folder, 'one'));
  symlinkSync('one', join(folder, 'two'));
  return join(folder, 'one');
}

test('a file whose place was taken since it was opened says so when it is written', () => {
  const folder = makeFolder();
  const output = openFileOutput(join(folder, 'report'));
  mkdirSync(join(folder, 'report'));
  expect(() => output.write('new')).toThrow(`cannot write ${join(folder, 'report')}: `);
  expect(readdirSync(folder)).toEqual(['report']);
});

test('a device is written to, and stays one', () => {
  openFileOutput('/dev/null').write('new');
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
});

test('a pipe that nobody reads is told, not waited for', () => {
  const pipe = join(makeFolder(), 'pipe');
  execFileSync('sh', ['-c', `mkfifo '${pipe}'`]);
  const output = openFileOutput(pipe);
  expect(() => output.write('new')).toThrow(`cannot write ${pipe}: no process reads the pipe.`);
  expect(statSync(pipe).isFIFO()).toBe(true);
});
function failWith(...codes: (string | undefined)[]): string[] {
  const told: string[] = [];
  const stream = new PassThrough();
  watchOutput(stream as unknown as NodeJS.WriteStream, (code) => void told.push(code));
  for (const code of codes) stream.emit('error', Object.assign(new Error('no'), { code }));
  return told;
}

test('a reader that goes away is no failure', () => expect(failWith('EPIPE', 'EPIPE')).toEqual([]));

test('any other failure is told once', () => {
  expect(failWith('EPIPE', 'ENOSPC', 'ENOSPC', 'EIO')).toEqual(['ENOSPC']);
  expect(failWith(undefined)).toEqual(['Error: no']);
});
