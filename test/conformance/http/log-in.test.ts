import { expect, test } from 'vitest';
import { runConformance, type ConformanceOptions, type RunResult } from '../../../src/conformance/index.js';
import { describeThings, reject, serve, serveThings, wantBearer, type Guard } from '../support/guarded-things.js';

const only = ['things/records/create', 'things/refusals/credential*'];

const run = async (target: string, options: Partial<ConformanceOptions>): Promise<RunResult> =>
  runConformance({ target, apiKey: '', settleMs: 0, only, ...options });

const TOKEN = 'token-4f81c06e7a9d';
const body = { user: 'ann', password: 'pass-word-of-ann' };

/** Logs in whoever has the password; `respond` says with what. */
function logsIn(respond: () => { body?: unknown; headers?: Record<string, string> }, isAnn?: Guard): Guard {
  return (call) => {
    if (call.path !== '/login' || call.method !== 'POST') return undefined;
    if (isAnn !== undefined) return isAnn(call) ?? { status: 200, ...respond() };
    const isGood = call.json?.['user'] === 'ann' && call.json['password'] === 'pass-word-of-ann';
    return isGood ? { status: 200, ...respond() } : reject();
  };
}

/** What a run through which nothing goes wrong does not have. */
function listFaults({ problems, summary, ...result }: RunResult): string[] {
  return [
    ...problems.map(({ headline }) => headline),
    ...(summary.created > 0 ? [] : ['nothing was created']),
    ...(summary.inconclusive === 0 ? [] : ['something is inconclusive']),
    ...(/token-4f81c06e7a9d|pass-word-of-ann/.test(JSON.stringify(result)) ? ['a secret is shown'] : []),
  ];
}

test('a run logs in with what it is told, and its output has neither password nor token', async () => {
  const things = await serveThings(
    logsIn(() => ({ body: { data: { token: TOKEN } } })),
    wantBearer((token) => token === TOKEN),
  );
  const login = { path: '/login', body, take: '/data/token' };
  expect(listFaults(await run(things.url, { spec: describeThings(), credentials: { bearer: { login } } }))).toEqual([]);
  expect(things.count('POST', '/login')).toBe(1);
  expect(things.store.size).toBe(0);
});

test.each([
  ['access_token', { access_token: TOKEN, token_type: 'bearer' }],
  ['token', { token: TOKEN }],
  ['a member within data', { data: { accessToken: TOKEN } }],
  ['a text alone', JSON.stringify(TOKEN)],
  ['a plain word', TOKEN],
])('without a pointer, the credential is found as %s', async (_, said) => {
  const things = await serveThings(
    logsIn(() => ({ body: said })),
    wantBearer((token) => token === TOKEN),
  );
  expect(
    listFaults(
      await run(things.url, { spec: describeThings(), credentials: { bearer: { login: { path: '/login', body } } } }),
    ),
  ).toEqual([]);
});

test('a token of a response is sent as the cookie that the scheme names', async () => {
  const isLet: Guard = ({ headers }) => (headers.cookie === `sid=${TOKEN}` ? undefined : reject('Cookie'));
  const schemes = { session: { type: 'apiKey', in: 'cookie', name: 'sid' } };
  const things = await serveThings(
    logsIn(() => ({ body: {}, headers: { 'set-cookie': `sid=${TOKEN}; Path=/; HttpOnly` } })),
    isLet,
  );
  const login = { path: '/login', body };
  expect(
    listFaults(await run(things.url, { spec: describeThings({ schemes }), credentials: { session: { login } } })),
  ).toEqual([]);
});

test('a token of a header field is sent in the header field that the scheme names', async () => {
  const isLet: Guard = ({ headers }) => (headers['x-session'] === TOKEN ? undefined : reject('X'));
  const schemes = { session: { type: 'apiKey', in: 'header', name: 'X-Session' } };
  const things = await serveThings(
    logsIn(() => ({ body: {}, headers: { 'x-auth-token': TOKEN } })),
    isLet,
  );
  const login = { path: '/login', body, take: { header: 'X-Auth-Token' } };
  expect(
    listFaults(await run(things.url, { spec: describeThings({ schemes }), credentials: { session: { login } } })),
  ).toEqual([]);
});

