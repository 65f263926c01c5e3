import { expect, onTestFinished } from 'vitest';
import type { TestEngine } from '../../../server/lasting/support/redis.js';
import { eventually } from '../../../support/eventually.js';
import { startProgram, type Running } from '../../../support/run-program.js';

export type Replica = Running & { url: string };

const HEADERS = { authorization: 'Bearer petstore-dev-key', 'content-type': 'application/json' };
const CLIENTS = 128;

export async function startReplica({ url }: TestEngine, fixtures = 'empty'): Promise<Replica> {
  const args = ['--log', 'json', '--port', '0', '--fixtures', fixtures];
  const running = await startProgram(args, { env: { PETSTORE_MOCK_SHARED: url } });
  onTestFinished(() => void running.process.kill('SIGKILL'));
  return running;
}

export async function startThree(engine: TestEngine, fixtures?: string): Promise<Replica[]> {
  const first = await startReplica(engine, fixtures);
  return [first, ...(await Promise.all([1, 2].map(() => startReplica(engine, fixtures))))];
}

export const originOf = ({ url }: Replica): string => new URL(url).origin;

/** What clients were told, by the id of the pet. */
export type Told = Map<number, string>;

/**
 * Creates so many pets from many clients. Calls back with the number of each answer. What was refused, or lost with a
 * connection, may have been done, and is not sent again; `unsure` gets its names, and why.
 */
export async function createMany(
  base: string,
  most: number,
  onAnswer: (nth: number) => void = () => {},
  unsure = new Map<string, string>(),
): Promise<Told> {
  const told: Told = new Map();
  let sent = 0;
  let answered = 0;
  const work = async (): Promise<void> => {
    while (sent < most) {
      const name = `pet ${(sent += 1)}`;
      try {
        const body = JSON.stringify({ name, categoryId: 1 });
        const response = await fetch(`${base}/v1/pets`, { method: 'POST', headers: HEADERS, body });
        const { id } = (await response.json()) as { id: number };
        if (response.status === 201) {
          expect(told.has(id), `the id ${id} was given twice`).toBe(false);
          told.set(id, name);
        } else {
          expect([502, 503]).toContain(response.status);
          unsure.set(name, String(response.status));
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      } catch (error) {
        // The connection of a killed replica.
        if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error;
        unsure.set(name, error.message);
      }
      onAnswer((answered += 1));
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, work));
  return told;
}

export async function listAll(replica: Replica): Promise<Map<number, string>> {
  const pets = await eventually(async () => {
    const response = await fetch(`${originOf(replica)}/__admin/pets`);
    expect(response.status).toBe(200);
    return (await response.json()) as { id: number; name: string }[];
  });
  const there = new Map(pets.map(({ id, name }) => [id, name]));
  expect(there.size).toBe(pets.length);
  expect(new Set(there.values()).size).toBe(pets.length);
  return there;
}

export const lostOf = (told: Told, there: Told): [number, string][] =>
  [...told].filter(([id, name]) => there.get(id) !== name);

/** Waits until each replica knows that Redis has what it has: only a request that asks Redis shows that. */
export async function haveCaughtUp(replicas: readonly Replica[]): Promise<void> {
  await eventually(async () => {
    for (const each of replicas) {
      const response = await fetch(`${originOf(each)}/v1/pets?limit=1`, { headers: HEADERS });
      expect(response.status).toBe(200);
    }
  });
}
