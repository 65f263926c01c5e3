import type { Gap } from '../../contract/gaps/gaps.js';
import { NONE, NOT_OBSERVED, OTHER, type ObservedProfile, type ProfileAnswer } from '../../contract/gaps/profile.js';
import type { ContractPlace } from '../../contract/schemas/violation.js';
import {
  observers,
  watchSubject,
  type Conclusion,
  type Observer,
  type ObserverContext,
  type SeenExchange,
} from './gap-observers.js';
import { readSubjects } from '../resources/resource-under-test.js';
import { readGapsOf } from '../resources/read-gaps.js';
import type { WireAnswer } from '../model/exchange.js';
import type { GapResult, RunResult, ScenarioResult, GapChoice } from '../model/result.js';
import { cutText } from '../../contract/document/json.js';
import { isRecord } from '../checks/show.js';
import type { CheckContext, Need } from '../checks/check.js';
import { fitsStatus, isAlike } from '../checks/status.js';
import { describeMismatch } from '../checks/expectations.js';
import type { Outcome } from '../model/scenario.js';
import { fillTemplate, UnresolvedReference, type Scope } from '../http/template.js';

export type GapRecorder = ReturnType<typeof createGapRecorder>;

export function createGapRecorder(context: ObserverContext) {
  const { contract } = context;
  const created = readGapsOf(contract).asked.flatMap((gap) => observe(gap, context));
  return {
    note: (exchange: SeenExchange): void => created.forEach(([, observer]) => observer.note?.(exchange)),
    hear: (answer: WireAnswer): void => {
      if (answer.kind === 'answered') created.forEach(([, observer]) => observer.hear?.(answer));
    },
    conclude: (): ReadonlyMap<string, Conclusion> =>
      new Map(created.map(([id, observer]) => [id, observer.conclude()])),
  };
}

function observe({ id, of, resource }: Gap, context: ObserverContext): [string, Observer][] {
  const create = observers[of?.gap ?? id];
  if (create === undefined) return [];
  const subject = readSubjects(context.contract).find(({ name }) => name === resource);
  const watched = subject === undefined ? {} : { watched: watchSubject(subject, context.contract) };
  return [[id, create({ ...context, ...watched })]];
}

interface Findings {
  scenarios: readonly ScenarioResult[];
  conclusions: ReadonlyMap<string, Conclusion>;
  locate: (gap: Gap) => ContractPlace;
}

export function describeGaps(gaps: readonly Gap[], { scenarios, conclusions, locate }: Findings): GapResult[] {
  return gaps.map((gap) => {
    const conclusion = mergeScenarios(gap, scenarios) ?? conclusions.get(gap.id) ?? NO_SCENARIO;
    const isSeen = 'answer' in conclusion;
    const answer = isSeen ? conclusion.answer : NOT_OBSERVED;
    return {
      id: gap.id,
      kind: gap.kind,
      question: gap.question,
      contract: locate(gap),
      answer,
      meaning: describeAnswer(gap, answer),
      evidence: isSeen ? conclusion.evidence : conclusion.notObserved,
    };
  });
}

export function toProfile({
  target,
  startedAt,
  contract,
  gaps,
}: Pick<RunResult, 'target' | 'startedAt' | 'contract' | 'gaps'>): ObservedProfile {
  return {
    target,
    date: startedAt.slice(0, 'yyyy-mm-dd'.length),
    contract: `${contract.title} ${contract.version}`,
    entries: Object.fromEntries(gaps.map(({ id, answer, evidence }) => [id, { answer, evidence }])),
  };
}

const NO_SCENARIO: Conclusion = { notObserved: 'no scenario that shows it was run' };

