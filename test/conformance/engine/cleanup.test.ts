import { expect, test } from 'vitest';
import { RecordLedger } from '../../../src/conformance/ledger/record-ledger.js';
import { RunTexts } from '../../../src/conformance/ledger/run-texts.js';
import { cleanUp, listLeftovers } from '../../../src/conformance/engine/created-records.js';
import { openRoute } from '../../../src/conformance/http/http-client.js';
import type { Run } from '../../../src/conformance/engine/run.js';
import { readSubjects } from '../../../src/conformance/resources/resource-under-test.js';
import { loadContract } from '../../../src/contract/contract.js';
import { packageFile } from '../../../src/package-files.js';

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
