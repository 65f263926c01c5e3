import { Unsendable } from '../http/request-credentials.js';
import { NEXT } from '../resources/paging.js';
import { fillIfSeen, fillTemplate, type ResponseRecord, type Scope } from '../http/template.js';
import { isPart, placeFinding, placeOfStatus, type CheckContext, type Need, type Check } from '../checks/check.js';
import { checks, keepUsable, keywords, listKeywords } from '../checks/index.js';
import { noteShown, noteRepresentation } from '../checks/own-records.js';
import { bodyCheck, contentTypeCheck, errorBodyCheck, jsonCheck, servedAgainCheck } from '../checks/response.js';
import { fitsStatus, isAlike, rememberTaken, rememberRenaming } from '../checks/status.js';
import { readOutcome } from './gaps.js';
import { awaitAccepted, showGained, withoutMonitor } from './created-records.js';
import { askTwice, type Doubtful } from '../confirm/confirm.js';
import { prepareRequest, listNamed, splitTarget, type PreparedRequest } from '../http/prepare-request.js';
import { NOW_AND_THEN, type ExchangeResult, type Finding, type ScenarioResult } from '../model/result.js';
import type { Run, ScenarioRun } from './run.js';
import type { Assumption, Expectation, Step } from '../model/scenario.js';
import { isReading, isRedirect } from '../model/exchange.js';
import type { Answered, AnswerBody, SentRequest, WireAnswer, BrokenOnPurpose } from '../model/exchange.js';
import type { Reply } from '../http/send-politely.js';
import { readBody } from '../http/read-response.js';
import { findAsked } from '../ledger/shown-records.js';
import { limitOf } from '../../contract/gaps/gaps-of-contract.js';
import { readParameters } from '../../contract/parameters.js';
import { isCreate, recordAt } from '../resources/resource-under-test.js';
import { asObject } from '../../contract/document/plain.js';
import { ENOUGH, type Unsteady, type Vanished } from '../confirm/end-of-run.js';
import type { RecordLedger, Look } from '../ledger/record-ledger.js';
import { redactHeaders, redactTexts } from './redact.js';
import { markKnown, type KeptFinding } from './baseline.js';
import { findLacking } from '../checks/list.js';

/** `usable`: later steps can build on the answer, since it arrived, and its status is expected or of the same kind. */
export type StepOutcome = Awaited<ReturnType<typeof checkReply>>;

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

