import { describe, expect, test } from 'vitest';
import { redactHeaders } from '../../src/conformance/engine/redact.js';
import { listSentKeys } from '../../src/conformance/http/request-credentials.js';
import { createRedactor, createRequestRedactor, isSecretName } from '../../src/redact/redactor.js';
import { spellOut, spellOutAll } from '../../src/redact/spell-out.js';
import { words } from '../support/words.js';

const KEY = 'Some-Key-12345';
const base64 = (text: string, encoding: BufferEncoding = 'base64') => Buffer.from(text).toString(encoding);
const hexWith = (sign: string) => (key: string) => base64(key, 'hex').replace(/..(?!$)/g, `$&${sign}`);

test.each([
  ['wherever it stands', [KEY], `a ${KEY}${KEY} b`, 'a [redacted][redacted] b'],
  ['and what only begins like it stays, at the end of a text too', [KEY], 'it is Some-K', 'it is Some-K'],
  ['the longer of two whole', ['abcd1234', 'abcd12345678'], 'x abcd12345678 y', 'x [redacted] y'],
  ['a short one where it stands alone', ['abc1'], 'abc1 "abc1" abc12 xabc1', '[redacted] "[redacted]" abc12 xabc1'],
  ['and where there is none, nothing is', [''], 'a b', 'a b'],
])('a secret is taken out: %s', (_, secrets, text, redacted) => {
  expect(createRedactor(secrets)(text)).toBe(redacted);
});

test.each(['\u00AD', '\u200B', '\u2060', '\uFEFF', '\uFE0F'])(
  'a secret is taken out with %j between its letters',
  (sign) => {
    const written = KEY.split('').join(sign);
    const hex = base64(KEY, 'hex').split('').join(sign);
    for (const text of [written, JSON.stringify(written), encodeURIComponent(written), hex])
      expect(createRedactor([KEY])(`<${text}>`)).toMatch(/^<"?\[redacted\]"?>$/);
  },
);

test.each(words`a%41b%2Fcd a&lt;b&amp;cd a~1b~0cdef a\\n\u0041bc`)(
  'the secret %s is one that looks like escapes',
  (key) => {
    const redacted = [key, JSON.stringify(key), encodeURIComponent(key)].map(createRedactor([key]));
    expect(redacted).toEqual(['[redacted]', '"[redacted]"', '[redacted]']);
  },
);

test.each([
  ['~AAAAAAAAAAAA', (key: string) => base64(`u:${key}`)],
  ['~AAAAAAAAAAAA', (key: string) => base64(`u:${key}`, 'base64url')],
  ['a?~?AAAAAAAAAAA', (key: string) => base64(`us:${key}`)],
  ['+abcdefghijk', (key: string) => key.replace('+', ' ')],
  ['~bcdefghijkl', hexWith(':')],
  ['~bcdefghijkl', hexWith(' ')],
])('the secret %s is taken out where its first letters are written with other signs', (key, write) => {
  expect(createRedactor([key])(`<${write(key)}>`)).toMatch(/^<.{0,4}\[redacted\]=*>$/);
});

test.each([
  ["'&~~0rACfII1vUq=14%yw", '&apos;&amp;~~0rACfII1vUq=14%yw'],
  ['l~0/%8kCwB<7O_lyrpd', 'l~0%2F%258kCwB%3C7O_lyrpd'],
  ['ll4%CS-~0-C.vC%vM8kAwq5', 'll4%2525CS-~0-C.vC%2525vM8kAwq5'],
])('the secret %s looks like escapes in one place, and is written with escapes in another', (key, written) => {
  expect(createRedactor([key])(`<${written}>`)).toBe('<[redacted]>');
});

test('a text of nothing but escapes takes no longer for a secret that begins with them', () => {
  const text = '\\'.repeat(5000);
  expect(createRedactor([String.raw`\\\\\a\\`])(text)).toBe(text);
});

test('the start of a secret is taken out where a text is cut', () => {
  const redact = createRedactor([KEY]);
  for (let length = 4; length < KEY.length; length++)
    expect(redact(`it is ${KEY.slice(0, length)}… and more`)).toBe('it is [redacted]… and more');
  expect(redact('it is Som… and Some')).toBe('it is Som… and Some');
  expect(redact(`${KEY.slice(0, 9)}… ${KEY.slice(0, 5)}…`)).toBe('[redacted]… [redacted]…');
});

