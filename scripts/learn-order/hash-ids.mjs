import { createHash } from 'node:crypto';

/** The same for the same ids in whatever order. */
export function hashIds(ids) {
  return createHash('sha256').update(ids.toSorted().join('\n')).digest('hex').slice(0, 16);
}
