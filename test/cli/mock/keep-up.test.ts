import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { followFiles } from '../../../src/cli/mock/follow-files.js';
import { keepUp, type FileEvent } from '../../../src/cli/mock/keep-up.js';
import { readSettings } from '../../../src/cli/mock/settings.js';
import { createFileNews, type FileNews } from '../../../src/server/file-news.js';
import { setUp, type SetUp } from '../../../src/server/set-up.js';
import { startServer, type Serving } from '../../../src/server/start-server.js';

const HEADERS = { Authorization: 'Bearer petstore-dev-key', 'Content-Type': 'application/json' };

/** A contract of pets whose names have at most so many letters, and perhaps another path. */
const contract = (longest: number, more = ''): string => `openapi: 3.1.0
info: { title: Pets, version: '1' }
servers: [{ url: /v1 }]
paths:
  /pets:
    get:
      operationId: listPets
      responses:
        '200':
          description: All.
          content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Pet' } } } }
    post:
      operationId: createPet
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } }
      responses:
        '201':
          description: The pet.
          content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } }
  /pets/{petId}:
    get:
      operationId: getPet
      parameters: [{ name: petId, in: path, required: true, schema: { type: integer } }]
      responses:
        '200':
          description: The pet.
          content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } }
        '404': { description: None. }
${more}components:
  schemas:
    Pet:
      type: object
      required: [name]
      properties: { id: { type: integer, readOnly: true }, name: { type: string, maxLength: ${longest} } }
`;

const MORE = `  /health:
    get:
      operationId: getHealth
      responses: { '204': { description: Yes. } }
`;

let folder = '';
let server: Serving | undefined;
let news: FileNews;
let events: FileEvent[] = [];
let stop = (): void => {};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'petstore-watch-'));
  events = [];
});
afterEach(async () => {
  stop();
  await server?.close();
  rmSync(folder, { recursive: true });
});

const file = (name: string): string => join(folder, name);

async function start(...argv: string[]): Promise<void> {
  const read = (): ReturnType<typeof readSettings> => readSettings([...argv, '--port', '0'], {}, '1');
  const settings = await read();
  const ready = setUp(settings);
  news = createFileNews();
  server = await startServer(ready.worlds, { ...settings, news });
  const serve = (next: SetUp): void => server?.serve(next.worlds);
  stop = keepUp({ settings, ready, read, make: setUp, serve, news, tell: (event) => events.push(event) });
}

const ask = (path: string, init?: RequestInit): Promise<Response> =>
  fetch(`${server?.origin}/v1${path}`, { headers: HEADERS, ...init });

const create = (name: string): Promise<Response> => ask('/pets', { method: 'POST', body: JSON.stringify({ name }) });

async function listNames(): Promise<string[]> {
  return ((await (await ask('/pets')).json()) as { name: string }[]).map(({ name }) => name).sort();
}

async function waitForEvents(count: number): Promise<void> {
  await expect.poll(() => events.length, { timeout: 5000 }).toBe(count);
}

test('a change of the contract is live, and what clients created is kept where it allows it', async () => {
  writeFileSync(file('api.yaml'), contract(20));
  await start('--spec', file('api.yaml'), '--fixtures', 'empty');
  await create('Rex');
  await create('Bartholomew');
  writeFileSync(file('api.yaml'), contract(5, MORE));
  await waitForEvents(1);
  expect(events[0]).toMatchObject({ loaded: true, moved: { kept: 1, dropped: ['pets 2'] } });
  expect(events[0]?.message).toContain(
    '1 of 2 records that clients created are kept; the contract does not allow pets 2',
  );
  expect(await listNames()).toEqual(['Rex']);
  expect((await ask('/health')).status).toBe(204);
  expect((await create('Bartholomew')).status).toBe(400);
  expect(news).toMatchObject({ revision: 1, problem: undefined });
});

