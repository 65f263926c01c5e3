import type { Fields } from '../store/stored-record.js';
import { asFields } from './served.js';

const NONE: ReadonlySet<string> = new Set();

/**
 * A record with a JSON Merge Patch applied (RFC 7396): `null` removes a property, except for those that
 * `nullable` lists, which become `null`.
 */
export function mergePatch(target: Fields, patch: Fields, nullable: ReadonlySet<string> = NONE): Fields {
  const merged = new Map(Object.entries(target));
  for (const [name, value] of Object.entries(patch)) {
    const inside = asFields(value);
    if (value === null && !nullable.has(name)) merged.delete(name);
    else merged.set(name, inside === undefined ? value : mergePatch(asFields(merged.get(name)) ?? {}, inside));
  }
  return Object.fromEntries(merged);
}
