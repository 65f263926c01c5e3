import { expect, test } from 'vitest';
import { createHttpClient } from '../../../src/conformance/http/http-client.js';
import { createCredentialKeeper } from '../../../src/conformance/http/keep-credentials.js';
import { bareStep, NOTHING_KNOWN, prepareRequest } from '../../../src/conformance/http/prepare-request.js';
import { readRunKeys } from '../../../src/conformance/http/request-credentials.js';
import { runConformance, type ConformanceOptions, type RunResult } from '../../../src/conformance/index.js';
import type { WireAnswer, WireRequest } from '../../../src/conformance/model/exchange.js';
import type { CredentialSource } from '../../../src/conformance/model/options.js';
import { readGivenContract } from '../../../src/conformance/product/plan-run.js';
import { closeLater, listTold } from '../support/ask.js';
import { describeThings, reject, serveThings, wantBearer } from '../support/guarded-things.js';
import type { Guard, Things } from '../support/guarded-things.js';

const login = { path: '/login', body: { user: 'ann', password: 'pass-word-of-ann' } };
const LOGIN = { bearer: { login } };
const GIVEN = { bearer: 'token-of-the-user' };

const run = async (things: Things, options: Partial<ConformanceOptions> = {}): Promise<RunResult> =>
  runConformance({ target: things.url, spec: describeThings(), apiKey: '', settleMs: 0, ...options });
const countLogins = (things: Things): number => things.count('POST', '/login');
/** Does something once the scenarios are over, before the run cleans up. */
const afterwards = (act: () => void): Partial<ConformanceOptions> => ({
  only: ['things/records/create'],
  onEvent: ({ type }) => {
    if (type === 'runConcluded') act();
  },
});

/** Tokens of which each is good for so many requests; the newest alone, where logging in ends the others. */
function createTokens(uses = 1e6) {
  const left = new Map<string, number>();
  let current = '';
  const logsIn: Guard = ({ method, path }) => {
    if (path !== '/login' || method !== 'POST') return undefined;
    current = `token-${left.size}-5d1c77e0`;
    left.set(current, uses);
    return { status: 200, body: { access_token: current } };
  };
  const wants = wantBearer((token) => {
    const rest = token === current ? (left.get(token) ?? 0) : 0;
    left.set(token, rest - 1);
    return rest > 0;
  });
  return { guards: [logsIn, wants] as const, expire: () => left.clear() };
}

/** Wants a token of the user, which is good while this says so. */
const wantsGiven = (isGood: () => boolean): Guard => wantBearer((token) => token === 'token-of-the-user' && isGood());
const forUses =
  (uses: number): (() => boolean) =>
  () =>
    (uses -= 1) >= 0;

test('a token that is good for forty requests is renewed as often as needed, and accuses nobody', async () => {
  const things = await serveThings(...createTokens(40).guards);
  const only = ['things/records/*', 'things/changes/*'];
  const { problems, summary } = await run(things, { credentials: LOGIN, only });
  expect(problems).toEqual([]);
  expect(summary).toMatchObject({ inconclusive: 0 });
  expect(countLogins(things)).toBeGreaterThan(1);
  expect(countLogins(things)).toBeLessThan(2 + summary.requests / 40);
  expect(things.store.size).toBe(0);
});

test('requests that are rejected at once share one renewal', async () => {
  const tokens = createTokens();
  let isHeld = false;
  const things = await serveThings(...tokens.guards, () => {
    // Everything that is under way at that time meets the end of the token.
    if (!isHeld && things.calls.length > 40) {
      isHeld = true;
      tokens.expire();
    }
    return undefined;
  });
  const only = ['things/records/*', 'things/changes/*', 'things/refusals/create*'];
  // Sixteen at once wait for each other on a busy machine.
  const options = { credentials: LOGIN, only, concurrency: 16, timeoutMs: 120_000 };
  expect((await run(things, options)).problems).toEqual([]);
  expect(isHeld).toBe(true);
  expect(countLogins(things)).toBe(2);
});

test('a key that is wrong on purpose renews nothing', async () => {
  const things = await serveThings(...createTokens().guards);
  const { problems, summary } = await run(things, { credentials: LOGIN, only: ['things/refusals/credential*'] });
  expect(problems).toEqual([]);
  expect(summary.passed).toBeGreaterThan(10);
  expect(countLogins(things)).toBe(1);
});

