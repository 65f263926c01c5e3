import { PetstoreMockError } from '../../errors.js';
import { isReading, followPointer } from '../model/exchange.js';
import type { Answered, Unanswered, WireAnswer, WireRequest } from '../model/exchange.js';
import { interrupted, type Send } from './send-politely.js';
import type { Contract } from '../../contract/contract.js';
import type { CredentialSource, TlsOptions, Login, OAuth2Client } from '../model/options.js';
import { createHttpClient, openRoute } from './http-client.js';
import { FORM, bareMediaType, isJsonMediaType } from '../../contract/media-types.js';
import { escapePointer } from '../../contract/document/document.js';
import { printJson } from '../../contract/document/json.js';
import { loadChildProcess } from '../../contract/document/load-when-needed.js';
import { asList, asObject, asText } from '../../contract/document/plain.js';
import { resolveAt } from '../../contract/document/references.js';
import type { SecurityScheme } from '../../contract/model.js';
import { readCredentialName } from '../../contract/security.js';
import { findUnsendableInKey, isAuthorization } from './request-credentials.js';
import { parseAnswer } from './read-response.js';

interface KeepOptions {
  contract: Contract;
  target: URL;
  sources: ReadonlyMap<string, CredentialSource>;
  userAgent: string;
  timeoutMs: number;
  tls?: TlsOptions | undefined;
  onSecret: (secret: string) => void; // Called with each credential before it is used, since no output may have it.
  signal: AbortSignal;
  now?: () => number; // Milliseconds from some start. Default: the machine's.
  onExpired: (why: string) => void;
  /** `alone` is the scheme of one credential, if the target rejects all of them together. */
  onUnstated: (operation: string, alone: string | undefined) => void;
}

const MOST_FRUITLESS = 5;
const MOST_OF_KNOWN = 20;

export function createCredentialKeeper(options: KeepOptions) {
  const held = holdCredentials(options);
  const accepted = createAcceptedRequests();
  const rejecting = new Set<string>();
  const unstated = createUnstated(options);
  let why: string | undefined;
  let fruitless = 0;

  const fill = (request: WireRequest): WireRequest => ({ ...request, ...request.shown?.show(held.values) });
  const expire = (names: readonly string[], end = ': what was served before is rejected now'): Unanswered => {
    const named = names.filter((name) => name !== '').join(' and ');
    const whose = named === '' ? '' : ` for ${named}`;
    if (why === undefined)
      options.onExpired((why = `the credential${whose} expired after ${accepted.count()} requests${end}`));
    return interrupted(why);
  };
  const isRejectedEverywhere = createQuestion(async (send) => {
    const sendBare = (request: WireRequest) => send({ ...request, ...request.shown?.show(undefined) });
    return why !== undefined || (await accepted.areRejected((request) => send(fill(request)), sendBare));
  });
  return {
    values: held.values,
    /** Throws a {@link PetstoreMockError} `login-failed`; resolves with what came in place of a response of the target. */
    async start(send: Send): Promise<Unanswered | undefined> {
      for (const [name, source] of options.sources) {
        const got = await held.get(name, source, send);
        if (got.ok) continue;
        if (got.unanswered !== undefined) return got.unanswered;
        throw new PetstoreMockError('login-failed', `no credential for ${name}: ${got.why}.`);
      }
      return undefined;
    },
    follow:
      (send: Send): Send =>
      async (request, onPutOff) => {
        const { names = [], isValid = false, of = '' } = request.shown ?? {};
        if (names.length === 0) return unstated.ask(request, held.values, (each) => send(each, onPutOff));
        if (why !== undefined) return expire(names);
        const renewable = held.listRenewable(request);
        const due = renewable.filter(held.isDue);
        if (due.length > 0) await held.renew(due, send);
        const before = held.countRounds(renewable);
        const startedAt = accepted.start();
        const answer = await send(fill(request), onPutOff);
        if (!isValid || answer.kind === 'unanswered') return answer;
        const isDoubtful =
          !isRejection(answer) &&
          mayBeRejection(answer) &&
          fruitless < (accepted.knows(of) ? MOST_OF_KNOWN : MOST_FRUITLESS);
        const isExpired = isDoubtful && ((await isRejectedEverywhere(send)) || held.countRounds(renewable) > before);
        if (isDoubtful && !isExpired) fruitless += 1;
        if (!isRejection(answer) && !isExpired) {
          if (!mayBeRejection(answer)) accepted.note(request, answer, startedAt);
          return unstated.tell(of, answer);
        }
        const again = held.countRounds(renewable) > before ? await send(fill(request)) : answer;
        if (!isRejection(again) && !(isExpired && mayBeRejection(again))) return again;
        if (renewable.length === 0) {
          if (!isExpired && (accepted.since(startedAt) || !(await isRejectedEverywhere(send)))) return answer;
          return expire(names);
        }
        if (rejecting.has(of)) return again;
        const failed = await held.renew(renewable, send);
        if (failed !== undefined) return expire(renewable, `, and it could not be renewed: ${failed}`);
        const renewed = await send(fill(request));
        if (!mayBeRejection(renewed)) return renewed;
        rejecting.add(of);
        return (await isRejectedEverywhere(send)) ? expire(renewable, ', and a new one is rejected too') : renewed;
      },
    beginChecks: unstated.beginChecks,
    whyExpired: (): string | undefined => why,
  };
}