function mergeScenarios(gap: Gap, scenarios: readonly ScenarioResult[]): Conclusion | undefined {
  const seen = scenarios.flatMap((scenario) => (scenario.gap?.id === gap.id ? [scenario.gap] : []));
  // An observation elsewhere outweighs all answers that merely happen to agree with another choice.
  const shown = scenarios.find((scenario) => scenario.gap?.id === gap.id && scenario.aboutGap !== gap.id)?.gap;
  if (shown !== undefined) return { answer: shown.choice, evidence: shown.evidence };
  const [first] = seen;
  if (first === undefined) {
    const about = scenarios.filter((each) => each.aboutGap === gap.id);
    return about.length === 0 ? undefined : { notObserved: joinDistinct(about.map(explainSilence)) };
  }
  const untold = scenarios.find(
    (each) =>
      each.aboutGap === gap.id &&
      each.gap === undefined &&
      each.steps.at(-1)?.exchanges.some(({ response }) => response !== undefined) === true,
  );
  if (untold !== undefined) return { notObserved: explainSilence(untold) };
  if (gap.kind === 'observation') return listSeen(seen);
  const isOne = seen.every(({ choice }) => choice === first.choice);
  if (isOne)
    return {
      answer:
        gap.kind === 'value' && gap.value === 'integer' && first.choice !== NONE ? Number(first.choice) : first.choice,
      evidence: joinDistinct(seen.map(({ evidence }) => evidence)),
    };
  // A service that behaves differently in different places fits no single choice.
  return { answer: OTHER, evidence: joinDistinct(seen.map(({ choice, evidence }) => `${choice}: ${evidence}`)) };
}

function explainSilence({ id, reason, verdict, steps }: ScenarioResult): string {
  if (reason !== undefined) return reason;
  const exchanges = steps.flatMap((step) => step.exchanges);
  const failed = exchanges.find(({ findings }) => findings.some(({ severity }) => severity === 'deviation'));
  const finding = failed?.findings.find(({ severity }) => severity === 'deviation');
  if (failed === undefined || finding === undefined) return `${id} ${verdict}, and no response in it shows this`;
  const { request, response, failure } = failed;
  const answer = response?.status ?? failure ?? 'no response';
  return (
    `${id} deviated before it showed this: ${request.method} ${request.path} → ${answer}` +
    `, with ${finding.at} ${finding.actual} where ${finding.expected} is expected`
  );
}

function listSeen(seen: readonly { choice: string; evidence: string }[]): Conclusion {
  const entries = seen.map(({ choice }) => choice).filter((choice) => choice !== NONE && choice !== OTHER);
  return { answer: [...new Set(entries)].sort(), evidence: joinDistinct(seen.map(({ evidence }) => evidence)) };
}

function joinDistinct(texts: readonly string[]): string {
  return [...new Set(texts)].join('; ');
}

function describeAnswer(gap: Gap, answer: ProfileAnswer): string {
  if (answer === NOT_OBSERVED) return 'not observed';
  if (typeof answer === 'object') return answer.length === 0 ? 'none' : answer.join(', ');
  if (gap.kind === 'choice') return gap.choices[answer] ?? 'none of the named choices';
  return answer === NONE ? `none was found (${gap.mock})` : String(answer);
}

type OutcomeReading = { choice?: { name: string; evidence: string }; needs?: Need[] };

export function readOutcome(outcomes: readonly Outcome[], context: CheckContext, scope: Scope): OutcomeReading {
  if (context.answer.kind === 'unanswered') return {};
  const { status } = context.answer;
  // A request to come back later, or a breakdown, is not an answer to the question yet.
  if (status === 429 || status >= 500)
    return { needs: [{ needs: 'a response other than 429 or 5xx (--rate sends fewer requests per second)' }] };
  const fitting =
    outcomes.find((outcome) => fits(outcome, context, scope)) ??
    outcomes.find((outcome) => fits(outcome, context, withUsualSuccess(scope, context)));
  if (fitting?.needs !== undefined) {
    return { needs: [{ needs: String(fillTemplate(fitting.needs, scope)) }] };
  }
  const name = fitting?.choice === undefined ? OTHER : String(fillTemplate(fitting.choice, scope));
  return { choice: { name, evidence: describeExchange(fitting, context, scope) } };
}

