import { type Notes, escapePointer } from './document.js';
import { asList, asObject, isObject, splitList, remember } from './plain.js';
import { COMPOSITIONS, referenceOf, decodeFragment, splitPointer } from './references.js';

export type NodeType =
  | 'Document'
  | 'Swagger'
  | 'Components'
  | 'Paths'
  | 'PathItem'
  | 'Operation'
  | 'Parameter'
  | 'RequestBody'
  | 'Responses'
  | 'Response'
  | 'Header'
  | 'MediaType'
  | 'Encoding'
  | 'Callback'
  | 'Schema'
  | 'Example'
  | 'Link'
  | 'SecurityScheme';

type Field = readonly [how: 'one' | 'list' | 'map' | 'one or list', type: NodeType];

const CONTENT: Field = ['map', 'MediaType'];
const SCHEMA: Field = ['one', 'Schema'];
const NAMED_SCHEMAS: Field = ['map', 'Schema'];
const PARAMETERS: Field = ['list', 'Parameter'];
const fieldsOf = (field: Field, names: string): Record<string, Field> =>
  Object.fromEntries(splitList(names).map((name) => [name, field]));
const DESCRIBED_VALUE = { schema: SCHEMA, content: CONTENT, examples: ['map', 'Example'] } as const;

/** Fields that hold nodes in OpenAPI 3.0.4, 3.1.1 and 3.2.0, and schemas in JSON Schema 2020-12; all else is data. */
const SHAPES: Readonly<Record<NodeType, Readonly<Record<string, Field>>>> = {
  Document: { paths: ['one', 'Paths'], webhooks: ['map', 'PathItem'], components: ['one', 'Components'] },
  // Swagger 2.0, whose parts have the names of other kinds; a response has a schema of its own.
  Swagger: {
    paths: ['one', 'Paths'],
    definitions: NAMED_SCHEMAS,
    parameters: ['map', 'Parameter'],
    responses: ['map', 'Response'],
  },
  Components: {
    schemas: NAMED_SCHEMAS,
    responses: ['map', 'Response'],
    parameters: ['map', 'Parameter'],
    examples: ['map', 'Example'],
    requestBodies: ['map', 'RequestBody'],
    headers: ['map', 'Header'],
    securitySchemes: ['map', 'SecurityScheme'],
    links: ['map', 'Link'],
    callbacks: ['map', 'Callback'],
    pathItems: ['map', 'PathItem'],
    mediaTypes: CONTENT,
  },
  Paths: {},
  PathItem: {
    ...fieldsOf(['one', 'Operation'], 'get put post delete options head patch trace query'),
    additionalOperations: ['map', 'Operation'],
    parameters: PARAMETERS,
  },
  Operation: {
    parameters: PARAMETERS,
    requestBody: ['one', 'RequestBody'],
    responses: ['one', 'Responses'],
    callbacks: ['map', 'Callback'],
  },
  Parameter: DESCRIBED_VALUE,
  RequestBody: { content: CONTENT },
  Responses: {},
  Response: { schema: SCHEMA, headers: ['map', 'Header'], content: CONTENT, links: ['map', 'Link'] },
  Header: DESCRIBED_VALUE,
  MediaType: {
    schema: SCHEMA,
    itemSchema: SCHEMA,
    examples: ['map', 'Example'],
    encoding: ['map', 'Encoding'],
    itemEncoding: ['one', 'Encoding'],
    prefixEncoding: ['list', 'Encoding'],
  },
  Encoding: { headers: ['map', 'Header'] },
  Callback: {},
  Schema: {
    items: ['one or list', 'Schema'],
    ...fieldsOf(
      SCHEMA,
      `additionalItems additionalProperties unevaluatedItems unevaluatedProperties not if then else contains
        propertyNames contentSchema`,
    ),
    ...fieldsOf(['list', 'Schema'], 'allOf anyOf oneOf prefixItems'),
    ...fieldsOf(NAMED_SCHEMAS, 'properties patternProperties dependentSchemas $defs definitions'),
  },
  Example: {},
  Link: {},
  SecurityScheme: {},
};

