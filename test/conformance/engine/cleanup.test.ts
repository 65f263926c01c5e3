import { expect, test } from 'vitest';
import { cleanUp, listLeftovers } from '../../../src/conformance/engine/created-records.js';
import type { Run } from '../../../src/conformance/engine/run.js';
import { openRoute } from '../../../src/conformance/http/http-client.js';
import { RecordLedger } from '../../../src/conformance/ledger/record-ledger.js';
import { RunTexts } from '../../../src/conformance/ledger/run-texts.js';
import { readPathKey } from '../../../src/conformance/model/records.js';
import { readSubjects } from '../../../src/conformance/resources/resource-under-test.js';
import { loadContract } from '../../../src/contract/contract.js';
import { packageFile } from '../../../src/package-files.js';
import { listLeft } from '../../../src/report/problems.js';
import { object, text } from '../resources/support/odd-resource.js';
import { describeShelf, type Habits, serveShelf } from '../resources/support/shelf.js';
import { describePaths, fail, type Item, judgeStranger, listTold } from '../resources/support/stranger.js';
import { id, name, runStranger } from '../resources/support/strangers.js';
import { listLeft, visit } from './created/pinboard.js';

test('a fault in the cleanup costs no result: it is noted, and what is left over is reported', async () => {
  const contract = loadContract(packageFile('test/conformance/resources/shop.openapi.yaml'));
  const subject = readSubjects(contract).find(({ name }) => name === 'orders');
  if (subject === undefined) throw new Error('there are no orders');
  const ledger = new RecordLedger(contract, new RunTexts('Cfqz'));
  ledger.notePresent(ledger.entryOf(subject, { orderId: 7 }, 7));
  ledger.visited.set('orders', { subject, scope: {} });
  const target = new URL('http://127.0.0.1:9');
  const route = openRoute(target);
  // The planted fault: a run that has forgotten how it asks.
  const run = {
    ledger,
    may: ['remove'],
    signal: new AbortController().signal,
    limit: { keep: (send: unknown) => send },
  };
  const { left, notes } = await cleanUp(run as unknown as Run, {
    target,
    route,
    timeoutMs: 100,
    rate: undefined,
    keep: false,
    onSent: () => {},
  });
  route.close();
  expect(notes).toEqual([expect.stringMatching(/^the cleanup ended early: /)]);
  expect(left).toMatchObject([{ many: 'orders', count: 1, keys: ['7'] }]);
});

test.each([
  ['there', false, [{ many: 'notes', count: 1 }]],
  ['deleted', true, []],
])('what no response shows the key of is left over where its parent is %s', (_, isDeleted, expected) => {
  const contract = loadContract(packageFile('test/conformance/resources/shop.openapi.yaml'));
  const subjects = new Map(readSubjects(contract).map((each) => [each.resource.name, each]));
  const [customers, notes] = [subjects.get('customers'), subjects.get('notes')];
  if (customers === undefined || notes?.roles.create === undefined) throw new Error('there are no notes');
  const ledger = new RecordLedger(contract, new RunTexts('cfqz'));
  const parent = ledger.entryOf(customers, { customerId: 7 }, 7);
  ledger.notePresent(parent);
  ledger.noteEffect(
    { operation: notes.roles.create.operation, path: { customerId: 7 }, json: { text: 'cfqzabc' } },
    { status: 201, bytes: Buffer.from('{}'), value: {}, location: undefined, sentAt: 0 },
  );
  if (isDeleted) ledger.noteDeleted(parent);
  const left = listLeftovers({ ledger, may: ['remove'] } as unknown as Run, false, true);
  expect(left.filter(({ many }) => many === 'notes')).toMatchObject(expected);
});

// What is said to be left behind was asked for again, at its address.

const DOCUMENT = describePaths(
  describeShelf({
    name: 'kites',
    record: object({ id: { type: 'integer', readOnly: true }, name: text }, ['id', 'name']),
    sent: object({ name: text }, ['name']),
    methods: ['create', 'get', 'remove'],
    refusals: { remove: [404, 409] },
  }),
);
const refuse: NonNullable<Habits['refuse']> = ({ name }) =>
  typeof name === 'string' && name !== '' ? undefined : fail(400);

