/** An untyped value of a document as the wanted type, or a harmless default if it has another type. */
export const asObject = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});
export const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
export const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Sets a member, as an ordinary one also where its name is `__proto__`. */
export function define(holder: object, key: string, value: unknown): void {
  Object.defineProperty(holder, key, { value, enumerable: true, writable: true, configurable: true });
}

export const splitList = (words: string): string[] => words.split(/\s+/);

/** Items by what they have in common, in the order of the first of each group: `Map.groupBy`, which Node 20 lacks. */
export function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** `find`, called once for each key; it forgets all when it knows `most`. Default: it forgets none. */
export function remember<Key, Found>(find: (key: Key) => Found, most = Infinity): (key: Key) => Found {
  const known = new Map<Key, Found>();
  return (key) => {
    if (known.has(key)) return known.get(key) as Found;
    const found = find(key);
    if (known.size >= most) known.clear();
    known.set(key, found);
    return found;
  };
}

export const defined = <T extends object>(members: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
