import type { Operation } from '../model.js';
import { encodePath } from './encode-path.js';

/** What a method and a path come to. */
export type Match =
  | {
      kind: 'operation';
      operation: Operation;
      /** Raw path segments by parameter name, still percent-encoded. */ pathValues: Record<string, string>;
    }
  /** The path is not in the contract. */
  | { kind: 'unknown-path' }
  /** The path is, the method is not. */
  | { kind: 'wrong-method'; /** The methods the path has, upper case. */ allowed: string[]; operations: Operation[] };

export type Matcher = (method: string, path: string) => Match;

interface Route {
  segments: string[];
  /** Which of the segments are values, and of what. */
  values: { index: number; name: string }[];
  operations: Operation[];
}

/** Compiles the contract's paths. The matcher takes a raw path below the base path. */
export function createMatcher(operations: readonly Operation[]): Matcher {
  const routes = groupByPath(operations);
  const templated = routes.filter(({ values }) => values.length > 0);
  const concrete = new Map(
    routes.filter((route) => !templated.includes(route)).map((route) => [route.segments.join('/'), route]),
  );
  return (method, path) => {
    const known = concrete.get(path);
    const segments = known?.segments ?? path.split('/');
    // A concrete path is matched before a templated one (OpenAPI 3.1, Paths Object).
    const route = known ?? templated.find((candidate) => fits(candidate.segments, segments));
    if (route === undefined) return { kind: 'unknown-path' };
    const operation = route.operations.find((candidate) => candidate.method === method);
    if (operation === undefined) {
      return {
        kind: 'wrong-method',
        allowed: route.operations.map((each) => each.method),
        operations: route.operations,
      };
    }
    return { kind: 'operation', operation, pathValues: readPathValues(route, segments) };
  };
}

function groupByPath(operations: readonly Operation[]): Route[] {
  const byPath = new Map<string, Operation[]>();
  for (const operation of operations) {
    byPath.set(operation.path, [...(byPath.get(operation.path) ?? []), operation]);
  }
  const routes = [...byPath].map(([path, group]) => createRoute(path.split('/'), group));
  // Of templates, one with more concrete segments is matched first.
  return routes.sort((a, b) => a.values.length - b.values.length);
}

function createRoute(written: string[], operations: Operation[]): Route {
  const segments = written.map((segment) => (isTemplated(segment) ? segment : encodePath(segment)));
  const values = segments
    .map((segment, index) => ({ index, name: segment.slice(1, -1) }))
    .filter(({ index }) => isTemplated(segments[index] ?? ''));
  return { segments, values, operations };
}

function fits(template: string[], segments: string[]): boolean {
  return (
    template.length === segments.length &&
    template.every((part, index) => (isTemplated(part) ? segments[index] !== '' : part === segments[index]))
  );
}

function readPathValues({ values }: Route, segments: string[]): Record<string, string> {
  const read: Record<string, string> = {};
  for (const { index, name } of values) read[name] = segments[index] ?? '';
  return read;
}

function isTemplated(segment: string): boolean {
  return segment.startsWith('{') && segment.endsWith('}');
}
