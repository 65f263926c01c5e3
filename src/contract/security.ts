import { escapePointer, type SourceDocument, type Notes } from './document/document.js';
import { asList, asObject, asText, remember } from './document/plain.js';
import { resolveAt } from './document/references.js';
import { TOKEN, type NeededScopes, type Operation, type Security, type SecurityScheme } from './model.js';
import { PetstoreMockError } from '../errors.js';
import { suggest } from '../suggest.js';

const SCHEMES = '/components/securitySchemes';

export type SecurityReader = (pointer: string) => { security: Security; scopes: readonly NeededScopes[] };

/** Whether a request without credentials is refused (OpenAPI 3.1, Security Requirement Object). */
export const asksForCredentials = (security: Security): boolean =>
  security.length > 0 && security.every((combination) => combination.length > 0);

/** A reader of security requirements that notes what no request can be held to; that is not asked for. */
export function createSecurityReader(document: SourceDocument, notes: Notes): SecurityReader {
  const noted = new Set<string>();
  const read = remember((name: string) => readScheme(document, name));
  const find = (name: string, pointer: string): SecurityScheme[] => {
    const { scheme, note } = read(name);
    if (note !== undefined && !noted.has(name))
      notes.add(scheme === undefined ? pointer : `${SCHEMES}/${escapePointer(name)}`, note);
    noted.add(name);
    return scheme === undefined ? [] : [scheme];
  };
  return remember((pointer) => {
    const alternatives = asList(document.at(pointer)).flatMap((requirement, index) => {
      const at = `${pointer}/${index}`;
      const stated = asObject(requirement);
      const scopesOf = (name: string): string[] => asList(stated[name]).flatMap((scope) => asText(scope) ?? []);
      const schemes = Object.keys(stated).flatMap((name) => find(name, at));
      return sortOut(schemes, at, notes).map((combination) => ({
        combination,
        scopes: Object.fromEntries(combination.map(({ name }) => [name, scopesOf(name)])),
      }));
    });
    const asked = alternatives.map(({ scopes }) => scopes);
    const asksNone = asked.every((each) => Object.values(each).every(({ length }) => length === 0));
    // Alternatives that differ only in their scopes are one.
    const namesOf = (combination: SecurityScheme[]): string =>
      JSON.stringify(combination.map(({ name }) => name).toSorted());
    const apart = new Map(alternatives.map(({ combination }) => [namesOf(combination), combination]));
    return { security: [...apart.values()], scopes: asksNone ? [] : asked };
  });
}

/** A request has one `Authorization` field: of credentials that would all stand there, those of one kind are enough. */
function sortOut(combination: SecurityScheme[], pointer: string, notes: Notes): SecurityScheme[][] {
  const there = combination.filter(isAuthorization);
  const nameKind = ({ kind, at }: SecurityScheme): string => `${kind} ${at.toLowerCase()}`;
  const kinds = [...new Set(there.map(nameKind))];
  if (kinds.length < 2) return [combination];
  const names = there.map(({ name }) => name).join(' and ');
  notes.add(
    pointer,
    `${names} would all use the Authorization header, and a request has only one; any of them is enough.`,
  );
  return kinds.map((wanted) => combination.filter((each) => !isAuthorization(each) || nameKind(each) === wanted));
}

function isAuthorization({ kind, at }: SecurityScheme): boolean {
  if (kind === 'query' || kind === 'cookie') return false;
  return kind !== 'header' || at.toLowerCase() === 'authorization';
}

export const readSecuritySchemes = (document: SourceDocument): SecurityScheme[] =>
  Object.keys(asObject(document.at(SCHEMES))).flatMap((name) => readScheme(document, name).scheme ?? []);

type ReadScheme = { scheme?: SecurityScheme; note?: string };

function readScheme(document: SourceDocument, name: string): ReadScheme {
  const source = asObject(resolveAt(document, `${SCHEMES}/${escapePointer(name)}`).value);
  const { type, in: place } = source;
  if (type === 'oauth2' || type === 'openIdConnect') return { scheme: { name, kind: 'bearer', at: 'Bearer' } };
  const scheme = type === 'http' ? readWord(name, asText(source['scheme']) ?? '') : undefined;
  if (scheme !== undefined) return { scheme };
  const at = asText(source['name'])?.trim();
  if (type === 'apiKey' && at !== undefined) {
    if (place === 'query') return { scheme: { name, kind: 'query', at } };
    if (place === 'header' || place === 'cookie')
      return readField(name, { at, place, said: asText(source['description']) ?? '' });
  }
  if (Object.keys(source).length === 0)
    return { note: `the security scheme ${name} is not declared; it is not checked.` };
  const kind = [type, source['scheme']].filter((each) => typeof each === 'string').join(' ');
  return {
    note: `the security scheme ${name} (${kind === '' ? 'without a type' : kind}) cannot be checked; a request needs no credentials for it.`,
  };
}

