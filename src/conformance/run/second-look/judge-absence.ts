import { keyOfJson, sameJson } from '../../../contract/document/same-json.js';
import { NEEDS_WHOLE_LIST } from '../../judge/limit.js';
import { asList, type ReceivedPet } from '../../judge/pets.js';
import type { WireRequest } from '../../model/wire.js';
import { createAgain, findPet, getPet, listPets, listStatuses, longestPage, readAgain } from './ask-again.js';
import { isPageShort } from './is-page-short.js';
import { isListedWith } from './judge-status.js';
import { MOVES, SHORT_PAGES, type Look } from './look.js';
import { readByStatus } from './look-by-status.js';
import type { Run } from '../run.js';

const LATE: Look = { needs: 'a target whose lists settle sooner, or a longer wait (--settle)' };

/**
 * Distinguishes a pet that a list has lost from one that a page leaves out: the
 * limit is a maximum, so a page may be shorter even if there are more pets.
 */
export async function judgeAbsence(
  { id, status }: { id: unknown; status: unknown },
  wire: WireRequest,
  run: Run,
): Promise<Look> {
  const now = await getPet(id, run);
  const isOther = now !== undefined && status !== undefined && !sameJson(now['status'], status);
  const isWrong = isOther && (await isListedWith(status, id, run)) && !(await isFilteredAs(now, run));
  if (isOther && !isWrong) return MOVES;
  if (run.memory.hasShortPages) return SHORT_PAGES;
  const list = asList(await readAgain(wire, run));
  if (list === undefined) return 'defect';
  if (findPet(list, id) !== undefined) return LATE;
  if (await isSmallPageShort(status, list, run)) return SHORT_PAGES;
  if (status !== undefined) return 'defect';
  const filtered = await listByStatus(run);
  // A list that is shorter than another is not cut off: what it lacks is lost.
  if (filtered.some(({ length }) => length > list.length)) return 'defect';
  const leftOut = whatIsLeftOut(list, filtered);
  if (leftOut !== 'nothing') return leftOut === 'some' ? SHORT_PAGES : 'defect';
  return now?.['status'] === undefined && (await isNextLeftOut(run)) ? SHORT_PAGES : 'defect';
}

/** Whether the list of the status that its address shows has a pet: then the whole list shows its status wrong. */
async function isFilteredAs({ id, status }: ReceivedPet, run: Run): Promise<boolean> {
  if (!listStatuses(run).includes(status)) return false;
  return findPet((await listPets({ status }, run)) ?? [], id) !== undefined;
}

/** A pet exists that the unfiltered list, which ended before its limit, does not contain. */
export async function judgeSurplus({ id }: { id: unknown }, run: Run): Promise<Look> {
  if (run.memory.hasShortPages) return SHORT_PAGES;
  const list = await listPets({}, run);
  if (list === undefined) return 'defect';
  if (findPet(list, id) !== undefined) return LATE;
  if (list.length >= longestPage(run)) return judgeByStatus(id, run);
  const leftOut = whatIsLeftOut(list, await listByStatus(run));
  if (leftOut === 'nothing') return (await isNextLeftOut(run)) ? SHORT_PAGES : 'defect';
  return leftOut === 'some' ? SHORT_PAGES : 'defect';
}

/** Where the list of all is full, those by status may tell. */
async function judgeByStatus(id: unknown, run: Run): Promise<Look> {
  const pet = await getPet(id, run);
  const shown = pet === undefined ? undefined : await readByStatus(pet, run);
  if (pet === undefined || shown === undefined) return { needs: NEEDS_WHOLE_LIST };
  if (findPet(shown, id) !== undefined) return LATE;
  const own = (await listPets({ status: pet['status'] }, run)) ?? [];
  return (await isSmallPageShort(pet['status'], own, run)) ? SHORT_PAGES : 'defect';
}

/** The whole list, if it ended before its limit and has every pet that others had before it was read. */
export async function readWhole(run: Run): Promise<ReceivedPet[] | undefined> {
  const filtered = await listByStatus(run);
  const list = await listPets({}, run);
  if (list === undefined || run.memory.hasShortPages || whatIsLeftOut(list, filtered) !== 'nothing') return undefined;
  return (await isSmallPageShort(undefined, list, run)) ? undefined : list;
}

async function listByStatus(run: Run): Promise<ReceivedPet[][]> {
  const lists: ReceivedPet[][] = [];
  for (const status of listStatuses(run)) lists.push((await listPets({ status }, run)) ?? []);
  return lists;
}

/**
 * The pets of the filtered lists that the unfiltered one lacks. A list that
 * contains all pets of one status and none of another is not a shorter page: it
 * is filtered.
 */
function whatIsLeftOut(
  whole: readonly ReceivedPet[],
  filtered: readonly ReceivedPet[][],
): 'nothing' | 'some' | 'a status' {
  const known = new Set(whole.map(({ id }) => keyOfJson(id)));
  const shares = filtered
    .filter(({ length }) => length > 0)
    .map((list) => ({ there: list.filter(({ id }) => known.has(keyOfJson(id))).length, of: list.length }));
  if (shares.every(({ there, of }) => there === of)) return 'nothing';
  const isSplit = shares.every(({ there, of }) => there === 0 || there === of);
  return isSplit && shares.some(({ there }) => there > 0) ? 'a status' : 'some';
}

const SMALL_PAGE = 2;

/** A service whose pages are of any length may fill a few by chance. */
const SMALL_PAGES = 6;

async function isSmallPageShort(status: unknown, list: readonly ReceivedPet[], run: Run): Promise<boolean> {
  if (list.length < SMALL_PAGE) return false;
  for (let page = 0; page < SMALL_PAGES; page++) {
    const small = await listPets({ status, limit: SMALL_PAGE }, run);
    if (small === undefined) return false;
    const absent = list.map(({ id }) => id).filter((id) => findPet(small, id) === undefined);
    if (small.length < SMALL_PAGE) return isPageShort({ absent, status }, run);
  }
  return false;
}

/** Whether one more pet is also missing from the unfiltered list, but in the list of its status. */
async function isNextLeftOut(run: Run): Promise<boolean> {
  const [status] = listStatuses(run);
  const next = await createAgain(status, run);
  if (next === undefined) return false;
  const whole = (await listPets({}, run)) ?? [];
  if (findPet(whole, next['id']) !== undefined) return false;
  return findPet((await listPets({ status }, run)) ?? [], next['id']) !== undefined;
}
