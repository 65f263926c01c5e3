import { expect, test } from 'vitest';
import { runConformance, type ConformanceOptions, type RunResult } from '../../../src/conformance/index.js';
import type { CredentialSource } from '../../../src/conformance/model/options.js';
import { describeThings, reject, serve, serveThings, wantBearer } from '../support/guarded-things.js';
import type { Call, Guard, Said } from '../support/guarded-things.js';

const run = async (target: string, options: Partial<ConformanceOptions>): Promise<RunResult> => {
  const only = { only: ['things/records/create'] };
  return runConformance({ target, spec: describeThings(), apiKey: '', settleMs: 0, ...only, ...options });
};

const TOKEN = 'token-4f81c06e7a9d';
const PASSWORD = 'pass-word-of-ann';
const body = { user: 'ann', password: PASSWORD };
const isTokenLet = wantBearer((token) => token === TOKEN);
const isAnn: Guard = ({ json }) => (json?.['user'] === 'ann' && json['password'] === PASSWORD ? undefined : reject());
/** Lets in whoever shows this in a header field. */
const wants =
  (field: string, value: string): Guard =>
  ({ headers }) =>
    headers[field] === value ? undefined : reject('X');
/** Answers POST at a path. */
const answersAt =
  (path: string, answer: (call: Call) => Said): Guard =>
  (call) =>
    call.path === path && call.method === 'POST' ? answer(call) : undefined;
/** Logs in whoever has the password. */
const logsIn = (said: Omit<Said, 'status'>, isIt: Guard = isAnn): Guard =>
  answersAt('/login', (call) => isIt(call) ?? { status: 200, ...said });
const login = (more: object = {}): CredentialSource => ({ login: { path: '/login', body, ...more } });

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
  const things = await serveThings(logsIn({ body: { data: { token: TOKEN } } }), isTokenLet);
  const credentials = { bearer: login({ take: '/data/token' }) };
  const only = ['things/records/create', 'things/refusals/credential*'];
  expect(listFaults(await run(things.url, { credentials, only }))).toEqual([]);
  expect(things.count('POST', '/login')).toBe(1);
  expect(things.store.size).toBe(0);
});

test.each([
  ['access_token', { access_token: TOKEN, token_type: 'bearer' }],
  ['a member within data', { data: { accessToken: TOKEN } }],
  ['a text alone', JSON.stringify(TOKEN)],
  ['a plain word', TOKEN],
])('without a pointer, the credential is found as %s', async (_, said) => {
  const things = await serveThings(logsIn({ body: said }), isTokenLet);
  expect(listFaults(await run(things.url, { credentials: { bearer: login() } }))).toEqual([]);
});

const COOKIE = { type: 'apiKey', in: 'cookie', name: 'sid' };
const FIELD = { type: 'apiKey', in: 'header', name: 'X-Session' };
const ALL = { type: 'apiKey', in: 'header', name: 'Authorization' };
const sets = { body: {}, headers: { 'set-cookie': `sid=${TOKEN}; Path=/; HttpOnly` } };
const shows = { body: {}, headers: { 'x-auth-token': TOKEN } };
const takesField = login({ take: { header: 'X-Auth-Token' } });

test.each<[string, object, Guard, Omit<Said, 'status'>, CredentialSource]>([
  ['as the cookie that it names', COOKIE, wants('cookie', `sid=${TOKEN}`), sets, login()],
  ['in the header field that it names', FIELD, wants('x-session', TOKEN), shows, takesField],
  [
    'after the type that the response says',
    ALL,
    wants('authorization', `Token ${TOKEN}`),
    { body: { token_type: 'Token', access_token: TOKEN } },
    login(),
  ],
  [
    'after the prefix that is given',
    ALL,
    wants('authorization', `Token ${TOKEN}`),
    { body: { access_token: TOKEN } },
    login({ prefix: 'Token' }),
  ],
])('the token of a login is sent as the scheme asks: %s', async (_, scheme, guard, said, source) => {
  const things = await serveThings(logsIn(said), guard);
  const spec = describeThings({ schemes: { key: scheme } });
  expect(listFaults(await run(things.url, { spec, credentials: { key: source } }))).toEqual([]);
});

