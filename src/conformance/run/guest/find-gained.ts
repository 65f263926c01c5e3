import { asObject } from '../../../contract/document/plain.js';
import { listMarked } from '../../judge/marked-texts.js';
import { isAlike } from '../../judge/status.js';
import type { SentRequest } from '../../model/sent-request.js';
import { followPointer } from '../../model/follow-pointer.js';
import type { WireAnswer } from '../../model/wire.js';
import { recordAt, type Subject } from '../../subjects/subject.js';
import { readLocationKey } from '../../wire/http/read-location.js';
import { pause } from '../../wire/http/send-politely.js';
import type { ResponseRecord } from '../../wire/request/template.js';
import type { Run } from '../run.js';
import { findShown } from './find-own.js';
import { findRoles, isKnown, nameGuest, readRecord, withoutKey, type Guest } from './guests.js';
import { readKey, readKeyOfSent, readShownKey } from './shown-key.js';

/** How often a list is asked for, since what was created may be in it a little later, and how long a run waits before that. */
const MOST_LOOKS = 3;
const PAUSE_MS = 50;

/** A record that a create made. */
interface Gained {
  key: unknown;
  /** As a list has it. */
  record?: object;
  /** Where the answer would have it; `undefined` where it has no record. */
  at: string | undefined;
}

/**
 * What a list gained by a create whose answer shows no key: the record with a text that the run gave to no other. Without such a text,
 * which record it is would be a guess.
 */
async function findGained(
  sent: SentRequest,
  { answer, value }: { answer: WireAnswer; value: unknown },
  run: Run,
): Promise<Gained | undefined> {
  if (answer.kind === 'unanswered' || !isAlike(answer.status, '2XX') || sent.violations.length > 0) return undefined;
  const { guests, contract, prepareOptions, send, signal } = run;
  const subject = findRoles(sent, contract).find(({ role }) => role === 'create')?.subject;
  const create = subject?.roles.create;
  if (subject === undefined || create === undefined || isGivenBefore(subject)) return undefined;
  if (readLocationKey(answer.headers['location']) !== undefined) return undefined;
  const texts = listMarked(readRecord(sent, create), guests.texts.mark);
  const shows = (record: object): boolean =>
    listMarked(record, guests.texts.mark).some((own) => texts.some((text) => areAlike(own, text)));
  // Wherever an answer shows the key beside what was sent, that is its address.
  const key = readKeyOfSent(value, subject, shows);
  if (key !== undefined && readKey(value, create, subject) !== undefined) return { key, at: undefined };
  if (key !== undefined) return { key, ...withKey(value, key, { subject, at: recordAt(create) }) };
  if (readShownKey(value, subject) !== undefined) return undefined;
  const visited = { subject, scope: withoutKey(sent.path, subject) };
  const isIt = (guest: Guest & { record: object }): boolean => !isKnown(guest, guests) && shows(guest.record);
  const since = performance.now();
  // What is only accepted may take as long as what is shown late.
  const mayLookAgain = (look: number): boolean =>
    look < MOST_LOOKS || (answer.status === 202 && run.patience.allows(since, PAUSE_MS * 2 ** look));
  for (let look = 0; mayLookAgain(look) && texts.length > 0 && !signal.aborted; look++) {
    if (look > 0) await pause(PAUSE_MS * 2 ** look, signal);
    const [guest, ...others] = await findShown(visited, isIt, { send, prepareOptions, signal });
    if (others.length > 0) return undefined;
    if (guest !== undefined) return take(guest, { at: recordAt(create), operationId: create.operation.id }, run);
  }
  return undefined;
}

/** What an answer shows of a record whose key it has in another place. */
function withKey(
  value: unknown,
  key: unknown,
  { subject, at }: { subject: Subject; at: string | undefined },
): Pick<Gained, 'record' | 'at'> {
  const shown = at === undefined ? undefined : asObject(followPointer(value, at));
  return { record: { ...shown, [subject.resource.key.property]: key }, at };
}

function isGivenBefore({ resource, putsNew }: Subject): boolean {
  return resource.key.givenBy === 'client' || putsNew !== undefined;
}

function areAlike(own: { name: string; text: string }, other: { name: string; text: string }): boolean {
  return own.name === other.name && own.text.trim().toLowerCase() === other.text.trim().toLowerCase();
}

function take(
  { record, ...guest }: Guest & { record: object },
  { at, operationId }: { at: string | undefined; operationId: string },
  run: Run,
): Gained {
  const { subject, parameters } = guest;
  const { guests } = run;
  guests.staying.set(nameGuest(guest), guest);
  guests.keyless.set(subject, Math.max(0, (guests.keyless.get(subject) ?? 0) - 1));
  run.note(
    `${operationId} answers without the key of what it creates; the run finds its records in the list, by their texts`,
  );
  return { key: parameters[subject.resource.key.parameter], record, at };
}

/** {@link findGained}, for what later steps take from an answer. */
export async function showGained(
  response: ResponseRecord,
  sent: SentRequest,
  answered: { answer: WireAnswer; value: unknown },
  run: Run,
): Promise<void> {
  const gained = await findGained(sent, answered, run);
  if (gained === undefined) return;
  const { key, record, at } = gained;
  response.headers = { ...response.headers, location: encodeURIComponent(String(key)) };
  if (at === undefined) return;
  const members = at.split('/').slice(1);
  response.body = members.reduceRight<unknown>((inside, name) => ({ [name]: inside }), record);
}
