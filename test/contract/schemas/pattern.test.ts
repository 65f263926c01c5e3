import * as fc from 'fast-check';
import { RE2JS } from 're2js';
import { expect, test } from 'vitest';
import {
  createContractPattern,
  createPattern,
  toRe2,
  isPlain,
  readContractPattern,
} from '../../../src/contract/schemas/pattern.js';
import { words } from '../../support/words.js';

const forty = `${'a'.repeat(40)}!`;
const long = `${'a'.repeat(100_000)}!`;

/** Each takes Node's own engine hours for the text, or longer. */
const SLOW: [pattern: string, text: string][] = [
  ['^(a+)+$', forty],
  ['^(?:a?){40}a{40}$', 'a'.repeat(40).slice(1)],
  ['^.*a.*a.*a.*a.*b$', long],
  [String.raw`^(?!(a+)+$).*\?$`, forty],
  ['(x+x+)+y', 'x'.repeat(50_000)],
  [String.raw`(\s+)+$`, `${' '.repeat(50_000)}!`],
  [String.raw`^(\w+\s?)*$`, `${'aaaa '.repeat(5000)}!`],
];

test.each(SLOW)('%s does not match, and says so at once', (source, text) => {
  expect(isPlain(source)).toBe(false);
  expect(createPattern(source, 'u').test(text)).toBe(false);
});

test('what only a back reference can say ends all the same, however many texts are sent', () => {
  const pattern = createPattern(String.raw`^(a+)+\1(b|c)\2$`, 'u');
  expect(pattern.test('aabb')).toBe(true);
  for (let sent = 0; sent < 1000; sent++) expect(pattern.test(`${'a'.repeat(60 + sent)}!`)).toBe(false);
  expect(pattern.test('aabb')).toBe(true);
});

const COMMON = words`^\d{4}-\d{2}-\d{2}$ ^[a-z][a-z0-9_-]{0,62}$ ^[^@]+$ ^[A-Z]{2}(-[A-Z]{2})?$ ^(available|pending|sold)$`;

test.each(['', ...COMMON])('%j is left to the engine that is there anyway', (source) => {
  expect(isPlain(source)).toBe(true);
  expect(createPattern(source, 'u')).toBeInstanceOf(RegExp);
});

/** Patterns that documents have, which are no plain ones, and texts that tell. */
const FOUND: [pattern: string, texts: string[]][] = [
  [String.raw`^(?=.*\d)(?=.*[a-z])(?=.*[A-Z]).{8,}$`, ['abcDEF12', 'abcdefgh', 'aB3', 'AAAA1111a']],
  [String.raw`(?!^\d+$)^.+$`, ['123', 'a1', '']],
  [String.raw`^((?!-)[A-Za-z0-9-]{1,63}(?<!-)\.)+[A-Za-z]{2,6}$`, ['example.com', '-a.com', 'a-.com', 'a.b.c.de']],
  [String.raw`^[\w.+-]+@[\w-]+\.[\w.-]+$`, ['a@b.c', 'a@b', 'ä@b.c']],
  [String.raw`^arn:[^:\s]+:(?:[a-z]+:)*\S+$`, ['arn:aws:iam:x', 'arn: x', 'arn:aws:\u00a0']],
  [String.raw`^.+\.$`, ['a.', 'a\n.', 'a\u2028.', '\u{1f600}.']],
  [String.raw`^[\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}\r\n\t]*$`, ['a', '\u{1f600}', '\u0001']],
  [String.raw`^(?:\ud83d\ude00|x)+$`, ['\u{1f600}x', 'y']],
  [String.raw`^\p{L}[\p{L}\p{Mn}\p{Nd}'-]+\P{Lu}*$`, ['Ärger', '1a', "O'Neil"]],
  [String.raw`^\p{Script=Greek}+\s*$`, ['αβγ', 'abc', 'α\ufeff']],
  [String.raw`^[[:^a]+b*$`, ['[:', '^', 'x']],
  [String.raw`^(?<year>\d+)\/(?<month>\d+)$`, ['2026/11', '2026-11']],
  [String.raw`\bcat\b.*\.$`, ['a cat.', 'concat.', 'cat\n.']],
  [String.raw`^[\b\cJ\x41\0]+\s+$`, ['\b\nA\0 ', 'B ']],
  ['arn:[a-z]{1,63}:[^/].{0,1023}', ['arn:a:b', `arn:a:b${'c'.repeat(1100)}`, 'arn:a:/']],
  ['^(?:ab|c){1500,2500}$', ['c'.repeat(1499), 'c'.repeat(1500), 'ab'.repeat(2500), 'c'.repeat(2501)]],
  ['^a{1001,}?b$', [`${'a'.repeat(1000)}b`, `${'a'.repeat(1001)}b`, `${'a'.repeat(5000)}b`]],
];