const FORM = 'application/x-www-form-urlencoded';
const formOnly = {
  operationId: 'login',
  security: [],
  requestBody: { content: { [FORM]: { schema: { type: 'object' } } } },
  responses: { 200: { description: 'In.' } },
};

test.each([
  ['since it is told so', { form: body, body: undefined }, {}],
  ['since the contract takes nothing else', {}, { '/login': { post: formOnly } }],
])('a login sends a form, %s', async (_, more, paths) => {
  const isForm: Guard = ({ text, headers }) =>
    headers['content-type'] === FORM && text === `user=ann&password=${PASSWORD}` ? undefined : reject();
  const things = await serveThings(logsIn({ body: { access_token: TOKEN } }, isForm), isTokenLet);
  const spec = describeThings({ paths });
  expect(listFaults(await run(things.url, { spec, credentials: { bearer: login(more) } }))).toEqual([]);
});

test('two schemes that are asked for together are both logged in for', async () => {
  const schemes = { bearer: { type: 'http', scheme: 'bearer' }, tenant: { ...FIELD, name: 'X-Tenant-Key' } };
  const said = { body: { token: TOKEN, tenant: 'tenant-key-77aa01' } };
  const things = await serveThings(logsIn(said), isTokenLet, wants('x-tenant-key', 'tenant-key-77aa01'));
  const credentials = { bearer: login({ take: '/token' }), tenant: login({ take: '/tenant' }) };
  expect(listFaults(await run(things.url, { spec: describeThings({ schemes }), credentials }))).toEqual([]);
});

test.each([TOKEN, JSON.stringify({ access_token: TOKEN, expires_in: 300 })])(
  'a command prints the credential, or JSON with it: %s',
  async (printed) => {
    const things = await serveThings(isTokenLet);
    const credentials = { bearer: { command: `echo '${printed}'` } };
    expect(listFaults(await run(things.url, { credentials }))).toEqual([]);
  },
);

/** A document with a flow of OAuth 2. */
function describeFlow(flow: string): string {
  const flows = { [flow]: { tokenUrl: '/oauth/token', scopes: { 'things:write': 'Write.' } } };
  return describeThings({ schemes: { oauth: { type: 'oauth2', flows } }, security: [{ oauth: ['things:write'] }] });
}
const tokens = { status: 200, body: { access_token: TOKEN, token_type: 'Bearer', expires_in: 300 } };
const refuse = (status: number, error: string): Said => ({ status, body: { error } });

test('client credentials come from the flow of the document, with the scopes that operations ask for', async () => {
  const asked: URLSearchParams[] = [];
  const pair = `Basic ${Buffer.from('ci:s%3Acret-of-the-client').toString('base64')}`;
  const answers = answersAt('/oauth/token', ({ headers, text }) => {
    if (headers.authorization !== pair) return refuse(401, 'invalid_client');
    asked.push(new URLSearchParams(text));
    return tokens;
  });
  const things = await serveThings(answers, isTokenLet);
  const oauth2 = { client_id: 'ci', client_secret: 's:cret-of-the-client' };
  const spec = describeFlow('clientCredentials');
  expect(listFaults(await run(things.url, { spec, credentials: { oauth: { oauth2 } } }))).toEqual([]);
  expect(Object.fromEntries(asked[0] ?? [])).toEqual({ grant_type: 'client_credentials', scope: 'things:write' });
});

