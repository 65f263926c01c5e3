// The one place that asks again before a failure counts: an exchange that failed on the server, and findings in doubt.
import { keyOfJson } from '../../contract/document/json.js';
import type { Need } from '../judge/check.js';
import { fitsStatus } from '../judge/status.js';
import type { Doubt } from '../model/doubt.js';
import type { ExchangeResult, Finding } from '../model/result.js';
import type { Step } from '../model/scenario.js';
import { isOfAbsence, isRepeatable, type Answered, type WireAnswer } from '../model/wire.js';
import type { PreparedRequest } from '../wire/request/prepare-request.js';
import type { Reply } from '../wire/request/share-answers.js';
import type { Confirming, Confirmation } from './budget.js';
import { judgeAddress, judgeGone, judgeHidden, judgeMove, judgeOwn, judgeState, judgeSwitch } from './choices.js';

/** A finding that a choice of a gap may explain, with the request that shows it. */
export interface Doubtful {
  finding: Finding;
  doubt: Doubt;
  sent: PreparedRequest;
}

/** What doubts are about, of one exchange. */
interface Doubted {
  exchange: ExchangeResult;
  doubtful: readonly Doubtful[];
  needs: Need[];
}

/** How many records get a second look for one scenario; the others are judged like the last of them. */
const MOST_LOOKS = 6;

/**
 * Takes a second look at findings that a choice of a gap may explain, when
 * waiting no longer helps: an explained finding is not a deviation.
 */
export async function settleDoubts(outcomes: readonly Doubted[], run: Confirming): Promise<void> {
  const looks = new Map<string, Confirmation>();
  let last: Confirmation = 'defect';
  for (const outcome of outcomes) {
    for (const doubtful of outcome.doubtful) {
      if (run.signal.aborted) return;
      const key = `${doubtful.doubt.kind} ${String(keyOfJson(doubtful.doubt.id))} ${doubtful.sent.wire.target}`;
      if (!looks.has(key) && looks.size < MOST_LOOKS) looks.set(key, await lookOnce(doubtful, run));
      last = looks.get(key) ?? last;
      explain(doubtful, last, outcome);
    }
  }
}

/** A look, unless earlier ones of the run tell what it would come to. */
async function lookOnce(doubtful: Doubtful, run: Confirming): Promise<Confirmation> {
  const question = `${doubtful.doubt.kind} ${doubtful.sent.sent.operation?.id ?? ''}`;
  return (
    run.looks.foresee(question) ?? run.looks.conclude(question, await look(doubtful, { ...run, send: run.looks.send }))
  );
}

async function look(doubtful: Doubtful, run: Confirming): Promise<Confirmation> {
  const found = await lookAt(doubtful, run);
  const { doubt, sent } = doubtful;
  const isOfLacking = doubt.kind === 'gone' || doubt.kind === 'hidden' || doubt.kind === 'switch';
  return found === 'defect' && isOfLacking && doubt.id !== undefined ? judgeHidden(doubt.id, sent.sent, run) : found;
}

async function lookAt({ doubt, sent }: Doubtful, run: Confirming): Promise<Confirmation> {
  if (doubt.kind === 'address') return judgeAddress(doubt, sent.wire, run);
  if (doubt.kind === 'state') return judgeState(sent, run);
  // Time does not explain it if a create answers with another record.
  if (sent.sent.method !== 'GET') return 'defect';
  if (doubt.kind === 'move') return judgeMove(doubt, sent.wire, run);
  if (doubt.kind === 'own') return judgeOwn(doubt, sent.sent, run);
  if (doubt.kind === 'hidden') return 'defect';
  if (doubt.kind === 'gone') {
    const found = await judgeGone(doubt, run);
    return found === 'defect' && doubt.or !== undefined ? judgeSwitch(doubt.or, sent.wire, run) : found;
  }
  return judgeSwitch(doubt, sent.wire, run);
}

function explain({ finding }: Doubtful, found: Confirmation, outcome: Doubted): void {
  if (found === 'defect') return;
  if (found === 'fine') {
    const { findings } = outcome.exchange;
    if (findings.includes(finding)) findings.splice(findings.indexOf(finding), 1);
    return;
  }
  outcome.needs.push({ needs: found.needs });
  finding.severity = 'information';
}

/** The answer to go on with, and the failure before it, if the same request was served when it was sent again. */
export interface Twice {
  reply: Reply;
  failure?: Answered;
}

/**
 * Sends a request again that a service failed at: what fails once alone says nothing of what was sent. Only what may be sent twice is
 * (RFC 9110 section 9.2.2); an update sets what it sets a second time, too.
 */
export async function askTwice(
  reply: Reply,
  { sent, wire }: PreparedRequest,
  step: Step,
  run: Confirming,
): Promise<Twice> {
  const { answer } = reply;
  const isFailure = answer.kind === 'answered' && answer.status >= 500 && sent.operation !== undefined;
  if (!isFailure || reply.isShared || step.atOnce !== undefined || run.signal.aborted) return { reply };
  if (!isRepeatable(wire) && wire.method !== 'PATCH') return { reply };
  const question = `failure ${sent.operation?.id ?? ''}`;
  if (run.looks.foresee(question) !== undefined) return { reply };
  const sentAt = performance.now();
  const again = await run.looks.send(wire);
  const due = step.expect?.status;
  // A 404 for a PATCH at an unknown key is what it is due.
  const isDue = again.kind === 'answered' && due !== undefined && fitsStatus(again.status, due);
  const isServed = isDue || isOther(again, wire.method);
  if (again.kind === 'answered') run.looks.conclude(question, isServed ? ONCE : 'defect');
  // The first answer serves nobody else.
  const settle = (): void => reply.settle(false);
  return isServed ? { reply: { ...reply, answer: again, sentAt, settle }, failure: answer } : { reply };
}

/** A look that came to no defect of the request. */
const ONCE = { needs: 'a service that responds to equal requests in the same way' };

/** Whether an answer is one to a request that was not carried out before: what the first one removed, or changed, is so. */
function isOther(answer: WireAnswer, method: string): boolean {
  if (answer.kind === 'unanswered' || answer.status >= 500) return false;
  return method === 'GET' || !(isOfAbsence(answer.status) || answer.status === 409 || answer.status === 412);
}
