import { createRequire } from 'node:module';
import type * as XmlBuilder from 'xmlbuilder';
import { jsonBody, printJson } from '../../contract/document/json.js';
import { asObject, asText } from '../../contract/document/plain.js';
import { resolveAt } from '../../contract/document/references.js';
import { escapePointer, type SourceDocument } from '../../contract/document/document.js';
import { isJsonMediaType } from '../../contract/media-types.js';
import type { JsonBody } from '../../contract/message.js';

/** Where the schema of a value stands. */
interface Described {
  document: SourceDocument;
  pointer: string | undefined;
}

const BOUNDARY = 'petstore-mock-boundary';

/** A value as the body of a media type, with the media type and the parameters that it needs. */
export function writeBody(value: unknown, mediaType: string, described: Described): { body: JsonBody; type: string } {
  if (isJsonMediaType(mediaType)) return { body: jsonBody(value ?? null), type: mediaType };
  const type = mediaType.startsWith('multipart/') ? `${mediaType}; boundary=${BOUNDARY}` : mediaType;
  return { body: { value, text: writeText(value, mediaType, described) }, type };
}

/** A concrete media type to send for a range. */
export function narrowMediaType(range: string, value: unknown): string {
  if (!range.includes('*')) return range;
  const kind = range.split('/')[0] ?? '*';
  if (kind === '*' || kind === 'application')
    return typeof value === 'string' && kind === 'application' ? 'application/octet-stream' : 'application/json';
  return KINDS[kind] ?? `${kind}/plain`;
}

const KINDS: Readonly<Record<string, string>> = {
  image: 'image/png',
  audio: 'audio/mpeg',
  video: 'video/mp4',
  multipart: 'multipart/form-data',
};

function writeText(value: unknown, mediaType: string, described: Described): string {
  if (typeof value === 'string') return mediaType === 'text/event-stream' ? `data: ${value}\n\n` : value;
  if (/\bxml$/.test(mediaType)) return writeXml(value, described);
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

type XmlElement = XmlBuilder.XMLElement;

/** As the schema's `xml` objects say (OpenAPI 3.1.1, XML Object). */
function writeXml(value: unknown, { document, pointer = '' }: Described): string {
  const name =
    describeXml(document, pointer).name ??
    /\/components\/schemas\/([^/]+)$/.exec(resolveAt(document, pointer).pointer)?.[1];
  // Few contracts have XML, and loading its thirty files at each start would slow every user down.
  const { create } = createRequire(import.meta.url)('xmlbuilder') as typeof XmlBuilder;
  const root = create(toXmlName(name ?? 'root'));
  fill(root, value, { document, pointer }, 'item');
  return root.end();
}

function fill(element: XmlElement, value: unknown, { document, pointer = '' }: Described, itemName: string): void {
  const at = resolveAt(document, pointer).pointer;
  if (Array.isArray(value)) {
    for (const item of value as unknown[]) {
      const name = describeXml(document, `${at}/items`).name ?? itemName;
      fill(element.ele(toXmlName(name)), item, { document, pointer: `${at}/items` }, 'item');
    }
    return;
  }
  if (typeof value !== 'object' || value === null) return void element.txt(print(value ?? ''));
  for (const [key, each] of Object.entries(value)) {
    const inside = `${at}/properties/${escapePointer(key)}`;
    const { name = key, attribute, wrapped } = describeXml(document, inside);
    if (attribute === true) element.att(toXmlName(name), print(each));
    else if (Array.isArray(each) && wrapped !== true) fill(element, each, { document, pointer: inside }, name);
    else fill(element.ele(toXmlName(name)), each, { document, pointer: inside }, key);
  }
}

function describeXml(
  document: SourceDocument,
  pointer: string,
): { name?: string; attribute?: unknown; wrapped?: unknown } {
  const { name, attribute, wrapped, prefix } = asObject(asObject(resolveAt(document, pointer).value)['xml']);
  const own = asText(name);
  return {
    ...(own === undefined ? {} : { name: typeof prefix === 'string' ? `${prefix}:${own}` : own }),
    attribute,
    wrapped,
  };
}

function toXmlName(name: string): string {
  const cleaned = name.replace(/[^\w.:-]/g, '_');
  return /^[A-Za-z_]/.test(cleaned) ? cleaned : `_${cleaned}`;
}
