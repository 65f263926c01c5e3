import { actOn, type Profile } from '../../contract/gaps/gaps.js';
import type { ApiRequest, ResponseHeaders } from '../../contract/message.js';
import type { Security, SecurityScheme } from '../../contract/model.js';
import { describeScheme } from '../../contract/security.js';
import {
  isSame,
  judgeShown,
  keysFor,
  latin1,
  type Authentication,
  type Credentials,
  type KeyRing,
} from './credentials.js';

/** What the credentials of a request must satisfy. */
export interface Guarded {
  credentials: Credentials;
  profile: Profile;
  contract: { title: string };
}

const SCHEME: Record<string, RegExp> = {
  'any-case': /^bearer +(\S+) *$/i,
  exact: /^Bearer +(\S+) *$/,
};

/** Judges the `Authorization` field (`#/components/securitySchemes/apiKey`, RFC 6750 section 2.1). */
export function authenticate(authorization: string | undefined, keys: KeyRing, profile: Profile): Authentication {
  const token = actOn(profile, 'bearer-case', SCHEME).exec(authorization ?? '')?.[1];
  const sent = latin1(token);
  if (sent === undefined) return 'no-token';
  return keys.some((key) => isSame(key, sent)) ? 'accepted' : 'wrong-token';
}

/** The message for a client whose credentials are refused; `undefined` if they are accepted, or none are required. */
export function challenge(
  request: ApiRequest,
  security: Security,
  world: Guarded,
): { message: string; headers: ResponseHeaders } | undefined {
  if (isAccepted(request, security, world)) return undefined;
  const wrong = listSchemes(security).filter((scheme) => judge(scheme, request, world) === 'wrong-token');
  return {
    message:
      wrong.length > 0 ? describeWrong(wrong) : describeAbsence(security, request.headers['authorization'] ?? ''),
    headers: challengeHeaders(security, world, wrong),
  };
}

/** Whether the request satisfies every scheme of at least one alternative. */
function isAccepted(request: ApiRequest, security: Security, world: Guarded): boolean {
  if (security.length === 0) return true;
  for (const combination of security) {
    if (combination.every((scheme) => judge(scheme, request, world) === 'accepted')) return true;
  }
  return false;
}

/** `needed`: the scopes that a token must have. */
export function judge(
  scheme: SecurityScheme,
  request: ApiRequest,
  world: Guarded,
  needed?: readonly string[],
): Authentication {
  const keys = keysFor(world.credentials, scheme, needed);
  if (scheme.kind !== 'bearer') return judgeShown(scheme, request, keys);
  return authenticate(request.headers['authorization'], keys, world.profile);
}

function listSchemes(security: Security): SecurityScheme[] {
  return [...new Set(security.flat())];
}

function describeWrong(schemes: readonly SecurityScheme[]): string {
  return schemes
    .map((scheme) => {
      if (scheme.kind === 'bearer') return 'the API key is not valid';
      if (scheme.kind === 'basic') return 'the user and the password are not valid';
      return `the API key in ${describePlace(scheme)} is not valid`;
    })
    .join('; ');
}

function describePlace({ kind, at }: SecurityScheme): string {
  if (kind === 'word') return 'Authorization';
  return kind === 'header' ? at : `the ${kind === 'query' ? 'query parameter' : 'cookie'} ${at}`;
}

/** Why there are no credentials to compare, and what to send. */
function describeAbsence(security: Security, authorization: string): string {
  const ways = security.map((combination) => combination.map((scheme) => describeScheme(scheme)).join(' and '));
  return `${explainAbsence(listSchemes(security), authorization)}: send ${ways.join(', or ')}`;
}

function explainAbsence(schemes: readonly SecurityScheme[], authorization: string): string {
  if (schemes.some(({ kind }) => kind !== 'bearer')) return 'the credentials that the contract requires are missing';
  if (authorization.trim() === '') return 'the API key is missing';
  return /^Bearer(?: |$)/.test(authorization)
    ? 'the Authorization header must have exactly one key after Bearer'
    : 'the Authorization header does not use the Bearer scheme';
}

/** Whether the challenge says what is wrong with the key; `undefined` if there is no key. */
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
  const challenges = listSchemes(security).map((scheme) =>
    printChallenge(scheme, realm, namesError && wrong.includes(scheme)),
  );
  // A 401 forced on an operation without security gets the most common challenge.
  const all = challenges.length === 0 ? [`Bearer realm="${realm}"`] : [...new Set(challenges)];
  return { 'WWW-Authenticate': all.join(', ') };
}

function printChallenge({ kind, at }: SecurityScheme, realm: string, isWrong: boolean): string {
  // RFC 6750 section 3.1: no error code for a request that carries no credentials.
  if (kind === 'bearer') return `Bearer realm="${realm}"${isWrong ? ', error="invalid_token"' : ''}`;
  if (kind === 'basic') return `Basic realm="${realm}", charset="UTF-8"`; // RFC 7617 section 2.1
  if (kind === 'word') return `${at} realm="${realm}"`;
  // No registered scheme describes a key in its own field, yet a 401 must have a challenge (RFC 9110 section 15.5.2).
  return `ApiKey realm="${realm}", in="${kind}", name="${at.replace(/[^\w.$ -]/g, '')}"`;
}

/** The title of the contract as a word: `petstore` for Petstore. */
export function nameRealm(title: string): string {
  return (
    title
      .toLowerCase()
      .replace(/[^a-z\d]+/g, '-')
      .replace(/^-|-$/g, '') || 'api'
  );
}