function createUnstated({ onUnstated }: Pick<KeepOptions, 'onUnstated'>) {
  const unhelped = new Set<string>();
  const untold = new Map<string, number>();
  let isJudging = false;
  const tell = (operation: string, answer: Answered): Answered => {
    const withoutCredentials = untold.get(operation);
    if (withoutCredentials === undefined || !isJudging) return answer;
    untold.delete(operation);
    return { ...answer, withoutCredentials };
  };
  return {
    async ask(request: WireRequest, values: Readonly<Record<string, string>>, send: Send): Promise<WireAnswer> {
      const answer = await send(request);
      const { of = '', show, alone = [] } = request.withGiven ?? {};
      if (show === undefined || !asksWhoItIs(answer) || unhelped.has(of)) return answer;
      let again = await send({ ...request, ...show(values) });
      let scheme: string | undefined;
      for (const each of isServed(again) ? [] : alone) {
        const shown = await send({ ...request, ...each.show(values) });
        if (!isServed(shown)) continue;
        [again, scheme] = [shown, each.scheme];
        break;
      }
      if (again.kind === 'unanswered' || asksWhoItIs(again)) {
        unhelped.add(of);
        return answer;
      }
      untold.set(of, answer.status);
      onUnstated(of, scheme);
      return tell(of, again);
    },
    tell,
    beginChecks: (): void => void (isJudging = true),
  };
}

const isServed = (answer: WireAnswer): boolean => answer.kind === 'answered' && answer.status < 400;

function asksWhoItIs(answer: WireAnswer): answer is Answered {
  return answer.kind === 'answered' && (answer.status === 401 || answer.status === 403);
}

function createQuestion(ask: (send: Send) => Promise<boolean>): (send: Send) => Promise<boolean> {
  let next: Promise<boolean> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  return (send) => {
    next ??= last.then(() => {
      next = undefined;
      return ask(send);
    });
    last = next;
    return next;
  };
}

interface Held {
  source: CredentialSource;
  round: number;
  dueAt: number;
  refresh: string | undefined;
  renewing: Promise<Got> | undefined;
}

