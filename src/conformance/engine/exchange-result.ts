import { type Unsteady, ENOUGH, type Vanished } from '../confirm/end-of-run.js';
import type { RecordLedger, Look } from '../ledger/record-ledger.js';
import { placeFinding, placeOfStatus } from '../checks/check.js';
import { checks } from '../checks/index.js';
import type { Answered, WireAnswer, SentRequest, BrokenOnPurpose } from '../model/exchange.js';
import { redactHeaders, redactTexts } from './redact.js';
import { NOW_AND_THEN, type ExchangeResult, type Finding, type ScenarioResult } from '../model/result.js';
import { splitTarget, type PreparedRequest } from '../http/prepare-request.js';
import type { KeptFinding } from './findings.js';
import type { Run } from './run.js';
import { findLacking } from '../checks/list.js';
import { recordAt } from '../resources/resource-under-test.js';
import { markKnown } from './baseline.js';

type AsksFor = ReturnType<RecordLedger['whatIsAsked']>;

export function describeExchange(
  { wire, auth, sent, credentials }: PreparedRequest,
  answer: WireAnswer,
  { kept, asksFor, isShared = false }: { kept: readonly KeptFinding[]; asksFor?: AsksFor; isShared?: boolean },
  run: Run,
): ExchangeResult {
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

const ASKED_FOR: ReadonlySet<string> = new Set(
  checks.filter(({ onRequest }) => onRequest === true).map(({ id }) => id),
);

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

type Seen = Pick<Look, 'operationId' | 'wire' | 'answer'>;

const MOST_SHOWN = 3;

/** What a run met once alone is a note, since a replica that starts anew shows the same. */
export function reportFlaky(
  unsteady: readonly Unsteady[],
  results: readonly ScenarioResult[],
  { run, notes }: { run: Run; notes: Map<string, number> },
): ScenarioResult[] {
  let reported = [...results];
  for (const each of unsteady) {
    const isReported = each.wrong.length > 0 && isDeviation(each, results);
    const what = `${each.operationId} once lacked ${each.kind === 'record' ? 'a record' : 'records'}`;
    const note = `${what} that it returned before and after (1 of ${each.of} responses). --settle gives the target more time; another run shows whether it is flaky`;
    if (each.firm.length === 1 && !isReported) notes.set(note, 1);
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
    for (const look of each.firm.slice(0, MOST_SHOWN)) {
      const asker = findAsker(reported, look, run);
      reported = addLook(reported, asker, { look, finding }, run);
    }
  }
  return reported;
}

function isDeviation({ operationId, wrong }: Unsteady, results: readonly ScenarioResult[]): boolean {
  const times = new Set(wrong.map(({ answer }) => answer.startedAt));
  const steps = results.flatMap((each) => (each.verdict === 'deviated' ? each.steps : []));
  const exchanges = steps.flatMap((step) => step.exchanges).filter((each) => each.operationId === operationId);
  return exchanges.some(
    ({ startedAt, findings }) => times.has(startedAt) && findings.some(({ severity }) => severity === 'deviation'),
  );
}

function findAsker(results: readonly ScenarioResult[], { wire, operationId }: Seen, run: Run): number {
  const path = splitTarget(wire, run.prepareOptions).rest;
  const counts = results.map(({ steps }) => {
    const asked = steps.flatMap(({ exchanges }) => exchanges).filter((each) => each.operationId === operationId);
    return asked.reduce((sum, { request }) => sum + (request.path === path && request.auth === 'valid' ? 1000 : 1), 0);
  });
  return counts.indexOf(Math.max(1, ...counts));
}

function addLook(
  results: readonly ScenarioResult[],
  asker: number,
  { look, finding }: { look: Seen; finding: Finding },
  run: Run,
): ScenarioResult[] {
  const scenario = results[asker];
  if (scenario === undefined) return [...results];
  const isAsked = ({ operationId }: ExchangeResult): boolean => operationId === look.operationId;
  const asked = scenario.steps.findIndex(({ exchanges }) => exchanges.some(isAsked));
  const at = asked === -1 ? scenario.steps.length - 1 : asked;
  const { reason: _, ...rest } = scenario;
  const step = scenario.steps[at];
  const exchanges = [...(step?.exchanges ?? []), describeLook(look, finding, run)];
  const steps = step === undefined ? scenario.steps : scenario.steps.with(at, { ...step, exchanges });
  const changed = markKnown(redactTexts({ ...rest, verdict: 'deviated' as const, steps }, run.redact), run.known);
  return results.with(asker, changed);
}

function describeLook(look: Seen, finding: Finding, run: Run): ExchangeResult {
  const { operationId, wire, answer } = look;
  return {
    operationId,
    request: {
      method: wire.method,
      path: splitTarget(wire, run.prepareOptions).rest,
      auth: 'valid',
      headers: redactHeaders(wire.headers, run.redact, 'valid'),
    },
    response: describeResponse(answer, run.redact(Buffer.from(answer.bytes).toString('utf8')), run),
    ...(answer.startedAt === undefined ? {} : { startedAt: answer.startedAt }),
    durationMs: answer.durationMs,
    findings: [finding],
  };
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
    const asker = findAsker(reported, look, run);
    const created = { ...look, operationId: entry.subject.roles.create?.operation.id ?? '' };
    const index = asker === -1 ? findAsker(reported, created, run) : asker;
    reported = addLook(reported, index, { look, finding }, run);
  }
  return reported;
}