/** How each keyword of a schema holds schemas. */
export const HOW_SCHEMAS_HOLD: Readonly<Record<string, Field[0]>> = Object.fromEntries(
  Object.entries(SHAPES.Schema).map(([name, [how]]) => [name, how]),
);

/** Maps with arbitrary names, of which those that begin with x- are extensions (OpenAPI 3.1.1, Specification Extensions). */
const MAPS: Partial<Record<NodeType, NodeType>> = { Paths: 'PathItem', Responses: 'Response', Callback: 'PathItem' };

export interface OpenApiNode {
  type: NodeType;
  value: object;
  pointer: string;
  /** The kind of the node above it; for a node that only a reference leads to, the kind of the referring node. */
  above: NodeType | undefined;
}

export function listNodesBelow({ type: above, value, pointer }: Omit<OpenApiNode, 'above'>): OpenApiNode[] {
  const ofMap = MAPS[above];
  const node = (type: NodeType, each: unknown, ...steps: string[]): OpenApiNode[] => {
    const at = pointer + steps.map((step) => `/${escapePointer(step)}`).join('');
    return isObject(each) ? [{ type, value: each, pointer: at, above }] : [];
  };
  return Object.entries(value).flatMap(([key, inside]: [string, unknown]) => {
    const [how, type] = (Object.hasOwn(SHAPES[above], key) ? SHAPES[above][key] : undefined) ?? [];
    if (type === undefined) return ofMap === undefined || key.startsWith('x-') ? [] : node(ofMap, inside, key);
    if (Array.isArray(inside) ? how === 'list' || how === 'one or list' : how === 'map' && isObject(inside))
      return Object.entries(inside as object).flatMap(([name, each]) => node(type, each, key, name));
    return how === 'list' ? [] : node(type, inside, key);
  });
}

type Schema = Record<string, unknown>;
type Step = { schema: Schema; parts: readonly (readonly [keyword: string, part: Schema])[]; next: number };

/** The keywords by which a schema says something of the same value by others. */
export const IN_PLACE = ['$ref', ...COMPOSITIONS, 'not', 'if', 'then', 'else', 'dependentSchemas'];
const ALTERNATIVES = ['anyOf', 'oneOf'];

type CutOptions = { targetOf: (schema: object) => unknown; notes: Notes };

/** Cuts `$ref`s by which schemas contain themselves for one value (JSON Schema 2020-12 Core, section 9.4.1). */
export function cutCircles(nodes: readonly OpenApiNode[], options: CutOptions): boolean {
  const schemas = nodes.filter(({ type }) => type === 'Schema');
  const cut = new Set<Schema>();
  let before = -1;
  // What replaces a reference may be in another circle.
  while (cut.size > before) {
    before = cut.size;
    const done = new Set<Schema>();
    for (const { value } of schemas)
      searchFrom(value as Schema, done, options, (circle) => cutOne(circle, cut, schemas, options));
  }
  return cut.size > 0;
}

function searchFrom(start: Schema, done: Set<Schema>, options: CutOptions, onCircle: (circle: Step[]) => void): void {
  if (done.has(start)) return;
  const open = new Map<Schema, number>();
  const steps: Step[] = [];
  const enter = (schema: Schema): void => {
    open.set(schema, steps.length);
    steps.push({ schema, parts: listParts(schema, options), next: 0 });
  };
  enter(start);
  for (let step = steps.at(-1); step !== undefined; step = steps.at(-1)) {
    const part = step.parts[step.next]?.[1];
    if (part === undefined) {
      steps.pop();
      open.delete(step.schema);
      done.add(step.schema);
      const above = steps.at(-1);
      if (above !== undefined) above.next += 1;
      continue;
    }
    const at = open.get(part);
    if (at === undefined && !done.has(part)) {
      enter(part);
      continue;
    }
    if (at !== undefined) onCircle(steps.slice(at));
    step.next += 1;
  }
}

export function listParts(schema: Schema, { targetOf }: Pick<CutOptions, 'targetOf'>): (readonly [string, Schema])[] {
  const found = IN_PLACE.flatMap((keyword): [string, unknown][] => {
    const value = schema[keyword];
    if (keyword === '$ref') return referenceOf(schema) === undefined ? [] : [[keyword, targetOf(schema)]];
    const list = COMPOSITIONS.includes(keyword) ? asList(value) : [value];
    const parts = keyword === 'dependentSchemas' ? Object.values(asObject(value)) : list;
    return parts.map((part) => [keyword, part]);
  });
  return found.filter((each): each is [string, Schema] => typeof each[1] === 'object' && each[1] !== null);
}

