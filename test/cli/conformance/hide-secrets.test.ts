import { afterEach, expect, test } from 'vitest';
import { guardOutput, hideSecrets, keepSecret } from '../../../src/cli/conformance/run-outputs.js';

const KEY = 'Very-Own-Key-4711';

afterEach(() => {
  keepSecret({});
});

test('until there is a secret, texts stay as they are', () =>
  expect([hideSecrets(`a ${KEY}`), guardOutput(`a ${KEY}`)]).toEqual([`a ${KEY}`, `a ${KEY}`]));

test.each<[string, Parameters<typeof keepSecret>[0]]>([
  ['the key', { apiKey: KEY }],
  ['a header field', { headers: { 'X-Gateway-Key': KEY } }],
  ['a password in the target', { target: `https://me:${KEY}@petstore.example/v1` }],
  ['a password of the proxy', { proxy: `http://me:${KEY}@proxy.example` }],
  ['a credential of a scheme', { credentials: { basic: `rex:${KEY}` } }],
  ['a passphrase', { tls: { clientCertificate: { cert: '', key: '', passphrase: KEY } } }],
])('from then on it leaves in no message and no report: %s', (_, options) => {
  keepSecret(options);
  for (const hide of [hideSecrets, guardOutput])
    for (const text of [KEY, `"${KEY}"`, Buffer.from(KEY).toString('base64')]) {
      expect(hide(`before ${text} after`)).not.toContain(text);
      expect(hide(`before ${text} after`)).toMatch(/^before .* after$/);
    }
});

test('a key that is a word of a format is hidden in messages, and does not break a report', () => {
  keepSecret({ apiKey: 'verdict' });
  expect(hideSecrets('the key verdict')).not.toContain('verdict');
  expect(guardOutput('{"verdict":"passed"}')).toBe('{"verdict":"passed"}');
});

test('the secrets of the last call count', () => {
  keepSecret({ apiKey: KEY });
  keepSecret({ apiKey: 'Another-Key-0815' });
  expect(hideSecrets(KEY)).toBe(KEY);
  expect(hideSecrets('Another-Key-0815')).not.toContain('0815');
});
