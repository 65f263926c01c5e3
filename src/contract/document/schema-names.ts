import { isObject, splitList } from './plain.js';
import { escapePointer } from './document.js';
import { listNodesBelow, type NodeType } from './openapi-nodes.js';
import type { Notes } from './notes.js';
import { decodeFragment } from './references.js';

/** The names that schemas give themselves, over all files of a document. All pointers are into the whole. */
export interface SchemaNames {
  /** Reads the names of a file. `uri` is where it was found; `mount` is the pointer to its content. */
  add(root: unknown, mount: string, uri: string): void;
  countFiles(): number;
  /** Whether nothing names itself, so that every reference is a file and a JSON Pointer. */
  isEmpty(): boolean;
  /** Where a reference leads: `undefined` if no schema has the URI, and an anchor that is not there says why. */
  find(reference: string, from: string): string | { why: string } | undefined;
  resolve(reference: string, from: string): string | undefined;
  /** The nearest schema from a pointer upwards that is a dynamic scope of its own; or the file. */
  scopeOf(pointer: string): string;
  dynamicAnchorsOf(scope: string): ReadonlyMap<string, string>;
  referencesOf(scope: string): readonly NamedReference[];
  scopesWith(name: string): readonly string[];
}

interface NamedReference {
  from: string;
  text: string;
  isDynamic: boolean;
}

interface Inside {
  type: NodeType;
  value: object;
  pointer: string;
  resource: string;
  scope: string;
}

interface Known {
  notes: Notes;
  uris: Map<string, string>;
  resources: Map<string, string>;
  /** By the pointer to the resource and the name, with `#` between. */
  anchors: Map<string, string[]>;
  dynamic: Map<string, Map<string, string>>;
  references: Map<string, NamedReference[]>;
}

const NAMING = ['$id', '$anchor', '$dynamicAnchor', '$dynamicRef', '$self'];

/** `$id`, anchors (JSON Schema 2020-12 Core, section 8.2) and `$self` (OpenAPI 3.2). Each component is a scope. */
export function createSchemaNames(notes: Notes): SchemaNames {
  const known: Known = {
    notes,
    uris: new Map(),
    resources: new Map(),
    anchors: new Map(),
    dynamic: new Map(),
    references: new Map(),
  };
  const { uris, resources, anchors, dynamic, references } = known;
  const waiting: (() => void)[] = [];
  let isEmpty = true;
  let files = 0;
  const climb = (pointer: string, to: { has(pointer: string): boolean }): string => {
    let at = pointer;
    while (at !== '' && !to.has(at) && !uris.has(at)) at = at.slice(0, at.lastIndexOf('/'));
    return at;
  };
  const resourceOf = (pointer: string): string => climb(pointer, uris);
  return {
    add(root, mount, uri) {
      if (typeof root !== 'object' || root === null) return;
      files += 1;
      waiting.push(() => readFile(root, { mount, uri }, known));
      isEmpty &&= !namesAnything(root);
      // Names are read only where there are any: most documents have none.
      if (!isEmpty) for (const read of waiting.splice(0)) read();
    },
    countFiles: () => files,
    isEmpty: () => isEmpty,
    find(reference, from) {
      const [file = '', ...rest] = reference.split('#');
      const fragment = decodeFragment(rest.join('#'));
      const resource = resourceOf(from);
      const uri = file === '' ? undefined : resolveUri(file, uris.get(resource));
      const target = file === '' ? resource : resources.get(uri ?? '');
      if (target === undefined) return undefined;
      if (fragment === undefined) return { why: 'is not a JSON Pointer' };
      if (fragment === '' || fragment.startsWith('/')) return `${target}${fragment}`;
      const named = anchors.get(`${target}#${fragment}`) ?? [];
      const scope = climb(from, references);
      return named.find((each) => each.startsWith(`${scope}/`)) ?? named[0] ?? { why: 'matches no $anchor' };
    },
    resolve: (reference, from) => resolveUri(reference, uris.get(resourceOf(from))),
    scopeOf: (pointer) => climb(pointer, references),
    dynamicAnchorsOf: (scope) => dynamic.get(scope) ?? new Map(),
    referencesOf: (scope) => references.get(scope) ?? [],
    scopesWith: (name) => [...dynamic].flatMap(([scope, names]) => (names.has(name) ? [scope] : [])),
  };
}

