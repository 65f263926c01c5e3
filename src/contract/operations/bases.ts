import { isWithin } from '../paths.js';
import type { Operation } from '../model.js';
import { createMatcher, type Match, type Matcher, type Sent } from './match.js';

/** The base paths of a contract: those of its servers, and those of operations with servers of their own. */
export interface Bases {
  /** Those of its servers, that of the first one first. */
  roots: readonly string[];
  /** All of them. */
  all: readonly string[];
  /** Whether a whole path is below a base path of the contract's servers, or is that of an operation below another one. */
  isServed(path: string): boolean;
  /** The operation for a method and a whole path, and the base path that it is below. */
  find(method: string, path: string, sent?: Sent): { match: Match; basePath: string };
  /** What of a whole path is below the base path of its operation. */
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
