import { escapePointer, type SourceDocument } from '../document/document.js';
import { asObject, asText } from '../document/plain.js';
import { resolveAt } from '../document/references.js';
import type { Content, Encoding } from '../model.js';
import { readProperties } from '../operations/properties.js';
import { readHeaders } from '../operations/read-parameter.js';

/** How the contract writes the fields of a form, and which of them are files. */
export function readEncoding(
  document: SourceDocument,
  pointer: string,
  schemaPointer: string | undefined,
): Pick<Content, 'encoding' | 'files'> {
  const names = Object.keys(asObject(document.at(`${pointer}/encoding`)));
  const encoding = names.map((name) => [name, readOne(document, `${pointer}/encoding/${escapePointer(name)}`)]);
  const properties = schemaPointer === undefined ? [] : readProperties(document, schemaPointer);
  const files = properties
    .filter(
      ({ schemaPointer: at }) => isFile(document, at) || isFile(document, `${resolveAt(document, at).pointer}/items`),
    )
    .map(({ name }) => name);
  return {
    ...(encoding.length === 0 ? {} : { encoding: Object.fromEntries(encoding) as NonNullable<Content['encoding']> }),
    ...(files.length === 0 ? {} : { files }),
  };
}

const STYLES = ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'] as const;

function readOne(document: SourceDocument, at: string): Encoding {
  const { value, pointer } = resolveAt(document, at);
  const { style: given, explode, contentType } = asObject(value);
  const headers = readHeaders(document, pointer);
  const style = STYLES.find((each) => each === given);
  const mediaType = asText(contentType)?.trim().toLowerCase();
  return {
    ...(style === undefined ? {} : { style }),
    ...(typeof explode === 'boolean' ? { explode } : {}),
    ...(mediaType === undefined ? {} : { mediaType }),
    ...(headers.length === 0 ? {} : { headers }),
    pointer,
  };
}

/** OpenAPI 3.0 has `format: binary`, 3.1 the keywords of JSON Schema, Swagger a type of its own. */
function isFile(document: SourceDocument, at: string): boolean {
  const { type, format, contentMediaType, contentEncoding } = asObject(resolveAt(document, at).value);
  return (
    type === 'file' ||
    ['binary', 'byte', 'base64'].includes(String(format)) ||
    contentMediaType !== undefined ||
    contentEncoding !== undefined
  );
}
