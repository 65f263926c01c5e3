import type { Contract } from '../../contract/contract.js';
import { asObject, isObject } from '../../contract/document/plain.js';
import type { Operation, Security, SecurityScheme } from '../../contract/model.js';
import { readOnce } from '../../contract/document/document.js';
import {
  readCredentialName,
  chooseCombination,
  presentCredentials,
  withoutWord,
  describeScheme,
} from '../../contract/security.js';
import type { GivenCredentials, ConformanceOptions, CredentialSource } from '../model/options.js';
import type { LackedScopes } from '../model/exchange.js';
import type { Step, AuthForm } from '../model/scenario.js';
import type { ShownCredential } from '../model/result.js';
import { PetstoreMockError } from '../../errors.js';
import { loadYaml } from '../../contract/document/load-when-needed.js';

export const asksNowhere = readOnce(({ document, operations, securitySchemes }: Contract): boolean => {
  const says = (pointer: string): boolean => asObject(document.at(pointer))['security'] !== undefined;
  return securitySchemes.length > 0 && !says('') && !operations.some(({ pointer }) => says(pointer));
});

const listAsked = readOnce(({ operations, security }: Contract): ReadonlySet<string> => {
  const all = [security, ...operations.map((each) => each.security)];
  return new Set(all.flat(2).map(({ name }) => name));
});

/** Whoever gives credentials wants them sent, also where no operation, or none that the contract states, asks for them. */
export function securityOf(operation: Operation | undefined, contract: Contract, keys: RunKeys): Security {
  const stated = operation?.security ?? contract.security;
  if (!isGiven(keys)) return stated;
  if (stated.some((combination) => combination.length > 0)) {
    const others = isShowable(stated, keys) ? [] : listUnasked(keys.credentials, contract);
    return others.length === 0 ? stated : others.map((scheme) => [scheme]);
  }
  const isWanted = asksNowhere(contract) || keys.unstated?.has(operation?.id ?? '') === true;
  return isWanted ? listAny(contract, keys) : stated;
}

/** Where nobody says what is asked for: everything that was given, as far as one request has a place for it; else any scheme. */
export function listAny(contract: Contract, { credentials, alone }: Pick<RunKeys, 'credentials' | 'alone'>): Security {
  const { securitySchemes } = contract;
  if (alone !== undefined) return securitySchemes.filter(({ name }) => name === alone).map((scheme) => [scheme]);
  const placed = new Map<string, SecurityScheme>();
  for (const scheme of securitySchemes) {
    const { name, kind, at } = scheme;
    const isHeader = kind === 'header' && at.toLowerCase() !== 'authorization';
    const place = kind === 'query' || kind === 'cookie' || isHeader ? `${kind} ${at.toLowerCase()}` : 'authorization';
    if (Object.hasOwn(credentials, name) && !placed.has(place)) placed.set(place, scheme);
  }
  const any = securitySchemes.map((scheme) => [scheme]);
  return placed.size > 1 ? [[...placed.values()], ...any] : any;
}

export function isShowable(security: Security, keys: Pick<RunKeys, 'apiKey' | 'credentials'>): boolean {
  const { apiKey, credentials } = keys;
  if (apiKey !== '') return true;
  return security.some((combination) => combination.every(({ name }) => Object.hasOwn(credentials, name)));
}

function listUnasked(given: GivenCredentials, contract: Contract): SecurityScheme[] {
  const asked = listAsked(contract);
  const names = new Set(Object.keys(given).map((name) => readCredentialName(name).scheme));
  return asked.size === 0 ? [] : contract.securitySchemes.filter(({ name }) => names.has(name) && !asked.has(name));
}

/** A sentence without a full stop about credentials that no operation asks for; `undefined` if there are none. */
export function describeUnasked(given: GivenCredentials, contract: Contract): string | undefined {
  const unasked = listUnasked(given, contract).map(({ name }) => `\`${name}\``);
  if (unasked.length === 0) return undefined;
  const asked = [...listAsked(contract)].map((name) => `\`${name}\``);
  return `none of these operations accepts ${unasked.join(' or ')}; they ask for ${asked.join(' and ')}`;
}

