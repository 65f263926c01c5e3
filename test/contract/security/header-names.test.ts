import { expect, test } from 'vitest';
import { checkSchemeNames, presentCredentials, readCredentialName } from '../../../src/contract/security.js';
import { parseContract } from '../../support/parse-contract.js';
import { loadContract } from '../../../src/contract/contract.js';
import { CREDENTIAL, readCredentials } from '../../../src/options/rules.js';
import { DEPOT_SPEC } from '../../conformance/resources/support/judge-service.js';

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

test.each<[shown: object, ...names: string[]]>([
  [bearer, 'Authorization: Bearer', 'authorization:bearer', 'Authorization Bearer', 'Authorization: Bearer <token>'],
  [bearer, 'Authorization: "Bearer {token}"'],
  [{ Authorization: `Basic ${btoa('t0k:')}` }, 'Authorization: Basic'],
  [{ Authorization: 'Token t0k' }, 'Authorization: Token'],
  [bare, 'Authorization:', 'Authorization: {api_key}'],
  [{ 'X-Api-Key': 't0k' }, 'X-Api-Key:', 'X-Api-Key: <key>'],
  [{ Cookie: 'session=t0k' }, 'Cookie: session='],
])('%j is read of a header called %s, and that is noted', (shown, ...names) => {
  const note = /^the security scheme key is in the header ".*; it is read as /;
  for (const name of names) expect(read({ name })).toEqual({ shown, notes: [expect.stringMatching(note)] });
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
  const described = read({ name: 'X-Api-Key', description: 'As a Bearer has it.' });
  expect(described).toEqual({ shown: { 'X-Api-Key': 't0k' }, notes: [] });
  expect(read({ name: 'api key', in: 'query' })).toEqual({ shown: { 'api key': 't0k' }, notes: [] });
});

test('a parameter whose name no header and no cookie can have is noted and ignored', () => {
  const parameters = ['X Foo', 'Auth: x', 'X-Foo'].map((name) => ({ name, in: 'header', required: true, schema: {} }));
  const get = { parameters: [...parameters, { name: 'a b', in: 'cookie' }], responses: { 200: {} } };
  const contract = parseContract({ openapi: '3.0.3', paths: { '/a': { get } } });
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

const depot = loadContract(DEPOT_SPEC);

test.each([
  ['oauth', 'oauth', undefined],
  ['oauth[]', 'oauth', []],
  ['oauth[orders:read orders:write]', 'oauth', ['orders:read', 'orders:write']],
  ['oauth[https://x.example/a=b, c]', 'oauth', ['https://x.example/a=b', 'c']],
])('%s is read', (name, scheme, scopes) => expect(readCredentialName(name)).toEqual({ scheme, scopes }));

test('a credential may name scopes, even with an equals sign in one', () => {
  expect(CREDENTIAL.accepts('oauth[a=b]=token')).toBe(true);
  expect(CREDENTIAL.accepts('oauth[a=token')).toBe(false);
  expect(readCredentials(['oauth[a=b c]=x=y', 'oauth=z'])).toEqual({ 'oauth[a=b c]': ['x=y'], oauth: ['z'] });
});

test('what each alternative asks for is kept, also where they differ in nothing but scopes', () => {
  const scopesOf = (id: string): unknown => depot.operations.find((operation) => operation.id === id)?.scopes;
  expect(scopesOf('readParcel')).toEqual([{ oauth: ['parcels:read'] }, { oauth: ['parcels:write'] }]);
  expect(scopesOf('findParcels')).toEqual([{ oauth: ['parcels:read'] }, { staffKey: [] }]);
});

test('scopes of the contract are accepted, and others would accuse a service of what the user mistyped', () => {
  expect(() => checkSchemeNames({ 'oauth[parcels:read]': 'x', 'oauth[]': 'y' }, depot)).not.toThrow();
  expect(() => checkSchemeNames({ 'oauth[parcel:read]': 'x' }, depot)).toThrow(
    'a token for oauth is given with the scope parcel:read, which the contract does not name; it has parcels:read, parcels:write, parcels:withdraw; did you mean parcels:read?',
  );
  expect(() => checkSchemeNames({ 'outh[parcels:read]': 'x' }, depot)).toThrow('did you mean oauth?');
});
