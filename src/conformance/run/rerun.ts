// Scenarios that run again: a create that failed on the server, and those that make a record which others have corrupted (a service
// that stores what it should reject may fail at the record from then on, whatever is asked).
import { printJson } from '../../contract/document/json.js';
import { SERVED_AGAIN } from '../checks/response.js';
import { resourceOf } from '../model/records.js';
import type { ExchangeResult, Finding } from '../model/result.js';
import type { Scenario, Step } from '../model/scenario.js';
import { deleteRecord } from './cleanup.js';
import { joinSteps } from './join-steps.js';
import type { Run } from './run.js';
import { runScenario, type ScenarioOutcome } from './run-scenario.js';

/**
 * Whether a wrong answer kept a record from being created that others build on, or that a service that creates others refused,
 * or failed at.
 */
export function isInTheWay({ lacksCreated, result }: ScenarioOutcome, isFoundation: boolean, run: Run): boolean {
  const { ledger, signal } = run;
  const failed = result.steps.flatMap(({ exchanges }) => exchanges.filter(isFailure));
  const isServedElse = failed.some(({ operationId = '' }) => ledger.learned.served.has(operationId));
  const maySucceed = isFoundation || isServedElse;
  return lacksCreated === true && result.verdict === 'deviated' && maySucceed && !signal.aborted;
}

function isFailure({ response }: ExchangeResult): boolean {
  return (response?.status ?? 0) >= 500;
}

/** A second try: a create that fails now and then is told, and hides nothing else. */
export async function runOnceMore(scenario: Scenario, first: ScenarioOutcome, run: Run): Promise<ScenarioOutcome> {
  const second = await runScenario(scenario, run);
  if (!second.usable) return first;
  const { steps, durationMs } = first.result;
  const exchangesOf = (outcome: ScenarioOutcome, id: string): ExchangeResult[] =>
    outcome.result.steps.flatMap((step) => (step.id === id ? step.exchanges : []));
  const join = (id: string): ExchangeResult[] => {
    const again = exchangesOf(second, id);
    const isServed = again.length > 0 && !again.some(isFailure);
    return [...exchangesOf(first, id).map((each) => (isServed ? asServedAgain(each) : each)), ...again];
  };
  return {
    usable: true,
    result: {
      ...second.result,
      verdict: 'deviated',
      durationMs: durationMs + second.result.durationMs,
      steps: joinSteps([...steps, ...second.result.steps], join),
    },
  };
}

function asServedAgain(exchange: ExchangeResult): ExchangeResult {
  const change = (finding: Finding): Finding =>
    finding.check === 'server-error' ? { ...finding, rule: SERVED_AGAIN } : finding;
  return { ...exchange, findings: exchange.findings.map(change) };
}

/** How many records of a resource a run makes anew. */
const MOST_RENEWED = 24;

export interface Corrupted {
  /** Notes which records of others a scenario left in another state than it should, and removes them. */
  note(scenario: Scenario, outcome: ScenarioOutcome, run: Run): Promise<void>;
  /** Creates those that a scenario asks for anew, where they were corrupted. */
  renew(scenario: Scenario, run: Run): Promise<void>;
}

/** `choose` gives a scenario with the records that the service takes. */
export function createCorrupted(
  scenarios: readonly Scenario[],
  choose: (scenario: Scenario) => Scenario | undefined,
): Corrupted {
  const byId = new Map(scenarios.map((scenario) => [scenario.id, scenario]));
  const readers = scenarios.flatMap((each) => listMakers(each).map((id) => ({ id, each })));
  // Who only looks at a record does not wait for those that change it.
  const isLookedAt = (id: string, run: Run): boolean =>
    readers.some((reader) => reader.id === id && !listChanged(reader.each, run).includes(id));
  const removed = new Set<string>();
  const corrupted = new Set<string>();
  const underWay = new Map<string, Promise<void>>();
  const renewed = new Map<string, number>();
  const countRenewed = (id: string): number => renewed.get(resourceOf(id)) ?? 0;
  const renewOne = async (id: string, run: Run): Promise<void> => {
    const planned = byId.get(id);
    const maker = planned === undefined ? undefined : choose(planned);
    if (maker === undefined || run.signal.aborted) return;
    renewed.set(resourceOf(id), countRenewed(id) + 1);
    const before = run.outputs.get(id);
    const { usable } = await runScenario(maker, run);
    // What cannot be made anew stays as it is, unless it is gone.
    if (!usable && before !== undefined && !removed.has(id)) run.outputs.set(id, forgetSent(before));
  };
  return {
    async note(scenario, { result }, run) {
      const changed = listChanged(scenario, run).filter((id) => isCorrupted(listAsked(scenario, id), result.steps));
      for (const id of changed) {
        if (corrupted.has(id) || isLookedAt(id, run)) continue;
        if (countRenewed(id) >= MOST_RENEWED) {
          run.outputs.set(id, forgetSent(run.outputs.get(id) ?? {}));
          continue;
        }
        corrupted.add(id);
        if (await removeCorrupted(resourceOf(id), run.outputs.get(id)?.['key'], run)) removed.add(id);
      }
    },
    async renew(scenario, run) {
      for (const id of listMakers(scenario)) {
        if (corrupted.delete(id))
          underWay.set(
            id,
            renewOne(id, run).finally(() => underWay.delete(id)),
          );
        await underWay.get(id);
      }
    },
  };
}

