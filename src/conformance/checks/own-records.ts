// Every response that shows a record of the run's own is checked by what the run knows of it, whoever asked for it.
import { isSameSchema } from '../../contract/document/references.js';
import type { Contract } from '../../contract/contract.js';
import { sameJson } from '../../contract/document/json.js';
import { limitOf } from '../../contract/gaps/gaps-of-contract.js';
import { isRepeatKey } from '../../contract/operations/operations.js';
import type { RoleOperation } from '../../contract/resources/resource.js';
import { plainName } from '../../contract/resources/words.js';
import { createHash } from 'node:crypto';
import { printChoice, printField, type RecordEntry, type Representation } from '../ledger/record-ledger.js';
import { fitsStatus } from './status.js';
import {
  findAsked,
  identifyRecord,
  listSteady,
  readShown,
  identifyAsked,
  isFiltered,
  withoutWriteOnly,
} from '../ledger/shown-records.js';
import type { AskedOf, ShownRecord } from '../ledger/shown-records.js';
import { followPointer, ruleOfField, isNotFoundStatus, isSuccess, type SentRequest } from '../model/exchange.js';
import { readShortened } from '../resources/contract-texts.js';
import { isSet, recordAt, type Subject } from '../resources/resource-under-test.js';
import { readLocationKey, readSegment } from '../http/read-response.js';
import { answered, placeOfLimit, pointerOf, successBody, show, isRecord } from './check.js';
import type { Check, CheckContext, CheckFinding, JsonObject } from './check.js';
import { isSameKey, listDifferingFields, listUnlike } from './expectations.js';
import { readPage } from '../resources/paging.js';

export const ownRecordsCheck: Check = {
  id: 'own-records',
  title: 'a created record has its own key, and is returned as created until it is changed',
  comparesAnswers: true,
  showsAlone: ['limit', 'distinct'],
  run(context) {
    const asked = findAsked(context.contract, context.sent);
    if (asked === undefined) return [];
    const shown = readShown(asked, successBody(context));
    const { subject, role } = asked;
    const found =
      role.role === 'create' ? [...checkKey(shown, subject, context), ...checkLocation(shown, subject, context)] : [];
    found.push(...checkParent(shown, asked, context));
    if (role.role === 'list')
      found.push(
        ...checkLength(asked, context),
        ...checkTwice(shown, subject, context),
        ...checkCopies(shown, subject, context),
        ...checkChoices(shown, subject, context),
      );
    if (role.role === 'list' || role.role === 'get') found.push(...checkKept(shown, asked, context));
    return placeAtAsked(found, context);
  },
};

/** A finding that names no other place is at the responses of the operation, and about its resource. */
function placeAtAsked(found: readonly CheckFinding[], context: CheckContext): CheckFinding[] {
  const { subject } = findAsked(context.contract, context.sent) ?? {};
  const place = { contractPointer: pointerOf(context), ...(subject === undefined ? {} : { resource: subject.name }) };
  return found.map((each) => Object.assign({}, each, place, each)); // Its own members come first.
}

function findExpected(key: ShownRecord['key'], subject: Subject, { ledger, sent, sentAt }: CheckContext) {
  const own = ledger.expected(identifyRecord(subject, sent.path, key));
  return own === undefined || own.since > sentAt ? undefined : own;
}

function checkKept(shown: readonly ShownRecord[], { subject, role }: AskedOf, context: CheckContext): CheckFinding[] {
  const { contract } = context;
  const fields = listComparable(subject, role, contract);
  const sets = subject.fields.filter((field) => isSet(field, contract)).map(({ name }) => name);
  return shown.flatMap(({ record, key, at }) => {
    const own = findExpected(key, subject, context);
    if (own === undefined) return [];
    const known = fields.filter((field) => own.kept.has(field) && record[field] !== undefined);
    return listDifferingFields(record, own.sent, { fields: known, sets }).map((each) => {
      const { field, expected: value, actual } = each;
      return { rule: ruleOfField(field), at: at + each.at, expected: `${value}, as it was sent`, value, actual };
    });
  });
}

function listComparable(subject: Subject, { success, role }: RoleOperation, contract: Contract): readonly string[] {
  const isSame = isSameSchema(contract.document, subject.resource.schemaPointer, success.recordPointer ?? '');
  if (isSame && (role !== 'list' || !readShortened(subject, contract).isPart)) return listSteady(subject);
  const texts = new Set(subject.fields.filter(({ type }) => type === 'string').map(({ name }) => name));
  return listSteady(subject).filter((name) => !texts.has(name));
}

