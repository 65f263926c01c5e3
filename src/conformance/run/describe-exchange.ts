import { placeFinding, type CheckOutcome } from '../checks/check.js';
import type { WireAnswer } from '../http/wire.js';
import { redactHeaders } from '../redact-result.js';
import type { ExchangeResult } from '../result.js';
import type { PreparedRequest } from '../request/prepare-request.js';
import type { Run } from './run.js';

/** One exchange for the result: bounded in size, with the checks' findings. */
export function describeExchange(
  prepared: PreparedRequest,
  answer: WireAnswer,
  found: { check: string; outcomes: CheckOutcome[] }[],
  run: Run,
): ExchangeResult {
  const { wire, auth } = prepared;
  const findings = run.evidence.limit(found).map(({ check, finding, more }) => {
    const placed = placeFinding(check, finding, run.contract);
    return more === 0 ? placed : Object.assign(placed, { more });
  });
  return {
    operationId: prepared.sent.operation?.id,
    request: {
      method: wire.method,
      path: wire.target.slice(run.prepareOptions.basePath.length),
      auth,
      headers: redactHeaders(wire.headers, run.redact, auth),
      ...(wire.body === undefined ? {} : { body: showText(wire.body, run) }),
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
    findings,
  };
}

function showText(bytes: Uint8Array, { redact, evidence }: Run): string {
  const decode = (length: number): string => Buffer.from(bytes.subarray(0, length)).toString('utf8');
  const most = evidence.mostShown();
  if (bytes.length <= most) return evidence.keep(redact(decode(bytes.length)));
  return evidence.keep(`${redact.head(decode(most + redact.reach), decode(most).length)}…`);
}
