// RFC 9110 section 15.3.3: a 202 says that a request was accepted, not that it was carried out.
import { expect, test } from 'vitest';
import { content, inPath } from '../../support/open-paths.js';
import { object, text } from '../resources/support/odd-resource.js';
import { describeShelf, serveShelf } from '../resources/support/shelf.js';
import {
  describePaths,
  fail,
  judgeStranger,
  listTold,
  type Answer,
  type Item,
  type Serve,
} from '../resources/support/stranger.js';

const RECORD = object({ id: { type: 'integer', readOnly: true }, name: text, size: { type: 'integer' } }, [
  'id',
  'name',
]);
const SENT = object({ name: text, size: { type: 'integer' } }, ['name']);
const METHODS = ['list', 'create', 'get', 'replace', 'update', 'remove'] as const;

function describeKites({
  methods = METHODS,
  accepted = content(RECORD),
}: { methods?: readonly (typeof METHODS)[number][]; accepted?: object } = {}): object {
  const paths = describeShelf({ name: 'kites', record: RECORD, sent: SENT, methods });
  const create = (paths['/kites'] as { post: { responses: object } }).post;
  create.responses = { 202: accepted, 400: content(object({ message: text })) };
  const job = {
    get: {
      operationId: 'readJob',
      responses: { 200: content(object({ state: text })), 404: content(object({ message: text })) },
    },
  };
  return describePaths({ ...paths, '/jobs/{job}': { parameters: [{ ...inPath('job'), schema: text }], ...job } });
}

/** A kite is there once it was asked for so many times. */
function serveLate(looks: number, accept: (created: Answer) => Answer): Serve {
  const asked = new Map<string, number>();
  const isThere = (key: string): boolean => (asked.get(key) ?? 0) >= looks;
  const serve = serveShelf('kites', {
    refuse: ({ name, size = 1 }, { method }) => {
      const isNamed = name === undefined ? method === 'PATCH' : typeof name === 'string' && name !== '';
      return isNamed && Number.isInteger(size) ? undefined : fail(400);
    },
    answer: ({ method, path: [, key = ''] }) => {
      if (key === '' || isThere(key)) return undefined;
      if (method === 'GET') asked.set(key, (asked.get(key) ?? 0) + 1);
      return isThere(key) ? undefined : fail(404);
    },
    list: (items) => {
      for (const { id } of items) asked.set(String(id), (asked.get(String(id)) ?? 0) + 1);
      return { status: 200, body: items.filter(({ id }) => isThere(String(id))) };
    },
  });
  return (request) => {
    const answer = serve(request);
    return answer.status === 201 ? accept({ ...answer, status: 202 }) : answer;
  };
}

const ONLY = ['kites/*'];

test('a record whose creation was accepted is waited for before it is changed or removed', async () => {
  const result = await judgeStranger(
    describeKites(),
    serveLate(4, (answer) => answer),
    ONLY,
    { settleMs: 3000 },
  );
  expect(listTold(result)).toEqual([]);
  expect(result.summary.passed).toBeGreaterThan(10);
  expect(result.leftBehind).toBeUndefined();
});

test('one that can only be listed is waited for in the list', async () => {
  const document = describeKites({ methods: ['list', 'create', 'remove'] });
  const result = await judgeStranger(
    document,
    serveLate(4, (answer) => answer),
    ONLY,
    { settleMs: 3000 },
  );
  expect(listTold(result)).toEqual([]);
  expect(result.leftBehind).toBeUndefined();
});

test('one that never comes leaves what builds on it open, and says how to wait longer', async () => {
  const result = await judgeStranger(
    describeKites(),
    serveLate(Infinity, (answer) => answer),
    ONLY,
  );
  expect(listTold(result)).toEqual([]);
  const open = result.scenarios.find(({ verdict }) => verdict === 'inconclusive');
  expect(open?.reason).toMatch(/202; --settle waits longer/);
});

test('the address of a job is not that of the record', async () => {
  const document = describeKites({ accepted: content(SENT) });
  const accept = ({ status, body }: Answer): Answer => {
    const { id: _, ...sent } = body as Item;
    return { status, body: sent, headers: { Location: '/jobs/4711' } };
  };
  const result = await judgeStranger(document, serveLate(2, accept), ONLY, { settleMs: 3000 });
  expect(listTold(result)).toEqual([]);
  expect(result.summary.passed).toBeGreaterThan(10);
});
