// What a run knows for certain of the records that it created, and of the lists that it has read.
import { printJson } from '../../contract/document/json.js';
import type { Contract } from '../../contract/contract.js';
import { sameJson } from '../../contract/document/same-json.js';
import { readOnce } from '../../contract/read-once.js';
import type { RoleOperation } from '../../contract/resources/resource.js';
import { readPathKey } from '../model/path-key.js';
import { stateOf } from '../subjects/hidden.js';
import { isGiven, isOneOfAll, recordAt, type Field, type Subject } from '../subjects/subject.js';
import { answered, successBody, type CheckContext } from './check.js';
import type { SentRequest } from '../model/sent-request.js';
import { listUnlike } from './like.js';
import { isRecord } from './shown.js';
import { followPointer } from '../model/follow-pointer.js';
import { findAsked, withoutWriteOnly } from './shown-record.js';
import { readPage } from './page-end.js';
import { isAlike } from './status.js';
import type { OwnRecord, TargetMemory } from './target-memory.js';

/** A record as an answer shows it. */
export interface ShownRecord {
  record: Readonly<Record<string, unknown>>;
  key: string | number | bigint;
  /** `body/data/3` */
  at: string;
}

/** Notes what an answer tells of the run's own records, after it was judged. */
export function noteOwnRecords(context: CheckContext, memory: TargetMemory): void {
  const asked = findAsked(context.contract, context.sent);
  const body = successBody(context);
  if (asked?.role.role === 'remove') noteRemoval(asked.subject, context, memory);
  if (asked === undefined || body === undefined) return;
  const shown = readShown(asked, body);
  for (const { key } of shown) {
    const name = nameOwn(asked.subject, key, context.sent);
    if (memory.shownKeys.size < MOST_KEYS && !memory.shownKeys.has(name)) memory.shownKeys.set(name, performance.now());
  }
  if (asked.role.role === 'list') noteListed(shown, context.sent, memory);
  if (asked.role.role === 'list' && !isFiltered(asked.role, context.sent)) {
    const name = nameList(context.sent);
    memory.longestWhole.set(name, Math.max(shown.length, memory.longestWhole.get(name) ?? 0));
    if (isWhole(context)) memory.wholeLists.add(name);
    for (const each of shown) noteStates(each, asked.subject, context, memory);
  }
  if (asked.role.role === 'create') noteCreated(shown, asked.subject, context, memory);
  if (!['create', 'list', 'get'].includes(asked.role.role)) return;
  for (const { record, key } of shown) {
    const own = memory.own.get(nameOwn(asked.subject, key, context.sent));
    if (own === undefined) continue;
    for (const field of listSteady(asked.subject))
      if (record[field] !== undefined && listUnlike(own.sent[field], record[field]).length === 0) own.kept.add(field);
    noteUnsent(record, own.sent, asked.subject, memory);
    if (asked.role.role === 'create') continue;
    for (const { name, schema } of asked.subject.fields)
      if (Array.isArray(schema['enum']) && own.sent[name] !== undefined && sameJson(own.sent[name], record[name]))
        memory.keptChoices.add(nameChoice(asked.subject, name, record[name]));
  }
}

/** A record that the service refused to remove is there. */
function noteRemoval(subject: Subject, context: CheckContext, memory: TargetMemory): void {
  const status = answered(context)?.status ?? 0;
  const key = readPathKey(Object.values(context.sent.path).at(-1));
  if (isAlike(status, '2XX')) memory.removals += 1;
  const isKept = isAlike(status, '4XX') && status !== 404 && status !== 410;
  if (isKept && key !== undefined) memory.removed.delete(nameOwn(subject, key, context.sent));
}

/** What a service gives a record by itself, as far as it may be one of a few. */
function noteUnsent(
  record: Readonly<Record<string, unknown>>,
  sent: unknown,
  subject: Subject,
  { ownChoices }: TargetMemory,
): void {
  for (const [name, value] of Object.entries(record)) {
    const isNamed = isRecord(sent) && sent[name] !== undefined;
    const isShort = typeof value === 'boolean' || (typeof value === 'string' && value.length <= LONGEST_CHOICE);
    if (!isNamed && isShort && ownChoices.size < MOST_CHOICES) ownChoices.add(nameChoice(subject, name, value));
  }
}

const LONGEST_CHOICE = 60;
const MOST_CHOICES = 10_000;

/** As many as a run may come to see. */
const MOST_KEYS = 100_000;

