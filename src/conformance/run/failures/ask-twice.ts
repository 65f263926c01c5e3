import type { Step } from '../../model/scenario.js';
import { isOfAbsence, isRepeatable, type Answered, type WireAnswer } from '../../model/wire.js';
import type { PreparedRequest } from '../../wire/request/prepare-request.js';
import type { Reply } from '../../wire/request/share-answers.js';
import type { ScenarioRun } from '../run.js';

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
  run: ScenarioRun,
): Promise<Twice> {
  const { answer } = reply;
  const isFailure = answer.kind === 'answered' && answer.status >= 500 && sent.operation !== undefined;
  if (!isFailure || reply.isShared || step.atOnce !== undefined || run.signal.aborted) return { reply };
  if (!isRepeatable(wire) && wire.method !== 'PATCH') return { reply };
  const question = `failure ${sent.operation?.id ?? ''}`;
  if (run.looks.foresee(question) !== undefined) return { reply };
  const sentAt = performance.now();
  const again = await run.looks.send(wire);
  const isServed = isOther(again, wire.method);
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