test('what is gone a little after its removal was refused is not claimed', async () => {
  const gone = new Set<string>();
  const answer: Habits['answer'] = ({ method, path: [, key = ''] }) => {
    if (key === '') return undefined;
    if (method === 'DELETE') {
      gone.add(key);
      return fail(409, 'It is being removed.');
    }
    return gone.has(key) ? fail(404) : undefined;
  };
  const result = await judgeStranger(DOCUMENT, serveShelf('kites', { refuse, answer }), ['kites/records/create']);
  expect(result.leftBehind).toBeUndefined();
});

test('what is there is told by its address, and not by texts that nothing searches for', async () => {
  const answer: Habits['answer'] = ({ method }) => (method === 'DELETE' ? fail(409) : undefined);
  const result = await judgeStranger(DOCUMENT, serveShelf('kites', { refuse, answer }), ['kites/records/create']);
  expect(listLeft(result)).toEqual([expect.stringMatching(/: DELETE http:\/\/127\.0\.0\.1:\d+\/kites\/\d+$/)]);
});

// Records that end by themselves, as the response to their creation says: one that is gone by then is not lost.

/** What a run reports of records that say such a thing of their end, and are gone as soon as one asks for any. */
async function judge(says: () => Item): Promise<string[]> {
  const gone: Habits = {
    keep: (body) => ({ ...body, ...says() }),
    answer({ method, path }, items) {
      if (method === 'GET' && path[0] === 'visits') items.length = 0;
      return undefined;
    },
  };
  const record = object({ id, name, kind: { ...text, enum: ['web', 'app'] } }, ['name']);
  const only = ['visits/records/get', 'visits/sequences/later-listed'];
  return listTold(await runStranger({ plan: { name: 'visits', record }, habits: () => gone, only }));
}

const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();

test.each<[string, () => Item]>([
  ['a time that is over', () => ({ expiresAt: inSeconds(-1) })],
  ['a time within seconds', () => ({ valid_until: inSeconds(2) })],
  ['a number of seconds', () => ({ expires_in: 1 })],
  ['a time in seconds since 1970', () => ({ expires: Math.floor(Date.now() / 1000) })],
])('%s is no loss', async (_, says) => expect(await judge(says)).toEqual([]));

test('a record that is gone an hour before its end is lost', async () => {
  const told = await judge(() => ({ expiresAt: inSeconds(3600) }));
  expect(told).toEqual([expect.stringMatching(/^A created record is missing in responses of/)]);
});

test.each([
  ['ended', -1, []],
  ['not', 3600, [expect.stringMatching(/^One key is given to several records/)]],
])('the key of a record that has %s may be given to the next', async (_, seconds, told) => {
  const record = object({ id, name, expiresAt: { ...text, readOnly: true } }, ['name']);
  const habits = (): Habits => ({
    keep: (body) => ({ ...body, expiresAt: inSeconds(seconds) }),
    nextKey: () => 7,
    answer: ({ method }, items) => {
      if (method === 'POST') items.length = 0;
      return undefined;
    },
  });
  const only = ['visits/records/create', 'visits/records/create-full'];
  expect(listTold(await runStranger({ plan: { name: 'visits', record }, habits, only }))).toEqual(told);
});

const KEYS = ['$x', '$steps.a.b', '{$unique}', '$', '$$y', '$case.id', 'a{$run.created}b'];

test('keys that look like templates are sent as they are, and what was created is removed', async () => {
  const key = { type: 'string' };
  const nextKey = (count: number): string => `${KEYS[count % KEYS.length] ?? ''}${count}`;
  const { result, board } = await visit({ key, nextKey });
  expect(result.problems.map(({ headline }) => headline)).toEqual([]);
  expect(result.summary.created).toBeGreaterThan(KEYS.length);
  expect(listLeft(board)).toEqual([]);
});

test.each([
  ['a text', 'a key'],
  ['an empty text', ''],
  ['a number', 7],
  ['a number of 64 bits', 2n ** 63n],
])('%s can stand in a path', (_, value) => expect(readPathKey(value)).toBe(value));

test.each([
  ['null', null],
  ['an object', { toString: null }],
  ['a list', [1]],
  ['longer than an address', 'x'.repeat(8001)],
])('what is %s is no key', (_, value) => expect(readPathKey(value)).toBeUndefined());
