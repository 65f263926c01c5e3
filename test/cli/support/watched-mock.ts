import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { keepUp, type FileEvent } from '../../../src/cli/mock/keep-up.js';
import { setUpFrom } from '../../../src/cli/mock/follow-files.js';
import { readSettings } from '../../../src/cli/mock/settings.js';
import { createFileNews, type FileNews } from '../../../src/server/moving.js';
import type { SetUp } from '../../../src/server/set-up.js';
import { startServer, type Serving } from '../../../src/server/start-petstore-mock.js';

export const HEADERS = { Authorization: 'Bearer petstore-dev-key', 'Content-Type': 'application/json' };

/** A mock in this process that follows files of a folder of its own. */
export interface Watched {
  news: FileNews;
  events: FileEvent[];
  /** The path of a file in the folder. */
  file(name: string): string;
  write(name: string, text: string): void;
  start(...argv: string[]): Promise<void>;
  ask(path: string, init?: RequestInit): Promise<Response>;
  admin(path: string, init?: RequestInit): Promise<Response>;
  create(name: string): Promise<Response>;
  listNames(): Promise<string[]>;
  waitForEvents(count: number): Promise<void>;
}

/** Gives each test of a file such a mock. */
export function useWatched(): Watched {
  let folder = '';
  let server: Serving | undefined;
  let stop = (): void => {};
  const watched = {} as Watched;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'petstore-watch-'));
    watched.events = [];
  });
  afterEach(async () => {
    stop();
    await server?.close();
    rmSync(folder, { recursive: true });
  });
  watched.file = (name) => join(folder, name);
  watched.write = (name, text) => writeFileSync(watched.file(name), text);
  watched.start = async (...argv) => {
    const read = (): ReturnType<typeof readSettings> => readSettings([...argv, '--port', '0'], {}, '1');
    const settings = await read();
    const ready = setUpFrom(settings);
    const { events } = watched;
    watched.news = createFileNews();
    const serving = await startServer(ready.worlds, { ...settings, news: watched.news });
    server = serving;
    const serve = (next: SetUp): void => serving.serve(next.worlds);
    const tell = (event: FileEvent): void => void events.push(event);
    stop = keepUp({ settings, ready, read, make: setUpFrom, serve, news: watched.news, tell, pollMs: 20 });
  };
  watched.ask = (path, init) => fetch(`${server?.origin}/v1${path}`, { headers: HEADERS, ...init });
  watched.admin = (path, init) => fetch(`${server?.origin}/__admin${path}`, { headers: HEADERS, ...init });
  watched.create = (name) => watched.ask('/pets', { method: 'POST', body: JSON.stringify({ name }) });
  watched.listNames = async () =>
    ((await (await watched.ask('/pets')).json()) as { name: string }[]).map(({ name }) => name).sort();
  watched.waitForEvents = async (count) => {
    // oxlint-disable-next-line vitest/no-standalone-expect
    await expect.poll(() => watched.events.length).toBe(count);
  };
  return watched;
}

/** A contract of pets whose names have at most so many letters, and perhaps another path. */
export const contract = (longest: number, more = ''): string => `openapi: 3.1.0
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

/** A path more. */
export const MORE = `  /health:
    get:
      operationId: getHealth
      responses: { '204': { description: Yes. } }
`;
