import type { Contract } from '../../contract/contract.js';
import { escapePointer, type SourceDocument } from '../../contract/document/document.js';
import { printJson } from '../../contract/document/json.js';
import { asObject } from '../../contract/document/plain.js';
import { resolveAt } from '../../contract/document/references.js';
import { isJsonNumber } from '../../contract/numbers/decimal.js';
import type { ResponseHeaders } from '../../contract/message.js';
import type { ResponseHeader, ResponseRule } from '../../contract/model.js';
import { separatorOf } from '../../contract/read-text.js';
import { sampleValue } from '../../contract/samples/sample.js';
import type { SampleOptions } from '../../contract/samples/sampling.js';
import { OF_TRANSFER } from './transfer-fields.js';

/** The transport sets the media type, and the mock the fields about the removal of an operation. */
const NOT_OURS = /^(?:content-type|deprecation|sunset)$/i;

/** What no header field may hold (RFC 9110 section 5.5). */
const UNSENDABLE = /[^\t\u0020-\u007E\u0080-\u00FF]/g;

/** The header fields that the contract describes for an answer. */
export function sampleHeaders(contract: Contract, { headers }: ResponseRule, options: SampleOptions): ResponseHeaders {
  const made: ResponseHeaders = {};
  for (const header of headers) {
    if (NOT_OURS.test(header.name) || (!header.required && OF_TRANSFER.test(header.name))) continue;
    const value = findValue(contract, header, options);
    if (value !== undefined) made[header.name] = printField(value, header).replace(UNSENDABLE, '?');
  }
  return made;
}

function findValue(contract: Contract, header: ResponseHeader, options: SampleOptions): unknown {
  const { document, validate } = contract;
  const { schemaPointer, required, style, pointer } = header;
  const sampled = schemaPointer === undefined ? undefined : sampleValue(document, schemaPointer, options);
  const isRight = (value: unknown): boolean =>
    value !== undefined && (schemaPointer === undefined || validate.value(schemaPointer, value).length === 0);
  const anything = style === 'json' ? {} : 'string';
  return (
    [...listHeaderExamples(document, pointer), sampled].find(isRight) ?? (required ? (sampled ?? anything) : undefined)
  );
}

/** Those of the header object, and of its content. */
function listHeaderExamples(document: SourceDocument, pointer: string): unknown[] {
  const [mediaType] = Object.keys(asObject(document.at(`${pointer}/content`)));
  const places = [pointer, ...(mediaType === undefined ? [] : [`${pointer}/content/${escapePointer(mediaType)}`])];
  return places.flatMap((place) => {
    const { value, pointer: at } = resolveAt(document, place);
    const { example, examples } = asObject(value);
    const named = Object.keys(asObject(examples)).map((name) => `${at}/examples/${escapePointer(name)}`);
    return [example].concat(named.map((each) => document.at(`${resolveAt(document, each).pointer}/value`)));
  });
}

/** As JSON, or in style simple: a list, or the names and values of an object, with commas (OpenAPI 3.0.4, Style Values), or as Swagger 2.0 says. */
function printField(value: unknown, header: ResponseHeader): string {
  const { style, explode } = header;
  if (style === 'json')
    return printJson(value ?? null).replace(
      /[^\u0020-\u007E]/g,
      (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
  const print = (each: unknown): string => (typeof each === 'string' ? each : printJson(each ?? null));
  if (Array.isArray(value)) return value.map(print).join(separatorOf(header));
  if (typeof value !== 'object' || value === null || isJsonNumber(value)) return print(value);
  const members = Object.entries(value).map(([name, each]) => [name, print(each)].join(explode ? '=' : ','));
  return members.join(',');
}