function checkChoices(shown: readonly ShownRecord[], subject: Subject, context: CheckContext): CheckFinding[] {
  const { keptChoices, moving } = context.ledger.learned;
  return subject.fields
    .filter(({ name, schema }) => schema['enum'] !== undefined && !moving.has(printField(subject, name)))
    .flatMap(({ name }) => {
      const moved = shown.find(({ record, key }) => {
        const sent = findExpected(key, subject, context)?.sent[name];
        const isKept = sent !== undefined && keptChoices.has(printChoice(subject, name, sent));
        return isKept && record[name] !== undefined && !sameJson(sent, record[name]);
      });
      if (moved === undefined) return [];
      const expected = findExpected(moved.key, subject, context)?.sent[name];
      const [value, actual] = [show(expected), show(moved.record[name])];
      const says = { at: `${moved.at}/${name}`, expected: `${value}, as it was sent`, value, actual };
      const doubt = { kind: 'move' as const, id: moved.key, field: name, expected };
      return [{ rule: ruleOfField(name), ...says, doubt }];
    });
}

function checkKey([created]: readonly ShownRecord[], subject: Subject, context: CheckContext): CheckFinding[] {
  const { key } = subject.resource;
  if (created === undefined || key.givenBy !== 'service' || subject.putsNew !== undefined) return [];
  const before = findExpected(created.key, subject, context);
  const sent = readSent(context.sent, subject);
  if (before === undefined || sent === undefined) return [];
  const id = identifyRecord(subject, context.sent.path, created.key);
  if (context.ledger.endedBy(id) !== undefined) return [];
  // What is sent again may be known again, but then nothing was created (RFC 9110 section 15.3.2).
  const isRepeatable = context.sent.operation?.parameters.some(
    (each) => each.in === 'header' && isRepeatKey(each.name),
  );
  const saysCreated = answered(context)?.status === 201 && isRepeatable === false;
  if (listUnlike(sent, before.sent).length === 0 && !saysCreated) return [];
  const bySent =
    context.ledger.find(id)?.isKeySent === true ? `: a create of the run had sent \`${key.property}\` in its body` : '';
  const actual = `${show(created.key)}, which another record was created with${bySent}`;
  return [{ rule: 'new-key', at: `${created.at}/${key.property}`, expected: 'a key of its own', actual }];
}

function checkLength({ subject, role }: AskedOf, context: CheckContext): CheckFinding[] {
  const { sent } = context;
  const parameter = limitOf(subject.roles);
  const place = recordAt(role) ?? '';
  const list = followPointer(successBody(context), place);
  if (parameter === undefined || !sent.validParameters || !Array.isArray(list)) return [];
  const most = sent.query[parameter.name] ?? parameter.schema['default'];
  if (typeof most !== 'number' || most < 1 || list.length <= most) return [];
  const expected = `at most ${most} ${most === 1 ? 'record' : 'records'}`;
  const contractPointer = placeOfLimit(subject, sent);
  return [{ rule: 'limit', at: `body${place}`, expected, actual: `${list.length} records`, contractPointer }];
}

function checkTwice(shown: readonly ShownRecord[], subject: Subject, context: CheckContext): CheckFinding[] {
  const seen = new Map<string, unknown>();
  const again = shown.find(({ key, record }) => {
    const before = seen.get(String(key));
    seen.set(String(key), record);
    const isKnown = context.ledger.expected(identifyRecord(subject, context.sent.path, key)) !== undefined;
    return before !== undefined && (isKnown || sameJson(before, record));
  });
  if (again === undefined) return [];
  const at = `${again.at}/${subject.resource.key.property}`;
  const actual = `${show(again.key)}, which stands before it too`;
  return [{ rule: 'distinct', at, expected: 'a key of its own', actual }];
}

