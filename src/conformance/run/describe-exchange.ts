import { placeFinding, placeOfStatus } from '../checks/check.js';
import { checks } from '../checks/index.js';
import type { WireAnswer, WireRequest, SentRequest, BrokenOnPurpose } from '../model/exchange.js';
import { redactHeaders } from './redact/redact-result.js';
import type { ExchangeResult } from '../model/result.js';
import { splitTarget, type PreparedRequest } from '../wire/request/prepare-request.js';
import type { KeptFinding } from './evidence.js';
import type { Run } from './run.js';

/** What is known of an exchange beside what was sent and answered. */
interface Found {
  kept: readonly KeptFinding[];
  /** The record that it asks for, as the run knew it before. */
  asksFor: 'created' | 'shown' | 'unknown' | undefined;
  /** Whether another scenario sent the request. */
  isShared: boolean;
}

/** One exchange for the result: bounded in size, with the checks' findings. */
export function describeExchange(
  prepared: PreparedRequest,
  answer: WireAnswer,
  { kept, asksFor, isShared }: Found,
  run: Run,
): ExchangeResult {
  const { wire, auth, sent, credentials } = prepared;
  const { base, rest } = splitTarget(wire, run.prepareOptions);
  const breaks = listBreaks(sent);
  const around = placeOfAnswer(prepared, answer, run);
  const findings = kept.map(({ check, finding, more }) => {
    const placed = placeFinding(check, finding, {
      contract: run.contract,
      around: ASKED_FOR.has(check) ? undefined : around,
    });
    return more === 0 ? placed : Object.assign(placed, { more });
  });
  return {
    operationId: sent.operation?.id ?? findMeant(wire, run),
    request: {
      method: wire.method,
      path: rest,
      ...(base === run.prepareOptions.basePath ? {} : { base }),
      auth,
      ...(credentials === undefined ? {} : { credentials }),
      headers: redactHeaders(wire.headers, run.redact, auth),
      ...(wire.body === undefined ? {} : { body: showText(wire.body, run) }),
      ...(breaks.length === 0 ? {} : { breaks }),
      ...(asksFor === undefined ? {} : asksFor === 'unknown' ? { asksUnknown: true } : { asksFor }),
    },
    ...(answer.kind === 'answered'
      ? {
          response: {
            status: answer.status,
            headers: redactHeaders(answer.headers, run.redact),
            body: showText(answer.bytes, run),
          },
        }
      : { failure: answer.detail }),
    ...(answer.startedAt === undefined ? {} : { startedAt: answer.startedAt }),
    durationMs: answer.durationMs,
    ...(isShared ? { shared: true } : {}),
    findings,
  };
}

/** What a scenario asks for by a keyword, its own basis says. */
const ASKED_FOR: ReadonlySet<string> = new Set(
  checks.filter(({ onRequest }) => onRequest === true).map(({ id }) => id),
);

/** What the contract says of an answer as such. */
function placeOfAnswer(
  { sent: { operation } }: PreparedRequest,
  answer: WireAnswer,
  { contract }: Run,
): string | undefined {
  if (operation === undefined) return undefined;
  return answer.kind === 'answered' ? placeOfStatus(operation, answer.status, contract) : operation.pointer;
}

/** The operation of a request that names its path in a way of its own, such as with a percent escape. */
function findMeant(wire: WireRequest, { contract, prepareOptions }: Run): string | undefined {
  const [path = ''] = splitTarget(wire, prepareOptions).rest.split('?');
  const match = contract.match(wire.method, path);
  return match.kind === 'operation' ? match.operation.id : undefined;
}

function showText(bytes: Uint8Array, { redact, evidence }: Run): string {
  const decode = (length: number): string => Buffer.from(bytes.subarray(0, length)).toString('utf8');
  const most = evidence.mostShown();
  if (bytes.length <= most) return evidence.keep(redact(decode(bytes.length)));
  return evidence.keep(`${redact.head(decode(most + redact.reach), decode(most).length)}…`);
}

const MOST = 3;

/** What a request breaks on purpose; empty for one that keeps the contract. */
function listBreaks({ operation, violations, json, bodyLength, lacks }: SentRequest): BrokenOnPurpose[] {
  if (lacks !== undefined) return [{ at: 'credentials', rule: 'scope', actual: lacks.scopes.join(' ') }];
  if (operation?.requestBody !== undefined && json === undefined)
    return [{ at: 'body', rule: 'json', actual: bodyLength === 0 ? 'no body' : 'a body that is not JSON' }];
  return violations
    .slice(0, MOST)
    .map(({ at, rule, expected, actual }) =>
      rule === 'required' ? { at, rule, actual } : { at, rule, expected, actual },
    );
}
