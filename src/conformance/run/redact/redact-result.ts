import { PetstoreMockError } from '../../../errors.js';
import { mapTexts } from '../../../redact/map-texts.js';
import { PLACEHOLDER, type Redactor } from '../../../redact/redactor.js';
import { isSecretName } from '../../../redact/secret-names.js';
import { NOT_OBSERVED } from '../../../contract/gaps/profile.js';
import type { Baseline } from '../known/baseline.js';
import type { RunEvent } from '../../model/options.js';
import type { LeftBehind, DriftResult, GapResult, RunResult, ScenarioResult } from '../../model/result.js';
import type { AuthForm } from '../../model/scenario.js';

/** What no target can influence: words of the runner, its files and the contract, which readers need for orientation. */
const OWN: ReadonlySet<string> = new Set(
  `verdict severity auth kind check state type method
  id scenario scenarios step operationId operation operations aboutGap choice question title
  asks wanted resource basis place contract coverage file date expires startedAt`.split(/\s+/),
);

/**
 * The result of a scenario without secrets. Everything that a run says about a target passes through here or through
 * {@link redactResult}, before a baseline, a profile, an event or a report sees it.
 */
export function redactScenario(result: ScenarioResult, redact: Redactor): ScenarioResult {
  return mapTexts(result, redact, OWN);
}

/** The result of a run, whose scenarios have been redacted one by one. */
export function redactResult(result: RunResult, redact: Redactor): RunResult {
  return { ...mapTexts(result, redact, OWN), gaps: result.gaps.map((gap) => redactGap(gap, redact)) };
}

/** The keys of what a run leaves are the target's words. */
export function redactLeft(left: LeftBehind[], redact: Redactor): LeftBehind[] {
  return mapTexts(left, redact, OWN);
}

/** A choice is one of our words; a number that is a secret is not an answer. */
function redactGap(gap: GapResult, redact: Redactor): GapResult {
  const { answer } = gap;
  const isSecret = typeof answer === 'number' && redact(String(answer)) !== String(answer);
  const redacted = mapTexts({ ...gap, answer: isSecret ? NOT_OBSERVED : answer }, redact, OWN);
  return gap.kind === 'choice' ? { ...redacted, answer } : redacted;
}

/** What has changed since a profile, which may be older than a secret. */
export function redactDrift(drift: DriftResult, redact: Redactor): DriftResult {
  return mapTexts(drift, redact, OWN);
}

/** A baseline may be older than a secret; its entries must still match. */
export function redactBaseline(baseline: Baseline, redact: Redactor): Baseline {
  return mapTexts(baseline, redact, OWN);
}

/** An event of a run, without secrets. */
export function redactEvent(event: RunEvent, redact: Redactor): RunEvent {
  return event.type === 'waiting' || event.type === 'runStarted' ? mapTexts(event, redact, OWN) : event;
}

/** Why a run cannot be made. */
export function redactError(error: unknown, redact: Redactor): unknown {
  if (!(error instanceof PetstoreMockError) || redact(error.message) === error.message) return error;
  return new PetstoreMockError(error.code, redact(error.message));
}

/** Header fields for a report, without those whose names mark them as secret. */
export function redactHeaders(
  headers: Readonly<Record<string, string | readonly string[]>>,
  redact: Redactor,
  auth?: AuthForm,
): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]): [string, string] => {
    if (name.toLowerCase() === 'authorization') return [name, auth === undefined ? PLACEHOLDER : nameForm(value, auth)];
    return [redact(name), isSecretName(name) ? PLACEHOLDER : redact([value].flat().join(', '))];
  });
  return Object.fromEntries(entries);
}

/** How the run presented itself, in place of its credentials. */
function nameForm(value: string | readonly string[], auth: AuthForm): string {
  return typeof value === 'string' && value.startsWith('Basic ') && auth !== 'otherScheme'
    ? `Basic <${auth}>`
    : `<${auth}>`;
}
