import { INT64_MAX, INT64_MIN, normalizeInteger, type Int64 } from '../../../contract/document/json.js';

/** How many ids are requested; those that are missing alone between two listed ones come first. */
const MOST = 10;

/**
 * Ids that a list does not contain, next to ids that it does contain, as a
 * service that counts would have assigned them. An empty list contains none: then those of the records that the run created.
 */
export function listUnlisted(list: unknown, created: unknown): unknown[] | undefined {
  if (!Array.isArray(list)) return undefined;
  const ids = list
    .map((item: unknown) => (item as { id?: unknown } | null)?.id)
    .filter((id): id is Int64 => Number.isSafeInteger(id) || typeof id === 'bigint')
    .map(BigInt)
    .toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const [lowest, highest] = [ids[0], ids.at(-1)];
  if (lowest === undefined || highest === undefined) return list.length === 0 ? listIds(created).slice(-MOST) : [];
  const holes = ids.flatMap((id, index) => {
    const next = ids[index + 1];
    return next === undefined || next - id <= 1n ? [] : [{ size: next - id, ids: [id + 1n, next - 1n] }];
  });
  const nearest = holes
    .toSorted((a, b) => (a.size < b.size ? -1 : a.size > b.size ? 1 : 0))
    .flatMap((hole) => hole.ids);
  return [...new Set([lowest - 1n, ...nearest, highest + 1n])]
    .filter((id) => id >= INT64_MIN && id <= INT64_MAX)
    .slice(0, MOST)
    .map(normalizeInteger);
}

function listIds(created: unknown): unknown[] {
  return Array.isArray(created) ? created.map((each: unknown) => (each as { id?: unknown } | null)?.id) : [];
}
