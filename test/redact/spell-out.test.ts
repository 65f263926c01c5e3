import { expect, test } from 'vitest';
import { spellOut, spellOutAll } from '../../src/redact/spell-out.js';

test.each([
  ['a\r\nb', String.raw`a\u000d\u000ab`],
  ['\u001B[2J', String.raw`\u001b[2J`],
  ['a\u202Eb\uFEFF', String.raw`a\u202eb\ufeff`],
  ['\uD800', String.raw`\ud800`],
  ['::error::x', String.raw`\u003a:error::x`],
  ['\t::error::x', String.raw`\u0009\u003a:error::x`],
  ['a ##[group]x', String.raw`a \u0023#[group]x`],
  ['##vso[x]', String.raw`\u0023#vso[x]`],
])('%j is shown as %s', (text, shown) => expect(spellOut(text)).toBe(shown));

test.each(['🐶 Rex', '## heading', 'a::b', '[::1]:80', '# [x]', 'ü'])('%s stays what it is', (text) => {
  expect(spellOut(text)).toBe(text);
});

test('every text within a value is spelled out, and nothing else is touched', () => {
  const value = { list: ['\n', 1, null], flag: true, deep: { text: '\u0000' }, gone: undefined };
  expect(spellOutAll(value)).toEqual({ list: ['\\u000a', 1, null], flag: true, deep: { text: '\\u0000' } });
});
