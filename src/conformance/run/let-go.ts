import { readOnce } from '../../contract/read-once.js';
import { printJson } from '../../contract/document/json.js';
import type { Scenario } from '../model/scenario.js';
import type { StepRecord } from '../wire/request/template.js';
import type { StepOutcome } from './run-exchange.js';

/** Releases the bodies of a step's answers, which may be long, unless its scenario refers to them. */
export function letGoOfBodies(stepId: string, { outcomes, records }: Kept, scenario: Scenario): void {
  if (listReferred(scenario).has(stepId)) return;
  for (const { record } of outcomes.get(stepId) ?? []) record.response.body = undefined;
  const record = records[stepId];
  if (record !== undefined) records[stepId] = { ...record, responses: [] };
}

/** What a scenario keeps about its steps so far, by their ids. */
interface Kept {
  outcomes: ReadonlyMap<string, readonly StepOutcome[]>;
  records: Record<string, StepRecord>;
}

const listReferred = readOnce(
  (scenario: Scenario): ReadonlySet<string> =>
    new Set(Array.from(printJson(scenario).matchAll(/\$steps\.([^.#{}"\s]+)/g), ([, id = '']) => id)),
);
