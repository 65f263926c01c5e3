// A create that is refused takes down what builds on it, and nothing else.
import { describe, expect, test } from 'vitest';
import type { RunResult } from '../../../../src/conformance/index.js';
import { object, text } from '../../resources/support/odd-resource.js';
import { describeShelf, serveShelf } from '../../resources/support/shelf.js';
import {
  describePaths,
  fail,
  judgeStranger,
  listTold,
  type Answer,
  type Asked,
  type Item,
} from '../../resources/support/stranger.js';

const SENT = object({ name: text }, ['name']);
const RECORD = object({ id: { type: 'integer', readOnly: true }, name: text }, ['id', 'name']);
const SIZE = { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 50, default: 20 } };
const DOCUMENT = describePaths(
  describeShelf({
    name: 'kites',
    record: RECORD,
    sent: SENT,
    query: [SIZE],
    methods: ['list', 'create', 'get', 'replace', 'update', 'remove'],
    refusals: {
      list: [400, 401],
      create: [400, 401, 409],
      get: [401, 404],
      replace: [400, 401, 404],
      update: [400, 401, 404],
      remove: [401, 404],
    },
  }),
  { components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } }, security: [{ token: [] }] },
);

type Service = { first?: readonly Item[]; answer?: (asked: Asked) => Answer | undefined };

async function judge({
  first = [
    { id: 1, name: 'Red' },
    { id: 2, name: 'Blue' },
  ],
  answer,
}: Service = {}): Promise<{ result: RunResult; written: string[] }> {
  const written: string[] = [];
  const serve = serveShelf(
    'kites',
    {
      refuse: () => fail(409, 'The season is over.'),
      answer: (asked) => {
        const { method, path, query, headers } = asked;
        const isOpen = headers['authorization'] === 'Bearer any';
        if (isOpen && method !== 'GET' && path.length > 1) written.push(`${method} ${path.join('/')}`);
        if (!isOpen) return fail(401);
        return answer?.(asked) ?? (/^(?:[1-9]|[1-4]\d|50)?$/.test(query.get('limit') ?? '') ? undefined : fail(400));
      },
      list: (items, { query }) => ({ status: 200, body: items.slice(0, Number(query.get('limit') ?? 20)) }),
    },
    first,
  );
  return { result: await judgeStranger(DOCUMENT, serve, ['kites/*']), written };
}

const verdictOf = ({ scenarios }: RunResult, id: string): string | undefined =>
  scenarios.find((each) => each.id === `kites/${id}`)?.verdict;

describe('where no record can be created', () => {
  test('what is there is read, and nothing of it is changed', async () => {
    const { result, written } = await judge();
    expect(listTold(result)).toEqual([]);
    for (const id of ['records/get', 'records/unknown', 'records/list', 'lists/limit[1]'])
      expect(`${id} ${verdictOf(result, id)}`).toBe(`${id} passed`);
    const ofCredentials = result.scenarios.filter(({ id }) => id.startsWith('kites/refusals/credentials['));
    expect(new Set(ofCredentials.map(({ verdict }) => verdict))).toEqual(new Set(['passed']));
    const ofBodies = result.scenarios.filter(({ id }) => id.startsWith('kites/refusals/create['));
    expect(new Set(ofBodies.map(({ verdict }) => verdict))).toEqual(new Set(['inconclusive']));
    expect(written).toEqual([]);
    expect(result.resources?.tested).toEqual(['kites']);
  });

  test('a defect of what only reads is told', async () => {
    const { result } = await judge({
      answer: ({ method, path: [, key] }) =>
        method === 'GET' && key !== undefined && Number(key) > 100 ? fail(500) : undefined,
    });
    expect(listTold(result)).toEqual([expect.stringMatching(/^kites_get fails with 500/)]);
  });

  test('a key that no record has is asked for, although there is none to read', async () => {
    const { result } = await judge({ first: [] });
    expect(verdictOf(result, 'records/unknown')).toBe('passed');
    expect(verdictOf(result, 'records/get')).toBe('inconclusive');
  });
});

test('of a record that is there, nothing is expected but that it is served: its values are its own', async () => {
  const soil = { type: 'string', default: 'clay' };
  const record = object({ id: { type: 'integer', readOnly: true }, name: text, soil }, ['id', 'name']);
  const document = describePaths(
    describeShelf({
      name: 'beds',
      record,
      sent: object({ name: text, soil }, ['name']),
      refusals: { create: [403, 400] },
    }),
  );
  const serve = serveShelf('beds', { refuse: () => fail(403, 'No room.') }, [{ id: 1, name: 'North', soil: 'sand' }]);
  expect(listTold(await judgeStranger(document, serve))).toEqual([]);
});
