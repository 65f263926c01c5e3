import { escapePointer, type SourceDocument } from '../document/document.js';
import type { Notes } from '../document/notes.js';
import { asList, asObject, asText } from '../document/plain.js';
import { resolveAt } from '../document/references.js';
import type { NeededScopes, Security, SecurityScheme } from '../model.js';

const SCHEMES = '/components/securitySchemes';

/** Reads the requirements at a JSON Pointer. */
export type SecurityReader = (pointer: string) => Requirements;

interface Requirements {
  security: Security;
  scopes: readonly NeededScopes[];
}

/** Whether a request without credentials is refused (OpenAPI 3.1, Security Requirement Object). */
export function asksForCredentials(security: Security): boolean {
  return security.length > 0 && security.every((combination) => combination.length > 0);
}

/** A reader of security requirements that notes what no request can be held to; that is not asked for. */
export function createSecurityReader(document: SourceDocument, notes: Notes): SecurityReader {
  const schemes = new Map(readSecuritySchemes(document).map((scheme) => [scheme.name, scheme]));
  const find = (name: string, pointer: string): SecurityScheme[] => {
    const scheme = schemes.get(name);
    if (scheme === undefined) notes.add(pointer, explainUnread(document, name));
    return scheme === undefined ? [] : [scheme];
  };
  const known = new Map<string, Requirements>();
  return (pointer) => {
    const found = known.get(pointer);
    if (found !== undefined) return found;
    const alternatives = asList(document.at(pointer)).flatMap((requirement, index) => {
      const at = `${pointer}/${index}`;
      const stated = asObject(requirement);
      const combinations = sortOut(
        Object.keys(stated).flatMap((name) => find(name, at)),
        { pointer: at, notes },
      );
      return combinations.map((combination) => ({ combination, scopes: readScopes(combination, stated) }));
    });
    const asked = alternatives.map(({ scopes }) => scopes);
    const asksNone = asked.every((each) => Object.values(each).every(({ length }) => length === 0));
    const read = {
      security: keepApart(alternatives.map(({ combination }) => combination)),
      scopes: asksNone ? [] : asked,
    };
    known.set(pointer, read);
    return read;
  };
}

/** OpenAPI 3.1 lets any scheme have them, as roles that are not otherwise defined. */
function readScopes(combination: readonly SecurityScheme[], stated: Readonly<Record<string, unknown>>): NeededScopes {
  return Object.fromEntries(
    combination.map(({ name }) => [name, asList(stated[name]).flatMap((scope) => asText(scope) ?? [])]),
  );
}

/** Alternatives that differ only in their scopes are one. */
function keepApart(security: Security): Security {
  const keyOf = (combination: readonly SecurityScheme[]): string =>
    JSON.stringify(combination.map(({ name }) => name).toSorted());
  return [...new Map(security.map((combination) => [keyOf(combination), combination])).values()];
}

/** A request has one `Authorization` field: of credentials that would all stand there, those of one kind are enough. */
function sortOut(
  combination: readonly SecurityScheme[],
  { pointer, notes }: { pointer: string; notes: Notes },
): SecurityScheme[][] {
  const there = combination.filter(isAuthorization);
  const kinds = [...new Set(there.map(nameKind))];
  if (kinds.length < 2) return [[...combination]];
  const names = there.map(({ name }) => name).join(' and ');
  notes.add(
    pointer,
    `${names} would all use the Authorization header, and a request has only one; any of them is enough.`,
  );
  const isOf = (scheme: SecurityScheme, wanted: string): boolean => nameKind(scheme) === wanted;
  return kinds.map((wanted) => combination.filter((each) => !isAuthorization(each) || isOf(each, wanted)));
}

function nameKind({ kind, at }: SecurityScheme): string {
  return `${kind} ${at.toLowerCase()}`;
}

function isAuthorization({ kind, at }: SecurityScheme): boolean {
  if (kind === 'query' || kind === 'cookie') return false;
  return kind !== 'header' || at.toLowerCase() === 'authorization';
}

/** The security schemes of a document to which a request can be held. */
export function readSecuritySchemes(document: SourceDocument): SecurityScheme[] {
  return Object.keys(asObject(document.at(SCHEMES))).flatMap((name) => readScheme(document, name) ?? []);
}

function readScheme(document: SourceDocument, name: string): SecurityScheme | undefined {
  const source = asObject(resolveAt(document, `${SCHEMES}/${escapePointer(name)}`).value);
  const { type, in: place } = source;
  if (type === 'oauth2' || type === 'openIdConnect') return { name, kind: 'bearer', at: 'Bearer' };
  if (type === 'http') return readHttpScheme(name, asText(source['scheme']) ?? '');
  const at = asText(source['name']);
  const isPlaced = place === 'header' || place === 'query' || place === 'cookie';
  return type === 'apiKey' && isPlaced && at !== undefined ? { name, kind: place, at } : undefined;
}

/** Schemes whose credentials are computed anew for each request, or come with the connection. */
const COMPUTED = /^(?:digest|hoba|mutual|negotiate|ntlm|scram-.*|concealed|dpop|signature|)$/i;

function readHttpScheme(name: string, scheme: string): SecurityScheme | undefined {
  if (/^bearer$/i.test(scheme)) return { name, kind: 'bearer', at: 'Bearer' };
  if (/^basic$/i.test(scheme)) return { name, kind: 'basic', at: 'Basic' };
  return COMPUTED.test(scheme) || !/^[\w-]+$/.test(scheme) ? undefined : { name, kind: 'word', at: scheme };
}

function explainUnread(document: SourceDocument, name: string): string {
  const scheme = asObject(document.at(`${SCHEMES}/${escapePointer(name)}`));
  if (Object.keys(scheme).length === 0) return `the security scheme ${name} is not declared; it is not checked.`;
  const kind = [scheme['type'], scheme['scheme']].filter((each) => typeof each === 'string').join(' ');
  return `the security scheme ${name} (${kind === '' ? 'without a type' : kind}) cannot be checked; a request needs no credentials for it.`;
}
