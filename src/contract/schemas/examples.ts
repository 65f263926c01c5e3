import { escapePointer, type SourceDocument } from '../document/document.js';
import { parseJson } from '../document/json.js';
import { isJsonMediaType, normalizeMediaType } from '../media-types.js';
import type { ResponseRule } from '../model.js';
import { resolveAt } from '../document/references.js';

export type Example = { value: unknown; mediaType: string };

export function findExample(document: SourceDocument, response: ResponseRule, name?: string): Example | undefined {
  const mediaType = keysAt(document, `${response.pointer}/content`).find(isJsonMediaType);
  const [first] = mediaType === undefined ? [] : listPlacedExamples(document, response, { mediaType, name });
  return mediaType === undefined || first === undefined ? undefined : { value: first.value, mediaType };
}

export function listExamples(
  document: SourceDocument,
  response: Pick<ResponseRule, 'pointer'>,
  wanted: { mediaType: string; name: string | undefined },
): unknown[] {
  return listPlacedExamples(document, response, wanted).map(({ value }) => value);
}

export type PlacedExample = { value: unknown; pointer: string; text: string | undefined };

export function listPlacedExamples(
  document: SourceDocument,
  response: Pick<ResponseRule, 'pointer'>,
  { mediaType, name }: { mediaType: string; name: string | undefined },
): PlacedExample[] {
  const pointer = findContentPointer(document, response, mediaType);
  const named = (name === undefined ? keysAt(document, `${pointer}/examples`) : [name]).map((each) => {
    const at = `${pointer}/examples/${escapePointer(each)}`;
    const text = document.textAt(`${resolveAt(document, at).pointer}/serializedValue`);
    return { value: readNamed(document, at), pointer: at, text };
  });
  const single = name === undefined ? listSingle(document, pointer) : [];
  return [...named, ...single].filter(({ value }) => value !== undefined);
}

function findContentPointer(document: SourceDocument, response: Pick<ResponseRule, 'pointer'>, mediaType: string) {
  const wanted = normalizeMediaType(mediaType);
  const key = keysAt(document, `${response.pointer}/content`).find((each) => normalizeMediaType(each) === wanted);
  return resolveAt(document, `${response.pointer}/content/${escapePointer(key ?? '')}`).pointer;
}

/** The names of the examples that the contract gives for a response's body in a media type; by default, in JSON. */
export function listExampleNames(
  document: SourceDocument,
  response: ResponseRule,
  mediaType = keysAt(document, `${response.pointer}/content`).find(isJsonMediaType),
): string[] {
  const pointer = `${findContentPointer(document, response, mediaType ?? '')}/examples`;
  return keysAt(document, pointer).filter(
    (name) => readNamed(document, `${pointer}/${escapePointer(name)}`) !== undefined,
  );
}

/** The JSON Pointers to the examples that stand elsewhere (`externalValue`), and are not read. */
export function listExternalExamples(document: SourceDocument, response: ResponseRule, mediaType: string): string[] {
  const pointer = `${findContentPointer(document, response, mediaType)}/examples`;
  return keysAt(document, pointer)
    .map((name) => resolveAt(document, `${pointer}/${escapePointer(name)}`).pointer)
    .filter((at) => document.at(`${at}/value`) === undefined && document.at(`${at}/externalValue`) !== undefined);
}

/** A media type may give one example in place of named ones, and so may its schema (OpenAPI 3.1, Schema Object). */
function listSingle(document: SourceDocument, pointer: string): PlacedExample[] {
  const schema = resolveAt(document, `${pointer}/schema`).pointer;
  return [`${pointer}/example`, `${schema}/examples/0`, `${schema}/example`]
    .map((place) => ({ value: document.at(place), pointer: place, text: undefined }))
    .filter(({ value }) => value !== undefined);
}

function readNamed(document: SourceDocument, pointer: string): unknown {
  if (document.at(pointer) === undefined) return undefined;
  const at = resolveAt(document, pointer).pointer;
  // OpenAPI 3.2.0, Example Object: a value, or its text.
  const given = ['value', 'dataValue'].map((name) => document.at(`${at}/${name}`)).find((each) => each !== undefined);
  const text = document.textAt(`${at}/serializedValue`);
  if (given !== undefined || text === undefined) return given;
  const mediaType = /\/content\/([^/]*)\/examples\/[^/]*$/.exec(pointer)?.[1] ?? '';
  const parsed = isJsonMediaType(mediaType.replaceAll('~1', '/')) ? parseJson(text) : undefined;
  return parsed?.ok === true ? parsed.value : text;
}

function keysAt(document: SourceDocument, pointer: string): string[] {
  const value = document.at(pointer);
  return typeof value === 'object' && value !== null ? Object.keys(value) : [];
}
