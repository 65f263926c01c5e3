import type { Contract } from '../../contract/contract.js';
import { findExample } from '../../contract/schemas/examples.js';
import { jsonBody } from '../../contract/document/json.js';
import { isJsonMediaType } from '../../contract/media-types.js';
import type { ApiResponse } from '../../contract/message.js';
import { findResponse } from '../../contract/operations/operations.js';
import type { Operation, ResponseRule } from '../../contract/model.js';
import { sampleValue } from '../../contract/schemas/sample.js';
import type { Violation } from '../../contract/schemas/violation.js';
import { isRefusal } from './refusals.js';

/**
 * What an answer breaks: the operation's own rules, or those of the Error body where
 * no operation was found, or one that does not say what it answers with this error.
 */
export function findBrokenRules(
  response: ApiResponse,
  operation: Operation | undefined,
  { validate, errorSchemaPointer }: Contract,
): Violation[] {
  if (operation !== undefined && !isUnsaid(response, operation)) return validate.response(operation, response);
  if (response.body === undefined || errorSchemaPointer === undefined) return [];
  return validate.value(errorSchemaPointer, response.body.value);
}

function isUnsaid({ status }: ApiResponse, operation: Operation): boolean {
  return status >= 400 && (findResponse(operation, status)?.content ?? []).length === 0;
}

/**
 * A refusal of ours in the body that the contract wants for it: its example, or else a sample
 * of its schema, with as much of the Error body as has room in it. `undefined` for what is no refusal, or when
 * no such body can be made.
 */
export function fitRefusal(response: ApiResponse, operation: Operation, contract: Contract): ApiResponse | undefined {
  const rule = findResponse(operation, response.status);
  if (rule === undefined || !isRefusal(response)) return undefined;
  const judge = (value: unknown, mediaType: string): ApiResponse | undefined => {
    const headers = { ...response.headers, 'Content-Type': mediaType };
    const made = { ...response, headers, body: jsonBody(value) };
    return contract.validate.response(operation, made).length === 0 ? made : undefined;
  };
  const base = listBases(rule, contract).find(({ value, mediaType }) => judge(value, mediaType) !== undefined);
  if (base === undefined) return undefined;
  const { value, mediaType } = base;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return judge(value, mediaType);
  let fitted: Record<string, unknown> = { ...value };
  for (const [name, own] of Object.entries(response.body?.value as Record<string, unknown>)) {
    const fuller = { ...fitted, [name]: own };
    if (judge(fuller, mediaType) !== undefined) fitted = fuller;
  }
  return judge(fitted, mediaType);
}

/** What there is to begin with. */
function listBases(rule: ResponseRule, { document }: Contract): { value: unknown; mediaType: string }[] {
  const example = findExample(document, rule);
  const content = rule.content.find(({ mediaType }) => isJsonMediaType(mediaType));
  const { schemaPointer, mediaType = '' } = content ?? {};
  const sampled = schemaPointer === undefined ? [] : [{ value: sampleValue(document, schemaPointer), mediaType }];
  return [...(example === undefined ? [] : [example]), ...sampled];
}
