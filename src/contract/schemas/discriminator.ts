import { escapePointer } from '../document/document.js';
import { showPointer } from '../document/file-pointers.js';
import type { SchemaObject } from '../model.js';
import { pointerOf, referenceOf } from '../document/references.js';

/** One alternative, with the values of the property that choose it. */
interface Alternative {
  schema: SchemaObject;
  names: string[];
}

/**
 * A schema with a `discriminator` as one in which its property alone chooses
 * among the alternatives (OpenAPI 3.1, Discriminator Object): alternatives that
 * overlap do not collide, and only the chosen one's rules are told. A schema
 * of which not every alternative can be told by name comes back as it is.
 */
export function chooseByDiscriminator(schema: SchemaObject): SchemaObject {
  const { discriminator, oneOf, anyOf, ...rest } = schema;
  const { propertyName, mapping } = (discriminator ?? {}) as { propertyName?: unknown; mapping?: object };
  const list = oneOf ?? anyOf;
  if (typeof propertyName !== 'string' || !Array.isArray(list) || list.length === 0) return schema;
  const alternatives = list.flatMap((each: unknown) => readAlternative(each, Object.entries(mapping ?? {})));
  if (alternatives.length !== list.length) return schema;
  const chosen = { type: 'object', required: [propertyName], properties: { [propertyName]: listNames(alternatives) } };
  const choices = alternatives.map((each) => choose(holds(propertyName, each.names), each.schema));
  const others = Array.isArray(rest['allOf']) ? (rest['allOf'] as unknown[]) : [];
  return { ...rest, allOf: [...others, chosen, ...choices] };
}

function readAlternative(schema: unknown, mapping: [string, unknown][]): Alternative[] {
  const pointer = pointerOf(referenceOf(schema) ?? '');
  if (pointer === undefined || pointer === '') return [];
  const mapped = mapping.filter(([, target]) => typeof target === 'string' && isNamed(pointer, target));
  const own = pointer.split('/').at(-1) ?? '';
  const names = mapped.length > 0 ? mapped.map(([name]) => name) : [own];
  return [{ schema: schema as SchemaObject, names }];
}

/** A mapping names a schema by its bare name, or as a reference would. */
function isNamed(pointer: string, target: string): boolean {
  if (pointer.endsWith(`/schemas/${escapePointer(target)}`)) return true;
  const shown = showPointer(pointer).replace(/#$/, '');
  const reference = target.replace(/^\.\//, '');
  // A whole name counts: `cat.yaml` is not the end of `bobcat.yaml`.
  if (reference.startsWith('#')) return shown.endsWith(reference);
  return shown === reference || shown.endsWith(`/${reference}`);
}

function choose(condition: SchemaObject, schema: SchemaObject): SchemaObject {
  // oxlint-disable-next-line no-thenable -- a keyword of JSON Schema; nobody awaits a schema
  return { if: condition, then: schema };
}

function listNames(alternatives: readonly Alternative[]): SchemaObject {
  return { enum: alternatives.flatMap(({ names }) => names) };
}

function holds(propertyName: string, names: readonly string[]): SchemaObject {
  return { required: [propertyName], properties: { [propertyName]: { enum: names } } };
}
