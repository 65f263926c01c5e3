import { saysAbsent, isOfAbsence } from '../model/wire.js';
import type { StatusPattern } from '../model/scenario.js';
import type { Keyword } from './keyword.js';
import { sameJson } from '../../contract/document/json.js';
import { show } from './shown.js';
import { placeOfDue } from './places.js';
import { quoteRefusal } from './read-refusal.js';
import { answered, type Check, type CheckContext, type CheckOutcome, successBody } from './check.js';
import { asObject } from '../../contract/document/plain.js';
import { saysOfState } from '../../contract/operations/said-in-words.js';
import { followPointer } from '../model/follow-pointer.js';
import type { Operation } from '../../contract/model.js';
import { explainGuess, listUnproven } from './invented.js';
import { explainOldKey } from './renamed.js';
import { isCreate } from '../subjects/subject.js';
import { findAsked } from '../ledger/shown-records.js';

export const statusCheck: Check = {
  id: 'status',
  title: 'the status is the one that the contract gives for the request',
  run(context) {
    const answer = answered(context);
    // Another check reports 5xx.
    if (answer === undefined || (answer.status >= 500 && context.sent.operation !== undefined)) return [];
    if (context.open) return judgeOpen(context, answer.status);
    const expected = context.expect.status;
    if (expected === undefined || fitsStatus(answer.status, expected) || isServedInstead(context)) return [];
    if (answer.status === 429) return [{ needs: NEEDS_RATE }];
    const reason = explainRefusal(context, answer.status);
    if (reason !== undefined) return [{ needs: reason }];
    const isThere = isStillThere(answer.status, expected, context);
    if (isThere && isMarked(context)) return [{ needs: NEEDS_REMOVAL }];
    const wanted = [expected].flat().map(String);
    return [
      {
        rule: 'expected',
        at: 'status',
        expected: wanted.join(' or '),
        wanted,
        actual: String(answer.status),
        // Writes may become visible late, and a cache may be stale.
        settles: saysAbsent(answer.status) || answer.status === 304 || isThere,
        ...(mayBeForState(context, answer.status) ? { doubt: { kind: 'state', id: undefined } } : {}),
        ...(context.sent.operation === undefined ? {} : { contractPointer: placeOfDue([expected].flat(), context) }),
      },
    ];
  },
};

/** Refusals that are about the state of what is asked for (RFC 9110 section 15.5.10, RFC 4918 section 11). */
const OF_STATE = new Set([409, 422, 423]);

/** Whether a valid change of a record was refused with a status that the contract names for what state alone can explain. */
function mayBeForState({ sent, expect, contract }: CheckContext, status: number): boolean {
  const { operation, violations } = sent;
  if (operation === undefined || violations.length > 0) return false;
  if (!OF_STATE.has(status) && !(status === 400 && isOfState(operation, contract))) return false;
  const role = findAsked(contract, sent)?.role.role;
  if (role !== 'replace' && role !== 'update' && role !== 'remove') return false;
  const isToBeDone = [expect.status ?? []].flat().some((pattern) => String(pattern).startsWith('2'));
  return isToBeDone && operation.responses.some((each) => [String(status), '4XX'].includes(each.status.toUpperCase()));
}

/** Whether 400 can be for the state: nothing but a key is sent, or the contract says so of it: `The order is already paid.` */
function isOfState({ requestBody, responses }: Operation, { document }: CheckContext['contract']): boolean {
  const stated = responses.find((each) => each.status === '400');
  return requestBody === undefined || (stated !== undefined && saysOfState(asObject(document.at(stated.pointer))));
}

/** What is removed may be there for a while: a service may have said that it will go (RFC 9110 section 15.3.3). A contract need not say which refusal is due then. */
function isStillThere(
  status: number,
  expected: StatusPattern | StatusPattern[],
  { expect }: Pick<CheckContext, 'expect'>,
): boolean {
  const absent: readonly StatusPattern[] = expect.record?.removed === undefined ? [404, 410] : [404, 410, '4XX'];
  return status < 300 && [expected].flat().every((pattern) => absent.includes(pattern));
}

/** Whether a record that was removed is shown in another state than before: services keep what expired or is in the bin. */
function isMarked({ expect, body }: CheckContext): boolean {
  const before = expect.record?.removed;
  return before !== undefined && body.kind === 'json' && !sameJson(before, body.value);
}

