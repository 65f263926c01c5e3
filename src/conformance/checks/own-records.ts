// What a run knows for certain of the records that it created, and what every later answer says of them, whoever asked for it.
import { printJson } from '../../contract/document/json.js';
import { resolveAt } from '../../contract/document/references.js';
import { sameJson } from '../../contract/document/same-json.js';
import type { Contract } from '../../contract/contract.js';
import { readOnce } from '../../contract/read-once.js';
import type { RoleOperation } from '../../contract/resources/resource.js';
import { readPathKey } from '../guest/path-key.js';
import { isGiven, isOneOfAll, recordAt, type Field, type Subject } from '../subjects/subject.js';
import { answered, successBody, type Check, type CheckContext, type CheckFinding, type SentRequest } from './check.js';
import { listUnlike } from './like.js';
import { isPet as isRecord, show } from './pets.js';
import { isSet } from '../subjects/binding.js';
import { followPointer, listDifferingFields } from './record-like.js';
import { ruleOfField } from './record-rules.js';
import { findAsked, withoutWriteOnly } from './shown-record.js';
import { isAlike } from './status.js';
import type { TargetMemory } from './target-memory.js';

/** A record of the run's own that nothing has changed since it was created. */
export interface OwnRecord {
  sent: Readonly<Record<string, unknown>>;
  /** The fields that an answer has shown as they were sent: the service keeps them so. */
  kept: Set<string>;
  /** When the answer to its creation was there, on the clock of `performance.now()`. */
  since: number;
}

/** A record as an answer shows it. */
interface ShownRecord {
  record: Readonly<Record<string, unknown>>;
  key: string | number | bigint;
  /** `body/data/3` */
  at: string;
}

export const ownRecordsCheck: Check = {
  id: 'own-records',
  title: 'a record that was created is shown as it was created until it is changed, under a key of its own',
  comparesAnswers: true,
  run(context) {
    const asked = findAsked(context.contract, context.sent);
    // The petstore's own checks say it of pets.
    if (asked === undefined || asked.subject.isPetstore) return [];
    const shown = readShown(asked, successBody(context));
    if (asked.role.role === 'create') return judgeKey(shown, asked.subject, context);
    if (asked.role.role !== 'list' && asked.role.role !== 'get') return [];
    const fields = listComparable(asked.subject, asked.role, context.contract);
    return [
      ...(asked.role.role === 'list' ? judgeTwice(shown, asked.subject, context) : []),
      ...shown.flatMap((each) => judgeKept(each, asked.subject, { fields, context })),
    ];
  },
};

/** What was shown as it was sent is not something else in another answer. */
function judgeKept(
  { record, key, at }: ShownRecord,
  subject: Subject,
  { fields, context }: { fields: readonly string[]; context: CheckContext },
): CheckFinding[] {
  const own = context.memory.own.get(nameOwn(subject, key));
  if (own === undefined || own.since > context.sentAt) return [];
  const known = fields.filter((field) => own.kept.has(field) && record[field] !== undefined);
  return listDifferingFields(record, own.sent, { fields: known, sets: listSets(subject, context.contract) }).map(
    ({ field, at: place, expected, actual }) => ({
      rule: ruleOfField(field),
      at: `${at}${place}`,
      expected: `${expected}, as it was sent`,
      actual,
      contractPointer: pointerOf(context),
      resource: subject.name,
    }),
  );
}

/** The fields with items whose order says nothing. */
function listSets({ fields }: Subject, contract: Contract): string[] {
  return fields.filter((field) => isSet(field, contract)).map(({ name }) => name);
}

/** A key that was given to one record is not given to another. One that a client gives may be answered as often as it is sent. */
function judgeKey([created]: readonly ShownRecord[], subject: Subject, context: CheckContext): CheckFinding[] {
  const { key } = subject.resource;
  if (created === undefined || key.givenBy !== 'service' || subject.putsNew !== undefined) return [];
  const before = context.memory.own.get(nameOwn(subject, created.key));
  if (before === undefined || before.since > context.sentAt) return [];
  const sent = readSent(context.sent, subject);
  // What is sent again may be known again.
  if (sent === undefined || listUnlike(sent, before.sent).length === 0) return [];
  return [
    {
      rule: 'new-key',
      at: `${created.at}/${key.property}`,
      expected: 'a key of its own',
      actual: `${show(created.key)}, which another record was created with`,
      contractPointer: pointerOf(context),
      resource: subject.name,
    },
  ];
}

