// Every answer that shows a record of the run's own is judged by what the run knows of it, whoever asked for it.
import type { Contract } from '../../contract/contract.js';
import { isSameSchema } from '../../contract/schemas/is-same-schema.js';
import { sameJson } from '../../contract/document/same-json.js';
import { limitOf } from '../../contract/gaps/parts.js';
import { isRepeatKey } from '../../contract/operations/repeat-key.js';
import type { RoleOperation } from '../../contract/resources/resource.js';
import { readShortened } from '../subjects/hidden.js';
import { isSet, recordAt, type Subject } from '../subjects/subject.js';
import { successBody, type Check, type CheckContext, type CheckFinding, answered } from './check.js';
import { listUnlike } from './like.js';
import { printChoice, printField } from '../ledger/record-ledger.js';
import { findAsked, identifyRecord, listSteady, readShown, type ShownRecord } from '../ledger/shown-records.js';
import { readSent } from './note-shown.js';
import { show } from './shown.js';
import { placeOfLimit, pointerOf } from './places.js';
import { listDifferingFields, isSameKey } from './record-like.js';
import { followPointer } from '../model/follow-pointer.js';
import { ruleOfField } from '../model/record-rules.js';
import { readLocationKey, readSegment } from '../wire/http/read-location.js';
import { plainName } from '../../contract/resources/words.js';

