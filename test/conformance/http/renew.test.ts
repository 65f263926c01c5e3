import { expect, test } from 'vitest';
import { runConformance, type ConformanceOptions, type RunResult } from '../../../src/conformance/index.js';
import type { CredentialSource } from '../../../src/conformance/model/options.js';
import type { WireAnswer, WireRequest } from '../../../src/conformance/model/exchange.js';
import { readGivenContract } from '../../../src/conformance/product/plan-run.js';
import { createCredentialKeeper } from '../../../src/conformance/http/keep-credentials.js';
import { createHttpClient } from '../../../src/conformance/http/http-client.js';
import { bareStep, NOTHING_KNOWN, prepareRequest } from '../../../src/conformance/http/prepare-request.js';
import { readRunKeys } from '../../../src/conformance/http/request-credentials.js';
import { closeLater } from '../support/ask.js';
import { describeThings, reject, serveThings, wantBearer, type Guard, type Things } from '../support/guarded-things.js';

const body = { user: 'ann', password: 'pass-word-of-ann' };
const login = { path: '/login', body };

const run = async (things: Things, options: Partial<ConformanceOptions> = {}): Promise<RunResult> =>
  runConformance({ target: things.url, spec: describeThings(), apiKey: '', settleMs: 0, ...options });

/** Tokens of which each is good for so many requests; the newest alone, where logging in ends the others. */
function createTokens(uses: number) {
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

test('a token that is good for forty requests is renewed as often as needed, and accuses nobody', async () => {
  const things = await serveThings(...createTokens(40).guards);
  const only = ['things/records/*', 'things/changes/*'];
  const { problems, summary } = await run(things, { credentials: { bearer: { login } }, only });
  expect(problems).toEqual([]);
  expect(summary).toMatchObject({ inconclusive: 0 });
  expect(things.count('POST', '/login')).toBeGreaterThan(1);
  expect(things.count('POST', '/login')).toBeLessThan(2 + summary.requests / 40);
  expect(things.store.size).toBe(0);
});

test('requests that are rejected at once share one renewal', async () => {
  const tokens = createTokens(1e6);
  let isHeld = false;
  const things = await serveThings(...tokens.guards, () => {
    // Everything that is under way at that time meets the end of the token.
    if (!isHeld && things.calls.length > 100) {
      isHeld = true;
      tokens.expire();
    }
    return undefined;
  });
  expect((await run(things, { credentials: { bearer: { login } }, concurrency: 16 })).problems).toEqual([]);
  expect(isHeld).toBe(true);
  expect(things.count('POST', '/login')).toBe(2);
});

test('a key that is wrong on purpose renews nothing', async () => {
  const things = await serveThings(...createTokens(1e6).guards);
  const { problems, summary } = await run(things, {
    credentials: { bearer: { login } },
    only: ['things/refusals/credential*'],
  });
  expect(problems).toEqual([]);
  expect(summary.passed).toBeGreaterThan(10);
  expect(things.count('POST', '/login')).toBe(1);
});

test('an operation that rejects each token is the defect, and costs one renewal', async () => {
  const isRejecting: Guard = ({ method, path }) =>
    method === 'PUT' && path.startsWith('/things/') ? reject() : undefined;
  const [logsIn, wants] = createTokens(1e6).guards;
  const things = await serveThings(logsIn, isRejecting, wants);
  const { problems } = await run(things, { credentials: { bearer: { login } } });
  expect(problems.map(({ headline }) => headline)).toEqual([expect.stringMatching(/replaceThing.* 401/)]);
  expect(things.count('POST', '/login')).toBe(2);
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
  const keeper = await createKeeper(things, { oauth2: { client_id: 'ci', token_url: '/token' } }, () => now);
  await keeper.ask();
  now = 289_000;
  await keeper.ask();
  now = 291_000;
  await keeper.ask();
  await keeper.ask();
  // The second refresh token is not accepted, so the client asks as at first.
  now = 600_000;
  await keeper.ask();
  expect(sent).toEqual(['client_credentials', 'refresh_token', 'refresh_token', 'client_credentials']);
  const shown = things.calls.filter(({ method }) => method === 'GET').map(({ headers }) => headers.authorization);
  expect(shown).toEqual([1, 1, 2, 2, 4].map((round) => `Bearer token-${round}-5d1c77e0`));
});

/** A keeper by itself, with a clock of the test, and a request to be sent with its credential. */
async function createKeeper(
  { url }: Things,
  source: CredentialSource,
  now: () => number,
): Promise<{ ask: () => Promise<unknown> }> {
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
  const options = {
    contract,
    basePath: '',
    keys: readRunKeys('', { bearer: keeper.values['bearer'] ?? '' }),
    extraHeaders: {},
    userAgent: 'test',
    parameters: {},
  };
  const { wire } = prepareRequest(bareStep({ id: 'list', operationId: 'listThings' }), NOTHING_KNOWN, options);
  return { ask: () => keeper.follow(send)(wire) };
}

test('a token that worked and is then rejected everywhere ends the run, and is no problem of the service', async () => {
  let used = 0;
  const things = await serveThings(
    wantBearer((token) => {
      if (token === 'token-of-the-user') used += 1;
      return token === 'token-of-the-user' && used <= 60;
    }),
  );
  const result = await run(things, { credentials: { bearer: 'token-of-the-user' } });
  expect(result.problems).toEqual([]);
  expect(result).toMatchObject({ targetLost: true, credentialsExpired: true });
  expect(result.lostBecause).toMatch(/^the credential for bearer expired after 60 requests: /);
  const [left] = result.leftBehind ?? [];
  expect(left?.count).toBe(things.store.size);
  expect(left?.why).toMatch(/^since the credential for bearer expired/);
  expect(result.notes.join('\n')).toMatch(/not cleaned up/);
});

test('an operation that serves everybody does not hide that a token has expired', async () => {
  let used = 0;
  const isOpen: Guard = ({ method, path }) =>
    method === 'GET' && path === '/things' ? { status: 200, body: [...things.store.values()] } : undefined;
  const things: Things = await serveThings(
    isOpen,
    wantBearer((token) => {
      if (token === 'token-of-the-user') used += 1;
      return token === 'token-of-the-user' && used <= 60;
    }),
  );
  const result = await run(things, { credentials: { bearer: 'token-of-the-user' }, skip: ['*/refusals/credential*'] });
  expect(result.problems.map(({ headline }) => headline).filter((text) => /401/.test(text))).toEqual([]);
  expect(result.credentialsExpired).toBe(true);
});

test('a token that expires while the run cleans up is renewed there', async () => {
  const tokens = createTokens(1e6);
  const things = await serveThings(...tokens.guards);
  const result = await run(things, {
    credentials: { bearer: { login } },
    only: ['things/records/create'],
    onEvent: (event) => {
      if (event.type === 'runConcluded') tokens.expire();
    },
  });
  expect(result.leftBehind).toBeUndefined();
  expect(things.store.size).toBe(0);
  expect(things.count('POST', '/login')).toBe(2);
});

test('a token that expires while the run cleans up, without a way to renew it, leaves what is listed', async () => {
  let isGood = true;
  const things = await serveThings(wantBearer((token) => token === 'token-of-the-user' && isGood));
  const result = await run(things, {
    credentials: { bearer: 'token-of-the-user' },
    only: ['things/records/create'],
    onEvent: (event) => {
      if (event.type === 'runConcluded') isGood = false;
    },
  });
  expect(things.store.size).toBeGreaterThan(0);
  expect(result.leftBehind?.[0]).toMatchObject({ count: things.store.size });
  expect(result.leftBehind?.[0]?.why).toMatch(/^since the credential for bearer expired/);
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
  const result = await run(things, { credentials: { bearer: { login } } });
  expect(result.problems).toEqual([]);
  expect(result.lostBecause).toMatch(
    /^the credential for bearer expired after 30 requests, and it could not be renewed: POST \/login responded 503$/,
  );
});

test.each([
  ['403', { status: 403, body: { message: 'expired' } }],
  ['a redirect to the login', { status: 302, headers: { location: '/login' } }],
])('what has expired may be rejected with %s too', async (_, said) => {
  const left = { uses: 30 };
  const expires: Guard = ({ headers, method, path }) => {
    if (path === '/login' && method === 'POST') {
      left.uses = 30;
      return { status: 200, body: { access_token: 'token-of-the-run-5d1c' } };
    }
    if (headers.authorization !== 'Bearer token-of-the-run-5d1c') return reject();
    left.uses -= 1;
    return left.uses >= 0 ? undefined : said;
  };
  const things = await serveThings(expires);
  const only = ['things/records/*'];
  expect((await run(things, { credentials: { bearer: { login } }, only })).problems).toEqual([]);
  expect(things.count('POST', '/login')).toBeGreaterThan(1);
  left.uses = 30;
  const given = await run(things, { credentials: { bearer: 'token-of-the-run-5d1c' }, only });
  expect(given.problems).toEqual([]);
  expect(given.credentialsExpired).toBe(true);
});

test('a 403 with a reason of its own costs a few requests, and renews nothing', async () => {
  const isFull: Guard = ({ method, json }) =>
    method === 'POST' && json && things.store.size >= 3 ? { status: 403, body: { message: 'quota' } } : undefined;
  const [logsIn, wants] = createTokens(1e6).guards;
  const things: Things = await serveThings(logsIn, wants, isFull);
  const result = await run(things, { credentials: { bearer: { login } }, only: ['things/records/*'] });
  expect(result.credentialsExpired).toBeUndefined();
  expect(things.count('POST', '/login')).toBe(1);
});

test('what is never to be renewed is not', async () => {
  const things = await serveThings(...createTokens(30).guards);
  expect((await run(things, { credentials: { bearer: { login, renew: 'never' } } })).credentialsExpired).toBe(true);
  expect(things.count('POST', '/login')).toBe(1);
});

test('a token with some scopes is got and renewed like any other', async () => {
  const things = await serveThings(...createTokens(40).guards);
  const schemes = {
    oauth: { type: 'oauth2', flows: { password: { tokenUrl: '/token', scopes: { 'things:write': 'Write.' } } } },
  };
  const spec = describeThings({ schemes, security: [{ oauth: ['things:write'] }] });
  const { problems, summary } = await run(things, { spec, credentials: { 'oauth[things:write]': { login } } });
  expect(problems).toEqual([]);
  expect(summary.passed).toBeGreaterThan(50);
});
