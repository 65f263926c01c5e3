import { escapePointer, type SourceDocument } from '../../contract/document/document.js';
import { asList, asText } from '../../contract/document/plain.js';
import { readDialect, type Dialect } from '../../contract/schemas/dialect.js';
import { mergeSchemas } from '../../contract/schemas/merged-schema.js';

/** A value that a body may have somewhere, in the contract's words. */
export interface BodyField {
  /** Its place as a JSON Pointer, in which `*` is any item of a list: `/tags/*`. */
  pointer: string;
  required: boolean;
  types: readonly string[];
  /** The only values that it may have. */
  choices: unknown[];
  description: string | undefined;
}

const DEPTH = 5;
const MOST = 300;
const MOST_VISITED = 3000;

interface Listing {
  document: SourceDocument;
  dialect: Dialect;
  fields: Map<string, BodyField>;
  /** Places with their schemas: alternatives may lead back to each other. */
  visited: Set<string>;
}

/** The values below the schema at a pointer, outer ones first; those that only answers have are left out. */
export function listFields(document: SourceDocument, pointer: string): BodyField[] {
  const listing = {
    document,
    dialect: readDialect(document.root),
    fields: new Map<string, BodyField>(),
    visited: new Set<string>(),
  };
  let level: Place[] = [{ at: '', schemas: [pointer], required: true }];
  for (let depth = 0; depth <= DEPTH && level.length > 0; depth += 1)
    level = level.flatMap((place) => visit(place, listing));
  return [...listing.fields.values()];
}

interface Place {
  at: string;
  schemas: readonly string[];
  required: boolean;
}

/** Notes one value, and returns those right below it. */
function visit({ at, schemas, required }: Place, { document, dialect, fields, visited }: Listing): Place[] {
  const id = `${at}\n${schemas.join('\n')}`;
  if (visited.has(id) || visited.size >= MOST_VISITED) return [];
  visited.add(id);
  const merged = mergeSchemas(document, dialect, schemas);
  const { types = [], rules } = merged;
  if (rules['readOnly'] === true || fields.size >= MOST) return [];
  const known = fields.get(at);
  const constant = rules['const'] === undefined ? [] : [rules['const']];
  const choices = [...(known?.choices ?? []), ...asList(rules['enum']), ...constant];
  const description = known?.description ?? asText(rules['description']);
  if (at !== '')
    fields.set(at, { pointer: at, required, types: [...(known?.types ?? []), ...types], choices, description });
  return [
    ...merged.choices.flat().map((each) => ({ at, schemas: [each], required })),
    ...[...merged.properties].map(([name, own]) => ({
      at: `${at}/${escapePointer(name)}`,
      schemas: own,
      required: merged.required.has(name),
    })),
    ...(merged.items.length === 0 ? [] : [{ at: `${at}/*`, schemas: merged.items, required: false }]),
  ];
}
