import { expect, test } from 'vitest';
import { findUnsteady } from '../../../src/conformance/ledger/looks.js';
import type { Look, RecordEntry, Touch } from '../../../src/conformance/ledger/record-ledger.js';
import { createMark, drawStart, RunTexts } from '../../../src/conformance/ledger/run-texts.js';

const SETTLED_MS = 100;

/** One look for each second, at a record or at a list: what it shows. */
function judge(
  kind: Look['kind'],
  shown: readonly string[][],
  more: { bornAt?: Record<string, number>; own?: boolean; touches?: Touch[] } = {},
): [wrong: number, firm: number, of: number] | undefined {
  const path = kind === 'record' ? '/pens/1' : '/pens';
  const wire = { method: 'GET', target: path, headers: {}, body: undefined };
  const answer = { kind: 'answered', status: 404, headers: {}, bytes: Buffer.from(''), durationMs: 1 } as const;
  const bornAt = (key: string): Partial<RecordEntry> => {
    const at = more.bornAt?.[key] ?? 0;
    return more.own === false ? { shownAt: at } : { shownAt: at, createdAt: at };
  };
  const pens = new Map(
    ['1', ...shown.flat()].map((key) => {
      const entry = { id: { resource: 'pens', scope: [], key }, ...bornAt(key) };
      return [key, entry as unknown as RecordEntry] as const;
    }),
  );
  const find = (key: string): RecordEntry => pens.get(key) as RecordEntry;
  const looks = shown.map((keys, index): Look => {
    const shows = keys.map(find);
    const sentAt = 1000 * (index + 1);
    return {
      operationId: 'look',
      kind,
      wire,
      request: 'GET',
      path,
      of: kind === 'record' ? find('1') : path,
      shows,
      answer,
      sentAt,
      answeredAt: sentAt + 10,
    };
  });
  const [found] = findUnsteady({ looks, touches: more.touches ?? [] }, SETTLED_MS);
  return found === undefined ? undefined : [found.wrong.length, found.firm.length, found.of];
}

const touch = (path: string, at: number): Touch => ({ path, sentAt: at, answeredAt: at + 10 });

test.each<[string, ReturnType<typeof judge>, ReturnType<typeof judge>]>([
  ['always there', judge('record', [['1'], ['1'], ['1']]), undefined],
  ['there, missing and there again', judge('record', [['1'], [], ['1'], ['1']]), [1, 1, 4]],
  ['gone for good, since others may remove it', judge('record', [['1'], ['1'], [], []]), undefined],
  ['late, and then there', judge('record', [[], ['1'], ['1']]), [1, 0, 3]],
  ['late again within the time', judge('record', [['1'], [], ['1']], { bornAt: { 1: 1950 } }), [1, 0, 3]],
  ['asked for before it was made', judge('record', [[], ['1']], { bornAt: { 1: 1500 } }), undefined],
  ['removed, and made anew', judge('record', [['1'], [], ['1']], { touches: [touch('/pens/1', 1500)] }), undefined],
  ['removed with its parent', judge('record', [['1'], [], ['1']], { touches: [touch('/pens', 1500)] }), undefined],
  ['changed below it', judge('record', [['1'], [], ['1']], { touches: [touch('/pens/1/cap', 1500)] }), undefined],
  [
    'beside one that was removed',
    judge('record', [['1'], [], ['1']], { touches: [touch('/pens/2', 1500)] }),
    [1, 1, 3],
  ],
])('a record that is %s', (_, found, expected) => expect(found).toEqual(expected));

const ALL = ['1', '2', '3', '4'];

test.each<[string, ReturnType<typeof judge>, ReturnType<typeof judge>]>([
  ['always whole', judge('list', [ALL, ALL, ALL]), undefined],
  ['empty once', judge('list', [ALL, [], ALL]), [1, 1, 3]],
  [
    'empty once, of records of others that have only been seen',
    judge('list', [ALL, [], ALL], { own: false }),
    [1, 1, 3],
  ],
  ['without one in its midst', judge('list', [ALL, ['1', '3', '4'], ALL]), [1, 1, 3]],
  ['without one that is late', judge('list', [ALL, ['1', '3', '4'], ALL], { bornAt: { 2: 1990 } }), [1, 0, 3]],
  [
    'without one that was removed',
    judge('list', [ALL, ['1', '3', '4'], ALL], { touches: [touch('/pens/2', 1500)] }),
    undefined,
  ],
  ['shorter, without others removed for good', judge('list', [ALL, ['1', '3', '4'], ['1', '3', '4']]), undefined],
  ['cut short', judge('list', [ALL, ['1', '2'], ALL]), undefined],
  ['cut short, and so empty for the same reason', judge('list', [ALL, ['1', '2'], ALL, [], ALL]), [1, 0, 5]],
  ['in any order, and so cut anywhere', judge('list', [ALL, ['3', '1'], ['4', '3', '2', '1']]), [1, 0, 3]],
  [
    'a full page with newer ones',
    judge('list', [
      ['1', '2'],
      ['2', '3'],
      ['1', '2'],
    ]),
    undefined,
  ],
])('a list that is %s', (_, found, expected) => expect(found).toEqual(expected));

test('a run gives more than ten thousand names before one comes again, all of one length', () => {
  const texts = new RunTexts(
    createMark(() => 3),
    25 * 26 ** 2,
  );
  const names = Array.from({ length: 17_576 }, () => texts.nextName());
  expect(new Set(names).size).toBe(names.length);
  expect(names.every((name) => /^cfdd[a-z]{3}$/.test(name))).toBe(true);
});

test('runs with the same mark give other names: tries at the same time, and what earlier ones left behind', () => {
  const mark = createMark(() => 3);
  let drawn = 7;
  // Any draws that look like chance: those of Lehmer, with the modulus 2^31 - 1.
  const draw = (below: number): number => (drawn = (drawn * 48_271) % 2_147_483_647) % below;
  const first = Array.from({ length: 120 }, () => new RunTexts(mark, drawStart(draw)).nextName());
  expect(new Set(first).size).toBe(first.length);
});

test('the names of a run are in the order in which it made them', () => {
  const texts = new RunTexts(
    createMark(() => 3),
    drawStart((below) => below - 1),
  );
  const names = Array.from({ length: 4000 }, () => texts.nextName());
  expect(names).toEqual(names.toSorted());
});
