import { expect, test } from 'vitest';
import { loadContract } from '../../../src/contract/contract.js';
import { checkSchemeNames, readCredentialName } from '../../../src/contract/security.js';
import { CREDENTIAL, readCredentials } from '../../../src/options/rules.js';
import { DEPOT_SPEC } from '../../conformance/resources/support/judge-service.js';

const depot = loadContract(DEPOT_SPEC);

test.each([
  ['oauth', 'oauth', undefined],
  ['oauth[]', 'oauth', []],
  ['oauth[orders:read]', 'oauth', ['orders:read']],
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
