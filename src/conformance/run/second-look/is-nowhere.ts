import { keyOfJson } from '../../../contract/document/same-json.js';
import type { ReceivedPet } from '../../judge/pets.js';
import { pause } from '../../wire/http/send-politely.js';
import type { Run } from '../run.js';
import { listPets, longestPage } from './ask-again.js';
import { readWhole } from './judge-absence.js';

const PAUSE_MS = 50;

/** A few tell that creations are lost; a run does not wait for each. */
const MOST_TOLD = 3;

/**
 * Whether a pet whose creation was accepted is in no list, for as long as the target may need: a list that has every pet
 * shows none that could be it, under whatever name.
 */
export async function isNowhere(sent: ReceivedPet, sentAt: number, run: Run): Promise<boolean> {
  if (run.memory.nowhere >= MOST_TOLD || !(await staysAway(sent, sentAt, run))) return false;
  run.memory.nowhere += 1;
  return true;
}

async function staysAway(sent: ReceivedPet, sentAt: number, run: Run): Promise<boolean> {
  const lacksIt = (list: readonly ReceivedPet[] | undefined): boolean =>
    list !== undefined && list.length < longestPage(run) && !list.some((pet) => mayBeIt(pet, { sent, sentAt, run }));
  const since = performance.now();
  while (lacksIt(await listPets({}, run)) && !run.signal.aborted) {
    if (!run.patience.allows(since, PAUSE_MS)) return lacksIt(await readWhole(run));
    await pause(PAUSE_MS, run.signal);
  }
  return false;
}

/** Whether a pet was not there before the creation, and is not known to be another that the run sent. */
function mayBeIt(
  { id, name }: ReceivedPet,
  { sent, sentAt, run: { memory } }: { sent: ReceivedPet; sentAt: number; run: Run },
): boolean {
  if (id === undefined || id === null) return true;
  if ((memory.seenIds.get(keyOfJson(id)) ?? Number.POSITIVE_INFINITY) < sentAt) return false;
  return name === sent['name'] || typeof name !== 'string' || !memory.sentNames.has(name);
}
