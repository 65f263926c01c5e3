import type { CheckContext, CheckFinding, Need } from '../checks/check.js';
import { checks, keepUsable, keywords, listKeywords } from '../checks/index.js';
import { noteShown } from '../checks/note-shown.js';
import { fitsStatus, isAlike } from '../checks/status.js';
import { readOutcome } from './gaps/read-outcome.js';
import { showGained } from './find-records.js';
import { type Doubtful, askTwice } from '../confirm/confirm.js';
import { describeExchange } from './describe-exchange.js';
import type { KeptFinding } from './evidence.js';
import { judgeEarlier } from './judge-earlier.js';
import { noteAnswer, noteEffect } from './note-answer.js';
import { prepareRequest, type PreparedRequest, splitTarget } from '../wire/request/prepare-request.js';
import type { ExchangeResult } from '../model/result.js';
import { checkRequirement } from './check-requirement.js';
import type { Run, ScenarioRun } from './run.js';
import type { Assumption, AuthForm, Expectation, Step } from '../model/scenario.js';
import {
  isReading,
  type Answered,
  type WireAnswer,
  type AnswerBody,
  isNotFoundStatus,
  type SentRequest,
} from '../model/exchange.js';
import type { Reply } from '../wire/request/share-answers.js';
import { readBody } from '../wire/http/read-body.js';
import {
  fillTemplate,
  type Scope,
  type StepRecord,
  UnresolvedReference,
  type ResponseRecord,
} from '../wire/request/template.js';
import { rememberTaken, rememberRenaming } from '../checks/needs.js';
import { type RecordLedger, readCreatedKey, type RecordEntry } from '../ledger/record-ledger.js';
import { readPathKey } from '../model/records.js';
import { pause } from '../wire/http/send-politely.js';
import { askRole, readList } from '../confirm/ask.js';
import { findRoles, withoutKey } from '../ledger/shown-records.js';

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

/** Makes the run remember what the target has taken: values, keys and names. */
function noteTaken({ invented, guessed }: Step, sent: SentRequest, ledger: RecordLedger): void {
  if (invented !== undefined) rememberTaken(ledger, invented, sent);
  rememberRenaming(ledger, sent);
  const isByKey = sent.operation?.path.endsWith('}') === true;
  for (const { of } of isByKey ? guessed : []) ledger.learned.found.add(of);
}

/** The answer as references in later steps see it. */
function recordResponse(answer: WireAnswer, body: AnswerBody): ResponseRecord {
  return {
    status: answer.kind === 'answered' ? answer.status : 0,
    headers: answer.kind === 'answered' ? answer.headers : {},
    body: body.kind === 'json' ? body.value : undefined,
  };
}

/** The outputs of a step. */
function readOutputs(step: Step, scope: Scope): Record<string, unknown> {
  const found = Object.entries(step.outputs).map(([name, reference]) => [name, findOutput(reference, scope)] as const);
  // A key that is null is none.
  return Object.fromEntries(found.filter(([name, value]) => value !== undefined && (value !== null || name !== 'key')));
}

/** An answer need not contain an output; a step that refers to it will report that. */
function findOutput(reference: string, scope: Scope): unknown {
  try {
    return fillTemplate(reference, scope);
  } catch (error) {
    if (error instanceof UnresolvedReference) return undefined;
    throw error;
  }
}

// A 202 says that a request was accepted, not that it was carried out (RFC 9110 section 15.3.3): a run waits until it was.

const ACCEPTED = 202;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 400;

/** A record that is on its way, and whether it comes or goes. */
interface OnItsWay {
  entry: RecordEntry;
  isToBeThere: boolean;
}

/**
 * Waits until a record whose creation or removal was accepted is there, or gone, so that what builds on it sees it so. Returns
 * what is needed if that took longer than a run waits: an accepted request may be carried out at any time, or never.
 *
 * @example POST -> 202 { id: 7 }; GET /things/7 -> 404, 404, 200: the scenario goes on after the third.
 */
