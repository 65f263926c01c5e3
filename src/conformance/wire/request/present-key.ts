import type { Security, SecurityScheme } from '../../../contract/model.js';
import { chooseCombination, presentCredentials, withoutWord } from '../../../contract/security/present-credentials.js';
import type { ShownCredential } from '../../model/shown-credential.js';
import type { AuthForm } from '../../model/scenario.js';
import { isAuthorization } from './take-authorization.js';

/** The credentials of a run: one key for all security schemes, and others for schemes that have their own. */
export interface RunKeys {
  apiKey: string;
  /** Whether nobody gave it. */
  isGuessed?: boolean;
  /** The operations at which the target was seen to ask for credentials where the contract does not. */
  unstated?: Set<string>;
  /** The scheme whose credential is shown there without others, since the target rejects all of them together. */
  alone?: string | undefined;
  /** By the scheme's name. */
  credentials: Readonly<Record<string, string>>;
  /** Under which name each of those was given, where that is not the scheme's. */
  names?: Readonly<Record<string, string>>;
  /** Tokens that have not all scopes. */
  tokens: readonly ScopedToken[];
}

/** A token that has some of the scopes of its scheme. */
export interface ScopedToken {
  scheme: string;
  scopes: readonly string[];
  value: string;
  /** As it was given: `oauth[orders:read]`. */
  name: string;
}

/** Credentials as they go onto the wire. */
export interface ShownKeys {
  headers: Readonly<Record<string, string | readonly string[]>>;
  /** Pairs of the query, encoded. */
  query: string;
  /** The same without values, unless it is the API key alone, as a bearer token. */
  credentials?: ShownCredential[];
}

/** Ways that suit any key, not only one in a field of its own. */
const OF_ANY_SCHEME: ReadonlySet<AuthForm> = new Set([
  'valid',
  'missing',
  'wrong',
  'empty',
  'truncated',
  'extended',
  'prefixed',
  'otherCase',
  'lowerCaseField',
  'lackingScope',
  'wordUndefined',
  'wordNull',
  'star',
  'firstOfTwo',
  'lastOfTwo',
  'amongOthers',
  'quoted',
  'beyondAscii',
]);
/** Ways that only a user with a password can be shown in (RFC 7617). */
const OF_PAIRS: ReadonlySet<AuthForm> = new Set(['emptyPassword', 'unencoded']);
/** Ways that are of the field that `Authorization` is. */
const OF_FIELD: ReadonlySet<AuthForm> = new Set(['otherScheme', 'bareKey', 'twoFields']);

/**
 * The combination of schemes that a run uses: one for which credentials are given, else the first for which an API key can
 * stand. A key alone is no user with a password (RFC 7617 section 2), so that comes last.
 */
function chooseSchemes(
  security: Security,
  { apiKey, credentials }: Pick<RunKeys, 'apiKey' | 'credentials'>,
): readonly SecurityScheme[] {
  const isGiven = ({ name }: SecurityScheme): boolean => Object.hasOwn(credentials, name);
  const chosen = chooseCombination(security, isGiven);
  if (apiKey.includes(':') || chosen.every(isGiven)) return chosen;
  const isKey = (scheme: SecurityScheme): boolean => isGiven(scheme) || scheme.kind !== 'basic';
  return security.find((combination) => combination.length > 0 && combination.every(isKey)) ?? chosen;
}

/** The names under which the credentials were given that a request shows; empty for the API key. */
export function listShownNames(security: Security, keys: Omit<RunKeys, 'tokens'>): string[] {
  const { credentials, names = {} } = keys;
  return chooseSchemes(security, keys).map(({ name }) =>
    Object.hasOwn(credentials, name) ? (names[name] ?? name) : '',
  );
}

/** Why a way to present a key proves nothing about an operation; `undefined` if it proves something. */
export function findNoUse(form: AuthForm, security: Security, secured: boolean): string | undefined {
  if (form === 'valid' || form === 'lowerCaseField') return undefined;
  if (!secured) return 'requires no credentials';
  const isAll = (wanted: SecurityScheme['kind']): boolean =>
    security.every((combination) => combination.length === 1 && combination.every(({ kind }) => kind === wanted));
  if (OF_PAIRS.has(form)) return isAll('basic') ? undefined : 'requires no user with a password';
  if (OF_ANY_SCHEME.has(form) || (OF_FIELD.has(form) && isAll('basic'))) return undefined;
  return security.every((combination) => combination.every(({ kind }) => kind === 'bearer'))
    ? undefined
    : 'requires no bearer token';
}

