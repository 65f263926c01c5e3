import type * as Multipasta from 'multipasta';
import { groupBy, asObject, defined } from './document/plain.js';
import { parseJson, printJson, printPlain, sameJson } from './document/json.js';
import type { Content, Encoding, Parameter } from './model.js';
import type { QueryPair, SentValue } from './parameters.js';
import { listStyled, sentInPairs, fieldOf, readAs, sentText, separatorOf } from './parameters.js';
import { FORM, MULTIPART, isJsonMediaType, readParameterized } from './media-types.js';
import { createRequire } from 'node:module';

/** A repeated field is a list (OpenAPI 3.1.1, Encoding Object: `form`, exploded), unless `encoding` says otherwise. */
export function readForm(pairs: readonly QueryPair[], content: Content | undefined): Record<string, unknown> {
  const { sent, rest } = sentInPairs(content === undefined ? [] : listStyled(content), pairs);
  const plain = [...groupBy(rest, ({ name }) => name)].map(([name, same]) => [name, sentPlain(same, content)] as const);
  return asObject(readAs({ members: () => [...plain, ...sent] }, content?.shape ?? { types: [] }));
}

export const findTooDeep = (pairs: readonly QueryPair[], content: Content | undefined): string | undefined =>
  sentInPairs(content === undefined ? [] : listStyled(content), pairs).tooDeep[0];

function sentPlain(same: readonly QueryPair[], content: Content | undefined): SentValue {
  const [{ name, value: first, isJson } = { name: '', value: '' }] = same;
  const isFile = content?.files?.includes(name) === true;
  // Where the contract names no type, the sender may.
  const isFree = fieldOf(content?.shape ?? { types: [] }, name).types.length === 0;
  if (isJson === true && !isFile && isFree) return sentText(first, { style: 'json' });
  return {
    ...sentText(first, {}),
    list() {
      const parsed = same.length === 1 && first.startsWith('[') && !isFile ? parseJson(first) : undefined;
      if (parsed?.ok === true && Array.isArray(parsed.value)) return parsed.value.map((value) => ({ json: { value } }));
      return same.map(({ value }) => sentText(value, {}));
    },
  };
}

const BOUNDARY = 'petstore-conformance-boundary';

export function writeForm(
  record: Readonly<Record<string, unknown>>,
  content: Content,
): { text: string; mediaType: string; read: Record<string, unknown>; unclear: string | undefined } {
  const parts = listFormParts(record, content);
  const read = readForm(parts, content);
  // A field of which OpenAPI does not say how a form has it, so that a server may read another value.
  const unclear = Object.keys(record).find((name) => !isStated(record[name], name, content));
  if (content.mediaType !== MULTIPART)
    return { text: parts.map(writePair).join('&'), mediaType: content.mediaType, read, unclear };
  const written = parts.map(({ name, value, mediaType }) => {
    const type = mediaType === undefined ? '' : `\r\nContent-Type: ${mediaType}`;
    // As browsers write names (HTML, Multipart form data).
    const escaped = name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
    return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${escaped}"${type}\r\n\r\n${value}\r\n`;
  });
  const text = `${written.join('')}--${BOUNDARY}--\r\n`;
  return { text, mediaType: `${MULTIPART}; boundary=${BOUNDARY}`, read, unclear };
}

/** A value as all of a query, encoded (OpenAPI 3.2.0, `in: querystring`). */
export function writeWholeQuery({ mediaType = '', shape, encoding }: Parameter, value: unknown): string {
  if (!mediaType.startsWith(FORM) || typeof value !== 'object' || value === null) return escapeText(printPlain(value));
  const content = { mediaType, shape, schemaPointer: undefined, ...defined({ encoding }) };
  return listFormParts(asObject(value), content).map(writePair).join('&');
}

function writePair({ name, value, raw }: Part): string {
  const [first, last = ''] = new URLSearchParams([[name, value]]).toString().split('=');
  return `${first}=${raw ?? last}`;
}

export function listFormParts(record: Readonly<Record<string, unknown>>, content: Content): Part[] {
  return Object.entries(record).flatMap(([name, value]) => {
    if (value === null || typeof value !== 'object') return [{ name, value: printPlain(value) }];
    const { style, explode = (style ?? 'form') === 'form' }: Partial<Encoding> = content.encoding?.[name] ?? {};
    if (Array.isArray(value)) {
      const texts = (value as unknown[]).map(printPlain);
      if (style === 'deepObject' || explode)
        return texts.map((text) => ({ name: style === 'deepObject' ? `${name}[]` : name, value: text }));
      return [
        joinParts(name, texts, separatorOf({ shape: fieldOf(content.shape, name), style: style ?? 'form' }), content),
      ];
    }
    const members = Object.entries(value).map(([key, each]) => [key, printPlain(each)] as const);
    if (style === 'deepObject') return members.map(([key, text]) => ({ name: `${name}[${key}]`, value: text }));
    if (style === 'form' && explode) return members.map(([key, text]) => ({ name: key, value: text }));
    if (style === 'form') return [joinParts(name, members.flat(), ',', content)];
    const json = { name, value: printJson(value) };
    return [content.mediaType === MULTIPART ? { ...json, mediaType: 'application/json' } : json];
  });
}

