import { describe, expect, test } from 'vitest';
import { createRequestRedactor } from '../../src/redact/secret-names.js';

describe('a key', () => {
  const redact = createRequestRedactor(['s3cret/key+1', 'k"ey-in-json']);

  test.each([
    ['as it is', 'GET /v1/s3cret/key+1 200', 'GET /v1/[redacted] 200'],
    ['as a URL writes it', '/v1/pets?x=s3cret%2Fkey%2B1&y=2', '/v1/pets?x=[redacted]&y=2'],
    ['with small escapes', '/v1/pets?x=s3cret%2fkey%2b1', '/v1/pets?x=[redacted]'],
    ['with escapes that need not be', '/v1/%733cret%2Fkey+1', '/v1/[redacted]'],
    ['beside an escape that is none', '/v1/pets?x=%zzs3cret%2Fkey%2B1', '/v1/pets?x=%zz[redacted]'],
    ['beside bytes that are no UTF-8', '/v1/pets?x=%ff%733cret%2Fkey%2B1', '/v1/pets?x=%ff[redacted]'],
    ['as JSON writes it', String.raw`{"reason":"k\"ey-in-json"}`, '{"reason":"[redacted]"}'],
    ['twice', 's3cret/key+1 s3cret/key+1', '[redacted] [redacted]'],
  ])('is taken out %s', (_, text, expected) => expect(redact(text)).toBe(expected));

  test('that is short is taken out where it stands alone', () => {
    expect(createRequestRedactor(['a1'])('/v1/a1?key=b&x=a1&y=a12 at a1.')).toBe(
      '/v1/[redacted]?key=[redacted]&x=[redacted]&y=a12 at [redacted].',
    );
  });
});

test.each(['api_key', 'apiKey', 'api-key', 'key', 'token', 'access_token', 'authorization', 'secret', 'password'])(
  'the value of the query parameter %s is taken out, whatever it is',
  (name) => {
    expect(createRequestRedactor([])(`/v1/pets?limit=2&${name}=anything`)).toBe(`/v1/pets?limit=2&${name}=[redacted]`);
  },
);

test('a text without a secret stays as it is', () => {
  const text = 'GET  /v1/pets?limit=2&status=so%20ld&monkey=1  200';
  expect(createRequestRedactor(['s3cret-key'])(text)).toBe(text);
});
