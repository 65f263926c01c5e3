import { expect, test } from 'vitest';
import { startPinboard, listLeft, visit, type Habits, type Pin } from './pinboard.js';
import { runConformance } from '../../../../src/conformance/product/run-conformance.js';

const tell = async (habits: Habits): Promise<string[]> =>
  (await visit(habits)).result.problems.map(({ headline }) => headline);

test('a service that keeps what it refused is told so', async () => {
  const { problems } = (await visit({ keepsRefused: true })).result;
  // What the contract does not allow shows in the list; that it was rejected stands below.
  expect(problems.flatMap(({ also = [] }) => also.map(({ what }) => what))).toContain(
    'absence of what was rejected of listPins',
  );
  expect(problems.length).toBeLessThanOrEqual(3);
  expect(await tell({})).toEqual([]);
});

/** Marks pins as removed in place of removing them. */
const bin =
  (mark: (pin: Pin) => void): NonNullable<Habits['first']> =>
  ({ method, url = '' }, response, { pins }) => {
    const pin = pins.find(({ id }) => url === `/pins/${String(id)}`);
    if (method !== 'DELETE' || pin === undefined) return false;
    mark(pin);
    response.writeHead(204).end();
    return true;
  };

test('what is shown after its removal as removed is no problem, and what is shown as before is one', async () => {
  const { result, board } = await visit({ first: bin((pin) => void (pin['state'] = 'expired')) });
  expect(result.problems).toEqual([]);
  const removal = result.scenarios.find(({ id }) => id === 'pins/changes/remove');
  expect(removal).toMatchObject({ verdict: 'inconclusive', reason: expect.stringContaining('in another state') });
  expect(result.leftBehind?.[0]?.count).toBe(listLeft(board).length);
  expect(await tell({ first: bin(() => {}) })).toEqual([
    expect.stringContaining('A deleted record is still in responses'),
  ]);
});

test('a key that a create answers alone, as paths call it, is the key of the record', async () => {
  const { url, spec, board } = await startPinboard({ answersKeyAlone: true });
  const result = await runConformance({ target: url, apiKey: 'none', spec, settleMs: 30 });
  expect(result.problems).toEqual([]);
  expect(result.scenarios.find(({ id }) => id === 'pins/records/get')?.verdict).toBe('passed');
  expect(listLeft(board)).toEqual([]);
});
