import type { Notes } from './notes.js';
import type { SchemaNames } from './schema-names.js';

/** Finds out to which schema a `$dynamicRef` leads, which depends on the schemas by which it was reached. */
export interface DynamicScopes {
  /** The schema at which a `$dynamicRef` ends, of which `initial` is what a `$ref` in its place would lead to. */
  resolve(text: string, from: string, initial: string | undefined): string | undefined;
  /** The pointer to a schema as it is meant where a reference at `from` leads to it. */
  enter(target: string, from: string): string;
  /** A pointer into a copy as the pointer to the original. */
  toOriginal(pointer: string): string;
}

export interface DynamicScopesOptions {
  names: SchemaNames;
  /** The pointer to a reference's target; `undefined` if it has none. */
  findTarget: (text: string, from: string) => string | undefined;
  /** Copies the schema at a pointer, as the document has it, to the same place below a mount of its own. */
  copy: (pointer: string, number: number) => string;
  /** Where the file of a pointer is mounted. */
  mountOf: (pointer: string) => string;
  notes: Notes;
}

/** Which schema each dynamic anchor leads to. */
type Environment = ReadonlyMap<string, string>;

/** More than any person wrote. */
const MOST_COPIES = 500;

/**
 * A `$dynamicRef` leads to the outermost schema of those entered that has its anchor (JSON Schema 2020-12 Core, section
 * 8.2.3.2). So a schema that is reached with another one in that place is another schema: a copy, in which the reference
 * is a plain one that everything can follow. Example: `BoxPage`, which binds `row` and refers to `Page`, refers to a copy
 * of `Page` whose rows are boxes.
 */
export function createDynamicScopes(options: DynamicScopesOptions): DynamicScopes {
  const { names } = options;
  const mounts = new Map<string, string>();
  const copies = new Map<string, { mount: string; original: string; environment: Environment }>();
  const toOriginal = (pointer: string): string => {
    const copy = copies.get(options.mountOf(pointer));
    return copy === undefined ? pointer : `${copy.original}${pointer.slice(copy.mount.length)}`;
  };
  const environmentAt = (pointer: string): Environment =>
    new Map([
      ...names.dynamicAnchorsOf(names.scopeOf(toOriginal(pointer))),
      ...(copies.get(options.mountOf(pointer))?.environment ?? []),
    ]);
  const known = new Map<string, ReadonlySet<string>>();
  const listUsedIn = (scope: string): ReadonlySet<string> => {
    // A file that was read since may have another schema in the place of a name.
    const key = `${names.countFiles()} ${scope}`;
    const used = known.get(key) ?? listUsed(scope, options);
    known.set(key, used);
    return used;
  };
  return {
    toOriginal,
    resolve(text, from, initial) {
      const name = text.split('#')[1] ?? '';
      const isBound = initial === undefined || names.dynamicAnchorsOf(names.scopeOf(initial)).get(name) === initial;
      return (isBound ? environmentAt(from).get(name) : undefined) ?? initial;
    },
    enter(target, from) {
      const scope = names.scopeOf(target);
      const own = names.dynamicAnchorsOf(scope);
      const around = environmentAt(from);
      if (around.size === 0) return target;
      const used = listUsedIn(scope);
      const bound = [...around].filter(([name, schema]) => used.has(name) && own.get(name) !== schema);
      if (bound.length === 0) return target;
      const key = JSON.stringify([scope, bound.toSorted(([a], [b]) => (a < b ? -1 : 1))]);
      const copied = mounts.get(key);
      if (copied === undefined && mounts.size >= MOST_COPIES) {
        options.notes.add(
          from,
          `the document binds its $dynamicAnchors in more than ${MOST_COPIES} ways; others are ignored.`,
        );
        return target;
      }
      const original = options.mountOf(target);
      const mount = copied ?? options.copy(scope, mounts.size + 1);
      mounts.set(key, mount);
      copies.set(mount, { mount, original, environment: new Map(bound) });
      return `${mount}${target.slice(original.length)}`;
    },
  };
}

/** The names of the `$dynamicRef`s in a scope and in all that it refers to. */
function listUsed(scope: string, { names, findTarget }: DynamicScopesOptions): ReadonlySet<string> {
  const used = new Set<string>();
  const reached = new Set([scope]);
  for (const each of reached) {
    for (const { from, text, isDynamic } of names.referencesOf(each)) {
      const target = findTarget(text, from);
      if (target !== undefined) reached.add(names.scopeOf(target));
      const name = text.split('#')[1] ?? '';
      if (!isDynamic || used.has(name)) continue;
      used.add(name);
      for (const other of names.scopesWith(name)) reached.add(other);
    }
  }
  return used;
}