test.each([
  ['the type that the response says', { token_type: 'Token', access_token: TOKEN }, undefined],
  ['the prefix that is given', { access_token: TOKEN }, 'Token'],
])('where a key is all of Authorization, it stands after %s', async (_, said, prefix) => {
  const isLet: Guard = ({ headers }) => (headers.authorization === `Token ${TOKEN}` ? undefined : reject('Token'));
  const schemes = { key: { type: 'apiKey', in: 'header', name: 'Authorization' } };
  const things = await serveThings(
    logsIn(() => ({ body: said })),
    isLet,
  );
  const login = { path: '/login', body, prefix };
  expect(
    listFaults(await run(things.url, { spec: describeThings({ schemes }), credentials: { key: { login } } })),
  ).toEqual([]);
});

test.each([
  ['since it is told so', { form: { user: 'ann', password: 'pass-word-of-ann' } }, {}],
  ['since the contract takes nothing else', { body }, { '/login': { post: formOnly() } }],
])('a login sends a form, %s', async (_, login, paths) => {
  const isAnn: Guard = ({ text, headers }) =>
    headers['content-type'] === 'application/x-www-form-urlencoded' && text === 'user=ann&password=pass-word-of-ann'
      ? undefined
      : reject();
  const things = await serveThings(
    logsIn(() => ({ body: { access_token: TOKEN } }), isAnn),
    wantBearer((token) => token === TOKEN),
  );
  const spec = describeThings({ paths });
  expect(
    listFaults(await run(things.url, { spec, credentials: { bearer: { login: { path: '/login', ...login } } } })),
  ).toEqual([]);
});

function formOnly(): object {
  const content = { 'application/x-www-form-urlencoded': { schema: { type: 'object' } } };
  return { operationId: 'login', security: [], requestBody: { content }, responses: { 200: { description: 'In.' } } };
}

test('two schemes that are asked for together are both logged in for', async () => {
  const schemes = {
    bearer: { type: 'http', scheme: 'bearer' },
    tenant: { type: 'apiKey', in: 'header', name: 'X-Tenant-Key' },
  };
  const things = await serveThings(
    logsIn(() => ({ body: { token: TOKEN, tenant: 'tenant-key-77aa01' } })),
    wantBearer((token) => token === TOKEN),
    ({ headers }) => (headers['x-tenant-key'] === 'tenant-key-77aa01' ? undefined : reject()),
  );
  const login = { path: '/login', body };
  const credentials = {
    bearer: { login: { ...login, take: '/token' } },
    tenant: { login: { ...login, take: '/tenant' } },
  };
  expect(listFaults(await run(things.url, { spec: describeThings({ schemes }), credentials }))).toEqual([]);
});

test('a command prints the credential, or JSON with it', async () => {
  const things = await serveThings(wantBearer((token) => token === TOKEN));
  for (const printed of [TOKEN, JSON.stringify({ access_token: TOKEN, expires_in: 300 })])
    expect(
      listFaults(
        await run(things.url, { spec: describeThings(), credentials: { bearer: { command: `echo '${printed}'` } } }),
      ),
    ).toEqual([]);
});

const FLOW = { tokenUrl: '/oauth/token', scopes: { 'things:write': 'Write.' } };
const OAUTH = (flow: string): object => ({ oauth: { type: 'oauth2', flows: { [flow]: FLOW } } });
const ASKED = [{ oauth: ['things:write'] }];

test('client credentials come from the flow of the document, with the scopes that operations ask for', async () => {
  const asked: URLSearchParams[] = [];
  const things = await serveThings(
    (call) => {
      if (call.path !== '/oauth/token') return undefined;
      const pair = Buffer.from('ci:s%3Acret-of-the-client').toString('base64');
      if (call.headers.authorization !== `Basic ${pair}`) return { status: 401, body: { error: 'invalid_client' } };
      asked.push(new URLSearchParams(call.text));
      return { status: 200, body: { access_token: TOKEN, token_type: 'Bearer', expires_in: 300 } };
    },
    wantBearer((token) => token === TOKEN),
  );
  const oauth2 = { client_id: 'ci', client_secret: 's:cret-of-the-client' };
  const spec = describeThings({ schemes: OAUTH('clientCredentials') as never, security: ASKED });
  expect(listFaults(await run(things.url, { spec, credentials: { oauth: { oauth2 } } }))).toEqual([]);
  expect(Object.fromEntries(asked[0] ?? [])).toEqual({ grant_type: 'client_credentials', scope: 'things:write' });
});

