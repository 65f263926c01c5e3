import type { Operation } from '../model.js';
import { readTemplate, type Segment } from './path-template.js';

/** What a method and a path come to. */
export type Match =
  | {
      kind: 'operation';
      operation: Operation;
      /** Raw values by parameter name, still percent-encoded. */ pathValues: Record<string, string>;
    }
  /** The path is not in the contract. */
  | { kind: 'unknown-path' }
  /** The path is, the method is not. */
  | { kind: 'wrong-method'; /** The methods the path has, upper case. */ allowed: string[]; operations: Operation[] };

export type Matcher = (method: string, path: string) => Match;

/** One operation of a path, and what it calls the values of the path's segments. */
interface Entry {
  operation: Operation;
  names: readonly string[];
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
    entries.push({ operation, names });
    if (names.length === 0) concrete.set(operation.path, entries);
  }
  return (method, path) => {
    const known = concrete.get(path);
    const found = known === undefined ? walk(root, path.split('/'), 0, []) : { entries: known, values: [] };
    return found === undefined ? { kind: 'unknown-path' } : choose(method, found);
  };
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
  // What takes any text is tried last.
  at.templated.sort((a, b) => b.source.length - a.source.length);
  return branch;
}

interface Found {
  entries: readonly Entry[];
  values: readonly string[];
}

/** A concrete segment is matched before a templated one (OpenAPI 3.1.1, Paths Object). */
function walk(at: Branch, segments: readonly string[], index: number, values: readonly string[]): Found | undefined {
  const segment = segments[index];
  if (segment === undefined) return at.entries.length === 0 ? undefined : { entries: at.entries, values };
  const next = at.concrete.size === 0 ? undefined : findConcrete(at, segment);
  const found = next && walk(next, segments, index + 1, values);
  if (found !== undefined || segment === '') return found;
  for (const { pattern, branch } of at.templated) {
    const read = pattern === undefined ? segment : pattern.exec(segment)?.slice(1);
    const inside = read === undefined ? undefined : walk(branch, segments, index + 1, values.concat(read));
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

function choose(method: string, { entries, values }: Found): Match {
  const entry = entries.find(({ operation }) => operation.method === method);
  if (entry === undefined) {
    const operations = entries.map(({ operation }) => operation);
    return { kind: 'wrong-method', allowed: [...new Set(operations.map((each) => each.method))], operations };
  }
  const pathValues: Record<string, string> = {};
  let index = 0;
  for (const name of entry.names) pathValues[name] = values[index++] ?? '';
  return { kind: 'operation', operation: entry.operation, pathValues };
}
