import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { contract, useWatched } from '../support/watched-mock.js';

const on = useWatched();

/** The contract with the schema of a pet in a file of its own, and that of its name in yet another. */
const SPLIT = contract(0).replace(/ {4}Pet:\n[^]*$/, "    Pet: { $ref: 'parts/pet.yaml' }\n");
const PET =
  'type: object\nrequired: [name]\nproperties: { id: { type: integer, readOnly: true }, name: { $ref: name.yaml } }\n';
const name = (longest: number): string => `{ type: string, maxLength: ${longest} }\n`;

async function startSplit(): Promise<void> {
  mkdirSync(on.file('parts'));
  on.write('api.yaml', SPLIT);
  on.write('parts/pet.yaml', PET);
  on.write('parts/name.yaml', name(5));
  await on.start('--spec', on.file('api.yaml'), '--fixtures', 'empty');
}

const statusOf = async (given: string): Promise<number> => (await on.create(given)).status;

test('a file that another part of the contract refers to is followed', async () => {
  await startSplit();
  expect(await statusOf('Bartholomew')).toBe(400);
  on.write('parts/name.yaml', name(20));
  await on.waitForEvents(1);
  expect(on.events[0]?.files).toEqual([on.file('parts/name.yaml')]);
  expect(await statusOf('Bartholomew')).toBe(201);
});

test('a part that cannot be read keeps the last good contract, and is told with file and line', async () => {
  await startSplit();
  on.write('parts/name.yaml', '{ type: string,\n  maxLength: [\n');
  await on.waitForEvents(1);
  expect(on.events[0]).toMatchObject({ loaded: false, message: expect.stringMatching(/parts\/name\.yaml:\d+/) });
  expect(await statusOf('Bartholomew')).toBe(400);
  on.write('parts/name.yaml', name(20));
  await on.waitForEvents(2);
  expect(await statusOf('Bartholomew')).toBe(201);
});

test('a part that is referred to before it is there is followed, and what is gone is told', async () => {
  await startSplit();
  on.write('parts/pet.yaml', PET.replace('name.yaml', 'title.yaml'));
  await on.waitForEvents(1);
  expect(on.events[0]).toMatchObject({ loaded: false, message: expect.stringContaining('title.yaml') });
  on.write('parts/title.yaml', name(20));
  await on.waitForEvents(2);
  expect(await statusOf('Bartholomew')).toBe(201);
  renameSync(on.file('api.yaml'), on.file('other.yaml'));
  await on.waitForEvents(3);
  expect(on.events[2]).toMatchObject({ loaded: false, message: expect.stringContaining('there is no such file') });
  expect(await statusOf('Max')).toBe(201);
  renameSync(on.file('other.yaml'), on.file('api.yaml'));
  await on.waitForEvents(4);
  expect(on.news.problem).toBeUndefined();
});

test('a link that is made to lead elsewhere is followed', async () => {
  for (const [folder, longest] of [
    ['one', 5],
    ['two', 20],
  ] as const) {
    mkdirSync(on.file(folder));
    on.write(`${folder}/api.yaml`, contract(longest));
  }
  symlinkSync('one', on.file('data'));
  await on.start('--spec', on.file('data/api.yaml'), '--fixtures', 'empty');
  rmSync(on.file('data'));
  symlinkSync('two', on.file('data'));
  await on.waitForEvents(1);
  expect(await statusOf('Bartholomew')).toBe(201);
});

test('what is odd in a document since it changed is told', async () => {
  on.write('api.yaml', contract(20));
  await on.start('--spec', on.file('api.yaml'), '--fixtures', 'empty');
  on.write('api.yaml', contract(20).replace('type: string, maxLength', 'type: strong, maxLength'));
  await on.waitForEvents(1);
  expect(on.news.lost).toMatch(/api\.yaml:\d+/);
});