/** No record stands in a list twice. What is no key may be alike in several: then all else tells them apart. */
function judgeTwice(shown: readonly ShownRecord[], subject: Subject, context: CheckContext): CheckFinding[] {
  const seen = new Map<string, unknown>();
  const again = shown.find(({ key, record }) => {
    const name = nameOwn(subject, key);
    const before = seen.get(name);
    seen.set(name, record);
    return before !== undefined && (context.memory.own.has(name) || sameJson(before, record));
  });
  if (again === undefined) return [];
  return [
    {
      rule: 'distinct',
      at: `${again.at}/${subject.resource.key.property}`,
      expected: 'a key of its own',
      actual: `${show(again.key)}, which stands before it too`,
      contractPointer: pointerOf(context),
      resource: subject.name,
    },
  ];
}

function pointerOf({ sent: { operation } }: CheckContext): string | undefined {
  return operation === undefined ? undefined : `${operation.pointer}/responses`;
}

/** Notes what an answer tells of the run's own records, after it was judged. */
export function noteOwnRecords(context: CheckContext, memory: TargetMemory): void {
  const asked = findAsked(context.contract, context.sent);
  const body = successBody(context);
  if (asked?.role.role === 'remove' && isAlike(answered(context)?.status ?? 0, '2XX')) memory.removals += 1;
  if (asked === undefined || asked.subject.isPetstore || body === undefined) return;
  const shown = readShown(asked, body);
  if (asked.role.role === 'list' && !isFiltered(asked.role, context.sent)) {
    const name = nameList(context.sent);
    memory.longestWhole.set(name, Math.max(shown.length, memory.longestWhole.get(name) ?? 0));
  }
  if (asked.role.role === 'create') noteCreated(shown, asked.subject, context, memory);
  if (!['create', 'list', 'get'].includes(asked.role.role)) return;
  for (const { record, key } of shown) {
    const own = memory.own.get(nameOwn(asked.subject, key));
    if (own === undefined || own.since > performance.now()) continue;
    for (const field of listSteady(asked.subject))
      if (record[field] !== undefined && listUnlike(own.sent[field], record[field]).length === 0) own.kept.add(field);
    if (asked.role.role === 'create') continue;
    for (const { name, schema } of asked.subject.fields)
      if (Array.isArray(schema['enum']) && own.sent[name] !== undefined && sameJson(own.sent[name], record[name]))
        memory.keptChoices.add(nameChoice(asked.subject, name, record[name]));
  }
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

/** The list of one parent. */
function nameList({ operation, path }: SentRequest): string {
  return [operation?.id, ...Object.values(path).map(String)].join(APART);
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
  const name = nameOwn(subject, created.key);
  // Of two records with one key, nobody knows which one is shown.
  if (memory.own.has(name) || context.sent.violations.length > 0) {
    memory.own.delete(name);
    return;
  }
  const known = withoutWriteOnly(sent, context);
  if (isRecord(known)) memory.own.set(name, { sent: known, kept: new Set(), since: performance.now() });
}

/** Forgets the records that a request may change, before anyone can see it. */
export function forgetChanged({ method, path }: SentRequest, { own }: TargetMemory): void {
  if (method === 'GET' || method === 'HEAD' || own.size === 0) return;
  const named = Object.values(path).map((value) => String(value).toLowerCase());
  if (named.length === 0) return;
  for (const name of own.keys()) if (named.some((each) => name.endsWith(`${APART}${each}`))) own.delete(name);
}

const APART = '\n';

function nameOwn({ name }: Subject, key: string | number | bigint): string {
  return `${name}${APART}${String(key).toLowerCase()}`;
}

/** The fields of a create, where it was one record of JSON. */
function readSent({ json }: SentRequest, { roles }: Subject): Readonly<Record<string, unknown>> | undefined {
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
const listSteady = readOnce((subject: Subject): readonly string[] =>
  subject.fields.filter((field) => isSteady(field, subject)).map(({ name }) => name),
);

function isSteady(field: Field, subject: Subject): boolean {
  const { name, type, schema, isShown } = field;
  if (!isShown || type === 'boolean' || schema['enum'] !== undefined || isOneOfAll(field)) return false;
  return name !== subject.resource.key.property || isGiven(name, subject);
}

/** What an operation shows by a schema of its own may be a part of it: the beginning of a text. */
function listComparable(subject: Subject, { success }: RoleOperation, { document }: Contract): readonly string[] {
  const [own, shown] = [subject.resource.schemaPointer, success.recordPointer ?? ''].map(
    (pointer) => resolveAt(document, pointer).pointer,
  );
  if (own === shown) return listSteady(subject);
  const texts = new Set(subject.fields.filter(({ type }) => type === 'string').map(({ name }) => name));
  return listSteady(subject).filter((name) => !texts.has(name));
}
