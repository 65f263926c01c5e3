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

/** Entries by the ids that their rows name. */
export type ById<Rows, Entry> = {
  readonly [Name in keyof Rows as Name extends `${infer Id}: ${string}` ? Id : Name]: Entry;
};

/** Makes an entry of each row `'id: title': value`, or `'id': value` where the id says it all. */
export function readRows<Rows extends Readonly<Record<string, Value>>, Value, Entry>(
  rows: Rows,
  makeEntry: (title: string, value: Value) => Entry,
): ById<Rows, Entry> {
  const entries = Object.entries<Value>(rows).map(([name, value]) => {
    const [id = '', title = id.replaceAll('-', ' ')] = name.split(/: (.*)/s);
    return [id, makeEntry(title, value)];
  });
  return Object.fromEntries(entries) as ById<Rows, Entry>;
}