function checkCopies(shown: readonly ShownRecord[], subject: Subject, context: CheckContext): CheckFinding[] {
  const { ledger, sent, sentAt } = context;
  const first = new Map<string, { key: ShownRecord['key']; at: string; isOwn: boolean }>();
  for (const { record, key, at } of shown)
    for (const { name, text } of ledger.texts.listMarked(record)) {
      if (!ledger.texts.list(text).some((each) => ledger.texts.sent.get(each) === 1)) continue;
      const id = identifyRecord(subject, sent.path, key);
      const known = ledger.expected(id);
      const isOwn =
        (known === undefined || (known.since <= sentAt && known.sent[name] === text)) && ledger.createdByRun(id);
      const here = { key, at: `${at}/${name}`, isOwn };
      const before = first.get(`${name} ${text}`);
      const isKey = (): boolean => [...ledger.records.values()].some(({ id: other }) => other.key === text);
      if (before !== undefined && before.key !== key && before.isOwn !== isOwn && !isKey()) {
        const copy = before.isOwn ? here : before;
        const actual = `another with the key ${show(copy.key)}`;
        const value = show(text);
        return [{ rule: 'once', at: copy.at, expected: `one record with ${value}`, value, actual }];
      }
      first.set(`${name} ${text}`, here);
    }
  return [];
}

/** A 201 with an address gives that of the record that was created (RFC 9110 section 15.3.2), not that of another. */
function checkLocation([created]: readonly ShownRecord[], subject: Subject, context: CheckContext): CheckFinding[] {
  const answer = answered(context);
  const location = answer?.status === 201 ? answer.headers['location'] : undefined;
  const path = subject.roles.get?.operation.path;
  if (location === undefined || created === undefined || path === undefined) return [];
  const key = readLocationKey(location);
  if (key === undefined) return [];
  const bare = key.replace(/\.(?:json|xml)$/i, '');
  const values = [created.key, ...Object.values(created.record)];
  const isOfRecord = values.some((value) => isSameKey(value, key) || isSameKey(value, bare));
  if (isOfRecord ? !isElsewhere(location, key, context) : !isBelow(location, path)) return [];
  const expected = `the address of the record that was created, ${show(created.key)}`;
  const contractPointer = context.sent.operation?.pointer;
  const finding = { rule: 'location', at: 'header/location', expected, actual: show(location), contractPointer };
  if (!isOfRecord) return [finding];
  return [{ ...finding, doubt: { kind: 'address', id: created.key, of: subject.name, location } }];
}

function isElsewhere(location: string, key: string, { sent: { operation, path, target } }: CheckContext): boolean {
  if (operation === undefined || target === undefined || !/^\/(?!\/)/.test(location)) return false;
  if (!`/${splitPath(target).join('/')}`.endsWith(`/${splitPath(location).slice(0, -1).join('/')}`)) return true;
  const collection = operation.path.replace(/\/\{[^/]*\}$/, '');
  const fill = (part: string): string => part.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => String(path[name]));
  const wanted = [...splitPath(collection).map(fill), key];
  const given = splitPath(location).map(readSegment);
  return wanted.some((part, index) => !isSameKey(part, given[given.length - wanted.length + index]));
}

