import type { ApiRequest } from '../../contract/message.js';
import { describeViolation, type Violation } from '../../contract/schemas/violation.js';
import { deprecationHeaders } from './deprecation.js';
import { fallBack } from './fall-back.js';
import { findUnsendable } from './find-unsendable.js';
import { findBrokenRules, findDocumentedStatus, fitRefusal, hasOwnErrors, isUnsaid } from './keep-contract.js';
import { messageOf, type Outgoing } from '../world/record-exchange.js';
import { createRefusal, isRefusal, speakSeenCode } from './refusals.js';
import { withoutTransferFields } from './transfer-fields.js';
import type { World } from '../world/world.js';

/** The answer with the header fields it needs, if it conforms to the contract and to HTTP; otherwise its replacement. */
export function prove(request: ApiRequest, given: Outgoing, world: World): Outgoing {
  if (given.isAsGiven === true) return leaveTransfer(announceRemoval(request, given, world));
  const refused = speakDocumentedStatus(given);
  const broken = findBrokenRules(refused.response, refused.operation, world.contract);
  const fitted = broken.length > 0 || speaksOtherwise(refused, world) ? fitToContract(refused, world) : undefined;
  const isKept = broken.length === 0 || speaksAlone(refused);
  const kept = fitted ?? (isKept ? refused : (fallBack(refused, broken, world) ?? withhold(refused, broken, world)));
  const answer = announceRemoval(request, speakCode(kept, world), world);
  const unsendable = findUnsendable(answer.response);
  return unsendable === undefined ? leaveTransfer(answer) : withholdUnsendable(answer, unsendable);
}

function leaveTransfer(given: Outgoing): Outgoing {
  const headers = withoutTransferFields(given.response.headers);
  return headers === given.response.headers ? given : { ...given, response: { ...given.response, headers } };
}

/** An invalid request is refused with the status that the contract has for it. */
function speakDocumentedStatus(given: Outgoing): Outgoing {
  const { operation, response } = given;
  if (operation === undefined || response.status !== 400 || !isRefusal(response)) return given;
  const status = findDocumentedStatus(operation, response.status);
  if (status === response.status) return given;
  return { ...given, response: createRefusal(status, messageOf(response) ?? '', response.headers) };
}

function speaksOtherwise({ operation, response }: Outgoing, { contract }: World): boolean {
  return response.status >= 400 && hasOwnErrors(response, operation, contract);
}

/** Whether the operation does not document a refusal of ours and the contract's Error body has no place for its message. */
function speaksAlone({ operation, response }: Outgoing): boolean {
  return isUnsaid(response, operation) && isRefusal(response);
}

function announceRemoval(request: ApiRequest, given: Outgoing, world: World): Outgoing {
  if (given.operation?.deprecated !== true) return given;
  const fields = deprecationHeaders(given.operation, request, world);
  // Two spreads in one literal take Node 20 twenty times as long.
  const headers = Object.assign({}, given.response.headers, fields);
  return { ...given, response: { ...given.response, headers } };
}

/** The codes of errors are open (the gap `error-codes`), and a profile may know some. */
function speakCode(given: Outgoing, { profile }: World): Outgoing {
  if (given.operation === undefined || given.response.status < 400) return given;
  return { ...given, response: speakSeenCode(given.response, given.operation.id, profile) };
}

/** A refusal takes the form of body that the contract gives it. */
function fitToContract(given: Outgoing, world: World): Outgoing | undefined {
  // A refusal quotes the request.
  const violations = (given.violations ?? []).map((each): Violation =>
    Object.assign({}, each, { message: world.redact(each.message), pointer: world.redact(each.pointer) }),
  );
  const response = fitRefusal(given.response, given.operation, world.contract, violations);
  return response === undefined ? undefined : { reason: messageOf(given.response) ?? '', ...given, response };
}

/** An answer that breaks the contract is never sent: the client gets an error that says why. */
function withhold(given: Outgoing, broken: readonly Violation[], world: World): Outgoing {
  const why = broken.map(describeViolation);
  const [status, reason] = hasOtherAnswer(given, world)
    ? [500, `the mock's own response (${given.response.status}) breaks the contract: ${why.join('; ')}`]
    : [
        501,
        `${given.operation?.id} cannot be served: no response that the contract allows could be generated: ${why[0]}`,
      ];
  const refusal = createRefusal(status, reason);
  const response = fitRefusal(refusal, given.operation, world.contract) ?? refusal;
  return { ...given, response, atFault: 'mock', reason, violations: broken };
}

/** Whether the contract alone gives an answer that keeps it, whatever the client prefers; where it gives none, no handler is wrong. */
function hasOtherAnswer({ call, operation }: Outgoing, world: World): boolean {
  const handler = operation === undefined ? undefined : world.stateless[operation.id];
  if (call === undefined || handler === undefined) return true;
  const { prefer: _, ...headers } = call.request.headers;
  const other = handler({ ...call, request: { ...call.request, headers } });
  return findBrokenRules(other, operation, world.contract).length === 0;
}

/** The transport would throw on such an answer, and the client would wait forever. */
function withholdUnsendable(given: Outgoing, why: string): Outgoing {
  const reason = `the mock's own response (${given.response.status}) cannot be sent: ${why}`;
  return { ...given, response: createRefusal(500, reason), atFault: 'mock', reason };
}