test.each(['arn:[a-z]{1,63}:[^/].{0,1023}', '^(?:ab|c){1500,2500}$', '^a{1001,}$'])('RE2 takes %s', (source) => {
  expect(() => RE2JS.compile(toRe2(source))).not.toThrow();
});

test.each(FOUND)('%s says of each text what Node says', (source, texts) => {
  const native = new RegExp(source, 'u');
  const pattern = createPattern(source, 'u');
  expect(texts.map((text) => pattern.test(text))).toEqual(texts.map((text) => native.test(text)));
});

const atom = fc.constantFrom(...words`a b . \d \s [ab] [^a] [\s1] (a|b) (?:ab) (a*) ^ $ \b`);
const repeat = fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,2}', '*?');
const piece = fc.tuple(atom, repeat).map(([one, times]) => (/^(?:[\^$]|\\b)$/.test(one) ? one : one + times));
const anyPattern = fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(''));
const anyText = fc.array(fc.constantFrom('a', 'b', '1', ' ', '\n', '\u2028', '\u00a0', '\u{1f600}'), { maxLength: 8 });

test('any pattern says of any text what Node says', () => {
  fc.assert(
    fc.property(anyPattern, fc.option(anyPattern), anyText, (one, other, characters) => {
      const source = other === null ? one : `(?:${one}|${other})+`;
      const text = characters.join('');
      expect(createPattern(source, 'u').test(text)).toBe(new RegExp(source, 'u').test(text));
    }),
    { numRuns: 3000 },
  );
});

/** Patterns of other dialects, each with texts that fit and texts that do not. */
const DIALECTS: [pattern: string, fit: string[], unfit: string[]][] = [
  [String.raw`^[\p{Alnum}_]+$`, ['ab_1'], ['a-b', 'p{Alnum}', 'zoë']],
  [String.raw`^\P{Punct}\p{IsAlphabetic}\pL\p{Latin}\P{Alnum}$`, ['aaaa!'], ['!aaa!', 'aaaaa']],
  [String.raw`^\p{^L}[\P{XDigit}-]$`, ['1x', '1-'], ['ax', '1f']],
  [String.raw`\A[A-Z]{2}\d\z`, ['AB1'], ['AB12', 'AAB1', 'AB1\n']],
  [String.raw`\Aa\Z`, ['a', 'a\n'], ['ab', 'a\n\n']],
  ['^[[:alpha:]_-]+[[:^digit:]]$', ['a_-x'], ['1x', 'a1', ':x']],
  ['^(?P<w>[a-z])-(?P=w)$', ['a-a'], ['a-b']],
  ["^(?'w'[a-z])(?>b)c?+d{1,2}+e{,1}(?#note)$", ['abcde', 'abd'], ['acd', 'abddd']],
  ['(?i)^stra(?-i)x[a-c]$', ['STRAxa'], ['STRAXa', 'straxA']],
  ['^(?i:a[b-d])e(?s).(?m)f$', ['ACe\nf', 'ace\nf\ng'], ['ACE.f']],
  ['(?x) ^ a [ ] b $ # a space', ['a b'], ['ab']],
  [String.raw`/^[a-z]\/[0-9]$/i`, ['A/1'], ['/a/1', 'a1']],
  ['/^https?://[a-z]+$/', ['http://a'], ['ftp://a']],
  [String.raw`^\Qa.b\E\x{41}\R[\e]$`, ['a.bA\r\n\u001b'], ['axbA\n\u001b']],
  ['^[a-z&&[^aeiou]]+$', ['xyz'], ['xaz', '&']],
  [String.raw`^[\w-.\p{L}]+\:$`, ['é-.:'], ['!:']],
  // Valid in ECMA-262, so read as it says.
  ['^/[a-z]+/[0-9]$', ['/a/1'], ['a']],
  ['/api/', ['x/api/y'], ['api']],
  [String.raw`^\p{Upper}\p{L}$`, ['Éë'], ['aë']],
];

test.each(DIALECTS)('%s is read as it is meant', (source, fit, unfit) => {
  const pattern = createContractPattern(source, 'u');
  expect(fit.filter((text) => !pattern.test(text))).toEqual([]);
  expect(unfit.filter((text) => pattern.test(text))).toEqual([]);
});

test.each([...words`^\h+$ ^[\h]$ ^\y$ ^\p{javaLowerCase}$ ^[a-z[0-9]]+$ ^[[.a.]]$ (?R) (?|a)`, '['.repeat(20_000)])(
  '%.20s is not read, since nobody knows in which dialect it is',
  (source) => {
    expect(readContractPattern(source)).toBeUndefined();
  },
);
