import { bindAgain } from '../../language/load-role-scenarios.js';
import { resourceOf } from '../../model/resource-of.js';
import type { Scenario } from '../../model/scenario.js';
import type { Binding } from '../../subjects/binding.js';
import { runScenario, type ScenarioOutcome } from '../run-scenario.js';
import type { Run } from '../run.js';
import { listExchanges, readRefusal } from './search-taken.js';

interface Founded {
  choose(scenario: Scenario): Scenario | undefined;
  settle(scenario: Scenario, outcome: ScenarioOutcome, run: Run): Promise<ScenarioOutcome>;
}

interface Ground {
  bindings: ReadonlyMap<string, Binding>;
  /** The scenarios that create the first records, without the name of a resource. */
  first: readonly string[];
  /** The ids of the scenarios that run. */
  planned: ReadonlySet<string>;
}

/**
 * What a run of some scenarios alone has not seen, since not all that create the first records are among them: that a second record
 * has to be another than the first, and in what. It looks for that where a create is refused, and runs the scenario again.
 */
export function learnLate(founding: Founded, { bindings, first, planned }: Ground): Founded['settle'] {
  const lessons = new Map<string, Promise<void>>();
  const teach = async (resource: string, run: Run): Promise<void> => {
    // The first record is there by now; then another beside it.
    for (const id of first.slice(1).map((each) => `${resource}${each}`)) {
      const binding = bindings.get(resource);
      const scenario = binding === undefined ? undefined : bindAgain(binding, id).get(id);
      if (scenario !== undefined) await founding.settle(scenario, await runScenario(scenario, run), run);
    }
  };
  return async (scenario, outcome, run) => {
    const settled = await founding.settle(scenario, outcome, run);
    const resource = resourceOf(scenario.id);
    const ids = first.map((each) => `${resource}${each}`);
    const isKnown = ids.includes(scenario.id) || ids.every((id) => planned.has(id));
    // What deviates is told as it was.
    if (settled.result.verdict !== 'inconclusive') return settled;
    if (isKnown || !scenario.isShipped || !isRefusedCreate(settled, bindings.get(resource))) return settled;
    const lesson = lessons.get(resource) ?? teach(resource, run);
    lessons.set(resource, lesson);
    await lesson;
    const now = founding.choose(scenario);
    return now === undefined || now === scenario ? settled : runScenario(now, run);
  };
}

/** Whether a scenario ended where the service refused to create a record of its own. */
function isRefusedCreate(outcome: ScenarioOutcome, binding: Binding | undefined): boolean {
  const asked = listExchanges(outcome.result).at(-1)?.operationId;
  const isCreate = asked !== undefined && asked === binding?.subject.roles.create?.operation.id;
  return isCreate && !outcome.usable && readRefusal(outcome, undefined) !== undefined;
}
