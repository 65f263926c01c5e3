import type { OwnServer, Operation, ApiRequest } from '../model.js';
import { listIn } from '../document/references.js';
import { remember, asList, asObject, asText } from '../document/plain.js';
import { decode, splitQuery } from '../parameters.js';
import { type SourceDocument, escapePointer, type Notes } from '../document/document.js';

export type Match =
  | { kind: 'operation'; operation: Operation; pathValues: Record<string, string> }
  | { kind: 'unknown-path' }
  /** The path is in the contract, the method is not. */
  | { kind: 'wrong-method'; /** The methods the path has, upper case. */ allowed: string[]; operations: Operation[] };

export type Matcher = (method: string, path: string, sent?: Sent) => Match;
type Sent = Pick<ApiRequest, 'query' | 'headers'>;

interface Entry {
  operation: Operation;
  names: readonly string[];
  /** The part of its path after `#` or `?`, by which documents distinguish operations that HTTP does not. */
  fragment: string;
}

interface Branch {
  concrete: Map<string, Branch>;
  templated: { pattern: RegExp | undefined; source: string; branch: Branch }[];
  entries: Entry[];
}

/** The matcher takes a raw path below the base path; its time does not grow with their number. */
export function createMatcher(operations: readonly Operation[]): Matcher {
  const createBranch = (): Branch => ({ concrete: new Map(), templated: [], entries: [] });
  const root = createBranch();
  const branchFor = (at: Branch, { text, names, pattern }: Segment): Branch => {
    if (names.length === 0) {
      const next = at.concrete.get(text) ?? createBranch();
      at.concrete.set(text, next);
      return next;
    }
    const source = pattern?.source ?? '';
    const known = at.templated.find((each) => each.source === source)?.branch;
    const branch = known ?? createBranch();
    if (known === undefined) at.templated.push({ pattern, source, branch });
    // Segments that accept any text are tried last.
    at.templated.sort((a, b) => b.source.length - a.source.length);
    return branch;
  };
  const concrete = new Map<string, Entry[]>();
  for (const operation of operations) {
    const segments = readTemplate(operation.path);
    const names = segments.flatMap((segment) => segment.names);
    const { entries } = segments.reduce(branchFor, root);
    entries.push({ operation, names, fragment: readTail(operation.path) });
    if (names.length === 0) concrete.set(operation.path, entries);
  }
  const find = (path: string, method?: string): Found | undefined => {
    const known = method === undefined ? concrete.get(path) : undefined;
    return known === undefined ? walk(root, path.split('/'), method) : { entries: known, values: [] };
  };
  return (method, path, sent) => {
    const isOfMethod = ({ operation }: Entry): boolean => operation.method === method;
    const own = find(path);
    // A path that is concrete in one template and matches another one may have a method in either.
    let found = own === undefined || own.entries.some(isOfMethod) ? own : (find(path, method) ?? own);
    // Some clients send a path as the contract writes it, with the `#` escaped.
    const at = path.indexOf('%23');
    if (at !== -1) {
      const before = find(path.slice(0, at));
      const tail = decode(path.slice(at + 3)) ?? path.slice(at + 3);
      const entries = before?.entries.filter((each) => isOfMethod(each) && each.fragment === tail) ?? [];
      if (before !== undefined && entries.length > 0) found = { ...before, entries };
    }
    return found === undefined ? { kind: 'unknown-path' } : choose(method, found, sent);
  };
}

type Found = { entries: readonly Entry[]; values: readonly string[] };

/** A concrete segment is matched before a templated one (OpenAPI 3.1.1, Paths Object). */
function walk(
  at: Branch,
  segments: readonly string[],
  method: string | undefined,
  index = 0,
  values: readonly string[] = [],
): Found | undefined {
  const segment = segments[index];
  if (segment === undefined) {
    const isEnd = at.entries.some(({ operation }) => method === undefined || operation.method === method);
    return isEnd ? { entries: at.entries, values } : undefined;
  }
  const next =
    at.concrete.size === 0
      ? undefined
      : (at.concrete.get(segment) ?? (segment.includes('%') ? at.concrete.get(decode(segment) ?? segment) : undefined));
  const found = next && walk(next, segments, method, index + 1, values);
  if (found !== undefined || segment === '') return found;
  for (const { pattern, branch } of at.templated) {
    const read = pattern === undefined ? segment : pattern.exec(segment)?.slice(1);
    const inside = read === undefined ? undefined : walk(branch, segments, method, index + 1, values.concat(read));
    if (inside !== undefined) return inside;
  }
  return undefined;
}