async function checkReply(step: Step, scope: Scope, replied: Replied, run: ScenarioRun) {
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
  const { sent, wire } = prepared;
  const { contract, ledger, strict } = run;
  const { invented, guessed } = step;
  const known = { sent, wire, sentAt, answer, body, expect, contract, invented, guessed, ledger, strict };
  const context: CheckContext = {
    ...known,
    stated: step.expect ?? {},
    open: step.outcomes !== undefined || (step.expect === undefined && step.assume === undefined),
    secrets: HOLDING_A_KEY.has(step.auth) ? [] : run.secrets,
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
  const outputs = Object.entries(step.outputs).flatMap(([name, reference]) => {
    const value = usable ? fillIfSeen(reference, filled) : undefined;
    return value === undefined || (value === null && name === 'key') ? [] : [[name, value] as const];
  });
  return {
    exchange,
    doubtful: exchange.findings.flatMap((finding, index): Doubtful[] => {
      const doubt = kept[index]?.finding.doubt;
      return doubt === undefined ? [] : [{ finding, doubt, sent: prepared }];
    }),
    putOff: checkEarlier(replied, context, run),
    record: { request: { body: prepared.sent.json }, response, outputs: Object.fromEntries(outputs) },
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
  const found = listKeywords(expect).flatMap((name) => keywords[name].run(assumed));
  const lacks = found.flatMap((each) => ('needs' in each ? [each.needs] : []));
  if (lacks.length > 0 && lacks.length === found.length) return { ...filled, otherwise: `needs ${lacks[0]}` };
  return found.length + needs.length > 0 ? filled : undefined;
}

function checkRequirement({ requires, parameters }: Step, { sent }: PreparedRequest, run: Run): void {
  const foreign = 'the response to a create has a record that the run did not create; the run does not change it';
  if (run.ledger.changesForeign(sent)) throw new Unsendable(foreign, 'unresolved');
  const [violation] = sent.violations;
  if (violation === undefined && run.ledger.wouldLose(sent))
    throw new Unsendable(
      'the run could not remove what it creates: responses to creates do not show the key',
      'skipped',
    );
  if (requires === 'invalid' && violation === undefined)
    throw new Unsendable('the contract allows what it sends', 'skipped');
  if (requires !== 'valid' || violation === undefined) return;
  const [, parameter = ''] = violation.at.split('/');
  const verdict = /^\$(?:steps|scenarios)\./.test(String(parameters[parameter])) ? 'unresolved' : 'skipped';
  throw new Unsendable(`the contract does not allow what it sends: ${violation.message}`, verdict);
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

function noteAnswer(prepared: PreparedRequest, answer: Answered, read: { value: unknown; sentAt: number }, run: Run) {
  const { sent, wire } = prepared;
  const { value, sentAt } = read;
  const { status, headers } = answer;
  run.observe({ sent, status, headers, body: value, sentAt, answeredAt: performance.now() });
  const { operation, target = '/', authorized, violations, json } = sent;
  const isTaken = isAlike(status, '2XX');
  if (isTaken && authorized && operation !== undefined) run.ledger.learned.served.add(operation.id);
  const location = isRedirect(answer) || status === 201 || status === 202 ? headers['location'] : undefined;
  const all = ['', 'links', '_links', 'paging', 'pagination', 'meta', 'page'].flatMap((above) =>
    Object.entries(asObject(above === '' ? value : asObject(value)[above])),
  );
  const next = all.filter(([name]) => NEXT_NAME.test(name));
  const found: [way: string, address: unknown][] = [
    [isRedirect(answer) ? 'a redirect' : '`Location`', location],
    ['the `Link` to the next page', NEXT.exec(headers['link'] ?? '')?.[1]],
    ...next.map(([name, to]): [string, unknown] => [`\`${name}\``, typeof to === 'string' ? to : asObject(to)['href']]),
  ];
  for (const [way, address] of found) {
    const absolute = String(address).replace(/^\/\//, 'http://');
    if (typeof address !== 'string' || !/^https?:\/\//i.test(absolute) || !URL.canParse(absolute)) continue;
    const other = new URL(absolute).host;
    if (nameMachine(other) === nameMachine(run.host)) continue;
    const where = `as in a response of ${operation?.id ?? 'the target'}`;
    run.noteOnce(`${way} ${other}`, `${way} names another host, ${other}, ${where}: it is not followed`);
  }
  if (operation !== undefined && readSlashed(answer, `http://${run.host}${target}`) !== undefined) {
    const { path } = operation;
    const to = path.endsWith('/') ? path.slice(0, -1) : `${path}/`;
    run.noteOnce(`/ ${path}`, `the target redirects ${path} to ${to}, which the contract does not have`);
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
  run.ledger.texts.noteOutcome(text, creates, { body: value, status });
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

const NEXT_NAME = /^(?:@odata\.)?next(?:[_-]?(?:page|link|url|uri|href|page[_-]?(?:url|link)))?$/i;

const nameMachine = (host: string): string => host.replace(/^(?:127(?:\.\d+){3}|\[::1\])(?=$|:)/, 'localhost');

type Judged = { kept: readonly KeptFinding[]; asksFor?: ReturnType<RecordLedger['whatIsAsked']>; isShared?: boolean };

function describeExchange(prepared: PreparedRequest, answer: WireAnswer, judged: Judged, run: Run): ExchangeResult {
  const { wire, auth, sent, credentials } = prepared;
  const { kept, asksFor, isShared = false } = judged;
  const { base, rest } = splitTarget(wire, run.prepareOptions);
  const breaks = listBreaks(sent);
  const { operation } = sent;
  const isAnswered = answer.kind === 'answered';
  const around =
    operation !== undefined && isAnswered ? placeOfStatus(operation, answer.status, run.contract) : operation?.pointer;
  const findings = kept.map(({ check, finding, more }) => {
    const place = { contract: run.contract, around: ASKED_FOR.has(check) ? undefined : around };
    return Object.assign(placeFinding(check, finding, place), more === 0 ? {} : { more });
  });
  const match = run.contract.match(wire.method, rest.split('?', 1)[0] ?? '');
  const meant = match.kind === 'operation' ? match.operation : undefined;
  return {
    operationId: (operation ?? meant)?.id,
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
    ...(isAnswered
      ? { response: describeResponse(answer, showText(answer.bytes, run), run) }
      : { failure: answer.detail }),
    ...(answer.startedAt === undefined ? {} : { startedAt: answer.startedAt }),
    durationMs: answer.durationMs,
    ...(isShared ? { shared: true } : {}),
    findings,
  };
}

const ASKED_FOR: ReadonlySet<string> = new Set(checks.flatMap(({ id, onRequest }) => (onRequest === true ? [id] : [])));

function describeResponse({ status, headers }: Answered, body: string, { redact }: Run) {
  return { status, headers: redactHeaders(headers, redact), body };
}

function showText(bytes: Uint8Array, { redact, evidence }: Run): string {
  const decode = (length: number): string => Buffer.from(bytes.subarray(0, length)).toString('utf8');
  const most = evidence.mostShown();
  if (bytes.length <= most) return evidence.keep(redact(decode(bytes.length)));
  return evidence.keep(`${redact.head(decode(most + redact.reach), decode(most).length)}…`);
}

function listBreaks({ operation, violations, json, bodyLength, lacks }: SentRequest): BrokenOnPurpose[] {
  if (lacks !== undefined) return [{ at: 'credentials', rule: 'scope', actual: lacks.scopes.join(' ') }];
  if (operation?.requestBody !== undefined && json === undefined)
    return [{ at: 'body', rule: 'json', actual: bodyLength === 0 ? 'no body' : 'a body that is not JSON' }];
  const shown = violations.slice(0, 3);
  return shown.map(({ at, rule, expected, actual }) =>
    rule === 'required' ? { at, rule, actual } : { at, rule, expected, actual },
  );
}

type SeenLook = Pick<Look, 'operationId' | 'wire' | 'answer'>;

/** What a run met once alone is a note, since a replica that starts anew shows the same. */
export function reportFlaky(unsteady: readonly Unsteady[], results: readonly ScenarioResult[], run: Run) {
  const steps = results.flatMap((each) => (each.verdict === 'deviated' ? each.steps : []));
  const isDeviation = ({ severity }: Finding): boolean => severity === 'deviation';
  const deviating = steps.flatMap(({ exchanges }) => exchanges.filter(({ findings }) => findings.some(isDeviation)));
  let reported = [...results];
  for (const each of unsteady) {
    const times = new Set(each.wrong.map(({ answer }) => answer.startedAt));
    const isReported = deviating.some(
      ({ operationId, startedAt }) => operationId === each.operationId && times.has(startedAt),
    );
    const what = `${each.operationId} once lacked ${each.kind === 'record' ? 'a record' : 'records'}`;
    const note = `${what} that it returned before and after (1 of ${each.of} responses). --settle gives the target more time; another run shows whether it is flaky`;
    if (each.firm.length === 1 && !isReported) run.note(note);
    if (each.firm.length < (isReported ? 1 : ENOUGH)) continue;
    const operation = run.contract.operations.find(({ id }) => id === each.operationId);
    const around = operation === undefined ? undefined : `${operation.pointer}/responses`;
    const statuses = [...new Set(each.wrong.map(({ answer }) => answer.status))].join(' or ');
    const share = `${each.wrong.length} of ${each.of}`;
    const isFetch = each.kind === 'record';
    const fetches = `${statuses} for ${share} fetches of records that exist`;
    const actual = isFetch ? fetches : `${share} lists without records that exist`;
    const seen = { rule: NOW_AND_THEN, at: 'body', expected: 'what the same request shows before and after', actual };
    const finding = placeFinding(isFetch ? 'status' : 'records', seen, { contract: run.contract, around });
    for (const look of each.firm.slice(0, 3)) reported = addLook(reported, look, finding, run);
  }
  return reported;
}

/** Adds it to the scenario that sent the request most often, or else to one that sent what made the record. */
function addLook(results: readonly ScenarioResult[], look: SeenLook, finding: Finding, run: Run, maker?: string) {
  const { operationId, wire, answer } = look;
  const { rest: path } = splitTarget(wire, run.prepareOptions);
  const findAsker = (id: string | undefined): number => {
    const counts = results.map(({ steps }) => {
      const asked = steps.flatMap(({ exchanges }) => exchanges).filter((each) => each.operationId === id);
      return asked.reduce(
        (sum, { request }) => sum + (request.path === path && request.auth === 'valid' ? 1000 : 1),
        0,
      );
    });
    return id === undefined ? -1 : counts.indexOf(Math.max(1, ...counts));
  };
  const found = findAsker(operationId);
  const asker = found === -1 ? findAsker(maker) : found;
  const scenario = results[asker];
  if (scenario === undefined) return [...results];
  const isAsked = (each: ExchangeResult): boolean => each.operationId === operationId;
  const asked = scenario.steps.findIndex(({ exchanges }) => exchanges.some(isAsked));
  const at = asked === -1 ? scenario.steps.length - 1 : asked;
  const { reason: _, ...rest } = scenario;
  const step = scenario.steps[at];
  const headers = redactHeaders(wire.headers, run.redact, 'valid');
  const shown: ExchangeResult = {
    operationId,
    request: { method: wire.method, path, auth: 'valid', headers },
    response: describeResponse(answer, run.redact(Buffer.from(answer.bytes).toString('utf8')), run),
    ...(answer.startedAt === undefined ? {} : { startedAt: answer.startedAt }),
    durationMs: answer.durationMs,
    findings: [finding],
  };
  const exchanges = [...(step?.exchanges ?? []), shown];
  const steps = step === undefined ? scenario.steps : scenario.steps.with(at, { ...step, exchanges });
  const changed = markKnown(redactTexts({ ...rest, verdict: 'deviated' as const, steps }, run.redact), run.known);
  return results.with(asker, changed);
}

export function reportVanished(vanished: readonly Vanished[], results: readonly ScenarioResult[], run: Run) {
  let reported = [...results];
  for (const { entry, page } of vanished) {
    const { list } = entry.subject.roles;
    if (list === undefined) continue;
    const look = { operationId: list.operation.id, ...page };
    const lacking = findLacking(entry.id.key, { at: recordAt(list) ?? '' });
    const place = { contract: run.contract, around: `${list.operation.pointer}/responses` };
    const finding = placeFinding('records', { ...lacking, resource: entry.subject.name }, place);
    reported = addLook(reported, look, finding, run, entry.subject.roles.create?.operation.id);
  }
  return reported;
}

export function readSlashed(answer: WireAnswer, asked: string): string | undefined {
  const location = isRedirect(answer) ? answer.headers['location'] : undefined;
  if (location === undefined || !URL.canParse(location, asked)) return undefined;
  const [from, to] = [new URL(asked), new URL(location, asked)];
  const isSame = from.host === to.host && from.pathname !== to.pathname;
  const others = [`${from.pathname}/`, from.pathname.replace(/\/$/, '')];
  return isSame && others.includes(to.pathname) ? to.pathname : undefined;
}