/** Whether a record is asked for that no answer has shown. */
export function isOfUnknown(sent: SentRequest, contract: Contract, memory: TargetMemory): boolean {
  const { subject, role } = findAsked(contract, sent) ?? {};
  const key = readPathKey(Object.values(sent.path).at(-1));
  const isOfOne = role !== undefined && role.role !== 'list' && role.role !== 'create';
  return isOfOne && subject !== undefined && key !== undefined && !memory.shownKeys.has(nameOwn(subject, key, sent));
}

/** Whether a list is asked for by more than the length of its pages. */
export function isFiltered({ list }: RoleOperation, { query }: Pick<SentRequest, 'query'>): boolean {
  const { paging } = list ?? {};
  const size = paging?.kind === 'page' ? paging.size : paging?.limit;
  return Object.keys(query).some((name) => name !== size);
}

/**
 * Whether a list that nothing chooses from is shorter than it was, by more than the run has removed: pages of this service are
 * shorter than they may be (the gap `short-pages`), or others remove records.
 */
export function isShorterThanBefore(count: number, context: CheckContext): boolean {
  const asked = findAsked(context.contract, context.sent);
  const { longestWhole, removals } = context.memory;
  if (asked?.role.role !== 'list' || isFiltered(asked.role, context.sent)) return false;
  return count + removals < (longestWhole.get(nameList(context.sent)) ?? 0);
}

/** Whether a list was read to its end, as far as its answer tells. */
function isWhole({ expect, answer, body }: CheckContext): boolean {
  const page = expect.records?.page;
  if (page === undefined || answer.kind !== 'answered' || body.kind !== 'json') return false;
  return readPage({ ...answer, body: body.value }, page, 0)?.isLast === true;
}

/**
 * Whether a list that was whole before has every record of its resource that an answer had shown before it was asked for, but
 * for those that the run has asked to remove: a list that is cut lacks some.
 */
export function hasAllThatWasSeen(context: CheckContext): boolean {
  const asked = findAsked(context.contract, context.sent);
  const { wholeLists, shownKeys, removed } = context.memory;
  if (asked === undefined || isFiltered(asked.role, context.sent)) return false;
  if (!wholeLists.has(nameList(context.sent))) return false;
  const listed = new Set(
    readShown(asked, successBody(context)).map(({ key }) => nameOwn(asked.subject, key, context.sent)),
  );
  const ofThisList = nameOwn(asked.subject, '', context.sent);
  const isExpected = (name: string, since: number): boolean =>
    name.startsWith(ofThisList) && since <= context.sentAt && !removed.has(name);
  return [...shownKeys].every(([name, since]) => listed.has(name) || !isExpected(name, since));
}

/** The list of one parent. */
function nameList({ operation, path }: SentRequest): string {
  return [operation?.id, ...Object.values(path).map(String)].join(APART);
}

/** A field with one of a list of values, in which the target moves records on. */
export function nameMoving({ name }: Subject, field: string): string {
  return `${name}${APART}${field}`;
}

/** A value of a list of them, in a field of a resource. */
export function nameChoice({ name }: Subject, field: string, value: unknown): string {
  return [name, field, printJson(value)].join(APART);
}

function noteCreated(
  [created]: readonly ShownRecord[],
  subject: Subject,
  context: CheckContext,
  memory: TargetMemory,
): void {
  const sent = readSent(context.sent, subject);
  if (created === undefined || sent === undefined) return;
  const name = nameOwn(subject, created.key, context.sent);
  memory.created.add(name);
  if (sameJson(sent[subject.resource.key.property], created.key)) memory.sentKeys.add(name);
  memory.removed.delete(name);
  // Of two records with one key, nobody knows which one is shown.
  if (memory.own.has(name) || context.sent.violations.length > 0) {
    memory.own.delete(name);
    return;
  }
  const known = withoutWriteOnly(sent, context);
  if (isRecord(known))
    memory.own.set(name, { key: created.key, sent: known, kept: new Set(), since: performance.now() });
}

/** The records of a resource that nothing has changed since they were created. */
export function listOwn(subject: Subject, { own }: TargetMemory): OwnRecord[] {
  return [...own].filter(([each]) => isOf(subject, each)).map(([, record]) => record);
}