function splitPath(path: string): string[] {
  const [plain = ''] = path.split(/[?#]/);
  return plain.split('/').filter((part) => part !== '');
}

function isBelow(location: string, path: string): boolean {
  const [before = '', ...behind] = splitPath(path).toReversed();
  const collection = behind.find((part) => !part.startsWith('{'));
  if (!before.startsWith('{') || behind[0] !== collection) return false;
  const parts = splitPath(location);
  return parts.at(-2) === collection || parts.at(-1) === collection;
}

function checkParent(shown: readonly ShownRecord[], { subject, role }: AskedOf, context: CheckContext): CheckFinding[] {
  const { parent, key } = subject.resource;
  const { parameter = '', property } = parent ?? {};
  const asked = context.sent.path[parameter];
  if (property === undefined || property === key.property || asked === undefined || plainName(parameter) === 'id')
    return [];
  if (plainName(property) !== plainName(parameter) || role.role === 'remove') return [];
  const isNumber = (value: unknown): boolean => /^\d+$/.test(String(value));
  const found = shown.find(({ record: { [property]: value } }) => {
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') return false;
    return isNumber(value) === isNumber(asked) && !isSameKey(value, asked);
  });
  if (found === undefined) return [];
  const expected = `${show(asked)}, the key in the path`;
  return [{ rule: 'parent', at: `${found.at}/${property}`, expected, actual: show(found.record[property]) }];
}

export function noteShown(context: CheckContext): void {
  const { ledger, sent } = context;
  const asked = findAsked(context.contract, sent);
  if (asked === undefined) return;
  const { role, subject } = asked;
  if (role.role === 'remove') {
    const { status = 0 } = answered(context) ?? {};
    if (isSuccess(status)) ledger.learned.deletions += 1;
    const id = identifyAsked(subject, sent);
    const entry = id === undefined ? undefined : ledger.find(id);
    if (status >= 400 && status < 500 && !isNotFoundStatus(status) && entry !== undefined) entry.isDeleteAsked = false;
  }
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

function noteList({ role, subject }: AskedOf, shown: readonly ShownRecord[], context: CheckContext): void {
  const { ledger, sent, expect, answer, body } = context;
  const list = ledger.listOf(sent);
  for (const { key } of shown) if (list.keys.size < 100_000) list.keys.add(String(key));
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
    const isShort = typeof value === 'boolean' || (typeof value === 'string' && value.length <= 60);
    if (sent[name] === undefined && isShort && ownChoices.size < 10_000)
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

export function isShorterThanBefore(count: number, { contract, sent, sentAt, ledger }: CheckContext): boolean {
  const asked = findAsked(contract, sent);
  if (asked?.role.role !== 'list') return false;
  const { lengths, wasCut } = ledger.listOf(sent);
  if (wasCut || isFiltered(asked.role, Object.keys(sent.query))) return wasCut;
  return count + ledger.learned.deletions < (lengths.findLast(({ at }) => at < sentAt)?.count ?? 0);
}

export function hasAllThatWasSeen(context: CheckContext): boolean {
  const { contract, sent, sentAt, ledger } = context;
  const asked = findAsked(contract, sent);
  if (asked === undefined || isFiltered(asked.role, Object.keys(sent.query))) return false;
  if (!ledger.listOf(sent).wasWhole) return false;
  const listed = new Set(readShown(asked, successBody(context)).map(({ key }) => String(key)));
  return ledger.listExpectedIn(asked.subject, sent.path, sentAt).every(({ id }) => listed.has(String(id.key)));
}

// Validators: what a strong ETag stands for does not change (RFC 9110 section 8.8.1), and a part of it is cut from the same octets.

export const KEPT_TAG = 'kept-etag';

export const validatorsCheck: Check = {
  id: 'validators',
  title: 'a strong ETag stands for one representation, and a partial response has the octets of the whole',
  comparesAnswers: true,
  run: (context) => placeAtAsked([...checkTag(context), ...checkPart(context)], context),
};

function checkTag(context: CheckContext): CheckFinding[] {
  const read = readTagged(context);
  if (read === undefined) return [];
  const { tag, name } = read;
  const known = context.ledger.representations;
  const before = known.get(`${name}\n${tag}`);
  const difference =
    context.sent.method === 'GET'
      ? before && findDifference(before, describe(context))
      : findChangedField(known.get(`${context.sent.target}\n${tag}`), context);
  if (difference === undefined) return [];
  const expected = 'another ETag than before, since what it stands for has changed (RFC 9110 section 8.8.1)';
  const actual = `${tag}, which had another ${difference}`;
  return [{ rule: KEPT_TAG, at: 'header/etag', expected, actual }];
}

export function noteRepresentation(context: CheckContext): void {
  const read = readTagged(context);
  const { bytes } = answered(context) ?? {};
  const { representations } = context.ledger;
  if (read === undefined || context.sent.method !== 'GET' || bytes === undefined || representations.size >= 2000)
    return;
  const shown = describe(context);
  const isOfAll = context.wire?.target === context.sent.target;
  for (const name of [read.name, ...(isOfAll ? [context.sent.target] : [])])
    if (!representations.has(`${name}\n${read.tag}`)) representations.set(`${name}\n${read.tag}`, shown);
  representations.set(read.name, shown);
}

function readTagged(context: CheckContext): { tag: string; name: string } | undefined {
  const answer = answered(context);
  const { sent, wire } = context;
  const tag = answer?.headers['etag'];
  if (answer?.status !== 200 || wire === undefined || tag === undefined || !/^"[^"]*"$/.test(tag)) return undefined;
  if (answer.cutOff !== undefined || answer.bytes.length > 64 * 1024) return undefined;
  if (sent.method !== 'GET' && sent.method !== 'PUT' && sent.method !== 'PATCH') return undefined;
  return { tag, name: nameSelection(wire) };
}

/** Conditions and ranges choose no representation (RFC 9110 sections 13 and 14). */
const CHOOSES_NOTHING = /^(?:if-.*|range)$/i;

function nameSelection({ target, headers }: NonNullable<CheckContext['wire']>): string {
  const fields = Object.entries(headers).filter(([name]) => !CHOOSES_NOTHING.test(name));
  const lines = fields.map(([name, value]) => `${name.toLowerCase()}: ${[value].flat().join()}`);
  return [target, ...lines.toSorted()].join('\n');
}

function describe(context: CheckContext): Representation {
  const { bytes = new Uint8Array(), headers = {} } = answered(context) ?? {};
  const { body } = context;
  const digest = createHash('sha256').update(bytes).digest('hex');
  const isForParts = headers['accept-ranges'] === 'bytes' && headers['content-encoding'] === undefined;
  return { digest, value: body.kind === 'json' ? body.value : undefined, ...(isForParts ? { bytes } : {}) };
}

function findDifference(before: Representation, now: Representation): string | undefined {
  if (before.digest === now.digest) return undefined;
  if (before.value === undefined || now.value === undefined) return 'content';
  if (sameJson(before.value, now.value)) return undefined;
  const [{ at } = { at: '' }] = listUnlike(before.value, now.value);
  return at === '' ? 'content' : `\`${at.slice(1)}\``;
}

/** Of the response to a change, whose ETag is that of what is there now (RFC 9110 section 8.8), only what both show of the record counts. */
function findChangedField(before: Representation | undefined, context: CheckContext): string | undefined {
  const { subject, role } = findAsked(context.contract, context.sent) ?? {};
  const { get } = subject?.roles ?? {};
  const [own, other] = [role, get].map((each) => (each === undefined ? undefined : recordAt(each)));
  if (before === undefined || own === undefined || other === undefined) return undefined;
  const now = followPointer(successBody(context), own);
  const then = followPointer(before.value, other);
  if (!isRecord(now) || !isRecord(then)) return undefined;
  const name = Object.keys(now).find(
    (each) => then[each] !== undefined && listUnlike(then[each], now[each]).length > 0,
  );
  return name === undefined ? undefined : `\`${name}\``;
}

/** RFC 9110 sections 14.4 and 15.3.7: a part says which octets of the whole it has, at most those that were asked for. */
function checkPart(context: CheckContext): CheckFinding[] {
  const answer = answered(context);
  const { wire, ledger, expect } = context;
  const range = String(wire?.headers['Range'] ?? '');
  if (wire === undefined || answer === undefined || !range.startsWith('bytes=')) return [];
  const name = nameSelection(wire);
  const { status, headers, bytes } = answer;
  if (expect.status !== undefined && !fitsStatus(status, expect.status)) return [];
  const tag = headers['etag'];
  const whole = ledger.representations.get(status === 206 && tag !== undefined ? `${name}\n${tag}` : name)?.bytes;
  if (whole === undefined || answer.cutOff !== undefined) return [];
  const { length } = whole;
  const [, start = '', end = ''] = /^bytes=(\d*)-(\d*)$/.exec(range) ?? [];
  const from = start === '' ? Math.max(0, length - Number(end)) : Number(start);
  const to = start === '' || end === '' ? length : Math.min(length, Number(end) + 1);
  const isWithin = from < to;
  if (status === (isWithin ? 416 : 206)) {
    const expected = `${isWithin ? '206' : '416'} or 200, since ${range} is ${isWithin ? 'within' : 'beyond'} the ${length} octets`;
    return [{ rule: 'range', at: 'status', expected, actual: String(status) }];
  }
  if (status !== 206) return [];
  const { 'content-range': actual = 'absent' } = headers;
  const [, first, last, total = '*'] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/i.exec(actual) ?? [];
  const isOf = total === '*' || Number(total) === length;
  if (first === undefined || Number(first) < from || Number(last) >= to || !isOf) {
    const expected = `octets of ${from}-${to - 1} of ${length}, for ${range}`;
    return [{ rule: 'range', at: 'header/content-range', expected, actual }];
  }
  const part = whole.subarray(Number(first), Number(last) + 1);
  if (Buffer.from(part).equals(bytes)) return [];
  const expected = `the ${part.length} octets ${first}-${last} of the whole`;
  return [{ rule: 'octets', at: 'body', expected, actual: `${bytes.length} other octets` }];
}
