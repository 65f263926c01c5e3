import type { Contract } from '../../contract/contract.js';
import { findContent, narrowMediaType } from '../../contract/media-types.js';
import type { ApiResponse } from '../../contract/message.js';
import type { Operation } from '../../contract/model.js';
import { findResponse } from '../../contract/operations/operations.js';
import { writeBody } from './write-body.js';

/** An answer as a user gives it. */
export interface GivenAnswer {
  /** Default: the first success of the operation in the contract. */
  readonly status?: number;
  /** `Content-Type` is the contract's for this status unless it is here. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: none. */
  readonly body?: unknown;
}

const isType = (name: string): boolean => name.toLowerCase() === 'content-type';

/** The response that a user's answer stands for. */
export function writeGiven(
  { status: given, headers = {}, body }: GivenAnswer,
  operation: Operation,
  { document }: Contract,
): ApiResponse {
  const status = given ?? findSuccess(operation);
  if (body === undefined) return { status, headers: { ...headers }, body: undefined };
  const documented = findResponse(operation, status)?.content ?? [];
  const named = Object.entries(headers).find(([name]) => isType(name))?.[1];
  const content = (named === undefined ? undefined : findContent(documented, named)) ?? documented[0];
  const others = Object.fromEntries(Object.entries(headers).filter(([name]) => !isType(name)));
  const mediaType = named ?? narrowMediaType(content?.mediaType ?? 'application/json', body);
  const written = writeBody(body, mediaType, {
    document,
    pointer: content?.schemaPointer,
    isAsWritten: true,
  });
  return { status, headers: { 'Content-Type': named ?? written.type, ...others }, body: written.body };
}

function findSuccess({ responses }: Operation): number {
  const found = responses.find(({ status }) => status.startsWith('2'))?.status;
  return found === undefined || !/^\d{3}$/.test(found) ? 200 : Number(found);
}