/** What a list shows of a resource where nothing chooses among its records, in the words of {@link hasListed}. */
function noteStates(
  { record, key }: ShownRecord,
  subject: Subject,
  { sent }: CheckContext,
  { created, listedStates }: TargetMemory,
): void {
  if (listedStates.size >= MOST_CHOICES) return;
  if (created.has(nameOwn(subject, key, sent))) listedStates.add([subject.name, OWN].join(APART));
  for (const [name, value] of Object.entries(record)) {
    const state = stateOf(name, value);
    if (state !== undefined) listedStates.add([subject.name, state].join(APART));
  }
}

const OWN = 'own';

/** Whether a list has shown a record in a state (`stateOf`); without one, any that the run has created. */
export function hasListed({ name }: Subject, state: string | undefined, { listedStates }: TargetMemory): boolean {
  return listedStates.has([name, state ?? OWN].join(APART));
}

function noteListed(shown: readonly ShownRecord[], sent: SentRequest, { listedKeys }: TargetMemory): void {
  const listed = listedKeys.get(nameList(sent)) ?? new Set<string>();
  listedKeys.set(nameList(sent), listed);
  for (const { key } of shown) if (listed.size < MOST_KEYS) listed.add(String(key));
}

/** How many records the list of one parent has shown, by whatever filter. */
export function countListed(sent: SentRequest, { listedKeys }: Readonly<TargetMemory>): number {
  return listedKeys.get(nameList(sent))?.size ?? 0;
}

/** How many records of a resource answers have shown. */
export function countShown(subject: Subject, { shownKeys }: Readonly<TargetMemory>): number {
  return [...shownKeys.keys()].filter((each) => isOf(subject, each)).length;
}

/** Forgets the records that a request may change, before anyone can see it. */
export function forgetChanged(sent: SentRequest, contract: Contract, { own, removed }: TargetMemory): void {
  const { method, path } = sent;
  const { role, subject } = findAsked(contract, sent) ?? {};
  const key = readPathKey(Object.values(path).at(-1));
  if (role?.role === 'remove' && subject !== undefined && key !== undefined) removed.add(nameOwn(subject, key, sent));
  if (method === 'GET' || method === 'HEAD' || own.size === 0) return;
  const named = Object.values(path).map((value) => String(value).toLowerCase());
  if (named.length === 0) return;
  for (const name of own.keys()) if (named.some((each) => name.endsWith(`${APART}${each}`))) own.delete(name);
}

const APART = '\n';

function isOf({ name }: Subject, own: string): boolean {
  return own.startsWith(`${name}${APART}`);
}

/**
 * The text form of which record it is: resource, the keys of its parents, its key. Two parents may each have a record 1; a
 * record with an address of its own (`/stays/{stayId}`) has no parents, wherever it is listed.
 */
export function nameOwn(
  { name, resource }: Subject,
  key: string | number | bigint,
  { path }: Pick<SentRequest, 'path'>,
): string {
  const parents = (resource.itemPath.match(/\{/g)?.length ?? 1) - 1;
  const scope = Object.values(path).slice(0, parents);
  return [name, ...scope, key].map((part, index) => (index === 0 ? part : String(part).toLowerCase())).join(APART);
}

/** The fields of a create, where it was one record of JSON. */
export function readSent({ json }: SentRequest, { roles }: Subject): Readonly<Record<string, unknown>> | undefined {
  const sent = followPointer(json, (roles.create?.requestMember ?? []).map((name) => `/${name}`).join(''));
  return isRecord(sent) ? sent : undefined;
}

/** The records that an answer of an operation shows. */
export function readShown({ subject, role }: { subject: Subject; role: RoleOperation }, body: unknown): ShownRecord[] {
  const within = recordAt(role);
  if (within === undefined || body === undefined) return [];
  const found = followPointer(body, within);
  const listed: readonly unknown[] = Array.isArray(found) ? found : [found];
  return listed.flatMap((record, index) => {
    const key = isRecord(record) ? readPathKey(record[subject.resource.key.property]) : undefined;
    if (!isRecord(record) || key === undefined) return [];
    return [{ record, key, at: `body${within}${Array.isArray(found) ? `/${index}` : ''}` }];
  });
}

/** The fields that no service changes by itself: not what says in which state a record is, or which of all it is. */
export const listSteady = readOnce((subject: Subject): readonly string[] =>
  subject.fields.filter((field) => isSteady(field, subject)).map(({ name }) => name),
);

function isSteady(field: Field, subject: Subject): boolean {
  const { name, type, schema, isShown } = field;
  if (!isShown || type === 'boolean' || schema['enum'] !== undefined || isOneOfAll(field)) return false;
  return name !== subject.resource.key.property || isGiven(name, subject);
}
