import { expect, test } from 'vitest';
import { shortenMiddle, wantsColor, wrapWords } from '../../src/cli/terminal.js';

const terminal = { isTTY: true };
const pipe = { isTTY: false };

test.each<[string, { isTTY: boolean }, Record<string, string>, boolean]>([
  ['a terminal gets colours', terminal, {}, true],
  ['a pipe gets none', pipe, {}, false],
  ['NO_COLOR takes them away', terminal, { NO_COLOR: '1' }, false],
  ['an empty NO_COLOR does not', terminal, { NO_COLOR: '' }, true],
  ['FORCE_COLOR gives them to a pipe', pipe, { FORCE_COLOR: '1' }, true],
  ['FORCE_COLOR=0 takes them away', terminal, { FORCE_COLOR: '0' }, false],
  ['NO_COLOR counts before FORCE_COLOR', terminal, { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
  ['a dumb terminal gets none', terminal, { TERM: 'dumb' }, false],
])('%s', (_, output, env, expected) => expect(wantsColor(output, env)).toBe(expected));

test('a text that is too long loses its middle', () => {
  expect(shortenMiddle('abcdefghij', 5)).toBe('ab…ij');
  expect(shortenMiddle('abcde', 5)).toBe('abcde');
});

test('a word that is wider than the line stands alone', () =>
  expect(wrapWords('a bcdefghij k l', 4)).toEqual(['a', 'bcdefghij', 'k l']));
