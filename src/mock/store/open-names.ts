import type { Key } from './keys.js';
import type { Kept } from './kept.js';

/** The name of a collection, from its resource and its parents: `orders(7)`. */
export function nameOpen({ name }: Kept, within: readonly Key[]): string {
  return within.length === 0 ? name : `${name}(${within.map((key) => encodeURIComponent(String(key))).join(',')})`;
}

/** What belongs to one collection, among what belongs to several. */
export function findOpen<Of extends { kept: Kept; within: readonly Key[] }>(
  all: readonly Of[],
  kept: Kept,
  within: readonly Key[],
): Of | undefined {
  const id = nameOpen(kept, within);
  return all.find((each) => nameOpen(each.kept, each.within) === id);
}

/** The collection with such a name; `undefined` if the contract has none. */
export function readOpenName(name: string, all: readonly Kept[]): { kept: Kept; within: readonly Key[] } | undefined {
  const [, head = name, inside] = /^(.*?)\(([^()]*)\)$/.exec(name) ?? [];
  const kept = all.find((each) => each.name === head);
  const within = inside === undefined ? [] : readKeys(inside);
  return kept === undefined || within === undefined || within.length !== kept.scope.length
    ? undefined
    : { kept, within };
}

function readKeys(text: string): Key[] | undefined {
  try {
    return text.split(',').map((key) => decodeURIComponent(key.trim()));
  } catch {
    return undefined;
  }
}
