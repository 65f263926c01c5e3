import { fillIfSeen, fillTemplate, type ResponseRecord, type Scope, type StepRecord } from '../http/template.js';
import { isPart, type CheckContext, type Need, type Check } from '../checks/check.js';
import { checks, keepUsable, keywords, listKeywords } from '../checks/index.js';
import { noteShown } from '../checks/note-shown.js';
import { noteRepresentation } from '../checks/validators.js';
import { fitsStatus, isAlike } from '../checks/status.js';
import { readOutcome } from './gaps.js';
import { awaitAccepted, showGained, withoutMonitor } from './created-records.js';
import { type Doubtful, askTwice } from '../confirm/confirm.js';
import { describeExchange } from './exchange-result.js';
import { prepareRequest, type PreparedRequest } from '../http/prepare-request.js';
import type { ExchangeResult } from '../model/result.js';
import type { Run, ScenarioRun } from './run.js';
import type { Assumption, Expectation, Step } from '../model/scenario.js';
import { isReading, type Answered, type AnswerBody, type SentRequest } from '../model/exchange.js';
import type { Reply } from '../http/send-politely.js';
import { readBody } from '../http/read-response.js';
import { rememberTaken, rememberRenaming } from '../checks/needs.js';
import { findAsked } from '../ledger/shown-records.js';
import { bodyCheck, contentTypeCheck, errorBodyCheck, jsonCheck, servedAgainCheck } from '../checks/response.js';
import { limitOf } from '../../contract/gaps/gaps-of-contract.js';
import { readParameters } from '../../contract/parameters.js';
import { listNamed } from '../http/parameters.js';
import { isCreate } from '../resources/resource-under-test.js';
import { readSlashed } from './probe.js';
import { asObject } from '../../contract/document/plain.js';

export interface StepOutcome {
  exchange: ExchangeResult;
  doubtful: Doubtful[];
  putOff: ExchangeResult[];
  record: StepRecord;
  /** Whether later steps can build on the answer: it arrived, and its status is expected or of the same kind. */
  usable: boolean;
  isInterrupted: boolean;
  needs: Need[];
  unmet: Assumption | undefined;
  maySettle: boolean;
  isUntouched: boolean;
  choice: Seen | undefined;
}

export type Seen = { name: string; evidence: string };

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
    if (failure !== undefined) texts.noteSent(written);
    // Of a 429, nothing was taken (RFC 6585 section 4).
    texts.noteSent(written, putOff.filter(({ status }) => status !== 429).length);
    return await checkReply(step, scope, { prepared, reply, putOff, failure }, run);
  } finally {
    first.settle(false);
  }
}

type Replied = { prepared: PreparedRequest; reply: Reply; putOff: readonly Answered[]; failure: Answered | undefined };