function holdCredentials(options: KeepOptions) {
  const { contract, target, timeoutMs, signal, tls, userAgent, now = () => performance.now() } = options;
  const held = new Map<string, Held>();
  const values: Record<string, string> = {};
  const get = async (name: string, source: CredentialSource, send: Send): Promise<Got> => {
    const known = held.get(name);
    const sendTo: Getting['send'] = async (url, { method, headers, body }) => {
      const all = { Accept: 'application/json', 'Accept-Encoding': 'gzip, deflate, br', 'User-Agent': userAgent };
      const request = { method, target: `${url.pathname}${url.search}`, headers: { ...all, ...headers }, body };
      if (url.origin === target.origin) return send(request);
      const client = createHttpClient({ target: url, timeoutMs, signal, route: openRoute(url, { tls }) });
      return client.send(request).finally(() => client.close());
    };
    const named = readCredentialName(name);
    const of = contract.securitySchemes.find((each) => each.name === named.scheme);
    const getting: Getting = { contract, target, signal, ...named, of, send: sendTo };
    let got: Got;
    if ('command' in source) got = await runCommand(source.command, getting);
    else if ('login' in source) got = await logIn(source.login, getting);
    else {
      // The token that the last response had for this, if it still serves (RFC 6749 section 6).
      const last = known?.refresh;
      const renewed = last === undefined ? undefined : await askForToken(source.oauth2, getting, last);
      got = renewed?.ok === true ? renewed : await askForToken(source.oauth2, getting);
    }
    if (!got.ok) return got;
    const unsendable = findUnsendableInKey(got.value);
    if (unsendable !== undefined) return { ok: false, why: `it has ${unsendable}, which no header field can carry` };
    for (const secret of [got.value, got.refresh ?? '']) if (secret !== '') options.onSecret(secret);
    const { expiresInMs = Number.POSITIVE_INFINITY, refresh = known?.refresh } = got;
    values[name] = got.value;
    held.set(name, {
      source,
      round: (known?.round ?? 0) + 1,
      dueAt: now() + expiresInMs - Math.min(expiresInMs * 0.1, 10_000),
      refresh,
      renewing: undefined,
    });
    return got;
  };
  const renewOne = (name: string, send: Send): Promise<Got> => {
    const one = held.get(name) as Held;
    one.dueAt = Number.POSITIVE_INFINITY;
    one.renewing ??= get(name, one.source, send).finally(() => (one.renewing = undefined));
    return one.renewing;
  };
  return {
    values,
    get,
    async renew(names: readonly string[], send: Send): Promise<string | undefined> {
      const all = await Promise.all(names.map((name) => renewOne(name, send)));
      const failed = all.find((got) => !got.ok);
      return failed?.ok === false ? failed.why : undefined;
    },
    listRenewable: ({ shown }: WireRequest): string[] =>
      (shown?.names ?? []).filter((name) => held.has(name) && held.get(name)?.source.renew !== 'never'),
    isDue: (name: string): boolean => now() >= (held.get(name)?.dueAt ?? Number.POSITIVE_INFINITY),
    countRounds: (names: readonly string[]): number =>
      names.reduce((sum, name) => sum + (held.get(name)?.round ?? 0), 0),
  };
}

function createAcceptedRequests() {
  let started = 0;
  let newest = 0;
  let count = 0;
  let first: WireRequest | undefined;
  const last = new Map<string, WireRequest>();
  const open = new Set<string>();
  const closed = new Set<string>();
  const served = new Set<string>();
  return {
    start: (): number => (started += 1),
    note(request: WireRequest, { status }: Answered, startedAt: number): void {
      const operation = operationOf(request);
      if (open.has(operation)) return;
      count += 1;
      if (status < 300) served.add(operation);
      if (closed.has(operation)) newest = Math.max(newest, startedAt);
      if (!isReading(request) || status >= 300) return;
      first ??= request;
      last.delete(operation);
      last.set(operation, request);
      const [oldest] = last.keys();
      if (last.size >= 4 && oldest !== undefined) last.delete(oldest);
    },
    since: (startedAt: number): boolean => newest > startedAt,
    count: (): number => count,
    knows: (operation: string): boolean => served.has(operation),
    async areRejected(askAgain: Send, askBare: Send): Promise<boolean> {
      let rejected = 0;
      for (const request of new Set([...(first === undefined ? [] : [first]), ...last.values()])) {
        const answer = await askAgain({ ...request, alone: true });
        if (mayBeRejection(answer)) {
          rejected += 1;
          continue;
        }
        const operation = operationOf(request);
        if (answer.kind === 'unanswered' || closed.has(operation)) return false;
        if (mayBeRejection(await askBare({ ...request, alone: true }))) {
          closed.add(operation);
          return false;
        }
        open.add(operation);
        last.delete(operation);
        if (first !== undefined && operationOf(first) === operation) first = undefined;
      }
      return rejected > 0;
    },
  };
}

const operationOf = ({ shown }: WireRequest): string => shown?.of ?? '';

function mayBeRejection(answer: WireAnswer): answer is Answered {
  return answer.kind === 'answered' && [401, 403, 302, 303, 307].includes(answer.status);
}

/** 401 (RFC 9110 section 15.5.2), or a 403 whose challenge calls the token invalid (RFC 6750 section 3.1). */
function isRejection(answer: WireAnswer): answer is Answered {
  if (answer.kind === 'unanswered') return false;
  const { status, headers } = answer;
  return status === 401 || (status === 403 && /\binvalid_token\b/i.test(headers['www-authenticate'] ?? ''));
}

const COMMAND = 'the command';

type Asked = { shown: string; take?: Login['take']; prefix?: Login['prefix']; scheme: SecurityScheme | undefined };

/** A credential, or why there is none: the end of a sentence, with nothing in it that may be secret. */
type Got =
  | { ok: true; value: string; expiresInMs?: number | undefined; refresh?: string | undefined }
  | { ok: false; why: string; unanswered?: Unanswered };

