import { createRequire } from 'node:module';
import type * as JsonPatch from 'rfc6902';
import type { Fields } from '../store/stored-record.js';

const require = createRequire(import.meta.url);

/** A record with a JSON Patch applied (RFC 6902), or why that fails. The first patch loads the library. */
export function applyJsonPatch(
  record: Fields,
  operations: readonly unknown[],
): { fields: Fields } | { problem: string } {
  const { applyPatch } = require('rfc6902') as typeof JsonPatch;
  const copy = structuredClone(record) as Record<string, unknown>;
  const results = applyPatch(copy, operations as JsonPatch.Operation[]);
  const place = results.findIndex((result) => result !== null);
  if (place < 0) return { fields: copy };
  return {
    problem: `body/${place} cannot be applied: ${results[place]?.name ?? 'it is not an operation of a JSON Patch'}`,
  };
}