async function checkReply(step: Step, scope: Scope, replied: Replied, run: ScenarioRun): Promise<StepOutcome> {
  const { prepared } = replied;
  const { answer, sentAt, isShared, settle } = replied.reply;
  const body: AnswerBody = isPart({ answer, wire: prepared.wire }) ? { kind: 'none' } : readBody(answer);
  const ofRecord = withoutMonitor(answer, prepared.sent, run);
  const { status, headers }: Omit<ResponseRecord, 'body'> =
    ofRecord.kind === 'answered' ? ofRecord : { status: 0, headers: {} };
  const response: ResponseRecord = { status, headers, body: body.kind === 'json' ? body.value : undefined };
  // Before anything is read of it: a reference that it does not resolve ends a scenario, and what was created is there.
  if (!isShared && ofRecord.kind === 'answered') {
    const effect = { status, bytes: ofRecord.bytes, value: response.body, location: headers['location'], sentAt };
    run.ledger.noteEffect(prepared.sent, effect);
  }
  const filled: Scope = { ...scope, request: { body: prepared.sent.json }, response };
  const { expect, needs } = keepUsable(fillTemplate(step.expect ?? {}, filled) as Expectation);
  if (isAlike(response.status, '2XX')) {
    if (step.invented !== undefined) rememberTaken(run.ledger, step.invented, prepared.sent);
    rememberRenaming(run.ledger, prepared.sent);
    const isByKey = prepared.sent.operation?.path.endsWith('}') === true;
    for (const { of } of isByKey ? step.guessed : []) run.ledger.learned.found.add(of);
  }
  const context: CheckContext = {
    sent: prepared.sent,
    wire: prepared.wire,
    sentAt,
    answer,
    body,
    expect,
    contract: run.contract,
    stated: step.expect ?? {},
    invented: step.invented,
    guessed: step.guessed,
    open: step.outcomes !== undefined || (step.expect === undefined && step.assume === undefined),
    ledger: run.ledger,
    secrets: HOLDING_A_KEY.has(step.auth) ? [] : run.secrets,
    strict: run.strict,
  };
  const all = checks.map((check) => ({ check: check.id, outcomes: check.run(context) }));
  const found = run.expectations.apply(all, context);
  const seen = step.outcomes === undefined ? undefined : readOutcome(step.outcomes, context, filled);
  const unmet = step.assume === undefined ? undefined : findUnmet(step.assume, context, filled);
  const asksFor = run.ledger.whatIsAsked(prepared.sent, isShared ? performance.now() : sentAt);
  let late: Need[] = [];
  if (!isShared) {
    noteShown(context);
    noteRepresentation(context);
    if (answer.kind === 'answered') noteAnswer(prepared, answer, { value: response.body, sentAt }, run);
    await showGained(response, prepared.sent, { answer: ofRecord, value: response.body }, run);
    late = await awaitAccepted(prepared.sent, answer, response, run);
  }
  const usable = isUsable(context, found) && late.length === 0;
  const outcomes = found.flatMap((each) => each.outcomes);
  const lacks = outcomes.filter((outcome) => 'needs' in outcome);
  const findings = outcomes.flatMap((outcome) => ('needs' in outcome ? [] : [outcome]));
  const open = findings.filter(({ severity = 'deviation', gap }) => severity === 'deviation' || gap !== undefined);
  settle(open.length === 0);
  const kept = run.evidence.limit(found);
  const exchange = describeExchange(prepared, answer, { kept, asksFor, isShared }, run);
  return {
    exchange,
    doubtful: exchange.findings.flatMap((finding, index) => {
      const doubt = kept[index]?.finding.doubt;
      return doubt === undefined ? [] : [{ finding, doubt, sent: prepared }];
    }),
    putOff: checkEarlier(replied, context, run),
    record: { request: { body: prepared.sent.json }, response, outputs: usable ? readOutputs(step, filled) : {} },
    usable,
    isInterrupted: answer.kind === 'unanswered' && answer.reason === 'interrupted',
    needs: [...needs.map((each) => ({ needs: each })), ...late, ...lacks, ...(seen?.needs ?? [])],
    unmet,
    maySettle: open.length === 0 ? unmet !== undefined : open.every(({ settles }) => settles === true),
    isUntouched: open.some((finding) => finding.isUntouched === true),
    choice: seen?.choice,
  };
}

/** These forms contain the key but are not keys: a refusal may quote what it refuses. */
const HOLDING_A_KEY: ReadonlySet<string> = new Set(
  `extended prefixed otherScheme bareKey lowerCaseScheme firstOfTwo lastOfTwo amongOthers quoted beyondAscii unencoded
  twoFields`.split(/\s+/),
);

function isUsable(context: CheckContext, found: readonly { check: string; outcomes: unknown[] }[]): boolean {
  const { answer, sent, expect } = context;
  if (answer.kind === 'unanswered') return false;
  if (answer.status >= 500)
    return sent.operation === undefined && expect.status !== undefined && fitsStatus(answer.status, expect.status);
  const isWrong = found.some(({ check, outcomes }) => check === 'status' && outcomes.length > 0);
  return !isWrong || isAlike(answer.status, expect.status);
}

