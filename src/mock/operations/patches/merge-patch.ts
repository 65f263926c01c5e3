import type { Fields } from '../../store/stored-record.js';
import { asFields } from '../served.js';

const NONE: ReadonlySet<string> = new Set();

interface Merging {
  /** The properties that a `null` does not remove: they become `null`. */
  nullable?: ReadonlySet<string>;
  /** Whether an object takes the place of the one before it. */
  isFlat?: boolean;
}

/** A record with a JSON Merge Patch applied (RFC 7396): `null` removes a property, and what is in an object is merged too. */
export function mergePatch(target: Fields, patch: Fields, { nullable = NONE, isFlat = false }: Merging = {}): Fields {
  const merged = new Map(Object.entries(target));
  for (const [name, value] of Object.entries(patch)) {
    const inside = isFlat ? undefined : asFields(value);
    if (value === null && !nullable.has(name)) merged.delete(name);
    else merged.set(name, inside === undefined ? value : mergePatch(asFields(merged.get(name)) ?? {}, inside));
  }
  return Object.fromEntries(merged);
}