export function isGiven({ apiKey, credentials, isGuessed }: Omit<RunKeys, 'tokens'>): boolean {
  return Object.keys(credentials).length > 0 || (apiKey !== '' && isGuessed !== true);
}

export const asksForCredentials = (contract: Contract): boolean => listAsked(contract).size > 0;

export function readRunKeys(apiKey: string, given: GivenCredentials, isGuessed = false): RunKeys {
  const credentials: Record<string, string> = {};
  const tokens: ScopedToken[] = [];
  for (const [name, each] of Object.entries(given)) {
    const { scheme, scopes } = readCredentialName(name);
    const value = typeof each === 'string' ? each : '';
    if (scopes === undefined) credentials[scheme] = value;
    else tokens.push({ scheme, scopes, value, name });
  }
  return { apiKey, isGuessed, credentials, tokens };
}

/** Why a step is not sent, and what becomes of its scenario; `unresolved`: as without what an earlier step has to find. */
export class Unsendable extends Error {
  override readonly name = 'Unsendable';
  readonly verdict: 'skipped' | 'inconclusive' | 'unresolved';

  constructor(message: string, verdict: Unsendable['verdict']) {
    super(message);
    this.verdict = verdict;
  }
}

export function keysOf({ lacks, auth }: Pick<Step, 'lacks' | 'auth'>, operation: Operation, keys: RunKeys): RunKeys {
  if (auth === 'second') return { apiKey: keys.second ?? '', credentials: {}, tokens: [] };
  const own = chooseKeys(keys, operation);
  if (lacks === undefined) return own;
  const lacking = lackScopes(own, lacks);
  if (lacking === undefined) throw new Unsendable(`it needs ${describeLackingToken(lacks)}`, 'inconclusive');
  return lacking;
}

export function chooseKeys(keys: RunKeys, { scopes }: Pick<Operation, 'scopes'>): RunKeys {
  const suffices = ({ scheme, scopes: own }: ScopedToken): boolean =>
    scopes.some((needed) => Object.hasOwn(needed, scheme) && needed[scheme]?.every((each) => own.includes(each)));
  const isLacking = ({ scheme }: ScopedToken): boolean => !Object.hasOwn(keys.credentials, scheme);
  const found = keys.tokens.filter((token) => isLacking(token) && suffices(token)).toReversed();
  const fitting = Object.fromEntries(found.map(({ scheme, value }) => [scheme, value]));
  const names = Object.fromEntries(found.map(({ scheme, name }) => [scheme, name]));
  return { ...keys, credentials: { ...fitting, ...keys.credentials }, names: { ...names, ...keys.names } };
}

export function lackScopes(keys: RunKeys, { scheme, scopes }: LackedScopes): RunKeys | undefined {
  const lacks = (each: ScopedToken): boolean =>
    each.scheme === scheme && scopes.every((needed) => !each.scopes.some((scope) => mayImply(scope, needed)));
  const [token] = keys.tokens.filter(lacks).toSorted((one, other) => other.scopes.length - one.scopes.length);
  if (token === undefined) return undefined;
  const credentials = { ...keys.credentials, [scheme]: token.value };
  return { ...keys, credentials, names: { ...keys.names, [scheme]: token.name } };
}

export function describeLackingToken({ scheme, scopes }: LackedScopes): string {
  return `a token without ${scopes.join(' and ')}: --credential '${scheme}[<its scopes>]=<token>'`;
}

// What the words of scopes suggest. OAuth leaves to the service whether one scope includes another (RFC 6749 section 3.3).
const WIDE =
  /(?:^|[^a-z])(?:admin|administrator|all|any|full|full_?access|manage|manager|owner|root|super|superuser)(?:$|[^a-z])|\*/i;

const READING = new Set(['read', 'reader', 'readonly', 'view', 'viewer', 'get', 'list', 'browse', 'see', 'fetch']);