function choose(method: string, { entries, values }: Found, sent: Sent | undefined): Match {
  const ofMethod = entries.filter(({ operation }) => operation.method === method);
  const entry = ofMethod.length > 1 && sent !== undefined ? chooseBySent(ofMethod, sent) : ofMethod[0];
  if (entry === undefined) {
    const operations = entries.map(({ operation }) => operation);
    return { kind: 'wrong-method', allowed: [...new Set(operations.map((each) => each.method))], operations };
  }
  const pathValues = Object.fromEntries(entry.names.map((name, index) => [name, values[index] ?? '']));
  return { kind: 'operation', operation: entry.operation, pathValues };
}

/** The first whose fragment the request satisfies: `#X-Amz-Target=Shop.List`, `#tagKeys`; one without comes last. */
function chooseBySent(entries: readonly Entry[], { query, headers }: Sent): Entry | undefined {
  const pairs = splitQuery(query, []);
  const isMet = (wanted: string): boolean => {
    const [name = '', value] = wanted.split(/=(.*)/s);
    const given = [...pairs.flatMap((pair) => (pair.name === name ? pair.value : [])), headers[name.toLowerCase()]];
    return given.some((each) => each !== undefined && (value === undefined || value === '' || each === value));
  };
  const isMeant = ({ fragment }: Entry): boolean => fragment !== '' && fragment.split('&').every(isMet);
  return entries.find(isMeant) ?? entries.find(({ fragment }) => fragment === '') ?? entries[0];
}

export interface Segment {
  text: string;
  names: readonly string[];
  /** Takes the values of a segment that is not one value alone, such as `{name}:stop`; `undefined` where it is. */
  pattern: RegExp | undefined;
}

