import type { RequestHeaders } from '../message.js';
import type { Operation } from '../model.js';
import { splitQuery } from '../query-pairs.js';
import { readTail, readTemplate, type Segment } from './path-template.js';

/** The result for a method and a path. */
export type Match =
  | {
      kind: 'operation';
      operation: Operation;
      /** Raw values by parameter name, still percent-encoded. */ pathValues: Record<string, string>;
    }
  /** The path is not in the contract. */
  | { kind: 'unknown-path' }
  /** The path is in the contract, the method is not. */
  | { kind: 'wrong-method'; /** The methods the path has, upper case. */ allowed: string[]; operations: Operation[] };

/** The other parts of a request that distinguish operations with the same method and path. */
export interface Sent {
  query: string;
  headers: RequestHeaders;
}

export type Matcher = (method: string, path: string, sent?: Sent) => Match;

/** One operation of a path, and its names for the values of the path's segments. */
interface Entry {
  operation: Operation;
  names: readonly string[];
  /** The part of its path after `#` or `?`, by which documents distinguish operations that HTTP does not. */
  fragment: string;
}

/** What may follow the segments so far: looked up as a text, or tried in order. */
interface Branch {
  concrete: Map<string, Branch>;
  templated: { pattern: RegExp | undefined; source: string; branch: Branch }[];
  entries: Entry[];
}

/** Compiles the contract's paths. The matcher takes a raw path below the base path; its time does not grow with their number. */
export function createMatcher(operations: readonly Operation[]): Matcher {
  const root = createBranch();
  const concrete = new Map<string, Entry[]>();
  for (const operation of operations) {
    const segments = readTemplate(operation.path);
    const names = segments.flatMap((segment) => segment.names);
    const { entries } = segments.reduce(branchFor, root);
    entries.push({ operation, names, fragment: readTail(operation.path) });
    if (names.length === 0) concrete.set(operation.path, entries);
  }
  const find: Find = (path, method) => {
    const known = method === undefined ? concrete.get(path) : undefined;
    return known === undefined ? walk(root, path.split('/'), { method }) : { entries: known, values: [] };
  };
  return (method, path, sent) => {
    const found = findByFragment(method, path, find) ?? findWithMethod(method, path, find) ?? find(path);
    return found === undefined ? { kind: 'unknown-path' } : choose(method, found, sent);
  };
}

/** Some clients send a path as the contract writes it, with the `#` escaped. */
function findByFragment(method: string, path: string, find: Find): Found | undefined {
  const at = path.indexOf('%23');
  if (at === -1) return undefined;
  const found = find(path.slice(0, at));
  const fragment = decode(path.slice(at + 3));
  const entries = found?.entries.filter((each) => each.operation.method === method && each.fragment === fragment) ?? [];
  return found === undefined || entries.length === 0 ? undefined : { ...found, entries };
}

function createBranch(): Branch {
  return { concrete: new Map(), templated: [], entries: [] };
}

function branchFor(at: Branch, { text, names, pattern }: Segment): Branch {
  if (names.length === 0) {
    const next = at.concrete.get(text) ?? createBranch();
    at.concrete.set(text, next);
    return next;
  }
  const source = pattern?.source ?? '';
  const known = at.templated.find((each) => each.source === source);
  if (known !== undefined) return known.branch;
  const branch = createBranch();
  at.templated.push({ pattern, source, branch });
  // Segments that accept any text are tried last.
  at.templated.sort((a, b) => b.source.length - a.source.length);
  return branch;
}

interface Found {
  entries: readonly Entry[];
  values: readonly string[];
}

type Find = (path: string, method?: string) => Found | undefined;

/** A path that is concrete in one template and matches another one may have a method in either. */
function findWithMethod(method: string, path: string, find: Find): Found | undefined {
  const found = find(path);
  return found === undefined || hasMethod(found.entries, method) ? found : find(path, method);
}

function hasMethod(entries: readonly Entry[], method: string): boolean {
  return entries.some(({ operation }) => operation.method === method);
}

interface Way {
  /** Only operations with this method count; `undefined` for any. */
  method: string | undefined;
  index?: number;
  values?: readonly string[];
}

/** A concrete segment is matched before a templated one (OpenAPI 3.1.1, Paths Object). */
function walk(at: Branch, segments: readonly string[], { method, index = 0, values = [] }: Way): Found | undefined {
  const segment = segments[index];
  if (segment === undefined) {
    const isEnd = method === undefined ? at.entries.length > 0 : hasMethod(at.entries, method);
    return isEnd ? { entries: at.entries, values } : undefined;
  }
  const next = at.concrete.size === 0 ? undefined : findConcrete(at, segment);
  const found = next && walk(next, segments, { method, index: index + 1, values });
  if (found !== undefined || segment === '') return found;
  for (const { pattern, branch } of at.templated) {
    const read = pattern === undefined ? segment : pattern.exec(segment)?.slice(1);
    const inside =
      read === undefined
        ? undefined
        : walk(branch, segments, { method, index: index + 1, values: values.concat(read) });
    if (inside !== undefined) return inside;
  }
  return undefined;
}

function findConcrete({ concrete }: Branch, segment: string): Branch | undefined {
  return concrete.get(segment) ?? (segment.includes('%') ? concrete.get(decode(segment)) : undefined);
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function choose(method: string, { entries, values }: Found, sent: Sent | undefined): Match {
  const ofMethod = entries.filter(({ operation }) => operation.method === method);
  const entry = ofMethod.length > 1 && sent !== undefined ? chooseBySent(ofMethod, sent) : ofMethod[0];
  if (entry === undefined) {
    const operations = entries.map(({ operation }) => operation);
    return { kind: 'wrong-method', allowed: [...new Set(operations.map((each) => each.method))], operations };
  }
  const pathValues: Record<string, string> = {};
  let index = 0;
  for (const name of entry.names) pathValues[name] = values[index++] ?? '';
  return { kind: 'operation', operation: entry.operation, pathValues };
}

/**
 * The first operation whose fragment the request satisfies: `#X-Amz-Target=Shop.List`, `#tagKeys`; one without a
 * fragment comes last.
 */
function chooseBySent(entries: readonly Entry[], { query, headers }: Sent): Entry | undefined {
  const pairs = splitQuery(query, []);
  const isMet = (wanted: string): boolean => {
    const [name = '', value] = wanted.split(/=(.*)/s);
    const given = [
      ...pairs.filter((pair) => pair.name === name).map((pair) => pair.value),
      headers[name.toLowerCase()],
    ];
    return given.some((each) => each !== undefined && (value === undefined || value === '' || each === value));
  };
  const isMeant = ({ fragment }: Entry): boolean => fragment !== '' && fragment.split('&').every(isMet);
  return entries.find(isMeant) ?? entries.find(({ fragment }) => fragment === '') ?? entries[0];
}
