import { placeFinding } from '../checks/check.js';
import type { WireAnswer, WireRequest } from '../http/wire.js';
import { redactHeaders } from '../redact-result.js';
import type { ExchangeResult } from '../result.js';
import { listBreaks } from '../request/list-breaks.js';
import type { PreparedRequest } from '../request/prepare-request.js';
import type { KeptFinding } from './evidence.js';
import type { Run } from './run.js';

/** What is known of an exchange beside what was sent and answered. */
interface Found {
  kept: readonly KeptFinding[];
  /** Whether it asks for a record that no answer before it had shown. */
  asksUnknown: boolean;
  /** Whether another scenario sent the request. */
  isShared: boolean;
}

/** One exchange for the result: bounded in size, with the checks' findings. */
export function describeExchange(
  prepared: PreparedRequest,
  answer: WireAnswer,
  { kept, asksUnknown, isShared }: Found,
  run: Run,
): ExchangeResult {
  const { wire, auth, sent } = prepared;
  const breaks = listBreaks(sent);
  const findings = kept.map(({ check, finding, more }) => {
    const placed = placeFinding(check, finding, run.contract);
    return more === 0 ? placed : Object.assign(placed, { more });
  });
  return {
    operationId: sent.operation?.id ?? findMeant(wire, run),
    request: {
      method: wire.method,
      path: wire.target.slice(run.prepareOptions.basePath.length),
      auth,
      headers: redactHeaders(wire.headers, run.redact, auth),
      ...(wire.body === undefined ? {} : { body: showText(wire.body, run) }),
      ...(breaks.length === 0 ? {} : { breaks }),
      ...(asksUnknown ? { asksUnknown } : {}),
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

/** The operation of a request that names its path in a way of its own, such as with a percent escape. */
function findMeant({ method, target }: WireRequest, { contract, prepareOptions }: Run): string | undefined {
  const [path = ''] = target.slice(prepareOptions.basePath.length).split('?');
  const match = contract.match(method, path);
  return match.kind === 'operation' ? match.operation.id : undefined;
}

function showText(bytes: Uint8Array, { redact, evidence }: Run): string {
  const decode = (length: number): string => Buffer.from(bytes.subarray(0, length)).toString('utf8');
  const most = evidence.mostShown();
  if (bytes.length <= most) return evidence.keep(redact(decode(bytes.length)));
  return evidence.keep(`${redact.head(decode(most + redact.reach), decode(most).length)}…`);
}
