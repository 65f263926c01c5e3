import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { contract, useWatched } from '../support/watched-mock.js';

const on = useWatched();

/** What a file may become while it is followed, though no start would read it. */
const BECOMES: [what: string, make: (path: string) => void, told: RegExp][] = [
  ['a pipe', (path) => execFileSync('sh', ['-c', `mkfifo '${path}'`]), /a pipe or a device, not a file/],
  ['a device without an end', (path) => symlinkSync('/dev/zero', path), /a pipe or a device, not a file/],
  ['a silent device', (path) => symlinkSync('/dev/tty', path), /a pipe or a device, not a file|there is no such file/],
  ['a link to itself', (path) => symlinkSync(path, path), /symbolic links form a circle|there is no fixture pack/],
  ['a folder', (path) => mkdirSync(path), /a folder/],
];

describe.each(['api.yaml', 'pack.yaml'])('%s', (name) => {
  test.each(BECOMES)('that becomes %s is told, and is followed again once it is back', async (_, make, told) => {
    const text = { 'api.yaml': contract(5), 'pack.yaml': 'pets: []\n' };
    for (const [each, first] of Object.entries(text)) on.write(each, first);
    await on.start('--spec', on.file('api.yaml'), '--fixtures', on.file('pack.yaml'));
    rmSync(on.file(name));
    make(on.file(name));
    await on.waitForEvents(1);
    expect(on.events[0]).toMatchObject({ loaded: false, message: expect.stringMatching(told) });
    expect((await on.create('Max')).status).toBe(201);
    rmSync(on.file(name), { recursive: true });
    on.write(name, name === 'api.yaml' ? contract(20) : 'pets: [{ id: 7, name: Rex }]\n');
    await on.waitForEvents(2);
    expect((await on.create('Bartholomew')).status).toBe(name === 'api.yaml' ? 201 : 400);
    expect(on.news.problem).toBeUndefined();
  });
});