function findUnmet(assume: Assumption, context: CheckContext, scope: Scope): Assumption | undefined {
  const { answer } = context;
  const filled = fillTemplate(assume, scope) as Assumption;
  if (answer.kind === 'unanswered') return filled;
  const { status } = context.expect;
  if (status !== undefined && !fitsStatus(answer.status, status) && !isAlike(answer.status, status)) return undefined;
  const { expect: all, needs } = keepUsable(filled);
  const { status: assumedStatus, ...expect } = all;
  const isAsAssumed =
    assumedStatus === undefined ||
    fitsStatus(answer.status, assumedStatus) ||
    (status !== undefined && !fitsStatus(answer.status, status) && isAlike(answer.status, assumedStatus));
  if (!isAsAssumed) return filled;
  const seen = scope.response?.body;
  const body = seen === undefined ? context.body : { kind: 'json' as const, value: seen };
  const open = context.open || assumedStatus !== undefined;
  const assumed: CheckContext = { ...context, body, expect, stated: assume, open };
  const found = listKeywords(expect).flatMap((name) => keywords[name].check.run(assumed));
  const lacks = found.flatMap((each) => ('needs' in each ? [each.needs] : []));
  if (lacks.length > 0 && lacks.length === found.length) return { ...filled, otherwise: `needs ${lacks[0]}` };
  return found.length + needs.length > 0 ? filled : undefined;
}

function readOutputs(step: Step, scope: Scope): Record<string, unknown> {
  const outputs = Object.entries(step.outputs).flatMap(([name, reference]) => {
    const value = fillIfSeen(reference, scope);
    return value === undefined || (value === null && name === 'key') ? [] : [[name, value] as const];
  });
  return Object.fromEntries(outputs);
}

export class UnmetRequirement extends Error {
  override readonly name = 'UnmetRequirement';
  readonly isOfAnswer: boolean;
  constructor(message: string, isOfAnswer = false) {
    super(message);
    this.isOfAnswer = isOfAnswer;
  }
}

function checkRequirement({ requires, parameters }: Step, { sent }: PreparedRequest, run: Run): void {
  const foreign = 'the response to a create has a record that the run did not create; the run does not change it';
  if (run.ledger.changesForeign(sent)) throw new UnmetRequirement(foreign, true);
  const [violation] = sent.violations;
  if (requires === 'invalid' && violation === undefined)
    throw new UnmetRequirement('the contract allows what it sends');
  if (requires !== 'valid' || violation === undefined) return;
  const [, parameter = ''] = violation.at.split('/');
  const isOfAnswer = /^\$(?:steps|scenarios)\./.test(String(parameters[parameter]));
  throw new UnmetRequirement(`the contract does not allow what it sends: ${violation.message}`, isOfAnswer);
}

function checkEarlier({ putOff, failure, prepared }: Replied, context: CheckContext, run: Run): ExchangeResult[] {
  const errorChecks: readonly Check[] = [contentTypeCheck, jsonCheck, bodyCheck, errorBodyCheck];
  const check = (answer: Answered, own: readonly Check[]): ExchangeResult[] => {
    const seen = { ...context, answer, body: readBody(answer) };
    const kept = run.evidence.limit(own.map((each) => ({ check: each.id, outcomes: each.run(seen) })));
    const exchange = describeExchange(prepared, answer, { kept }, run);
    return exchange.findings.length === 0 ? [] : [exchange];
  };
  return [
    ...putOff.slice(0, 1).flatMap((each) => check(each, errorChecks)),
    ...(failure === undefined ? [] : check(failure, [servedAgainCheck, ...errorChecks])),
  ];
}

