import { expect, test } from 'vitest';
import { inTurn } from '../../../scripts/turns.mjs';
import type { MutantId } from '../mutants/index.js';
import { showsAmong } from './shows-beside.js';

const ROWS: [MutantId, MutantId, boolean][] = [
  // The list has no body, so that nothing of its pets can be seen.
  ['list-names-lower-case', 'list-empty-body', false],
  ['list-names-lower-case', 'list-as-object-by-id', false],
  // Which pet has a name can be told by the id alone; that there is none can be told of any.
  ['list-names-html-escaped', 'list-id-missing', false],
  ['list-name-missing', 'list-id-missing', true],
  ['list-names-lower-case', 'list-id-as-text', true],
  // Another operation shows it.
  ['get-name-truncated', 'list-empty-body', true],
  ['create-200', 'get-unknown-403', true],
  // Only for a path that the contract does not have, of which it says nothing.
  ['404-message-object', 'get-unknown-500', false],
  // What it needs to be seen is legal, and shows whether it is there or not.
  ['limit-capped-at-50', 'list-empty-body', false],
];

test.each(inTurn(ROWS, 4))('%s beside %s shows: %s', { timeout: 60_000 }, async (id, other, shows) => {
  expect(await showsAmong(id, [other, id])).toBe(shows);
});

test('a mutant that puts right what another makes wrong does not show', async () => {
  expect(await showsAmong('limit-1-gives-nothing', ['limit-1-gives-nothing', 'limit-one-more'])).toBe(false);
});

test('of two mutants that replace one answer, that which is planted last shows', async () => {
  const planted: MutantId[] = ['create-success-message', 'create-null'];
  expect([await showsAmong('create-success-message', planted), await showsAmong('create-null', planted)]).toEqual([
    false,
    true,
  ]);
});
