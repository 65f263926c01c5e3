import type { CheckContext, CheckFinding, Need } from '../checks/check.js';
import { contentTypeCheck } from '../checks/content-type.js';
import { errorBodyCheck } from '../checks/error-body.js';
import { checks } from '../checks/index.js';
import { jsonCheck } from '../checks/json.js';
import { keepUsable, keywords, listKeywords } from '../checks/keywords.js';
import { fitsStatus, isAlike } from '../checks/status.js';
import { readOutcome } from '../gaps/read-outcome.js';
import type { Doubtful } from './second-look/look-again.js';
import { describeExchange } from './describe-exchange.js';
import { noteAnswer } from './note-answer.js';
import { prepareRequest, type PreparedRequest } from '../request/prepare-request.js';
import type { ExchangeResult } from '../result.js';
import type { Run } from './run.js';
import type { Assumption, AuthForm, Expectation, Step } from '../scenarios/scenario.js';
import type { Answered, WireAnswer } from '../http/wire.js';
import { rememberSending } from '../checks/target-memory.js';
import { readBody, readOutputs, recordResponse } from './read-answer.js';
import { fillTemplate, type Scope, type StepRecord } from '../scenarios/template.js';

/** What one exchange of a step came to. */
export interface StepOutcome {
  exchange: ExchangeResult;
  /** The findings that a choice of a gap may explain. */
  doubtful: Doubtful[];
  /** A request to come back later that breaks the contract, before the answer proper. */
  putOff: ExchangeResult[];
  record: StepRecord;
  /** Whether later steps can build on the answer: it came, and its status is one that the step expects, or of the same kind. */
  usable: boolean;
  /** Whether the run was interrupted before an answer came. */
  isInterrupted: boolean;
  /** What the checks would need to conclude something. */
  needs: Need[];
  /** Set when an assumption does not hold. */
  unmet: Assumption | undefined;
  /** Whether waiting may mend everything that was found. */
  maySettle: boolean;
  /** The choice seen, when the step has outcomes. */
  choice: Seen | undefined;
}

/** A choice, and the exchange that shows it, in words that are the same from run to run. */
export interface Seen {
  name: string;
  evidence: string;
}

/** One exchange: request, answer, checks. Throws `UnresolvedReference` when the request cannot be made. */
export async function runExchange(step: Step, scope: Scope, run: Run): Promise<StepOutcome> {
  const prepared = prepareRequest(step, scope, run.prepareOptions);
  checkRequirement(step, prepared);
  if (prepared.sent.operation?.id === 'createPet') rememberSending(run.memory, prepared.sent.json);
  const sentAt = performance.now();
  const putOff: Answered[] = [];
  const answer = await run.send(prepared.wire, (each) => putOff.push(each));
  const body = readBody(answer);
  const response = recordResponse(answer, body);
  const filled: Scope = { ...scope, request: { body: prepared.sent.json }, response };
  const { expect, needs } = keepUsable(fillTemplate(step.expect ?? {}, filled) as Expectation);
  const context = createContext(step, { sent: prepared.sent, sentAt, answer, body, expect }, run);
  const found = checks.map((check) => ({ check: check.id, outcomes: check.run(context) }));
  const seen = step.outcomes === undefined ? undefined : readOutcome(step.outcomes, context, filled);
  const unmet = step.assume === undefined ? undefined : findUnmet(step.assume, context, filled);
  noteAnswer(prepared, { answer, body, sentAt }, run);

  const all = found.flatMap(({ outcomes }) => outcomes);
  const findings = all.flatMap((outcome) => ('needs' in outcome ? [] : [outcome]));
  const exchange = describeExchange(prepared, answer, found, run);
  return {
    exchange,
    doubtful: listDoubtful(exchange, findings, prepared),
    putOff: putOff.slice(0, 1).flatMap((each) => judgePutOff(each, context, prepared, run)),
    record: { request: { body: prepared.sent.json }, response, outputs: readOutputs(step, filled) },
    usable: isUsable(answer, context, found),
    isInterrupted: answer.kind === 'unanswered' && answer.reason === 'interrupted',
    needs: [
      ...needs.map((each) => ({ needs: each })),
      ...all.filter((outcome) => 'needs' in outcome),
      ...(seen?.needs ?? []),
    ],
    unmet,
    maySettle: maySettle(findings, unmet, run),
    choice: seen?.choice,
  };
}

/** What the checks look at. */
function createContext(
  step: Step,
  exchange: Pick<CheckContext, 'sent' | 'sentAt' | 'answer' | 'body' | 'expect'>,
  { contract, memory, secrets, strict }: Run,
): CheckContext {
  return {
    ...exchange,
    contract,
    stated: step.expect ?? {},
    open: step.outcomes !== undefined || (step.expect === undefined && step.assume === undefined),
    memory,
    secrets: HOLDING_A_KEY.has(step.auth) ? [] : secrets,
    strict,
  };
}

