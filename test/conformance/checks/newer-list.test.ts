import { expect, test } from 'vitest';
import { isShorterThanBefore } from '../../../src/conformance/checks/note-shown.js';
import { makeContext } from '../support/check-context.js';

/** Whether a list of nine, asked for at 1000, is held to be shorter than one of ten that was complete at that time. */
function compare(at: number): boolean {
  const context = makeContext({ body: [] });
  context.ledger.listOf(context.sent).lengths.push({ count: 10, at });
  return isShorterThanBefore(9, context);
}

test('a list is held against one that was there before it was asked for', () => expect(compare(999)).toBe(true));

// Of two lists that are asked for at once, the one whose response comes first may be the newer one.
test('a list is not held against one that came after it was asked for', () => expect(compare(1001)).toBe(false));
