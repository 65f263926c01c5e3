import { fillIfSeen, fillTemplate, type Scope } from '../http/template.js';
import type { Gap } from '../../contract/gaps/gaps.js';
import { NONE, NOT_OBSERVED, OTHER, type ObservedProfile, type ProfileAnswer } from '../../contract/gaps/profile.js';
import type { ContractPlace } from '../../contract/schemas/violation.js';
import { observers, watchSubject } from './gap-observers.js';
import type { Conclusion, Observer, ObserverContext, SeenExchange } from './gap-observers.js';
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

export type GapRecorder = ReturnType<typeof createGapRecorder>;

export function createGapRecorder(context: ObserverContext) {
  const { contract } = context;
  const created = readGapsOf(contract).asked.flatMap(({ id, of, resource }): [string, Observer][] => {
    const create = observers[of?.gap ?? id];
    if (create === undefined) return [];
    const subject = readSubjects(contract).find(({ name }) => name === resource);
    return [[id, create(subject === undefined ? context : { ...context, watched: watchSubject(subject, contract) })]];
  });
  return {
    note: (exchange: SeenExchange): void => created.forEach(([, observer]) => observer.note?.(exchange)),
    hear: (answer: WireAnswer): void => {
      if (answer.kind === 'answered') created.forEach(([, observer]) => observer.hear?.(answer));
    },
    conclude: (): ReadonlyMap<string, Conclusion> =>
      new Map(created.map(([id, observer]) => [id, observer.conclude()])),
  };
}

interface Findings {
  scenarios: readonly ScenarioResult[];
  conclusions: ReadonlyMap<string, Conclusion>;
  locate: (gap: Gap) => ContractPlace;
}

export function describeGaps(gaps: readonly Gap[], { scenarios, conclusions, locate }: Findings): GapResult[] {
  return gaps.map((gap) => {
    const { id, kind, question } = gap;
    const found = mergeScenarios(gap, scenarios) ??
      conclusions.get(id) ?? { notObserved: 'no scenario that shows it was run' };
    const [answer, evidence] =
      'answer' in found ? [found.answer, found.evidence] : ([NOT_OBSERVED, found.notObserved] as const);
    return { id, kind, question, contract: locate(gap), answer, meaning: describeAnswer(gap, answer), evidence };
  });
}

type OfProfile = Pick<RunResult, 'target' | 'startedAt' | 'contract' | 'gaps'>;

export function toProfile({ target, startedAt, contract, gaps }: OfProfile): ObservedProfile {
  return {
    target,
    date: startedAt.slice(0, 'yyyy-mm-dd'.length),
    contract: `${contract.title} ${contract.version}`,
    entries: Object.fromEntries(gaps.map(({ id, answer, evidence }) => [id, { answer, evidence }])),
  };
}

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
  const silent = scenarios.filter((each) => each.aboutGap === gap.id && each.gap === undefined);
  const untold = silent.find(({ steps }) => steps.at(-1)?.exchanges.some(({ response }) => response !== undefined));
  if (untold !== undefined) return { notObserved: explainSilence(untold) };
  const evidence = joinDistinct(seen.map((each) => each.evidence));
  if (gap.kind === 'observation') {
    const entries = seen.map(({ choice }) => choice).filter((choice) => choice !== NONE && choice !== OTHER);
    return { answer: [...new Set(entries)].sort(), evidence };
  }
  const { choice } = first;
  const isNumber = gap.kind === 'value' && gap.value === 'integer' && choice !== NONE;
  if (seen.every((each) => each.choice === choice)) return { answer: isNumber ? Number(choice) : choice, evidence };
  return { answer: OTHER, evidence: joinDistinct(seen.map((each) => `${each.choice}: ${each.evidence}`)) };
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
  const findFitting = (own: Scope): Outcome | undefined => outcomes.find((outcome) => fits(outcome, context, own));
  // Another check reports a wrong success status; about a gap, it shows the same as the right one.
  const { response } = scope;
  const usual = context.sent.operation?.responses.find((each) => isAlike(Number(each.status), '2XX'));
  const isOther = response !== undefined && usual !== undefined && isAlike(response.status, '2XX');
  const corrected = isOther ? { ...scope, response: { ...response, status: Number(usual.status) } } : scope;
  const fitting = findFitting(scope) ?? findFitting(corrected);
  if (fitting?.needs !== undefined) return { needs: [{ needs: String(fillTemplate(fitting.needs, scope)) }] };
  const name = fitting?.choice === undefined ? OTHER : String(fillTemplate(fitting.choice, scope));
  return { choice: { name, evidence: describeExchange(fitting, context, scope) } };
}

function fits(raw: Outcome, context: CheckContext, scope: Scope): boolean {
  const outcome = fillIfSeen(raw, scope);
  const keeps = (value: unknown, schema: unknown): boolean => describeMismatch(schema, value).length === 0;
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

function describeExchange(outcome: Outcome | undefined, { sent, answer }: CheckContext, scope: Scope): string {
  const { status = 0, body, headers = {} } = scope.response ?? {};
  const names = Object.keys(outcome?.headers ?? {});
  const fields = names.map((name) => `${headers[name.toLowerCase()] === undefined ? 'without' : 'with'} ${name}`);
  const isTold = answer.kind === 'answered' && sent.method !== 'HEAD';
  const told = isTold ? [describeBody(body, outcome, status)] : [];
  return `${sent.method} ${sent.shownAs} → ${[String(status), ...told.filter((text) => text !== ''), ...fields].join(', ')}`;
}

const LONGEST_CODE = 60;

function describeBody(body: unknown, outcome: Outcome | undefined, status: number): string {
  if (!Array.isArray(body))
    return status >= 400 && isRecord(body) && typeof body['code'] === 'string'
      ? cutText(body['code'], LONGEST_CODE)
      : '';
  if (body.length === 0) return 'an empty list';
  const { minItems, maxItems } = (outcome?.body ?? {}) as { minItems?: unknown; maxItems?: unknown };
  if (minItems === undefined || minItems !== maxItems) return 'a list';
  return `${body.length} ${body.length === 1 ? 'record' : 'records'}`;
}

const WARNED_CHOICES: Readonly<Record<string, { choice: string; evidence: string }>> = {
  'short-pages': { choice: 'shorter', evidence: 'a page had fewer records than its limit while there were more' },
  'status-after-create': {
    choice: 'moves-by-itself',
    evidence: 'a value that the contract lists was changed, in every response',
  },
};

function findWarned(id: string): { choice: string; evidence: string } | undefined {
  return WARNED_CHOICES[id.slice(id.indexOf('.') + 1)];
}

export function describeChoice({ id }: GapChoice): string {
  return findWarned(id)?.evidence ?? '';
}

export function noteChoices(gaps: readonly GapResult[], strict: boolean): string[] {
  if (strict) return [];
  const warned = gaps.filter(({ id, answer }) => findWarned(id)?.choice === answer);
  const end = 'the contract leaves it open; --strict makes it a deviation';
  return warned.map(({ id, answer, evidence }) => `warning: ${id} is ${String(answer)} (${evidence}); ${end}`);
}
