import type { JournalEntry } from '../../mock/world/journal.js';
import type { World } from '../../mock/world/world.js';

/** The numbers by which a page identifies exchanges. They are assigned on first use, so a mock without a page does not pay for them. */
export interface EntryIds {
  /** In the order in which they were answered. */
  of(entry: JournalEntry): number;
  find(world: World, id: number): JournalEntry | undefined;
  /** The oldest exchange in the journal; the next one to come if the journal is empty. */
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
