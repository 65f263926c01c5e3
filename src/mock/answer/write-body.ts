import { jsonBody, printJson } from '../../contract/document/json.js';
import { asObject } from '../../contract/document/plain.js';
import type { SourceDocument } from '../../contract/document/document.js';
import { bareMediaType, isJsonMediaType, type Acceptable } from '../../contract/media-types.js';
import type { Content } from '../../contract/model.js';
import type { JsonBody } from '../../contract/message.js';
import { writeXml } from './write-xml.js';

/** Where the schema of a value stands. */
interface Described {
  document: SourceDocument;
  pointer: string | undefined;
  /** Whether a text is the body itself rather than the value that the schema describes. Default: `false`. */
  isAsWritten?: boolean;
}

const BOUNDARY = 'petstore-mock-boundary';

/** A value as the body of a media type, with the media type and the parameters that it needs. */
export function writeBody(value: unknown, mediaType: string, described: Described): { body: JsonBody; type: string } {
  if (isJsonMediaType(mediaType)) return { body: jsonBody(value ?? null), type: mediaType };
  const bare = bareMediaType(mediaType);
  const isText = typeof value === 'string' && described.isAsWritten === true;
  const text = isText && !isBareEvent(value, bare) ? value : writeText(value, bare, described);
  const boundary = isText ? (/^--(\S+)\r?\n/.exec(value)?.[1] ?? BOUNDARY) : BOUNDARY;
  const type = mediaType.startsWith('multipart/') ? `${mediaType}; boundary=${boundary}` : mediaType;
  return { body: { value, text, ...(isText ? { isAsWritten: true } : {}) }, type };
}

/** Whether a text for an event stream has no field of one, so that it is the data of an event (HTML, section 9.2.6). */
function isBareEvent(text: string, mediaType: string): boolean {
  return mediaType === 'text/event-stream' && !/^(?:(?:data|event|id|retry)(?::|$)|:)/m.test(text);
}

/** Whether anybody can read the content as what `Accept` chose: nobody sees an object or a list in a picture, although a range allows one. */
export function canBeWritten({ content: { shape, mediaType: key }, mediaType }: Acceptable<Content>): boolean {
  const isNested = shape.types.includes('object') || shape.types.includes('array');
  return key === mediaType || !isNested || !/^(?:image|audio|video|font)\//.test(mediaType);
}

function writeText(value: unknown, mediaType: string, described: Described): string {
  if (/\bxml$/.test(mediaType)) return writeXml(value, described.document, described.pointer);
  if (typeof value === 'string') return mediaType === 'text/event-stream' ? `data: ${value}\n\n` : value;
  if (mediaType === 'text/csv') return writeCsv(value);
  if (mediaType === 'application/x-www-form-urlencoded') return String(new URLSearchParams(listPairs(value)));
  if (mediaType.startsWith('multipart/')) return writeParts(value);
  const events = Array.isArray(value) ? (value as unknown[]) : [value];
  return mediaType === 'text/event-stream' ? events.map((each) => `data: ${print(each)}\n\n`).join('') : print(value);
}

function print(value: unknown): string {
  return typeof value === 'string' ? value : printJson(value ?? null);
}

function listPairs(value: unknown): [string, string][] {
  return Object.entries(asObject(value)).map(([name, each]) => [name, print(each)]);
}

function writeParts(value: unknown): string {
  const parts = listPairs(value).map(
    ([name, text]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`,
  );
  return `${parts.join('')}--${BOUNDARY}--\r\n`;
}

/** RFC 4180: a header line with the names of the fields, then a line for each object. */
function writeCsv(value: unknown): string {
  const rows = (Array.isArray(value) ? (value as unknown[]) : [value]).map(asObject);
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const quote = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = [names, ...rows.map((row) => names.map((name) => (row[name] === undefined ? '' : print(row[name]))))];
  return lines.map((line) => line.map(quote).join(',')).join('\r\n');
}
