import { expect, test } from 'vitest';
import { chooseKeys, lackScopes, readRunKeys, mayImply } from '../../../src/conformance/http/request-credentials.js';

test.each([
  ['orders:write', 'orders:read'],
  ['write:orders', 'read:orders'],
  ['orders', 'orders.read'],
  ['orders', 'write:orders'],
  ['repo', 'repo:status'],
  ['admin', 'orders:read'],
  ['orders.*', 'orders.read'],
  ['write', 'orders:write'],
  ['orders:write', 'orders:delete'],
  ['view:orders', 'read:orders'],
  ['https://x.example/auth/drive', 'https://x.example/auth/drive.readonly'],
])('a service may take a token with %s for one with %s', (scope, needed) => expect(mayImply(scope, needed)).toBe(true));

test.each([
  ['orders:read', 'orders:write'],
  ['orders:write', 'users:read'],
  ['read', 'write'],
  ['profile', 'orders:read'],
  ['https://x.example/auth/drive.readonly', 'https://x.example/auth/drive'],
])('no service takes a token with %s for one with %s', (scope, needed) => expect(mayImply(scope, needed)).toBe(false));

const keys = readRunKeys('key', { 'oauth[]': 'none', 'oauth[read]': 'reader', 'oauth[read write]': 'both', pin: '1' });

test('without a token that suffices everywhere, one with the scopes that an operation needs is sent', () => {
  const tokenFor = (...needed: string[]): string | undefined =>
    chooseKeys(keys, { scopes: [{ oauth: needed }] }).credentials['oauth'];
  expect([tokenFor('read'), tokenFor('write'), tokenFor('read', 'write'), tokenFor('other')]).toEqual([
    'reader',
    'both',
    'both',
    undefined,
  ]);
  const withFull = readRunKeys('key', { oauth: 'full', 'oauth[read]': 'reader' });
  expect(chooseKeys(withFull, { scopes: [{ oauth: ['read'] }] }).credentials['oauth']).toBe('full');
});

test('of the tokens that lack a scope, the one with most others is sent', () => {
  const lacking = (...scopes: string[]): string | undefined =>
    lackScopes(keys, { scheme: 'oauth', scopes })?.credentials['oauth'];
  expect([lacking('write'), lacking('read'), lacking('read', 'write')]).toEqual(['reader', 'none', 'none']);
  expect(lackScopes(keys, { scheme: 'pin', scopes: ['read'] })).toBeUndefined();
});