/** Whether a service may take a token with one scope for one with another: `write:orders` for `read:orders`. */
export function mayImply(scope: string, needed: string): boolean {
  // `repo` includes `repo:status`, and `orders` includes `orders.read`.
  const isPart = needed.startsWith(scope) && /[^a-z\d]/i.test(needed.charAt(scope.length));
  if (scope === needed || WIDE.test(scope) || isPart) return true;
  const [own, wanted] = [readWords(scope), readWords(needed)];
  const isOfIt = own.subject === '' || `${wanted.subject} `.startsWith(`${own.subject} `);
  return isOfIt && (!own.reads || wanted.reads);
}

const VERBS = new Set([
  ...READING,
  ...'write writer edit editor create update delete remove modify readwrite rw'.split(' '),
]);

function readWords(scope: string): { reads: boolean; subject: string } {
  const words = scope
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');
  const verbs = words.filter((word) => VERBS.has(word));
  return {
    reads: verbs.length > 0 && verbs.every((word) => READING.has(word)),
    subject: words.filter((word) => !VERBS.has(word)).join(' '),
  };
}

export interface RunKeys {
  apiKey: string;
  second?: string | undefined;
  isGuessed?: boolean;
  /** The operations at which the target was seen to ask for credentials where the contract does not. */
  unstated?: Set<string>;
  alone?: string | undefined;
  credentials: Readonly<Record<string, string>>;
  names?: Readonly<Record<string, string>>;
  tokens: readonly ScopedToken[];
}

type ScopedToken = { scheme: string; scopes: readonly string[]; value: string; name: string };

export interface ShownKeys {
  headers: Readonly<Record<string, string | readonly string[]>>;
  query: string;
  credentials?: ShownCredential[];
}

/** Ways that only a user with a password can be shown in (RFC 7617). */
const OF_PAIRS: ReadonlySet<AuthForm> = new Set(['emptyPassword', 'unencoded']);
const OF_FIELD: ReadonlySet<AuthForm> = new Set(['otherScheme', 'bareKey', 'twoFields']);

/** A key alone is no user with a password (RFC 7617 section 2), so that comes last. */
function chooseSchemes(security: Security, { apiKey, credentials }: Pick<RunKeys, 'apiKey' | 'credentials'>) {
  const hasOwn = ({ name }: SecurityScheme): boolean => Object.hasOwn(credentials, name);
  const chosen = chooseCombination(security, hasOwn);
  if (apiKey.includes(':') || chosen.every(hasOwn)) return chosen;
  const isKey = (scheme: SecurityScheme): boolean => hasOwn(scheme) || scheme.kind !== 'basic';
  return security.find((combination) => combination.length > 0 && combination.every(isKey)) ?? chosen;
}

export function listShownNames(security: Security, keys: Omit<RunKeys, 'tokens'>): string[] {
  const { credentials, names = {} } = keys;
  return chooseSchemes(security, keys).map(({ name }) =>
    Object.hasOwn(credentials, name) ? (names[name] ?? name) : '',
  );
}

export function findNoUse(form: AuthForm, security: Security, secured: boolean): string | undefined {
  if (form === 'valid' || form === 'lowerCaseField') return undefined;
  if (!secured) return 'requires no credentials';
  const isAll = (wanted: SecurityScheme['kind']): boolean =>
    security.every((combination) => combination.length === 1 && combination.every(({ kind }) => kind === wanted));
  if (OF_PAIRS.has(form)) return isAll('basic') ? undefined : 'requires no user with a password';
  if (OF_FIELD.has(form) ? isAll('basic') : form !== 'lowerCaseScheme') return undefined;
  const isBearer = security.flat().every(({ kind }) => kind === 'bearer');
  return isBearer ? undefined : 'requires no bearer token';
}

