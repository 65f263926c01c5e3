import { expect, onTestFinished } from 'vitest';
import { createRandom } from '../../../../src/mock/world/clock.js';
import { makeFolder } from '../../../support/folder.js';
import { startProgram, type Running } from '../../../support/run-program.js';

const HEADERS = { authorization: 'Bearer petstore-dev-key', 'content-type': 'application/json' };
const CLIENTS = 6;

/** What clients were told, by the id of the pet. */
type Told = Map<number, string>;

interface Target {
  running: Running & { url: string };
  told: Told;
  /** After so many answers the mock is killed. */
  most: number;
}

/** Creates, changes and removes pets until the mock is killed, and notes what it was told. */
async function write({ running, told, most }: Target, client: number, tell: () => number): Promise<void> {
  for (let nth = 0; ; nth++) {
    const name = `c${client}-${nth}`;
    try {
      const response = await fetch(`${running.url}/pets`, {
        method: 'POST',
        headers: HEADERS,
        body: JSON.stringify({ name, categoryId: client }),
      });
      const { id } = (await response.json()) as { id: number };
      if (response.status !== 201) throw new Error(`answered with ${response.status}`);
      expect(told.has(id), `the id ${id} was given twice`).toBe(false);
      told.set(id, name);
    } catch (error) {
      if (running.process.killed) return;
      throw error;
    }
    if (tell() >= most) running.process.kill('SIGKILL');
  }
}

/** Kills a mock so many times at random while clients write, and compares what is there with what they were told. Returns how many pets there are. */
export async function killAndCompare(rounds: number, seed: number): Promise<number> {
  const random = createRandom(seed);
  const folder = makeFolder();
  const told: Told = new Map();
  for (let round = 0; round < rounds; round++) {
    const running = await startProgram(['--log', 'json', '--fixtures', 'empty', '--data', folder]);
    onTestFinished(() => void running.process.kill('SIGKILL'));
    await compare(running, told);
    let count = 0;
    const target = { running, told, most: 1 + Math.floor(random() * 60) };
    await Promise.all(Array.from({ length: CLIENTS }, (_, client) => write(target, client, () => (count += 1))));
    await running.exited;
  }
  return told.size;
}

/** Everything that was acknowledged is there, once; at most what was under way is there as well. */
async function compare({ url }: { url: string }, told: Told): Promise<void> {
  const admin = url.replace(/\/v1$/, '/__admin');
  const pets = (await (await fetch(`${admin}/pets`)).json()) as { id: number; name: string }[];
  const there = new Map(pets.map(({ id, name }) => [id, name]));
  expect(there.size).toBe(pets.length);
  expect([...told].filter(([id, name]) => there.get(id) !== name)).toEqual([]);
  const untold = pets.filter(({ id }) => !told.has(id));
  expect(untold.length).toBeLessThanOrEqual(CLIENTS);
  // From here on they are like the others.
  for (const { id, name } of untold) told.set(id, name);
}
