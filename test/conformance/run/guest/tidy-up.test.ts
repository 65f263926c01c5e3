import { expect, test } from 'vitest';
import { createGuests } from '../../../../src/conformance/run/guest/guests.js';
import { createMarkedTexts } from '../../../../src/conformance/judge/marked-texts.js';
import { removeGuests } from '../../../../src/conformance/run/guest/tidy-up.js';
import { openRoute } from '../../../../src/conformance/wire/http/route.js';
import type { Run } from '../../../../src/conformance/run/run.js';
import { readSubjects } from '../../../../src/conformance/subjects/subject.js';
import { loadContract } from '../../../../src/contract/contract.js';
import { packageFile } from '../../../../src/package-files.js';

test('a fault in tidying up costs no result: it is noted, and what is left is told', async () => {
  const contract = loadContract(packageFile('test/conformance/subjects/shop.openapi.yaml'));
  const subject = readSubjects(contract).find(({ name }) => name === 'orders');
  if (subject === undefined) throw new Error('there are no orders');
  const guests = createGuests(createMarkedTexts('Cfqz'));
  const guest = { subject, parameters: { orderId: 7 } };
  guests.staying.set('one', guest);
  guests.visited.set('orders', { subject, scope: {} });
  const target = new URL('http://127.0.0.1:9');
  const route = openRoute(target);
  // The planted fault: a run that has forgotten how it asks.
  const run = {
    guests,
    may: ['remove'],
    signal: new AbortController().signal,
    limit: { keep: (send: unknown) => send },
  };
  const { left, notes } = await removeGuests(run as unknown as Run, {
    target,
    route,
    timeoutMs: 100,
    rate: undefined,
    keep: false,
    onSent: () => {},
  });
  route.close();
  expect(notes).toEqual([expect.stringMatching(/^tidying up ended early: /)]);
  expect(left).toMatchObject([{ many: 'orders', count: 1, keys: ['7'] }]);
});
