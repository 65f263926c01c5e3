import { expect, test } from 'vitest';
import { cleanUp, listLeftovers } from '../../../src/conformance/engine/created-records.js';
import { consentFor, type Run } from '../../../src/conformance/engine/run.js';
import { RecordLedger } from '../../../src/conformance/ledger/record-ledger.js';
import { RunTexts } from '../../../src/conformance/ledger/shown-records.js';
import { readPathKey } from '../../../src/conformance/model/exchange.js';
import { readSubjects, type Subject } from '../../../src/conformance/resources/resource-under-test.js';
import { loadContract } from '../../../src/contract/contract.js';
import { packageFile } from '../../../src/package-files.js';
import { listLeft } from '../../../src/report/report-format.js';
import { object, text } from '../resources/support/odd-resource.js';
import type { Habits } from '../resources/support/shelf.js';
import { fail, listTold, type Item } from '../resources/support/stranger.js';
import { id, name, runStranger } from '../resources/support/strangers.js';
import { listLeft as listPins, visit } from './created/pinboard.js';

const contract = loadContract(packageFile('test/conformance/resources/shop.openapi.yaml'));
const subjectOf = (own: string): Subject => readSubjects(contract).find((each) => each.name === own) as Subject;

const own = { may: ['remove'], isNever: () => false, credentials: { whyExpired() {} }, prepareOptions: {} };

test('a fault in the cleanup costs no result: it is noted, and what is left over is reported', async () => {
  const subject = subjectOf('orders');
  const ledger = new RecordLedger(contract, new RunTexts('Cfqz'));
  ledger.notePresent(ledger.entryOf(subject, { orderId: 7 }, 7));
  ledger.visited.set('orders', { subject, scope: {} });
  const limit = { keep: (send: unknown) => send };
  // The planted fault: no client can be opened.
  const run = { ...own, ledger, signal: new AbortController().signal, limit } as unknown as Run;
  const { left, notes } = await cleanUp(run, () => {
    throw new Error('no client');
  });
  expect(notes).toEqual([expect.stringMatching(/^the cleanup ended early: /)]);
  expect(left).toMatchObject([{ many: 'orders', count: 1, keys: ['7'] }]);
});

test.each([
  ['there', false, [{ many: 'notes', count: 1 }]],
  ['deleted', true, []],
])('what no response shows the key of is left over where its parent is %s', (_, isDeleted, expected) => {
  const { operation } = subjectOf('notes').roles.create ?? {};
  const ledger = new RecordLedger(contract, new RunTexts('cfqz'));
  const parent = ledger.entryOf(subjectOf('customers'), { customerId: 7 }, 7);
  ledger.notePresent(parent);
  ledger.noteEffect(
    { operation, path: { customerId: 7 }, json: { text: 'cfqzabc' } },
    { status: 201, bytes: Buffer.from('{}'), value: {}, location: undefined, sentAt: 0 },
  );
  if (isDeleted) ledger.noteDeleted(parent);
  const left = listLeftovers({ ...own, ledger } as unknown as Run, true);
  expect(left.filter(({ many }) => many === 'notes')).toMatchObject(expected);
});

test.each<[string, boolean, string[]]>([
  ['is gone a little after its removal was refused is not claimed', true, []],
  [
    'is there is told by its address, and not by texts that nothing searches for',
    false,
    [expect.stringMatching(/: DELETE http:\/\/127\.0\.0\.1:\d+\/kites\/\d+$/) as string],
  ],
])('of what is said to be left behind, what %s', async (_, isGone, told) => {
  const gone = new Set<string>();
  const answer: Habits['answer'] = ({ method, path: [, key = ''] }) => {
    if (key === '') return undefined;
    if (method === 'DELETE') gone.add(key);
    if (method === 'DELETE') return fail(409, 'It is being removed.');
    return isGone && gone.has(key) ? fail(404) : undefined;
  };
  const methods = ['create', 'get', 'remove'] as const;
  const plan = { name: 'kites', record: object({ id, name }), methods, refusals: { remove: [404, 409] } };
  const result = await runStranger({ plan, habits: () => ({ answer }), only: ['kites/records/create'] });
  expect(listLeft(result)).toEqual(told);
});

/** What a run reports of records that say such a thing of their end, and are gone as soon as one asks for any. */
async function judgeEnding(says: () => Item): Promise<string[]> {
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
const LOST = [expect.stringMatching(/^A created record is missing in responses of/)];

test.each<[string, () => Item, unknown[]]>([
  ['with a time that is over is no loss', () => ({ expiresAt: inSeconds(-1) }), []],
  ['with a time within seconds is no loss', () => ({ valid_until: inSeconds(2) }), []],
  ['with a number of seconds is no loss', () => ({ expires_in: 1 }), []],
  ['with a time in seconds since 1970 is no loss', () => ({ expires: Math.floor(Date.now() / 1000) }), []],
  ['an hour before its end is lost', () => ({ expiresAt: inSeconds(3600) }), LOST],
])('a record that is gone %s', async (_, says, told) => expect(await judgeEnding(says)).toEqual(told));

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
  const nextKey = (count: number): string => `${KEYS[count % KEYS.length] ?? ''}${count}`;
  const { result, board } = await visit(
    { key: { type: 'string' }, nextKey },
    { only: ['pins/records/*', 'pins/changes/*'] },
  );
  expect(listTold(result)).toEqual([]);
  expect(result.summary.created).toBeGreaterThan(KEYS.length);
  expect(listPins(board)).toEqual([]);
});

test('texts and numbers can stand in a path, and what is null, an object, a list or longer than an address is no key', () => {
  for (const key of ['a key', '', 7, 2n ** 63n]) expect(readPathKey(key)).toBe(key);
  for (const value of [null, { toString: null }, [1], 'x'.repeat(8001)]) expect(readPathKey(value)).toBeUndefined();
});

test('a PUT needs consent to create only where the run itself has found its key to be free, whatever a step is called', () => {
  const named = { operationId: 'replaceOrder', parameters: { orderId: '$steps.free-order.outputs.key' } };
  expect(consentFor({ ...named, isAtNewKey: false }, contract)).toBe('update');
  expect(consentFor({ ...named, isAtNewKey: true }, contract)).toBe('create');
});
