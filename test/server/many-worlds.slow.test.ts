import { Agent, request } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startPetstoreMock, type PetstoreMock } from '../../src/index.js';

const WORLDS = 200;
const ROUNDS = 5;

let mock: PetstoreMock;
let agent: Agent;

beforeEach(async () => {
  mock = await startPetstoreMock();
  agent = new Agent({ keepAlive: true, maxSockets: 32 });
});
afterEach(async () => {
  agent.destroy();
  await mock.close();
});

const nameOf = (index: number): string => `w${index}`;

/** Creates a pet that carries the world's name and its round, and gives back what came. */
function create(index: number, round: number): Promise<{ id: number; name: string }> {
  const body = JSON.stringify({ name: `${nameOf(index)} ${round}`, categoryId: index });
  // Every second world is named by the header.
  const byHeader = index % 2 === 0;
  const headers = {
    authorization: 'Bearer petstore-dev-key',
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...(byHeader ? { 'x-petstore-world': nameOf(index) } : {}),
  };
  const url = byHeader ? mock.url : mock.url.replace('/v1', `/worlds/${nameOf(index)}/v1`);
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/pets`, { method: 'POST', headers, agent }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve(JSON.parse(text) as { id: number; name: string }));
    });
    sent.on('error', reject).end(body);
  });
}

async function useAllWorlds(): Promise<void> {
  const all = Array.from({ length: WORLDS }, (_, index) => index);
  await Promise.all(
    all.map(async (index) => {
      for (let round = 1; round <= ROUNDS; round++) {
        const { id, name } = await create(index, round);
        if (id !== 50 + round || name !== `${nameOf(index)} ${round}`) {
          throw new Error(`${nameOf(index)} got ${id} ${name} in round ${round}`);
        }
      }
    }),
  );
}

const collectGarbage = (() => {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
})();

function heapUsed(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

test('memory is flat when worlds are used, reset and dropped again and again', async () => {
  const cycle = async (): Promise<number> => {
    await useAllWorlds();
    for (let index = 0; index < WORLDS; index++) {
      const world = mock.world(nameOf(index));
      await world.snapshots.save('here');
      await world.reset();
      await world.drop();
    }
    return heapUsed();
  };
  await cycle();
  const before = await cycle();
  for (let round = 0; round < 3; round++) await cycle();
  const after = heapUsed();
  expect(await mock.worlds()).toEqual(['default']);
  // What 200 worlds hold is some 10 MB; a tenth of it that stayed would show after three rounds.
  expect(after - before).toBeLessThan(3_000_000);
});
