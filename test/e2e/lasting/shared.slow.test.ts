import { expect, test } from 'vitest';
import { createRandom } from '../../../src/mock/world/clock.js';
import { runConformance } from '../../../src/conformance/index.js';
import { startEngine } from '../../server/lasting/support/redis.js';
import { startBalancer } from './support/balancer.js';
import {
  haveCaughtUp,
  createMany,
  listAll,
  lostOf,
  originOf,
  startReplica,
  startThree,
  type Replica,
} from './support/programs.js';

const APPEND_ONLY = ['--appendonly', 'yes'];

test('the suite finds nothing wrong with three replicas behind a balancer', async () => {
  const engine = await startEngine();
  const replicas = await startThree(engine, 'default');
  const target = `${await startBalancer(() => replicas.map(originOf))}/v1`;
  const result = await runConformance({ target, apiKey: 'petstore-dev-key', timeoutMs: 200_000 });
  expect(result.summary).toMatchObject({ deviated: 0, inconclusive: 0 });
});

test.each([
  ['with an append-only file', APPEND_ONLY],
  ['without an append-only file', []],
])('replicas and the engine (%s) are killed while clients write: nothing is lost', async (_name, options) => {
  const engine = await startEngine(...options);
  const replicas = await startThree(engine);
  const base = await startBalancer(() => replicas.map(originOf));
  const random = createRandom(options.length + 1);
  let next = 500;
  let trouble: Promise<void> = Promise.resolve();
  let kills = 0;
  const kill = async (): Promise<void> => {
    kills += 1;
    if (random() < 0.4) {
      await engine.kill();
      await engine.start();
      // The replicas hold what the engine lost; they are not killed before it has it again.
      await haveCaughtUp(replicas);
      return;
    }
    const at = Math.floor(random() * replicas.length);
    replicas[at]?.process.kill('SIGKILL');
    await replicas[at]?.exited;
    replicas[at] = await startReplica(engine);
  };
  const told = await createMany(base, 5000, (nth) => {
    if (nth < next) return;
    next += 700;
    trouble = trouble.then(kill);
  });
  await trouble;
  expect(kills).toBeGreaterThan(5);
  const all = await Promise.all(replicas.map(listAll));
  for (const there of all) {
    expect(lostOf(told, there)).toEqual([]);
    expect(there).toEqual(all[0]);
  }
});

test.each([
  [APPEND_ONLY, 'nothing', 0],
  [[], 'everything', 200],
])('when the engine (%j) and all replicas are killed, %s is lost', async (options, _what, lost) => {
  const engine = await startEngine(...options);
  const replicas = await startThree(engine);
  const told = await createMany(originOf(replicas[0] as Replica), 200);
  for (const each of replicas) each.process.kill('SIGKILL');
  await Promise.all(replicas.map(({ exited }) => exited));
  await engine.kill();
  await engine.start();
  expect(lostOf(told, await listAll(await startReplica(engine)))).toHaveLength(lost);
});
