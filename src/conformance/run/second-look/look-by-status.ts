import type { CheckOutcome } from '../../judge/check.js';
import { hasPet, judgeUnlisted } from '../../judge/listed.js';
import { comparePets, SENT_FIELDS, type ReceivedPet } from '../../judge/pets.js';
import { sameJson } from '../../../contract/document/same-json.js';
import type { Run } from '../run.js';
import { getPet, listPets, listStatuses, longestPage } from './ask-again.js';

/** What a check found of an answer. */
interface Found {
  check: string;
  outcomes: CheckOutcome[];
}

/** Of pets that a full list does not show, the lists by status tell whether they are lost. */
export async function lookByStatus(found: readonly Found[], run: Run): Promise<void> {
  for (const each of found) {
    const outcomes: CheckOutcome[] = [];
    for (const outcome of each.outcomes) outcomes.push(...(await judgeByStatus(outcome, run)));
    each.outcomes = outcomes;
  }
}

async function judgeByStatus(outcome: CheckOutcome, run: Run): Promise<CheckOutcome[]> {
  const pet = 'needs' in outcome ? outcome.unlisted : undefined;
  const shown = pet === undefined ? undefined : await readByStatus(pet, run);
  if (pet === undefined || shown === undefined) return [outcome];
  if (hasPet(shown, pet)) return [];
  const { hasShortPages } = run.memory;
  return judgeUnlisted(pet, await dropTwins(pet, shown, run), {
    hasShortPages,
    isByStatus: true,
    contract: run.contract,
  });
}

/** Of many pets some are alike by chance: one that is fetched under the id that a list shows is not this one under a wrong id. */
async function dropTwins(pet: ReceivedPet, shown: readonly ReceivedPet[], run: Run): Promise<ReceivedPet[]> {
  const left: ReceivedPet[] = [];
  for (const each of shown) {
    const own = isLike(each, pet) ? await getPet(each['id'], run) : undefined;
    if (own === undefined || !isLike(own, pet) || !sameJson(own['id'], each['id'])) left.push(each);
  }
  return left;
}

function isLike(one: ReceivedPet, other: ReceivedPet): boolean {
  return comparePets(one, other, SENT_FIELDS).length === 0;
}

/**
 * The pets of the list by a pet's status and, if that lacks it, of the other statuses too, since the pet may be shown with
 * a wrong one. `undefined` if one of them is full, and so proves nothing of what it lacks.
 */
export async function readByStatus(pet: ReceivedPet, run: Run): Promise<ReceivedPet[] | undefined> {
  const statuses = listStatuses(run);
  if (!statuses.includes(pet['status'])) return undefined;
  const shown: ReceivedPet[] = [];
  for (const status of [pet['status'], ...statuses.filter((each) => each !== pet['status'])]) {
    const list = await listPets({ status }, run);
    if (list === undefined || (list.length >= longestPage(run) && !hasPet(list, pet))) return undefined;
    shown.push(...list);
    if (hasPet(list, pet)) break;
  }
  return shown;
}