export function presentKeys(form: AuthForm, security: Security, keys: Omit<RunKeys, 'tokens'>): ShownKeys {
  const schemes = chooseSchemes(security, keys);
  const valueOf = (scheme: SecurityScheme): string => withoutWord(scheme, keys.credentials[scheme.name] ?? keys.apiKey);
  const [only] = schemes;
  if (schemes.length === 1 && only?.kind === 'bearer') {
    const authorization = AUTHORIZATION[form](Buffer.from(valueOf(only)).toString('latin1'));
    const field = form === 'lowerCaseField' ? 'authorization' : 'Authorization';
    const headers = authorization === undefined ? {} : { [field]: authorization };
    return { headers, query: '', ...(Object.hasOwn(keys.credentials, only.name) ? describeShown(schemes, keys) : {}) };
  }
  if (form === 'missing') return { headers: {}, query: '' };
  const odd = schemes.length === 1 && only?.kind === 'basic' ? presentPair(form, valueOf(only)) : undefined;
  if (odd !== undefined) return { headers: { Authorization: odd }, query: '', ...describeShown(schemes, keys) };
  const change = (scheme: SecurityScheme): string => {
    const value = valueOf(scheme);
    if (scheme.kind === 'basic') return changePair(form, value);
    if (!isAuthorization(scheme.at)) return changeKey(form, value);
    // The word that a user's value begins with (`Token 4f`) stays: without it, a refusal would prove nothing of the key.
    const { word, own } = partKey(value);
    return `${word}${changeKey(form, own)}`;
  };
  const { headers, query } = presentCredentials(schemes, change);
  const named = Object.entries(headers).map(([name, value]): [string, string] => [
    form === 'lowerCaseField' ? name.toLowerCase() : name,
    Buffer.from(value).toString('latin1'),
  ]);
  const pairs = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  return { headers: Object.fromEntries(named), query: pairs.join('&'), ...describeShown(schemes, keys) };
}

function describeShown(schemes: readonly SecurityScheme[], keys: Omit<RunKeys, 'tokens'>) {
  const { apiKey, credentials, names = {} } = keys;
  const shown = schemes.map(({ name, kind, at }): ShownCredential => ({
    kind,
    at,
    ...(Object.hasOwn(credentials, name) ? { of: names[name] ?? name } : {}),
    ...(kind === 'basic' && !(credentials[name] ?? apiKey).includes(':') ? { lacksPassword: true } : {}),
  }));
  return shown.length === 0 ? {} : { credentials: shown };
}

function changePair(form: AuthForm, pair: string): string {
  if (form !== 'emptyPassword' && form !== 'otherCase') return changeKey(form, pair);
  const [user = '', ...rest] = pair.split(':');
  const password = rest.join(':');
  const changed = form === 'emptyPassword' ? '' : swapCase(password);
  if (changed === password) throw new Unsendable('the credentials have no password that it could change', 'skipped');
  return `${user}:${changed}`;
}

function presentPair(form: AuthForm, pair: string): string | readonly string[] | undefined {
  const encode = (text: string): string => Buffer.from(text).toString('base64');
  if (form === 'unencoded') return `Basic ${Buffer.from(pair).toString('latin1')}`;
  if (form === 'bareKey') return encode(pair);
  if (form === 'otherScheme') return `Bearer ${encode(pair)}`;
  return form === 'twoFields' ? [`Basic ${encode(`x${pair}`)}`, `Basic ${encode(`${pair}x`)}`] : undefined;
}

function changeKey(form: AuthForm, key: string): string {
  const written = AUTHORIZATION[form](key);
  return typeof written === 'string' ? written.replace(/^bearer /i, '') : key;
}

function partKey(key: string): { word: string; own: string } {
  const [, word = '', own = key] = /^([A-Za-z][\w-]*\s+)(\S.*)$/s.exec(key) ?? [];
  return { word, own };
}