function cutOne(circle: Step[], cut: Set<Schema>, schemas: readonly OpenApiNode[], { notes }: CutOptions): void {
  const keywordOf = (index: number): string => {
    const { parts, next } = circle.at(index % circle.length) as Step;
    return parts[next]?.[0] ?? '';
  };
  const references = [...circle.keys()].filter((index) => keywordOf(index) === '$ref');
  // A circle that was cut elsewhere is none any more.
  if (references.some((index) => cut.has((circle[index] as Step).schema))) return;
  const ofBase = references.find(
    (index) => ALTERNATIVES.includes(keywordOf(index + 1)) && !ALTERNATIVES.includes(keywordOf(index - 1)),
  );
  const index = ofBase ?? references.at(-1) ?? 0;
  const holder = (circle[index] as Step).schema;
  const text = String(holder['$ref']);
  cut.add(holder);
  delete holder['$ref'];
  const where = `${schemas.find(({ value }) => value === holder)?.pointer ?? ''}/$ref`;
  if (ofBase !== undefined) {
    const keyword = keywordOf(index + 1);
    const { [keyword]: _, ...rest } = (circle[(index + 1) % circle.length] as Step).schema;
    if (Object.keys(holder).length === 0) Object.assign(holder, rest);
    else holder['allOf'] = [...((holder['allOf'] as unknown[] | undefined) ?? []), rest];
    notes.add(where, `$ref ${text} refers to a schema that has this one in its ${keyword}; that part is ignored.`);
    return;
  }
  const keyword = keywordOf(index - 1);
  const above = (circle.at((index - 1) % circle.length) as Step).schema;
  const list = above[keyword];
  if (keyword === 'not' || keyword === 'if') delete above[keyword];
  else if (ALTERNATIVES.includes(keyword) && Array.isArray(list)) {
    holder['not'] ??= {};
    if (list.every((each) => cut.has(each as Schema))) delete above[keyword];
  }
  const keywords = [...new Set([...circle.keys()].map(keywordOf))].filter((each) => each !== '$ref').join(', ');
  notes.add(
    where,
    `$ref ${text} refers to the schema that contains it (${keywords}), in an endless circle; it is ignored.`,
  );
}

type NamedReference = { from: string; text: string; isDynamic: boolean };
type Inside = { type: NodeType; value: object; pointer: string; resource: string; scope: string };

const NAMING = ['$id', '$anchor', '$dynamicAnchor', '$dynamicRef', '$self'];

/** `$id`, anchors (JSON Schema 2020-12 Core, section 8.2) and `$self` (OpenAPI 3.2). Each component is a scope. */
export class SchemaNames {
  /** Whether nothing names itself, so that every reference is a file and a JSON Pointer. */
  isEmpty = true;
  files = 0;
  readonly #notes: Notes;
  readonly #waiting: (() => void)[] = [];
  readonly #uris = new Map<string, string>();
  readonly #resources = new Map<string, string>();
  readonly #anchors = new Map<string, string[]>();
  readonly #dynamic = new Map<string, Map<string, string>>();
  readonly #references = new Map<string, NamedReference[]>();

  constructor(notes: Notes) {
    this.#notes = notes;
  }

