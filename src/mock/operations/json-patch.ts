import { MAX_JSON_DEPTH, printJson, sameJson } from '../../contract/document/json.js';

type Patched = { value: unknown } | PatchProblem;

export interface PatchProblem {
  /** `malformed` is no JSON Patch, `unfit` does not fit the value, `excessive` would take too much room or work. */
  kind: 'malformed' | 'unfit' | 'excessive';
  problem: string;
}

const MOST_SHIFTED = 2 ** 26;

/** Applies a JSON Patch (RFC 6902) in time and room in proportion to both: `copy` counts over the whole patch. */
export function applyJsonPatch(target: unknown, patch: readonly unknown[], mostCopied: number): Patched {
  // The value is a member too, so that the pointer to the whole is no special case.
  const document: Document = { whole: new Map([['', toTree(target)]]), copied: 0, shifted: 0, mostCopied };
  for (const [place, each] of patch.entries()) {
    const operation = readOperation(each);
    const failed = 'kind' in operation ? operation : operation.apply(document, operation);
    if (failed !== undefined) return { ...failed, problem: `body/${place} cannot be applied: ${failed.problem}` };
  }
  const value = document.whole.get('');
  if (value === undefined) return unfit('the patch removes the whole value');
  if (!isWithin(value, MAX_JSON_DEPTH)) return TOO_DEEP;
  return { value: fromTree(value) };
}

interface Document {
  whole: Map<string, JsonTree>;
  /** The bytes that were copied. */
  copied: number;
  mostCopied: number;
  shifted: number;
}

type Path = readonly string[];
type Apply = (document: Document, operation: Operation) => PatchProblem | undefined;
type Operation = { apply: Apply; path: Path; from: Path; value: JsonTree };

const OPERATIONS: ReadonlyMap<unknown, { apply: Apply; needs?: 'value' | 'from' }> = new Map([
  ['add', { apply: add, needs: 'value' }],
  ['remove', { apply: remove }],
  ['replace', { apply: replace, needs: 'value' }],
  ['move', { apply: move, needs: 'from' }],
  ['copy', { apply: copy, needs: 'from' }],
  ['test', { apply: test, needs: 'value' }],
]);

/** RFC 6902 section 4: members that an operation does not define are ignored. */
function readOperation(given: unknown): Operation | PatchProblem {
  const fields = toTree(given);
  if (!(fields instanceof Map)) return malformed('an operation is an object');
  const known = OPERATIONS.get(fields.get('op'));
  if (known === undefined) return malformed(`op must be ${[...OPERATIONS.keys()].join(', ')}`);
  const path = readPointer(fields.get('path'));
  if (path === undefined) return malformed('path must be a JSON Pointer');
  const from = known.needs === 'from' ? readPointer(fields.get('from')) : path;
  if (from === undefined) return malformed('from must be a JSON Pointer');
  const value = fields.get('value');
  if (known.needs === 'value' && value === undefined) return malformed('value is missing');
  return { apply: known.apply, path, from, value: value ?? null };
}

