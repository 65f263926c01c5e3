// What of a record the service takes, where it refused the first one.
import { sameJson } from '../../../contract/document/same-json.js';
import type { ExchangeResult } from '../../model/result.js';
import type { Scenario } from '../../model/scenario.js';
import { describeTaker } from '../../subjects/bind-expectations.js';
import { fillNouns, type Binding } from '../../subjects/binding.js';
import { listInvented } from '../../subjects/certainty.js';
import { bindAgain } from '../../language/load-role-scenarios.js';
import type { MadeRecords, RecordTemplate } from '../../subjects/records/made-records.js';
import { leastOf, listOtherTrials, otherOf, type Trial } from '../../subjects/records/remake.js';
import { uniqueOfPattern } from '../../subjects/records/unique-texts.js';
import { findViolation } from '../../subjects/request-body.js';
import { joinSteps } from '../join-steps.js';
import { findEnd } from '../progress.js';
import type { Run } from '../run.js';
import { runScenario, type ScenarioOutcome } from '../run-scenario.js';
import { madeBefore, type FirstRecord } from './describe-founding.js';
import { findFull, findLeast, findOther } from './find-taken.js';
import { NO_MORE, type Search } from './vary-trials.js';
import { takeShown } from './take-shown.js';

/** What is about the credentials, the method, the media type or the rate, or comes from no service: the record is no reason. */
const OF_ELSE = new Set([401, 402, 403, 405, 406, 411, 415, 429, 501, 502, 503, 504]);

/** Where a smaller record was taken, 403 may be about one to which this one refers. */
const HIDDEN = 403;

/** What the service said to the create that it refused, or failed at; `undefined` if the record can be no reason. */
export function readRefusal({ result }: ScenarioOutcome, part: FirstRecord | undefined): string | undefined {
  const response = listExchanges(result).at(-1)?.response;
  if (response === undefined) return undefined;
  const isError = response.status >= 400 && !OF_ELSE.has(response.status);
  const isOfRecord = isError || (response.status === HIDDEN && part !== 'least');
  return isOfRecord ? response.body : undefined;
}

export function listExchanges({ steps }: ScenarioOutcome['result']): ExchangeResult[] {
  return steps.flatMap(({ exchanges }) => exchanges);
}

interface Refusal {
  binding: Binding;
  part: FirstRecord;
  outcome: ScenarioOutcome;
  said: string;
}

export async function searchTaken(
  scenario: Scenario,
  { binding, part, outcome, said }: Refusal,
  run: Run,
): Promise<{ taken: Trial | undefined; outcome: ScenarioOutcome }> {
  const { made, subject, contract } = binding;
  const kept = [outcome];
  let last: Trial | undefined;
  const send = async (trial: Trial): Promise<string | undefined | typeof NO_MORE> => {
    const bound = bindAgain({ ...binding, made: tryIn(made, part, trial) }, scenario.id).get(scenario.id);
    if (bound === undefined || findEnd(run) !== undefined) return NO_MORE;
    const next = await runScenario({ ...scenario, steps: bound.steps }, run);
    last = next.usable ? trial : undefined;
    if (next.usable || failed(next)) kept.push(next);
    return next.usable ? undefined : (readRefusal(next, part) ?? NO_MORE);
  };
  const { create } = subject.roles;
  const isAllowed = (plain: RecordTemplate): boolean =>
    create !== undefined && findViolation(plain, create, contract) === undefined;
  const others = part === 'least' ? await takeShown(binding, run) : [];
  const taken = await findTaken(
    part,
    { binding, said, others },
    {
      fields: subject.fields,
      isAllowed,
      makeLike: (field, value) => uniqueOfPattern(value, field, contract),
      send,
    },
  );
  // Others refer to the record that was created last.
  if (taken !== undefined && last !== taken && (await send(taken)) !== undefined) return { taken: undefined, outcome };
  const shown = taken === undefined ? undefined : kept.at(-1);
  const isDeviated = outcome.result.verdict === 'deviated';
  // A failure is told whatever it is about.
  if (failed(outcome)) return { taken, outcome: join(kept, taken !== undefined) };
  if (shown !== undefined && taken !== undefined && isDeviated && mayRefuse(part, taken, binding))
    return { taken, outcome: part === 'other' ? shown : leaveOpen(shown, binding) };
  // With which other values a record is another, its scenario does not say.
  if (part === 'other' && shown !== undefined && !isDeviated) return { taken, outcome: shown };
  return { taken, outcome: join(kept, taken !== undefined) };
}

function findTaken(
  part: FirstRecord,
  { binding, said, others: shown }: Pick<Refusal, 'binding' | 'said'> & { others: readonly Trial[] },
  search: Omit<Search, 'whole' | 'references'>,
): Promise<Trial | undefined> {
  const { made } = binding;
  const { references } = listInvented(made.full, binding);
  const full = { full: made.full, plain: made.plain };
  const least = leastOf(made);
  if (part === 'other')
    return findOther(
      { trial: otherOf(made), said },
      { full, changed: made.changed },
      { ...search, references, whole: otherOf(made) },
    );
  const searching = { ...search, references, whole: full };
  const others = [...shown, ...listOtherTrials(binding)];
  return part === 'least'
    ? findLeast({ trial: least, said }, others, searching)
    : findFull({ trial: full, said }, { least, others }, searching);
}

/**
 * Whether a record that is taken differs from the refused one in nothing but what a service may refuse by a rule of its own: a
 * reference to what is not there, a text that has to be one of its words. The contract states no such rule, and nothing proves
 * that there is none, whatever status says so. Where nothing but a further field is needed, the contract does not require it.
 */
function mayRefuse(part: FirstRecord, { full }: Trial, { made, ...binding }: Binding): boolean {
  const before = madeBefore(part, made);
  const changed = Object.keys(before).filter((name) => !sameJson(before[name], full[name]));
  const { fields } = listInvented(before, binding);
  return changed.length > 0 && changed.every((name) => fields.includes(name));
}

/** What the smaller record shows is told; the whole one shows nothing. */
function leaveOpen(outcome: ScenarioOutcome, binding: Binding): ScenarioOutcome {
  if (outcome.result.verdict === 'deviated') return outcome;
  const reason = `needs ${fillNouns(describeTaker(binding), binding)}`;
  return { ...outcome, result: { ...outcome.result, verdict: 'inconclusive', reason } };
}

/** Only what the scenario itself sends. */
function tryIn(made: MadeRecords, part: FirstRecord, { full, plain }: Trial): MadeRecords {
  if (part === 'least') return { ...made, minimal: full };
  return part === 'full' ? { ...made, full, plain } : { ...made, other: full };
}

function failed({ result }: ScenarioOutcome): boolean {
  return listExchanges(result).some(({ response }) => response === undefined || response.status >= 500);
}

/** What the first request was to show stays open; what was seen wrong on the way is told. */
function join(outcomes: readonly ScenarioOutcome[], usable: boolean): ScenarioOutcome {
  const [first] = outcomes as [ScenarioOutcome];
  const told = outcomes.filter((each) => each === first || each.result.verdict === 'deviated');
  const deviating = told.find(({ result }) => result.verdict === 'deviated');
  const all = told.flatMap(({ result }) => result.steps);
  const steps = joinSteps(all, (id) => all.flatMap((step) => (step.id === id ? step.exchanges : [])));
  const { reason: _reason, ...result } = first.result;
  const own = deviating === undefined ? first.result : { ...result, verdict: 'deviated' as const };
  return { ...first, usable, result: { ...own, steps } };
}
