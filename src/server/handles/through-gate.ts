import type { Gate } from '../../mock/world/gate.js';

/** What only looks for a part of the mock, or waits for others, and so must not keep them out. */
const FREE: ReadonlySet<string> = new Set(['world', 'collection', 'waitFor']);

/** The same methods, each of which passes the gate: it has happened when it resolves, and it lasts. */
export function throughGate<Handles extends object>(handles: Handles, gate: Gate | undefined): Handles {
  return gate === undefined ? handles : (wrap(handles, gate) as Handles);
}

function wrap(value: unknown, gate: Gate): unknown {
  if (!hasMethods(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]): [string, unknown] => {
      if (typeof part !== 'function') return [name, wrap(part, gate)];
      const method = part as (...given: unknown[]) => unknown;
      if (FREE.has(name)) return [name, (...given: unknown[]) => wrap(method(...given), gate)];
      const pass = (given: unknown[]): Promise<unknown> =>
        gate.passAlone(async () => method(...given)).then((result) => wrap(result, gate));
      return [name, (...given: unknown[]) => pass(given)];
    }),
  );
}

/** Handles are plain objects with methods, at some depth; records and lists are not. */
function hasMethods(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return false;
  return Object.values(value).some((part) => typeof part === 'function' || hasMethods(part));
}
