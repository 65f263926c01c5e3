// Of the tokens that a run has, the one for a request: with all scopes that its operation needs, or without one of them.
import type { NeededScopes, Operation } from '../../../contract/model.js';
import { readCredentialName } from '../../../contract/security.js';
import type { GivenCredentials } from '../../model/credential-source.js';
import type { LackedScopes, Step } from '../../model/scenario.js';
import type { RunKeys, ScopedToken } from './present-key.js';

/**
 * Reads the credentials of a run: those that suffice everywhere, and tokens with some scopes. What the run gets by itself has no
 * value before that.
 */
export function readRunKeys(apiKey: string, given: GivenCredentials, isGuessed = false): RunKeys {
  const named = Object.entries(given).map(([name, each]) => ({
    given: name,
    name: readCredentialName(name),
    value: typeof each === 'string' ? each : '',
  }));
  const credentials = named.flatMap(({ name: { scheme, scopes }, value }) =>
    scopes === undefined ? [[scheme, value]] : [],
  );
  const tokens = named.flatMap(({ given: name, name: { scheme, scopes }, value }) =>
    scopes === undefined ? [] : [{ scheme, scopes, value, name }],
  );
  return { apiKey, isGuessed, credentials: Object.fromEntries(credentials) as Record<string, string>, tokens };
}

/** Thrown if a run has no credentials for the schemes that a step uses. */
export class UnknownCredentials extends Error {
  override readonly name = 'UnknownCredentials';
  /** Whether other credentials suffice: nobody needs to have all of them. */
  readonly isOfAlternative: boolean;

  constructor(message: string, { isOfAlternative = false }: { isOfAlternative?: boolean } = {}) {
    super(message);
    this.isOfAlternative = isOfAlternative;
  }
}

/** The keys for a step: with the scopes that its operation needs, or without those that the step does without. */
export function keysOf({ lacks }: Pick<Step, 'lacks'>, operation: Operation, keys: RunKeys): RunKeys {
  const own = chooseKeys(keys, operation);
  if (lacks === undefined) return own;
  const lacking = lackScopes(own, lacks);
  if (lacking === undefined) throw new UnknownCredentials(`it needs ${describeLackingToken(lacks)}`);
  return lacking;
}

/** The keys of a request: a scheme without a credential that suffices everywhere takes a token with the scopes it needs. */
export function chooseKeys(keys: RunKeys, { scopes }: Pick<Operation, 'scopes'>): RunKeys {
  const found = keys.tokens
    .filter(({ scheme }) => !Object.hasOwn(keys.credentials, scheme))
    .filter((token) => scopes.some((alternative) => suffices(token, alternative)));
  const fitting = Object.fromEntries(found.toReversed().map(({ scheme, value }) => [scheme, value]));
  const names = Object.fromEntries(found.toReversed().map(({ scheme, name }) => [scheme, name]));
  return { ...keys, credentials: { ...fitting, ...keys.credentials }, names: { ...names, ...keys.names } };
}

function suffices({ scheme, scopes }: ScopedToken, alternative: NeededScopes): boolean {
  return Object.hasOwn(alternative, scheme) && alternative[scheme]?.every((needed) => scopes.includes(needed)) === true;
}

/** The same keys with a token that surely lacks these scopes, if the run has one. */
export function lackScopes(keys: RunKeys, { scheme, scopes }: LackedScopes): RunKeys | undefined {
  const token = findLacking(keys.tokens, { scheme, scopes });
  if (token === undefined) return undefined;
  return {
    ...keys,
    credentials: { ...keys.credentials, [scheme]: token.value },
    names: { ...keys.names, [scheme]: token.name },
  };
}

/** The one with most other scopes, since it lacks least besides. */
function findLacking(tokens: readonly ScopedToken[], lacked: LackedScopes): ScopedToken | undefined {
  const lacks = (token: ScopedToken): boolean =>
    token.scheme === lacked.scheme &&
    lacked.scopes.every((needed) => !token.scopes.some((scope) => mayImply(scope, needed)));
  return tokens.filter(lacks).toSorted((one, other) => other.scopes.length - one.scopes.length)[0];
}

/** What would give the run such a token. */
export function describeLackingToken({ scheme, scopes }: LackedScopes): string {
  return `a token without ${scopes.join(' and ')}: --credential '${scheme}[<its scopes>]=<token>'`;
}

// What the words of scopes suggest. OAuth leaves to the service whether one scope includes another (RFC 6749 section 3.3).
/** Names of scopes that include all others, or all of a kind. */
const WIDE =
  /(?:^|[^a-z])(?:admin|administrator|all|any|full|full_?access|manage|manager|owner|root|super|superuser)(?:$|[^a-z])|\*/i;

const READING = new Set(['read', 'reader', 'readonly', 'view', 'viewer', 'get', 'list', 'browse', 'see', 'fetch']);

/** Whether a service may take a token with one scope for one with another: `write:orders` for `read:orders`. */
export function mayImply(scope: string, needed: string): boolean {
  if (scope === needed || WIDE.test(scope) || isPart(scope, needed)) return true;
  const [own, wanted] = [readWords(scope), readWords(needed)];
  const isOfIt = own.subject === '' || `${wanted.subject} `.startsWith(`${own.subject} `);
  return isOfIt && (!own.reads || wanted.reads);
}

/** `repo` includes `repo:status`, and `orders` includes `orders.read`. */
function isPart(scope: string, needed: string): boolean {
  return needed.length > scope.length && needed.startsWith(scope) && /[^a-z\d]/i.test(needed.charAt(scope.length));
}

interface ScopeWords {
  /** Whether it allows nothing but to read. */
  reads: boolean;
  /** Its words without the verb. */
  subject: string;
}

const VERBS = new Set([
  ...READING,
  'write',
  'writer',
  'edit',
  'editor',
  'create',
  'update',
  'delete',
  'remove',
  'modify',
  'readwrite',
  'rw',
]);

function readWords(scope: string): ScopeWords {
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
