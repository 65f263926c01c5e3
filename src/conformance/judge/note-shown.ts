// What a run learns of its own records from a response, after the checks have judged it.
import { sameJson } from '../../contract/document/json.js';
import { limitOf } from '../../contract/gaps/gaps-of-contract.js';
import type { CreatedRecord, RecordEntry } from '../ledger/observations.js';
import { type RecordLedger, printChoice } from '../ledger/record-ledger.js';
import {
  findAsked,
  identifyAsked,
  isFiltered,
  listSteady,
  readShown,
  withoutWriteOnly,
  type AskedOf,
  type ShownRecord,
} from '../ledger/shown-records.js';
import type { RoleOperation } from '../../contract/resources/resource.js';
import { followPointer } from '../model/follow-pointer.js';
import type { SentRequest } from '../model/sent-request.js';
import { isOfAbsence, isSuccess } from '../model/wire.js';
import type { Subject } from '../subjects/subject.js';
import { answered, successBody, type CheckContext } from './check.js';
import { listUnlike } from './like.js';
import { readPage } from './page-end.js';
import { isRecord } from './shown.js';

/** Notes what a response shows of records and of the list that it is. */
export function noteShown(context: CheckContext): void {
  const { ledger, sent } = context;
  const asked = findAsked(context.contract, sent);
  if (asked === undefined) return;
  const { role, subject } = asked;
  if (role.role === 'remove') noteDelete(subject, context);
  const body = successBody(context);
  if (body === undefined) return;
  const shown = readShown(asked, body);
  for (const each of shown) ledger.noteShown(entryOf(each, subject, sent, ledger));
  if (role.role === 'list') noteList(asked, shown, context);
  if (role.role === 'create') noteCreated(shown, subject, context);
  if (role.role !== 'create' && role.role !== 'list' && role.role !== 'get') return;
  for (const each of shown) {
    const created = entryOf(each, subject, sent, ledger).asCreated;
    if (created !== undefined) noteKept(each.record, created, { subject, isNew: role.role === 'create' }, ledger);
  }
}

function entryOf({ key }: ShownRecord, subject: Subject, { path }: SentRequest, ledger: RecordLedger): RecordEntry {
  return ledger.entryOf(subject, { ...path, [subject.resource.key.parameter]: key }, key);
}

/** A record that the service rejected to delete is there. */
function noteDelete(subject: Subject, context: CheckContext): void {
  const { ledger, sent } = context;
  const status = answered(context)?.status ?? 0;
  if (isSuccess(status)) ledger.learned.deletions += 1;
  const id = identifyAsked(subject, sent);
  const entry = id === undefined ? undefined : ledger.find(id);
  if (status >= 400 && status < 500 && !isOfAbsence(status) && entry !== undefined) entry.isDeleteAsked = false;
}

function noteList({ role, subject }: AskedOf, shown: readonly ShownRecord[], context: CheckContext): void {
  const list = context.ledger.listOf(context.sent);
  for (const { key } of shown) if (list.keys.size < MOST_KEYS) list.keys.add(String(key));
  if (isOfAll(role, context.sent))
    for (const each of shown) entryOf(each, subject, context.sent, context.ledger).wasListed = true;
  if (isFiltered(role, Object.keys(context.sent.query))) return;
  // A page that is full is cut as it was asked for.
  const limit = limitOf(subject.roles);
  const most = limit === undefined ? undefined : (context.sent.query[limit.name] ?? limit.schema['default']);
  const isFull = typeof most === 'number' && shown.length >= most;
  if (!isFull && isShorterThanBefore(shown.length, context)) list.wasCut = true;
  if (shown.length > (list.lengths.at(-1)?.count ?? 0))
    list.lengths.push({ count: shown.length, at: performance.now() });
  if (isWhole(context)) list.wasWhole = true;
  for (const each of shown)
    context.ledger.noteStates(entryOf(each, subject, context.sent, context.ledger), each.record);
}

/** Whether a list is asked for by nothing but what says which page, and how long. */
function isOfAll({ list }: RoleOperation, { query }: Pick<SentRequest, 'query'>): boolean {
  const ofPages = new Set<unknown>(Object.values(list?.paging ?? {}));
  return Object.keys(query).every((name) => ofPages.has(name));
}

