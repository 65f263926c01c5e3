import { afterEach, beforeEach, expect, test } from 'vitest';
import { startPetstoreMock, type PetstoreMock } from '../../../src/index.js';
import { handleRequest } from '../../../src/mock/handle-request.js';
import { setUp } from '../../../src/server/set-up.js';
import { startServer } from '../../../src/server/start-petstore-mock.js';
import { KEY, startMock } from '../../support/started-mock.js';

const REQUEST = { method: 'GET', path: '/v1/nothing', mountPath: '', query: '', headers: {}, body: undefined };

interface Batch {
  rows: { id: number; url: string; reason?: string }[];
  skipped: number;
  oldest: number;
  worlds: string[];
  injected: { faults: number; delay?: object; clock?: { shift: number; frozen?: number }; choices: number };
}

let mock: PetstoreMock;
const leaving: AbortController[] = [];

beforeEach(async () => void (mock = await startMock()));
afterEach(() => {
  for (const each of leaving.splice(0)) each.abort();
});

/** Reads batches until one is as it is waited for. */
async function openFeed(
  query = '',
  url = mock.adminUrl,
): Promise<(isWanted: (batch: Batch) => boolean) => Promise<Batch>> {
  const abort = new AbortController();
  leaving.push(abort);
  const response = await fetch(`${url}/console/feed${query}`, { signal: abort.signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return async (isWanted) => {
    for (;;) {
      const [event, ...rest] = text.split('\n\n');
      if (rest.length > 0 && event !== undefined) {
        text = rest.join('\n\n');
        if (!event.startsWith('data: ')) continue;
        const batch = JSON.parse(event.slice(6)) as Batch;
        if (isWanted(batch)) return batch;
        continue;
      }
      const { done, value } = (await reader?.read()) ?? { done: true };
      if (done) throw new Error('the feed has ended');
      text += value ?? '';
    }
  };
}

const ask = (path: string): Promise<Response> => fetch(`${mock.url}${path}`, { headers: KEY });

test('begins with what the journal has, goes on with what comes, and says that it was emptied', async () => {
  await ask('/pets');
  const next = await openFeed();
  expect((await next(() => true)).rows).toMatchObject([{ url: '/v1/pets' }]);
  await ask('/pets/1');
  const { rows } = await next((batch) => batch.rows.length > 0);
  expect(rows).toMatchObject([{ url: '/v1/pets/1' }]);
  await mock.reset();
  expect((await next(() => true)).oldest).toBeGreaterThan(rows[0]?.id ?? Infinity);
});

test('is of one world, tells which there are, and goes on when its world is dropped and named again', async () => {
  const world = mock.world('w');
  const next = await openFeed('?world=w');
  expect((await next(() => true)).worlds).toEqual(['default', 'w']);
  await ask('/pets');
  const readPet = () => fetch(`${world.url}/pets/1`, { headers: KEY });
  await readPet();
  expect((await next(({ rows }) => rows.length > 0)).rows).toMatchObject([{ url: '/worlds/w/v1/pets/1' }]);
  await world.drop();
  await next(({ worlds }) => worlds.length === 1);
  await readPet();
  expect((await next(({ rows }) => rows.some(({ url }) => url.startsWith('/worlds/w')))).worlds).toContain('w');
});

test('keeps no more than it can tell, and says how many it left out', async () => {
  const { worlds } = setUp({ fixtures: 'one' });
  const server = await startServer(worlds, { host: '127.0.0.1', port: 0, cors: true });
  const next = await openFeed('', `${server.origin}/__admin`);
  await next(() => true);
  // All in one turn, so that nothing is told in between.
  for (let index = 0; index < 1600; index += 1) handleRequest(REQUEST, worlds.default);
  let seen = 0;
  let left = 0;
  await next(({ rows, skipped }) => {
    left += skipped;
    return (seen += rows.length + skipped) >= 1600;
  });
  expect(seen).toBe(1600);
  expect(left).toBeGreaterThanOrEqual(500);
  await server.close();
});

test('what steers a screen is spelled out, and long texts are cut', async () => {
  const next = await openFeed();
  await next(() => true);
  await ask(`/pets?status=%1b%5b31m‮${'x'.repeat(5000)}`);
  const { rows } = await next((batch) => batch.rows.length > 0);
  expect(rows[0]?.url.length).toBeLessThanOrEqual(500);
  expect(rows[0]?.reason?.length).toBeLessThanOrEqual(300);
  expect(JSON.stringify(rows)).not.toContain('‮');
});

test('does not hold up the end of the mock', async () => {
  // Longer than the test may take: what is under way would be waited for as long.
  const draining = await startPetstoreMock({ drain: 86_400 });
  const next = await openFeed('', draining.adminUrl);
  await next(() => true);
  await expect(draining.close()).resolves.toBeUndefined();
});

test('tells what is injected into the world, as soon as it is and until it is no more', async () => {
  const next = await openFeed();
  expect((await next(() => true)).injected).toEqual({ faults: 0, choices: 0 });
  await mock.faults.add({ operationId: 'listPets', effect: { status: 503 }, times: 1 });
  await next(({ injected }) => injected.faults === 1);
  await mock.delay.set({ from: 1, to: 2 });
  expect((await next(({ injected }) => injected.delay !== undefined)).injected.delay).toEqual({ from: 1, to: 2 });
  await mock.clock.freeze('2030-12-05');
  const { clock } = (await next(({ injected }) => injected.clock !== undefined)).injected;
  expect(clock?.frozen).toBe(Date.parse('2030-12-05'));
  await mock.profile.choose({ 'list-order': 'oldest-first' });
  await next(({ injected }) => injected.choices === 1);
  // A fault that has struck as often as it may strikes no more.
  await ask('/pets');
  await next(({ injected }) => injected.faults === 0);
  await mock.reset();
  await mock.profile.reset();
  expect((await next(({ injected }) => injected.choices === 0)).injected).toEqual({ faults: 0, choices: 0 });
});

test('a clock that was set and runs is told by its distance, and a date of the start is told, too', async () => {
  const next = await openFeed('', (await startMock({ now: '2031-01-01' })).adminUrl);
  const { clock } = (await next(() => true)).injected;
  expect(new Date(Date.now() + (clock?.shift ?? 0)).toISOString()).toMatch(/^2031-01-01/);
});