  add(root: unknown, mount: string, uri: string): void {
    if (typeof root !== 'object' || root === null) return;
    this.files += 1;
    this.#waiting.push(() => this.#readFile(root, mount, uri));
    this.isEmpty &&= !namesAnything(root);
    // Names are read only where there are any: most documents have none.
    if (!this.isEmpty) for (const read of this.#waiting.splice(0)) read();
  }

  find(reference: string, from: string): string | { why: string } | undefined {
    const [file = '', ...rest] = reference.split('#');
    const fragment = decodeFragment(rest.join('#'));
    const target = file === '' ? this.#climb(from) : this.#resources.get(this.resolve(file, from) ?? '');
    if (target === undefined) return undefined;
    if (fragment === undefined) return { why: 'is not a JSON Pointer' };
    if (fragment === '' || fragment.startsWith('/')) return `${target}${fragment}`;
    const named = this.#anchors.get(`${target}#${fragment}`) ?? [];
    const scope = this.scopeOf(from);
    return named.find((each) => each.startsWith(`${scope}/`)) ?? named[0] ?? { why: 'matches no $anchor' };
  }

  resolve(reference: string, from: string): string | undefined {
    return resolveUri(reference, this.#uris.get(this.#climb(from)));
  }

  scopeOf(pointer: string): string {
    return this.#climb(pointer, this.#references);
  }

  dynamicAnchorsOf(scope: string): ReadonlyMap<string, string> {
    return this.#dynamic.get(scope) ?? new Map<string, string>();
  }

  referencesOf(scope: string): readonly NamedReference[] {
    return this.#references.get(scope) ?? [];
  }

  scopesWith(name: string): string[] {
    return [...this.#dynamic].flatMap(([scope, names]) => (names.has(name) ? [scope] : []));
  }

  #climb(pointer: string, to: { has(pointer: string): boolean } = this.#uris): string {
    let at = pointer;
    while (at !== '' && !to.has(at) && !this.#uris.has(at)) at = at.slice(0, at.lastIndexOf('/'));
    return at;
  }

  #readFile(root: object, mount: string, uri: string): void {
    this.#setResource(uri, mount);
    const { $self } = root as { $self?: unknown };
    const self = typeof $self === 'string' ? resolveUri($self, uri) : undefined;
    if (self !== undefined) this.#setResource(self, mount);
    const ahead = listOutermost(root, mount);
    for (let node = ahead.pop(); node !== undefined; node = ahead.pop()) {
      if (node.type === 'Schema') this.#readSchema(node);
      const { resource, scope } = node;
      for (const below of listNodesBelow(node).reverse())
        ahead.push({ ...below, resource, scope: below.above === 'Schema' ? scope : below.pointer });
    }
  }

  #readSchema(node: Inside): void {
    const { $id, $anchor, $dynamicAnchor, $ref, $dynamicRef } = node.value as Record<string, unknown>;
    const { pointer } = node;
    if (typeof $id === 'string') {
      const [id = '', fragment = ''] = $id.split('#');
      const uri = resolveUri(id, this.#uris.get(node.resource));
      if (fragment !== '' || uri === undefined) {
        this.#notes.add(`${pointer}/$id`, `the $id ${$id} is not a URI without a fragment; it is ignored.`);
      } else {
        node.resource = node.scope = pointer;
        this.#setResource(uri, pointer, $id);
      }
    }
    for (const name of [$anchor, $dynamicAnchor].filter((each) => typeof each === 'string')) {
      const key = `${node.resource}#${name}`;
      this.#anchors.set(key, [...(this.#anchors.get(key) ?? []), pointer]);
    }
    if (typeof $dynamicAnchor === 'string') {
      const own = this.#dynamic.get(node.scope) ?? new Map<string, string>();
      this.#dynamic.set(node.scope, own);
      if (!own.has($dynamicAnchor)) own.set($dynamicAnchor, pointer);
    }
    const own = this.#references.get(node.scope) ?? [];
    this.#references.set(node.scope, own);
    if (typeof $ref === 'string') own.push({ from: pointer, text: $ref, isDynamic: false });
    if (typeof $dynamicRef === 'string') own.push({ from: pointer, text: $dynamicRef, isDynamic: true });
  }

  #setResource(uri: string, pointer: string, id?: string): void {
    this.#uris.set(pointer, uri);
    const first = this.#resources.get(uri);
    if (first === undefined) this.#resources.set(uri, pointer);
    else if (id !== undefined && first !== pointer)
      this.#notes.add(`${pointer}/$id`, `another schema has the same $id ${id}; references use the first one.`);
  }
}

const resolveUri = (uri: string, base: string | undefined): string | undefined =>
  URL.canParse(uri, base) ? new URL(uri, base).href : undefined;

function listOutermost(root: object, mount: string): Inside[] {
  const node = (type: NodeType, value: unknown, pointer: string): Inside[] =>
    isObject(value) ? [{ type, value, pointer, resource: mount, scope: pointer }] : [];
  const keys = Object.keys(root);
  if (keys.includes('openapi') || keys.includes('components')) return node('Document', root, mount);
  if (keys.some((key) => SCHEMA_FIELDS.has(key))) return node('Schema', root, mount);
  return Object.entries(root).flatMap(([key, value]) => node('Schema', value, `${mount}/${escapePointer(key)}`));
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

interface DynamicScopesOptions {
  findTarget: (text: string, from: string) => string | undefined;
  copy: (pointer: string, number: number) => string;
}

type Environment = ReadonlyMap<string, string>;

const MOST_COPIES = 500;

/** JSON Schema Core section 8.2.3.2: `BoxPage`, which binds `row` and refers to `Page`, gets a copy of `Page` whose rows are boxes. */
export class DynamicScopes {
  readonly #names: SchemaNames;
  readonly #notes: Notes;
  readonly #options: DynamicScopesOptions;
  readonly #mounts = new Map<string, string>();
  readonly #copies = new Map<string, { mount: string; original: string; environment: Environment }>();
  /** A file that was read since may have another schema in the place of a name. */
  readonly #usedIn = remember((_files: number) => remember((scope: string) => this.#listUsed(scope)));

  constructor(names: SchemaNames, notes: Notes, options: DynamicScopesOptions) {
    this.#names = names;
    this.#notes = notes;
    this.#options = options;
  }

  toOriginal(pointer: string): string {
    const copy = this.#copies.get(splitPointer(pointer).mount);
    return copy === undefined ? pointer : `${copy.original}${pointer.slice(copy.mount.length)}`;
  }

  resolve(text: string, from: string, initial: string | undefined): string | undefined {
    const name = text.split('#')[1] ?? '';
    const isBound = initial === undefined || this.#anchorsAt(initial).get(name) === initial;
    return (isBound ? this.#environmentAt(from).get(name) : undefined) ?? initial;
  }

  enter(target: string, from: string): string {
    const scope = this.#names.scopeOf(target);
    const own = this.#names.dynamicAnchorsOf(scope);
    const around = this.#environmentAt(from);
    if (around.size === 0) return target;
    const used = this.#usedIn(this.#names.files)(scope);
    const bound = [...around].filter(([name, schema]) => used.has(name) && own.get(name) !== schema);
    if (bound.length === 0) return target;
    const key = JSON.stringify([scope, bound.toSorted(([a], [b]) => (a < b ? -1 : 1))]);
    const copied = this.#mounts.get(key);
    if (copied === undefined && this.#mounts.size >= MOST_COPIES) {
      const message = `the document binds its $dynamicAnchors in more than ${MOST_COPIES} ways; others are ignored.`;
      this.#notes.add(from, message);
      return target;
    }
    const original = splitPointer(target).mount;
    const mount = copied ?? this.#options.copy(scope, this.#mounts.size + 1);
    this.#mounts.set(key, mount);
    this.#copies.set(mount, { mount, original, environment: new Map(bound) });
    return `${mount}${target.slice(original.length)}`;
  }

  #anchorsAt(pointer: string): Environment {
    return this.#names.dynamicAnchorsOf(this.#names.scopeOf(pointer));
  }

  #environmentAt(pointer: string): Environment {
    const bound = this.#copies.get(splitPointer(pointer).mount)?.environment ?? [];
    return new Map([...this.#anchorsAt(this.toOriginal(pointer)), ...bound]);
  }

  #listUsed(scope: string): ReadonlySet<string> {
    const names = this.#names;
    const used = new Set<string>();
    const reached = new Set([scope]);
    for (const each of reached) {
      for (const { from, text, isDynamic } of names.referencesOf(each)) {
        const target = this.#options.findTarget(text, from);
        if (target !== undefined) reached.add(names.scopeOf(target));
        const name = text.split('#')[1] ?? '';
        if (!isDynamic || used.has(name)) continue;
        used.add(name);
        for (const other of names.scopesWith(name)) reached.add(other);
      }
    }
    return used;
  }
}