/** RFC 6901 sections 3 and 4. */
function readPointer(text: unknown): Path | undefined {
  if (typeof text !== 'string' || !POINTER.test(text)) return undefined;
  return text.split('/').map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

const POINTER = /^(?:\/(?:[^~/]|~[01])*)*$/;

/** RFC 6901 section 4: digits without a leading zero. */
const INDEX = /^(?:0|[1-9]\d*)$/;

function add(document: Document, { path, value }: Pick<Operation, 'path' | 'value'>): PatchProblem | undefined {
  const { holder, name } = findHolder(document, path);
  if (Array.isArray(holder)) {
    const index = name === '-' ? holder.length : INDEX.test(name) ? Number(name) : Infinity;
    if (index > holder.length) return nothingAt(path, 'an array has an index from 0 to its length, or -');
    if (!mayShift(document, holder.length - index)) return TOO_MUCH_WORK;
    holder.splice(index, 0, value);
    return undefined;
  }
  if (!(holder instanceof Map)) return nothingAt(path.slice(0, -1));
  holder.set(name, value);
  return undefined;
}

function remove(document: Document, { path }: Pick<Operation, 'path'>): PatchProblem | undefined {
  if (find(document, path) === undefined) return nothingAt(path);
  const { holder, name } = findHolder(document, path);
  if (!Array.isArray(holder)) return void (holder as Map<string, JsonTree>).delete(name);
  if (!mayShift(document, holder.length - Number(name))) return TOO_MUCH_WORK;
  holder.splice(Number(name), 1);
  return undefined;
}

function replace(document: Document, { path, value }: Operation): PatchProblem | undefined {
  if (find(document, path) === undefined) return nothingAt(path);
  const { holder, name } = findHolder(document, path);
  if (Array.isArray(holder)) holder[Number(name)] = value;
  else (holder as Map<string, JsonTree>).set(name, value);
  return undefined;
}

/** RFC 6902 section 4.4: nothing can be moved into itself. */
function move(document: Document, { path, from }: Operation): PatchProblem | undefined {
  const value = find(document, from);
  if (value === undefined) return nothingAt(from);
  if (from.length < path.length && from.every((token, index) => token === path[index]))
    return unfit(`${printPointer(from)} cannot be moved into itself`);
  return remove(document, { path: from }) ?? add(document, { path, value });
}

function copy(document: Document, { path, from }: Operation): PatchProblem | undefined {
  const value = find(document, from);
  if (value === undefined) return nothingAt(from);
  const room = document.mostCopied - document.copied;
  const size = measureTree(value, room, MAX_JSON_DEPTH);
  if (size === Infinity) return TOO_DEEP;
  if (size > room)
    return { kind: 'excessive', problem: `what the patch copies is longer than ${document.mostCopied} bytes` };
  document.copied += size;
  return add(document, { path, value: copyTree(value) });
}

function test(document: Document, { path, value }: Operation): PatchProblem | undefined {
  const found = find(document, path);
  if (found === undefined) return nothingAt(path);
  return isSameTree(value, found) ? undefined : unfit(`${printPointer(path)} differs from the value of the test`);
}

function find({ whole }: Document, path: Path): JsonTree | undefined {
  let at: JsonTree | undefined = whole;
  for (const token of path) {
    if (Array.isArray(at)) at = INDEX.test(token) ? at[Number(token)] : undefined;
    else at = at instanceof Map ? at.get(token) : undefined;
  }
  return at;
}

const findHolder = (document: Document, path: Path): { holder: JsonTree | undefined; name: string } => ({
  holder: find(document, path.slice(0, -1)),
  name: path.at(-1) as string,
});

function mayShift(document: Document, items: number): boolean {
  document.shifted += items;
  return document.shifted <= MOST_SHIFTED;
}

const malformed = (problem: string): PatchProblem => ({ kind: 'malformed', problem });
const unfit = (problem: string): PatchProblem => ({ kind: 'unfit', problem });

function printPointer(path: Path): string {
  return path.length === 1
    ? 'the whole'
    : path.map((token) => token.replaceAll('~', '~0').replaceAll('/', '~1')).join('/');
}

const nothingAt = (path: Path, why?: string): PatchProblem =>
  unfit(`there is no place ${printPointer(path)}${why === undefined ? '' : `: ${why}`}`);

const TOO_DEEP = unfit(`the patch nests more than ${MAX_JSON_DEPTH} levels deep`);
const TOO_MUCH_WORK: PatchProblem = {
  kind: 'excessive',
  problem: `the patch shifts more than ${MOST_SHIFTED} items of arrays`,
};

/** JSON while a patch changes it. Objects are maps: no name means anything, and each keeps its place. */
type JsonTree = JsonTree[] | Map<string, JsonTree> | Scalar;
type Scalar = string | number | bigint | boolean | null | { readonly scalar?: never };

function toTree(value: unknown): JsonTree {
  if (Array.isArray(value)) return value.map(toTree);
  if (!isObject(value)) return value as Scalar;
  return new Map(Object.entries(value).map(([name, member]) => [name, toTree(member)]));
}

/** A number past a double is an object of a class in memory, and no JSON object. */
function isObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function fromTree(tree: JsonTree): unknown {
  if (Array.isArray(tree)) return tree.map(fromTree);
  if (!(tree instanceof Map)) return tree;
  return Object.fromEntries([...tree].map(([name, member]) => [name, fromTree(member)]));
}

function copyTree(tree: JsonTree): JsonTree {
  if (Array.isArray(tree)) return tree.map(copyTree);
  if (!(tree instanceof Map)) return tree;
  return new Map([...tree].map(([name, member]) => [name, copyTree(member)]));
}

function isWithin(tree: JsonTree, depth: number): boolean {
  if (!Array.isArray(tree) && !(tree instanceof Map)) return true;
  if (depth === 0) return false;
  for (const member of tree.values()) if (!isWithin(member, depth - 1)) return false;
  return true;
}

/** The bytes of a tree as JSON, without more work than a size of `most` takes; more than `most` if it is larger or too deep. */
function measureTree(tree: JsonTree, most: number, depth: number): number {
  if (!Array.isArray(tree) && !(tree instanceof Map))
    return typeof tree === 'string' ? Buffer.byteLength(tree) + 2 : printJson(tree).length;
  let size = 2;
  if (depth === 0) return Infinity;
  for (const [name, member] of tree.entries()) {
    size += typeof name === 'string' ? Buffer.byteLength(name) + 4 : 1;
    size += measureTree(member, most - size, depth - 1);
    if (size > most) return size;
  }
  return size;
}

/** Equal as RFC 6902 section 4.6 has it, with at most the work that the smaller tree takes. */
function isSameTree(one: JsonTree, other: JsonTree): boolean {
  if (Array.isArray(one)) {
    if (!Array.isArray(other) || one.length !== other.length) return false;
    return one.every((item, index) => isSameTree(item, other[index] as JsonTree));
  }
  if (one instanceof Map) {
    if (!(other instanceof Map) || one.size !== other.size) return false;
    return [...one].every(([name, member]) => other.has(name) && isSameTree(member, other.get(name) as JsonTree));
  }
  return !Array.isArray(other) && !(other instanceof Map) && sameJson(one, other);
}
