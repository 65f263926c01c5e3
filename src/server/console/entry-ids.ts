import type { JournalEntry } from '../../mock/world/journal.js';
import type { World } from '../../mock/world/world.js';

/** Numbers by which a page names exchanges, given when it first asks: a mock that nobody looks at pays nothing for them. */
export interface EntryIds {
  /** In the order in which they were answered. */
  of(entry: JournalEntry): number;
  find(world: World, id: number): JournalEntry | undefined;
  /** The oldest that the journal still has; the next one to come where it has none. */
  oldest(world: World): number;
}

export function createEntryIds(): EntryIds {
  const ids = new WeakMap<JournalEntry, number>();
  let next = 1;
  const of = (entry: JournalEntry): number => {
    const known = ids.get(entry);
    if (known !== undefined) return known;
    ids.set(entry, next);
    next += 1;
    return next - 1;
  };
  return {
    of,
    find: ({ journal }, id) => journal.entries().find((entry) => of(entry) === id),
    oldest({ journal }) {
      const [first] = journal.entries();
      return first === undefined ? next : of(first);
    },
  };
}
