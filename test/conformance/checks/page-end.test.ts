import { expect, test } from 'vitest';
import { isWhole, turnPage } from '../../../src/conformance/checks/page-end.js';
import type { AskedPage, PageWalk } from '../../../src/conformance/checks/page-walk.js';

function ask(walk: Partial<PageWalk>, before: unknown[] = [], turn: unknown = null): AskedPage {
  const whole: PageWalk = { kind: 'offset', parameter: 'offset', first: 0, at: '', atMost: 9, ...walk };
  return { turn, before, isLast: false, walk: whole };
}

test('a page that is full is not the last; one that is shorter is', () => {
  expect(isWhole([1, 2, 3], 3, ask({ length: 3 }))).toBe(false);
  expect(isWhole([1, 2], 2, ask({ length: 3 }))).toBe(true);
});

test('a page of a length at which servers cut lists may be cut', () => {
  expect(isWhole(Array.from({ length: 50 }), 50, ask({ length: 100 }))).toBe(false);
  expect(isWhole(Array.from({ length: 49 }), 49, ask({}))).toBe(true);
});

test('what the answer says of the end counts before its length', () => {
  expect(isWhole({ total: 5, data: [1] }, 1, ask({ at: '/data', total: '/total', length: 9 }))).toBe(false);
  expect(isWhole({ total: 5, data: [1] }, 1, ask({ at: '/data', total: '/total', length: 9 }, [1, 2, 3, 4]))).toBe(
    true,
  );
  expect(isWhole({ more: true, data: [] }, 0, ask({ at: '/data', moreAt: '/more' }))).toBe(false);
  expect(isWhole({ next: null }, 50, ask({ cursorAt: '/next' }))).toBe(true);
});

test('the next page is asked for by offset, number or cursor', () => {
  expect(turnPage([1, 2], ask({ length: 2 }, [8, 9]))).toBe(4);
  expect(turnPage([1, 2], ask({ kind: 'page', first: 1, length: 2 }))).toBe(2);
  expect(turnPage({ d: [1], next: 'x' }, ask({ kind: 'cursor', at: '/d', cursorAt: '/next' }))).toBe('x');
  expect(turnPage([1], ask({ length: 2 }))).toBeUndefined();
});
