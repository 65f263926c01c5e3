import type { CheckContext, CheckFinding, Need } from '../judge/check.js';
import { checks } from '../judge/index.js';
import { noteShown } from '../judge/note-shown.js';
import { keepUsable, keywords, listKeywords } from '../judge/keywords.js';
import { fitsStatus, isAlike } from '../judge/status.js';
import { readOutcome } from './gaps/read-outcome.js';
import { showGained } from './find-records.js';
import type { Doubtful } from '../confirm/confirm.js';
import { describeExchange } from './describe-exchange.js';
import type { KeptFinding } from './evidence.js';
import { awaitAccepted, withoutMonitor } from './await-accepted.js';
import { askTwice } from '../confirm/confirm.js';
import { judgeEarlier } from './judge-earlier.js';
import { noteAnswer, noteEffect } from './note-answer.js';
import { noteTaken } from '../judge/note-taken.js';
import { prepareRequest, type PreparedRequest } from '../wire/request/prepare-request.js';
import type { ExchangeResult } from '../model/result.js';
import { checkRequirement } from './check-requirement.js';
import type { Run, ScenarioRun } from './run.js';
import type { Assumption, AuthForm, Expectation, Step } from '../model/scenario.js';
import { isReading, type Answered, type WireAnswer } from '../model/wire.js';
import type { Reply } from '../wire/request/share-answers.js';
import { readBody } from '../wire/http/read-body.js';
import { readOutputs, recordResponse } from './read-answer.js';
import { fillTemplate, type Scope, type StepRecord } from '../wire/request/template.js';

/** The outcome of one exchange of a step. */
export interface StepOutcome {
  exchange: ExchangeResult;
  /** The findings that a choice of a gap may explain. */
  doubtful: Doubtful[];
  /** Answers that ask to come back later and break the contract, before the final answer. */
  putOff: ExchangeResult[];
  record: StepRecord;
  /** Whether later steps can build on the answer: it arrived, and its status is expected or of the same kind. */
  usable: boolean;
  /** Whether the run was interrupted before an answer came. */
  isInterrupted: boolean;
  /** What the checks would need to conclude something. */
  needs: Need[];
  /** Set when an assumption does not hold. */
  unmet: Assumption | undefined;
  /** Whether waiting may resolve all findings. */
  maySettle: boolean;
  /** Whether one of them is about what the run has not changed. */
  isUntouched: boolean;
  /** The choice seen, when the step has outcomes. */
  choice: Seen | undefined;
}

/** A choice, and the exchange that shows it, in words that do not vary between runs. */
export interface Seen {
  name: string;
  evidence: string;
}

/** One exchange: request, answer, checks. Throws `UnresolvedReference` when the request cannot be made. */
export async function runExchange(step: Step, scope: Scope, run: ScenarioRun): Promise<StepOutcome> {
  const prepared = prepareRequest(step, scope, run.prepareOptions);
  checkRequirement(step, prepared, run);
  run.ledger.announce(prepared.sent, prepared.wire.body);
  const written = isReading(prepared.wire) ? '' : Buffer.from(prepared.wire.body ?? []).toString('latin1');
  const { texts } = run.ledger;
  texts.noteSent(written);
  const putOff: Answered[] = [];
  const first = await run.ask(prepared.wire, (each) => putOff.push(each), step.control);
  try {
    const { reply, failure } = await askTwice(first, prepared, step, run);
    // What was sent again may have been taken before.
    if (failure !== undefined) texts.noteSent(written);
    texts.noteSent(written, putOff.filter(({ status }) => status !== TOO_MANY).length);
    return await judgeReply(step, scope, { prepared, reply, putOff, failure }, run);
  } finally {
    first.settle(false);
  }
}

/** A request that went out, and what came back. */
interface Replied {
  prepared: PreparedRequest;
  reply: Reply;
  putOff: readonly Answered[];
  /** What came first, where the same request was served when it was sent again. */
  failure: Answered | undefined;
}

async function judgeReply(
  step: Step,
  scope: Scope,
  { prepared, reply, putOff, failure }: Replied,
  run: ScenarioRun,
): Promise<StepOutcome> {
  const { answer, sentAt, isShared, settle } = reply;
  const body = readBody(answer);
  const ofRecord = withoutMonitor(answer, prepared.sent, run);
  if (!isShared) noteEffect(prepared, { answer: ofRecord, body, sentAt }, run);
  const response = recordResponse(ofRecord, body);
  const filled: Scope = { ...scope, request: { body: prepared.sent.json }, response };
  const { expect, needs } = keepUsable(fillTemplate(step.expect ?? {}, filled) as Expectation);
  // What an answer says of earlier ones is known before it is judged.
  if (isAlike(response.status, '2XX')) noteTaken(step, prepared.sent, run.ledger);
  const context = createContext(step, { sent: prepared.sent, sentAt, answer, body, expect }, run);
  const all = checks.map((check) => ({ check: check.id, outcomes: check.run(context) }));
  const found = run.expectations.apply(all, context);
  const seen = step.outcomes === undefined ? undefined : readOutcome(step.outcomes, context, filled);
  const unmet = step.assume === undefined ? undefined : findUnmet(step.assume, context, filled);
  const asksFor = run.ledger.whatIsAsked(prepared.sent, isShared ? performance.now() : sentAt);
  if (!isShared) noteShown(context);
  if (!isShared) noteAnswer(prepared, { answer, body, sentAt }, run);
  if (!isShared) await showGained(response, prepared.sent, { answer: ofRecord, value: response.body }, run);
  const late = isShared ? [] : await awaitAccepted(prepared.sent, answer, response, run);
  const usable = isUsable(answer, context, found) && late.length === 0;
  const outcomes = found.flatMap((each) => each.outcomes);
  const findings = outcomes.flatMap((outcome) => ('needs' in outcome ? [] : [outcome]));
  settle(!findings.some(isOpen));
  const kept = run.evidence.limit(found);
  const exchange = describeExchange(prepared, answer, { kept, asksFor, isShared }, run);
  return {
    exchange,
    doubtful: listDoubtful(exchange, kept, prepared),
    putOff: judgeEarlier({ putOff, failure }, { context, prepared }, run),
    record: { request: { body: prepared.sent.json }, response, outputs: usable ? readOutputs(step, filled) : {} },
    usable,
    isInterrupted: answer.kind === 'unanswered' && answer.reason === 'interrupted',
    needs: [
      ...needs.map((each) => ({ needs: each })),
      ...late,
      ...outcomes.filter((outcome) => 'needs' in outcome),
      ...(seen?.needs ?? []),
    ],
    unmet,
    maySettle: maySettle(findings, unmet),
    isUntouched: findings.some((finding) => isOpen(finding) && finding.isUntouched === true),
    choice: seen?.choice,
  };
}