test('a client whose server reads the secret in the body alone is let in, and no scope is forced on it', async () => {
  const things = await serveThings(
    (call) => {
      if (call.path !== '/oauth/token') return undefined;
      const form = new URLSearchParams(call.text);
      if (form.get('client_secret') !== 'cret-of-the-client') return { status: 401, body: { error: 'invalid_client' } };
      if (form.has('scope')) return { status: 400, body: { error: 'invalid_scope' } };
      return { status: 200, body: { access_token: TOKEN, token_type: 'Bearer' } };
    },
    wantBearer((token) => token === TOKEN),
  );
  const oauth2 = { client_id: 'ci', client_secret: 'cret-of-the-client' };
  const spec = describeThings({ schemes: OAUTH('clientCredentials') as never, security: ASKED });
  expect(listFaults(await run(things.url, { spec, credentials: { oauth: { oauth2 } } }))).toEqual([]);
});

test('the password flow of the document is taken for a user', async () => {
  const things = await serveThings(
    (call) => {
      if (call.path !== '/oauth/token') return undefined;
      const { grant_type: grant, username, password } = Object.fromEntries(new URLSearchParams(call.text));
      const isAnn = grant === 'password' && username === 'ann' && password === 'pass-word-of-ann';
      return isAnn
        ? { status: 200, body: { access_token: TOKEN, token_type: 'bearer' } }
        : { status: 400, body: { error: 'invalid_grant' } };
    },
    wantBearer((token) => token === TOKEN),
  );
  const spec = describeThings({ schemes: OAUTH('password') as never, security: ASKED });
  const oauth2 = { username: 'ann', password: 'pass-word-of-ann' };
  expect(listFaults(await run(things.url, { spec, credentials: { oauth: { oauth2 } } }))).toEqual([]);
  const wrong = { oauth2: { username: 'ann', password: 'another-word' } };
  await expect(run(things.url, { spec, credentials: { oauth: wrong } })).rejects.toMatchObject({
    code: 'login-failed',
    message: 'no credential for oauth: POST /oauth/token responded with the error invalid_grant.',
  });
});

test.each<[string, object, string]>([
  [
    'a wrong password',
    { login: { path: '/login', body: { user: 'ann', password: 'secret-guess' } } },
    'POST /login responded 401, so it rejects what was sent.',
  ],
  [
    'a pointer to nothing',
    { login: { path: '/login', body, take: '/access_token' } },
    'the response to POST /login has no text at /access_token (take); it has the members session, until.',
  ],
  [
    'a cookie that is not set',
    { login: { path: '/login', body, take: { cookie: 'sid' } } },
    'the response to POST /login has no cookie sid (take).',
  ],
  [
    'a command that fails',
    { command: 'echo secret-guess; echo secret-guess >&2; exit 3' },
    'the command ended with exit status 3; run it in a shell to see what it prints.',
  ],
  [
    'a command that prints nothing',
    { command: 'true' },
    'the command printed nothing (exit status 0); it must print the credential.',
  ],
])('%s ends the run with a sentence, and without what may be secret', async (_, source, sentence) => {
  const things = await serveThings(logsIn(() => ({ body: { session: { id: 'secret-guess' }, until: 5 } })));
  const options = { spec: describeThings(), credentials: { bearer: source as never } };
  const message = `no credential for bearer: ${sentence}`;
  await expect(run(things.url, options)).rejects.toMatchObject({ code: 'login-failed', message });
});

test('a login at a host of its own goes there, and nowhere else', async () => {
  const asked: string[] = [];
  const other = await serve((call) => {
    asked.push(`${call.method} ${call.path}`);
    return { status: 200, body: { access_token: TOKEN } };
  });
  const things = await serveThings(wantBearer((token) => token === TOKEN));
  const login = { path: `${other}/auth/token`, body };
  expect(listFaults(await run(things.url, { spec: describeThings(), credentials: { bearer: { login } } }))).toEqual([]);
  expect(asked).toEqual(['POST /auth/token']);
});

test.each<[object, string]>([
  [
    { login: { path: 'login' } },
    'credentials.bearer has login.path, which must be a path below the base URL that begins with /, or a URL.',
  ],
  [
    { login: { path: '/login', tak: '/x' } },
    'credentials.bearer has login.tak, which it cannot have; it may have path, method, body, form, headers, take, prefix.',
  ],
  [{ command: 'a', renew: 'hourly' }, 'credentials.bearer has renew, which must be on-401 or never.'],
  [
    { oauth2: { client_secret: 'x' } },
    'credentials.bearer has oauth2 without client_id and without username; the flow needs one of them.',
  ],
  [{ token: 'x' }, 'credentials.bearer must have one of login, command and oauth2.'],
])('what cannot be used of a way to log in is refused before anything is sent: %j', async (source, message) => {
  const options = { target: 'http://127.0.0.1:9', apiKey: '', credentials: { bearer: source as never } };
  await expect(runConformance(options)).rejects.toMatchObject({ code: 'bad-option', message });
});
