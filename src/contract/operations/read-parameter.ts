import { type SourceDocument, escapePointer } from '../document/document.js';
import type { Notes } from '../document/notes.js';
import { asObject, asText } from '../document/plain.js';
import { resolveAt } from '../document/references.js';
import { isJsonMediaType, FORM } from '../media-types.js';
import { TOKEN } from '../message.js';
import type { Parameter, ParameterLocation, ParameterStyle, ResponseHeader, Content, Encoding } from '../model.js';
import { readBesideNull } from '../schemas/dialect.js';
import { readValueShape, readProperties } from './properties.js';

/** Header fields that are described elsewhere, and not as parameters (OpenAPI 3.1.1, Parameter Object). */
const NOT_PARAMETERS = /^(?:accept|content-type|authorization)$/i;

export function readParameter(document: SourceDocument, at: string, notes: Notes): Parameter | undefined {
  const { value, pointer } = resolveAt(document, at);
  const source = asObject(value);
  const name = asText(source['name']);
  const isWhole = source['in'] === 'querystring';
  const place = isWhole ? 'query' : source['in'];
  if (name === undefined || !isLocation(place)) {
    notes.add(
      pointer,
      'a parameter needs a name, and an `in` of path, query, querystring, header or cookie; this one is ignored.',
    );
    return undefined;
  }
  if (place === 'header' && NOT_PARAMETERS.test(name)) {
    const where = /^auth/i.test(name) ? 'security schemes describe' : 'the content describes';
    notes.add(pointer, `a parameter cannot be the header field ${name}, which ${where}; it is ignored.`);
    return undefined;
  }
  if ((place === 'header' || place === 'cookie') && !TOKEN.test(name)) {
    notes.add(pointer, `${JSON.stringify(name)} is not a valid ${place} name; this parameter is ignored.`);
    return undefined;
  }
  if (source['schema'] === undefined && Object.keys(asObject(source['content'])).length === 0)
    notes.add(pointer, `the parameter ${name} has neither schema nor content; any value is accepted.`);
  const { schemaPointer, isJson } = findSchema(document, pointer, source);
  const style = isWhole
    ? 'querystring'
    : isJson
      ? 'json'
      : readStyle(asText(source['style']), { pointer, place, notes });
  return {
    name,
    in: place,
    required: place === 'path' || source['required'] === true,
    pointer,
    schema: schemaPointer === undefined ? {} : readBesideNull(document, schemaPointer),
    schemaPointer,
    shape: readValueShape(document, schemaPointer),
    style,
    ...(isWhole ? { mediaType: Object.keys(asObject(source['content']))[0] ?? FORM } : {}),
    explode:
      source['explode'] === undefined ? ['form', 'cookie', 'deepObject'].includes(style) : source['explode'] === true,
    ...(source['allowEmptyValue'] === true ? { allowsEmpty: true } : {}),
  };
}

/** Each like a parameter of style `simple`, or with content (OpenAPI 3.0.4, Header Object). */
export function readHeaders(document: SourceDocument, owner: string): ResponseHeader[] {
  const names = Object.keys(asObject(document.at(`${owner}/headers`)));
  return names
    .filter((name) => name.toLowerCase() !== 'content-type')
    .map((name) => {
      const { value, pointer } = resolveAt(document, `${owner}/headers/${escapePointer(name)}`);
      const source = asObject(value);
      const { schemaPointer, isJson } = findSchema(document, pointer, source);
      return {
        name,
        required: source['required'] === true,
        shape: readValueShape(document, schemaPointer),
        style: isJson ? 'json' : 'simple',
        explode: source['explode'] === true,
        schemaPointer,
        pointer,
      };
    });
}

/** A parameter has a schema, or content of one media type (OpenAPI 3.1.1, Parameter Object). */
function findSchema(
  document: SourceDocument,
  pointer: string,
  { schema, content }: Record<string, unknown>,
): { schemaPointer: string | undefined; isJson: boolean } {
  if (schema !== undefined) return { schemaPointer: resolveAt(document, `${pointer}/schema`).pointer, isJson: false };
  const [mediaType] = Object.keys(asObject(content));
  if (mediaType === undefined) return { schemaPointer: undefined, isJson: false };
  const at = `${resolveAt(document, `${pointer}/content/${escapePointer(mediaType)}`).pointer}/schema`;
  const isJson = isJsonMediaType(mediaType);
  return { schemaPointer: document.at(at) === undefined ? undefined : resolveAt(document, at).pointer, isJson };
}

/** The styles of each place, the usual one first (OpenAPI 3.1.1, Style Values). */
const STYLES: Readonly<Record<ParameterLocation, readonly ParameterStyle[]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form', 'cookie'],
};

function readStyle(
  style: string | undefined,
  { pointer, place, notes }: { pointer: string; place: ParameterLocation; notes: Notes },
): ParameterStyle {
  const [usual = 'form'] = STYLES[place];
  if (style === undefined) return usual;
  const known = STYLES[place].find((each) => each === style);
  if (known === undefined) {
    const offered = STYLES[place].join(', ');
    notes.add(
      `${pointer}/style`,
      `the style ${style} is not allowed in ${place} (only ${offered}); it is read as ${usual}.`,
    );
  }
  return known ?? usual;
}

function isLocation(place: unknown): place is ParameterLocation {
  return place === 'path' || place === 'query' || place === 'header' || place === 'cookie';
}

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

const FORM_STYLES = ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'] as const;

function readOne(document: SourceDocument, at: string): Encoding {
  const { value, pointer } = resolveAt(document, at);
  const { style: given, explode, contentType } = asObject(value);
  const headers = readHeaders(document, pointer);
  const style = FORM_STYLES.find((each) => each === given);
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