/** What the checks look at. */
function createContext(
  step: Step,
  exchange: Pick<CheckContext, 'sent' | 'sentAt' | 'answer' | 'body' | 'expect'>,
  { contract, ledger, secrets, strict }: Run,
): CheckContext {
  return {
    ...exchange,
    contract,
    stated: step.expect ?? {},
    invented: step.invented,
    guessed: step.guessed,
    open: step.outcomes !== undefined || (step.expect === undefined && step.assume === undefined),
    ledger,
    secrets: HOLDING_A_KEY.has(step.auth) ? [] : secrets,
    strict,
  };
}

/** Of many findings an answer keeps some, in an order of its own. */
function listDoubtful(exchange: ExchangeResult, kept: readonly KeptFinding[], sent: PreparedRequest): Doubtful[] {
  return exchange.findings.flatMap((finding, index) => {
    const doubt = kept[index]?.finding.doubt;
    return doubt === undefined ? [] : [{ finding, doubt, sent }];
  });
}

function maySettle(findings: readonly CheckFinding[], unmet: Assumption | undefined): boolean {
  const open = findings.filter(isOpen);
  return open.length === 0 ? unmet !== undefined : open.every(({ settles }) => settles === true);
}

/** Whether a finding counts, as a deviation or as a choice of a gap, unless waiting resolves it. */
function isOpen({ severity = 'deviation', gap }: CheckFinding): boolean {
  return severity === 'deviation' || gap !== undefined;
}

/** Of which nothing was taken (RFC 6585 section 4). */
const TOO_MANY = 429;

/** These forms contain the key but are not keys: a refusal may quote what it refuses. */
const HOLDING_A_KEY: ReadonlySet<AuthForm> = new Set([
  'extended',
  'prefixed',
  'otherScheme',
  'bareKey',
  'lowerCaseScheme',
  'firstOfTwo',
  'lastOfTwo',
  'amongOthers',
  'quoted',
  'beyondAscii',
  'unencoded',
  'twoFields',
]);

/** A wrong status is reported but does not stop later steps: an id that came with 200 instead of 201 is still an id. */
function isUsable(
  answer: WireAnswer,
  context: CheckContext,
  found: readonly { check: string; outcomes: unknown[] }[],
): boolean {
  if (answer.kind === 'unanswered') return false;
  if (answer.status >= 500) return isExpected(answer.status, context);
  const isWrong = found.some(({ check, outcomes }) => check === 'status' && outcomes.length > 0);
  return !isWrong || isAlike(answer.status, context.expect.status);
}

/** A failure that the scenario expects, for a request that the contract does not define. */
function isExpected(status: number, { sent, expect }: CheckContext): boolean {
  return sent.operation === undefined && expect.status !== undefined && fitsStatus(status, expect.status);
}

/** The assumption, if the answer does not meet it, or with what a check lacked to tell. For an unexpected answer, the checks report that instead. */
function findUnmet(assume: Assumption, context: CheckContext, scope: Scope): Assumption | undefined {
  const { answer } = context;
  const filled = fillTemplate(assume, scope) as Assumption;
  if (answer.kind === 'unanswered') return filled;
  const { status } = context.expect;
  if (status !== undefined && !fitsStatus(answer.status, status) && !isAlike(answer.status, status)) return undefined;
  const { expect: all, needs } = keepUsable(filled);
  const { status: assumedStatus, ...expect } = all;
  if (assumedStatus !== undefined && !isAssumed(answer.status, assumedStatus, status)) return filled;
  // What is assumed is so for what later steps see.
  const seen = scope.response?.body;
  const body = seen === undefined ? context.body : { kind: 'json' as const, value: seen };
  // Which answers are looked at, the status says that was assumed.
  const open = context.open || assumedStatus !== undefined;
  const assumed: CheckContext = { ...context, body, expect, stated: assume, open };
  const found = listKeywords(expect).flatMap((name) => keywords[name].check.run(assumed));
  const lacks = found.flatMap((each) => ('needs' in each ? [each.needs] : []));
  if (lacks.length > 0 && lacks.length === found.length) return { ...filled, otherwise: `needs ${lacks[0]}` };
  return found.length + needs.length > 0 ? filled : undefined;
}

/** If a success has the wrong status, it still meets the assumption of a success. */
function isAssumed(
  status: number,
  assumed: NonNullable<Expectation['status']>,
  expected: Expectation['status'],
): boolean {
  if (fitsStatus(status, assumed)) return true;
  return expected !== undefined && !fitsStatus(status, expected) && isAlike(status, assumed);
}