const TAIL = /(?:\?|#(?!.*\/))(?![^{}]*\})(.*)$/s;
export const readTemplate = (path: string): Segment[] => path.replace(TAIL, '').split('/').map(readSegment);

/** What follows the path in a template, `X-Target=List` of `/#X-Target=List`; of a query the names alone. */
export const readTail = (path: string): string => TAIL.exec(path)?.[1]?.replace(/=\{[^{}]*\}/g, '') ?? '';

/** The query parameter that has the value of a name in a path: `q` of `query` in `/pets?q={query}`. */
export function findInQuery(path: string, name: string): string | undefined {
  const pairs = TAIL.exec(path)?.[0].replace(/^[?#]/, '').split('&') ?? [];
  return pairs.find((pair) => pair.endsWith(`={${name}}`))?.slice(0, -`={${name}}`.length);
}

export const listTemplateNames = (path: string): string[] => readTemplate(path).flatMap(({ names }) => names);

function readSegment(text: string): Segment {
  const parts = text.split(/\{([^{}]+)\}/);
  const names = parts.filter((_, index) => index % 2 === 1);
  const isOneValue = names.length === 1 && parts[0] === '' && parts[2] === '';
  if (names.length === 0 || isOneValue) return { text, names, pattern: undefined };
  const literals = parts.filter((_, index) => index % 2 === 0);
  const texts = literals.map((literal) =>
    // A sign may come as it is or in percent escapes.
    Array.from(literal, (sign) => {
      const bytes = [...new TextEncoder().encode(sign)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`);
      const encoded = bytes.join('').replace(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
      return `(?:${sign.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')}|${encoded})`;
    }).join(''),
  );
  // Each value is as short as what follows allows; the last takes the rest.
  return { text, names, pattern: new RegExp(`^${texts.join('(.+?)')}$`, 's') };
}

/** A path of the contract as it appears in a URL (RFC 3987 section 3.1). */
export function encodePath(path: string): string {
  // Almost no path needs it, and replacing nothing takes much longer than looking.
  return VISIBLE.test(path) ? path : path.replace(/[^\u0021-\u007E]/gu, encodeURIComponent);
}

const VISIBLE = /^[\u0021-\u007E]*$/;

/** The paths of the servers (OpenAPI 3.1, Server Object), first that of the first; `from` is the document's URL. */
export function readBasePaths(document: SourceDocument, notes: Notes, from?: string): string[] {
  const servers = readServers(document, '', notes, from);
  const own = servers[0]?.basePath ?? '';
  const served = servers.flatMap(({ host, url, pointer, basePaths }) => {
    if (own === '' || host === servers[0]?.host || !basePaths.includes('')) return basePaths;
    notes.add(pointer, `the server ${url} has no base path: the mock serves only paths below ${own}.`);
    return basePaths.filter((each) => each !== '');
  });
  return [...new Set([own, ...served])];
}

/** Those of the first owner that has any, if they are not the document's; one at the document's host is preferred. */
export function createServerReader(
  document: SourceDocument,
  notes: Notes,
): (owners: readonly string[]) => OwnServer | undefined {
  const roots = readServers(document, '', notes);
  const [first] = roots;
  const isHere = ({ host }: Server): boolean =>
    host === undefined || (first?.host === undefined ? LOOPBACK.test(host) : host === first.host);
  const isNear = ({ host }: Server): boolean => roots.some((root) => root.host === host);
  const read = remember((owner: string): OwnServer | undefined => {
    const servers = readServers(document, owner, notes);
    const server = servers.find(isHere) ?? servers.find(isNear) ?? servers[0];
    if (server === undefined) return undefined;
    const { basePath, url, pointer } = server;
    const isElsewhere = !isHere(server) && !isNear(server);
    const served = servers.filter((each) => isElsewhere || isHere(each) || isNear(each));
    const others = [...new Set(served.flatMap(({ basePaths }) => basePaths))].filter((each) => each !== basePath);
    const own: OwnServer = others.length === 0 ? { basePath } : { basePath, others };
    const where = `the mock serves its operations at ${basePath || '/'}`;
    for (const each of servers.filter((one) => !served.includes(one)))
      notes.add(each.pointer, `${each.url} is on another host than the servers of the document; ${where}.`);
    if (!isElsewhere) return basePath === (first?.basePath ?? '') && others.length === 0 ? undefined : own;
    const untested = 'and the runner does not test them.';
    notes.add(pointer, `${url} is on another host than the servers of the document: ${where}, ${untested}`);
    return { ...own, elsewhere: url };
  });
  return (owners) => {
    const owner = owners.find((each) => asList(document.at(`${each}/servers`)).length > 0);
    return owner === undefined ? undefined : read(owner);
  };
}

const LOOPBACK = /^(?:localhost|127\.[\d.]+|\[::1\])(?::\d+)?$/;

interface Server {
  basePath: string;
  basePaths: readonly string[];
  host: string | undefined;
  url: string;
  pointer: string;
}

function readServers(document: SourceDocument, owner: string, notes: Notes, from = 'http://localhost'): Server[] {
  // A relative server URL is resolved against the document's own address; only its path matters here.
  const readPath = (address: string): string | undefined =>
    URL.canParse(address, from) ? new URL(address, from).pathname.replace(/\/+$/, '') : undefined;
  return listIn(asObject(document.at(owner)), owner, ['servers']).flatMap((at): Server[] => {
    const pointer = `${at}/url`;
    const url = document.at(pointer);
    if (typeof url !== 'string') return [];
    // At their defaults, then at the other values that they may have (OpenAPI 3.1, Server Variable Object).
    let filled = [''];
    for (const [index, part] of url.split(/\{([^}]+)\}/).entries()) {
      const variable = asObject(document.at(`${at}/variables/${escapePointer(part)}`));
      if (index % 2 === 1 && variable['default'] === undefined)
        notes.add(`${at}/url`, `the server URL has the variable {${part}} without a default; it is read as empty.`);
      const listed = asList(variable['enum']).flatMap((each) => asText(each) ?? []);
      const values = index % 2 === 0 ? [part] : [...new Set([asText(variable['default']) ?? '', ...listed])];
      filled = filled.flatMap((each) => values.map((value) => each + value)).slice(0, MOST_CHOICES);
    }
    const [resolved = '', ...choices] = filled.map((each) => each.trim());
    const { address, host } = nameHost(resolved);
    const basePath = readPath(address);
    if (basePath === undefined) notes.add(pointer, `the server URL ${resolved} is not valid; its path is ignored.`);
    const handled = `is read as its host, and the base path is ${basePath || 'empty'}.`;
    if (host !== undefined) notes.add(pointer, `the server URL ${resolved} has no scheme; ${host} ${handled}`);
    const isAbsolute = /^(?:[a-z][\w+.-]*:)?\/\//i.test(address) && basePath !== undefined;
    const others = choices.flatMap((each) => readPath(nameHost(each).address) ?? []);
    return [
      {
        basePath: basePath ?? '',
        basePaths: [...new Set([basePath ?? '', ...others])],
        host: isAbsolute ? new URL(address, from).host : undefined,
        url: resolved,
        pointer,
      },
    ];
  });
}

const MOST_CHOICES = 200;

function nameHost(resolved: string): { address: string; host?: string } {
  // `https://https://api.example.com`: a scheme in Swagger's `host`, or in the default of a variable.
  const once = resolved.replace(/^(?:[a-z][\w+.-]*:)?\/\/(?=[a-z][\w+.-]*:\/\/)/i, '');
  // `https://{host}/v1` and `{scheme}://host/v1`, where the variable has no default.
  const whole = once.replace(/^(?:[a-z][\w+.-]*:|:)?\/\/(?=\/|$)/i, '//localhost').replace(/^:\/\//, '//');
  const host = HOST.exec(whole)?.[0];
  return host === undefined ? { address: whole } : { address: `//${whole}`, host };
}

/** What begins an address and can only be a host: `api.example.com`, `localhost`, `10.0.0.1`, `gateway:8080`; no `v1.0`. */
const HOST =
  /^(?!v\d+\.)(?:localhost|(?:[a-z\d-]+\.)+[a-z]{2,}|\d{1,3}(?:\.\d{1,3}){3}|[a-z\d.-]+(?=:\d))(?::\d+)?(?=[/?#]|$)/i;

export interface Bases {
  roots: readonly string[];
  all: readonly string[];
  /** Whether a whole path is below a base path of the contract's servers, or is that of an operation below another one. */
  isServed(path: string): boolean;
  find(method: string, path: string, sent?: Sent): { match: Match; basePath: string };
  below(method: string, path: string): string;
}

/** `match` finds any of the operations below its own base path. */
export function createBases(operations: readonly Operation[], roots: readonly string[], match: Matcher): Bases {
  const [own = ''] = roots;
  const listPaths = ({ server }: Operation): readonly string[] =>
    server === undefined ? roots : [server.basePath, ...(server.others ?? [])];
  const paths = [...new Set([...roots, ...operations.flatMap(listPaths)])];
  const matchers = paths.map((basePath) => {
    const below = operations.filter((operation) => listPaths(operation).includes(basePath));
    return { basePath, match: below.length === operations.length ? match : createMatcher(below) };
  });
  const find: Bases['find'] = (method, path, sent) => {
    const above = paths.find((basePath) => isWithin(basePath, path)) ?? own;
    let best: { match: Match; basePath: string } = { match: { kind: 'unknown-path' }, basePath: above };
    for (const { basePath, match: matchBelow } of matchers) {
      if (!isWithin(basePath, path)) continue;
      const found = matchBelow(method, path.slice(basePath.length), sent);
      if (found.kind === 'operation') return { match: found, basePath };
      if (best.match.kind === 'unknown-path' && found.kind === 'wrong-method') best = { match: found, basePath };
    }
    return best;
  };
  const isServed = (path: string): boolean =>
    isWithin(own, path) ||
    roots.some((root) => root !== '' && isWithin(root, path)) ||
    (paths.length > 1 && find('GET', path).match.kind !== 'unknown-path');
  const below = (method: string, path: string): string =>
    path.slice(paths.length === 1 ? own.length : find(method, path).basePath.length);
  return { roots, all: paths, isServed, find, below };
}

/** Whether a path or a JSON Pointer is `base` or lies below it: `/v1/pets` is within `/v1`, `/v1pets` is not. */
export const isWithin = (base: string, path: string): boolean =>
  path.startsWith(base) && (path.length === base.length || path[base.length] === '/');