export const ownRecordsCheck: Check = {
  id: 'own-records',
  title: 'a created record has its own key, and is returned as created until it is changed',
  comparesAnswers: true,
  showsAlone: ['limit', 'distinct'],
  run(context) {
    const asked = findAsked(context.contract, context.sent);
    if (asked === undefined) return [];
    const shown = readShown(asked, successBody(context));
    const placed = judgeParent(shown, asked, context);
    if (asked.role.role === 'create')
      return [...judgeKey(shown, asked.subject, context), ...judgeLocation(shown, asked.subject, context), ...placed];
    if (asked.role.role !== 'list' && asked.role.role !== 'get') return placed;
    const fields = listComparable(asked.subject, asked.role, context.contract);
    return [
      ...placed,
      ...(asked.role.role === 'list'
        ? [
            ...judgeLength(asked.subject, { role: asked.role, context }),
            ...judgeTwice(shown, asked.subject, context),
            ...judgeCopies(shown, asked.subject, context),
            ...judgeChoices(shown, asked.subject, context),
          ]
        : []),
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
  const own = context.ledger.expected(identifyRecord(subject, context.sent.path, key));
  if (own === undefined || own.since > context.sentAt) return [];
  const known = fields.filter((field) => own.kept.has(field) && record[field] !== undefined);
  return listDifferingFields(record, own.sent, { fields: known, sets: listSets(subject, context.contract) }).map(
    ({ field, at: place, expected, actual }) => ({
      rule: ruleOfField(field),
      at: `${at}${place}`,
      expected: `${expected}, as it was sent`,
      value: expected,
      actual,
      contractPointer: pointerOf(context),
      resource: subject.name,
    }),
  );
}

/** What a service may move on is the same wherever it is shown: the first record that a list shows otherwise is looked at again. */
function judgeChoices(shown: readonly ShownRecord[], subject: Subject, context: CheckContext): CheckFinding[] {
  const { keptChoices, moving } = context.ledger.learned;
  return subject.fields
    .filter(({ name, schema }) => schema['enum'] !== undefined && !moving.has(printField(subject, name)))
    .flatMap(({ name }) => {
      const sentIn = (key: ShownRecord['key']): unknown => {
        const known = context.ledger.expected(identifyRecord(subject, context.sent.path, key));
        return known === undefined || known.since > context.sentAt ? undefined : known.sent[name];
      };
      const moved = shown.find(({ record, key }) => {
        const sent = sentIn(key);
        const isKept = sent !== undefined && keptChoices.has(printChoice(subject, name, sent));
        return isKept && record[name] !== undefined && !sameJson(sent, record[name]);
      });
      if (moved === undefined) return [];
      const expected = sentIn(moved.key);
      return [
        {
          rule: ruleOfField(name),
          at: `${moved.at}/${name}`,
          expected: `${show(expected)}, as it was sent`,
          value: show(expected),
          actual: show(moved.record[name]),
          contractPointer: pointerOf(context),
          resource: subject.name,
          doubt: { kind: 'move', id: moved.key, field: name, expected },
        },
      ];
    });
}

/** The fields with items whose order says nothing. */
function listSets({ fields }: Subject, contract: Contract): string[] {
  return fields.filter((field) => isSet(field, contract)).map(({ name }) => name);
}

/** A key that was given to one record is not given to another. One that a client gives may be answered as often as it is sent. */
function judgeKey([created]: readonly ShownRecord[], subject: Subject, context: CheckContext): CheckFinding[] {
  const { key } = subject.resource;
  if (created === undefined || key.givenBy !== 'service' || subject.putsNew !== undefined) return [];
  const id = identifyRecord(subject, context.sent.path, created.key);
  const before = context.ledger.expected(id);
  // A service may give the key of a record that has expired to the next.
  if (before === undefined || before.since > context.sentAt || context.ledger.endedBy(id) !== undefined) return [];
  const sent = readSent(context.sent, subject);
  // What is sent again may be known again, but then nothing was created (RFC 9110 section 15.3.2).
  const isAgain = sent !== undefined && listUnlike(sent, before.sent).length === 0;
  if (sent === undefined || (isAgain && !saysCreated(context))) return [];
  return [
    {
      rule: 'new-key',
      at: `${created.at}/${key.property}`,
      expected: 'a key of its own',
      actual: `${show(created.key)}, which another record was created with${describeSentKey(created, subject, context)}`,
      contractPointer: pointerOf(context),
      resource: subject.name,
    },
  ];
}

/** Who brought the key into play: the run, whose create had one in its body, or the service alone. */
function describeSentKey({ key }: ShownRecord, subject: Subject, { ledger, sent }: CheckContext): string {
  const isSent = ledger.find(identifyRecord(subject, sent.path, key))?.isKeySent === true;
  return isSent ? `: a create of the run had sent \`${subject.resource.key.property}\` in its body` : '';
}

/** Whether a 201 says that there is a new record, where no header field makes a request one that was sent before. */
function saysCreated({ answer, sent: { operation } }: CheckContext): boolean {
  const isNew = answer.kind === 'answered' && answer.status === 201;
  return (
    isNew && operation?.parameters.some(({ in: place, name }) => place === 'header' && isRepeatKey(name)) === false
  );
}

/** A list has no more records than it was asked for, or than its default says. */
function judgeLength(
  subject: Subject,
  { role, context }: { role: RoleOperation; context: CheckContext },
): CheckFinding[] {
  const { sent } = context;
  const parameter = limitOf(subject.roles);
  const list = followPointer(successBody(context), recordAt(role) ?? '');
  if (parameter === undefined || !sent.validParameters || !Array.isArray(list)) return [];
  const most = sent.query[parameter.name] ?? parameter.schema['default'];
  // Below 1, none is a number of records.
  if (typeof most !== 'number' || most < 1 || list.length <= most) return [];
  return [
    {
      rule: 'limit',
      at: `body${recordAt(role) ?? ''}`,
      expected: `at most ${most} ${most === 1 ? 'record' : 'records'}`,
      actual: `${list.length} records`,
      contractPointer: placeOfLimit(subject, sent),
      resource: subject.name,
    },
  ];
}

/** No record stands in a list twice. What is no key may be alike in several: then all else tells them apart. */
function judgeTwice(shown: readonly ShownRecord[], subject: Subject, context: CheckContext): CheckFinding[] {
  const seen = new Map<string, unknown>();
  const again = shown.find(({ key, record }) => {
    const before = seen.get(String(key));
    seen.set(String(key), record);
    const isKnown = context.ledger.expected(identifyRecord(subject, context.sent.path, key)) !== undefined;
    return before !== undefined && (isKnown || sameJson(before, record));
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

/** What an operation shows by a schema of its own may be a part of it: the beginning of a text. */
function listComparable(subject: Subject, { success, role }: RoleOperation, contract: Contract): readonly string[] {
  const isSame = isSameSchema(contract.document, subject.resource.schemaPointer, success.recordPointer ?? '');
  if (isSame && (role !== 'list' || !readShortened(subject, contract).isPart)) return listSteady(subject);
  const texts = new Set(subject.fields.filter(({ type }) => type === 'string').map(({ name }) => name));
  return listSteady(subject).filter((name) => !texts.has(name));
}

interface Shown {
  key: ShownRecord['key'];
  at: string;
  /** Whether the run created the record, with it or before a change to it. */
  isOwn: boolean;
}

/** A text that the run has sent once stands in one record alone. */
function judgeCopies(shown: readonly ShownRecord[], subject: Subject, context: CheckContext): CheckFinding[] {
  const { ledger } = context;
  const first = new Map<string, Shown>();
  for (const { record, key, at } of shown)
    for (const { name, text } of ledger.texts.listMarked(record)) {
      if (!ledger.texts.list(text).some((each) => ledger.texts.sent.get(each) === 1)) continue;
      const id = identifyRecord(subject, context.sent.path, key);
      const known = ledger.expected(id);
      const isKept = known === undefined || (known.since <= context.sentAt && known.sent[name] === text);
      const isOwn = isKept && ledger.createdByRun(id);
      const here = { key, at: `${at}/${name}`, isOwn };
      const before = first.get(`${name} ${text}`);
      if (before !== undefined && before.key !== key && before.isOwn !== isOwn)
        return [describeCopy(text, before.isOwn ? here : before, { subject, context })];
      first.set(`${name} ${text}`, here);
    }
  return [];
}

function describeCopy(
  text: string,
  { key, at }: Shown,
  { subject, context }: { subject: Subject; context: CheckContext },
): CheckFinding {
  const actual = `another with the key ${show(key)}`;
  const place = { contractPointer: pointerOf(context), resource: subject.name };
  return { rule: 'once', at, expected: `one record with ${show(text)}`, value: show(text), actual, ...place };
}

// What an answer says of the place of a record: its address, and the record that it belongs to.

/** A 201 with an address gives that of the record that was created (RFC 9110 section 15.3.2), not that of another. */
function judgeLocation([created]: readonly ShownRecord[], subject: Subject, context: CheckContext): CheckFinding[] {
  const answer = answered(context);
  const location = answer?.status === 201 ? answer.headers['location'] : undefined;
  const path = subject.roles.get?.operation.path;
  if (location === undefined || created === undefined || path === undefined) return [];
  const key = readLocationKey(location);
  if (key === undefined) return [];
  const isOfRecord = isNamedBy(key, created);
  if (isOfRecord ? !isElsewhere(location, key, context) : !isBelow(location, path)) return [];
  return [
    {
      rule: 'location',
      at: 'header/location',
      expected: `the address of the record that was created, ${show(created.key)}`,
      actual: show(location),
      contractPointer: context.sent.operation?.pointer,
      resource: subject.name,
      ...(isOfRecord ? { doubt: { kind: 'address' as const, id: created.key, of: subject.name, location } } : {}),
    },
  ];
}

/**
 * Whether an address at the same host is another than the collection's own with the key behind it. One at another host may be what
 * clients outside see, and a gateway may put the base before what a service knows.
 */
function isElsewhere(location: string, key: string, { sent: { operation, path, target } }: CheckContext): boolean {
  if (operation === undefined || target === undefined || !/^\/(?!\/)/.test(location)) return false;
  const above = splitPath(location).slice(0, -1);
  if (!`/${splitPath(target).join('/')}`.endsWith(`/${above.join('/')}`)) return true;
  // A PUT names the record itself.
  const collection = operation.path.replace(/\/\{[^/]*\}$/, '');
  const wanted = [...splitPath(collection).map((part) => fillPart(part, path)), key];
  const given = splitPath(location).map(readSegment);
  return wanted.some((part, index) => !isSameKey(part, given[given.length - wanted.length + index]));
}

function splitPath(path: string): string[] {
  return path
    .replace(/[?#].*$/s, '')
    .split('/')
    .filter((part) => part !== '');
}

/** What a part of a template is in the address that was asked for. */
function fillPart(part: string, values: CheckContext['sent']['path']): string {
  return part.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => String(values[name]));
}

/** Whether an address is one of a record of the resource, or that of the collection: another one may be anything. */
function isBelow(location: string, path: string): boolean {
  const [before = '', ...behind] = splitPath(path).toReversed();
  const collection = behind.find((part) => !part.startsWith('{'));
  if (!before.startsWith('{') || behind[0] !== collection) return false;
  const parts = splitPath(location);
  return parts.at(-2) === collection || parts.at(-1) === collection;
}

/** Whether a text in an address is a value by which a record may be asked for: its key, or another name that it shows. */
function isNamedBy(text: string, { key, record }: ShownRecord): boolean {
  const bare = text.replace(/\.(?:json|xml)$/i, '');
  return [key, ...Object.values(record)].some((value) => isSameKey(value, text) || isSameKey(value, bare));
}

/** A record that is asked for below another says that one's key, where it repeats the parameter of the path. */
function judgeParent(
  shown: readonly ShownRecord[],
  { subject, role }: { subject: Subject; role: RoleOperation },
  context: CheckContext,
): CheckFinding[] {
  const { parent, key } = subject.resource;
  const { parameter = '', property } = parent ?? {};
  const asked = context.sent.path[parameter];
  // One called `id` may be anything.
  if (property === undefined || property === key.property || asked === undefined || plainName(parameter) === 'id')
    return [];
  if (plainName(property) !== plainName(parameter) || role.role === 'remove') return [];
  const found = shown.find(({ record }) => isOfAnother(record[property], asked));
  if (found === undefined) return [];
  return [
    {
      rule: 'parent',
      at: `${found.at}/${property}`,
      expected: `${show(asked)}, the key in the path`,
      actual: show(found.record[property]),
      contractPointer: `${role.operation.pointer}/responses`,
      resource: subject.name,
    },
  ];
}

/** A name in the path may stand for a number in the record. */
function isOfAnother(value: unknown, asked: unknown): boolean {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') return false;
  const isNumber = (each: unknown): boolean => /^\d+$/.test(String(each));
  return isNumber(value) === isNumber(asked) && !isSameKey(value, asked);
}
