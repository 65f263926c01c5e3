import { sameJson } from '../../../contract/document/same-json.js';
import { asList, findOnePet, readOnePet, type ReceivedPet } from '../../judge/pets.js';
import { createNameTest } from '../../judge/own-name.js';
import { isAlike } from '../../judge/status.js';
import { nextName, remember, rememberFound, rememberSending, rememberTexts } from '../../judge/target-memory.js';
import type { WireAnswer, WireRequest } from '../../model/wire.js';
import { announceGuest, noteGuest } from '../guest/guests.js';
import { bareStep, NOTHING_KNOWN } from '../../wire/request/bare-step.js';
import { prepareRequest } from '../../wire/request/prepare-request.js';
import { nameKey, readContractValues } from '../../wire/request/contract-values.js';
import { readBody } from '../read-answer.js';
import type { Run } from '../run.js';

/** Requests of a run outside any scenario, which distinguish a defect from a choice. */

const LONG_PAGE = 100;

function findListParameter(run: Run, name: string): Readonly<Record<string, unknown>> | undefined {
  const list = run.contract.operations.find(({ id }) => id === 'listPets');
  return list?.parameters.find((parameter) => parameter.name === name)?.schema;
}

/** The statuses by which a list can be filtered. */
export function listStatuses(run: Run): readonly unknown[] {
  const statuses = findListParameter(run, 'status')?.['enum'];
  return Array.isArray(statuses) ? statuses : [];
}

/** The body of a success; `undefined` for every other answer. */
export async function readAgain(wire: WireRequest, run: Run): Promise<unknown> {
  const answer = await run.send(wire);
  if (answer.kind === 'unanswered' || !isAlike(answer.status, '2XX')) return undefined;
  return readValue(answer);
}

/** As the run reads its other answers, whatever is wrong with how they are written. */
function readValue(answer: WireAnswer): unknown {
  const body = readBody(answer);
  return body.kind === 'json' ? body.value : undefined;
}

export async function getPet(id: unknown, run: Run): Promise<ReceivedPet | undefined> {
  return findOnePet(await readAgain(prepareFetch(id, run), run))?.pet;
}

/** The request for a pet by its id. */
export function prepareFetch(id: unknown, run: Run): WireRequest {
  const step = bareStep({ id: 'again', operationId: 'getPet', parameters: { [nameKey(run.contract, 'getPet')]: id } });
  return prepareRequest(step, NOTHING_KNOWN, run.prepareOptions).wire;
}

/** A list as long as the contract allows, or as `limit` says. */
export async function listPets(
  { status, limit }: { status?: unknown; limit?: number },
  run: Run,
): Promise<ReceivedPet[] | undefined> {
  const schema = findListParameter(run, 'limit');
  const longest = schema === undefined ? null : (limit ?? run.memory.servedLimit ?? schema['maximum'] ?? LONG_PAGE);
  const parameters = { limit: longest, status: status ?? null };
  const step = bareStep({ id: 'again', operationId: 'listPets', parameters });
  return asList(await readAgain(prepareRequest(step, NOTHING_KNOWN, run.prepareOptions).wire, run));
}

/** How many pets a list has that shows as many as it may. */
export function longestPage({ memory, contract }: Run): number {
  return memory.servedLimit ?? readContractValues(contract).limit.largestPage ?? Number.POSITIVE_INFINITY;
}

/** One more pet with this status; `undefined` if the run may not create one, or the target does not. */
export async function createAgain(status: unknown, run: Run): Promise<ReceivedPet | undefined> {
  if (!(await run.creates.reserve())) return undefined;
  try {
    const json = {
      name: nextName(run.memory),
      categoryId: run.memory.category.id,
      ...(status === undefined ? {} : { status }),
    };
    const step = bareStep({ id: 'again', operationId: 'createPet', json });
    const { wire, sent } = prepareRequest(step, NOTHING_KNOWN, run.prepareOptions);
    rememberSending(run.memory, sent.json);
    announceGuest(run.guests, sent, run.contract);
    const sentAt = performance.now();
    const answer = await run.send(wire);
    if (answer.kind === 'unanswered' || !isAlike(answer.status, '2XX')) return undefined;
    run.countCreated('createPet', true);
    const body = readValue(answer);
    const shown = { ...answer, value: body, location: answer.headers['location'], sentAt };
    noteGuest(run.guests, sent, shown, run.contract);
    const { status: answered } = answer;
    const text = Buffer.from(wire.body ?? []).toString('utf8');
    rememberTexts(run.memory, { text, creates: 'createPet' }, { body, status: answered });
    remember(run.memory, { body: readOnePet(body), status: answered, creation: { json, isInvalid: false } });
    const made = findOnePet(body)?.pet;
    if ((made?.['id'] ?? undefined) !== undefined) return made;
    const its = await findByName(json, run);
    return its === undefined ? undefined : rememberFound(run.memory, its, json);
  } finally {
    run.creates.release();
  }
}

/** The pet that was sent to be created, as a list shows it under the name that the run gave to no other. */
export async function findByName(sent: ReceivedPet, run: Run): Promise<ReceivedPet | undefined> {
  const isIts = createNameTest(sent['name'], run.memory);
  // Of more pets than a page has, the newest may be on none but the page of its status.
  for (const which of [{}, { status: sent['status'] }]) {
    const found = (await listPets(which, run))?.filter(({ id, name }) => id !== undefined && isIts(name)) ?? [];
    if (found.length === 1) return found[0];
  }
  return undefined;
}

export function findPet(list: readonly ReceivedPet[], id: unknown): ReceivedPet | undefined {
  return list.find((pet) => sameJson(pet['id'], id));
}
