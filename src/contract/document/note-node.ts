import { FILES, splitPointer } from './file-pointers.js';
import type { Bundle } from './bundle.js';
import { escapePointer, type SourceDocument } from './document.js';
import { shorten } from './json.js';
import type { OpenApiNode } from './openapi-nodes.js';
import { asObject, asText } from './plain.js';
import { pointerOf } from './references.js';
import type { Dialect } from '../schemas/dialect.js';
import { isRule } from '../schemas/keywords.js';

type Fields = Readonly<Record<string, unknown>>;

/** Notes what one node says and nothing reads, whatever it belongs to. */
export function noteNode({ type, value, pointer }: OpenApiNode, bundle: Bundle, dialect: Dialect): void {
  const fields = value as Fields;
  if (typeof fields['$ref'] === 'string' && !IS_MAP.has(type))
    return noteBesideReference(type, fields, { pointer, bundle, dialect });
  if (type === 'Parameter' || type === 'Header') noteTwoKinds(fields, pointer, bundle);
  if (type === 'Schema') noteMapping(fields, pointer, bundle);
  if (type === 'Example') noteMissingFile(fields, pointer, bundle);
}

/** In these, a name is the user's own. */
const IS_MAP = new Set<OpenApiNode['type']>(['Document', 'Swagger', 'Components', 'Paths', 'Responses']);

/** They are read in OpenAPI 3.0 as well, since generators write them there. */
const READ_BESIDE = new Set(['nullable', 'readOnly', 'writeOnly', '$ref']);

/** OpenAPI 3.0.4, Reference Object: additional properties are ignored. In 3.1 schemas may have them, and others a summary and a description. */
function noteBesideReference(
  type: OpenApiNode['type'],
  fields: Fields,
  { pointer, bundle, dialect }: { pointer: string; bundle: Bundle; dialect: Dialect },
): void {
  if (type === 'Schema' && dialect.readsBesideReference) return;
  const counts = (name: string): boolean =>
    type === 'Schema' ? isRule(name) : !/^(?:x-|summary$|description$)/.test(name);
  const ignored = Object.keys(fields).filter((name) => counts(name) && !READ_BESIDE.has(name));
  const where = type === 'Schema' ? ' before OpenAPI 3.1' : '';
  for (const name of ignored)
    bundle.notes.add(
      `${pointer}/${escapePointer(name)}`,
      `${name} beside a $ref has no effect${where}; it is ignored.`,
    );
}

/** OpenAPI 3.1.1, Parameter Object: schema or content, but not both. */
function noteTwoKinds({ name, schema, content }: Fields, pointer: string, { notes }: Bundle): void {
  if (schema === undefined || content === undefined) return;
  const own = asText(name) ?? pointer.slice(pointer.lastIndexOf('/') + 1);
  notes.add(`${pointer}/content`, `${own} has both schema and content; content is ignored.`);
}

/** OpenAPI 3.1.1, Discriminator Object: a mapping leads to a schema, by its name or as a reference does. */
function noteMapping({ discriminator }: Fields, pointer: string, { document, notes }: Bundle): void {
  for (const [value, target] of Object.entries(asObject(asObject(discriminator)['mapping']))) {
    if (typeof target === 'string' && leadsSomewhere(target, pointer, document)) continue;
    notes.add(
      `${pointer}/discriminator/mapping/${escapePointer(value)}`,
      `the discriminator maps ${value} to ${shorten(target)}, which is not a schema; this mapping is ignored.`,
    );
  }
}

/** A file that no reference has led to is not looked for. */
function leadsSomewhere(target: string, from: string, document: SourceDocument): boolean {
  const { mount } = splitPointer(from);
  const isThere = (pointer: string | undefined): boolean =>
    pointer === undefined || [mount, ''].some((root) => document.at(`${root}${pointer}`) !== undefined);
  if (target.startsWith('#')) return isThere(pointerOf(target));
  if (/[/#]|\.(?:ya?ml|json)$/i.test(target)) return true;
  // In a file of its own, a schema has no name but the file's.
  const isFile = Object.keys(asObject(document.at(`/${FILES}`))).some((name) => name.endsWith(target));
  return (
    isFile || isThere(`/components/schemas/${escapePointer(target)}`) || isThere(`/$defs/${escapePointer(target)}`)
  );
}

function noteMissingFile(fields: Fields, pointer: string, { notes, isMissing }: Bundle): void {
  const { externalValue } = fields;
  if (typeof externalValue !== 'string' || !isMissing(externalValue, pointer)) return;
  if (['value', 'dataValue', 'serializedValue'].some((name) => fields[name] !== undefined)) return;
  notes.add(`${pointer}/externalValue`, `there is no file ${externalValue}; this example is ignored.`);
}
