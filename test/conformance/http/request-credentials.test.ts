import { expect, test } from 'vitest';
import { checkKeys } from '../../../src/conformance/http/prepare-request.js';
import * as credentials from '../../../src/conformance/http/request-credentials.js';
import type { AuthForm } from '../../../src/conformance/model/scenario.js';
import type { Operation, Security, SecurityScheme } from '../../../src/contract/model.js';
import type { Violation } from '../../../src/contract/schemas/violation.js';

const { chooseKeys, findNoUse, listSentKeys, mayImply, presentKeys, readRunKeys } = credentials;
const DRIVE = 'https://x.example/auth/drive';

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
  [DRIVE, `${DRIVE}.readonly`],
])('a service may take a token with %s for one with %s', (scope, needed) => expect(mayImply(scope, needed)).toBe(true));

test.each([
  ['orders:read', 'orders:write'],
  ['orders:write', 'users:read'],
  ['read', 'write'],
  ['profile', 'orders:read'],
  [`${DRIVE}.readonly`, DRIVE],
])('no service takes a token with %s for one with %s', (scope, needed) => expect(mayImply(scope, needed)).toBe(false));

const scoped = readRunKeys('key', {
  'oauth[]': 'none',
  'oauth[read]': 'reader',
  'oauth[read write]': 'both',
  pin: '1',
});

test('without a token that suffices everywhere, one with the scopes that an operation needs is sent', () => {
  const tokenFor = (...needed: string[]): unknown =>
    chooseKeys(scoped, { scopes: [{ oauth: needed }] }).credentials['oauth'];
  expect(['read', 'write', 'other'].map((each) => tokenFor(each))).toEqual(['reader', 'both', undefined]);
  expect(tokenFor('read', 'write')).toBe('both');
  const withFull = readRunKeys('key', { oauth: 'full', 'oauth[read]': 'reader' });
  expect(chooseKeys(withFull, { scopes: [{ oauth: ['read'] }] }).credentials['oauth']).toBe('full');
});

const bearer: SecurityScheme = { name: 'bearer', kind: 'bearer', at: 'Bearer' };
const basic: SecurityScheme = { name: 'basic', kind: 'basic', at: 'Basic' };
const header: SecurityScheme = { name: 'header', kind: 'header', at: 'X-Api-Key' };
const query: SecurityScheme = { name: 'query', kind: 'query', at: 'api key' };
const cookie: SecurityScheme = { name: 'cookie', kind: 'cookie', at: 'sid' };
const authorization: SecurityScheme = { name: 'token', kind: 'header', at: 'Authorization' };
const keysOf = (apiKey: string, own: Record<string, string> = {}) => ({ apiKey, credentials: own });
const pair = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;
const show = (form: AuthForm, scheme: SecurityScheme, apiKey = 'Key1'): unknown =>
  presentKeys(form, [[scheme]], keysOf(apiKey)).headers;

test.each<[string, Security, object, string]>([
  ['bearer', [[bearer]], { Authorization: 'Bearer Key1' }, ''],
  ['basic', [[basic]], { Authorization: pair('Key1:') }, ''],
  ['header', [[header]], { 'X-Api-Key': 'Key1' }, ''],
  ['query', [[query]], {}, 'api%20key=Key1'],
  ['cookie', [[cookie]], { Cookie: 'sid=Key1' }, ''],
  ['none', [], {}, ''],
])('a key is shown where the contract wants it: %s', (_, security, headers, written) => {
  expect(presentKeys('valid', security, keysOf('Key1'))).toMatchObject({ headers, query: written });
});

test.each(['Key1', 'Key1:', 'rex:1234'])('what changes nothing of %s is not sent as if it did', (apiKey) => {
  expect(() => show('otherCase', basic, apiKey)).toThrow('the credentials have no password that it could change');
  expect(show('wrong', basic, apiKey)).not.toEqual(show('valid', basic, apiKey));
});

test('a password is left out, and swapped in its case, where there is one', () => {
  expect(show('emptyPassword', basic, 'rex:Secret')).toEqual({ Authorization: pair('rex:') });
  expect(show('otherCase', basic, 'rex:Secret')).toEqual({ Authorization: pair('rex:sECRET') });
  expect(() => show('emptyPassword', basic)).toThrow('no password');
});

test.each([
  ['missing', {}],
  ['wrong', { 'X-Api-Key': 'Lfz2' }],
  ['empty', { 'X-Api-Key': '' }],
  ['truncated', { 'X-Api-Key': 'Key' }],
  ['otherCase', { 'X-Api-Key': 'kEY1' }],
  ['lowerCaseField', { 'x-api-key': 'Key1' }],
] as const)('a key in a header field that is %s', (form, headers) => expect(show(form, header)).toEqual(headers));

test.each([
  ['wrong', [[header]], true, undefined],
  ['bareKey', [[header]], true, 'requires no bearer token'],
  ['bareKey', [[bearer]], true, undefined],
  ['wrong', [], false, 'requires no credentials'],
  ['wrong', [[], [bearer]], false, 'requires no credentials'],
  ['valid', [], false, undefined],
] as const)('%s of %j says %s', (form, security, secured, noUse) => {
  expect(findNoUse(form, security, secured)).toBe(noUse);
});

test.each([
  ['valid', 'Token Key1'],
  ['wrong', 'Token Lfz2'],
  ['empty', 'Token '],
  ['truncated', 'Token Key'],
  ['otherCase', 'Token kEY1'],
  ['lastOfTwo', 'Token other Key1'],
] as const)('a key behind a word of its own in Authorization keeps that word: %s', (form, written) => {
  expect(show(form, authorization, 'Token Key1')).toEqual({ Authorization: written });
});

test('what is sent behind a word is removed from reports by itself too', () =>
  expect(listSentKeys('Token Key1')).toEqual(expect.arrayContaining(['Token Key1', 'Key1', 'Lfz2', 'kEY1'])));

const KEY = '$scenarios.boats/records/create.outputs.key';
const NOT_ONE =
  'it needs a key that body/boatId may have (an integer); the target makes keys such as "b-1": the contract should state the same form for both';

/** Why a key from another scenario or step cannot be sent; nothing where it can. */
function findUnfit(template: string, part: Violation['part'], path: string): string {
  const violation = { part, pointer: '/boatId', at: `${part}/boatId`, expected: 'an integer', actual: '"b-1"' };
  const step = { requestBody: { json: { boatId: template } }, parameters: { boatId: template } };
  try {
    checkKeys(step, { violations: [violation as Violation], operation: { path } as Operation });
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

test.each<[string, string, Violation['part'], string, string]>([
  ['of another record must fit a body', KEY, 'body', '/trips', NOT_ONE],
  ['of another record, in braces, must fit a body', `{${KEY}}`, 'body', '/trips', NOT_ONE],
  ['of a parent must fit a path', KEY, 'path', '/boats/{boatId}/trips', NOT_ONE.replace('body', 'path')],
  ['of the record itself need not', KEY, 'path', '/boats/{boatId}', ''],
  ['in a form that is tried on purpose need not', `{${KEY}}.0`, 'body', '/trips', ''],
  ['of an earlier step need not', '$steps.create.outputs.key', 'body', '/trips', ''],
])('a key %s', (_, template, part, path, reason) => expect(findUnfit(template, part, path)).toBe(reason));
