import type { AnswerBody, SentRequest } from '../checks/check.js';
import { completePet, isPet, type ReceivedPet } from '../checks/pets.js';
import { isAlike } from '../checks/status.js';
import type { TargetMemory } from '../checks/target-memory.js';
import type { WireAnswer } from '../http/wire.js';
import type { Run } from './run.js';
import { listPets } from './second-look/ask-again.js';

/**
 * The pet that a valid creation made, where its answer does not say which one that is: as a list shows it, found by its
 * name, which the run gave to no other. So an answer that is wrong hides nothing of what comes after it.
 */
export async function findCreated(
  { operation, json, violations }: SentRequest,
  { answer, body }: { answer: WireAnswer; body: AnswerBody },
  run: Run,
): Promise<ReceivedPet | undefined> {
  if (operation?.id !== 'createPet' || violations.length > 0 || !isPet(json)) return undefined;
  if (answer.kind === 'unanswered' || !isAlike(answer.status, ['2XX', '3XX']) || hasId(body)) return undefined;
  const isIts = createNameTest(json['name'], run.memory);
  // Of more pets than a page has, the newest may be on none but the page of its status.
  const found = (await findIts({}, isIts, run)) ?? (await findIts({ status: json['status'] }, isIts, run));
  if (found === undefined) return undefined;
  // What it should be is what was sent, whatever the list shows.
  const { id, status } = found;
  run.memory.created.push(
    completePet({ id, ...(json['status'] === undefined && status !== undefined ? { status } : {}) }, json),
  );
  return found;
}

async function findIts(
  which: { status?: unknown },
  isIts: (name: unknown) => boolean,
  run: Run,
): Promise<ReceivedPet | undefined> {
  const found = (await listPets(which, run))?.filter(({ id, name }) => id !== undefined && isIts(name)) ?? [];
  return found.length === 1 ? found[0] : undefined;
}

function hasId(body: AnswerBody): boolean {
  return body.kind === 'json' && isPet(body.value) && (body.value['id'] ?? undefined) !== undefined;
}

/** A service that changes names mostly leaves the letters that are unique, in one case or another. */
function createNameTest(sent: unknown, { mark, sentNames }: TargetMemory): (name: unknown) => boolean {
  if (typeof sent !== 'string') return () => false;
  const unique = new RegExp(`${mark}[a-z]{2}`).exec(sent)?.[0].toLowerCase();
  if (unique === undefined) return (name) => name === sent && sentNames.get(sent) === 1;
  return (name) => typeof name === 'string' && name.toLowerCase().includes(unique);
}
