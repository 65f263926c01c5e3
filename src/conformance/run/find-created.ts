import type { AnswerBody, CheckOutcome } from '../judge/check.js';
import type { SentRequest } from '../model/sent-request.js';
import { completePet, findOnePet, isPet, show, type ReceivedPet } from '../judge/pets.js';
import { findOperation } from '../judge/places.js';
import { isAlike } from '../judge/status.js';
import { isError, rememberFound } from '../judge/target-memory.js';
import type { Answered, WireAnswer } from '../model/wire.js';
import type { Run } from './run.js';
import { findByName } from './second-look/ask-again.js';
import { isNowhere } from './second-look/is-nowhere.js';

/** The answer to a creation, and what the checks found. */
interface Created {
  answer: WireAnswer;
  body: AnswerBody;
  found: { check: string; outcomes: CheckOutcome[] }[];
  sentAt: number;
}

/**
 * The pet that a valid creation made, where its answer does not say which one that is: as a list shows it, found by its
 * name, which the run gave to no other, else with the only id in an answer that is no JSON. So an answer that is wrong
 * hides nothing of what comes after it. A pet that no list has is lost, which is added to what was found.
 */
export async function findCreated(
  { operation, json, violations, shownAs }: SentRequest,
  { answer, body, found, sentAt }: Created,
  run: Run,
): Promise<ReceivedPet | undefined> {
  if (operation?.id !== 'createPet' || violations.length > 0 || !isPet(json)) return undefined;
  if (answer.kind === 'unanswered' || !isAlike(answer.status, ['2XX', '3XX']) || (hasId(body) && !found.some(isOfId)))
    return undefined;
  const its = (await findByName(json, run)) ?? readOnly(body, json);
  if (its !== undefined) {
    rememberFound(run.memory, its, json);
    return its;
  }
  const isMade = isAlike(answer.status, '2XX') && !(body.kind === 'json' && isError(body.value));
  if ((isMade || pointsAtNew(answer, shownAs)) && (await isNowhere(json, sentAt, run)))
    found.push({ check: 'listed', outcomes: [describeLost(json, run)] });
  return undefined;
}

/** A redirect to an item of the collection says as well that it was created (RFC 9110 section 15.4.4); one to elsewhere does not. */
function pointsAtNew({ status, headers }: Answered, shownAs: string): boolean {
  if (![301, 302, 303].includes(status)) return false;
  const [collection] = listSegments(shownAs).slice(-1);
  const [within, key = ''] = listSegments(headers['location'] ?? '').slice(-2);
  return within === collection && /^-?\d+$/.test(key);
}

function listSegments(address: string): string[] {
  const [path = ''] = address.split(/[?#]/, 1);
  return path.split('/').filter((segment) => segment !== '');
}

function describeLost({ name }: ReceivedPet, { contract }: Run): CheckOutcome {
  return {
    rule: 'present',
    at: 'body',
    expected: `the pet ${show(name)} in a list, since its creation was accepted`,
    actual: 'in no list that is complete',
    contractPointer: findOperation(contract, 'listPets')?.pointer,
  };
}

function readOnly(body: AnswerBody, sent: ReceivedPet): ReceivedPet | undefined {
  const [id, ...others] = body.kind === 'unreadable' ? body.ids : [];
  return id === undefined || others.length > 0 ? undefined : completePet({ id }, sent);
}

/** Whether a check found that the id of a single pet is none, or that of another. */
function isOfId({ outcomes }: { outcomes: readonly CheckOutcome[] }): boolean {
  return outcomes.some((outcome) => !('needs' in outcome) && outcome.at.endsWith('/id'));
}

function hasId(body: AnswerBody): boolean {
  return body.kind === 'json' && (findOnePet(body.value)?.pet['id'] ?? undefined) !== undefined;
}
