// RFC 7578: the parts of a `multipart/form-data` body.
import { createRequire } from 'node:module';
import type * as Multipasta from 'multipasta';
import { isJsonMediaType, readParameterized } from '../media-types.js';
import type { Content } from '../model.js';
import type { QueryPair } from '../query-pairs.js';
import { MULTIPART } from './media-types.js';

/** A part that was sent. A file has its bytes as characters up to U+00FF, so that its length is in octets (OpenAPI 3.1.1, Working with Binary Data). */
export interface SentPart extends QueryPair {
  /** By names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** Of the part's own `Content-Type`; of a file without one `application/octet-stream`; else `undefined`. */
  mediaType: string | undefined;
  /** Whether it has a file name. */
  isFile: boolean;
}

export type PartsReading = { ok: true; parts: SentPart[] } | { ok: false; problem: string };

/**
 * The parts of a multipart body, or why it is none: without a boundary (RFC 2046 section 5.1.1), without its last
 * delimiter, or with a part of a form that has no name (RFC 7578 section 4.2).
 */
export function readParts(body: Uint8Array, contentType: string, content: Content | undefined): PartsReading {
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
    onField({ headers }, bytes) {
      const part = readPart(headers, bytes, content);
      if (part === undefined) note('has no name');
      else parts.push(part);
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

function readPart(
  fields: Readonly<Record<string, string | string[]>>,
  bytes: Uint8Array,
  content: Content | undefined,
): SentPart | undefined {
  const headers = Object.fromEntries(Object.entries(fields).map(([name, each]) => [name, [each].flat().join(', ')]));
  // The parser takes no character past U+00FF in a file name.
  const { parameters } = readParameterized(headers['content-disposition'] ?? '');
  if (parameters['name'] === undefined) return undefined;
  const name = unescape(parameters['name']);
  const isFile = parameters['filename'] !== undefined || parameters['filename*'] !== undefined;
  const mediaType = headers['content-type'] ?? (isFile ? 'application/octet-stream' : undefined);
  const isBytes = isFile && content?.files?.includes(name) === true;
  const value = Buffer.from(bytes).toString(isBytes ? 'latin1' : 'utf8');
  const isJson = mediaType !== undefined && isJsonMediaType(mediaType);
  return { name, value, headers, mediaType, isFile, ...(isJson ? { isJson } : {}) };
}

/** A part to be written. */
export interface Part extends QueryPair {
  mediaType?: string;
}

export function writeParts(parts: readonly Part[], boundary: string): string {
  const written = parts.map(({ name, value, mediaType }) => {
    const type = mediaType === undefined ? '' : `\r\nContent-Type: ${mediaType}`;
    return `--${boundary}\r\nContent-Disposition: form-data; name="${escape(name)}"${type}\r\n\r\n${value}\r\n`;
  });
  return `${written.join('')}--${boundary}--\r\n`;
}

/** As browsers write names (HTML, Multipart form data). */
function escape(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function unescape(name: string): string {
  return name.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n');
}
