import { formatPlace } from '../errors.js';
import { findFaultProblems } from '../mock/faults/apply-fault.js';
import type { World } from '../mock/world/world.js';
import type { Worlds } from '../mock/world/worlds.js';
import type { Contract } from '../contract/contract.js';
import { keyOf, type Fields, type Key, type Kept, weigh } from '../mock/store/kept.js';
import type { OpenCollection, CollectionsState } from '../mock/store/collections.js';

export type Moved = { kept: number; dropped: Dropped[]; lost: string[] };

/** Moves what clients did to new worlds; where a file changed the same thing, the file has precedence. */
export function moveState(from: Worlds, to: Worlds): Moved {
  const moved: Moved = { kept: 0, dropped: [], lost: [] };
  for (const before of from.all()) {
    const entry = to.enter(before.name);
    if (!('world' in entry)) {
      moved.lost.push(`The world ${before.name} was dropped: ${entry.rejected.message}`);
      continue;
    }
    const after = entry.world;
    after.journal = before.journal;
    after.callers = before.callers;
    after.coverage.merge(before.coverage);
    for (const { kept, within, collection } of before.collections.list()) {
      for (const { record } of collection.state().records) {
        const key = keyOf(record, collection.key);
        if (key === undefined || collection.atStart(key) !== undefined) continue;
        const why = moveRecord(record, key, { kept, within }, after);
        if (why === undefined) moved.kept += 1;
        else moved.dropped.push({ record: key === '' ? kept.name : `${kept.name} ${key}`, why });
      }
    }
    const lost = [...moveSettings(before, after), ...moveFaults(before, after), ...moveSnapshots(before, after)];
    moved.lost.push(...(before === from.default ? lost : lost.map((each) => `World ${before.name}: ${each}`)));
  }
  return moved;
}

function moveSettings(before: World, after: World): string[] {
  const lost: string[] = [];
  if (before.clock.start === after.clock.start) after.clock = before.clock;
  else lost.push(`The clock starts anew, at ${new Date(after.clock.now()).toISOString()}`);
  if (JSON.stringify(before.startDelay) === JSON.stringify(after.startDelay)) after.delay = before.delay;
  else if (before.delay !== before.startDelay) lost.push('The delay is reset to that of the start');
  // A client's choice stays, unless the profile changed it.
  const [was, is] = [before.startProfile.choices, after.startProfile.choices];
  const chosen = Object.entries(before.profile.choices).filter(([gap, choice]) => choice !== was[gap]);
  const kept = chosen.filter(([gap]) => was[gap] === is[gap]);
  if (kept.length > 0)
    after.profile = { ...after.profile, choices: { ...after.profile.choices, ...Object.fromEntries(kept) } };
  const changed = chosen.filter(([gap, choice]) => was[gap] !== is[gap] && choice !== is[gap]);
  const { name } = after.startProfile;
  return [...lost, ...changed.map(([gap]) => `The choice of ${gap} is ${is[gap]}, as the profile ${name} says now`)];
}

function moveFaults(before: World, after: World): string[] {
  const problemsOf = (fault: object): string[] => findFaultProblems(fault, after.contract);
  const unfit = after.faults.load(before.faults.save(), (fault) => problemsOf(fault).length === 0);
  const place = formatPlace(after.contract.document.placeOf('/paths'));
  return unfit.map(
    ({ id, hits: _hits, ...fault }) => `The fault ${id} was dropped: ${problemsOf(fault).join('; ')} (${place})`,
  );
}

export type Dropped = { record: string; why: string };

function moveRecord(
  record: Fields,
  key: Key,
  { kept, within }: Pick<OpenCollection, 'kept' | 'within'>,
  { contract, collections }: World,
): string | undefined {
  const place = findPlace(kept, collections.kept);
  if (place === undefined) return tellNoPlace(kept, contract);
  const problem = findProblem(record, place, contract);
  if (problem !== undefined) return problem;
  const target = collections.open(place, within);
  const stored = target.get(key) === undefined ? target.add(record) : target.change(record);
  return stored === undefined ? target.describeFull() : undefined;
}

const findPlace = ({ name, scope }: Kept, all: readonly Kept[]): Kept | undefined =>
  all.find((each) => each.name === name && each.scope.length === scope.length);

const tellNoPlace = ({ name }: Kept, { document }: Contract): string =>
  `the contract no longer has ${name} (${formatPlace(document.placeOf('/paths'))})`;

/** How a record violates the contract, with the place; `undefined` if it does not. */
export function findProblem(record: object, { schemaPointer }: Kept, { validate }: Contract): string | undefined {
  const [violation] = validate.value(schemaPointer, record);
  if (violation === undefined) return undefined;
  return `${violation.message.replace(/^body\/?/, '')} (${formatPlace(violation.contract)})`;
}

type OneState = CollectionsState[number];

function moveSnapshots(before: World, after: World): string[] {
  return before.snapshots.names().flatMap((name) => {
    const moved = (before.snapshots.get(name) ?? []).map((each) => moveOne(each, after));
    const state = moved.flatMap(({ state: one }) => (one === undefined ? [] : [one]));
    if (!after.snapshots.save(name, state)) return [`The snapshot ${name} was dropped: the store is full`];
    return moved.flatMap(({ problem }) => (problem === undefined ? [] : [`The snapshot ${name} lacks ${problem}`]));
  });
}

function moveOne(one: OneState, { collections, contract }: World): { state?: OneState; problem?: string | undefined } {
  const { kept, within, state } = one;
  const place = findPlace(kept, collections.kept);
  if (place === undefined) return { problem: `its ${kept.name}: ${tellNoPlace(kept, contract)}` };
  const judged = state.records.map((stored) => ({ stored, problem: findProblem(stored.record, place, contract) }));
  const records = judged.flatMap(({ stored, problem }) => (problem === undefined ? [stored] : []));
  const first = judged.find(({ problem }) => problem !== undefined)?.problem;
  // The start of this world consists of other objects than that of the previous one, even if they are equal.
  const weight = records.reduce((sum, { record }) => sum + weigh(record), 0);
  return {
    state: { kept: place, within, state: { records, nextKey: state.nextKey, weight } },
    problem: first === undefined ? undefined : `${judged.length - records.length} of its ${kept.name}: ${first}`,
  };
}

export interface FileNews {
  revision: number;
  changed: string | undefined;
  lost: string | undefined;
  problem: string | undefined;
}

export const createFileNews = (): FileNews => ({
  revision: 0,
  changed: undefined,
  lost: undefined,
  problem: undefined,
});