test('an operation that rejects each token is the defect, and costs one renewal', async () => {
  const isRejecting: Guard = ({ method, path }) =>
    method === 'PUT' && path.startsWith('/things/') ? reject() : undefined;
  const [logsIn, wants] = createTokens().guards;
  const things = await serveThings(logsIn, isRejecting, wants);
  const result = await run(things, { credentials: LOGIN, only: ['things/records/*', 'things/changes/*'] });
  expect(listTold(result)).toEqual([expect.stringMatching(/replaceThing.* 401/)]);
  expect(countLogins(things)).toBe(2);
});

test('what expires is renewed before it is rejected, where the response says when', async () => {
  let now = 0;
  const sent: string[] = [];
  const things = await serveThings(({ path, text }) => {
    if (path !== '/token') return undefined;
    const form = new URLSearchParams(text);
    sent.push(form.get('grant_type') ?? '');
    if (form.get('grant_type') === 'refresh_token' && form.get('refresh_token') !== 'refresh-1')
      return { status: 400, body: { error: 'invalid_grant' } };
    const next = `token-${sent.length}-5d1c77e0`;
    return { status: 200, body: { access_token: next, expires_in: 300, refresh_token: `refresh-${sent.length}` } };
  });
  const ask = await createKeeper(things, { oauth2: { client_id: 'ci', token_url: '/token' } }, () => now);
  // The second refresh token is not accepted, so the client asks as at first.
  for (now of [0, 289_000, 291_000, 291_000, 600_000]) await ask();
  expect(sent).toEqual(['client_credentials', 'refresh_token', 'refresh_token', 'client_credentials']);
  const shown = things.calls.filter(({ method }) => method === 'GET').map(({ headers }) => headers.authorization);
  expect(shown).toEqual([1, 1, 2, 2, 4].map((round) => `Bearer token-${round}-5d1c77e0`));
});

/** Sends a request with the credential of a keeper that has a clock of the test. */
async function createKeeper(
  { url }: Things,
  source: CredentialSource,
  now: () => number,
): Promise<() => Promise<WireAnswer>> {
  const contract = readGivenContract({ spec: describeThings() });
  const target = new URL(url);
  const client = createHttpClient({ target, timeoutMs: 5000 });
  closeLater(async () => client.close());
  const keeper = createCredentialKeeper({
    contract,
    target,
    sources: new Map([['bearer', source]]),
    userAgent: 'test',
    timeoutMs: 5000,
    onSecret: () => {},
    onExpired: () => {},
    onUnstated: () => {},
    signal: new AbortController().signal,
    now,
  });
  const send = (request: WireRequest): Promise<WireAnswer> => client.send(request);
  await keeper.start(send);
  const keys = readRunKeys('', { bearer: keeper.values['bearer'] ?? '' });
  const options = { contract, basePath: '', keys, extraHeaders: {}, userAgent: 'test', parameters: {} };
  const { wire } = prepareRequest(bareStep({ id: 'list', operationId: 'listThings' }), NOTHING_KNOWN, options);
  return () => keeper.follow(send)(wire);
}

test('a token that worked and is then rejected everywhere ends the run, and is no problem of the service', async () => {
  const things = await serveThings(wantsGiven(forUses(60)));
  const result = await run(things, { credentials: GIVEN });
  expect(result.problems).toEqual([]);
  expect(result).toMatchObject({ targetLost: true, credentialsExpired: true });
  expect(result.lostBecause).toMatch(/^the credential for bearer expired after 60 requests: /);
  const why = expect.stringMatching(/^since the credential for bearer expired/) as string;
  expect(result.leftBehind).toMatchObject([{ count: things.store.size, why }]);
  expect(result.notes.join('\n')).toMatch(/not cleaned up/);
});

test('an operation that serves everybody does not hide that a token has expired', async () => {
  const isOpen: Guard = ({ method, path }) =>
    method === 'GET' && path === '/things' ? { status: 200, body: [...things.store.values()] } : undefined;
  const things: Things = await serveThings(isOpen, wantsGiven(forUses(60)));
  const result = await run(things, { credentials: GIVEN, skip: ['*/refusals/credential*'] });
  expect(listTold(result).filter((text) => text.includes('401'))).toEqual([]);
  expect(result.credentialsExpired).toBe(true);
});

