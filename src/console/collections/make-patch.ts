import { printExact } from '../exact-json.js';

type Fields = Readonly<Record<string, unknown>>;

/**
 * The merge patch (RFC 7396) that turns one record into another: removed fields are `null`, unchanged ones are left
 * out.
 */
export function makePatch(before: Fields, after: Fields): Record<string, unknown> {
  const removed = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  const changed = Object.entries(after).filter(
    ([name, value]) => !Object.hasOwn(before, name) || printExact(before[name]) !== printExact(value),
  );
  return Object.fromEntries([
    ...removed.map((name) => [name, null]),
    ...changed.map(([name, value]) => [name, patchOf(before[name], value)]),
  ]) as Record<string, unknown>;
}

function patchOf(before: unknown, after: unknown): unknown {
  return isFields(before) && isFields(after) ? makePatch(before, after) : after;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
