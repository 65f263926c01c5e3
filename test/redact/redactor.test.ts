import { describe, expect, test } from 'vitest';
import { redactHeaders } from '../../src/conformance/engine/redact.js';
import { createRedactor } from '../../src/redact/redactor.js';
import { isSecretName } from '../../src/redact/secret-names.js';
import { listSentKeys } from '../../src/conformance/http/request-credentials.js';

const KEY = 'Some-Key-12345';

test('a secret is taken out wherever it stands', () =>
  expect(createRedactor([KEY])(`a ${KEY}${KEY} b`)).toBe('a [redacted][redacted] b'));

test('what only begins like a secret stays, at the end of a text too', () =>
  expect(createRedactor([KEY])('it is Some-K')).toBe('it is Some-K'));

test.each(['\u00AD', '\u200B', '\u2060', '\uFEFF', '\uFE0F'])(
  'a secret is taken out with %j between its letters',
  (between) => {
    const written = KEY.split('').join(between);
    const texts = [
      written,
      JSON.stringify(written),
      encodeURIComponent(written),
      Buffer.from(KEY).toString('hex').split('').join(between),
    ];
    for (const text of texts) expect(createRedactor([KEY])(`<${text}>`)).toMatch(/^<"?\[redacted\]"?>$/);
  },
);

test.each(['a%41b%2Fcd', 'a&lt;b&amp;cd', 'a~1b~0cdef', 'a\\\\n\\u0041bc'])(
  'the secret %s is one that looks like escapes',
  (key) => {
    const redact = createRedactor([key]);
    expect([key, JSON.stringify(key), encodeURIComponent(key)].map(redact)).toEqual([
      '[redacted]',
      '"[redacted]"',
      '[redacted]',
    ]);
  },
);

test.each([
  ['~AAAAAAAAAAAA', (key: string) => Buffer.from(`u:${key}`).toString('base64')],
  ['~AAAAAAAAAAAA', (key: string) => Buffer.from(`u:${key}`).toString('base64url')],
  ['a?~?AAAAAAAAAAA', (key: string) => Buffer.from(`us:${key}`).toString('base64')],
  ['+abcdefghijk', (key: string) => key.replace('+', ' ')],
  [
    '~bcdefghijkl',
    (key: string) =>
      Buffer.from(key)
        .toString('hex')
        .replace(/..(?!$)/g, '$&:'),
  ],
  [
    '~bcdefghijkl',
    (key: string) =>
      Buffer.from(key)
        .toString('hex')
        .replace(/..(?!$)/g, '$& '),
  ],
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
  const secret = String.raw`\\\\\a\\`;
  const text = '\\'.repeat(5000);
  expect(createRedactor([secret])(text)).toBe(text);
});

test('of two secrets, the longer is taken out whole', () =>
  expect(createRedactor(['abcd1234', 'abcd12345678'])('x abcd12345678 y')).toBe('x [redacted] y'));

test('a short secret is taken out where it stands alone, and leaves other words as they are', () =>
  expect(createRedactor(['abc1'])('abc1 "abc1" abc12 xabc1')).toBe('[redacted] "[redacted]" abc12 xabc1'));

test('no secret takes nothing out', () => expect(createRedactor([''])('a b')).toBe('a b'));

test.each([
  ['JSON', 'a"b\\c/d e', (key: string) => JSON.stringify({ key })],
  ['a URL', 'a"b\\c/d e', (key: string) => `?key=${encodeURIComponent(key)}`],
])('a secret is taken out as %s writes it', (_, key, write) => {
  expect(createRedactor([key])(write(key))).not.toMatch(/a"b|a\\"b|a%22b/);
});

test('the start of a secret is taken out where a text is cut', () => {
  const redact = createRedactor([KEY]);
  for (let length = 4; length < KEY.length; length++) {
    expect(redact(`it is ${KEY.slice(0, length)}… and more`)).toBe('it is [redacted]… and more');
  }
  expect(redact('it is Som… and Some')).toBe('it is Som… and Some');
  expect(redact(`${KEY.slice(0, 9)}… ${KEY.slice(0, 5)}…`)).toBe('[redacted]… [redacted]…');
});

test('the wrong keys that are made of the right one tell of it, and are taken out', () => {
  const redact = createRedactor(listSentKeys(KEY));
  for (const key of ['Tpnf-Lfz-23456', 'sOME-kEY-12345', 'SOME-KEY-12345', 'some-key-12345', 'Some-Key-1234']) {
    expect(redact(`no ${key}.`)).toBe('no [redacted].');
  }
});

describe('a header field', () => {
  test('is redacted by its name', () => {
    const headers = { 'X-Api-Key': 'a', Cookie: 'b', 'Set-Cookie': 'c', 'x-csrf-token': 'd', Accept: 'e' };
    expect(redactHeaders(headers, createRedactor([]))).toEqual({
      'X-Api-Key': '[redacted]',
      Cookie: '[redacted]',
      'Set-Cookie': '[redacted]',
      'x-csrf-token': '[redacted]',
      Accept: 'e',
    });
  });

  test('is redacted by its value', () =>
    expect(redactHeaders({ 'x-user': `u ${KEY}` }, createRedactor([KEY]))).toEqual({ 'x-user': 'u [redacted]' }));

  test('Authorization tells how the key was presented', () => {
    expect(redactHeaders({ authorization: KEY }, createRedactor([]), 'truncated')).toEqual({
      authorization: '<truncated>',
    });
  });

  test('WWW-Authenticate is no secret', () => {
    expect(isSecretName('WWW-Authenticate')).toBe(false);
    expect(isSecretName('Proxy-Authorization')).toBe(true);
  });
});
