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
import { describe, expect, test } from 'vitest';
import { openFileOutput } from '../../../src/cli/output/file-output.js';
import { PetstoreMockError } from '../../../src/errors.js';
import { makeFolder } from '../../support/folder.js';

describe('a file that is written', () => {
  test('takes the place of the old one, which whoever has it open reads to its end', () => {
    const file = join(makeFolder({ live: 'what people wrote' }), 'live');
    const open = openSync(file, 'r');
    openFileOutput(file).write('new');
    expect(readFileSync(open, 'utf8')).toBe('what people wrote');
    closeSync(open);
    expect(readFileSync(file, 'utf8')).toBe('new');
  });

  test('is alone in its folder afterwards, and nothing changes while it is only opened', () => {
    const folder = makeFolder({ live: 'old' });
    const output = openFileOutput(join(folder, 'live'));
    expect([readdirSync(folder), readFileSync(join(folder, 'live'), 'utf8')]).toEqual([['live'], 'old']);
    output.write('new');
    expect(readdirSync(folder)).toEqual(['live']);
  });

  test('keeps its permissions', () => {
    const file = join(makeFolder({ live: 'old' }), 'live');
    chmodSync(file, 0o640);
    openFileOutput(file).write('new');
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

describe('what cannot be written is told when it is opened', () => {
  test.each([
    ['below /proc', () => '/proc/nope', 'nothing can be created there'],
    ['in a folder below /proc', () => '/proc/nope/report.json', 'nothing can be created there'],
    ['a device that is full', () => '/dev/full', 'no space is left on the device'],
    ['a folder', () => makeFolder(), 'it is a folder'],
    ['below a file', () => join(makeFolder({ file: '' }), 'file', 'x'), 'a part of the path is a file, not a folder'],
    ['deep below a file', () => join(makeFolder({ file: '' }), 'file', 'x', 'y'), 'a part of the path is a file'],
    ['a circle of links', circle, 'its symbolic links form a circle'],
    ['a name that is too long', () => join(makeFolder(), 'x'.repeat(256)), 'the name is too long'],
  ])('%s', (_, make, reason) => {
    const path = make();
    const open = (): unknown => openFileOutput(path);
    expect(open).toThrow(PetstoreMockError);
    expect(open).toThrow(`cannot write ${path}: ${reason}`);
  });
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
