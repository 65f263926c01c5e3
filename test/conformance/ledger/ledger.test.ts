import { expect, test } from 'vitest';
import { findUnsteady } from '../../../src/conformance/confirm/end-of-run.js';
import type { Look, RecordEntry, Touch } from '../../../src/conformance/ledger/record-ledger.js';
import { createMark, drawStart, RunTexts } from '../../../src/conformance/ledger/shown-records.js';

const SETTLED_MS = 100;

interface More {
  bornAt?: Record<string, number>;
  /** Whether the run has created the records. Default: it has. */
  own?: boolean;
  touches?: Touch[];
}

/** One look for each second, at a record or at a list: what it shows. */
function judge(kind: Look['kind'], shown: readonly string[][], { bornAt = {}, own = true, touches = [] }: More = {}) {
  const path = kind === 'record' ? '/pens/1' : '/pens';
  const wire = { method: 'GET', target: path, headers: {}, body: undefined };
  const answer = { kind: 'answered', status: 404, headers: {}, bytes: Buffer.from(''), durationMs: 1 } as const;
  const pens = new Map<string, RecordEntry>();
  for (const key of ['1', ...shown.flat()]) {
    const at = bornAt[key] ?? 0;
    const entry = { id: { resource: 'pens', scope: [], key }, shownAt: at, ...(own && { createdAt: at }) };
    pens.set(key, pens.get(key) ?? (entry as unknown as RecordEntry));
  }
  const find = (key: string): RecordEntry => pens.get(key) as RecordEntry;
  const of = kind === 'record' ? find('1') : path;
  const looks = shown.map((keys, index): Look => {
    const sentAt = 1000 * (index + 1);
    const times = { sentAt, answeredAt: sentAt + 10 };
    return { operationId: 'look', kind, wire, request: 'GET', path, of, shows: keys.map(find), answer, ...times };
  });
  const [found] = findUnsteady({ looks, touches }, SETTLED_MS);
  return found === undefined ? undefined : [found.wrong.length, found.firm.length, found.of];
}

const touch = (path: string, at: number): Touch => ({ path, sentAt: at, answeredAt: at + 10 });

const REMOVED = [['1'], [], ['1']];
const touched = (path: string): More => ({ touches: [touch(path, 1500)] });

test.each<[string, string[][], More, number[] | undefined]>([
  ['always there', [['1'], ['1'], ['1']], {}, undefined],
  ['there, missing and there again', [['1'], [], ['1'], ['1']], {}, [1, 1, 4]],
  ['gone for good, since others may remove it', [['1'], ['1'], [], []], {}, undefined],
  ['late, and then there', [[], ['1'], ['1']], {}, [1, 0, 3]],
  ['late again within the time', REMOVED, { bornAt: { 1: 1950 } }, [1, 0, 3]],
  ['asked for before it was made', [[], ['1']], { bornAt: { 1: 1500 } }, undefined],
  ['removed, and made anew', REMOVED, touched('/pens/1'), undefined],
  ['removed with its parent', REMOVED, touched('/pens'), undefined],
  ['changed below it', REMOVED, touched('/pens/1/cap'), undefined],
  ['beside one that was removed', REMOVED, touched('/pens/2'), [1, 1, 3]],
])('a record that is %s', (_, shown, more, expected) => expect(judge('record', shown, more)).toEqual(expected));

const ALL = ['1', '2', '3', '4'];
const TWO = ['1', '2'];
const LAST = ['2', '3'];
const LACKS = ['1', '3', '4'];

test.each<[string, string[][], More, number[] | undefined]>([
  ['always whole', [ALL, ALL, ALL], {}, undefined],
  ['empty once', [ALL, [], ALL], {}, [1, 1, 3]],
  ['empty once, of records of others that have only been seen', [ALL, [], ALL], { own: false }, [1, 1, 3]],
  ['without one in its midst', [ALL, LACKS, ALL], {}, [1, 1, 3]],
  ['without one that is late', [ALL, LACKS, ALL], { bornAt: { 2: 1990 } }, [1, 0, 3]],
  ['without one that was removed', [ALL, LACKS, ALL], touched('/pens/2'), undefined],
  ['shorter, without others removed for good', [ALL, LACKS, LACKS], {}, undefined],
  ['cut short', [ALL, TWO, ALL], {}, undefined],
  ['cut short, and so empty for the same reason', [ALL, TWO, ALL, [], ALL], {}, [1, 0, 5]],
  ['in any order, and so cut anywhere', [ALL, ['3', '1'], ['4', '3', '2', '1']], {}, [1, 0, 3]],
  ['a full page with newer ones', [TWO, LAST, TWO], {}, undefined],
])('a list that is %s', (_, shown, more, expected) => expect(judge('list', shown, more)).toEqual(expected));

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