/** Node writes fields as Latin-1; other letters go out as UTF-8 bytes, as from a shell (RFC 9110 section 5.5 leaves it open). */
const AUTHORIZATION: Readonly<Record<AuthForm, (key: string) => string | readonly string[] | undefined>> = {
  valid: (key) => `Bearer ${key}`,
  missing: () => undefined,
  wrong: (key) => `Bearer ${replaceKey(key)}`,
  empty: () => 'Bearer ',
  truncated: (key) => `Bearer ${key.slice(0, -1)}`,
  extended: (key) => `Bearer ${key}x`,
  prefixed: (key) => `Bearer x${key}`,
  otherCase: (key) => `Bearer ${swapCase(key)}`,
  otherScheme: (key) => `Basic ${key}`,
  bareKey: (key) => key,
  lowerCaseScheme: (key) => `bearer ${key}`,
  lowerCaseField: (key) => `Bearer ${key}`,
  firstOfTwo: (key) => `Bearer ${key} other`,
  lastOfTwo: (key) => `Bearer other ${key}`,
  amongOthers: (key) => `Bearer other,${key}`,
  quoted: (key) => `Bearer "${key}"`,
  // The two bytes of é, as a shell sends them.
  beyondAscii: (key) => `Bearer ${key}\u00C3\u00A9`,
  emptyPassword: (key) => `Bearer ${key.replace(/:.*$/s, ':')}`,
  unencoded: (key) => `Bearer ${key}`,
  wordUndefined: () => 'Bearer undefined',
  wordNull: () => 'Bearer null',
  star: () => 'Bearer *',
  lackingScope: (key) => `Bearer ${key}`,
  second: (key) => `Bearer ${key}`,
  twoFields: (key) => [`Bearer x${key}`, `Bearer ${key}x`],
};

/** Every key that a run sends, including wrong ones made from the right one: an echo of those reveals it too. */
export function listSentKeys(key: string): string[] {
  const listWrong = (each: string): string[] =>
    [each, replaceKey(each), each.slice(0, -1), swapCase(each)].concat(each.toLowerCase(), each.toUpperCase());
  return [...new Set([key, partKey(key).own])].flatMap(listWrong);
}

function replaceKey(key: string): string {
  const other = key.replace(/[0-8a-yA-Y]/g, (char) => String.fromCodePoint((char.codePointAt(0) ?? 0) + 1));
  return other === key ? 'x'.repeat(Math.max(key.length, 1) + 1) : other;
}

export function swapCase(key: string): string {
  return key.replace(/[a-zA-Z]/g, (char) => (char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase()));
}

export function describeSchemes(contract: Contract): string {
  const asked = listAsked(contract);
  const schemes = contract.securitySchemes.filter(({ name }) => asksNowhere(contract) || asked.has(name));
  const sentences = schemes.slice(0, 3).map((scheme) => {
    const value = scheme.kind === 'basic' ? '<user:password>' : '<key>';
    const orKey = scheme.kind === 'basic' ? '' : 'PETSTORE_API_KEY, or ';
    return `${scheme.name} is sent as ${describeScheme(scheme)}: ${orKey}--credential ${scheme.name}=${value}.`;
  });
  return sentences.join(' ');
}

export function readTarget(text: string): URL {
  const [, scheme] = /^([a-z][a-z\d+.-]*):\/\//i.exec(text) ?? [];
  const isHttp = scheme !== undefined && /^https?$/i.test(scheme);
  const url = isHttp && URL.canParse(text) ? new URL(text) : undefined;
  if (url?.search === '' && url.hash === '') return url;
  if (url !== undefined) throw bad(`the target ${showTarget(url)} must have no query and no fragment.`);
  if (/^(?:[\w-]+(?:\.[\w-]+)+|[\w.-]+:\d+)(?:\/[\w./-]*)?$/.test(text))
    throw bad(`the target is not a URL; should it be http://${text}?`);
  throw scheme === undefined || isHttp
    ? bad('the target is not a URL; give the base URL, such as http://127.0.0.1:4010/v1.')
    : bad(`the target is a URL of ${scheme}://; only http:// and https:// can be tested.`);
}

const bad = (message: string): PetstoreMockError => new PetstoreMockError('bad-option', message);
export const isOnThisMachine = ({ hostname }: URL): boolean => /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);

