import type { Contract } from '../../contract/contract.js';
import { escapePointer, type SourceDocument } from '../../contract/document/document.js';
import { printJson } from '../../contract/document/json.js';
import { asObject, asText } from '../../contract/document/plain.js';
import { resolveAt } from '../../contract/document/references.js';
import { isJsonNumber } from '../../contract/numbers/decimal.js';
import type { ResponseHeaders } from '../../contract/message.js';
import type { ResponseHeader, ResponseRule } from '../../contract/model.js';
import { readText, separatorOf } from '../../contract/read-text.js';
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
    if (value !== undefined) made[header.name] = value.replace(UNSENDABLE, '?');
  }
  return made;
}

/** The text of a field. */
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

/** Those of the header object, and of its content. */
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
