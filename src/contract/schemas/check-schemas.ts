import type { AnySchema } from 'ajv';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import { PetstoreMockError } from '../../errors.js';
import { suggest } from '../../suggest.js';
import { readDialect, type Dialect } from './dialect.js';
import { escapePointer, type SourceDocument } from '../document/document.js';
import { printJson } from '../document/json.js';
import type { SchemaObject } from '../model.js';
import { listSchemas, referTo, type PreparedSchema } from './schemas.js';
import { SOURCE_POINTER } from './violation.js';

/**
 * Checks every schema of a document before any is compiled, since Ajv's
 * compiler names a fault but not its place. Throws a {@link PetstoreMockError}
 * with the place of the first keyword that is unknown or has a wrong value.
 */
export function checkSchemas(ajv: Ajv2020, document: SourceDocument, prepared: unknown): void {
  const dialect = readDialect(document.root);
  for (const schema of listSchemas(prepared)) {
    checkKeywords(ajv, document, schema);
    checkValues(ajv, document, schema[SOURCE_POINTER], dialect);
  }
}

/** The pointer of the smallest schema that Ajv cannot compile for its own sake; `undefined` when none stands out. */
export function findFaultySchema(ajv: Ajv2020, prepared: unknown): string | undefined {
  const faulty = listSchemas(prepared).find((schema) => !refersToOthers(schema) && !compiles(ajv, schema));
  return faulty?.[SOURCE_POINTER];
}

export function unusableSchema(document: SourceDocument, pointer: string, why: string): PetstoreMockError {
  return new PetstoreMockError('unusable-contract', `this schema cannot be used: ${why}`, document.placeOf(pointer));
}

function checkKeywords(ajv: Ajv2020, document: SourceDocument, schema: PreparedSchema): void {
  const known = ajv.RULES.keywords;
  const stranger = Object.keys(schema).find((keyword) => known[keyword] !== true || keyword === 'nullable');
  if (stranger === undefined) return;
  const pointer = `${schema[SOURCE_POINTER]}/${escapePointer(stranger)}`;
  if (stranger === 'nullable') {
    const remedy = "OpenAPI 3.1 has no keyword nullable; write the type as a list, such as type: [string, 'null'].";
    throw unusableSchema(document, pointer, remedy);
  }
  const hint = suggest(
    stranger,
    Object.keys(known).filter((keyword) => /^\w+$/.test(keyword)),
  );
  throw unusableSchema(document, pointer, `there is no keyword ${stranger}${hint}`);
}

/** As the schema stands in the contract, so that the bounds and enums that `exactNumber` takes over are checked too. */
function checkValues(ajv: Ajv2020, document: SourceDocument, pointer: string, dialect: Dialect): void {
  // What stands for a discriminator is not in the contract.
  if (document.at(pointer) === undefined) return;
  // JSON Schema's own schema knows no `bigint`; how many digits a number has makes no difference here.
  const schema = JSON.parse(printJson(translateWhole(document.at(pointer), dialect))) as AnySchema;
  if (ajv.validateSchema(schema) === true) return;
  const { instancePath = '', message = 'it is no JSON Schema' } = ajv.errors?.[0] ?? {};
  const keyword = instancePath.split('/').at(-1) ?? '';
  throw unusableSchema(document, `${pointer}${instancePath}`, `${keyword} ${message}.`.trimStart());
}

/** With all that stands inside it, data that looks like a schema included, which says nothing of where it is wrong. */
function translateWhole(value: unknown, dialect: Dialect): unknown {
  if (Array.isArray(value)) return value.map((item) => translateWhole(item, dialect));
  if (typeof value !== 'object' || value === null) return value;
  const inside = Object.entries(value).map(([key, item]) => [key, translateWhole(item, dialect)]);
  return dialect.translate(Object.fromEntries(inside) as SchemaObject);
}

function refersToOthers(schema: PreparedSchema): boolean {
  return printJson(schema).includes('"$ref":');
}

function compiles(ajv: Ajv2020, schema: PreparedSchema): boolean {
  try {
    ajv.compile(referTo(schema[SOURCE_POINTER]));
    return true;
  } catch {
    return false;
  }
}
