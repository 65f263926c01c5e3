import { afterEach, describe, expect, test } from 'vitest';
import type { Change } from './server/behaviour.js';
import { isArray, isObject, parseJson, type JsonValue } from './server/exact-json.js';
import { mutantList, mutants, readings, type MutantId } from './mutants/index.js';
import { makeReplay } from './replay/requests.js';
import { recordTranscript } from './replay/record-transcript.js';
import { startMutationServer, startWith, type MutationServer } from './server/start-server.js';
import { variantList, variants, type VariantId } from './variants/index.js';

const servers: MutationServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function open(starting: Promise<MutationServer> = startMutationServer()): Promise<MutationServer> {
  const server = await starting;
  servers.push(server);
  return server;
}

interface Answer {
  status: number;
  body: JsonValue | undefined;
}

/** Sends a request with the key (or another), again when the mutation server is busy, and reads the answer exactly. */
async function ask(server: MutationServer, target: string, body?: string, key = server.apiKey): Promise<Answer> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const init = body === undefined ? { headers } : { method: 'POST', headers, body };
  const response = await fetch(server.url + target, init);
  const text = await response.text();
  if (response.status === 429 || response.status === 503) return ask(server, target, body, key);
  return { status: response.status, body: parseJson(text) };
}

function create(server: MutationServer, body: string): Promise<Answer> {
  return ask(server, '/pets', body);
}

function describeError({ status, body }: Answer): string {
  return isObject(body) ? `${status} ${typeof body.code} ${typeof body.message}` : `${status} without an object`;
}

/** What a server says to a list, two creations, a wrong key and an unknown id. */
async function summarize(server: MutationServer): Promise<unknown> {
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
const legal = {
  list: 200,
  isPage: true,
  created: 201,
  pet: ['Whiskers', 'sold'],
  invalid: '400 string string',
  wrongKey: '401 string string',
  unknown: '404 string string',
  crashes: [],
};

describe('the default mutation server', () => {
  test('keeps the interface', async () => {
    expect(await summarize(await open())).toEqual(legal);
  });

  test('lists twenty pets, or as many as limit says, oldest first', async () => {
    const server = await open();
    const { body } = await ask(server, '/pets');
    expect(isArray(body) && body.length).toBe(20);
    const { body: all } = await ask(server, '/pets?limit=100');
    expect(isArray(all) && all.length).toBe(45);
    expect(isArray(all) && all[0]).toEqual({ id: 101n, name: 'Bella Whiskers', categoryId: 1n, status: 'available' });
  });

  test('filters by status', async () => {
    const { body } = await ask(await open(), '/pets?status=pending&limit=100');
    expect(isArray(body) && body.map((pet) => isObject(pet) && pet.status)).toEqual(Array(10).fill('pending'));
  });

  test('keeps every digit of an int64 from creation to list and fetch', async () => {
    const server = await open();
    const { body } = await create(server, '{"name":"Big","categoryId":9223372036854775807}');
    expect(body).toEqual({ id: 146n, name: 'Big', categoryId: 9223372036854775807n });
    expect(await ask(server, '/pets/146')).toEqual({ status: 200, body });
    const { body: all } = await ask(server, '/pets?limit=100');
    expect(isArray(all) && all.at(-1)).toEqual(body);
  });

  test.each(['12', '12.0', '1.2e1', '1200e-2'])('reads the categoryId %s as 12', async (text) => {
    const { body } = await create(await open(), `{"name":"Rex","categoryId":${text}}`);
    expect(body).toEqual({ id: 146n, name: 'Rex', categoryId: 12n });
  });

  test.each(['1.5', '1e-1', '1e999999999', '9223372036854775808', '"12"'])(
    'refuses the categoryId %s',
    async (text) => {
      expect(describeError(await create(await open(), `{"name":"Rex","categoryId":${text}}`))).toBe(
        '400 string string',
      );
    },
  );

  test.each(['/pets?limit=0', '/pets?limit=101', '/pets?status=lost'])('refuses %s', async (target) => {
    expect(describeError(await ask(await open(), target))).toBe('400 string string');
  });

  test('counts its requests', async () => {
    const server = await open();
    await ask(server, '/pets');
    await ask(server, '/pets/101');
    expect(server.requests).toBe(2);
  });

  test('answers the same replay with the same bytes', async () => {
    const [first, second] = await Promise.all([record([]), record([])]);
    expect(second).toEqual(first);
    expect(first.length).toBeGreaterThan(150);
  });
});

describe('the registries', () => {
  const entries = [...mutantList, ...variantList];

  test('have kebab-case ids', () => {
    expect(entries.filter(({ id }) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id))).toEqual([]);
  });

  test.each(['id', 'title'] as const)('have no %s twice', (field) => {
    const values = entries.map((entry) => entry[field]);
    expect(values.filter((value, index) => values.indexOf(value) !== index)).toEqual([]);
  });

  test('use every reading of the interface that they explain', () => {
    const used = new Set(mutantList.flatMap(({ reading }) => reading ?? []));
    expect([...used].sort()).toEqual(Object.keys(readings).sort());
  });

  test('name the section that each mutant breaks', () => {
    expect(mutantList.filter(({ breaks }) => !/^\d[^:]*: ./.test(breaks))).toEqual([]);
  });
});

describe('every variant', () => {
  test.each(Object.keys(variants) as VariantId[])('%s keeps the interface', async (variant) => {
    expect(await summarize(await open(startMutationServer({ variant })))).toEqual(legal);
  });
});

/** What a mutation server with some changes answers to the fixed replay. */
async function record(changes: readonly Change[]): Promise<string[]> {
  const server = await open(startWith(changes));
  const transcript = await recordTranscript(server.url, makeReplay(server.apiKey));
  return [...transcript, ...server.crashes.map(String)];
}

describe('every mutant', () => {
  /** Mutants with the same needs are compared with the same plain transcript. */
  const plain = new Map<Change | undefined, Promise<string[]>>();

  test.each(Object.keys(mutants) as MutantId[])('%s shows in the replay', async (id) => {
    const { needs, change } = mutants[id];
    const base = needs === undefined ? [] : [needs];
    const pending = plain.get(needs) ?? record(base);
    plain.set(needs, pending);
    const [expected, actual] = await Promise.all([pending, record([...base, change])]);
    expect(actual.filter((line, index) => line !== expected[index])).not.toEqual([]);
    // The mutant is a difference in answers; a crash of the mutation server would be one too.
    expect(actual).toHaveLength(expected.length);
  });
});
