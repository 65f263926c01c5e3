import { printJson } from '../document/json.js';
import { asObject } from '../document/plain.js';
import { sameJson } from '../document/same-json.js';
import type { Content, Encoding, Parameter } from '../model.js';
import { fieldOf, separatorOf } from '../read-text.js';
import { writeParts, type Part } from './multipart.js';
import { FORM, MULTIPART } from './media-types.js';
import { readForm } from './read-form.js';

/** A form as it is sent, and what a server reads in it. */
export interface WrittenForm {
  text: string;
  /** With the boundary that it needs. */
  mediaType: string;
  read: Record<string, unknown>;
  /** A field of which OpenAPI does not say how a form has it, so that a server may read another value. */
  unclear: string | undefined;
}

const BOUNDARY = 'petstore-conformance-boundary';

/** A record as the form that the contract describes. */
export function writeForm(record: Readonly<Record<string, unknown>>, content: Content): WrittenForm {
  const parts = listFormParts(record, content);
  const isParts = content.mediaType === MULTIPART;
  return {
    text: isParts ? writeParts(parts, BOUNDARY) : parts.map(writePair).join('&'),
    mediaType: isParts ? `${MULTIPART}; boundary=${BOUNDARY}` : content.mediaType,
    read: readForm(parts, content),
    unclear: Object.keys(record).find((name) => !isStated(record[name], name, content)),
  };
}

/** A value as all of a query, encoded (OpenAPI 3.2.0, `in: querystring`). */
export function writeWholeQuery({ mediaType = '', shape, encoding }: Parameter, value: unknown): string {
  if (!mediaType.startsWith(FORM) || typeof value !== 'object' || value === null) return escapeText(print(value));
  const content = { mediaType, shape, schemaPointer: undefined, ...(encoding === undefined ? {} : { encoding }) };
  return listFormParts(asObject(value), content).map(writePair).join('&');
}

function writePair({ name, value, raw }: Part): string {
  const [first, last = ''] = new URLSearchParams([[name, value]]).toString().split('=');
  return `${first}=${raw ?? last}`;
}

/** The fields of a form with their texts, in the order of the record. */
export function listFormParts(record: Readonly<Record<string, unknown>>, content: Content): Part[] {
  return Object.entries(record).flatMap(([name, value]) => listParts(name, value, content));
}

/** The field that a server may not read as it was sent: `null`, and a number where a text may stand as well. */
export function findUnwritable(record: Readonly<Record<string, unknown>>, content: Content): string | undefined {
  const { read, unclear } = writeForm(record, content);
  return unclear ?? Object.keys(record).find((name) => !sameJson(read[name], record[name]));
}

/** Whether OpenAPI says how a value is written: it leaves open what is nested, and an object without an encoding. */
function isStated(value: unknown, name: string, content: Content): boolean {
  const { style, mediaType } = content.encoding?.[name] ?? {};
  // Many servers take a field without a value for one that is absent.
  if (value === null || value === '' || content.files?.includes(name) === true) return false;
  if (mediaType !== undefined && style === undefined && !TEXTS.has(mediaType)) return false;
  if (Array.isArray(value)) return value.length > 0 && style !== 'deepObject' && value.every((each) => isPlain(each));
  if (isPlain(value)) return style !== 'deepObject';
  if (content.mediaType === MULTIPART) return style === undefined;
  if (style === undefined) return mediaType === 'application/json';
  const members = Object.values(asObject(value));
  return members.length > 0 && members.every(isPlain);
}

const TEXTS = new Set(['text/plain', 'application/json']);

function isPlain(value: unknown): value is string | number | bigint | boolean {
  return value !== null && typeof value !== 'object';
}

function listParts(name: string, value: unknown, content: Content): Part[] {
  const encoding: Partial<Encoding> = content.encoding?.[name] ?? {};
  if (value === null || typeof value !== 'object') return [{ name, value: print(value) }];
  const { style = 'form', explode = style === 'form' } = encoding;
  if (Array.isArray(value)) {
    const texts = (value as unknown[]).map(print);
    if (style === 'deepObject') return texts.map((text) => ({ name: `${name}[]`, value: text }));
    return explode
      ? texts.map((text) => ({ name, value: text }))
      : [joinParts(name, texts, separatorOf({ shape: fieldOf(content.shape, name), style }), content)];
  }
  return listMembers(name, Object.entries(value), { ...encoding, explode }, content);
}

function listMembers(
  name: string,
  members: readonly (readonly [string, unknown])[],
  { style, explode }: Partial<Encoding>,
  content: Content,
): Part[] {
  if (style === 'deepObject') return members.map(([key, each]) => ({ name: `${name}[${key}]`, value: print(each) }));
  if (style === 'form' && explode === true) return members.map(([key, each]) => ({ name: key, value: print(each) }));
  if (style === 'form') return [joinParts(name, members.flatMap(([key, each]) => [key, print(each)]), ',', content)]; // prettier-ignore
  const json = { name, value: printJson(Object.fromEntries(members)) };
  return [content.mediaType === MULTIPART ? { ...json, mediaType: 'application/json' } : json];
}

/** What separates is not escaped in a URL, and so told from the same character in a text (RFC 6570 section 3.2.1). */
function joinParts(name: string, texts: readonly string[], separator: string, { mediaType }: Content): Part {
  const part = { name, value: texts.join(separator) };
  return separator !== ',' || mediaType === MULTIPART ? part : { ...part, raw: texts.map(escapeText).join(',') };
}

/** Half a surrogate pair cannot be escaped. */
function escapeText(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD'));
}

function print(value: unknown): string {
  return typeof value === 'string' ? value : printJson(value ?? null);
}