/** The credentials of a request, presented in one of the ways, where the contract requires them. */
export function presentKeys(form: AuthForm, security: Security, keys: Omit<RunKeys, 'tokens'>): ShownKeys {
  const schemes = chooseSchemes(security, keys);
  const valueOf = (scheme: SecurityScheme): string => withoutWord(scheme, keys.credentials[scheme.name] ?? keys.apiKey);
  const [only] = schemes;
  if (schemes.length === 1 && only?.kind === 'bearer') {
    const authorization = presentKey(form, valueOf(only));
    const headers = authorization === undefined ? {} : { [nameField(form)]: authorization };
    return { headers, query: '', ...(Object.hasOwn(keys.credentials, only.name) ? describeShown(schemes, keys) : {}) };
  }
  if (form === 'missing') return { headers: {}, query: '' };
  const odd = schemes.length === 1 && only?.kind === 'basic' ? presentPair(form, valueOf(only)) : undefined;
  if (odd !== undefined) return { headers: { Authorization: odd }, query: '', ...describeShown(schemes, keys) };
  const change = (scheme: SecurityScheme): string => {
    if (scheme.kind === 'basic') return changePair(form, valueOf(scheme));
    return isAuthorization(scheme.at) ? changeAfterWord(form, valueOf(scheme)) : changeKey(form, valueOf(scheme));
  };
  const { headers, query } = presentCredentials(schemes, change);
  const named = Object.entries(headers).map(([name, value]): [string, string] => [
    form === 'lowerCaseField' ? name.toLowerCase() : name,
    Buffer.from(value).toString('latin1'),
  ]);
  const pairs = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  return { headers: Object.fromEntries(named), query: pairs.join('&'), ...describeShown(schemes, keys) };
}

function describeShown(
  schemes: readonly SecurityScheme[],
  { apiKey, credentials, names = {} }: Omit<RunKeys, 'tokens'>,
): Pick<ShownKeys, 'credentials'> {
  const shown = schemes.map(({ name, kind, at }): ShownCredential => ({
    kind,
    at,
    ...(Object.hasOwn(credentials, name) ? { of: names[name] ?? name } : {}),
    ...(kind === 'basic' && !(credentials[name] ?? apiKey).includes(':') ? { lacksPassword: true } : {}),
  }));
  return shown.length === 0 ? {} : { credentials: shown };
}

/** Thrown if a way to present credentials leaves them as they are: that they are taken then proves nothing. */
export class UnchangedCredentials extends Error {
  override readonly name = 'UnchangedCredentials';
}

/** Names of users often have no case: only the password of a pair is changed by it, if it has one. */
function changePair(form: AuthForm, pair: string): string {
  if (form !== 'emptyPassword' && form !== 'otherCase') return changeKey(form, pair);
  const [user = '', ...rest] = pair.split(':');
  const password = rest.join(':');
  const changed = form === 'emptyPassword' ? '' : swapCase(password);
  if (changed === password) throw new UnchangedCredentials('the credentials have no password that it could change');
  return `${user}:${changed}`;
}

/** The ways in which a pair is not shown as RFC 7617 has it; `undefined` for those in which it is. */
function presentPair(form: AuthForm, pair: string): string | readonly string[] | undefined {
  const encode = (text: string): string => Buffer.from(text).toString('base64');
  if (form === 'unencoded') return `Basic ${Buffer.from(pair).toString('latin1')}`;
  if (form === 'bareKey') return encode(pair);
  if (form === 'otherScheme') return `Bearer ${encode(pair)}`;
  return form === 'twoFields' ? [`Basic ${encode(`x${pair}`)}`, `Basic ${encode(`${pair}x`)}`] : undefined;
}

/**
 * A word that a user's value of `Authorization` begins with (`Token 4f`) says how it is to be read: without it, a refusal
 * would prove nothing of the key.
 */
function changeAfterWord(form: AuthForm, value: string): string {
  const { word, own } = partKey(value);
  return `${word}${changeKey(form, own)}`;
}

/** How each way changes a key that stands by itself; {@link presentKey} writes the result after `Bearer`. */
function changeKey(form: AuthForm, key: string): string {
  const written = AUTHORIZATION[form](key);
  return typeof written === 'string' ? written.replace(/^bearer /i, '') : key;
}

/** The word before a key, and the key: `Bearer 4f` as the value of a field. */
function partKey(key: string): { word: string; own: string } {
  const [, word = '', own = key] = /^([A-Za-z][\w-]*\s+)(\S.*)$/s.exec(key) ?? [];
  return { word, own };
}

/**
 * The `Authorization` field for each way to present a key, or several; `undefined` sends none. Node writes fields as
 * Latin-1; a key with other letters goes out as its UTF-8 bytes, as from a shell (RFC 9110 section 5.5 leaves it open).
 */
function presentKey(form: AuthForm, key: string): string | readonly string[] | undefined {
  return AUTHORIZATION[form](Buffer.from(key).toString('latin1'));
}

/** RFC 9110 section 5.1: field names have no case, and HTTP/2 has them in lower case. */
function nameField(form: AuthForm): string {
  return form === 'lowerCaseField' ? 'authorization' : 'Authorization';
}

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
  twoFields: (key) => [`Bearer x${key}`, `Bearer ${key}x`],
};

/** Every key that a run sends, including wrong ones made from the right one: an echo of those reveals it too. */
export function listSentKeys(key: string): string[] {
  const { word, own } = partKey(key);
  return [...listWrong(key), ...(word === '' ? [] : listWrong(own))];
}

function listWrong(key: string): string[] {
  return [key, replaceKey(key), key.slice(0, -1), swapCase(key), key.toLowerCase(), key.toUpperCase()];
}

/** Another key of the same length and alphabet. */
function replaceKey(key: string): string {
  const other = key.replace(/[0-8a-yA-Y]/g, (char) => String.fromCodePoint((char.codePointAt(0) ?? 0) + 1));
  return other === key ? 'x'.repeat(Math.max(key.length, 1) + 1) : other;
}

export function swapCase(key: string): string {
  return key.replace(/[a-zA-Z]/g, (char) => (char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase()));
}
