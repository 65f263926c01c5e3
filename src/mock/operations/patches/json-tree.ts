import { printJson, sameJson } from '../../../contract/document/json.js';

/**
 * JSON while a patch changes it. Objects are maps: no name in them means anything (`__proto__`), and a name keeps its
 * place when its value is replaced.
 */
export type JsonTree = JsonTree[] | Map<string, JsonTree> | Scalar;

/** Anything that a patch cannot look into: texts, numbers in each of their forms, `true`, `false`, `null`. */
type Scalar = string | number | bigint | boolean | null | { readonly scalar?: never };

export function toTree(value: unknown): JsonTree {
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

export function fromTree(tree: JsonTree): unknown {
  if (Array.isArray(tree)) return tree.map(fromTree);
  if (!(tree instanceof Map)) return tree;
  return Object.fromEntries([...tree].map(([name, member]) => [name, fromTree(member)]));
}

export function copyTree(tree: JsonTree): JsonTree {
  if (Array.isArray(tree)) return tree.map(copyTree);
  if (!(tree instanceof Map)) return tree;
  return new Map([...tree].map(([name, member]) => [name, copyTree(member)]));
}

/** Whether a tree is nested at most this deeply. */
export function isWithin(tree: JsonTree, depth: number): boolean {
  if (!Array.isArray(tree) && !(tree instanceof Map)) return true;
  if (depth === 0) return false;
  for (const member of tree.values()) if (!isWithin(member, depth - 1)) return false;
  return true;
}

/** The bytes of a tree as JSON, without more work than a size of `most` takes; more than `most` if it is larger or too deep. */
export function measureTree(tree: JsonTree, most: number, depth: number): number {
  if (!Array.isArray(tree) && !(tree instanceof Map)) return measureScalar(tree);
  let size = 2;
  if (depth === 0) return Infinity;
  for (const [name, member] of tree.entries()) {
    size += typeof name === 'string' ? Buffer.byteLength(name) + 4 : 1;
    size += measureTree(member, most - size, depth - 1);
    if (size > most) return size;
  }
  return size;
}

function measureScalar(scalar: Scalar): number {
  return typeof scalar === 'string' ? Buffer.byteLength(scalar) + 2 : printJson(scalar).length;
}

/** Equal as RFC 6902 section 4.6 has it, with at most the work that the smaller tree takes. */
export function isSameTree(one: JsonTree, other: JsonTree): boolean {
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
