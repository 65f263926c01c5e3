import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { contract, useWatched } from '../support/watched-mock.js';

const on = useWatched();

const statusOf = async (given: string): Promise<number> => (await on.create(given)).status;

/** What a file may become while it is followed, though no start would read it. */
const BECOMES: [what: string, make: (path: string) => void, told: RegExp][] = [
  ['a pipe', (path) => execFileSync('sh', ['-c', `mkfifo '${path}'`]), /a pipe or a device, not a file/],
  ['a device without an end', (path) => symlinkSync('/dev/zero', path), /a pipe or a device, not a file/],
  [
    'a device that is silent',
    (path) => symlinkSync('/dev/tty', path),
    /a pipe or a device, not a file|there is no such file/,
  ],
  ['a link to itself', (path) => symlinkSync(path, path), /symbolic links form a circle|there is no fixture pack/],
  ['a folder', (path) => mkdirSync(path), /a folder/],
];

test.each(BECOMES)(
  'a contract that becomes %s is told, and is followed again once it is back',
  async (_, make, told) => {
    on.write('api.yaml', contract(5));
    await on.start('--spec', on.file('api.yaml'), '--fixtures', 'empty');
    rmSync(on.file('api.yaml'));
    make(on.file('api.yaml'));
    await on.waitForEvents(1);
    expect(on.events[0]).toMatchObject({ loaded: false, message: expect.stringMatching(told) });
    expect(await statusOf('Max')).toBe(201);
    rmSync(on.file('api.yaml'), { recursive: true });
    on.write('api.yaml', contract(20));
    await on.waitForEvents(2);
    expect(await statusOf('Bartholomew')).toBe(201);
    expect(on.news.problem).toBeUndefined();
  },
);

test.each(BECOMES)('so is a fixture pack that becomes %s', async (_, make, told) => {
  on.write('api.yaml', contract(5));
  on.write('pack.yaml', 'pets: []\n');
  await on.start('--spec', on.file('api.yaml'), '--fixtures', on.file('pack.yaml'));
  rmSync(on.file('pack.yaml'));
  make(on.file('pack.yaml'));
  await on.waitForEvents(1);
  expect(on.events[0]).toMatchObject({ loaded: false, message: expect.stringMatching(told) });
  expect(await statusOf('Max')).toBe(201);
  rmSync(on.file('pack.yaml'), { recursive: true });
  on.write('pack.yaml', 'pets: [{ id: 7, name: Rex }]\n');
  await on.waitForEvents(2);
  expect(on.news.problem).toBeUndefined();
});
