import { cpSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startPetstoreMock, type PetstoreMock } from '../../../src/index.js';
import { openLasting } from '../../../src/server/lasting/open-lasting.js';
import { setUp } from '../../../src/server/set-up.js';
import { makeFolder } from '../../support/folder.js';

const RECORDS = 300;

/** A folder with so many pets: some in a snapshot, in files that the database has sorted, others in its log. */
async function fill(): Promise<string> {
  const folder = makeFolder();
  for (let round = 0; round < 3; round++) {
    const mock = await startPetstoreMock({ data: folder, fixtures: 'empty' });
    for (let nth = 0; nth < RECORDS / 3; nth++) await mock.pets.add({ name: `${round}-${nth}`, categoryId: nth });
    await mock.close();
  }
  return folder;
}

function listFiles(folder: string, inside = ''): string[] {
  return readdirSync(join(folder, inside)).flatMap((name) => {
    const path = join(inside, name);
    return statSync(join(folder, path)).isDirectory() ? listFiles(folder, path) : [path];
  });
}

/** Ways to damage a file, by their names. */
const offsets = [0, 0.1, 0.35, 0.5, 0.75, 0.9, 0.99];
const DAMAGES: [name: string, harm: (path: string) => void][] = [
  ['deleted', (path) => rmSync(path)],
  ['empty', (path) => writeFileSync(path, '')],
  ['zeroed', (path) => writeFileSync(path, Buffer.alloc(statSync(path).size))],
  ['one byte shorter', (path) => truncateSync(path, Math.max(0, statSync(path).size - 1))],
  ...offsets
    .slice(1, -1)
    .map((share): [string, (path: string) => void] => [
      `cut at ${share}`,
      (path) => truncateSync(path, Math.floor(statSync(path).size * share)),
    ]),
  ...offsets.map((share): [string, (path: string) => void] => [
    `a bit flipped at ${share}`,
    (path) => {
      const bytes = readFileSync(path);
      const at = Math.floor((bytes.length - 1) * share);
      if (bytes.length > 0) bytes[at] = (bytes[at] ?? 0) ^ 4;
      writeFileSync(path, bytes);
    },
  ]),
];

/** How many pets a start has; the message if it rejects the folder. */
async function count(folder: string): Promise<number | string> {
  let mock: PetstoreMock | undefined;
  try {
    mock = await startPetstoreMock({ data: folder, fixtures: 'empty' });
    return await mock.pets.count();
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    return code === 'unusable-data' ? message : `${code}: ${message}`;
  } finally {
    await mock?.close();
  }
}

test('after any damage to any file, a start has every record or rejects the folder, and a repair says how many it has', async () => {
  const whole = await fill();
  // A start sorts the log into tables, so it gets a copy.
  const copy = makeFolder();
  cpSync(whole, copy, { recursive: true });
  expect(await count(copy)).toBe(RECORDS);
  const rejected = new Map<string, string>();
  for (const file of listFiles(whole)) {
    for (const [name, harm] of DAMAGES) {
      const folder = makeFolder();
      cpSync(whole, folder, { recursive: true });
      harm(join(folder, file));
      const outcome = await count(folder);
      if (outcome === RECORDS) continue;
      expect(outcome, `${file} ${name}`).toMatch(/was damaged: .* start with --data-repair|later version/);
      expect(outcome).toContain(folder);
      rejected.set(`${file} ${name}`, folder);
    }
  }
  // The database's logs and tables, and what says which of them count, all have some that matters.
  expect(new Set([...rejected.keys()].map((each) => /\w+$/.exec(each.split(' ')[0] ?? '')?.[0])).size).toBeGreaterThan(
    3,
  );
  for (const [harm, folder] of [...rejected].filter((_, index) => index % 7 === 0)) {
    const told: string[] = [];
    const lasting = await openLasting({ data: folder, dataRepair: true, tell: (message) => told.push(message) });
    const { worlds } = setUp({ fixtures: 'empty', ...(lasting === undefined ? {} : { tracking: lasting.tracking }) });
    await lasting?.attach(worlds);
    await lasting?.close();
    const [, records] = /: repaired; (\d+) records? could be read/.exec(told.at(0) ?? '') ?? [];
    expect([harm, await count(folder)]).toEqual([harm, Number(records)]);
  }
});
