import type { Contract } from '../../contract/contract.js';
import type { Acceptable } from '../../contract/media-types.js';
import { findContent, narrowMediaType, bareMediaType, isJsonMediaType } from '../../contract/media-types.js';
import type {
  ApiResponse,
  JsonBody,
  ResponseHeaders,
  Operation,
  Content,
  ResponseHeader,
  ResponseRule,
} from '../../contract/model.js';
import { findResponse } from '../../contract/operations/operations.js';
import { jsonBody, printJson, printPlain, isJsonNumber } from '../../contract/document/json.js';
import { asObject, asText } from '../../contract/document/plain.js';
import { type SourceDocument, escapePointer } from '../../contract/document/document.js';
import { createRequire } from 'node:module';
import type * as XmlBuilder from 'xmlbuilder';
import { resolveAt } from '../../contract/document/references.js';
import { readDialect } from '../../contract/schemas/dialect.js';
import { mergeSchemas, type MergedSchema } from '../../contract/schemas/merged-schema.js';
import { readText, separatorOf } from '../../contract/parameters.js';
import { sampleValue, type SampleOptions } from '../../contract/samples/sample.js';

export interface GivenAnswer {
  /** Default: the first success of the operation in the contract. */
  readonly status?: number;
  /** `Content-Type` is the contract's for this status unless it is here. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: none. */
  readonly body?: unknown;
}

const isType = (name: string): boolean => name.toLowerCase() === 'content-type';

export function writeGiven(
  { status: given, headers = {}, body }: GivenAnswer,
  operation: Operation,
  { document }: Contract,
): ApiResponse {
  const success = operation.responses.find((rule) => rule.status.startsWith('2'))?.status ?? '';
  const status = given ?? (/^\d{3}$/.test(success) ? Number(success) : 200);
  if (body === undefined) return { status, headers: { ...headers }, body: undefined };
  const documented = findResponse(operation, status)?.content ?? [];
  const named = Object.entries(headers).find(([name]) => isType(name))?.[1];
  const content = (named === undefined ? undefined : findContent(documented, named)) ?? documented[0];
  const others = Object.fromEntries(Object.entries(headers).filter(([name]) => !isType(name)));
  const mediaType = named ?? narrowMediaType(content?.mediaType ?? 'application/json', body);
  const written = writeBody(body, mediaType, { document, pointer: content?.schemaPointer, isAsWritten: true });
  return { status, headers: { 'Content-Type': named ?? written.type, ...others }, body: written.body };
}

type Described = { document: SourceDocument; pointer: string | undefined; isAsWritten?: boolean };

const BOUNDARY = 'petstore-mock-boundary';

