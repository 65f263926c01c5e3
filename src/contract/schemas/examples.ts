import { escapePointer, type SourceDocument } from '../document/document.js';
import { isJsonMediaType } from '../media-types.js';
import type { ResponseRule } from '../model.js';
import { resolveAt } from '../document/references.js';

/** A body that the contract gives as an example. */
export interface Example {
  value: unknown;
  /** As the contract writes it. */
  mediaType: string;
}

/** The first example that the contract gives for a response's JSON body, or the one with a given name; `undefined` if there is none. */
export function findExample(document: SourceDocument, response: ResponseRule, name?: string): Example | undefined {
  const mediaType = findJson(document, response);
  if (mediaType === undefined) return undefined;
  const pointer = `${response.pointer}/content/${escapePointer(mediaType)}`;
  const value =
    name === undefined
      ? findFirst(document, pointer)
      : readNamed(document, `${pointer}/examples/${escapePointer(name)}`);
  return value === undefined ? undefined : { value, mediaType };
}

/** The examples that the contract gives for a response's or a request's body in a media type, or the one with a given name. */
export function listExamples(
  document: SourceDocument,
  response: Pick<ResponseRule, 'pointer'>,
  { mediaType, name }: { mediaType: string; name: string | undefined },
): unknown[] {
  const key = keysAt(document, `${response.pointer}/content`).find((each) => nameAlone(each) === mediaType);
  const pointer = resolveAt(document, `${response.pointer}/content/${escapePointer(key ?? '')}`).pointer;
  const named = `${pointer}/examples`;
  const all = (name === undefined ? keysAt(document, named) : [name]).map((each) =>
    readNamed(document, `${named}/${escapePointer(each)}`),
  );
  if (name === undefined) all.push(findFirst(document, pointer));
  return all.filter((value) => value !== undefined);
}

function nameAlone(mediaType: string): string {
  return mediaType.split(';')[0]?.trim().toLowerCase() ?? mediaType;
}

/** The names of the examples that the contract gives for a response's JSON body. */
export function listExampleNames(document: SourceDocument, response: ResponseRule): string[] {
  const mediaType = findJson(document, response);
  return mediaType === undefined
    ? []
    : keysAt(document, `${response.pointer}/content/${escapePointer(mediaType)}/examples`);
}

function findJson(document: SourceDocument, response: ResponseRule): string | undefined {
  return keysAt(document, `${response.pointer}/content`).find(isJsonMediaType);
}

function findFirst(document: SourceDocument, pointer: string): unknown {
  const named = keysAt(document, `${pointer}/examples`)
    .map((name) => readNamed(document, `${pointer}/examples/${escapePointer(name)}`))
    .find((value) => value !== undefined);
  if (named !== undefined) return named;
  const schema = resolveAt(document, `${pointer}/schema`).pointer;
  // A media type may give one example in place of named ones, and so may its schema (OpenAPI 3.1, Schema Object).
  const places = [`${pointer}/example`, `${schema}/examples/0`, `${schema}/example`];
  return places.map((place) => document.at(place)).find((value) => value !== undefined);
}

function readNamed(document: SourceDocument, pointer: string): unknown {
  if (document.at(pointer) === undefined) return undefined;
  return document.at(`${resolveAt(document, pointer).pointer}/value`);
}

function keysAt(document: SourceDocument, pointer: string): string[] {
  const value = document.at(pointer);
  return typeof value === 'object' && value !== null ? Object.keys(value) : [];
}
