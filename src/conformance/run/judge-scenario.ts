import { describeChoice } from './gaps/worth-a-look.js';
import type { ScenarioResult } from '../model/result.js';
import type { Scenario } from '../model/scenario.js';
import type { ScenarioProgress } from './progress.js';
import type { StepOutcome } from './run-exchange.js';
import type { Run } from './run.js';
import { concludeSearch } from './series/search-limit.js';

/** The verdict of a scenario. */
export function judgeScenario(
  scenario: Scenario,
  outcomes: readonly StepOutcome[],
  progress: ScenarioProgress,
  run: Run,
): Pick<ScenarioResult, 'verdict' | 'reason' | 'gap' | 'blockedAt'> {
  const { stopped } = progress;
  const search = scenario.steps.find((step) => step.search !== undefined)?.search;
  const found = search === undefined || stopped !== undefined ? undefined : concludeSearch(search, outcomes, run);
  const seen =
    found !== undefined && 'name' in found ? found : outcomes.find(({ choice }) => choice !== undefined)?.choice;
  const noticed = findNoticed(outcomes);
  const gap =
    scenario.gap === undefined || seen === undefined
      ? noticed === undefined
        ? {}
        : { gap: noticed }
      : { gap: { id: scenario.gap, choice: seen.name, evidence: seen.evidence } };
  if (outcomes.some(hasDeviation)) return { verdict: 'deviated', ...gap, ...findBlocked(progress) };
  if (stopped !== undefined) return { verdict: stopped.verdict, reason: stopped.reason, ...gap };
  const needs = outcomes.flatMap((outcome) => outcome.needs);
  if (found !== undefined && 'needs' in found) needs.push(found);
  if (needs.length > 0) {
    const texts = [...new Set(needs.map((need) => need.needs))];
    return { verdict: 'inconclusive', reason: `needs ${texts.join('; ')}`, ...gap };
  }
  if (noticed !== undefined) return { verdict: 'observed', ...gap };
  if (scenario.gap !== undefined && seen === undefined)
    return {
      verdict: 'inconclusive',
      reason: 'no response showed how the target behaves; --verbose shows the responses',
    };
  if (outcomes.length === 0)
    return {
      verdict: 'inconclusive',
      reason: 'no rule applies to the responses; --verbose shows them',
    };
  return { verdict: seen === undefined ? 'passed' : 'observed', ...gap };
}

/** The step whose answer kept something from being judged: a later step, or a rule that had nothing to look at. */
function findBlocked({ blockedAt, outcomes }: ScenarioProgress): Pick<ScenarioResult, 'blockedAt'> {
  const lacking = [...outcomes].find(([, all]) => all.some((each) => each.needs.length > 0 && hasDeviation(each)));
  const step = blockedAt ?? lacking?.[0];
  return step === undefined ? {} : { blockedAt: step };
}

function hasDeviation({ exchange, putOff }: StepOutcome): boolean {
  return [...putOff, exchange].some(({ findings }) => findings.some(({ severity }) => severity === 'deviation'));
}

/** Whether there is a finding that waiting has not resolved. */
export function hasOpenFinding(outcome: StepOutcome): boolean {
  return hasDeviation(outcome) || outcome.exchange.findings.some(({ gap }) => gap !== undefined);
}

/** The choice of a gap that the findings show. */
function findNoticed(outcomes: readonly StepOutcome[]): ScenarioResult['gap'] {
  const gap = outcomes.flatMap(({ exchange }) => exchange.findings).find((finding) => finding.gap !== undefined)?.gap;
  return gap === undefined ? undefined : { ...gap, evidence: describeChoice(gap) };
}