const NO_WORD = /^(?:[<{[($%*.].*)?$/;

function readField(
  name: string,
  { at, place, said }: { at: string; place: 'header' | 'cookie'; said: string },
): ReadScheme {
  const isBare = place === 'header' && /^authorization$/i.test(at);
  const word = isBare ? readWord(name, findSaidWord(said) ?? '') : undefined;
  if (word !== undefined) {
    const note = `the security scheme ${name} is sent as "${word.at} <key>", as its description says.`;
    return { scheme: word, note };
  }
  if (TOKEN.test(at)) return { scheme: { name, kind: place, at } };
  const shown = `the security scheme ${name} is in the ${place} ${JSON.stringify(at)}, which is not a valid ${place} name`;
  const meant = place === 'header' ? readFieldLine(name, at) : undefined;
  if (meant === undefined) return { note: `${shown}; it is not checked, and a request needs no credentials for it.` };
  return { scheme: meant, note: `${shown}; it is read as ${describeScheme(meant, '<key>')}.` };
}

/** A name that is written as the beginning of the field: `Authorization: Bearer`, `X-Api-Key:`, `Cookie: session`. */
function readFieldLine(name: string, line: string): SecurityScheme | undefined {
  const [, field = '', rest = ''] = /^([^\s:=]+)\s*[:=\s]\s*(.*)$/.exec(line) ?? [];
  if (!TOKEN.test(field)) return undefined;
  const value = rest.replaceAll(/["'`]/g, '');
  if (NO_WORD.test(value)) return { name, kind: 'header', at: field };
  if (/^cookie$/i.test(field)) {
    const cookie = value.replace(/=.*$/, '');
    return TOKEN.test(cookie) ? { name, kind: 'cookie', at: cookie } : undefined;
  }
  return /^authorization$/i.test(field) ? readWord(name, value) : undefined;
}

const COMPUTED = /^(?:digest|hoba|mutual|negotiate|ntlm|scram-.*|concealed|dpop|signature|)$/i;

/** The scheme that a word of the `Authorization` field stands for (RFC 9110 section 11.1), with or without what follows it. */
function readWord(name: string, written: string): SecurityScheme | undefined {
  const [word = '', ...rest] = written.trim().split(/[\s:]+/);
  if (rest.length > 1 && !NO_WORD.test(rest[0] ?? '')) return undefined;
  if (/^bearer$/i.test(word)) return { name, kind: 'bearer', at: 'Bearer' };
  if (/^basic$/i.test(word)) return { name, kind: 'basic', at: 'Basic' };
  return COMPUTED.test(word) || !/^[\w-]+$/.test(word) ? undefined : { name, kind: 'word', at: word };
}

/** The word that a key in `Authorization` follows, as the description says it: `Enter "Bearer {token}"`, `prefix "Token"`. */
function findSaidWord(said: string): string | undefined {
  const [, example, prefix] =
    /(?:\bauthorization:\s*|["'`])([a-z][\w-]*)\s+[<{[]|\bprefix\w*[:\s]+(?:\w+\s+)?["'`]([a-z][\w-]*)\s*["'`]/i.exec(
      said,
    ) ?? [];
  if (example !== undefined || prefix !== undefined) return example ?? prefix;
  return /\bbearer\b/i.test(said) && !/\b(?:no|not|without|omit|instead of|never)\b[^.;]*\bbearer\b/i.test(said)
    ? 'Bearer'
    : undefined;
}

export type Presented = { headers: Record<string, string>; query: readonly (readonly [name: string, value: string])[] };

/** The credentials of a combination as a request shows them; `valueOf` gives the key, or `user:password`, of each. */
export function presentCredentials(
  combination: readonly SecurityScheme[],
  valueOf: (scheme: SecurityScheme) => string,
): Presented {
  const headers: Record<string, string> = {};
  const query: (readonly [string, string])[] = [];
  for (const scheme of combination) {
    const value = withoutWord(scheme, valueOf(scheme));
    if (scheme.kind === 'query') query.push([scheme.at, value]);
    else if (scheme.kind === 'cookie')
      headers['Cookie'] = [headers['Cookie'] ?? [], `${scheme.at}=${value}`].flat().join('; ');
    else if (scheme.kind === 'header') headers[scheme.at] = value;
    else
      headers['Authorization'] =
        `${scheme.at} ${scheme.kind === 'basic' ? Buffer.from(value.includes(':') ? value : `${value}:`).toString('base64') : value}`;
  }
  return { headers, query };
}

/** A credential without the word of its scheme, with which it may be given: `Bearer <token>`. */
export function withoutWord({ kind, at }: SecurityScheme, value: string): string {
  const hasWord = kind === 'bearer' || kind === 'basic' || kind === 'word';
  return hasWord && value.toLowerCase().startsWith(`${at.toLowerCase()} `) ? value.slice(at.length).trimStart() : value;
}

/** What of a value nobody else may see: of a pair the password too, which may stand somewhere by itself. */
export function listSecretParts(value: string): string[] {
  const colon = value.indexOf(':');
  return colon === -1 ? [value] : [value, value.slice(colon + 1)];
}

export function chooseCombination(
  security: Security,
  isGiven: (scheme: SecurityScheme) => boolean,
): readonly SecurityScheme[] {
  const asking = security.filter((combination) => combination.length > 0);
  return asking.find((combination) => combination.every(isGiven)) ?? asking[0] ?? [];
}

/** How a client shows the credentials of a scheme: `Authorization: Bearer <API_KEY>`. */
export function describeScheme({ kind, at }: SecurityScheme, value?: string): string {
  if (kind === 'basic') return `Authorization: Basic ${value ?? '<user:password in Base64>'}`;
  const key = value ?? '<API_KEY>';
  if (kind === 'header') return `${at}: ${key}`;
  if (kind === 'query') return `${at}=${key} in the query`;
  return kind === 'cookie' ? `Cookie: ${at}=${key}` : `Authorization: ${at} ${key}`;
}

/** Throws a {@link PetstoreMockError} for credentials of a security scheme, or with a scope, that the contract does not have. */
export function checkSchemeNames(
  given: object,
  contract: { document: SourceDocument; securitySchemes: readonly SecurityScheme[]; operations: readonly Operation[] },
): void {
  const names = contract.securitySchemes.map(({ name }) => name);
  const listAll = (all: readonly string[]): string => (all.length === 0 ? 'none' : all.join(', '));
  const bad = (message: string): PetstoreMockError => new PetstoreMockError('bad-option', message);
  for (const { scheme, scopes = [] } of Object.keys(given).map(readCredentialName)) {
    if (!names.includes(scheme))
      throw bad(
        `credentials are given for ${scheme}, but the contract has no such security scheme; it has ${listAll(names)}${suggest(scheme, names)}`,
      );
    const source = asObject(resolveAt(contract.document, `/components/securitySchemes/${escapePointer(scheme)}`).value);
    const declared = Object.values(asObject(source['flows'])).flatMap((flow) =>
      Object.keys(asObject(asObject(flow)['scopes'])),
    );
    const asked = contract.operations.flatMap((each) =>
      each.scopes.flatMap((alternative) => alternative[scheme] ?? []),
    );
    const known = [...new Set([...declared, ...asked])];
    const unknown = scopes.find((scope) => !known.includes(scope));
    if (unknown !== undefined)
      throw bad(
        `a token for ${scheme} is given with the scope ${unknown}, which the contract does not name; it has ${listAll(known)}${suggest(unknown, known)} Leave out those that it does not name.`,
      );
  }
}

/** Reads `oauth`, `oauth[orders:read orders:write]`, or `oauth[]`. Without `scopes` a token suffices everywhere. */
export function readCredentialName(name: string): { scheme: string; scopes: readonly string[] | undefined } {
  const [, scheme, scopes] = /^([^[\]]+)\[([^[\]]*)\]$/.exec(name) ?? [];
  if (scheme === undefined || scopes === undefined) return { scheme: name, scopes: undefined };
  return { scheme, scopes: [...new Set(scopes.split(/[\s,]+/).filter((scope) => scope !== ''))] };
}