export const statusKeyword: Keyword = {
  check: statusCheck,
  looksAt: 'answer',
  findMistake(value, { isOpen }) {
    if (isOpen(value)) return undefined;
    const patterns = [value].flat();
    const bad = patterns.find((pattern) => !isOpen(pattern) && !isStatus(pattern));
    if (patterns.length > 0 && bad === undefined) return undefined;
    return {
      at: '',
      message: `it must be a status from 100 to 599, a range such as 4XX, or a list of these, but is ${show(patterns.length > 0 ? bad : value)}.`,
    };
  },
};

function isStatus(value: unknown): boolean {
  return typeof value === 'string'
    ? /^[1-5]XX$/i.test(value)
    : typeof value === 'number' && Number.isInteger(value) && value >= 100 && value <= 599;
}

/** Whether a status matches the expected ones: `200`, `4XX`. */
export function fitsStatus(status: number, expected: StatusPattern | StatusPattern[]): boolean {
  return [expected].flat().some((pattern) => {
    const text = String(pattern).toUpperCase();
    return text.endsWith('XX') ? text[0] === String(status)[0] : text === String(status);
  });
}

/** Whether a status is of the expected kind, success or refusal, so that the request was or was not carried out as expected. */
export function isAlike(status: number, expected: StatusPattern | StatusPattern[] | undefined): boolean {
  if (expected === undefined || status >= 500) return false;
  return [expected].flat().some((pattern) => String(pattern)[0] === String(status)[0]);
}

/** Even if the contract leaves the answer open, a valid key must not be refused. 403 is about what was asked for. */
function judgeOpen(context: CheckContext, status: number): CheckOutcome[] {
  const { sent } = context;
  if (!sent.authorized || sent.operation === undefined) return [];
  const ofBody = explainRefusedBody(context, status);
  if (ofBody !== undefined) return [{ needs: ofBody }];
  if (status === 401)
    return [{ rule: 'key-refused', at: 'status', expected: 'no 401 with a valid key', actual: '401' }];
  const reason = status === 403 ? explainRefusal(context, status) : undefined;
  return reason === undefined ? [] : [{ needs: reason }];
}

const NEEDS_RATE =
  'skipped: the server kept returning 429; use --rate to send fewer requests per second, or --max-time to wait longer';
export const NEEDS_REMOVAL =
  'a contract that says that deleted records are gone: this service still returns the record, in another state than before';

/**
 * Whether a list made the best of what the contract does not allow: of a limit out of bounds, the nearest that it allows; of
 * a value that there is not, nothing (the gaps `limit-above-maximum` and `unknown-status-filter`).
 */
function isServedInstead(context: CheckContext): boolean {
  const { at = '', instead } = context.expect.records ?? {};
  const records = instead === undefined ? undefined : followPointer(successBody(context), at);
  if (instead === undefined || !Array.isArray(records)) return false;
  const { atMost = Infinity, atLeast = 0, usual = Infinity } = instead;
  return records.length <= Number(atMost) && records.length >= Math.min(Number(atLeast), Number(usual));
}

/** What would tell why a request was refused; `undefined` where the contract alone can be the reason. */
function explainRefusal(context: CheckContext, status: number): string | undefined {
  const { sent, ledger } = context;
  const { operation, authorized, lacks } = sent;
  if (operation === undefined || status < 300) return undefined;
  if (status < 400) return saysMoved(operation, status) ? explainMoved(context) : undefined;
  const ofBody = explainRefusedBody(context, status);
  if (ofBody !== undefined) return ofBody;
  // The key is known (RFC 9110 section 15.5.4), and other operations take it.
  const isNeverServed = authorized && lacks === undefined && !ledger.learned.served.has(operation.id);
  if (status === 403 && isNeverServed && !isListedToKey(context))
    return `a key that may call ${operation.id}: the target accepts this one, and returns 403 there`;
  // What may be created can be counted (RFC 9110 section 15.5.4: for reasons unrelated to the credentials).
  const isOfQuota = (status === 403 || status === 402) && ledger.learned.served.has(operation.id);
  if (
    isOfQuota &&
    sent.violations.length === 0 &&
    isCreate(operation, context.contract) &&
    isDocumented(operation, status)
  )
    return `a quota that allows more records: ${operation.id} was served before, and returns ${status} now; --max-creates lets the run create fewer (it has created ${ledger.countCreated()})`;
  if (status === 403 && sent.violations.length === 0) return undefined;
  const missing = isOfAbsence(status)
    ? (explainGuess(context.guessed ?? [], ledger) ?? explainOldKey(context))
    : undefined;
  if (missing !== undefined) return missing;
  if (!isDocumented(operation, status)) return undefined;
  if (sent.violations.length > 0) return explainForInvalid(context, status);
  const why = explainForValid(context, status);
  return why === undefined || !mayBeForState(context, status) ? why : `${why}${quoteAnswer(context)}`;
}

