import type { Gap } from '../../../contract/gaps/gaps.js';
import { NONE, NOT_OBSERVED, OTHER, type ObservedProfile, type ProfileAnswer } from '../../../contract/gaps/profile.js';
import type { ContractPlace } from '../../../contract/schemas/violation.js';
import { observers } from './observers/index.js';
import { watchSubject } from './observers/watched.js';
import { readSubjects } from '../../subjects/subject.js';
import { readGapsOf } from '../../subjects/read-gaps.js';
import type { WireAnswer } from '../../model/exchange.js';
import type { Conclusion, Observer, ObserverContext } from './observers/observer.js';
import type { GapResult, RunResult, ScenarioResult } from '../../model/result.js';
import type { SeenExchange } from './observers/seen-exchange.js';

/** Gathers, over a whole run, what its answers show where the contract is silent. */
export interface GapRecorder {
  note(exchange: SeenExchange): void;
  hear(answer: WireAnswer): void;
  /** By the id of the gap. */
  conclude(): ReadonlyMap<string, Conclusion>;
}

export function createGapRecorder(context: ObserverContext): GapRecorder {
  const { contract } = context;
  const created = readGapsOf(contract).asked.flatMap((gap) => observe(gap, context));
  return {
    note: (exchange) => created.forEach(([, observer]) => observer.note?.(exchange)),
    hear: (answer) => {
      if (answer.kind === 'answered') created.forEach(([, observer]) => observer.hear?.(answer));
    },
    conclude: () => new Map(created.map(([id, observer]) => [id, observer.conclude()])),
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
  /** The conclusions of the observers, by gap. */
  conclusions: ReadonlyMap<string, Conclusion>;
  /** Finds the place that leaves a gap open in the contract of the run. */
  locate: (gap: Gap) => ContractPlace;
}

/** Every gap, with the conclusions of its scenarios and observers. */
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

/** What a run observed, as a profile. */
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

/** `undefined` for a gap without a scenario of its own. */
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
  // An answer that shows nothing may hide another choice.
  const untold = scenarios.find((each) => each.aboutGap === gap.id && each.gap === undefined && wasAnswered(each));
  if (untold !== undefined) return { notObserved: explainSilence(untold) };
  if (gap.kind === 'observation') return listSeen(seen);
  const isOne = seen.every(({ choice }) => choice === first.choice);
  if (isOne)
    return { answer: toAnswer(gap, first.choice), evidence: joinDistinct(seen.map(({ evidence }) => evidence)) };
  // A service that behaves differently in different places fits no single choice.
  return { answer: OTHER, evidence: joinDistinct(seen.map(({ choice, evidence }) => `${choice}: ${evidence}`)) };
}

/** Why a scenario about a gap shows nothing about it. */
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

/** Each scenario contributes one entry; `none` contributes nothing. */
function listSeen(seen: readonly { choice: string; evidence: string }[]): Conclusion {
  const entries = seen.map(({ choice }) => choice).filter((choice) => choice !== NONE && choice !== OTHER);
  return { answer: [...new Set(entries)].sort(), evidence: joinDistinct(seen.map(({ evidence }) => evidence)) };
}

/** Whether the last step got an answer. */
function wasAnswered({ steps }: ScenarioResult): boolean {
  return steps.at(-1)?.exchanges.some(({ response }) => response !== undefined) === true;
}

function joinDistinct(texts: readonly string[]): string {
  return [...new Set(texts)].join('; ');
}

function toAnswer({ kind, value }: Gap, choice: string): ProfileAnswer {
  return kind === 'value' && value === 'integer' && choice !== NONE ? Number(choice) : choice;
}

/** An answer in plain words. */
function describeAnswer(gap: Gap, answer: ProfileAnswer): string {
  if (answer === NOT_OBSERVED) return 'not observed';
  if (typeof answer === 'object') return answer.length === 0 ? 'none' : answer.join(', ');
  if (gap.kind === 'choice') return gap.choices[answer] ?? 'none of the named choices';
  return answer === NONE ? `none was found (${gap.mock})` : String(answer);
}