function readFile(root: object, { mount, uri }: { mount: string; uri: string }, known: Known): void {
  setResource(known, uri, mount);
  const { $self } = root as { $self?: unknown };
  const self = typeof $self === 'string' ? resolveUri($self, uri) : undefined;
  if (self !== undefined) setResource(known, self, mount);
  const ahead = listOutermost(root, mount);
  for (let node = ahead.pop(); node !== undefined; node = ahead.pop()) {
    if (node.type === 'Schema') readSchema(node, known);
    for (const { type, value, path } of listNodesBelow(node.type, node.value).reverse()) {
      const pointer = `${node.pointer}${path.map((step) => `/${escapePointer(step)}`).join('')}`;
      const scope = node.type === 'Schema' ? node.scope : pointer;
      ahead.push({ type, value, pointer, resource: node.resource, scope });
    }
  }
}

function readSchema(node: Inside, known: Known): void {
  const { $id, $anchor, $dynamicAnchor, $ref, $dynamicRef } = node.value as Record<string, unknown>;
  if (typeof $id === 'string') {
    const [id = '', fragment = ''] = $id.split('#');
    const uri = resolveUri(id, known.uris.get(node.resource));
    if (fragment !== '' || uri === undefined) {
      known.notes.add(`${node.pointer}/$id`, `the $id ${$id} is not a URI without a fragment; it is ignored.`);
    } else {
      node.resource = node.scope = node.pointer;
      setResource(known, uri, node.pointer, $id);
    }
  }
  for (const name of [$anchor, $dynamicAnchor]) {
    const key = `${node.resource}#${String(name)}`;
    if (typeof name === 'string') known.anchors.set(key, [...(known.anchors.get(key) ?? []), node.pointer]);
  }
  if (typeof $dynamicAnchor === 'string') {
    const own = known.dynamic.get(node.scope) ?? new Map<string, string>();
    known.dynamic.set(node.scope, own);
    if (!own.has($dynamicAnchor)) own.set($dynamicAnchor, node.pointer);
  }
  const own = known.references.get(node.scope) ?? [];
  known.references.set(node.scope, own);
  if (typeof $ref === 'string') own.push({ from: node.pointer, text: $ref, isDynamic: false });
  if (typeof $dynamicRef === 'string') own.push({ from: node.pointer, text: $dynamicRef, isDynamic: true });
}

function setResource({ notes, uris, resources }: Known, uri: string, pointer: string, id?: string): void {
  uris.set(pointer, uri);
  const first = resources.get(uri);
  if (first === undefined) resources.set(uri, pointer);
  else if (id !== undefined && first !== pointer) {
    notes.add(`${pointer}/$id`, `another schema has the same $id ${id}; references use the first one.`);
  }
}

function resolveUri(uri: string, base: string | undefined): string | undefined {
  return URL.canParse(uri, base) ? new URL(uri, base).href : undefined;
}

function listOutermost(root: unknown, mount: string): Inside[] {
  const node = (type: NodeType, value: unknown, pointer: string): Inside[] =>
    isObject(value) ? [{ type, value, pointer, resource: mount, scope: pointer }] : [];
  const keys = Object.keys(root as object);
  if (keys.includes('openapi') || keys.includes('components')) return node('Document', root, mount);
  if (keys.some((key) => SCHEMA_FIELDS.has(key))) return node('Schema', root, mount);
  return Object.entries(root as object).flatMap(([key, value]) =>
    node('Schema', value, `${mount}/${escapePointer(key)}`),
  );
}

const SCHEMA_FIELDS = new Set(
  splitList(`$id $schema $ref $anchor $dynamicAnchor $dynamicRef $defs definitions type properties items
    allOf anyOf oneOf`),
);

function namesAnything(root: object): boolean {
  const ahead: object[] = [root];
  for (let value = ahead.pop(); value !== undefined; value = ahead.pop()) {
    if (NAMING.some((name) => typeof (value as Record<string, unknown>)[name] === 'string')) return true;
    for (const inside of Object.values(value)) if (typeof inside === 'object' && inside !== null) ahead.push(inside);
  }
  return false;
}

/** Finds out to which schema a `$dynamicRef` leads, which depends on the schemas by which it was reached. */
export interface DynamicScopes {
  /** The schema at which a `$dynamicRef` ends, of which `initial` is what a `$ref` in its place would lead to. */
  resolve(text: string, from: string, initial: string | undefined): string | undefined;
  /** The pointer to a schema as it is meant where a reference at `from` leads to it. */
  enter(target: string, from: string): string;
  toOriginal(pointer: string): string;
}

interface DynamicScopesOptions {
  names: SchemaNames;
  findTarget: (text: string, from: string) => string | undefined;
  /** Copies the schema at a pointer to the same place below a mount of its own. */
  copy: (pointer: string, number: number) => string;
  mountOf: (pointer: string) => string;
  notes: Notes;
}

type Environment = ReadonlyMap<string, string>;

const MOST_COPIES = 500;

/** Section 8.2.3.2: `BoxPage`, which binds `row` and refers to `Page`, gets a copy of `Page` whose rows are boxes. */
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
