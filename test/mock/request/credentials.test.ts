import { expect, onTestFinished, test } from 'vitest';
import { startPetstoreMock } from '../../../src/index.js';
import { createWorld } from '../../../src/mock/world/worlds.js';
import { handleRequest } from '../../../src/mock/handle-request.js';
import type { World } from '../../../src/mock/world/world.js';
import { profileWith } from '../../support/shipped.js';
import { makeRequest } from '../../support/test-world.js';
import { parseContract } from '../../support/parse-contract.js';
import type { ApiResponse } from '../../../src/contract/model.js';
import { words } from '../../support/words.js';
import { yaml } from '../../support/yaml.js';
import { DEPOT_SPEC } from '../../conformance/resources/support/judge-service.js';

/** What each path asks for. */
const SECURITY = {
  ...Object.fromEntries(
    words`bearer basic header query cookie openid word bare`.map((name) => [name, [{ [name]: [] }]]),
  ),
  oauth: [{ oauth: ['read'] }],
  either: [{ basic: [] }, { header: [] }],
  both: [{ header: [], query: [] }],
  'one-field': [{ basic: [], bare: [], query: [] }],
  none: [],
  optional: [{}, { header: [] }],
  mutual: [{ mutual: [] }],
  undeclared: [{ nowhere: [] }],
};
const responses = { 200: { description: 'Fine.' } };
const paths = Object.entries(SECURITY).map(([path, security]) => [
  `/${path}`,
  { get: { operationId: `get/${path}`, security, responses } },
]);
const securitySchemes = yaml`
bearer: { type: http, scheme: Bearer }
basic: { type: http, scheme: basic }
header: { type: apiKey, in: header, name: X-Api-Key }
query: { type: apiKey, in: query, name: api_key }
cookie: { type: apiKey, in: cookie, name: sid }
oauth: { type: oauth2, flows: {} }
openid: { type: openIdConnect, openIdConnectUrl: 'https://example.com' }
word: { type: http, scheme: token }
bare: { type: apiKey, in: header, name: Authorization }
mutual: { type: mutualTLS }
`;
const contract = parseContract({
  info: { title: 'Team API', version: '1.0.0' },
  security: [{ bearer: [] }],
  paths: { ...(Object.fromEntries(paths) as object), '/default': { get: { responses } } },
  components: { securitySchemes },
});
const UNICODE_KEY = 'clé-🔑';
const asBytes = (key: string): string => Buffer.from(key).toString('latin1');

const fine = () => ({ status: 200, headers: {}, body: undefined });

function serve(credentials: Record<string, string[]> = {}, choices: Record<string, string> = {}): World {
  return createWorld({
    contract,
    profile: profileWith(choices),
    fixtures: { name: 'none', seed: 1, pets: [], nextId: undefined },
    apiKeys: ['the-key', UNICODE_KEY],
    credentials,
    handlers: {},
    stateless: Object.fromEntries(contract.operations.map(({ id }) => [id, fine])),
  });
}

const world = serve();
const pair = (user: string): string => `Basic ${Buffer.from(user).toString('base64')}`;
const ask = (target: string, headers: Record<string, string | undefined>, to = world): ApiResponse =>
  handleRequest({ ...makeRequest(`GET ${target}`), headers }, to);
const statusOf = (...given: Parameters<typeof ask>): number => ask(...given).status;

const IN_HEADER = { 'x-api-key': 'the-key' };
const auth = (...values: string[]): Record<string, string>[] => values.map((authorization) => ({ authorization }));

