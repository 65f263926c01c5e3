// What a run learns of its own records from a response, after the checks have judged it.
import { sameJson } from '../../contract/document/json.js';
import { limitOf } from '../../contract/gaps/gaps-of-contract.js';
import { printChoice, type RecordEntry } from '../ledger/record-ledger.js';
import {
  type AskedOf,
  type ShownRecord,
  findAsked,
  identifyAsked,
  isFiltered,
  listSteady,
  readShown,
  withoutWriteOnly,
} from '../ledger/shown-records.js';
import { isNotFoundStatus, isSuccess, type SentRequest } from '../model/exchange.js';
import { followPointer } from '../model/records.js';
import type { Subject } from '../resources/resource-under-test.js';
import { answered, successBody, type CheckContext } from './check.js';
import { readPage } from './pages.js';
import { listUnlike } from './record.js';
import { isRecord, type JsonObject } from './show.js';

const MOST_KEYS = 100_000;
const MOST_CHOICES = 10_000;
const LONGEST_CHOICE = 60;

export function noteShown(context: CheckContext): void {
  const { ledger, sent } = context;
  const asked = findAsked(context.contract, sent);
  if (asked === undefined) return;
  const { role, subject } = asked;
  if (role.role === 'remove') noteDelete(subject, context);
  const body = successBody(context);
  if (body === undefined) return;
  const shown = readShown(asked, body);
  for (const each of shown) ledger.noteShown(entryOf(each, subject, context));
  if (role.role === 'list') noteList(asked, shown, context);
  if (role.role === 'create') noteCreated(shown, subject, context);
  if (role.role === 'create' || role.role === 'list' || role.role === 'get')
    for (const each of shown) noteKept(each, subject, role.role === 'create', context);
}

function entryOf({ key }: ShownRecord, subject: Subject, { sent: { path }, ledger }: CheckContext): RecordEntry {
  return ledger.entryOf(subject, { ...path, [subject.resource.key.parameter]: key }, key);
}

/** A record that the service rejected to delete is there. */
function noteDelete(subject: Subject, context: CheckContext): void {
  const { ledger, sent } = context;
  const { status = 0 } = answered(context) ?? {};
  if (isSuccess(status)) ledger.learned.deletions += 1;
  const id = identifyAsked(subject, sent);
  const entry = id === undefined ? undefined : ledger.find(id);
  if (status >= 400 && status < 500 && !isNotFoundStatus(status) && entry !== undefined) entry.isDeleteAsked = false;
}

function noteList({ role, subject }: AskedOf, shown: readonly ShownRecord[], context: CheckContext): void {
  const { ledger, sent, expect, answer, body } = context;
  const list = ledger.listOf(sent);
  for (const { key } of shown) if (list.keys.size < MOST_KEYS) list.keys.add(String(key));
  const entries = shown.map((each) => ({ entry: entryOf(each, subject, context), record: each.record }));
  const paging = new Set<unknown>(Object.values(role.list?.paging ?? {}));
  if (Object.keys(sent.query).every((name) => paging.has(name)))
    for (const { entry } of entries) entry.wasListed = true;
  if (isFiltered(role, Object.keys(sent.query))) return;
  const limit = limitOf(subject.roles);
  const most = limit === undefined ? undefined : (sent.query[limit.name] ?? limit.schema['default']);
  const isFull = typeof most === 'number' && shown.length >= most;
  if (!isFull && isShorterThanBefore(shown.length, context)) list.wasCut = true;
  if (shown.length > (list.lengths.at(-1)?.count ?? 0))
    list.lengths.push({ count: shown.length, at: performance.now() });
  const page = expect.records?.page;
  if (page !== undefined && answer.kind === 'answered' && body.kind === 'json')
    list.wasWhole ||= readPage({ ...answer, body: body.value }, page, 0)?.isLast === true;
  for (const { entry, record } of entries) ledger.noteStates(entry, record);
}

function noteCreated([created]: readonly ShownRecord[], subject: Subject, context: CheckContext): void {
  const { ledger } = context;
  const sent = readSent(context.sent, subject);
  if (created === undefined || sent === undefined) return;
  const entry = entryOf(created, subject, context);
  entry.isDeleteAsked = false;
  if (sameJson(sent[subject.resource.key.property], created.key)) entry.isKeySent = true;
  const known = withoutWriteOnly(sent, context);
  const isDoubtful = entry.asCreated !== undefined || context.sent.violations.length > 0 || !isRecord(known);
  const since = performance.now();
  ledger.noteExpected(entry, isDoubtful ? undefined : { key: created.key, sent: known, kept: new Set(), since });
}

function noteKept(shown: ShownRecord, subject: Subject, isNew: boolean, context: CheckContext): void {
  const { asCreated } = entryOf(shown, subject, context);
  if (asCreated === undefined) return;
  const { record } = shown;
  const { sent, kept } = asCreated;
  const { ownChoices, keptChoices } = context.ledger.learned;
  for (const field of listSteady(subject))
    if (record[field] !== undefined && listUnlike(sent[field], record[field]).length === 0) kept.add(field);
  for (const [name, value] of Object.entries(record)) {
    const isShort = typeof value === 'boolean' || (typeof value === 'string' && value.length <= LONGEST_CHOICE);
    if (sent[name] === undefined && isShort && ownChoices.size < MOST_CHOICES)
      ownChoices.add(printChoice(subject, name, value));
  }
  if (isNew) return;
  for (const { name, schema } of subject.fields)
    if (Array.isArray(schema['enum']) && sent[name] !== undefined && sameJson(sent[name], record[name]))
      keptChoices.add(printChoice(subject, name, record[name]));
}

export function readSent({ json }: SentRequest, { roles }: Subject): JsonObject | undefined {
  const sent = followPointer(json, (roles.create?.requestMember ?? []).map((name) => `/${name}`).join(''));
  return isRecord(sent) ? sent : undefined;
}

/** Whether a list is or was shorter by more than the run deleted: its pages are (the gap `short-pages`), or others delete records. */
export function isShorterThanBefore(count: number, { contract, sent, sentAt, ledger }: CheckContext): boolean {
  const asked = findAsked(contract, sent);
  if (asked?.role.role !== 'list') return false;
  const { lengths, wasCut } = ledger.listOf(sent);
  if (wasCut || isFiltered(asked.role, Object.keys(sent.query))) return wasCut;
  // Of two lists that are asked for at once, the one that is answered first may be the newer one.
  return count + ledger.learned.deletions < (lengths.findLast(({ at }) => at < sentAt)?.count ?? 0);
}

/** Whether a list that was whole before has every record that a response had shown, and that the run has not asked to delete. */
export function hasAllThatWasSeen(context: CheckContext): boolean {
  const { contract, sent, sentAt, ledger } = context;
  const asked = findAsked(contract, sent);
  if (asked === undefined || isFiltered(asked.role, Object.keys(sent.query))) return false;
  if (!ledger.listOf(sent).wasWhole) return false;
  const listed = new Set(readShown(asked, successBody(context)).map(({ key }) => String(key)));
  return ledger.listExpectedIn(asked.subject, sent.path, sentAt).every(({ id }) => listed.has(String(id.key)));
}
