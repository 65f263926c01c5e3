import type { ErrorObject } from 'ajv';
import { escapePointer, type SourceDocument } from '../document/document.js';
import { showPointer } from '../document/file-pointers.js';
import { asList, asObject } from '../document/plain.js';
import { pointerOf, referenceOf, resolveAt } from '../document/references.js';
import { readOnce } from '../read-once.js';
import { SOURCE_POINTER } from './source-pointer.js';

/** One alternative, with the values of the property that name it. */
interface Alternative {
  /** Where it stands, and all schemas that it refers to. */
  parts: ReadonlySet<string>;
  names: string[];
}

/**
 * Reports a violation of several alternatives as one of the alternative that the
 * value names by its discriminator. A discriminator never changes what is valid
 * (OpenAPI 3.1.1, Discriminator Object); it says which alternative was meant.
 */
export function tellByDiscriminator(errors: readonly ErrorObject[], document: SourceDocument): ErrorObject[] {
  const told: ErrorObject[] = [];
  for (const error of errors) {
    if (!isDiscriminated(error)) {
      told.push(error);
      continue;
    }
    // Ajv reports what is wrong inside the alternatives right before them, so no error is looked at for each of a list.
    let start = told.length;
    while (start > 0 && isInside(told[start - 1] as ErrorObject, error)) start -= 1;
    for (const each of tellChosen([...told.splice(start), error], error, document)) told.push(each);
  }
  return told;
}

function isDiscriminated({ keyword, parentSchema }: ErrorObject): boolean {
  return (keyword === 'oneOf' || keyword === 'anyOf') && parentSchema?.['discriminator'] !== undefined;
}

function tellChosen(errors: ErrorObject[], error: ErrorObject, document: SourceDocument): ErrorObject[] {
  const { parentSchema = {}, keyword, data } = error;
  const { propertyName, mapping } = asObject(parentSchema['discriminator']);
  const alternatives = readAlternatives(listNamed(parentSchema[keyword]), asObject(mapping), document);
  if (typeof propertyName !== 'string' || alternatives === undefined) return errors;
  const name = asObject(data)[propertyName];
  const chosen = alternatives.find(({ names }) => names.some((each) => each === name));
  const isOfAnother = (other: ErrorObject): boolean =>
    isInside(other, error) &&
    alternatives.some((each) => each !== chosen && isBelow(other, each)) &&
    !(chosen !== undefined && isBelow(other, chosen));
  const left = leaveOutRepeated(errors.filter((other) => other !== error && !isOfAnother(other)));
  if (chosen !== undefined && left.some((other) => isBelow(other, chosen))) return left;
  if (chosen !== undefined) return [...left, error];
  return [...left, describeName(error, { propertyName, name, names: alternatives.flatMap((each) => each.names) })];
}

/** Null has no property that could name it. */
function listNamed(alternatives: unknown): unknown[] {
  return asList(alternatives).filter((each) => asObject(each)['type'] !== 'null');
}

/** The alternatives with their names; `undefined` if one of them has none. */
function readAlternatives(
  list: readonly unknown[],
  mapping: Record<string, unknown>,
  document: SourceDocument,
): Alternative[] | undefined {
  const pointers = list.map((schema) => pointerOf(referenceOf(schema) ?? '') ?? '');
  const read = pointers.flatMap((pointer) => {
    if (pointer === '') return [];
    const mapped = Object.entries(mapping).filter(
      ([, target]) => typeof target === 'string' && isNamed(pointer, target),
    );
    const own = pointer.split('/').at(-1) ?? '';
    return [
      {
        parts: listParts(document, pointer, pointers),
        names: mapped.length > 0 ? mapped.map(([name]) => name) : [own],
      },
    ];
  });
  return read.length === list.length ? read : undefined;
}

/** A mapping names a schema by its bare name, or as a reference would. */
function isNamed(pointer: string, target: string): boolean {
  if (pointer.endsWith(`/schemas/${escapePointer(target)}`)) return true;
  const shown = showPointer(pointer).replace(/#$/, '');
  const reference = target.replace(/^\.\//, '');
  // Only a whole name counts: `bobcat.yaml` does not end with the name `cat.yaml`.
  if (reference.startsWith('#')) return shown.endsWith(reference);
  return shown === reference || shown.endsWith(`/${reference}`);
}

function isInside(other: ErrorObject, error: ErrorObject): boolean {
  return other.instancePath.startsWith(error.instancePath);
}

function isBelow({ parentSchema }: ErrorObject, { parts }: Alternative): boolean {
  const source = parentSchema?.[SOURCE_POINTER] as unknown;
  if (typeof source !== 'string') return false;
  return [...parts].some((part) => source === part || source.startsWith(`${part}/`));
}

/** What several alternatives refer to is validated in each of them. */
function leaveOutRepeated(errors: readonly ErrorObject[]): ErrorObject[] {
  const known = new Set<string>();
  return errors.filter(({ instancePath, keyword, params, parentSchema }) => {
    const missing = String((params as { missingProperty?: string }).missingProperty);
    const rule = [instancePath, keyword, missing, String(parentSchema?.[SOURCE_POINTER])].join('\n');
    const isNew = !known.has(rule);
    known.add(rule);
    return isNew;
  });
}

/** What an alternative beyond these consists of is not told apart from the others. */
const MOST_PARTS = 200;

const partsOf = readOnce((_: SourceDocument) => new Map<string, ReadonlySet<string>>());

/** Without the other alternatives, to which it may refer by a schema that they share. */
function listParts(document: SourceDocument, pointer: string, alternatives: readonly string[]): ReadonlySet<string> {
  const name = [pointer, ...alternatives].join('\n');
  const known = partsOf(document).get(name);
  if (known !== undefined) return known;
  const parts = new Set([pointer]);
  for (const part of parts) {
    const found = parts.size < MOST_PARTS ? listReferences(document.at(part)) : [];
    for (const target of found) if (!alternatives.includes(target)) parts.add(target);
  }
  partsOf(document).set(name, parts);
  return parts;
}

function listReferences(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const target = pointerOf(referenceOf(value) ?? '');
  const own = target === undefined || target === '' ? [] : [target];
  return [...own, ...Object.values(value).flatMap(listReferences)];
}

/** The property whose value names no alternative. */
function describeName(
  error: ErrorObject,
  { propertyName, name, names }: { propertyName: string; name: unknown; names: string[] },
): ErrorObject {
  if (name === undefined) return { ...error, keyword: 'required', params: { missingProperty: propertyName } };
  const instancePath = `${error.instancePath}/${escapePointer(propertyName)}`;
  return { ...error, keyword: 'enum', instancePath, data: name, params: { allowedValues: names } };
}

/** The properties that tell alternatives apart, in a schema and in the schemas that it consists of. */
export function listDiscriminators(document: SourceDocument, at: string, visited = new Set<string>()): string[] {
  const { value, pointer } = resolveAt(document, at);
  if (visited.has(pointer)) return [];
  visited.add(pointer);
  const schema = asObject(value);
  const { propertyName } = asObject(schema['discriminator']);
  const inside = ['allOf', 'anyOf', 'oneOf'].flatMap((composition) =>
    [...asList(schema[composition]).keys()].map((index) => `${pointer}/${composition}/${index}`),
  );
  const own = typeof propertyName === 'string' ? [propertyName] : [];
  return [...own, ...inside.flatMap((part) => listDiscriminators(document, part, visited))];
}