test.each<[target: string, ...headers: Record<string, string>[]]>([
  ['/bearer', ...auth('Bearer the-key', 'bearer the-key', 'BEARER  the-key', 'Bearer the-key  ')],
  ['/bearer', ...auth(`Bearer ${asBytes(UNICODE_KEY)}`)],
  ['/oauth', ...auth('Bearer the-key')],
  ['/default', ...auth('Bearer the-key')],
  ['/basic', ...auth(pair('the-key:'), pair('anyone:the-key'))],
  ['/header', IN_HEADER],
  ['/query?api_key=the-key', {}],
  ['/cookie', { cookie: 'other=1; sid=the-key' }],
  ['/word', ...auth('Token the-key')],
  ['/bare', ...auth('the-key', 'Bearer the-key')],
  ['/both?api_key=the-key', IN_HEADER],
  ['/one-field?api_key=the-key', ...auth(pair('the-key:'), 'the-key')],
  ['/none', {}],
  ['/optional', {}, { 'x-api-key': 'wrong' }],
  ['/undeclared', {}],
])('%s accepts each of %j', (target, ...headers) =>
  expect(headers.map((each) => statusOf(target, each))).toEqual(headers.map(() => 200)),
);

test.each<[target: string, ...headers: Record<string, string>[]]>([
  ['/bearer', {}, IN_HEADER],
  ['/one-field', ...auth('the-key')],
  ['/one-field?api_key=the-key', {}, ...auth(pair('anyone:else'))],
  ['/basic', ...auth('Bearer the-key', pair('the-key'), pair('anyone:else'))],
  ['/header', ...auth('Bearer the-key'), { 'x-api-key': 'Bearer the-key' }, { 'x-api-key': '' }],
  ['/query?api_key=', {}],
  ['/query?api_key=the-ke', {}],
  ['/cookie', { cookie: 'asid=the-key' }],
  ['/word', ...auth('Bearer the-key')],
  ['/either', {}],
  ['/both?api_key=the-key', { 'x-api-key': 'wrong' }],
])('%s refuses each of %j', (target, ...headers) =>
  expect(headers.map((each) => statusOf(target, each))).toEqual(headers.map(() => 401)),
);

const MISSING = 'the API key is missing: send';
const OTHER_SCHEME = 'the Authorization header does not use the Bearer scheme: send';
const NO_KEY = 'the Authorization header must have exactly one key after Bearer: send';

test.each<[told: string, ...values: (string | undefined)[]]>([
  [MISSING, undefined, ''],
  [OTHER_SCHEME, 'the-key', 'Basic the-key', 'Bearerthe-key', ' Bearer the-key'],
  [NO_KEY, 'Bearer', 'Bearer ', 'Bearer a b', 'Bearer the-key, Bearer x'],
])('%s is said of Authorization: %j and %j', (told, ...values) => {
  for (const authorization of values) {
    const refused = ask('/bearer', { authorization });
    expect(refused.body?.value).toMatchObject({ status: 401, message: expect.stringContaining(told) as string });
    expect(refused.headers['WWW-Authenticate']).toBe('Bearer realm="team-api"');
    expect(JSON.stringify(refused.body?.value)).not.toContain('the-key');
  }
});

// Work that grew with the square of the length would outlast the test.
test('a megabyte of spaces is judged', () => {
  const long = ' '.repeat(1_000_000);
  for (const key of [`${long}x y`, `x${long}y`])
    expect(statusOf('/bearer', { authorization: `Bearer ${key}` })).toBe(401);
});

test.each(['The-key', 'the-ke', 'the-keys', '"the-key"', UNICODE_KEY, 'undefined'])('%j is a wrong key', (key) => {
  const refused = ask('/bearer', { authorization: `Bearer ${key}` });
  expect(refused.body?.value).toMatchObject({ status: 401, message: 'the API key is not valid' });
  expect(refused.headers['WWW-Authenticate']).toBe('Bearer realm="team-api", error="invalid_token"');
});

test.each([
  ['/basic', 'Basic realm="team-api", charset="UTF-8"'],
  ['/header', 'ApiKey realm="team-api", in="header", name="X-Api-Key"'],
  ['/word', 'token realm="team-api"'],
  ['/either', 'Basic realm="team-api", charset="UTF-8", ApiKey realm="team-api", in="header", name="X-Api-Key"'],
])('a 401 of %s challenges with %s', (target, challenged) => {
  expect(ask(target, {}).headers['WWW-Authenticate']).toBe(challenged);
});