test('a document that cannot be used is told with file and line, and the last good one is served until it can', async () => {
  writeFileSync(file('api.yaml'), contract(20));
  await start('--spec', file('api.yaml'), '--fixtures', 'empty');
  await create('Rex');
  writeFileSync(file('api.yaml'), `${contract(20)}  : [`);
  await waitForEvents(1);
  expect(events[0]?.loaded).toBe(false);
  expect(events[0]?.message).toMatch(/api\.yaml:\d+.*What was loaded before is still served\.$/s);
  expect(news.problem).toBe(events[0]?.message);
  expect(await listNames()).toEqual(['Rex']);
  writeFileSync(file('api.yaml'), contract(20, MORE));
  await waitForEvents(2);
  expect(news.problem).toBeUndefined();
  expect([await listNames(), (await ask('/health')).status]).toEqual([['Rex'], 204]);
});

test('a file that an editor replaces is followed, and one that is touched is not loaded', async () => {
  writeFileSync(file('api.yaml'), contract(20));
  await start('--spec', file('api.yaml'), '--fixtures', 'empty');
  for (const [count, more] of [MORE, ''].entries()) {
    writeFileSync(file('.api.yaml.swp'), contract(20, more));
    renameSync(file('.api.yaml.swp'), file('api.yaml'));
    await waitForEvents(count + 1);
  }
  expect((await ask('/health')).status).toBe(404);
  writeFileSync(file('api.yaml'), contract(20));
  rmSync(file('api.yaml'));
  await new Promise((resolve) => setTimeout(resolve, 300));
  writeFileSync(file('api.yaml'), contract(20));
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(events).toHaveLength(2);
});

test('fixtures, profile and config are followed, and what only a start can change is told', async () => {
  writeFileSync(file('pack.yaml'), 'pets: [{ name: Rex, categoryId: 1 }]\n');
  writeFileSync(file('mock.yaml'), 'fixtures: pack.yaml\n');
  await start('--config', file('mock.yaml'));
  await ask('/pets', { method: 'POST', body: '{"name":"Max","categoryId":1}' });
  writeFileSync(file('pack.yaml'), 'pets: [{ name: Tux, categoryId: 1 }]\n');
  await waitForEvents(1);
  expect(await listNames()).toEqual(['Max', 'Tux']);
  writeFileSync(file('mock.yaml'), 'fixtures: pack.yaml\nport: 4999\nfault: "listPets:503"\n');
  await waitForEvents(2);
  expect(events[1]?.message).toMatch(/mock\.yaml changed and is loaded\./);
  writeFileSync(file('mock.yaml'), 'fixtures: gone.yaml\n');
  await waitForEvents(3);
  expect(events[2]).toMatchObject({ loaded: false, message: expect.stringContaining('gone.yaml') as string });
  expect(await listNames()).toEqual(['Max', 'Tux']);
});

test('journal, faults and choices stay, and the worlds too', async () => {
  writeFileSync(file('api.yaml'), contract(20));
  await start('--spec', file('api.yaml'), '--fixtures', 'empty');
  const admin = (path: string, init?: RequestInit): Promise<Response> =>
    fetch(`${server?.origin}/__admin${path}`, init);
  await fetch(`${server?.origin}/worlds/w/v1/pets`, { method: 'POST', headers: HEADERS, body: '{"name":"Rex"}' });
  await admin('/faults', {
    method: 'POST',
    headers: HEADERS,
    body: '{"operationId":"listPets","effect":{"status":503}}',
  });
  writeFileSync(file('api.yaml'), contract(20, MORE));
  await waitForEvents(1);
  expect((await ask('/pets')).status).toBe(503);
  expect(await (await admin('/worlds')).json()).toEqual({ worlds: ['default', 'w'] });
  expect(await (await admin('/requests/count?world=w')).json()).toEqual({ count: 1 });
  const kept = await fetch(`${server?.origin}/worlds/w/v1/pets/1`, { headers: HEADERS });
  expect(await kept.json()).toEqual({ id: 1, name: 'Rex' });
});

test('what is not followed any more is left alone', async () => {
  const seen: string[] = [];
  writeFileSync(file('a'), '1');
  const following = followFiles((paths) => seen.push(...paths));
  following.follow([file('a')]);
  writeFileSync(file('a'), '2');
  await expect.poll(() => seen, { timeout: 5000 }).toEqual([file('a')]);
  following.follow([]);
  writeFileSync(file('a'), '3');
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(seen).toHaveLength(1);
});