export function findUnwritable(record: Readonly<Record<string, unknown>>, content: Content): string | undefined {
  const { read, unclear } = writeForm(record, content);
  return unclear ?? Object.keys(record).find((name) => !sameJson(read[name], record[name]));
}

/** Whether OpenAPI says how a value is written: it leaves open what is nested, and an object without an encoding. */
function isStated(value: unknown, name: string, content: Content): boolean {
  const { style, mediaType } = content.encoding?.[name] ?? {};
  // Many servers take a field without a value for one that is absent.
  if (value === null || value === '' || content.files?.includes(name) === true) return false;
  if (style === undefined && !/^(?:text\/plain|application\/json)$/.test(mediaType ?? 'text/plain')) return false;
  if (Array.isArray(value)) return value.length > 0 && style !== 'deepObject' && value.every((each) => isPlain(each));
  if (isPlain(value)) return style !== 'deepObject';
  if (content.mediaType === MULTIPART) return style === undefined;
  if (style === undefined) return mediaType === 'application/json';
  const members = Object.values(asObject(value));
  return members.length > 0 && members.every(isPlain);
}

const isPlain = (value: unknown): value is string | number | bigint | boolean =>
  value !== null && typeof value !== 'object';

/** What separates is not escaped in a URL, and so told from the same character in a text (RFC 6570 section 3.2.1). */
function joinParts(name: string, texts: readonly string[], separator: string, { mediaType }: Content): Part {
  const part = { name, value: texts.join(separator) };
  return separator !== ',' || mediaType === MULTIPART ? part : { ...part, raw: texts.map(escapeText).join(',') };
}

const escapeText = (text: string): string => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD'));
// RFC 7578: the parts of a `multipart/form-data` body.

/** A file has its bytes as characters up to U+00FF, so that its length is in octets (OpenAPI 3.1.1, Binary Data). */
export interface SentPart extends QueryPair {
  headers: Readonly<Record<string, string>>;
  /** Of the part's own `Content-Type`; of a file without one `application/octet-stream`; else `undefined`. */
  mediaType: string | undefined;
  isFile: boolean;
}

/** The parts of a multipart body, or why it is none (RFC 2046 section 5.1.1, RFC 7578 section 4.2). */
export function readParts(
  body: Uint8Array,
  contentType: string,
  content: Content | undefined,
): { ok: true; parts: SentPart[] } | { ok: false; problem: string } {
  const { value: type, parameters } = readParameterized(contentType);
  const boundary = parameters['boundary'];
  if (boundary === undefined || boundary === '')
    return { ok: false, problem: `the Content-Type ${contentType} has no boundary` };
  // Few requests have parts, and loading this at each start would slow every user down.
  const { make } = createRequire(import.meta.url)('multipasta') as typeof Multipasta;
  const parts: SentPart[] = [];
  let problem: string | undefined;
  let isWhole = false;
  // In other multipart bodies a part needs no header field (RFC 2046 section 5.1).
  const note = (fault: string): void => {
    if (type === MULTIPART) problem ??= `part ${parts.length + 1} ${fault}`;
  };
  const parser = make({
    headers: { 'content-type': `${type}; boundary="${boundary}"` },
    isFile: () => false,
    maxFieldSize: Infinity,
    onFile: () => () => {},
    onField({ headers: fields }, bytes) {
      const headers = Object.fromEntries(
        Object.entries(fields).map(([name, each]) => [name, [each].flat().join(', ')] as const),
      );
      // The parser takes no character past U+00FF in a file name.
      const { parameters: disposition } = readParameterized(headers['content-disposition'] ?? '');
      const { name: written, filename, 'filename*': encoded } = disposition;
      if (written === undefined) return note('has no name');
      const name = written.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n');
      const isFile = filename !== undefined || encoded !== undefined;
      const mediaType = headers['content-type'] ?? (isFile ? 'application/octet-stream' : undefined);
      const isBytes = isFile && content?.files?.includes(name) === true;
      const value = Buffer.from(bytes).toString(isBytes ? 'latin1' : 'utf8');
      const isJson = mediaType !== undefined && isJsonMediaType(mediaType);
      parts.push({ name, value, headers, mediaType, isFile, ...(isJson ? { isJson } : {}) });
    },
    onError({ _tag: tag }) {
      if (tag === 'BadHeaders') note('has no header fields, or malformed ones');
      if (tag === 'InvalidDisposition') note('has no name');
    },
    onDone() {
      isWhole = true;
    },
  });
  try {
    parser.write(body);
    parser.end();
  } catch (error) {
    // A file name with a bad escape.
    problem ??= error instanceof Error ? error.message : String(error);
  }
  problem ??= isWhole ? undefined : `the body does not end with the delimiter --${boundary}--`;
  return problem === undefined ? { ok: true, parts } : { ok: false, problem };
}

export interface Part extends QueryPair {
  mediaType?: string;
}