export function writeBody(value: unknown, mediaType: string, described: Described): { body: JsonBody; type: string } {
  if (isJsonMediaType(mediaType)) return { body: jsonBody(value ?? null), type: mediaType };
  const bare = bareMediaType(mediaType);
  const isText = typeof value === 'string' && described.isAsWritten === true;
  // A text for an event stream that has no field of one is the data of an event (HTML, section 9.2.6).
  const isData = isText && bare === 'text/event-stream' && !/^(?:(?:data|event|id|retry)(?::|$)|:)/m.test(value);
  const text = isText && !isData ? value : writeText(value, bare, described);
  const boundary = isText ? (/^--(\S+)\r?\n/.exec(value)?.[1] ?? BOUNDARY) : BOUNDARY;
  const type = mediaType.startsWith('multipart/') ? `${mediaType}; boundary=${boundary}` : mediaType;
  return { body: { value, text, ...(isText ? { isAsWritten: true } : {}) }, type };
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
  if (mediaType.startsWith('multipart/')) {
    const parts = listPairs(value).map(
      ([name, text]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`,
    );
    return `${parts.join('')}--${BOUNDARY}--\r\n`;
  }
  if (mediaType !== 'text/event-stream') return printPlain(value);
  const events = Array.isArray(value) ? (value as unknown[]) : [value];
  return events.map((each) => `data: ${printPlain(each)}\n\n`).join('');
}

const listPairs = (value: unknown): [string, string][] =>
  Object.entries(asObject(value)).map(([name, each]) => [name, printPlain(each)]);

/** RFC 4180: a header line with the names of the fields, then a line for each object. */
function writeCsv(value: unknown): string {
  const rows = (Array.isArray(value) ? (value as unknown[]) : [value]).map(asObject);
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const quote = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = [
    names,
    ...rows.map((row) => names.map((name) => (row[name] === undefined ? '' : printPlain(row[name])))),
  ];
  return lines.map((line) => line.map(quote).join(',')).join('\r\n');
}

type XmlElement = XmlBuilder.XMLElement;

/** `nodeType` of OpenAPI 3.2, for which earlier versions have `attribute` and `wrapped`. */
const KINDS = ['element', 'attribute', 'text', 'cdata', 'none'] as const;

interface XmlNode {
  name: string;
  kind: (typeof KINDS)[number];
  prefix: string | undefined;
  namespace: string | undefined;
}

type SchemasOf = { document: SourceDocument; pointers: readonly string[] };
type Declared = Readonly<Record<string, string>>;

/** A value as XML (OpenAPI 3.0.4 and 3.2.0, XML Object); a prefix is declared where it is first used. */
function writeXml(value: unknown, document: SourceDocument, pointer: string | undefined): string {
  const described = chooseAlternatives({ document, pointers: pointer === undefined ? [] : [pointer] }, value);
  const isList = Array.isArray(value);
  const component = nameComponent(described);
  const node = describeNode(described, component ?? 'root', isList);
  // Few contracts have XML, and loading its thirty files at each start would slow every user down.
  const { create } = createRequire(import.meta.url)('xmlbuilder') as typeof XmlBuilder;
  const root = create(node.name);
  const declared = declare(root, node, {});
  const hasOwnName = node.name !== (component ?? 'root');
  const itemName = hasOwnName ? node.name : (nameComponent(findInside(described, undefined)) ?? 'item');
  writeInside(root, value, described, { itemName, declared });
  return root.end();
}

function writeInside(
  element: XmlElement,
  value: unknown,
  described: SchemasOf,
  { itemName, declared }: { itemName: string; declared: Declared },
): void {
  if (Array.isArray(value)) {
    const items = findInside(described, undefined);
    for (const item of value as unknown[]) writeMember(element, item, items, { name: itemName, declared });
    return;
  }
  if (typeof value !== 'object' || value === null) return void element.txt(printPlain(value ?? ''));
  for (const [name, each] of Object.entries(value))
    writeMember(element, each, findInside(described, name), { name, declared });
}

function writeMember(
  parent: XmlElement,
  value: unknown,
  place: SchemasOf,
  { name, declared }: { name: string; declared: Declared },
): void {
  const described = chooseAlternatives(place, value);
  const node = describeNode(described, name, Array.isArray(value));
  if (node.kind === 'attribute') {
    if (node.prefix !== undefined) declare(parent, node, declared);
    return void parent.att(node.name, printPlain(value));
  }
  if (node.kind === 'text') return void parent.txt(printPlain(value ?? ''));
  if (node.kind === 'cdata') return void parent.cdata(printPlain(value ?? ''));
  if (node.kind === 'none') return writeInside(parent, value, described, { itemName: node.name, declared });
  const element = parent.ele(node.name);
  writeInside(element, value, described, { itemName: node.name, declared: declare(element, node, declared) });
}

function declare(element: XmlElement, { prefix = '', namespace }: XmlNode, declared: Declared): Declared {
  if (namespace === undefined || declared[prefix] === namespace) return declared;
  element.att(prefix === '' ? 'xmlns' : `xmlns:${prefix}`, namespace);
  return { ...declared, [prefix]: namespace };
}

function describeNode(described: SchemasOf, key: string, isList: boolean): XmlNode {
  const { parts } = merge(described);
  const xml = Object.assign({}, ...parts.map(({ schema }) => asObject(schema['xml'])).toReversed()) as object;
  const { name, prefix, namespace, attribute, wrapped, nodeType } = xml as Record<string, unknown>;
  const isElement = !isList || wrapped === true;
  const [ownPrefix, local] = [asText(prefix), toXmlName(asText(name) ?? key)];
  return {
    name: ownPrefix === undefined || local.includes(':') ? local : `${ownPrefix}:${local}`,
    kind:
      KINDS.find((each) => each === nodeType) ?? (attribute === true ? 'attribute' : isElement ? 'element' : 'none'),
    prefix: ownPrefix,
    namespace: asText(namespace),
  };
}

function findInside(described: SchemasOf, name: string | undefined): SchemasOf {
  const { items, properties, additional = [] } = merge(described);
  return { ...described, pointers: name === undefined ? items : (properties.get(name) ?? additional) };
}

function chooseAlternatives(described: SchemasOf, value: unknown, depth = 0): SchemasOf {
  const names = Object.keys(Object(value) as object);
  const count = (pointer: string): number => {
    const { properties } = merge({ ...described, pointers: [pointer] });
    return names.filter((name) => properties.has(name)).length;
  };
  const first = merge(described).choices.find((list) => !list.some((each) => described.pointers.includes(each)));
  if (first === undefined || depth > MOST_DEEP) return described;
  const chosen = first.toSorted((one, other) => count(other) - count(one))[0] ?? '';
  return chooseAlternatives({ ...described, pointers: [...described.pointers, chosen] }, value, depth + 1);
}

const MOST_DEEP = 4;

const merge = ({ document, pointers }: SchemasOf): MergedSchema =>
  mergeSchemas(document, readDialect(document.root), pointers);

function nameComponent({ document, pointers }: SchemasOf): string | undefined {
  const names = pointers.map((each) => /\/components\/schemas\/([^/]+)$/.exec(resolveAt(document, each).pointer)?.[1]);
  const name = names.find((each) => each !== undefined);
  return name === undefined ? undefined : toXmlName(name);
}

function toXmlName(name: string): string {
  const cleaned = name.replace(/[^\w.:-]/g, '_');
  return /^[A-Za-z_]/.test(cleaned) ? cleaned : `_${cleaned}`;
}

const NOT_OURS = /^(?:content-type|deprecation|sunset)$/i;

/** What no header field may hold (RFC 9110 section 5.5). */
export const UNSENDABLE: RegExp = /[^\t\u0020-\u007E\u0080-\u00FF]/g;

export function sampleHeaders(contract: Contract, { headers }: ResponseRule, options: SampleOptions): ResponseHeaders {
  const made: ResponseHeaders = {};
  for (const header of headers) {
    if (NOT_OURS.test(header.name) || (!header.required && OF_TRANSFER.test(header.name))) continue;
    const value = findValue(contract, header, options);
    if (value !== undefined) made[header.name] = value.replace(UNSENDABLE, '?');
  }
  return made;
}

function findValue(contract: Contract, header: ResponseHeader, options: SampleOptions): string | undefined {
  const { document, validate } = contract;
  const { schemaPointer, required, style, pointer } = header;
  const sampled = schemaPointer === undefined ? undefined : sampleValue(document, schemaPointer, options);
  const isRight = (value: unknown): boolean =>
    value !== undefined && (schemaPointer === undefined || validate.value(schemaPointer, value).length === 0);
  const anything = style === 'json' ? {} : 'string';
  for (const { value, text } of listHeaderExamples(document, pointer)) {
    if (text === undefined && isRight(value)) return printField(value, header);
    // Documents write a value as it is sent, too: `'4,5'` for a list.
    const sent = text ?? value;
    if (typeof sent === 'string' && isRight(readText(sent, header))) return sent;
  }
  if (isRight(sampled)) return printField(sampled, header);
  return required ? printField(sampled ?? anything, header) : undefined;
}

function listHeaderExamples(document: SourceDocument, pointer: string): { value: unknown; text: string | undefined }[] {
  const [mediaType] = Object.keys(asObject(document.at(`${pointer}/content`)));
  const places = [pointer, ...(mediaType === undefined ? [] : [`${pointer}/content/${escapePointer(mediaType)}`])];
  return places.flatMap((place) => {
    const { value, pointer: at } = resolveAt(document, place);
    const { example, examples } = asObject(value);
    const named = Object.keys(asObject(examples)).map((name) => {
      // OpenAPI 3.2.0, Example Object.
      const shown = asObject(resolveAt(document, `${at}/examples/${escapePointer(name)}`).value);
      return { value: shown['value'] ?? shown['dataValue'], text: asText(shown['serializedValue']) };
    });
    const single: (typeof named)[number] = { value: example, text: undefined };
    return [single].concat(named);
  });
}

/** As JSON, or in style simple: a list, or the names and values of an object, with commas (OpenAPI 3.0.4, Style Values), or as Swagger 2.0 says. */
function printField(value: unknown, header: ResponseHeader): string {
  const { style, explode } = header;
  const escape = (each: string): string => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`;
  if (style === 'json') return printJson(value ?? null).replace(/[^\u0020-\u007E]/g, escape);
  if (Array.isArray(value)) return value.map(printPlain).join(separatorOf(header));
  if (typeof value !== 'object' || value === null || isJsonNumber(value)) return printPlain(value);
  const members = Object.entries(value).map(([name, each]) => [name, printPlain(each)].join(explode ? '=' : ','));
  return members.join(',');
}

/** What says how a message is transferred (RFC 9110 sections 7.6.1, 8.4 and 8.6; RFC 9112 sections 6, 7 and 9). */
export const OF_TRANSFER: RegExp =
  /^(?:content-(?:length|encoding)|transfer-encoding|connection|proxy-connection|keep-alive|te|trailer|upgrade)$/i;
