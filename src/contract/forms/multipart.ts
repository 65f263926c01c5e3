// RFC 7578: the parts of a `multipart/form-data` body.
import type { QueryPair } from '../query-pairs.js';

/** The fields of a body with their texts; `undefined` if it has files, or parts in a form that nobody here reads. */
export function readParts(body: Uint8Array, contentType: string | undefined): QueryPair[] | undefined {
  const boundary = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType ?? '');
  if (boundary === null) return undefined;
  const text = Buffer.from(body).toString('utf8');
  const [before, ...parts] = `\r\n${text}`.split(`\r\n--${boundary[1] ?? boundary[2] ?? ''}`);
  if (before === undefined || parts.at(-1)?.startsWith('--') !== true) return undefined;
  const pairs = parts.slice(0, -1).map(readPart);
  return pairs.every((pair) => pair !== undefined) ? pairs : undefined;
}

function readPart(part: string): QueryPair | undefined {
  const end = part.indexOf('\r\n\r\n');
  const head = part.slice(0, end);
  const type = /^content-type:\s*([^\s;]+)/im.exec(head)?.[1]?.toLowerCase() ?? 'text/plain';
  const name = /^content-disposition:\s*form-data\b[^\r\n]*;\s*name="((?:[^"\\]|\\.)*)"/im.exec(head)?.[1];
  const isText = type === 'text/plain' || type === 'application/json';
  if (end === -1 || name === undefined || !isText || /;\s*filename\*?=/i.test(head)) return undefined;
  return { name: unescape(name), value: part.slice(end + 4) };
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
