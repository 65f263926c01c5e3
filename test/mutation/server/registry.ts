/** An entry that knows its own id and group. */
export type Registered<Entry, Group extends string> = Entry & { readonly id: string; readonly group: Group };

/** Every id of some groups. */
export type IdOf<Groups> = { [Group in keyof Groups]: keyof Groups[Group] & string }[keyof Groups];

/** Flattens groups of entries into one list, in order. */
export function listEntries<Entry extends object, Group extends string>(
  groups: Readonly<Record<Group, Readonly<Record<string, Entry>>>>,
): Registered<Entry, Group>[] {
  const list: Registered<Entry, Group>[] = [];
  for (const group of Object.keys(groups) as Group[]) {
    for (const [id, entry] of Object.entries<Entry>(groups[group])) list.push({ id, group, ...entry });
  }
  return list;
}

/** The same entries by their id. */
export function indexEntries<Id extends string, Entry extends { readonly id: string }>(
  list: readonly Entry[],
): Readonly<Record<Id, Entry>> {
  return Object.fromEntries(list.map((entry) => [entry.id, entry])) as Record<Id, Entry>;
}
