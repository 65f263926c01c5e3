import { timingSafeEqual } from 'node:crypto';
import { splitQuery } from '../../contract/query-pairs.js';
import type { ApiRequest } from '../../contract/message.js';
import type { SecurityScheme } from '../../contract/model.js';
import { readCredentialName } from '../../contract/security/credential-name.js';

/** Keys prepared for comparison. */
export type KeyRing = readonly Uint8Array[];

/** The credentials that a world accepts: its keys, replaced for some schemes by their own. */
export interface Credentials {
  keys: KeyRing;
  own: ReadonlyMap<string, KeyRing>;
  /** Tokens that have not all scopes, by their scheme. They are among its keys too. */
  scoped: ReadonlyMap<string, readonly ScopedToken[]>;
}

interface ScopedToken {
  token: Uint8Array;
  scopes: ReadonlySet<string>;
}

/** The judgement of the credentials in a request for one scheme. */
export type Authentication = 'accepted' | 'no-token' | 'wrong-token';

const encoder = new TextEncoder();

export function createKeyRing(keys: readonly string[]): KeyRing {
  return keys.map((key) => encoder.encode(key));
}

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
    else scoped.set(scheme, [...(scoped.get(scheme) ?? []), ...tokens.map((token) => withScopes(token, scopes))]);
  }
  for (const [scheme, tokens] of scoped)
    own.set(scheme, (own.get(scheme) ?? ring).concat(tokens.map(({ token }) => token)));
  return { keys: ring, own, scoped };
}

function withScopes(token: Uint8Array, scopes: readonly string[]): ScopedToken {
  return { token, scopes: new Set(scopes) };
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

/** Judges the credentials in a request for any scheme but bearer tokens. */
export function judgeShown(scheme: SecurityScheme, request: ApiRequest, keys: KeyRing): Authentication {
  const shown = findShown(scheme, request);
  if (shown === undefined || shown.length === 0) return 'no-token';
  const isRight = scheme.kind === 'basic' ? isPairAccepted(shown, keys) : isKnownKey(shown, keys);
  if (isRight || (isBareField(scheme) && isKnownKey(withoutWord(shown), keys))) return 'accepted';
  return 'wrong-token';
}

function isKnownKey(sent: Uint8Array, keys: KeyRing): boolean {
  return keys.some((key) => isSame(key, sent));
}

/** Takes the same time wherever two keys of equal length differ. */
export function isSame(key: Uint8Array, sent: Uint8Array): boolean {
  return key.length === sent.length && timingSafeEqual(key, sent);
}

const COLON = 58;

/** A pair must match as a whole. A key without a colon may be the user or the password, as is usual for API keys. */
function isPairAccepted(pair: Uint8Array, keys: KeyRing): boolean {
  const colon = pair.indexOf(COLON);
  if (colon === -1) return false;
  const parts = [pair.subarray(0, colon), pair.subarray(colon + 1)];
  return keys.some((key) => isSame(key, pair) || (!key.includes(COLON) && parts.some((part) => isSame(key, part))));
}

/** The bytes of the credentials; `undefined` if there are none. */
function findShown({ kind, at }: SecurityScheme, request: ApiRequest): Uint8Array | undefined {
  if (kind === 'query') return encode(splitQuery(request.query, []).find(({ name }) => name === at)?.value);
  if (kind === 'cookie') return encode(findCookie(request.headers['cookie'], at));
  if (kind === 'header') return latin1(request.headers[at.toLowerCase()]);
  const word = new RegExp(`^${at} +(\\S+) *$`, 'i').exec(request.headers['authorization'] ?? '')?.[1];
  return kind === 'basic' && word !== undefined ? Buffer.from(word, 'base64') : latin1(word);
}

/** RFC 6265 section 4.2.1. */
function findCookie(field: string | undefined, name: string): string | undefined {
  const pair = field?.split(';').find((each) => each.trim().startsWith(`${name}=`));
  return pair?.trim().slice(name.length + 1);
}

/** Node decodes header fields as Latin-1; a key with other characters arrives as its UTF-8 bytes. */
export function latin1(text: string | undefined): Uint8Array | undefined {
  return text === undefined ? undefined : Buffer.from(text, 'latin1');
}

function encode(text: string | undefined): Uint8Array | undefined {
  return text === undefined ? undefined : encoder.encode(text);
}

/** An API key in `Authorization` often follows a word such as `Bearer`, for which Swagger 2.0 has no scheme. */
function isBareField({ kind, at }: SecurityScheme): boolean {
  return kind === 'header' && at.toLowerCase() === 'authorization';
}

const SPACE = 32;

function withoutWord(shown: Uint8Array): Uint8Array {
  return shown.subarray(shown.lastIndexOf(SPACE) + 1);
}