test.each<[string, Record<string, string>, string]>([
  ['/both', {}, 'that the contract requires are missing: send X-Api-Key: <API_KEY> and api_key=<API_KEY> in the query'],
  ['/either', {}, 'send Authorization: Basic <user:password in Base64>, or X-Api-Key: <API_KEY>'],
  ['/cookie', { cookie: 'sid=wrong' }, 'the API key in the cookie sid is not valid'],
  ['/basic', { authorization: pair('a:b') }, 'the user and the password are not valid'],
])('a 401 of %s to %j says what to do', (target, headers, message) => {
  expect(ask(target, headers).body?.value).toMatchObject({ message: expect.stringContaining(message) as string });
});

test('a scheme with credentials of its own takes these alone', () => {
  const own = serve({ basic: ['rex:s3cret'], header: ['first', 'second'] });
  expect(statusOf('/basic', { authorization: pair('rex:s3cret') }, own)).toBe(200);
  expect(statusOf('/basic', { authorization: pair('anyone:s3cret') }, own)).toBe(401);
  expect(statusOf('/basic', { authorization: pair('the-key:') }, own)).toBe(401);
  expect(statusOf('/header', { 'x-api-key': 'second' }, own)).toBe(200);
  expect(statusOf('/header', { 'x-api-key': 'the-key' }, own)).toBe(401);
  expect(statusOf('/bearer', { authorization: 'Bearer the-key' }, own)).toBe(200);
});

test('what no request can be held to is noted', () => {
  expect(contract.listNotes().map(({ message }) => message)).toEqual([
    'basic and bare would all use the Authorization header, and a request has only one; any of them is enough.',
    'the security scheme mutual (mutualTLS) cannot be checked; a request needs no credentials for it.',
    'the security scheme nowhere is not declared; it is not checked.',
  ]);
});

test('a password is shown nowhere, whatever it stands in', () => {
  const { redact } = serve({ basic: ['rex:s3cret-word'] });
  for (const sent of ['s3cret-word', 'rex:s3cret-word', pair('rex:s3cret-word'), pair('someone:s3cret-word')]) {
    expect(redact(`sent ${sent}.`)).not.toContain(sent.replace('Basic ', ''));
  }
});

const scoped = { 'oauth[parcels:read]': 'reader-token', 'oauth[]': 'empty-token' };

async function send(method: string, path: string, headers: Record<string, string>): Promise<Response> {
  const mock = await startPetstoreMock({ spec: DEPOT_SPEC, credentials: scoped, prism: false });
  onTestFinished(() => mock.close());
  const body = method === 'POST' ? { body: JSON.stringify({ carrier: 'Post' }) } : {};
  return fetch(`${mock.url}${path}`, { method, headers: { 'Content-Type': 'application/json', ...headers }, ...body });
}

test.each([
  ['GET', '/parcels', 'petstore-dev-key', 200],
  ['GET', '/parcels', 'reader-token', 200],
  ['GET', '/parcels', 'empty-token', 403],
  ['GET', '/parcels', 'another-token', 401],
  ['POST', '/parcels', 'petstore-dev-key', 201],
  // The contract documents 401 alone.
  ['DELETE', '/parcels/1', 'reader-token', 401],
])('%s %s with %s gets %i', async (method, path, token, status) => {
  expect((await send(method, path, { Authorization: `Bearer ${token}` })).status).toBe(status);
});

test('a token that lacks a scope is told which, as RFC 6750 has it', async () => {
  const answer = await send('POST', '/parcels', { Authorization: 'Bearer reader-token' });
  const challenge = 'Bearer realm="depot", error="insufficient_scope", scope="parcels:write"';
  expect(answer.headers.get('WWW-Authenticate')).toBe(challenge);
  expect(JSON.stringify(await answer.json())).toContain('sendParcel requires parcels:write');
});

test('another scheme that suffices needs no scopes', async () => {
  const both = { 'X-Staff-Key': 'petstore-dev-key', Authorization: 'Bearer empty-token' };
  expect((await send('GET', '/parcels', both)).status).toBe(200);
});
