import type { Contract } from '../../contract/contract.js';
import { asObject } from '../../contract/document/plain.js';
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
  const { schemaPointer, required } = header;
  const { example, examples } = asObject(contract.document.at(header.pointer));
  const named = asObject(Object.values(asObject(examples))[0])['value'];
  const sampled = schemaPointer === undefined ? undefined : sampleValue(contract.document, schemaPointer, options);
  const isRight = (value: unknown): boolean =>
    value !== undefined && (schemaPointer === undefined || contract.validate.value(schemaPointer, value).length === 0);
  return [example, named, sampled].find(isRight) ?? (required ? (sampled ?? 'string') : undefined);
}

/** A list, or the names and values of an object, with commas (OpenAPI 3.1.1, style simple), or as Swagger 2.0 says. */
function printField(value: unknown, header: ResponseHeader): string {
  if (Array.isArray(value)) return value.map(String).join(separatorOf(header));
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flat().map(String).join(',')
    : String(value);
}
