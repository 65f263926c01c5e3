import type { Ajv2020, ErrorObject } from 'ajv/dist/2020.js';
import { loadAjv } from './document/load-when-needed.js';
import { parsePointer, readText, type SourceDocument } from './document/document.js';
import { checkCodeGeneration } from './schemas/compile-schemas.js';
import { translateFinding } from './schemas/violation.js';
import { PetstoreMockError, type ErrorCode } from '../errors.js';
import { packageFile } from '../package-files.js';
import { suggest } from '../suggest.js';
import { remember } from './document/plain.js';

export type FileSchema = ReturnType<Ajv2020['compile']>;

interface SchemaPart {
  $ref?: string;
  properties?: object;
  $defs?: Readonly<Record<string, SchemaPart>>;
  'x-expected'?: string;
}

export const compileFileSchema = remember((name: string): FileSchema =>
  compileSchema(JSON.parse(readText(packageFile(name))) as object),
);

export function compileSchema(schema: object): FileSchema {
  checkCodeGeneration();
  const { Ajv2020 } = loadAjv();
  // Formats are for editors; the reader of a file checks its texts. That the schemas are right is tested, not looked at here.
  const options = { strict: false, validateFormats: false, validateSchema: false, meta: false };
  return new Ajv2020({ allErrors: true, verbose: true, ...options }).compile(schema);
}

/** Throws a {@link PetstoreMockError} for the first mistake, with file, line, column and a suggestion. */
export function checkAgainstSchema(document: SourceDocument, schema: FileSchema, code: ErrorCode): void {
  if (!schema(document.root)) throw describeMistake(document, schema, code);
}

/** The deepest error says most, among them an unknown name; `oneOf` and `anyOf` only add that no alternative fitted. */
function describeMistake(document: SourceDocument, schema: FileSchema, code: ErrorCode): PetstoreMockError {
  const errors = schema.errors ?? [];
  const telling = errors.filter(({ keyword }) => keyword !== 'oneOf' && keyword !== 'anyOf');
  const [error] = (telling.length > 0 ? telling : errors).toSorted(
    (a, b) =>
      parsePointer(b.instancePath).length - parsePointer(a.instancePath).length ||
      Number(isUnknownName(b)) - Number(isUnknownName(a)),
  );
  if (error === undefined) throw new Error('a failed validation has no errors');
  const { at, expected, actual } = translateFinding(error);
  const part = error.parentSchema as SchemaPart;
  const referred = (schema.schema as SchemaPart).$defs?.[part.$ref?.split('/').at(-1) ?? ''];
  const known = Object.keys({ ...part.properties, ...referred?.properties });
  const name = parsePointer(at).at(-1) ?? '';
  const named = name === '' ? 'the file' : `\`${name}\``;
  const message = isUnknownName(error)
    ? `there is no ${named} here${suggest(name, known)}`
    : error.keyword === 'required'
      ? `${named} is missing.`
      : `${named} must be ${part['x-expected'] ?? expected}, but is ${isTextForParts(error) ? 'a text' : actual}.`;
  return new PetstoreMockError(code, message, document.placeOf(at));
}

/** Whether a text stands where an object or a list should: it may be that of another file, such as a key in a `.env`. */
function isTextForParts({ keyword, schema, data }: ErrorObject): boolean {
  const wanted = [schema].flat();
  const isOfParts = keyword === 'type' && wanted.every((type) => type === 'object' || type === 'array');
  const isOfOthers = /^(?:const|enum)$/.test(keyword) && wanted.every((value) => typeof value !== 'string');
  return typeof data === 'string' && (isOfParts || isOfOthers);
}

const isUnknownName = ({ keyword }: { keyword: string }): boolean =>
  keyword === 'additionalProperties' || keyword === 'unevaluatedProperties';