function readToken(response: Pick<Answered, 'bytes' | 'headers'>, asked: Asked): Got {
  const { take, shown, scheme } = asked;
  if (typeof take === 'object') {
    const [field = '', what] =
      'header' in take
        ? [response.headers[take.header.toLowerCase()], `header field ${take.header}`]
        : [findCookie(response, take.cookie), `cookie ${take.cookie}`];
    if (field.trim() === '') return { ok: false, why: `the response to ${shown} has no ${what} (take)` };
    return { ok: true, value: withWord(field.trim(), undefined, asked) };
  }
  const cookie = scheme?.kind === 'cookie' && take === undefined ? findCookie(response, scheme.at) : undefined;
  if (cookie !== undefined) return { ok: true, value: cookie };
  const parsed = parseAnswer(response.bytes);
  const text = Buffer.from(response.bytes).toString('utf8').trim();
  if (!parsed.ok || typeof parsed.value !== 'object' || parsed.value === null) {
    const isWhole = (take === undefined || take === '') && /^(?:[A-Za-z][\w-]* )?[^\s<>{}]+$/.test(text);
    const whole = parsed.ok && typeof parsed.value === 'string' ? parsed.value : text;
    if (isWhole) return { ok: true, value: withWord(whole, undefined, asked) };
    if (shown === COMMAND) return { ok: false, why: 'the command printed neither JSON nor a credential alone' };
    const help = 'login.take says where the credential is, as { header: <name> } or { cookie: <name> }';
    return { ok: false, why: `the response to ${shown} is neither JSON nor a single word; ${help}` };
  }
  const at = take ?? findUsual(parsed.value);
  const found = at === undefined ? undefined : followPointer(parsed.value, at);
  const isToken = (typeof found === 'string' && found !== '') || typeof found === 'number' || typeof found === 'bigint';
  if (!isToken) {
    const names = Object.keys(parsed.value).slice(0, 8); // Their values may be secret.
    const has = names.length === 0 ? 'no members' : `the members ${names.join(', ')}`;
    const lacks = take === undefined ? 'no credential under a usual name' : `no text at ${take || 'its top'} (take)`;
    const help = take === undefined ? ': login.take says where it is, such as /data/token' : '';
    return { ok: false, why: `the response to ${shown} has ${lacks}; it has ${has}${help}` };
  }
  const beside = asObject(followPointer(parsed.value, (at ?? '').replace(/\/[^/]*$/, '')));
  const type = asText(beside['token_type']);
  if (type !== undefined && /^(?:mac|dpop|pop)$/i.test(type))
    return { ok: false, why: `${shown} gives a token of the type ${type}, which has to be computed for each request` };
  const seconds = [beside['expires_in'], beside['expiresIn']].map(Number).find((each) => each > 0);
  const refresh = asText(beside['refresh_token']);
  const expiresInMs = seconds === undefined ? undefined : seconds * 1000;
  return { ok: true, value: withWord(String(found), type, asked), expiresInMs, refresh };
}

/** Where a key is all of `Authorization`, the type of the token stands before it (RFC 6750 section 2.1). */
function withWord(token: string, type: string | undefined, { prefix, scheme }: Asked): string {
  if (prefix !== undefined) return `${prefix}${/\s$/.test(prefix) || prefix === '' ? '' : ' '}${token}`;
  const isBare = scheme?.kind === 'header' && isAuthorization(scheme.at) && !token.includes(' ');
  return isBare && type !== undefined ? `${/^bearer$/i.test(type) ? 'Bearer' : type} ${token}` : token;
}

const USUAL = `access_token accessToken token jwt id_token idToken api_key apiKey auth_token authToken key
  sessionId session_id session`.split(/\s+/);

function findUsual(body: object): string | undefined {
  const places = ['', '/data', '/result', '/response', '/tokens', '/auth'].flatMap((above) =>
    USUAL.map((name) => `${above}/${name}`),
  );
  return places.find((at) => (asText(followPointer(body, at)) ?? '') !== '');
}

/** RFC 6265 section 4.1.1; the client has joined several fields by commas. */
function findCookie({ headers }: Pick<Answered, 'headers'>, name: string): string | undefined {
  const line = headers['set-cookie'] ?? '';
  const start = line.split(/,\s*(?=[^\s;,=]+=)/).find((each) => each.startsWith(`${name}=`));
  const [, value = ''] = /=\s*([^;]*)/.exec(start ?? '') ?? [];
  return value.trim() === '' ? undefined : value.trim().replace(/^"(.*)"$/, '$1');
}

