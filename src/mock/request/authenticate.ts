import { timingSafeEqual } from 'node:crypto';
import { actOn, type Profile } from '../../contract/gaps/gaps.js';
import type { ApiRequest, ResponseHeaders } from '../../contract/message.js';

/** What the credentials of a request are held to. */
export interface Guarded {
  keys: KeyRing;
  profile: Profile;
}

/** The keys that a world accepts, ready to be compared. */
export type KeyRing = readonly Uint8Array[];

/** What the `Authorization` field comes to. */
export type Authentication = 'accepted' | 'no-token' | 'wrong-token';

const SCHEME: Record<string, RegExp> = {
  'any-case': /^bearer +(\S+) *$/i,
  exact: /^Bearer +(\S+) *$/,
};

const encoder = new TextEncoder();

export function createKeyRing(keys: readonly string[]): KeyRing {
  return keys.map((key) => encoder.encode(key));
}

/** Judges the `Authorization` field (`#/components/securitySchemes/apiKey`, RFC 6750 section 2.1). */
export function authenticate(authorization: string | undefined, keys: KeyRing, profile: Profile): Authentication {
  const token = actOn(profile, 'bearer-case', SCHEME).exec(authorization ?? '')?.[1];
  if (token === undefined) return 'no-token';
  // Node hands header fields over as Latin-1; a key of other characters arrives as its UTF-8 bytes.
  const sent = Buffer.from(token, 'latin1');
  return keys.some((key) => isSame(key, sent)) ? 'accepted' : 'wrong-token';
}

/** Why there is no key to be compared, and what to send. */
function describeAbsence(authorization: string): string {
  const why =
    authorization.trim() === ''
      ? 'the API key is missing'
      : /^Bearer(?: |$)/.test(authorization)
        ? 'the Authorization header must have exactly one key after Bearer'
        : 'the Authorization header does not use the Bearer scheme';
  return `${why}: send Authorization: Bearer <API_KEY>`;
}

/** Takes the same time wherever two keys of one length differ. */
function isSame(key: Uint8Array, sent: Uint8Array): boolean {
  return key.length === sent.length && timingSafeEqual(key, sent);
}

/** Whether the challenge says what is wrong with a key; `undefined` where there is none. */
const NAMES_ERROR: Record<string, boolean | undefined> = { 'names-error': true, same: false, absent: undefined };

/** What to tell a client whose credentials are not accepted; `undefined` when they are. */
export function challenge(
  request: ApiRequest,
  world: Guarded,
): { message: string; headers: ResponseHeaders } | undefined {
  const outcome = authenticate(request.headers['authorization'], world.keys, world.profile);
  if (outcome === 'accepted') return undefined;
  const wrongToken = outcome === 'wrong-token';
  return {
    message: wrongToken ? 'the API key is not valid' : describeAbsence(request.headers['authorization'] ?? ''),
    headers: challengeHeaders(world, { wrongToken }),
  };
}

/** The header fields of a 401 (RFC 6750 section 3). */
export function challengeHeaders(world: Guarded, { wrongToken }: { wrongToken: boolean }): ResponseHeaders {
  const namesError = actOn(world.profile, 'www-authenticate', NAMES_ERROR);
  if (namesError === undefined) return {};
  // RFC 6750 section 3.1: no error code for a request that carries no credentials.
  return { 'WWW-Authenticate': `Bearer realm="petstore"${wrongToken && namesError ? ', error="invalid_token"' : ''}` };
}