test('a token that expires while the run cleans up is renewed there', async () => {
  const tokens = createTokens();
  const things = await serveThings(...tokens.guards);
  const result = await run(things, { credentials: LOGIN, ...afterwards(tokens.expire) });
  expect(result.leftBehind).toBeUndefined();
  expect(things.store.size).toBe(0);
  expect(countLogins(things)).toBe(2);
});

test('a token that expires while the run cleans up, without a way to renew it, leaves what is listed', async () => {
  let isGood = true;
  const things = await serveThings(wantsGiven(() => isGood));
  const result = await run(things, { credentials: GIVEN, ...afterwards(() => (isGood = false)) });
  expect(things.store.size).toBeGreaterThan(0);
  const why = expect.stringMatching(/^since the credential for bearer expired/) as string;
  expect(result.leftBehind?.[0]).toMatchObject({ count: things.store.size, why });
  expect(result.problems).toEqual([]);
});

test('a login that fails later ends the run with its reason', async () => {
  let logins = 0;
  const [logsIn, wants] = createTokens(30).guards;
  const things = await serveThings((call) => {
    if (call.path !== '/login') return undefined;
    logins += 1;
    return logins > 1 ? { status: 503, body: { message: 'pass-word-of-ann' } } : logsIn(call);
  }, wants);
  const result = await run(things, { credentials: LOGIN, only: ['things/records/*'] });
  expect(result.problems).toEqual([]);
  expect(result.lostBecause).toBe(
    'the credential for bearer expired after 30 requests, and it could not be renewed: POST /login responded 503',
  );
});

test.each([
  ['403', { status: 403, body: { message: 'expired' } }],
  ['a redirect to the login', { status: 302, headers: { location: '/login' } }],
])('what has expired may be rejected with %s too', async (_, said) => {
  let uses = 30;
  const things = await serveThings(({ headers, method, path }) => {
    if (path === '/login' && method === 'POST') {
      uses = 30;
      return { status: 200, body: { access_token: 'token-of-the-user' } };
    }
    if (headers.authorization !== 'Bearer token-of-the-user') return reject();
    return (uses -= 1) >= 0 ? undefined : said;
  });
  const only = ['things/records/*'];
  expect((await run(things, { credentials: LOGIN, only })).problems).toEqual([]);
  expect(countLogins(things)).toBeGreaterThan(1);
  uses = 30;
  expect(await run(things, { credentials: GIVEN, only })).toMatchObject({ problems: [], credentialsExpired: true });
});

test('a 403 with a reason of its own costs a few requests, and renews nothing', async () => {
  const isFull: Guard = ({ method, json }) =>
    method === 'POST' && json && things.store.size >= 3 ? { status: 403, body: { message: 'quota' } } : undefined;
  const things: Things = await serveThings(...createTokens().guards, isFull);
  const result = await run(things, { credentials: LOGIN, only: ['things/records/*'] });
  expect(result.credentialsExpired).toBeUndefined();
  expect(countLogins(things)).toBe(1);
});

test('what is never to be renewed is not', async () => {
  const things = await serveThings(...createTokens(30).guards);
  const credentials = { bearer: { login, renew: 'never' as const } };
  expect((await run(things, { credentials, only: ['things/records/*'] })).credentialsExpired).toBe(true);
  expect(countLogins(things)).toBe(1);
});

test('a token with some scopes is got and renewed like any other', async () => {
  const things = await serveThings(...createTokens(40).guards);
  const flows = { password: { tokenUrl: '/token', scopes: { 'things:write': 'Write.' } } };
  const spec = describeThings({
    schemes: { oauth: { type: 'oauth2', flows } },
    security: [{ oauth: ['things:write'] }],
  });
  const only = ['things/records/*', 'things/changes/*', 'things/refusals/create*'];
  const { problems, summary } = await run(things, { spec, credentials: { 'oauth[things:write]': { login } }, only });
  expect(problems).toEqual([]);
  expect(summary.passed).toBeGreaterThan(40);
  expect(countLogins(things)).toBeGreaterThan(1);
});
