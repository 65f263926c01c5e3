import { PetstoreMockError } from '../../../errors.js';
import { hasBegun, type Unanswered, type WireAnswer } from '../../model/exchange.js';
import { bareStep, NOTHING_KNOWN } from '../../wire/request/bare-step.js';
import { judgeFirstLook, listFirstSteps, MOST_ASKED } from './probe-any.js';
import { UnknownCredentials } from '../../wire/request/choose-keys.js';
import { prepareRequest } from '../../wire/request/prepare-request.js';
import type { Run } from '../run.js';
import type { Step } from '../../model/scenario.js';
import { pause } from '../../wire/http/send-politely.js';

export interface ProbeOptions {
  /** How long to wait for the target to answer at all, in milliseconds. Default: not. */
  waitForTargetMs?: number | undefined;
  /** The target's name in messages. */
  shownAs: string;
}

const RETRY_PAUSE_MS = 250;

/**
 * A first look at the target before anything is judged: whether it answers, is the API, and accepts the key. Throws a
 * {@link PetstoreMockError}.
 */
export async function probeTarget(run: Run, options: ProbeOptions): Promise<void> {
  const steps = listFirstSteps(run)
    .filter((step) => mayAsk(step, run))
    .slice(0, MOST_ASKED);
  const [first = bareStep({ id: 'probe' }), second = first] = steps;
  const answer = await reach(run, first, options);
  if (isUnavailable(answer) && isUnavailable(await ask(run, second))) throw describeUnreachable(answer, options);
  if (steps.length > 0)
    await judgeFirstLook(steps, answer, (step, path) => ask(run, step, path), { shownAs: options.shownAs, run });
}

/** Gets the credentials that the run logs in for, as soon as the target is there. Throws a {@link PetstoreMockError}. */
export async function logIn(run: Run, options: ProbeOptions): Promise<void> {
  const deadline = performance.now() + (options.waitForTargetMs ?? 0);
  for (;;) {
    const missing = await run.credentials.start(run.send);
    if (missing === undefined) return;
    if (performance.now() >= deadline || run.signal.aborted) throw describeUnreachable(missing, options);
    await pause(RETRY_PAUSE_MS, run.signal);
  }
}

async function reach(run: Run, list: Step, options: ProbeOptions): Promise<WireAnswer> {
  const deadline = performance.now() + (options.waitForTargetMs ?? 0);
  for (;;) {
    const answer = await ask(run, list);
    if (hasBegun(answer) && !(answer.kind === 'answered' && answer.status >= 502 && performance.now() < deadline))
      return answer;
    if (performance.now() >= deadline || run.signal.aborted) {
      if (await isOfOne(answer, run)) return answer;
      throw describeUnreachable(answer, options);
    }
    await pause(RETRY_PAUSE_MS, run.signal);
  }
}

/** Whether one operation alone gets no answer, since the target answers another address: a defect, and no outage. */
async function isOfOne(answer: WireAnswer, run: Run): Promise<boolean> {
  const isConnected = answer.kind === 'unanswered' && ['dropped', 'no-http', 'timeout'].includes(answer.reason);
  return isConnected && (await ask(run, bareStep({ id: 'probe' }))).kind === 'answered';
}

function describeUnreachable(answer: WireAnswer, { shownAs, waitForTargetMs }: ProbeOptions): PetstoreMockError {
  const why =
    answer.kind === 'unanswered' ? explain(answer, shownAs) : `it responds with ${answer.status} to every request`;
  const waited = waitForTargetMs === undefined ? '' : `, after waiting ${waitForTargetMs / 1000} s`;
  return new PetstoreMockError('target-unreachable', `${shownAs} cannot be tested: ${why}${waited}.`);
}

/** Where TLS is spoken, a plain request is dropped, or answered with what is no HTTP. */
function explain({ reason, detail }: Unanswered, shownAs: string): string {
  const mayBeTls = (reason === 'dropped' || reason === 'no-http') && shownAs.startsWith('http:');
  return mayBeTls ? `${detail} (should the URL begin with https://?)` : detail;
}

/** Whether nothing is served just now: what stands before the API says so, or the API allows no more requests. */
function isUnavailable(answer: WireAnswer): boolean {
  return answer.kind === 'answered' && [429, 502, 503, 504].includes(answer.status);
}

/** Whether the run may send it, and has the credentials that the operation asks for. */
function mayAsk(step: Step, { prepareOptions, isNever }: Run): boolean {
  try {
    return !isNever(prepareRequest(step, NOTHING_KNOWN, prepareOptions).wire);
  } catch (error) {
    if (error instanceof UnknownCredentials) return false;
    throw error;
  }
}

async function ask(run: Run, step: Step, basePath = run.prepareOptions.basePath): Promise<WireAnswer> {
  return run.send(prepareRequest(step, NOTHING_KNOWN, { ...run.prepareOptions, basePath }).wire);
}