/** Of a corrupted record that stays, nobody knows what it has to be like. */
function forgetSent({ sent: _, ...known }: Record<string, unknown>): Record<string, unknown> {
  return known;
}

/** A list may fail at it as well. */
async function removeCorrupted(name: string, key: unknown, run: Run): Promise<boolean> {
  const { ledger, may, keeps } = run;
  const entry = ledger.listPresent().find(({ id }) => id.resource === name && String(id.key) === String(key));
  if (entry === undefined || keeps || !may.includes('remove')) return false;
  await deleteRecord(entry, ledger, run);
  return ledger.wasDeleted(entry.id);
}

/** Whether something went wrong with a record, and nothing after it showed the record as it should be. */
function isCorrupted(asked: readonly Step[], steps: ScenarioOutcome['result']['steps']): boolean {
  const ids = new Set(asked.map(({ id }) => id));
  const exchanges = steps.filter(({ id }) => ids.has(id)).flatMap((step) => step.exchanges);
  const last = exchanges.at(-1);
  return exchanges.some(isWrong) && (last === undefined || isWrong(last) || last.request.method !== 'GET');
}

function isWrong({ findings }: ExchangeResult): boolean {
  return findings.some(({ severity }) => severity === 'deviation');
}

const makers = new WeakMap<Scenario, ReadonlyMap<string, readonly Step[]>>();

/** The scenarios of the same resource from which a scenario takes a record, with the steps that ask for it by its key. */
function readMakers(scenario: Scenario): ReadonlyMap<string, readonly Step[]> {
  const known = makers.get(scenario);
  if (known !== undefined) return known;
  const found = new Map<string, Step[]>();
  for (const step of scenario.steps) {
    for (const [, id = ''] of printJson(step.parameters ?? {}).matchAll(/\$scenarios\.([^"{}]+?)\.outputs\.key"/g))
      if (resourceOf(id) === resourceOf(scenario.id)) found.set(id, [...(found.get(id) ?? []), step]);
  }
  makers.set(scenario, found);
  return found;
}

function listMakers(scenario: Scenario): string[] {
  return [...readMakers(scenario).keys()];
}

function listAsked(scenario: Scenario, id: string): readonly Step[] {
  return readMakers(scenario).get(id) ?? [];
}

/** Those of which it may change the record. */
function listChanged(scenario: Scenario, { contract }: Pick<Run, 'contract'>): readonly string[] {
  const known = changes.get(scenario);
  if (known !== undefined) return known;
  const isChange = ({ operationId }: Step): boolean =>
    contract.operations.find(({ id }) => id === operationId)?.method !== 'GET';
  const found = listMakers(scenario).filter((id) => listAsked(scenario, id).some(isChange));
  changes.set(scenario, found);
  return found;
}

/** Asked of every scenario that waits, whenever one ends. */
const changes = new WeakMap<Scenario, readonly string[]>();

/** Of those that change one record, one at a time: what one does to it, it does to no other. */
export function keepApart(
  ready: readonly Scenario[],
  running: Iterable<Scenario>,
  run: Pick<Run, 'contract'>,
): Scenario[] {
  const busy = new Set([...running].flatMap((scenario) => listChanged(scenario, run)));
  return ready.filter((scenario) => {
    const own = listChanged(scenario, run);
    const isFree = own.every((id) => !busy.has(id));
    for (const id of own) busy.add(id);
    return isFree;
  });
}