/** Another check reports a wrong success status; about a gap, it shows the same as the right one. */
function withUsualSuccess(scope: Scope, { sent }: CheckContext): Scope {
  const { response } = scope;
  const usual = sent.operation?.responses.find(({ status }) => isAlike(Number(status), '2XX'));
  if (response === undefined || usual === undefined || !isAlike(response.status, '2XX')) return scope;
  return { ...scope, response: { ...response, status: Number(usual.status) } };
}

function fits(raw: Outcome, context: CheckContext, scope: Scope): boolean {
  const outcome = fill(raw, scope);
  const response = scope.response;
  if (outcome === undefined || response === undefined) return false;
  const { status, headers, body, given } = outcome;
  if (status !== undefined && !fitsStatus(response.status, status)) return false;
  if (body !== undefined && (context.body.kind !== 'json' || !keeps(response.body, body))) return false;
  if (!(given ?? []).every(({ of, is }) => keeps(of, is))) return false;
  return Object.entries(headers ?? {}).every(([name, schema]) =>
    keeps(response.headers[name.toLowerCase()] ?? null, schema),
  );
}

function fill(outcome: Outcome, scope: Scope): Outcome | undefined {
  try {
    return fillTemplate(outcome, scope) as Outcome;
  } catch (error) {
    if (error instanceof UnresolvedReference) return undefined;
    throw error;
  }
}

function keeps(value: unknown, schema: unknown): boolean {
  return describeMismatch(schema, value).length === 0;
}

/** `GET /pets?limit=101 → 400 invalid_limit`: nothing in it differs from run to run. */
function describeExchange(outcome: Outcome | undefined, { sent, answer }: CheckContext, scope: Scope): string {
  const { status = 0, body, headers = {} } = scope.response ?? {};
  const names = Object.keys(outcome?.headers ?? {});
  const fields = names.map((name) => `${headers[name.toLowerCase()] === undefined ? 'without' : 'with'} ${name}`);
  const told = answer.kind === 'answered' && sent.method !== 'HEAD' ? [describeBody(body, outcome)] : [];
  return `${sent.method} ${sent.shownAs} → ${[String(status), ...told.filter((text) => text !== ''), ...fields].join(', ')}`;
}

const LONGEST_CODE = 60;

function describeBody(body: unknown, outcome: Outcome | undefined): string {
  if (Array.isArray(body)) return describeList(body, outcome);
  return isRecord(body) && typeof body['code'] === 'string' ? cutText(body['code'], LONGEST_CODE) : '';
}

/** The number of records is mentioned only if the choice depends on it; otherwise it varies from day to day. */
function describeList(list: readonly unknown[], outcome: Outcome | undefined): string {
  if (list.length === 0) return 'an empty list';
  const { minItems, maxItems } = (outcome?.body ?? {}) as { minItems?: unknown; maxItems?: unknown };
  if (minItems === undefined || minItems !== maxItems) return 'a list';
  return `${list.length} ${list.length === 1 ? 'record' : 'records'}`;
}

/** Choices that the contract literally allows, but that hardly anyone intends: by gap, with what shows them. */
const WARNED_CHOICES: Readonly<Record<string, { choice: string; evidence: string }>> = {
  'short-pages': { choice: 'shorter', evidence: 'a page had fewer records than its limit while there were more' },
  'status-after-create': {
    choice: 'moves-by-itself',
    evidence: 'a value that the contract lists was changed, in every response',
  },
};

/** Also of a resource: `orders.short-pages`. */
function look(id: string): { choice: string; evidence: string } | undefined {
  return WARNED_CHOICES[id.slice(id.indexOf('.') + 1)];
}

export function describeChoice({ id }: GapChoice): string {
  return look(id)?.evidence ?? '';
}

export function noteChoices(gaps: readonly GapResult[], strict: boolean): string[] {
  if (strict) return [];
  return gaps
    .filter(({ id, answer }) => look(id)?.choice === answer)
    .map(
      ({ id, answer, evidence }) =>
        `warning: ${id} is ${String(answer)} (${evidence}); the contract leaves it open; --strict makes it a deviation`,
    );
}