function listDoubtful(exchange: ExchangeResult, findings: readonly CheckFinding[], sent: PreparedRequest): Doubtful[] {
  return exchange.findings.flatMap((finding, index) => {
    const doubt = findings[index]?.doubt;
    return doubt === undefined ? [] : [{ finding, doubt, sent }];
  });
}

function maySettle(findings: readonly CheckFinding[], unmet: Assumption | undefined, run: Run): boolean {
  const open = findings.filter(isOpen);
  if (open.length === 0) return unmet !== undefined;
  return open.every((finding) => finding.settles === true && !isKnownChoice(finding, run));
}

/** Whether a finding stays, as a deviation or as what a gap allows, unless waiting mends it. */
function isOpen({ severity = 'deviation', gap }: CheckFinding): boolean {
  return severity === 'deviation' || gap !== undefined;
}

/** What a target is known to do by itself does not settle. */
function isKnownChoice({ gap, doubt }: CheckFinding, { memory }: Run): boolean {
  if (gap?.id === 'short-pages') return memory.hasShortPages;
  return doubt?.kind === 'status' && memory.moved.size > 0;
}

/** Who asks to come back later (429, 503) sends an error like any other, with the body that all errors carry. */
function judgePutOff(answer: Answered, context: CheckContext, prepared: PreparedRequest, run: Run): ExchangeResult[] {
  const seen = { ...context, answer, body: readBody(answer) };
  const found = ERROR_CHECKS.map((check) => ({ check: check.id, outcomes: check.run(seen) }));
  const exchange = describeExchange(prepared, answer, found, run);
  return exchange.findings.length === 0 ? [] : [exchange];
}

const ERROR_CHECKS = [contentTypeCheck, jsonCheck, errorBodyCheck];

/** The contract says otherwise of a request than a step is about. */
export class UnmetRequirement extends Error {
  override readonly name = 'UnmetRequirement';
}

/** Throws {@link UnmetRequirement}. */
function checkRequirement({ requires }: Step, { sent }: PreparedRequest): void {
  const [violation] = sent.violations;
  if (requires === 'valid' && violation !== undefined) {
    throw new UnmetRequirement(`the contract does not allow what it sends: ${violation.message}`);
  }
  if (requires === 'invalid' && violation === undefined)
    throw new UnmetRequirement('the contract allows what it sends');
}

/** What is sent so is no key, although it holds one: a refusal may name what it refuses. */
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
  'twoFields',
]);

/** A wrong status is told, and blinds nobody: an id is an id, though it came with 200 for 201. */
function isUsable(answer: WireAnswer, context: CheckContext, found: { check: string; outcomes: unknown[] }[]): boolean {
  if (answer.kind === 'unanswered') return false;
  if (answer.status >= 500) return isExpected(answer.status, context);
  const isWrong = found.some(({ check, outcomes }) => check === 'status' && outcomes.length > 0);
  return !isWrong || isAlike(answer.status, context.expect.status);
}

/** A failure that the scenario asks for, of what the contract does not have. */
function isExpected(status: number, { sent, expect }: CheckContext): boolean {
  return sent.operation === undefined && expect.status !== undefined && fitsStatus(status, expect.status);
}

/** The assumption, when the answer does not meet it. An answer that the step does not expect is told of instead. */
function findUnmet(assume: Assumption, context: CheckContext, scope: Scope): Assumption | undefined {
  const { answer } = context;
  const filled = fillTemplate(assume, scope) as Assumption;
  if (answer.kind === 'unanswered') return filled;
  const { status } = context.expect;
  if (status !== undefined && !fitsStatus(answer.status, status) && !isAlike(answer.status, status)) return undefined;
  const { expect, needs } = keepUsable(filled);
  if (expect.status !== undefined && !isAssumed(answer.status, expect.status, status)) return filled;
  const assumed: CheckContext = { ...context, expect, stated: assume };
  const isUnmet = listKeywords(expect).some((name) => keywords[name].check.run(assumed).length > 0);
  return isUnmet || needs.length > 0 ? filled : undefined;
}

/** A success that should have been another one is the success that was assumed. */
function isAssumed(
  status: number,
  assumed: NonNullable<Expectation['status']>,
  expected: Expectation['status'],
): boolean {
  if (fitsStatus(status, assumed)) return true;
  return expected !== undefined && !fitsStatus(status, expected) && isAlike(status, assumed);
}