/** Throws a `PetstoreMockError`, without the URL, which may contain a password. */
export function readProxy(text: string | undefined): URL | undefined {
  if (text === undefined) return undefined;
  try {
    const url = new URL(text);
    if (/^https?:\/\//i.test(text) && decodeURIComponent(`${url.username}${url.password}`) !== undefined) return url;
  } catch {
    // What cannot be read is told like any other URL that is of no use.
  }
  throw bad(
    'the proxy cannot be used; its URL must begin with http:// or https://, such as http://proxy.example:3128.',
  );
}

export function checkHeaders({ apiKey, headers }: ConformanceOptions): void {
  const unsendable = findUnsendableInKey(apiKey);
  if (unsendable !== undefined) throw bad(`the API key has ${unsendable}, which no header field can carry.`);
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (!/^[!#$%&'*+\-.^_`|~\w]+$/.test(name))
      throw bad('the name of a header field has characters that are not allowed there.');
    const character = findFirst(UNSENDABLE, value);
    if (character !== undefined) throw bad(`the header field ${name} has ${character}, which none can carry.`);
  }
}

export const showTarget = (url: URL): string => `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, '')}`;

/** What Node refuses to send in a header field (RFC 9110 section 5.5). */
const UNSENDABLE = /[^\t\u0020-\u007E\u0080-\u00FF]/u;

export const findUnsendableInKey = (key: string): string | undefined => findFirst(/[^\t\P{Cc}]/u, key);

function findFirst(unsendable: RegExp, text: string): string | undefined {
  const characters = Array.from(text);
  const index = characters.findIndex((character) => unsendable.test(character));
  if (index < 0) return undefined;
  const number = (characters[index]?.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `U+${number}, as character ${index + 1}`;
}

const KINDS = ['login', 'command', 'oauth2'] as const;
const LOGIN = ['path', 'method', 'body', 'form', 'headers', 'take', 'prefix'];
const OAUTH2 = ['client_id', 'client_secret', 'username', 'password', 'scope', 'token_url'];

export function isSource(value: unknown): value is CredentialSource {
  return isObject(value) && KINDS.some((kind) => Object.hasOwn(value, kind));
}

/** `{ login: { path: /login } }` is a way to get one, in JSON or YAML; any other text is the credential. */
export function readCredentialText(text: string): unknown {
  if (!/^\s*\{.*\}\s*$/s.test(text)) return text;
  try {
    const read: unknown = loadYaml().parse(text, { logLevel: 'silent' });
    return isSource(read) ? read : text;
  } catch {
    return text;
  }
}

/** What is wrong, after its name; `undefined` if nothing is. No value is shown, since any may be a secret. */
export function findSourceProblem(source: unknown): string | undefined {
  if (!isObject(source)) return 'must be a text, or one of login, command and oauth2';
  const kinds = KINDS.filter((kind) => Object.hasOwn(source, kind));
  const [kind] = kinds;
  if (kind === undefined) return 'must have one of login, command and oauth2';
  if (kinds.length > 1) return `has ${kinds.join(' and ')}, and one of them is enough`;
  const other = findUnknown(source, [kind, 'renew']);
  if (other !== undefined) return `has the member ${other}, which it cannot have; it may have ${kind} and renew`;
  if (![undefined, 'on-401', 'never'].includes(source['renew'] as string | undefined))
    return 'has renew, which must be on-401 or never';
  if (kind === 'command') return isText(source[kind]) ? undefined : 'has command, which must be a text for the shell';
  const own = source[kind];
  if (!isObject(own)) return `has ${kind}, which must be an object`;
  const members = kind === 'login' ? LOGIN : OAUTH2;
  const unknown = findUnknown(own, members);
  if (unknown !== undefined) return `has ${kind}.${unknown}, which it cannot have; it may have ${members.join(', ')}`;
  if (kind === 'login') return findLoginProblem(own);
  const wrong = OAUTH2.find((name) => !isTextOrNone(own[name]));
  if (wrong !== undefined) return `has oauth2.${wrong}, which must be a text`;
  const isSomebody = own['username'] !== undefined || own['client_id'] !== undefined;
  return isSomebody ? undefined : 'has oauth2 without client_id and without username; the flow needs one of them';
}

function findLoginProblem({ path, take, body, form, headers, ...login }: Record<string, unknown>): string | undefined {
  if (!isText(path) || !/^(?:\/|https?:\/\/)/i.test(path))
    return 'has login.path, which must be a path below the base URL that begins with /, or a URL';
  const wrong = ['method', 'prefix'].find((name) => !isTextOrNone(login[name]));
  if (wrong !== undefined) return `has login.${wrong}, which must be a text`;
  const fields = Object.entries({ form, headers }).find(([, each]) => each !== undefined && !isObject(each));
  if (fields !== undefined) return `has login.${fields[0]}, which must be an object`;
  if (!Object.values(headers ?? {}).every((each) => typeof each === 'string'))
    return 'has login.headers, each of which must be a text';
  if (body !== undefined && form !== undefined) return 'has login.body and login.form; one is enough';
  const isPlace = typeof take === 'string' ? take === '' || take.startsWith('/') : take === undefined;
  const isNamed =
    isObject(take) && Object.keys(take).length === 1 && (isText(take['header']) || isText(take['cookie']));
  if (isPlace || isNamed) return undefined;
  return 'has login.take, which must be a JSON Pointer such as /access_token, { header: <name> } or { cookie: <name> }';
}

function findUnknown(members: object, known: readonly string[]): string | undefined {
  return Object.keys(members).find((name) => !known.includes(name));
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
const isTextOrNone = (value: unknown): boolean => value === undefined || typeof value === 'string';

const WHO =
  /^(?:user(?:_?name)?|login|e?-?mail|name|account|tenant|realm|domain|client_?id|grant_?type|scope|token_url)$/i;

export function listSourceSecrets(source: CredentialSource): string[] {
  if ('command' in source) return [];
  if ('oauth2' in source) return listTexts(source.oauth2);
  const { body, form, headers } = source.login;
  return [body, form, headers].flatMap((each) => listTexts(each));
}

function listTexts(value: unknown, name = ''): string[] {
  if (typeof value === 'string') return value === '' || WHO.test(name) ? [] : [value];
  if (Array.isArray(value)) return value.flatMap((each) => listTexts(each, name));
  return isObject(value) ? Object.entries(value).flatMap(([key, each]) => listTexts(each, key)) : [];
}

export function listSources(given: GivenCredentials): Map<string, CredentialSource> {
  return new Map(Object.entries(given).filter((entry): entry is [string, CredentialSource] => isSource(entry[1])));
}

export function takeAuthorization<T extends Pick<ConformanceOptions, 'headers' | 'credentials'>>(
  options: T,
  { securitySchemes }: Contract,
): T {
  const entries = Object.entries(options.headers ?? {});
  const found = entries.flatMap(([name, value]) =>
    securitySchemes.flatMap((scheme) => {
      const credential = readFor(scheme, name, value);
      return credential === undefined ? [] : [{ name, scheme: scheme.name, credential }];
    }),
  );
  if (found.length === 0) return options;
  const taken = new Set(found.map(({ name }) => name));
  const own = Object.fromEntries(found.map(({ scheme, credential }) => [scheme, credential]));
  const headers = Object.fromEntries(entries.filter(([name]) => !taken.has(name)));
  return { ...options, credentials: { ...own, ...options.credentials }, headers };
}

export const isAuthorization = (name: string): boolean => name.toLowerCase() === 'authorization';

function readFor({ kind, at }: SecurityScheme, name: string, value: string): string | undefined {
  if (kind === 'header') return name.toLowerCase() === at.toLowerCase() ? value : undefined;
  const isCookie = name.toLowerCase() === 'cookie' && value.startsWith(`${at}=`) && !value.includes(';');
  if (kind === 'cookie') return isCookie ? value.slice(at.length + 1) : undefined;
  if (kind === 'query' || !isAuthorization(name)) return undefined;
  const [word = '', ...rest] = value.trim().split(/\s+/);
  const own = rest.join(' ');
  if (own === '' || word.toLowerCase() !== at.toLowerCase()) return undefined;
  return kind === 'basic' ? Buffer.from(own, 'base64').toString('utf8') : own;
}