interface Getting extends Pick<KeepOptions, 'contract' | 'target' | 'signal'>, ReturnType<typeof readCredentialName> {
  of: SecurityScheme | undefined;
  send: (url: URL, request: Omit<WireRequest, 'target'>) => Promise<WireAnswer>;
}

async function logIn(login: Login, getting: Getting): Promise<Got> {
  const { target, contract } = getting;
  const isUrl = /^https?:/i.test(login.path);
  const url = new URL(isUrl ? login.path : `${target.origin}${target.pathname.replace(/\/+$/, '')}${login.path}`);
  const method = (login.method ?? 'POST').toUpperCase();
  const body = writeBody(login, isUrl ? undefined : findTakenType(contract, method, login.path));
  const shown = `${method} ${isUrl ? `${url.origin}${url.pathname}` : login.path.replace(/\?.*$/s, '')}`;
  const headers = { ...body.headers, ...login.headers };
  const response = await getting.send(url, { method, headers, body: body.bytes });
  const refused = findRejection(response, shown);
  if (refused !== undefined) return refused;
  const { take, prefix } = login;
  return readToken(response as Answered, { shown, take, prefix, scheme: getting.of });
}

function findTakenType({ match }: Contract, method: string, path: string): string | undefined {
  const found = match(method, path.replace(/\?.*$/s, ''));
  const types = found.kind === 'operation' ? found.operation.requestBody?.content : undefined;
  const names = (types ?? []).map(({ mediaType }) => bareMediaType(mediaType));
  return names.some(isJsonMediaType) || !names.includes(FORM) ? undefined : FORM;
}

function writeBody({ body, form }: Login, taken: string | undefined) {
  const isForm = form !== undefined || (taken === FORM && typeof body === 'object' && body !== null);
  if (body === undefined && form === undefined) return { bytes: undefined, headers: {} };
  const pairs = Object.entries(form ?? asObject(body)).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, typeof value === 'string' ? value : printJson(value)]],
  );
  const bytes = Buffer.from(isForm ? new URLSearchParams(pairs).toString() : printJson(body));
  return {
    bytes,
    headers: { 'Content-Type': isForm ? FORM : 'application/json', 'Content-Length': String(bytes.length) },
  };
}

function findRejection(response: WireAnswer, shown: string): Extract<Got, { ok: false }> | undefined {
  if (response.kind === 'unanswered')
    return { ok: false, why: `${shown} got no response: ${response.detail}`, unanswered: response };
  if (response.status < 400) return undefined; // A login in a browser redirects once it has set its cookie.
  const said = response.status === 401 || response.status === 403 ? ', so it rejects what was sent' : '';
  return { ok: false, why: `${shown} responded ${response.status}${said}` };
}

/** RFC 6749 sections 4.3, 4.4 and 6. Clients with a secret show it in the header field, or in the body where that is rejected. */
async function askForToken(client: OAuth2Client, getting: Getting, refresh?: string): Promise<Got> {
  const isPassword = client.username !== undefined;
  const found = findTokenUrl(client, isPassword ? 'password' : 'clientCredentials', getting);
  if (typeof found === 'string') return { ok: false, why: found };
  const { username, password = '' } = client;
  const first = isPassword ? { grant_type: 'password', username, password } : { grant_type: 'client_credentials' };
  const grant = refresh === undefined ? first : { grant_type: 'refresh_token', refresh_token: refresh };
  const { contract, scheme, scopes } = getting;
  const asked = contract.operations.flatMap((each) => each.scopes.flatMap((alternative) => alternative[scheme] ?? []));
  const all = [...new Set(scopes ?? asked)].join(' ');
  const scope = refresh === undefined ? (client.scope ?? (all === '' ? undefined : all)) : undefined;
  let response = await postForm({ ...grant, scope }, client, found, getting);
  if (client.scope === undefined && scope !== undefined && readError(response) === 'invalid_scope')
    response = await postForm(grant, client, found, getting);
  const shown = `POST ${found.origin === getting.target.origin ? '' : found.origin}${found.pathname}`;
  const refused = findRejection(response, shown);
  const error = readError(response);
  if (refused !== undefined)
    return error === undefined ? refused : { ...refused, why: `${shown} responded with the error ${error}` };
  return readToken(response as Answered, { shown, scheme: getting.of });
}

type Form = Readonly<Record<string, string | undefined>>;

