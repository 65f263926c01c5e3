import type { Place } from './place.js';

/** The records of a place in the admin API. */
export function pathOf({ name }: Place): string {
  return `/collections/${encodeURIComponent(name)}`;
}

export function queryOf({ within }: Place): string {
  if (within.length === 0) return '';
  // Commas separate the keys; a comma within a key is escaped once more.
  return `?within=${encodeURIComponent(within.map(encodeURIComponent).join(','))}`;
}

/** The same for the console's own calls. */
export function namePlace({ name, within }: Place): string {
  return `collection=${encodeURIComponent(name)}${within.map((key) => `&within=${encodeURIComponent(key)}`).join('')}`;
}

export function writeWithin({ within }: Place): string {
  return within.length === 0 ? '' : `, { within: ${JSON.stringify(within)} }`;
}
