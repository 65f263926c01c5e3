import { actOn, type Profile } from '../../contract/gaps/gaps.js';
import type {
  ApiRequest,
  ResponseHeaders,
  NeededScopes,
  Operation,
  Security,
  SecurityScheme,
} from '../../contract/model.js';
import { describeScheme, readCredentialName } from '../../contract/security.js';
import { timingSafeEqual } from 'node:crypto';
import { splitQuery } from '../../contract/parameters.js';

type Guarded = { credentials: Credentials; profile: Profile; contract: { title: string } };
type Rejected = { status: number; message: string; headers: ResponseHeaders };

/** Why the credentials of a request do not suffice for a secured operation; `undefined` if they do. */
export function rejectCaller(request: ApiRequest, operation: Operation, world: Guarded): Rejected | undefined {
  const challenged = challenge(request, operation.security, world);
  return challenged === undefined ? rejectScopes(request, operation, world) : { status: 401, ...challenged };
}

function rejectScopes(request: ApiRequest, operation: Operation, world: Guarded): Rejected | undefined {
  if (world.credentials.scoped.size === 0 || operation.scopes.length === 0) return undefined;
  const schemes = new Map(operation.security.flat().map((scheme) => [scheme.name, scheme]));
  const satisfies = (alternative: NeededScopes, withScopes: boolean): boolean =>
    Object.entries(alternative).every(([name, needed]) => {
      const scheme = schemes.get(name);
      return scheme === undefined || judge(scheme, request, world, withScopes ? needed : []) === 'accepted';
    });
  if (operation.scopes.some((alternative) => satisfies(alternative, true))) return undefined;
  const shown = operation.scopes.find((alternative) => satisfies(alternative, false)) ?? {};
  const needed = [...new Set(Object.values(shown).flat())];
  // RFC 6750 section 3.1 says 403; a contract may document 401 alone.
  const stated = new Set(operation.responses.map(({ status }) => status.toUpperCase()));
  const status = stated.has('401') && !stated.has('403') ? 401 : 403;
  const message = `the token lacks a scope: ${operation.id} requires ${needed.join(' and ')}`;
  if (actOn(world.profile, 'www-authenticate', NAMES_ERROR) === undefined) return { status, message, headers: {} };
  const scope = needed.join(' ').replace(/[^\x20-\x7E]|["\\]/g, '');
  const field = `Bearer realm="${nameRealm(world.contract.title)}", error="insufficient_scope", scope="${scope}"`;
  return { status, message, headers: { 'WWW-Authenticate': field } };
}

export function challenge(
  request: ApiRequest,
  security: Security,
  world: Guarded,
): { message: string; headers: ResponseHeaders } | undefined {
  if (security.length === 0) return undefined;
  for (const combination of security) {
    if (combination.every((scheme) => judge(scheme, request, world) === 'accepted')) return undefined;
  }
  const wrong = [...new Set(security.flat())].filter((scheme) => judge(scheme, request, world) === 'wrong-token');
  const message =
    wrong.length > 0
      ? wrong.map(describeWrong).join('; ')
      : describeAbsence(security, request.headers['authorization'] ?? '');
  return { message, headers: challengeHeaders(security, world, wrong) };
}

const BEARER: Record<string, RegExp> = { 'any-case': /^bearer +(\S+) *$/i, exact: /^Bearer +(\S+) *$/ };

function judge(
  scheme: SecurityScheme,
  request: ApiRequest,
  world: Guarded,
  needed?: readonly string[],
): 'accepted' | 'no-token' | 'wrong-token' {
  const keys = keysFor(world.credentials, scheme, needed);
  const isKnown = (sent: Uint8Array): boolean => keys.some((key) => isSame(key, sent));
  if (scheme.kind === 'bearer') {
    // `#/components/securitySchemes/apiKey`, RFC 6750 section 2.1.
    const form = actOn(world.profile, 'bearer-case', BEARER);
    const sent = latin1(form.exec(request.headers['authorization'] ?? '')?.[1]);
    return sent === undefined ? 'no-token' : isKnown(sent) ? 'accepted' : 'wrong-token';
  }
  const shown = findShown(scheme, request);
  if (shown === undefined || shown.length === 0) return 'no-token';
  if (scheme.kind !== 'basic') {
    // An API key in `Authorization` often follows a word such as `Bearer`, for which Swagger 2.0 has no scheme.
    const followsWord = scheme.kind === 'header' && scheme.at.toLowerCase() === 'authorization';
    const isRight = isKnown(shown) || (followsWord && isKnown(shown.subarray(shown.lastIndexOf(SPACE) + 1)));
    return isRight ? 'accepted' : 'wrong-token';
  }
  // A pair must match as a whole. A key without a colon may be the user or the password, as is usual for API keys.
  const colon = shown.indexOf(COLON);
  const parts = [shown.subarray(0, colon), shown.subarray(colon + 1)];
  const fits = (key: Uint8Array): boolean =>
    isSame(key, shown) || (!key.includes(COLON) && parts.some((part) => isSame(key, part)));
  return colon !== -1 && keys.some(fits) ? 'accepted' : 'wrong-token';
}

function describeWrong({ kind, at }: SecurityScheme): string {
  if (kind === 'bearer') return 'the API key is not valid';
  if (kind === 'basic') return 'the user and the password are not valid';
  const named = kind === 'header' ? at : `the ${kind === 'query' ? 'query parameter' : 'cookie'} ${at}`;
  return `the API key in ${kind === 'word' ? 'Authorization' : named} is not valid`;
}

function describeAbsence(security: Security, authorization: string): string {
  let why = 'the Authorization header does not use the Bearer scheme';
  if (security.flat().some(({ kind }) => kind !== 'bearer'))
    why = 'the credentials that the contract requires are missing';
  else if (authorization.trim() === '') why = 'the API key is missing';
  else if (/^Bearer(?: |$)/.test(authorization))
    why = 'the Authorization header must have exactly one key after Bearer';
  const ways = security.map((combination) => combination.map((scheme) => describeScheme(scheme)).join(' and '));
  return `${why}: send ${ways.join(', or ')}`;
}

const NAMES_ERROR: Record<string, boolean | undefined> = { 'names-error': true, same: false, absent: undefined };

/** The header fields of a 401: a challenge for each scheme (RFC 9110 section 11.6.1). */
export function challengeHeaders(
  security: Security,
  world: Guarded,
  wrong: readonly SecurityScheme[] = [],
): ResponseHeaders {
  const namesError = actOn(world.profile, 'www-authenticate', NAMES_ERROR);
  if (namesError === undefined) return {};
  const realm = nameRealm(world.contract.title);
  const challenges = [...new Set(security.flat())].map((scheme) => {
    const { kind, at } = scheme;
    const isWrong = namesError && wrong.includes(scheme);
    // RFC 6750 section 3.1: no error code for a request that carries no credentials.
    if (kind === 'bearer') return `Bearer realm="${realm}"${isWrong ? ', error="invalid_token"' : ''}`;
    if (kind === 'basic') return `Basic realm="${realm}", charset="UTF-8"`;
    if (kind === 'word') return `${at} realm="${realm}"`;
    // No registered scheme describes a key in its own field, yet a 401 must have a challenge (RFC 9110 section 15.5.2).
    return `ApiKey realm="${realm}", in="${kind}", name="${at.replace(/[^\w.$ -]/g, '')}"`;
  });
  // A 401 forced on an operation without security gets the most common challenge.
  const all = challenges.length === 0 ? [`Bearer realm="${realm}"`] : [...new Set(challenges)];
  return { 'WWW-Authenticate': all.join(', ') };
}

function nameRealm(title: string): string {
  const word = title.toLowerCase().replace(/[^a-z\d]+/g, '-');
  return word.replace(/^-|-$/g, '') || 'api';
}

type KeyRing = readonly Uint8Array[];

export interface Credentials {
  keys: KeyRing;
  own: ReadonlyMap<string, KeyRing>;
  scoped: ReadonlyMap<string, readonly ScopedToken[]>;
}

type ScopedToken = { token: Uint8Array; scopes: ReadonlySet<string> };

const encoder = new TextEncoder();
export const createKeyRing = (keys: readonly string[]): KeyRing => keys.map((key) => encoder.encode(key));

/** Beside tokens with scopes of their own, a scheme takes the keys as tokens with all of them, unless it has such a token. */
export function createCredentials(
  keys: readonly string[],
  given: Readonly<Record<string, readonly string[]>> = {},
): Credentials {
  const ring = createKeyRing(keys);
  const own = new Map<string, KeyRing>();
  const scoped = new Map<string, ScopedToken[]>();
  for (const [name, values] of Object.entries(given)) {
    const { scheme, scopes } = readCredentialName(name);
    // A token may be given with the word before it: `Bearer <token>`.
    const tokens = createKeyRing([...new Set(values.flatMap((value) => [value, value.replace(/^bearer +/i, '')]))]);
    if (scopes === undefined) own.set(scheme, tokens);
    else {
      const those = tokens.map((token) => ({ token, scopes: new Set(scopes) }));
      scoped.set(scheme, [...(scoped.get(scheme) ?? []), ...those]);
    }
  }
  for (const [scheme, tokens] of scoped)
    own.set(scheme, (own.get(scheme) ?? ring).concat(tokens.map(({ token }) => token)));
  return { keys: ring, own, scoped };
}

/** The keys that a scheme accepts, where some scopes are needed: without the tokens that lack one. */
export function keysFor(
  { keys, own, scoped }: Credentials,
  { name }: SecurityScheme,
  needed: readonly string[] = [],
): KeyRing {
  const all = own.size === 0 ? keys : (own.get(name) ?? keys);
  if (needed.length === 0) return all;
  const lacking = (scoped.get(name) ?? []).filter(({ scopes }) => needed.some((scope) => !scopes.has(scope)));
  return all.filter((key) => !lacking.some(({ token }) => isSame(token, key)));
}

/** Takes the same time wherever two keys of equal length differ. */
export const isSame = (key: Uint8Array, sent: Uint8Array): boolean =>
  key.length === sent.length && timingSafeEqual(key, sent);

const [SPACE, COLON] = [32, 58];

function findShown({ kind, at }: SecurityScheme, { query, headers }: ApiRequest): Uint8Array | undefined {
  if (kind === 'header') return latin1(headers[at.toLowerCase()]);
  if (kind === 'query' || kind === 'cookie') {
    // RFC 6265 section 4.2.1.
    const cookies = headers['cookie']?.split(';').map((each) => each.trim()) ?? [];
    const sent =
      kind === 'query'
        ? splitQuery(query, []).find(({ name }) => name === at)?.value
        : cookies.find((each) => each.startsWith(`${at}=`))?.slice(at.length + 1);
    return sent === undefined ? undefined : encoder.encode(sent);
  }
  const word = new RegExp(`^${at} +(\\S+) *$`, 'i').exec(headers['authorization'] ?? '')?.[1];
  return kind === 'basic' && word !== undefined ? Buffer.from(word, 'base64') : latin1(word);
}

/** Node decodes header fields as Latin-1; a key with other characters arrives as its UTF-8 bytes. */
const latin1 = (text: string | undefined): Uint8Array | undefined =>
  text === undefined ? undefined : Buffer.from(text, 'latin1');
