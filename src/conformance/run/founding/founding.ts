// The first records of a resource, on which all its scenarios build: where the service refuses the one that the contract lets a run
// make, whichever it takes instead is what they are built on.
import type { Contract } from '../../../contract/contract.js';
import { resourceOf } from '../../model/records.js';
import type { Scenario } from '../../model/scenario.js';
import { bindSubjects } from '../../subjects/bind-subjects.js';
import { describeTaker } from '../../subjects/bind-expectations.js';
import { fillNouns, type Binding } from '../../subjects/binding.js';
import { bindAgain } from '../../scenarios/load-scenarios.js';
import { matchesId } from '../../scenarios/select-scenarios.js';
import { withFull, withLeast, withOther, withoutReference } from '../../subjects/records/remake.js';
import type { Run } from '../run.js';
import { type ScenarioOutcome, runScenario } from '../run-scenario.js';
import { describeAlone, describeTaken, type FirstRecord } from './describe-founding.js';
import { quoteRejection } from '../../checks/read-rejection.js';
import { readRefusal, searchTaken, listExchanges } from './search-taken.js';

export interface Founding {
  /** The scenarios that come first, for any other of the same resource. */
  listBefore(scenario: Scenario): string[];
  /** A scenario with the records that the service takes; `undefined` if it has none to ask about then. */
  choose(scenario: Scenario): Scenario | undefined;
  /** Whether a scenario can go on without what another was to create: its records need not refer to that. */
  leaveOut(scenario: Scenario, id: string, run: Run): boolean;
  /** Looks for a record that is taken, if a first one was refused; what is found out of it counts. */
  settle(scenario: Scenario, outcome: ScenarioOutcome, run: Run): Promise<ScenarioOutcome>;
}

/** The scenarios that create the records of a resource on which all others build, in their order, and what each is about. */
const FIRST = [
  { of: 'least', id: '/records/create' },
  { of: 'full', id: '/records/create-full' },
  { of: 'other', id: '/records/created-alone' },
] as const;

function partOf({ id }: Scenario): FirstRecord | undefined {
  return FIRST.find((each) => id === `${resourceOf(id)}${each.id}`)?.of;
}

/** A resource, and what belongs to its records, which is created below those that the service takes. */
function rebind(now: Binding, bindings: ReadonlyMap<string, Binding>): Binding[] {
  const below = [...bindings.values()].filter(({ parent }) => parent?.subject.name === now.subject.name);
  return [now, ...below.flatMap((each) => rebind({ ...each, parent: now }, bindings))];
}

export function createFounding(contract: Contract, scenarios: readonly Scenario[]): Founding {
  const planned = new Set(scenarios.map(({ id }) => id));
  const bindings = new Map(bindSubjects(contract).bindings.map((binding) => [binding.subject.name, binding]));
  const again = new Map<string, ReadonlyMap<string, Scenario>>();
  const creating = new Map(scenarios.map((each) => [each.id, each.after]));
  // What is to be seen before anything is created.
  const comesFirst = ({ id }: Scenario): boolean =>
    creating.get(`${resourceOf(id)}${FIRST[0].id}`)?.some((pattern) => matchesId(id, pattern)) === true;
  const bindingOf = ({ id, isShipped }: Scenario): Binding | undefined =>
    isShipped ? bindings.get(resourceOf(id)) : undefined;
  const renew = (now: Binding): void => {
    for (const each of rebind(now, bindings)) {
      bindings.set(each.subject.name, each);
      again.set(each.subject.name, bindAgain(each));
    }
  };
  const founding: Founding = {
    listBefore: (scenario) => {
      if (bindingOf(scenario) === undefined || comesFirst(scenario)) return [];
      const own = FIRST.findIndex(({ of }) => of === partOf(scenario));
      const before = FIRST.slice(0, own === -1 ? FIRST.length : own);
      return before.map(({ id }) => `${resourceOf(scenario.id)}${id}`).filter((id) => planned.has(id));
    },
    choose: (scenario) => {
      const remade = bindingOf(scenario) === undefined ? undefined : again.get(resourceOf(scenario.id));
      if (remade === undefined) return scenario;
      const now = remade.get(scenario.id);
      return now === undefined ? undefined : { ...scenario, steps: now.steps, dependsOn: now.dependsOn };
    },
    leaveOut: (scenario, id, run) => {
      const binding = bindingOf(scenario);
      const now = binding === undefined ? undefined : withoutReference(binding, id);
      if (binding === undefined || now === undefined) return false;
      run.note(describeAlone(binding, now, id));
      renew(now);
      return true;
    },
    settle: async (scenario, outcome, run) => {
      const [binding, part] = [bindingOf(scenario), partOf(scenario)];
      const said = readRefusal(outcome, part);
      if (binding === undefined || part === undefined || outcome.usable || said === undefined) return outcome;
      const found = await searchTaken(scenario, { binding, part, outcome, said }, run);
      if (found.taken === undefined) return addSaid(found.outcome, said, binding);
      run.note(describeTaken(binding, part, found.taken));
      renew({ ...binding, made: REMAKE[part](binding.made, found.taken) });
      return found.outcome;
    },
  };
  return { ...founding, settle: learnLate(founding, { bindings, first: FIRST.map(({ id }) => id), planned }) };
}

/** What the service said of it, by which a user knows what to give; where it failed, that is why others are inconclusive. */
function addSaid(outcome: ScenarioOutcome, said: string, binding: Binding): ScenarioOutcome {
  const { reason, verdict } = outcome.result;
  const text = quoteRejection(said);
  const added = text === '' ? '' : `; it says ${text}`;
  if (verdict === 'deviated')
    return { ...outcome, cause: `needs ${fillNouns(describeTaker(binding), binding)}${added}` };
  if (reason === undefined || verdict !== 'inconclusive') return outcome;
  return { ...outcome, result: { ...outcome.result, reason: `${reason}${added}` } };
}

const REMAKE = { least: withLeast, full: withFull, other: withOther } as const;

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
function learnLate(founding: Founded, { bindings, first, planned }: Ground): Founded['settle'] {
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
