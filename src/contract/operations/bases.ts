import { isWithin } from '../paths.js';
import type { Operation } from '../model.js';
import { createMatcher, type Match, type Matcher, type Sent } from './match.js';

/** The base paths of a contract: that of its first server, and those of operations with servers of their own. */
export interface Bases {
  /** Whether a whole path is below the contract's base path, or is that of an operation below another one. */
  isServed(path: string): boolean;
  /** The operation for a method and a whole path, and the base path that it is below. */
  find(method: string, path: string, sent?: Sent): { match: Match; basePath: string };
  /** What of a whole path is below the base path of its operation. */
  below(method: string, path: string): string;
}

/** `match` finds any of the operations below its own base path. */
export function createBases(operations: readonly Operation[], own: string, match: Matcher): Bases {
  const paths = [...new Set([own, ...operations.map(({ server }) => server?.basePath ?? own)])];
  const matchers = paths.map((basePath) => {
    if (paths.length === 1) return { basePath, match };
    const below = operations.filter(({ server }) => (server?.basePath ?? own) === basePath);
    return { basePath, match: createMatcher(below) };
  });
  const find: Bases['find'] = (method, path, sent) => {
    let best: { match: Match; basePath: string } = { match: { kind: 'unknown-path' }, basePath: own };
    for (const { basePath, match: matchBelow } of matchers) {
      if (!isWithin(basePath, path)) continue;
      const found = matchBelow(method, path.slice(basePath.length), sent);
      if (found.kind === 'operation') return { match: found, basePath };
      if (best.match.kind === 'unknown-path' && found.kind === 'wrong-method') best = { match: found, basePath };
    }
    return best;
  };
  const isServed = (path: string): boolean =>
    isWithin(own, path) || (paths.length > 1 && find('GET', path).match.kind !== 'unknown-path');
  const below = (method: string, path: string): string =>
    path.slice(paths.length === 1 ? own.length : find(method, path).basePath.length);
  return { isServed, find, below };
}