/** Whether a list has shown the record that is asked for to the same key, by the contract with the same rights. */
function isListedToKey({ sent, ledger, contract }: CheckContext): boolean {
  const { subject, role } = findAsked(contract, sent) ?? {};
  const { list, get } = subject?.roles ?? {};
  return role?.role === 'get' && sameJson(list?.operation.security, get?.operation.security) && ledger.wasListed(sent);
}

/** What the service says of it, by which a user knows what to give. */
function quoteAnswer({ answer }: CheckContext): string {
  const said = answer.kind === 'answered' ? quoteRefusal(Buffer.from(answer.bytes).toString('utf8')) : '';
  return said === '' ? '' : `; it says ${said}`;
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
function explainRefusedBody({ sent, ledger }: CheckContext, status: number): string | undefined {
  const { operation, authorized, lacks, violations } = sent;
  if (operation === undefined || (status !== 401 && status !== 403) || !authorized || lacks !== undefined)
    return undefined;
  const isStated = operation.responses.some((each) => [String(status), '4XX'].includes(each.status.toUpperCase()));
  if (!isStated) return undefined;
  const isOpen = sent.showsUnasked !== true && operation.security.every((combination) => combination.length === 0);
  const isProof = provesByBody(operation);
  if (!isOpen && !isProof) return undefined;
  if (status === 403 && !isProof && ledger.learned.served.has(operation.id))
    // What others may fetch, and this one not, is no matter of how many there are.
    return operation.method === 'GET'
      ? undefined
      : `a quota that allows more records: ${operation.id} accepted some, and returns 403 now; --max-creates lets the run create fewer`;
  if (status === 403 && !isProof)
    return `a request that ${operation.id} allows: the contract documents 403, and requires no credentials there`;
  const why = isOpen ? 'requires no credentials there' : 'has a body that proves who somebody is';
  return violations.length > 0
    ? `a rejection of the invalid request: the contract also documents ${status}, and ${why}`
    : `values that ${operation.id} accepts, such as a valid login or code: the contract documents ${status}, and ${why}`;
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

function explainMoved(context: CheckContext): string {
  const { sent, answer } = context;
  const to = answer.kind === 'answered' ? answer.headers['location'] : undefined;
  return (
    explainOldKey(context) ??
    `a record that ${sent.operation?.id} returns itself: it redirects to ${to === undefined ? 'another place' : show(to)}, as the contract allows`
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
function explainForValid({ sent, expect, ledger, invented }: CheckContext, status: number): string | undefined {
  if (invented === undefined || expect.status === undefined) return undefined;
  const isToBeTaken = [expect.status].flat().some((pattern) => String(pattern).startsWith('2'));
  if (isToBeTaken && status === 409) return `${invented.needs} (409 says that it conflicts with another)`;
  const unproven = listUnproven(invented, sent, ledger);
  // Beside 400, 422 is of what is right by itself (RFC 9110 section 15.5.21).
  const isOfBoth = status === 422 && sent.operation?.responses.some((each) => each.status === '400') === true;
  if (isOfBoth && listUnproven(invented, sent, ledger, invented.choices).length > 0) return invented.needs;
  return unproven.some((field) => !isOfAbsence(status) || (isToBeTaken && invented.references.includes(field)))
    ? invented.needs
    : undefined;
}

/** Of what is invalid in several ways, a service may tell another. */
function explainForInvalid({ sent, expect, ledger, invented }: CheckContext, status: number): string | undefined {
  if (!isOfAbsence(status) && status !== 403 && status !== 409) return undefined;
  const expected = [expect.status ?? []].flat().map(String);
  if (expected.length === 0 || expected.some((pattern) => !pattern.startsWith('4'))) return undefined;
  const isOfOne = sent.operation?.path.endsWith('}') === true;
  const unproven = invented === undefined ? [] : listUnproven(invented, sent, ledger);
  const isOfAnother = unproven.some((field) => invented?.references.includes(field));
  if (isOfOne && !isOfAnother && isOfAbsence(status)) return undefined;
  return `a rejection with ${expected.join(' or ')}: the contract also has ${status}, which may have another reason`;
}