test('a client whose server reads the secret in the body alone is let in, and no scope is forced on it', async () => {
  const answers = answersAt('/oauth/token', ({ text }) => {
    const form = new URLSearchParams(text);
    if (form.get('client_secret') !== 'cret-of-the-client') return refuse(401, 'invalid_client');
    return form.has('scope') ? refuse(400, 'invalid_scope') : tokens;
  });
  const things = await serveThings(answers, isTokenLet);
  const oauth2 = { client_id: 'ci', client_secret: 'cret-of-the-client' };
  const spec = describeFlow('clientCredentials');
  expect(listFaults(await run(things.url, { spec, credentials: { oauth: { oauth2 } } }))).toEqual([]);
});

test('the password flow of the document is taken for a user', async () => {
  const answers = answersAt('/oauth/token', ({ text }) => {
    const { grant_type: grant, username, password } = Object.fromEntries(new URLSearchParams(text));
    return grant === 'password' && username === 'ann' && password === PASSWORD ? tokens : refuse(400, 'invalid_grant');
  });
  const things = await serveThings(answers, isTokenLet);
  const log = (password: string): Promise<RunResult> =>
    run(things.url, {
      spec: describeFlow('password'),
      credentials: { oauth: { oauth2: { username: 'ann', password } } },
    });
  expect(listFaults(await log(PASSWORD))).toEqual([]);
  await expect(log('another-word')).rejects.toMatchObject({
    code: 'login-failed',
    message: 'no credential for oauth: POST /oauth/token responded with the error invalid_grant.',
  });
});

const WRONG = { body: { user: 'ann', password: 'secret-guess' } };
const MEMBERS = 'it has the members session, until';
const FAILING = 'echo secret-guess; echo secret-guess >&2; exit 3';

test.each<[CredentialSource, string]>([
  [login(WRONG), 'POST /login responded 401, so it rejects what was sent.'],
  [login({ take: '/x' }), `the response to POST /login has no text at /x (take); ${MEMBERS}.`],
  [login({ take: { cookie: 'sid' } }), 'the response to POST /login has no cookie sid (take).'],
  [{ command: FAILING }, 'the command ended with exit status 3; run it in a shell to see what it prints.'],
  [{ command: 'true' }, 'the command printed nothing (exit status 0); it must print the credential.'],
])('%j ends the run with a sentence, and without what may be secret', async (source, sentence) => {
  const things = await serveThings(logsIn({ body: { session: { id: 'secret-guess' }, until: 5 } }));
  const message = `no credential for bearer: ${sentence}`;
  const running = run(things.url, { credentials: { bearer: source } });
  await expect(running).rejects.toMatchObject({ code: 'login-failed', message });
});

test('a login at a host of its own goes there, and nowhere else', async () => {
  const asked: string[] = [];
  const other = await serve((call) => {
    asked.push(`${call.method} ${call.path}`);
    return { status: 200, body: { access_token: TOKEN } };
  });
  const things = await serveThings(isTokenLet);
  const credentials = { bearer: login({ path: `${other}/auth/token` }) };
  expect(listFaults(await run(things.url, { credentials }))).toEqual([]);
  expect(asked).toEqual(['POST /auth/token']);
});

test.each<[object, string]>([
  [{ login: { path: 'login' } }, ' has login.path, which must be a path below the base URL that begins with /'],
  [{ login: { path: '/login', tak: '/x' } }, ' has login.tak, which it cannot have; it may have path, method, body,'],
  [{ command: 'a', renew: 'hourly' }, ' has renew, which must be on-401 or never.'],
  [{ oauth2: { client_secret: 'x' } }, ' has oauth2 without client_id and without username; the flow needs one'],
  [{ token: 'x' }, ' must have one of login, command and oauth2.'],
])('what cannot be used of a way to log in is refused before anything is sent: %j', async (source, said) => {
  const options = { target: 'http://127.0.0.1:9', apiKey: '', credentials: { bearer: source as never } };
  const message = expect.stringContaining(`credentials.bearer${said}`) as string;
  await expect(runConformance(options)).rejects.toMatchObject({ code: 'bad-option', message });
});
