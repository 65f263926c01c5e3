// RFC 9110 section 15.3.3: a 202 says that a request was accepted, not that it was carried out.
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { RunResult } from '../../../src/conformance/index.js';
import { content, inPath } from '../../support/open-paths.js';
import { integer, object, text } from '../resources/support/odd-resource.js';
import { listTold, fail, type Answer, type Item } from '../resources/support/stranger.js';
import { ALL, id, name, runStranger } from '../resources/support/strangers.js';

/** Time passes slower: a scenario may wait for long, and a run ends with a short wait all the same. */
const SLOWER = 20;

beforeEach(() => {
  const now = performance.now.bind(performance);
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => now() / SLOWER);
  onTestFinished(() => spy.mockRestore());
});

const record = object({ id, name, size: integer }, ['name']);
const { id: _, ...sent } = record.properties as Record<string, object>;

/** A kite is there once it was asked for so many times. */
const judge = (
  looks: number,
  {
    methods = [...ALL] as (typeof ALL)[number][],
    accepted = record,
    accept = (created: Answer): Answer => created,
    only = ['kites/records/*', 'kites/changes/remove*', 'kites/changes/update'],
    settleMs = 3000 / SLOWER,
  } = {},
): Promise<RunResult> => {
  const asked = new Map<string, number>();
  const isThere = (key: unknown): boolean => (asked.get(String(key)) ?? 0) >= looks;
  const look = (key: unknown): unknown => asked.set(String(key), (asked.get(String(key)) ?? 0) + 1);
  const job = {
    operationId: 'readJob',
    responses: { 200: content(object({ state: text })), 404: content(object({})) },
  };
  return runStranger({
    plan: { name: 'kites', record, sent: object(sent, ['name']), methods },
    paths: (paths) => {
      const create = paths['/kites']?.['post'];
      if (create !== undefined) create.responses = { 202: content(accepted), 400: content(object({ message: text })) };
      return { ...paths, '/jobs/{job}': { parameters: [inPath('job', 'string')], get: job } };
    },
    habits: () => ({
      answer: ({ method, path: [, key] }) => {
        if (key === undefined || isThere(key)) return undefined;
        if (method === 'GET') look(key);
        return isThere(key) ? undefined : fail(404);
      },
      list: (items) => {
        for (const each of items) look(each['id']);
        return { status: 200, body: items.filter((each) => isThere(each['id'])) };
      },
    }),
    serve: (__, shelf) => (request) => {
      const answer = shelf(request);
      return answer.status === 201 ? accept({ ...answer, status: 202 }) : answer;
    },
    only,
    options: { settleMs },
  });
};

const accept = ({ status, body }: Answer): Answer => {
  const { id: __, ...own } = body as Item;
  return { status, body: own, headers: { Location: '/jobs/4711' } };
};

test.each<[string, number, Parameters<typeof judge>[1]]>([
  ['before it is changed or removed', 10, {}],
  [
    'in the list, where it can only be listed',
    3,
    { methods: ['list', 'create', 'remove'], only: ['kites/records/*', 'kites/changes/*'] },
  ],
  ['where the address of a job is not its own', 10, { accepted: object(sent, ['name']), accept }],
])('a record whose creation was accepted is waited for %s', async (__, least, options) => {
  const result = await judge(3, options);
  expect(listTold(result)).toEqual([]);
  expect(result.summary.passed).toBeGreaterThan(least);
  expect(result.leftBehind).toBeUndefined();
});

test('one that never comes leaves what builds on it open, and says how to wait longer', async () => {
  const result = await judge(Infinity, { settleMs: 20 / SLOWER });
  expect(listTold(result)).toEqual([]);
  const open = result.scenarios.find(({ verdict }) => verdict === 'inconclusive');
  expect(open?.reason).toMatch(/202; --settle waits longer/);
});
