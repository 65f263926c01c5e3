import { expect, test } from 'vitest';
import { presentCredentials } from '../../../src/contract/security.js';
import { parseContract } from '../../support/parse-contract.js';

type Read = { shown: unknown; notes: readonly string[] };

function read(scheme: object): Read {
  const contract = parseContract({
    openapi: '3.0.3',
    security: [{ key: [] }],
    paths: { '/a': { get: { responses: { 200: { description: 'Fine.' } } } } },
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', ...scheme } } },
  });
  const [combination = []] = contract.operations[0]?.security ?? [];
  const { headers, query } = presentCredentials(combination, () => 't0k');
  return {
    shown: query.length > 0 ? Object.fromEntries(query) : headers,
    notes: contract.listNotes().map(({ message }) => message),
  };
}

const bearer = { Authorization: 'Bearer t0k' };
const bare = { Authorization: 't0k' };

test.each([
  ['Authorization: Bearer', bearer],
  ['authorization:bearer', bearer],
  ['Authorization Bearer', bearer],
  ['Authorization: Bearer <token>', bearer],
  ['Authorization: "Bearer {token}"', bearer],
  ['Authorization: Basic', { Authorization: `Basic ${btoa('t0k:')}` }],
  ['Authorization: Token', { Authorization: 'Token t0k' }],
  ['Authorization:', { Authorization: 't0k' }],
  ['Authorization: {api_key}', bare],
  ['X-Api-Key:', { 'X-Api-Key': 't0k' }],
  ['X-Api-Key: <key>', { 'X-Api-Key': 't0k' }],
  ['Cookie: session=', { Cookie: 'session=t0k' }],
])('a header called %s is read as what it says, and noted', (name, shown) => {
  const found = read({ name });
  expect(found.shown).toEqual(shown);
  expect(found.notes).toEqual([expect.stringMatching(/^the security scheme key is in the header ".*; it is read as /)]);
});

test.each(['X Api Key', 'Authorization: Digest', 'X-Api-Key: some words', 'Schlüssel', 'a\r\nb', ''])(
  'a header called %j is noted, and asked of no request',
  (name) => {
    const found = read({ name });
    expect(found.shown).toEqual({});
    expect(found.notes).toEqual([expect.stringContaining('a request needs no credentials for it')]);
  },
);

test.each([
  ['JWT Authorization header using the Bearer scheme. Example: "Authorization: Bearer {token}"', bearer],
  ['Type "Bearer" followed by a space and your token.', bearer],
  ['Token-based authentication with required prefix "Token"', { Authorization: 'Token t0k' }],
  ["Send 'ApiKey <key>'.", { Authorization: 'ApiKey t0k' }],
  ['The token itself, without the word Bearer.', bare],
  ['Your key.', bare],
])('a key in Authorization that is described as %j', (description, shown) => {
  const found = read({ name: 'Authorization', description });
  expect(found.shown).toEqual(shown);
  expect(found.notes).toHaveLength(shown === bare ? 0 : 1);
});

test('other names are used as they are, without a note', () => {
  expect(read({ name: 'X-Api-Key', description: 'As a Bearer has it.' })).toEqual({
    shown: { 'X-Api-Key': 't0k' },
    notes: [],
  });
  expect(read({ name: 'api key', in: 'query' })).toEqual({ shown: { 'api key': 't0k' }, notes: [] });
});

test('a parameter whose name no header and no cookie can have is noted and ignored', () => {
  const parameters = ['X Foo', 'Auth: x', 'X-Foo'].map((name) => ({
    name,
    in: 'header',
    required: true,
    schema: { type: 'string' },
  }));
  const contract = parseContract({
    openapi: '3.0.3',
    paths: { '/a': { get: { parameters: [...parameters, { name: 'a b', in: 'cookie' }], responses: { 200: {} } } } },
  });
  expect(contract.operations[0]?.parameters.map(({ name }) => name)).toEqual(['X-Foo']);
  expect(contract.listNotes().map(({ message }) => message)).toEqual([
    '"X Foo" is not a valid header name; this parameter is ignored.',
    '"Auth: x" is not a valid header name; this parameter is ignored.',
    '"a b" is not a valid cookie name; this parameter is ignored.',
  ]);
});

test('a token that is given with its word gets no second one', () => {
  expect(presentCredentials([{ name: 'a', kind: 'bearer', at: 'Bearer' }], () => 'bearer t0k').headers).toEqual(bearer);
});
