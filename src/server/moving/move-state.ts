import { formatPlace } from '../../errors.js';
import { findFaultProblems } from '../../mock/faults/check-fault.js';
import type { World } from '../../mock/world/world.js';
import type { Worlds } from '../../mock/world/worlds.js';
import { moveRecords, type Dropped } from './move-records.js';
import { moveSnapshots } from './move-snapshots.js';

/** The outcome for the state that clients had made. */
export interface Moved {
  /** The number of moved records. */
  kept: number;
  /** Records that the new contract does not allow, or for which it has no place. */
  dropped: Dropped[];
  /** Other losses, as sentences without a full stop. */
  lost: string[];
}

/**
 * Moves what clients did from old worlds to the new ones: the records that they created, snapshots, the journal,
 * faults, delay, clock, choices and coverage. If a file changed the same thing, the file takes precedence.
 */
export function moveState(from: Worlds, to: Worlds): Moved {
  const moved: Moved = { kept: 0, dropped: [], lost: [] };
  for (const before of from.all()) {
    const entry = to.enter(before.name);
    if (!('world' in entry)) {
      moved.lost.push(`The world ${before.name} was dropped: ${entry.refused.message}`);
      continue;
    }
    const after = entry.world;
    after.journal = before.journal;
    after.callers = before.callers;
    after.coverage.merge(before.coverage);
    const { kept, dropped } = moveRecords(before, after);
    moved.kept += kept;
    moved.dropped.push(...dropped);
    const lost = [
      ...moveClock(before, after),
      ...moveDelay(before, after),
      ...moveChoices(before, after),
      ...moveFaults(before, after),
      ...moveSnapshots(before, after),
    ];
    moved.lost.push(...(before === from.default ? lost : lost.map((each) => `World ${before.name}: ${each}`)));
  }
  return moved;
}

function moveClock(before: World, after: World): string[] {
  if (before.clock.start !== after.clock.start)
    return [`The clock starts anew, at ${new Date(after.clock.now()).toISOString()}`];
  after.clock = before.clock;
  return [];
}

function moveDelay(before: World, after: World): string[] {
  const isSameStart = JSON.stringify(before.startDelay) === JSON.stringify(after.startDelay);
  if (isSameStart) after.delay = before.delay;
  return isSameStart || before.delay === before.startDelay ? [] : ['The delay is reset to that of the start'];
}

/** A client's choice stays, unless the profile changed it. */
function moveChoices(before: World, after: World): string[] {
  const [was, is] = [before.startProfile.choices, after.startProfile.choices];
  const chosen = Object.entries(before.profile.choices).filter(([gap, choice]) => choice !== was[gap]);
  const kept = chosen.filter(([gap]) => was[gap] === is[gap]);
  if (kept.length > 0)
    after.profile = { ...after.profile, choices: { ...after.profile.choices, ...Object.fromEntries(kept) } };
  return chosen
    .filter(([gap, choice]) => was[gap] !== is[gap] && choice !== is[gap])
    .map(([gap]) => `The choice of ${gap} is ${is[gap]}, as the profile ${after.startProfile.name} says now`);
}

function moveFaults(before: World, after: World): string[] {
  const { contract } = after;
  const problemsOf = (fault: object): string[] => findFaultProblems(fault, contract);
  const unfit = after.faults.takeOver(before.faults.state(), (fault) => problemsOf(fault).length === 0);
  const place = formatPlace(contract.document.placeOf('/paths'));
  return unfit.map(
    ({ id, hits: _hits, ...fault }) => `The fault ${id} was dropped: ${problemsOf(fault).join('; ')} (${place})`,
  );
}
