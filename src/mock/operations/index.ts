import { readOnce } from '../../contract/document/document.js';
import type { Contract } from '../../contract/contract.js';
import { chooseAccepted, isJsonMediaType, narrowMediaType } from '../../contract/media-types.js';
import type { ApiResponse } from '../../contract/message.js';
import { findResponse } from '../../contract/operations/operations.js';
import type { Role, RoleOperation } from '../../contract/resources/resource.js';
import { findPreference } from '../response/prefer.js';
import { KEEPS_NO_STATE } from '../response/outgoing.js';
import { createErrorResponse } from '../response/errors.js';
import { canBeWritten, writeBody } from '../response/write-response.js';
import { listKept, type Kept } from '../store/kept.js';
import type { Call, Handler } from '../world/world.js';
import { actOnRecord, replaceRecord, updateRecord } from './change-record.js';
import { createRecord } from './create-record.js';
import { getRecord, removeRecord } from './get-record.js';
import { listRecords } from './list-records.js';
import { readServed, type RoleHandler, type Served } from './served.js';

const ROLES: Readonly<Record<Role, RoleHandler>> = {
  list: listRecords,
  create: createRecord,
  get: getRecord,
  replace: replaceRecord,
  update: updateRecord,
  remove: removeRecord,
  action: actOnRecord,
};

/** The handlers of the operations that keep state, by operation id, as inferred from the contract's resources. */
export const createHandlers = readOnce((contract: Contract): Readonly<Record<string, Handler>> => {
  const handle = (kept: Kept) =>
    kept.operations.map((role) => [role.operation.id, createHandler(contract, kept, role)] as const);
  return Object.fromEntries(listKept(contract).flatMap(handle));
});

function createHandler(contract: Contract, kept: Kept, role: RoleOperation): Handler {
  const handle = ROLES[role.role];
  const { mediaType, schemaPointer } = role.success;
  // What is no JSON shows no record, and the contract has all that is known of it.
  const isOpaque = mediaType !== undefined && schemaPointer === undefined && !isJsonMediaType(mediaType);
  // The contract is read when a handler is first needed.
  let served: Served | undefined;
  return (call) => {
    if (asksForExample(call)) return respondStateless(call);
    const answer = handle(call, (served ??= readServed(contract, kept, role)));
    if (answer === undefined) {
      call.note ??= `${KEEPS_NO_STATE}: the request cannot be turned into a valid record`;
      return respondStateless(call);
    }
    call.keepsState = true;
    return answer.status < 300 && isOpaque ? respondStateless(call) : writeAsAccepted(answer, call, contract);
  };
}

function writeAsAccepted(response: ApiResponse, { operation, request }: Call, contract: Contract): ApiResponse {
  const { accept } = request.headers;
  const { status, headers, body } = response;
  if (body === undefined || status >= 300 || accept === undefined || accept === '*/*') return response;
  const chosen = chooseAccepted(findResponse(operation, status)?.content ?? [], accept);
  const mediaType = narrowMediaType(chosen?.mediaType ?? '', body.value);
  if (chosen === undefined || mediaType === headers['Content-Type'] || !canBeWritten(chosen)) return response;
  const described = { document: contract.document, pointer: chosen.content.schemaPointer };
  const written = writeBody(body.value, mediaType, described);
  const made = { ...response, headers: { ...headers, 'Content-Type': written.type }, body: written.body };
  return contract.validate.response(operation, made).length === 0 ? made : response;
}

function asksForExample({ request, operation, world }: Call): boolean {
  const { prefer } = request.headers;
  if (prefer === undefined || world.stateless[operation.id] === undefined) return false;
  return (
    findPreference(prefer, 'example') !== undefined ||
    findPreference(prefer, 'seed') !== undefined ||
    findPreference(prefer, 'dynamic') === 'true'
  );
}

function respondStateless(call: Call): ReturnType<Handler> {
  const { operation, world } = call;
  return world.stateless[operation.id]?.(call) ?? createErrorResponse(501, `${operation.id} has no handler`);
}