async function postForm(fields: Form, client: OAuth2Client, url: URL, getting: Getting): Promise<WireAnswer> {
  const { client_id: id, client_secret: secret } = client;
  const post = (form: Form, authorization?: string): Promise<WireAnswer> => {
    const { bytes: body, headers } = writeBody({ path: '', form }, undefined);
    const own = authorization === undefined ? {} : { Authorization: authorization };
    return getting.send(url, { method: 'POST', headers: { ...headers, ...own }, body });
  };
  if (secret === undefined) return post({ ...fields, client_id: id });
  // Both are encoded as in a form before they become a pair (RFC 6749 section 2.3.1).
  const pair = [id ?? '', secret].map((each) => new URLSearchParams([['', each]]).toString().slice(1)).join(':');
  const response = await post(fields, `Basic ${Buffer.from(pair).toString('base64')}`);
  const isUnknown =
    response.kind === 'answered' && (response.status === 401 || readError(response) === 'invalid_client');
  return isUnknown ? post({ ...fields, client_id: id, client_secret: secret }) : response;
}

/** The error code of RFC 6749 section 5.2, whose words are listed there. */
function readError(response: WireAnswer): string | undefined {
  if (response.kind === 'unanswered' || response.status < 400) return undefined;
  const body = parseAnswer(response.bytes);
  const error = body.ok ? asText(asObject(body.value)['error']) : undefined;
  return error !== undefined && ERRORS.includes(error) ? error : undefined;
}

const ERRORS =
  'invalid_request invalid_client invalid_grant unauthorized_client unsupported_grant_type invalid_scope'.split(' ');

function findTokenUrl({ token_url: given }: OAuth2Client, flow: string, getting: Getting): URL | string {
  const { contract, target, scheme } = getting;
  const base = `${target.origin}${target.pathname.replace(/\/*$/, '/')}`;
  if (given !== undefined) return resolve(given, base) ?? 'token_url is no URL';
  const flows = asObject(
    asObject(resolveAt(contract.document, `/components/securitySchemes/${escapePointer(scheme)}`).value)['flows'],
  );
  const stated = asText(asObject(flows[flow])['tokenUrl']);
  if (stated === undefined) {
    const has = Object.keys(flows).length === 0 ? 'no flow' : `the flow ${Object.keys(flows).join(', ')}`;
    return `the document has ${has} there and not ${flow}; token_url says where tokens come from`;
  }
  const url = resolve(stated, base);
  if (url === undefined) return `tokenUrl of the flow ${flow} is no URL; token_url says where tokens come from`;
  // What the document has beside its own servers is beside the target.
  const servers = asList(contract.document.at('/servers')).map((server) => asText(asObject(server)['url']) ?? '');
  const isBeside = servers.some((each) => URL.canParse(each) && new URL(each).origin === url.origin);
  return isBeside ? new URL(`${target.origin}${url.pathname}${url.search}`) : url;
}

function resolve(written: string, base: string): URL | undefined {
  if (!URL.canParse(written, base)) return undefined;
  const url = new URL(written, base);
  return /^https?:$/.test(url.protocol) ? url : undefined;
}

const COMMAND_MS = 60_000;

/** What a command prints is never shown, nor what it prints of an error: either may have the secret. */
function runCommand(command: string, { signal, of: scheme }: Getting): Promise<Got> {
  const { exec } = loadChildProcess();
  return new Promise((resolveGot) => {
    const options = { timeout: COMMAND_MS, maxBuffer: 1024 * 1024, signal, windowsHide: true };
    const child = exec(command, options, (error, stdout) => {
      if (error !== null) return resolveGot({ ok: false, why: describeCommandEnd(error) });
      const nothing = 'the command printed nothing (exit status 0); it must print the credential';
      if (stdout.trim() === '') return resolveGot({ ok: false, why: nothing });
      const response = { bytes: Buffer.from(stdout), headers: {} };
      resolveGot(readToken(response, { shown: COMMAND, scheme }));
    });
    child.stdin?.end();
  });
}

function describeCommandEnd({ code, killed, signal }: { code?: unknown; killed?: boolean; signal?: unknown }): string {
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return 'the command printed more than a credential can be';
  if (killed === true) return `the command did not end within ${COMMAND_MS / 1000} s`;
  if (typeof code === 'number')
    return `the command ended with exit status ${code}; run it in a shell to see what it prints`;
  return typeof signal === 'string' ? `the command was ended by ${signal}` : 'the command could not be run';
}