/** As many as a run may come to see. */
const MOST_KEYS = 100_000;

/** Whether a list was read to its end, as far as its response says. */
function isWhole({ expect, answer, body }: CheckContext): boolean {
  const page = expect.records?.page;
  if (page === undefined || answer.kind !== 'answered' || body.kind !== 'json') return false;
  return readPage({ ...answer, body: body.value }, page, 0)?.isLast === true;
}

function noteCreated([created]: readonly ShownRecord[], subject: Subject, context: CheckContext): void {
  const { ledger } = context;
  const sent = readSent(context.sent, subject);
  if (created === undefined || sent === undefined) return;
  const entry = entryOf(created, subject, context.sent, ledger);
  entry.isDeleteAsked = false;
  if (sameJson(sent[subject.resource.key.property], created.key)) entry.isKeySent = true;
  // Of two records with one key, nobody knows which one is shown.
  const isDoubtful = entry.asCreated !== undefined || context.sent.violations.length > 0;
  const known = withoutWriteOnly(sent, context);
  ledger.noteExpected(
    entry,
    isDoubtful || !isRecord(known)
      ? undefined
      : { key: created.key, sent: known, kept: new Set(), since: performance.now() },
  );
}

/** Notes which fields the service stores as they were sent, and what it gives a record by itself. */
function noteKept(
  record: Readonly<Record<string, unknown>>,
  { sent, kept }: CreatedRecord,
  { subject, isNew }: { subject: Subject; isNew: boolean },
  { learned }: RecordLedger,
): void {
  for (const field of listSteady(subject))
    if (record[field] !== undefined && listUnlike(sent[field], record[field]).length === 0) kept.add(field);
  for (const [name, value] of Object.entries(record)) {
    const isShort = typeof value === 'boolean' || (typeof value === 'string' && value.length <= LONGEST_CHOICE);
    if (sent[name] === undefined && isShort && learned.ownChoices.size < MOST_CHOICES)
      learned.ownChoices.add(printChoice(subject, name, value));
  }
  if (isNew) return;
  for (const { name, schema } of subject.fields)
    if (Array.isArray(schema['enum']) && sent[name] !== undefined && sameJson(sent[name], record[name]))
      learned.keptChoices.add(printChoice(subject, name, record[name]));
}

const LONGEST_CHOICE = 60;
const MOST_CHOICES = 10_000;

/** The fields of a create, where it was one record of JSON. */
export function readSent({ json }: SentRequest, { roles }: Subject): Readonly<Record<string, unknown>> | undefined {
  const sent = followPointer(json, (roles.create?.requestMember ?? []).map((name) => `/${name}`).join(''));
  return isRecord(sent) ? sent : undefined;
}

/**
 * Whether a list is shorter than it was, by more than the run has deleted, or was so once: pages of this service are shorter than
 * they may be (the gap `short-pages`), those of a filtered list as well, or others delete records.
 */
export function isShorterThanBefore(count: number, { contract, sent, sentAt, ledger }: CheckContext): boolean {
  const asked = findAsked(contract, sent);
  if (asked?.role.role !== 'list') return false;
  const { lengths, wasCut } = ledger.listOf(sent);
  if (wasCut || isFiltered(asked.role, Object.keys(sent.query))) return wasCut;
  // Of two lists that are asked for at once, the one that is answered first may be the newer one.
  const before = lengths.findLast(({ at }) => at < sentAt)?.count ?? 0;
  return count + ledger.learned.deletions < before;
}

/**
 * Whether a list that was whole before has every record of its resource that a response had shown before it was asked for, but
 * for those that the run has asked to delete: a list that is cut lacks some.
 */
export function hasAllThatWasSeen(context: CheckContext): boolean {
  const { contract, sent, sentAt, ledger } = context;
  const asked = findAsked(contract, sent);
  if (asked === undefined || isFiltered(asked.role, Object.keys(sent.query))) return false;
  if (!ledger.listOf(sent).wasWhole) return false;
  const listed = new Set(readShown(asked, successBody(context)).map(({ key }) => String(key)));
  return ledger.listExpectedIn(asked.subject, sent.path, sentAt).every(({ id }) => listed.has(String(id.key)));
}
