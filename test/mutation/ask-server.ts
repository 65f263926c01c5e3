import { onTestFinished } from 'vitest';
import { recordTranscript } from './replay/record-transcript.js';
import { makeReplay } from './replay/requests.js';
import type { Change } from './server/behaviour.js';
import { isArray, isObject, parseJson, type JsonValue } from './server/exact-json.js';
import { startMutationServer, startWith, type MutationServer } from './server/start-server.js';

export async function open(starting: Promise<MutationServer> = startMutationServer()): Promise<MutationServer> {
  const server = await starting;
  onTestFinished(() => server.close());
  return server;
}

interface Answer {
  status: number;
  body: JsonValue | undefined;
}

/** Sends a request with the key (or another), again when the mutation server is busy, and reads the answer exactly. */
export async function ask(server: MutationServer, target: string, body?: string, key = server.apiKey): Promise<Answer> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const init = body === undefined ? { headers } : { method: 'POST', headers, body };
  const response = await fetch(server.url + target, init);
  const text = await response.text();
  if (response.status === 429 || response.status === 503) return ask(server, target, body, key);
  return { status: response.status, body: parseJson(text) };
}

export function create(server: MutationServer, body: string): Promise<Answer> {
  return ask(server, '/pets', body);
}

export function describeError({ status, body }: Answer): string {
  return isObject(body) ? `${status} ${typeof body.code} ${typeof body.message}` : `${status} without an object`;
}

/** What a server says to a list, two creations, a wrong key and an unknown id. */
export async function summarize(server: MutationServer): Promise<unknown> {
  const list = await ask(server, '/pets');
  const items = isArray(list.body) ? list.body : [];
  const categoryId = isObject(items[0]) && typeof items[0].categoryId === 'bigint' ? items[0].categoryId : 1n;
  const created = await create(server, `{"name":"Whiskers","categoryId":${categoryId},"status":"sold"}`);
  return {
    list: list.status,
    isPage: isArray(list.body) && items.length <= 20 && items.every(isObject),
    created: created.status,
    pet: isObject(created.body) && [created.body.name, created.body.status],
    invalid: describeError(await create(server, '{"name":"Whiskers"}')),
    wrongKey: describeError(await ask(server, '/pets', undefined, 'wrong')),
    unknown: describeError(await ask(server, '/pets/8675309123')),
    crashes: server.crashes,
  };
}

/** {@link summarize} of any legal server. */
export const legal = {
  list: 200,
  isPage: true,
  created: 201,
  pet: ['Whiskers', 'sold'],
  invalid: '400 string string',
  wrongKey: '401 string string',
  unknown: '404 string string',
  crashes: [],
};

/** What a mutation server with some changes answers to the fixed replay. */
export async function record(changes: readonly Change[]): Promise<string[]> {
  const server = await open(startWith(changes));
  const transcript = await recordTranscript(server.url, makeReplay(server.apiKey));
  return [...transcript, ...server.crashes.map(String)];
}
