import { expect, test } from 'vitest';
import {
  compareParts,
  diffLines,
  foldSame,
  pickOther,
  type DiffLine,
} from '../../src/console/exchanges/compare-parts.js';
import type { Exchange, Row } from '../../src/console/types.js';

const SIGNS = { first: '-', second: '+', both: ' ' } as const;
const show = (lines: readonly DiffLine[]): string => lines.map(({ of, text }) => SIGNS[of] + text).join('');

test.each([
  ['abc', '', '-a-b-c'],
  ['abc', 'xabc', '+x a b c'],
  ['abcab', 'cab', '-a-b c a b'],
  ['axbyc', 'abc', ' a-x b-y c'],
])('the lines of %j and %j: %s', (first, second, expected) => {
  expect(show(diffLines(first.split(''), second.split('')))).toBe(expected);
});

test('from the lines of a difference, both texts can be put together again', () => {
  const texts = Array.from({ length: 60 }, (_, seed) =>
    Array.from({ length: seed % 17 }, (_each, at) => String((seed * 7 + at * at * 3) % 5)),
  );
  for (const first of texts) {
    for (const second of texts) {
      const lines = diffLines(first, second);
      expect(lines.filter(({ of }) => of !== 'second').map(({ text }) => text)).toEqual(first);
      expect(lines.filter(({ of }) => of !== 'first').map(({ text }) => text)).toEqual(second);
    }
  }
});

test('two long lists that share nothing are compared, too', () => {
  const list = (sign: string): string[] => Array.from({ length: 2100 }, (_, at) => sign + at);
  expect(diffLines(list('a'), list('b'))).toHaveLength(4200);
});

test('what is far from a difference is counted', () => {
  const folded = foldSame(diffLines('abcdefghij'.split(''), 'abcdeXghij'.split('')), 1);
  const shown = folded.map((each) => (typeof each === 'number' ? each : SIGNS[each.of] + each.text));
  expect(shown).toEqual([4, ' e', '-f', '+X', ' g', 3]);
});

function exchange(status: number, body: unknown, headers = {}): Exchange {
  const message = { headers: { accept: '*/*', ...headers }, body, bodyOmitted: false };
  const told = { world: 'default', time: 0, duration: 1, verdict: 'ok' as const };
  const [request, response] = [message, message];
  const none = { violations: [], notes: [], faults: [], excerpts: [] };
  return { ...told, ...none, method: 'POST', url: '/pets', path: '/pets', status, request, response };
}

const namesOf = (one: Exchange, other: Exchange): string[] =>
  compareParts(one, other)
    .filter(({ isSame }) => !isSame)
    .map(({ name }) => name);

test('what differs of two exchanges is told part by part', () => {
  expect(namesOf(exchange(201, { a: 1 }), exchange(201, { a: 1 }))).toEqual([]);
  const told = namesOf(exchange(201, { a: 1 }), exchange(400, { a: 1 }, { 'x-a': '1' }));
  expect(told).toEqual(['Header fields of the request', 'Status', 'Header fields of the response']);
  const bodies = compareParts(exchange(200, [{ a: 1, b: 2 }]), exchange(200, [{ a: 1, b: 2, c: 3 }])).at(-1);
  // A line is not another one for a comma.
  expect(bodies?.lines.filter(({ of }) => of !== 'both')).toEqual([{ of: 'second', text: '    "c": 3' }]);
});

test('an exchange is compared with the last one before it of the same operation', () => {
  const rows = ['listPets', 'getPet', 'getPet', 'listPets', 'createPet'].map(
    (operationId, index) => ({ id: index + 1, operationId }) as Row,
  );
  expect([1, 2, 3, 4, 5].map((id) => pickOther(rows, id))).toEqual([4, 3, 2, 1, 4]);
  expect(pickOther(rows.slice(0, 1), 1)).toBeUndefined();
});