function noteAnswer(
  { sent, wire }: PreparedRequest,
  answer: Answered,
  { value, sentAt }: { value: unknown; sentAt: number },
  run: Run,
): void {
  const { status, headers } = answer;
  run.observe({ sent, status, headers, body: value, sentAt, answeredAt: performance.now() });
  const { operation, target = '/', authorized, violations, json } = sent;
  const isTaken = isAlike(status, '2XX');
  if (isTaken && authorized && operation !== undefined) run.ledger.learned.served.add(operation.id);
  const isRedirect = status >= 300 && status < 400;
  const location = isRedirect || status === 201 || status === 202 ? headers['location'] : undefined;
  const all = AROUND.flatMap((above) => Object.entries(asObject(above === '' ? value : asObject(value)[above])));
  const next = all.filter(([name]) => NEXT_NAME.test(name));
  const found: [way: string, address: unknown][] = [
    [isRedirect ? 'a redirect' : '`Location`', location],
    ['the `Link` to the next page', NEXT_LINK.exec(headers['link'] ?? '')?.[1]],
    ...next.map(([name, to]): [string, unknown] => [`\`${name}\``, typeof to === 'string' ? to : asObject(to)['href']]),
  ];
  for (const [way, address] of found) {
    const absolute = String(address).replace(/^\/\//, 'http://');
    if (typeof address !== 'string' || !/^https?:\/\//i.test(absolute) || !URL.canParse(absolute)) continue;
    const other = new URL(absolute).host;
    if (nameMachine(other) === nameMachine(run.host)) continue;
    const where = `as in a response of ${operation?.id ?? 'the target'}`;
    noteOnce(`${way} ${other}`, `${way} names another host, ${other}, ${where}: it is not followed`, run);
  }
  if (operation !== undefined && readSlashed(answer, `http://${run.host}${target}`) !== undefined) {
    const { path } = operation;
    const to = path.endsWith('/') ? path.slice(0, -1) : `${path}/`;
    noteOnce(`/ ${path}`, `the target redirects ${path} to ${to}, which the contract does not have`, run);
  }
  if (operation !== undefined) {
    const named = listNamed(operation, wire.headers);
    const { header } = readParameters(operation, { pathValues: {}, query: '', headers: named });
    const judged = Array.isArray(value) ? listUntried(value, sent, run) : [];
    const untried = isTaken ? judged : Object.keys(sent.query);
    const parameters = { path: sent.path, query: sent.query, header };
    run.coverage.add({ operation, status, parameters, body: json, violations, untried });
  }
  const creates = isCreate(operation, run.contract) ? operation?.id : undefined;
  if (isTaken && creates !== undefined)
    run.countCreated(creates, authorized && violations.length === 0 && json !== undefined);
  const text = Buffer.from(wire.body ?? []).toString('utf8');
  run.ledger.texts.noteOutcome({ text, creates }, { body: value, status });
}

function listUntried(list: readonly unknown[], { query, operation }: SentRequest, { ledger, contract }: Run): string[] {
  const { subject } = findAsked(contract, { operation }) ?? {};
  const limit = subject === undefined ? undefined : limitOf(subject.roles)?.name;
  const isOfAll = limit === undefined || Object.keys(query).every((name) => name === limit);
  const shown = subject !== undefined && isOfAll ? ledger.countShown(subject) : 0;
  const most = Math.max(ledger.learned.longest.get(operation?.id ?? '') ?? 0, list.length, shown);
  const isUntried = (name: string, value: unknown) => (name === limit ? Number(value) >= most : list.length === 0);
  return Object.entries(query).flatMap(([name, value]) => (isUntried(name, value) ? [name] : []));
}

// What an answer leads to at another host. A run follows none of it: its credentials stay with the target (RFC 9110 section 15.4).

const AROUND = ['', 'links', '_links', 'paging', 'pagination', 'meta', 'page'];
const NEXT_NAME = /^(?:@odata\.)?next(?:[_-]?(?:page|link|url|uri|href|page[_-]?(?:url|link)))?$/i;
/** RFC 8288 section 3. */
const NEXT_LINK = /<([^<>]*)>(?:\s*;[^,<]*)?;\s*rel="?next\b/i;

const told = new WeakMap<object, Set<string>>();

function noteOnce(key: string, text: string, { ledger, note }: Pick<Run, 'ledger' | 'note'>): void {
  const known = told.get(ledger) ?? new Set();
  told.set(ledger, known);
  if (!known.has(key)) note(text, true);
  known.add(key);
}

function nameMachine(host: string): string {
  return host.replace(/^(?:127(?:\.\d+){3}|\[::1\])(?=$|:)/, 'localhost');
}
