import { PetstoreMockError } from '../../errors.js';
import type { SourceDocument } from '../document/document.js';
import type { Parameter, ParameterLocation, SchemaObject } from '../model.js';
import { asObject, asText } from '../document/plain.js';
import { resolveAt } from '../document/references.js';

/** Reads the parameter object at a pointer, or the one that is referred to there. */
export function readParameter(document: SourceDocument, at: string): Parameter {
  const { value, pointer } = resolveAt(document, at);
  const source = asObject(value);
  const name = asText(source['name']);
  const place = source['in'];
  if (name === undefined || !isLocation(place)) {
    throw unusable(document, pointer, 'a parameter needs a name, and an `in` of path, query, header or cookie.');
  }
  const schema = resolveAt(document, `${pointer}/schema`);
  if (schema.value === undefined) throw unusable(document, pointer, `the parameter ${name} has no \`schema\`.`);
  const style = readStyle(document, pointer, { name, place, schema: asObject(schema.value) });
  return {
    name,
    in: place,
    required: place === 'path' || source['required'] === true,
    pointer,
    schema: asObject(schema.value),
    schemaPointer: schema.pointer,
    style,
    explode: source['explode'] === undefined ? style === 'form' || style === 'deepObject' : source['explode'] === true,
  };
}

const DEFAULT_STYLES: Readonly<Record<ParameterLocation, string>> = {
  path: 'simple',
  query: 'form',
  header: 'simple',
  cookie: 'form',
};
const STYLES: Readonly<Record<ParameterLocation, readonly string[]>> = {
  path: ['simple'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
};

/** How a parameter is written (OpenAPI 3.1, Style Values). */
function readStyle(
  document: SourceDocument,
  pointer: string,
  { name, place, schema }: { name: string; place: ParameterLocation; schema: SchemaObject },
): string {
  const style = asText(document.at(`${pointer}/style`)) ?? DEFAULT_STYLES[place];
  if (!STYLES[place].includes(style)) {
    const known = STYLES[place].join(', ');
    throw unusable(document, `${pointer}/style`, `the style ${style} is not supported in ${place}; ${known} is.`);
  }
  if ([schema['type']].flat().includes('object') && style !== 'deepObject') {
    const remedy = place === 'query' ? '; style: deepObject is' : '';
    throw unusable(document, pointer, `the parameter ${name} is an object, which is not supported${remedy}.`);
  }
  return style;
}

function isLocation(place: unknown): place is ParameterLocation {
  return place === 'path' || place === 'query' || place === 'header' || place === 'cookie';
}

function unusable(document: SourceDocument, pointer: string, message: string): PetstoreMockError {
  return new PetstoreMockError('unusable-contract', message, document.placeOf(pointer));
}