test.each(words`Tpnf-Lfz-23456 sOME-kEY-12345 SOME-KEY-12345 some-key-12345 Some-Key-1234`)(
  'the wrong key %s, which is made of the right one and tells of it, is taken out',
  (key) => expect(createRedactor(listSentKeys(KEY))(`no ${key}.`)).toBe('no [redacted].'),
);

test('a header field is redacted by its name or its value, and Authorization tells how the key was presented', () => {
  const secret = { 'X-Api-Key': 'a', Cookie: 'b', 'Set-Cookie': 'c', 'x-csrf-token': 'd' };
  const hidden = Object.fromEntries(Object.keys(secret).map((name) => [name, '[redacted]']));
  expect(redactHeaders({ ...secret, Accept: 'e' }, createRedactor([]))).toEqual({ ...hidden, Accept: 'e' });
  expect(redactHeaders({ 'x-user': `u ${KEY}` }, createRedactor([KEY]))).toEqual({ 'x-user': 'u [redacted]' });
  const presented = redactHeaders({ authorization: KEY }, createRedactor([]), 'truncated');
  expect(presented).toEqual({ authorization: '<truncated>' });
  expect(['WWW-Authenticate', 'Proxy-Authorization'].map(isSecretName)).toEqual([false, true]);
});

describe('in a request', () => {
  const keys = ['s3cret/key+1', 'k"ey-in-json'];

  test.each([
    ['as it is', keys, 'GET /v1/s3cret/key+1 200', 'GET /v1/[redacted] 200'],
    ['as a URL writes it', keys, '/v1/pets?x=s3cret%2Fkey%2B1&y=2', '/v1/pets?x=[redacted]&y=2'],
    ['with small escapes', keys, '/v1/pets?x=s3cret%2fkey%2b1', '/v1/pets?x=[redacted]'],
    ['with escapes that need not be', keys, '/v1/%733cret%2Fkey+1', '/v1/[redacted]'],
    ['beside an escape that is none', keys, '/v1/pets?x=%zzs3cret%2Fkey%2B1', '/v1/pets?x=%zz[redacted]'],
    ['beside bytes that are no UTF-8', keys, '/v1/pets?x=%ff%733cret%2Fkey%2B1', '/v1/pets?x=%ff[redacted]'],
    ['as JSON writes it', keys, String.raw`{"reason":"k\"ey-in-json"}`, '{"reason":"[redacted]"}'],
    ['twice', keys, 's3cret/key+1 s3cret/key+1', '[redacted] [redacted]'],
    ['short, and alone', ['a1'], '/v1/a1?x=a1&y=a12 at a1.', '/v1/[redacted]?x=[redacted]&y=a12 at [redacted].'],
    ['not at all', keys, '/v1/pets?limit=2&status=so%20ld&monkey=1', '/v1/pets?limit=2&status=so%20ld&monkey=1'],
  ])('a key is taken out %s', (_, secrets, text, redacted) => {
    expect(createRequestRedactor(secrets)(text)).toBe(redacted);
  });

  test.each(words`api_key apiKey api-key key token access_token authorization secret password`)(
    'the value of the query parameter %s is taken out, whatever it is',
    (name) => {
      const redacted = createRequestRedactor([])(`/v1/pets?limit=2&${name}=anything`);
      expect(redacted).toBe(`/v1/pets?limit=2&${name}=[redacted]`);
    },
  );
});

describe('what steers a terminal or a log', () => {
  test.each<[text: string, shown: string]>([
    ['a\r\nb', String.raw`a\u000d\u000ab`],
    ['\u001B[2J', String.raw`\u001b[2J`],
    ['a\u202Eb\uFEFF', String.raw`a\u202eb\ufeff`],
    ['\uD800', String.raw`\ud800`],
    ['::error::x', String.raw`\u003a:error::x`],
    ['\t::error::x', String.raw`\u0009\u003a:error::x`],
    ['a ##[group]x', String.raw`a \u0023#[group]x`],
    ['##vso[x]', String.raw`\u0023#vso[x]`],
    ...['🐶 Rex', '## heading', 'a::b', '[::1]:80', '# [x]', 'ü'].map((text): [string, string] => [text, text]),
  ])('%j is shown as %s', (text, shown) => expect(spellOut(text)).toBe(shown));

  test('every text within a value is spelled out, and nothing else is touched', () => {
    const value = { list: ['\n', 1, null], flag: true, deep: { text: '\u0000' }, gone: undefined };
    expect(spellOutAll(value)).toEqual({ list: ['\\u000a', 1, null], flag: true, deep: { text: '\\u0000' } });
  });
});
