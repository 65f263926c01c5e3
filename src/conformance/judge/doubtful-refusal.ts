import type { Operation } from '../../contract/model.js';
import type { CheckContext } from './check.js';
import { explainGuess, listUnproven } from './invented.js';
import { explainOldKey } from './renamed.js';
import { isOfAbsence } from '../model/wire.js';
import { isCreate } from '../subjects/subject.js';
import { show } from './shown.js';

/** What would tell why a request was refused; `undefined` where the contract alone can be the reason. */
export function explainRefusal(context: CheckContext, status: number): string | undefined {
  const { sent, memory } = context;
  const { operation, authorized, lacks } = sent;
  if (operation === undefined || status < 300) return undefined;
  if (status < 400) return saysMoved(operation, status) ? explainMoved(context) : undefined;
  const ofBody = explainRefusedBody(context, status);
  if (ofBody !== undefined) return ofBody;
  // The key is known (RFC 9110 section 15.5.4), and other operations take it.
  if (status === 403 && authorized && lacks === undefined && !memory.served.has(operation.id))
    return `a key that may call ${operation.id}: the target takes this one, and answers 403 there`;
  if (status === 403 && sent.violations.length === 0) {
    // What a key may create can be counted.
    const mayBeCounted = isCreate(operation, context.contract) && isDocumented(operation, status);
    return mayBeCounted
      ? `a key that may call ${operation.id} once more: the target took it, and answers 403 now`
      : undefined;
  }
  const missing = isOfAbsence(status)
    ? (explainGuess(context.guessed ?? [], memory) ?? explainOldKey(sent, memory))
    : undefined;
  if (missing !== undefined) return missing;
  if (!isDocumented(operation, status)) return undefined;
  return sent.violations.length > 0 ? explainForInvalid(context, status) : explainForValid(context, status);
}

/** Words of paths that are about who somebody is: a login, a code that was sent, an invitation. */
const PROVING_PATH =
  /(?:^|[^a-z])(?:sessions?|log-?ins?|log-?on|sign-?ins?|sign-?ups?|auth|authenticate|authentication|otp|totp|mfa|2fa|codes?|pin|passwords?|passcodes?|credentials?|invitations?|invites?|token|refresh|verify|verifications?|confirm|confirmations?)(?:$|[^a-z])/i;
/** Members that prove it in a body of any path; a code may also be that of a country. */
const PROVING_MEMBER =
  /(?:^|[^a-z])(?:otp|totp|pin|password|passwd|passcode|secret|credentials?|invitation|captcha)(?:$|[^a-z])/i;

/**
 * What a 401 or 403 may be about beside the key: what the body says, where the contract documents that status and asks for no
 * credentials, or where path or body are about what proves who somebody is. `undefined` where it can be the key alone.
 */
export function explainRefusedBody({ sent, memory }: CheckContext, status: number): string | undefined {
  const { operation, authorized, lacks, violations } = sent;
  if (operation === undefined || (status !== 401 && status !== 403) || !authorized || lacks !== undefined)
    return undefined;
  const isStated = operation.responses.some((each) => [String(status), '4XX'].includes(each.status.toUpperCase()));
  if (!isStated) return undefined;
  const isOpen = sent.showsUnasked !== true && operation.security.every((combination) => combination.length === 0);
  const isProof = provesByBody(operation);
  if (!isOpen && !isProof) return undefined;
  if (status === 403 && !isProof)
    return memory.served.has(operation.id)
      ? `room for more records: ${operation.id} took some, and responds 403 now; --max-creates allows fewer`
      : `what ${operation.id} allows: the contract names 403, and asks for no credentials there`;
  const why = isOpen ? 'asks for no credentials there' : 'has a body that says who somebody is';
  return violations.length > 0
    ? `a refusal of what is invalid: the contract names ${status} too, and ${why}`
    : `what ${operation.id} accepts, such as who may log in, or a code: the contract names ${status}, and ${why}`;
}

function provesByBody({ path, id, requestBody }: Operation): boolean {
  if (requestBody === undefined) return false;
  const part = (text: string): string => text.replaceAll(/([a-z\d])([A-Z])/g, '$1-$2');
  const isMember = [...requestBody.fields].some((field) => PROVING_MEMBER.test(part(field)));
  return isMember || [path, id].some((text) => PROVING_PATH.test(part(text)));
}

/** The contract says that what is asked for may be elsewhere (RFC 9110 section 15.4). */
function saysMoved({ method, responses }: Operation, status: number): boolean {
  const isRedirect = status !== 304 && method === 'GET';
  return isRedirect && responses.some((each) => [String(status), '3XX'].includes(each.status.toUpperCase()));
}

function explainMoved({ sent, memory, answer }: CheckContext): string {
  const to = answer.kind === 'answered' ? answer.headers['location'] : undefined;
  return (
    explainOldKey(sent, memory) ??
    `a record that ${sent.operation?.id} shows itself: it leads to ${to === undefined ? 'another place' : show(to)}, as the contract allows`
  );
}

/** Refusals that say something of the key, the method or the media type. */
const OF_NO_VALUE = new Set([401, 405, 406, 411, 415, 429]);

function isDocumented({ responses }: Operation, status: number): boolean {
  if (OF_NO_VALUE.has(status)) return false;
  return responses.some((each) => [String(status), '4XX', 'DEFAULT'].includes(each.status.toUpperCase()));
}

/**
 * A service may have rules of its own for what a run makes up, and documents a refusal for them. Where it has taken the very
 * values before, only the contract is left.
 */
function explainForValid({ sent, expect, memory, invented }: CheckContext, status: number): string | undefined {
  if (invented === undefined || expect.status === undefined) return undefined;
  const isToBeTaken = [expect.status].flat().some((pattern) => String(pattern).startsWith('2'));
  if (isToBeTaken && status === 409) return `${invented.needs} (409 says that it conflicts with another)`;
  const unproven = listUnproven(invented, sent, memory);
  // Beside 400, 422 is of what is right by itself (RFC 9110 section 15.5.21).
  const isOfBoth = status === 422 && sent.operation?.responses.some((each) => each.status === '400') === true;
  if (isOfBoth && listUnproven(invented, sent, memory, invented.choices).length > 0) return invented.needs;
  return unproven.some((field) => !isOfAbsence(status) || (isToBeTaken && invented.references.includes(field)))
    ? invented.needs
    : undefined;
}

/** Of what is invalid in several ways, a service may tell another. */
function explainForInvalid({ sent, expect, memory, invented }: CheckContext, status: number): string | undefined {
  if (!isOfAbsence(status) && status !== 403 && status !== 409) return undefined;
  const expected = [expect.status ?? []].flat().map(String);
  if (expected.length === 0 || expected.some((pattern) => !pattern.startsWith('4'))) return undefined;
  const isOfOne = sent.operation?.path.endsWith('}') === true;
  const unproven = invented === undefined ? [] : listUnproven(invented, sent, memory);
  const isOfAnother = unproven.some((field) => invented?.references.includes(field));
  if (isOfOne && !isOfAnother && isOfAbsence(status)) return undefined;
  return `a refusal with ${expected.join(' or ')}: the contract names ${status} too, which may have another reason`;
}
