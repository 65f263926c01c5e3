import { keyOfJson, sameJson } from '../../../contract/document/same-json.js';
import { asList, findOnePet, type ReceivedPet } from '../../judge/pets.js';
import type { WireRequest } from '../../model/wire.js';
import { pause } from '../../wire/http/send-politely.js';
import { createAgain, findPet, getPet, listPets, listStatuses, prepareFetch, readAgain } from './ask-again.js';
import { MOVES, type Look } from './look.js';
import type { Run } from '../run.js';

interface StatusDoubt {
  id: unknown;
  expected: unknown;
}

/**
 * Distinguishes a pet whose status changes by itself (the contract shows no transitions) from
 * a service that shows different statuses in different places, or that never stored
 * the status in its answer.
 */
export async function judgeStatus({ id, expected }: StatusDoubt, wire: WireRequest, run: Run): Promise<Look> {
  if (await doViewsDiffer(id, wire, run)) return 'defect';
  return (await wasNeverKept(id, expected, run)) ? 'defect' : MOVES;
}

/**
 * Whether the whole list keeps showing a pet with a status that its own address does not: then the address shows it wrong,
 * and it has not moved.
 */
export async function isListedWith(status: unknown, id: unknown, run: Run): Promise<boolean> {
  const isSo = async (): Promise<boolean> => sameJson(findPet((await listPets({}, run)) ?? [], id)?.['status'], status);
  return (await isSo()) && (await doViewsDiffer(id, prepareFetch(id, run), run)) && isSo();
}

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 400;
const FEWEST_ROUNDS = 3;

/** Whether the request keeps showing a different status from the rest of the service, in whatever order they alternate. */
async function doViewsDiffer(id: unknown, wire: WireRequest, run: Run): Promise<boolean> {
  const since = performance.now();
  const views = [() => seeHere(id, wire, run), () => seeElsewhere(id, wire, run)] as const;
  let pauseMs = FIRST_PAUSE_MS;
  for (let round = 0; ; round++) {
    // In an order that no service that changes a status at each request could match.
    const isHereFirst = round % 3 === 1;
    const first = await views[isHereFirst ? 0 : 1]();
    const second = await views[isHereFirst ? 1 : 0]();
    if (first === undefined || second === undefined || sameJson(first.status, second.status)) return false;
    if (round + 1 >= FEWEST_ROUNDS && !run.patience.allows(since, pauseMs)) return true;
    if (run.signal.aborted) return false;
    await pause(round + 1 < FEWEST_ROUNDS ? FIRST_PAUSE_MS : pauseMs, run.signal);
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }
}

interface Sight {
  status: unknown;
}

/** `undefined` if the pet does not appear: its status may no longer match a filter. */
async function seeHere(id: unknown, wire: WireRequest, run: Run): Promise<Sight | undefined> {
  const body = await readAgain(wire, run);
  const pet = findPet(asList(body) ?? [], id) ?? findOnePet(body)?.pet;
  return pet === undefined ? undefined : { status: pet['status'] };
}

/** Whether a request is one for a pet by its id, by the contract's own paths. */
function asksForOne({ method, target }: WireRequest, { contract, prepareOptions }: Run): boolean {
  const [path = ''] = target.slice(prepareOptions.basePath.length).split('?');
  const match = contract.match(method, path);
  return match.kind === 'operation' && match.operation.id === 'getPet';
}

/** For a list, the pet's own address is the other way to see it, and vice versa. */
async function seeElsewhere(id: unknown, wire: WireRequest, run: Run): Promise<Sight | undefined> {
  const pet = asksForOne(wire, run) ? findPet(await listAll(run), id) : await getPet(id, run);
  return pet === undefined ? undefined : { status: pet['status'] };
}

/** Every pet, by status where the whole list is refused. */
async function listAll(run: Run): Promise<ReceivedPet[]> {
  const whole = await listPets({}, run);
  if (whole !== undefined) return whole;
  const lists = await Promise.all(listStatuses(run).map((status) => listPets({ status }, run)));
  return lists.flatMap((list) => list ?? []);
}

/** If a create and a read together take no longer, a status has no time to change. */
const PROMPT_MS = 15;
const TRIES = 8;
const ENOUGH = 2;

/** Where some try is nearly prompt, the others are slow for want of a processor: then there are more of them, with pauses. */
const MORE_TRIES = 24;
const NEARLY_PROMPT_MS = 3 * PROMPT_MS;

/** Whether pets created with a status are never seen with it, not even immediately. */
async function wasNeverKept(id: unknown, expected: unknown, run: Run): Promise<boolean> {
  const created = run.memory.statuses.get(keyOfJson(id));
  if (created === undefined || !sameJson(created.status, expected)) return false;
  if (run.memory.keptStatuses.has(expected)) return false;
  // Tried once per run for each status, since it creates pets.
  const known = run.memory.neverKept.get(expected) ?? tryToKeep(expected, run);
  run.memory.neverKept.set(expected, known);
  return known;
}

async function tryToKeep(expected: unknown, run: Run): Promise<boolean> {
  let other = 0;
  let fastest = Number.POSITIVE_INFINITY;
  const isWorthIt = (tries: number): boolean => tries < (fastest <= NEARLY_PROMPT_MS ? MORE_TRIES : TRIES);
  for (let tries = 0; isWorthIt(tries) && other < ENOUGH && !run.signal.aborted; tries++) {
    if (tries >= TRIES) await pause(FIRST_PAUSE_MS, run.signal);
    const sentAt = performance.now();
    const again = await createAgain(expected, run);
    const read = again === undefined ? undefined : await getPet(again['id'], run);
    if (again === undefined || read === undefined) return false;
    if (sameJson(read['status'], again['status'])) {
      run.memory.keptStatuses.add(expected);
      return false;
    }
    const took = performance.now() - sentAt;
    fastest = Math.min(fastest, took);
    if (took <= PROMPT_MS) other += 1;
  }
  return other === ENOUGH;
}