async function awaitAccepted(
  sent: SentRequest,
  answer: WireAnswer,
  response: ResponseRecord,
  run: Run,
): Promise<Need[]> {
  if (answer.kind !== 'answered' || answer.status !== ACCEPTED || sent.violations.length > 0) return [];
  const record = findOnItsWay(sent, response, run);
  if (record === undefined) return [];
  const since = performance.now();
  let pauseMs = FIRST_PAUSE_MS;
  for (let round = 1, isLast = false; ; round++) {
    if (await isDone(record, run)) {
      if (round > 1) run.patience.settled(performance.now() - since);
      return [];
    }
    // What was not removed by then is there, as whoever asks for it sees.
    if (isLast || run.signal.aborted)
      return record.isToBeThere ? [{ needs: describeLate(sent, performance.now() - since) }] : [];
    isLast = !run.patience.allows(since, pauseMs);
    await pause(isLast ? Math.max(0, since + run.patience.mayNeedMs() - performance.now()) : pauseMs, run.signal);
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
  }
}

/**
 * An answer without a Location that leads elsewhere than to the record: a 202 may name where to ask how far it is.
 *
 * @example POST /things -> 202, Location: /jobs/7: there is no thing 7.
 */
function withoutMonitor(answer: WireAnswer, sent: SentRequest, { contract, prepareOptions }: Run): WireAnswer {
  if (answer.kind !== 'answered' || answer.status !== ACCEPTED || answer.headers['location'] === undefined)
    return answer;
  const { location, ...headers } = answer.headers;
  const path = location.replace(/[?#].*$/s, '').replace(/^(?:[a-z][a-z\d+.-]*:)?\/\/[^/]*/i, '');
  const { rest } = splitTarget({ method: 'GET', target: path }, prepareOptions);
  const match = contract.match('GET', path.startsWith(prepareOptions.basePath) ? rest : path);
  const roles = findRoles(sent, contract);
  const isOfRecord =
    match.kind === 'operation'
      ? roles.some(({ subject }) => subject.roles.get?.operation.id === match.operation.id)
      : path.replace(/\/[^/]*\/?$/, '') === sent.target?.replace(/[?].*$/s, '');
  // A relative address has nothing but the key.
  return isOfRecord || !path.includes('/') ? answer : { ...answer, headers };
}

function findOnItsWay(
  sent: SentRequest,
  { body, headers }: ResponseRecord,
  { contract, ledger }: Run,
): OnItsWay | undefined {
  for (const { subject, role } of findRoles(sent, contract)) {
    const asked = role === 'remove' ? readPathKey(Object.values(sent.path).at(-1)) : undefined;
    if (asked !== undefined) return { entry: ledger.entryOf(subject, sent.path, asked), isToBeThere: false };
    if (role !== 'create') continue;
    const key = readCreatedKey(subject, { ...sent, json: undefined }, { value: body, location: headers['location'] });
    if (key === undefined) return undefined;
    const path = { ...withoutKey(sent.path, subject), [subject.resource.key.parameter]: key };
    return { entry: ledger.entryOf(subject, path, key), isToBeThere: true };
  }
  return undefined;
}

/** Of what can be neither fetched nor listed, nobody can tell. */
async function isDone({ entry, isToBeThere }: OnItsWay, run: Run): Promise<boolean> {
  const { subject, parameters } = entry;
  const { get, list } = subject.roles;
  if (get !== undefined) {
    const answer = await askRole(get, parameters, run);
    return answer.kind === 'unanswered' || isNotFoundStatus(answer.status) !== isToBeThere;
  }
  if (list === undefined) return true;
  const { listed } = await readList({ subject, scope: withoutKey(parameters, subject) }, run);
  return listed.some((each) => each.entry === entry) === isToBeThere;
}

function describeLate({ operation }: SentRequest, ms: number): string {
  return `a record that is there ${(ms / 1000).toFixed(1)} s after ${operation?.id ?? 'the request'} was answered with 202; --settle waits longer`;
}
