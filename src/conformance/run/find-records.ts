// Records of the run's own that it looks for in lists: those whose key no response shows, and those that are left over.
import { asObject } from '../../contract/document/plain.js';
import type { RecordEntry, Visited, RecordLedger } from '../ledger/record-ledger.js';
import type { MarkedField } from '../ledger/run-texts.js';
import {
  findRoles,
  readKey,
  readKeyOfSent,
  readSentRecord,
  readShownKey,
  withoutKey,
} from '../ledger/shown-records.js';
import { followPointer } from '../model/records.js';
import { type SentRequest, isSuccess, type WireAnswer } from '../model/exchange.js';
import { recordAt, type Subject } from '../subjects/subject.js';
import { readLocationKey } from '../wire/http/read-location.js';
import { pause } from '../wire/http/send-politely.js';
import type { ResponseRecord } from '../wire/request/template.js';
import { type Asking, readList, type ListedEntry } from '../confirm/ask.js';
import type { Run } from './run.js';

/** The records of a list that are the run's own, by what they say. */
export async function findOwn(visited: Visited, ledger: RecordLedger, asking: Asking): Promise<RecordEntry[]> {
  const { listed } = await readList(visited, { ...asking, ledger });
  return listed.filter(({ entry, record }) => ledger.isWrittenByRun(entry, record)).map(({ entry }) => entry);
}

/** How often a list is asked for, since what was created may be in it a little later, and how long a run waits before that. */
const MOST_LOOKS = 3;
const PAUSE_MS = 50;

/** A record that a create made. */
interface Gained {
  key: unknown;
  /** As a list has it. */
  record?: object;
  /** Where the response would have it; `undefined` where it has no record. */
  at: string | undefined;
}

/**
 * What a list gained by a create whose response shows no key: the record with a text that the run gave to no other. Without such
 * a text, which record it is would be a guess.
 */
async function findGained(
  sent: SentRequest,
  { answer, value }: { answer: WireAnswer; value: unknown },
  run: Run,
): Promise<Gained | undefined> {
  if (answer.kind === 'unanswered' || !isSuccess(answer.status) || sent.violations.length > 0) return undefined;
  const { ledger, contract, signal } = run;
  const subject = findRoles(sent, contract).find(({ role }) => role === 'create')?.subject;
  const create = subject?.roles.create;
  if (subject === undefined || create === undefined || isGivenBefore(subject)) return undefined;
  if (readLocationKey(answer.headers['location']) !== undefined) return undefined;
  const texts = ledger.texts.listMarked(readSentRecord(sent, create));
  const shows = (record: object): boolean =>
    ledger.texts.listMarked(record).some((own) => texts.some((text) => areAlike(own, text)));
  // Wherever a response shows the key beside what was sent, that is its address.
  const key = readKeyOfSent(value, subject, shows);
  if (key !== undefined && readKey(value, create, subject) !== undefined) return { key, at: undefined };
  if (key !== undefined) return { key, ...withKey(value, key, { subject, at: recordAt(create) }) };
  if (readShownKey(value, subject) !== undefined) return undefined;
  const visited = { subject, scope: withoutKey(sent.path, subject) };
  const since = performance.now();
  // What is only accepted may take as long as what is shown late.
  const mayLookAgain = (look: number): boolean =>
    look < MOST_LOOKS || (answer.status === 202 && run.patience.allows(since, PAUSE_MS * 2 ** look));
  for (let look = 0; mayLookAgain(look) && texts.length > 0 && !signal.aborted; look++) {
    if (look > 0) await pause(PAUSE_MS * 2 ** look, signal);
    const { listed } = await readList(visited, run);
    const [found, ...others] = listed.filter(({ entry, record }) => entry.state === undefined && shows(record));
    if (others.length > 0) return undefined;
    if (found !== undefined) return takeListed(found, { at: recordAt(create), operationId: create.operation.id }, run);
  }
  return undefined;
}

/** What a response shows of a record whose key it has in another place. */
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

function areAlike(own: MarkedField, other: MarkedField): boolean {
  return own.name === other.name && own.text.trim().toLowerCase() === other.text.trim().toLowerCase();
}

function takeListed(
  { entry, record }: ListedEntry,
  { at, operationId }: { at: string | undefined; operationId: string },
  run: Run,
): Gained {
  const { ledger } = run;
  ledger.notePresent(entry);
  ledger.noteKeyFound(entry);
  run.note(
    `${operationId} returns no key of the created record; the run finds its records in the list, by their texts`,
  );
  return { key: entry.id.key, record, at };
}

/** The record that a create made, for what later steps take from its response. */
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
