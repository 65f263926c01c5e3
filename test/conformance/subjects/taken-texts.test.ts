// What only one record may have, no change gives to another.
import { expect, test } from 'vitest';
import { content } from '../../support/open-paths.js';
import { object, text, type Schema } from './support/odd-resource.js';
import { describeShelf, serveShelf } from './support/shelf.js';
import { describePaths, fail, judgeStranger, listTold, type Item } from './support/stranger.js';

const RECORD = { name: { ...text, minLength: 1 }, wheels: { type: 'integer', minimum: 0, example: 4 } };
const VANS = describePaths(
  describeShelf({
    name: 'vans',
    record: object({ id: { type: 'integer', readOnly: true }, ...RECORD }, ['id', 'name']),
    sent: object(RECORD, ['name']),
    methods: ['list', 'create', 'get', 'replace', 'update', 'remove'],
    refusals: { create: [400, 409], replace: [400, 404, 409], update: [400, 404, 409] },
  }),
);

/** Where names are looked at by none of these methods, or a change leaves the name as it is. */
async function judge(unchecked: readonly string[], isFixed = false): Promise<{ told: string[]; passed: string[] }> {
  const serve = serveShelf('vans', {
    refuse: (body, { method, path }, items) => {
      const { name, wheels = 0 } = body;
      const isName = (typeof name === 'string' && name !== '') || (name === undefined && method === 'PATCH');
      if (!isName || typeof wheels !== 'number' || !Number.isInteger(wheels) || wheels < 0) return fail(400);
      if (unchecked.includes(method) || (isFixed && method !== 'POST')) return undefined;
      const isTaken = items.some((other) => other['name'] === name && String(other['id']) !== path[1]);
      return isTaken ? fail(409) : undefined;
    },
    answer: ({ method, path, body }, items) => {
      const found = items.find(({ id }) => String(id) === path[1]);
      if (isFixed && found !== undefined && method === 'PATCH') Object.assign(body as Item, { name: found['name'] });
      return undefined;
    },
  });
  const result = await judgeStranger(VANS, serve, ['vans/changes/*-taken*'], { concurrency: 1 });
  const passed = result.scenarios.filter(({ verdict }) => verdict === 'passed').map(({ id }) => id);
  return { told: listTold(result), passed: passed.filter((id) => id.includes('taken')) };
}

const BOTH = ['vans/changes/replace-taken[texts]', 'vans/changes/update-taken[texts]'];
const TOLD = 'A change gives a record the `name` of another, with which a create is refused (vans)';

test('a service that refuses what is taken has no problem', async () => {
  const { told, passed } = await judge([]);
  expect({ told, passed: passed.toSorted() }).toEqual({ told: [], passed: BOTH });
});

test.each(['PUT', 'PATCH'])('a name of another that %s takes is told', async (method) => {
  expect((await judge([method])).told).toEqual([TOLD]);
});

test('an update that leaves the name as it is gives nobody that of another', async () => {
  expect(await judge(['PUT'], true)).toMatchObject({ told: [TOLD], passed: [BOTH[1]] });
});

test('where two records may have one name, nothing is looked for', async () => {
  expect(await judge(['POST', 'PUT', 'PATCH'])).toEqual({ told: [], passed: [] });
});

/** Whose code stays as it was created, and is in no update. */
const CODED = { code: { ...text, minLength: 1, example: 'A-1' }, name: RECORD.name };
const PATHS = describeShelf({
  name: 'vans',
  record: object({ id: { type: 'integer', readOnly: true }, ...CODED }, ['id', 'code', 'name']),
  sent: object(CODED, ['code', 'name']),
  methods: ['list', 'create', 'get', 'update', 'remove'],
  refusals: { create: [400, 409], update: [400, 404, 409] },
}) as Record<string, Record<string, Schema>>;
Object.assign(PATHS['/vans/{id}']?.['patch'] ?? {}, {
  requestBody: { required: true, ...content(object({ name: RECORD.name })) },
});

test('a name that any record may have is not taken because another text is', async () => {
  const serve = serveShelf('vans', {
    refuse: ({ code, name }, { method }, items) => {
      if (typeof name !== 'string' || (method === 'POST' && typeof code !== 'string')) return fail(400);
      return method === 'POST' && items.some((other) => other['code'] === code) ? fail(409) : undefined;
    },
  });
  // Its own records show that the code has to be another each time.
  const only = ['vans/records/*', 'vans/changes/*-taken*'];
  const { scenarios, ...result } = await judgeStranger(describePaths(PATHS), serve, only, { concurrency: 1 });
  expect(listTold({ scenarios, ...result })).toEqual([]);
  const { reason } = scenarios.find(({ id }) => id === BOTH[1]) ?? {};
  expect(reason).toBe('the service takes two such records');
});

test('what reads show late is not missing', async () => {
  const madeAt = new Map<unknown, number>();
  const serve = serveShelf('vans', {
    refuse: ({ name }, { path }, items) =>
      items.some((other) => other['name'] === name && String(other['id']) !== path[1]) ? fail(409) : undefined,
    answer: ({ method, path: [, key] }, items) => {
      for (const { id } of items) if (!madeAt.has(id)) madeAt.set(id, performance.now());
      const isLate = performance.now() - (madeAt.get(Number(key)) ?? 0) < 120;
      return method === 'GET' && key !== undefined && isLate ? fail(404) : undefined;
    },
  });
  const late = { settleMs: 2000, concurrency: 1 };
  expect(listTold(await judgeStranger(VANS, serve, ['vans/changes/*-taken*'], late))).toEqual([]);
});
