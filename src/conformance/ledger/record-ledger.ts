// The one store of what a run knows of records: which it created, changed and deleted, what each response showed, and when.
import {
  isFiltered,
  findAsked,
  findRoles,
  identifyAsked,
  identifyRecord,
  readKey,
  readListed,
  readSentRecord,
  readShown,
  readShownKey,
  withoutKey,
} from './shown-records.js';
import type { AskedOf, RunTexts } from './shown-records.js';
import { splitTarget, type PrepareOptions } from '../http/prepare-request.js';
import { nameRequest, type Send } from '../http/send-politely.js';
import { isReading, saysAbsent, isSuccess, followPointer, readPathKey, printRecordId } from '../model/exchange.js';
import type { SentRequest, Answered, WireRequest, RecordId } from '../model/exchange.js';
import { readJson, readSegment, readLocationKey } from '../http/read-response.js';
import type { Contract } from '../../contract/contract.js';
import { printJson, sameJson } from '../../contract/document/json.js';
import { asObject } from '../../contract/document/plain.js';
import { saysExpires } from '../../contract/operations/said-in-words.js';
import { stateOf } from '../resources/contract-texts.js';
import { recordAt, type Subject } from '../resources/resource-under-test.js';

type Sent = Pick<SentRequest, 'operation' | 'path' | 'json'>;

const OWN = 'own';

export class RecordLedger {
  readonly contract: Contract;
  readonly texts: RunTexts;
  readonly records = new Map<string, RecordEntry>();
  readonly learned = {
    longest: new Map<string, number>(),
    served: new Set<string>(),
    found: new Set<string>(),
    renamed: new Set<string>(),
    taken: new Map<string, Set<string>>(),
    keptChoices: new Set<string>(),
    moving: new Set<string>(),
    ownChoices: new Set<string>(),
    listedStates: new Set<string>(),
    deletions: 0,
  };
  readonly representations = new Map<string, Representation>();
  readonly looks: Look[] = [];
  readonly touches: Touch[] = [];
  #keyless: Visited[] = [];
  readonly #hidingKeys = new Set<Subject>(); // Of which a response to a create did not show the key.
  readonly visited = new Map<string, Visited>();
  readonly createdKeys = new Map<string, unknown[]>();
  readonly #present = new Set<RecordEntry>();
  readonly #unchanged = new Set<RecordEntry>();
  readonly #shownCounts = new Map<string, number>();
  readonly #lists = new Map<string, ListEntry>();
  readonly #greatest = new Map<string, number>();

  constructor(contract: Contract, texts: RunTexts) {
    this.contract = contract;
    this.texts = texts;
  }

  find(id: RecordId): RecordEntry | undefined {
    return this.records.get(printRecordId(id));
  }

  createdByRun(id: RecordId): boolean {
    return this.find(id)?.state !== undefined;
  }

  expected(id: RecordId): CreatedRecord | undefined {
    return this.find(id)?.asCreated;
  }

  endedBy(id: RecordId): string | undefined {
    const { ends } = this.find(id) ?? {};
    return ends !== undefined && performance.now() >= ends.at - 5000 ? ends.field : undefined;
  }

  isKeyShown(key: bigint): boolean {
    const entries = [...this.records.values()];
    return entries.some(({ id, shownAt }) => shownAt !== undefined && String(id.key) === String(key));
  }

  countCreated(): number {
    return [...this.records.values()].filter(({ state }) => state !== undefined).length;
  }

  hasListed({ name }: Subject, state: string | undefined): boolean {
    return this.learned.listedStates.has(`${name}\n${state ?? OWN}`);
  }

  countShown({ name }: Subject): number {
    return this.#shownCounts.get(name) ?? 0;
  }

  countKeyless(): Map<Subject, number> {
    const counts = new Map<Subject, number>();
    for (const { subject, scope } of this.#keyless)
      if (!this.isGoneWithParent(subject, scope, true)) counts.set(subject, (counts.get(subject) ?? 0) + 1);
    return counts;
  }

  listPresent(): RecordEntry[] {
    return [...this.#present];
  }

  listUnchanged({ name }: Subject): CreatedRecord[] {
    return [...this.#unchanged].flatMap(({ id, asCreated }) =>
      id.resource === name && asCreated !== undefined ? [asCreated] : [],
    );
  }

  listOf({ operation, path }: Pick<SentRequest, 'operation' | 'path'>): ListEntry {
    const place = [operation?.id, ...Object.values(path).map(String)].join('\n');
    const known = this.#lists.get(place) ?? { keys: new Set(), lengths: [], wasWhole: false, wasCut: false };
    this.#lists.set(place, known);
    return known;
  }

  listExpectedIn(subject: Subject, path: PathValues, at: number): RecordEntry[] {
    const { resource, scope } = identifyRecord(subject, path, '');
    return [...this.records.values()].filter(
      ({ id, shownAt = Number.POSITIVE_INFINITY, isDeleteAsked }) =>
        id.resource === resource &&
        shownAt <= at &&
        isDeleteAsked !== true &&
        scope.every((key, index) => key === id.scope[index]),
    );
  }

  #identifyAsked(sent: SentRequest) {
    const { subject, role } = findAsked(this.contract, sent) ?? {};
    return { subject, role: role?.role, id: subject === undefined ? undefined : identifyAsked(subject, sent) };
  }

  whatIsAsked(sent: SentRequest, sentAt: number): 'created' | 'shown' | 'unknown' | undefined {
    const { role, id } = this.#identifyAsked(sent);
    if (id === undefined || role === 'list' || role === 'create') return undefined;
    if (this.createdByRun(id)) return 'created';
    return (this.find(id)?.shownAt ?? Infinity) < sentAt ? 'shown' : 'unknown';
  }

  wasListed(sent: SentRequest): boolean {
    const { id } = this.#identifyAsked(sent);
    const entry = id === undefined ? undefined : this.find(id);
    return entry !== undefined && this.looks.some(({ kind, shows }) => kind === 'list' && shows.includes(entry));
  }

  changesForeign(sent: Sent): boolean {
    return findRoles(sent, this.contract).some(({ subject, role }) => {
      const id = identifyAsked(subject, sent);
      const isChange = role === 'replace' || role === 'update' || role === 'remove';
      return isChange && id !== undefined && this.find(id)?.isForeign === true;
    });
  }

  isWrittenByRun(entry: RecordEntry, record: object): boolean {
    const written = this.texts.findWritten(entry.subject.name, this.texts.listMarked(record));
    if (written !== undefined) return entry.state !== undefined || written <= (entry.shownAt ?? written);
    // A record whose only text is a word has no mark: its key and all that was sent tell it.
    const sent = Object.entries(entry.asCreated?.sent ?? {});
    const shown = asObject(record);
    return entry.state === 'deleted' && sent.length > 0 && sent.every(([name, value]) => sameJson(shown[name], value));
  }

  /** Whether what a create would make could not be found again: it sends no mark, and responses do not show keys. */
  wouldLose(sent: SentRequest): boolean {
    return findRoles(sent, this.contract).some(({ subject, role }) => {
      if (role !== 'create' || !this.#hidingKeys.has(subject) || !this.texts.isUsed(subject.name)) return false;
      return this.texts.listMarked(readSentRecord(sent, subject.roles.create)).length === 0;
    });
  }

  isGoneWithParent({ parent }: Subject, path: PathValues, isList = false): boolean {
    const values = Object.values(path);
    const above = isList ? values : values.slice(0, -1);
    const key = readPathKey(above.at(-1));
    if (parent === undefined || key === undefined) return false;
    return this.find(identifyRecord(parent, Object.fromEntries(above.entries()), key))?.state === 'deleted';
  }

  entryOf(subject: Subject, parameters: PathValues, key: RecordId['key']): RecordEntry {
    const id = identifyRecord(subject, parameters, key);
    const text = printRecordId(id);
    const entry = this.records.get(text) ?? { id, subject, parameters };
    if (this.records.size < 100_000) this.records.set(text, entry);
    return entry;
  }

  noteKeyFound({ subject, parameters }: RecordEntry): void {
    const own = printJson(withoutKey(parameters, subject));
    const of = this.#keyless.filter((each) => each.subject === subject);
    const found = of.find(({ scope }) => printJson(scope) === own) ?? of[0];
    this.#keyless = this.#keyless.filter((each) => each !== found);
  }

  notePresent(entry: RecordEntry): void {
    const { id, subject, state } = entry;
    const scope = [...id.scope, String(id.key)].join('\n');
    for (const each of state === 'deleted' ? this.#present : []) {
      if (each.subject.parent !== subject || each.id.scope.join('\n') !== scope) continue;
      this.noteDeleted(each);
      this.noteExpected(each, undefined);
    }
    this.records.set(printRecordId(id), entry);
    entry.state = 'present';
    this.#present.add(entry);
  }

  noteDeleted(entry: RecordEntry): void {
    this.records.set(printRecordId(entry.id), entry);
    entry.state = 'deleted';
    entry.isDeleteAsked = true;
    this.#present.delete(entry);
  }

  announce(sent: SentRequest, body?: Uint8Array): void {
    for (const { subject, role } of findRoles(sent, this.contract)) {
      if (role !== 'create' && role !== 'replace' && role !== 'update') continue;
      const isJson = sent.json !== undefined || body === undefined;
      const record = isJson ? readSentRecord(sent, subject.roles[role]) : readLenientFields(body);
      this.texts.noteWritten(subject.name, record);
      const scope = withoutKey(sent.path, subject);
      this.visited.set(`${subject.name}\n${Object.values(scope).map(String).join('\n')}`, { subject, scope });
    }
    const { subject, role, id } = this.#identifyAsked(sent);
    if (role === 'remove' && subject !== undefined && id !== undefined)
      this.entryOf(subject, sent.path, id.key).isDeleteAsked = true;
    if (sent.method === 'GET' || sent.method === 'HEAD') return;
    // Whatever a request that writes names in its path, it may change: a record below another changes that one, too.
    const named = new Set(Object.values(sent.path).map((value) => String(value).toLowerCase()));
    for (const entry of this.#unchanged)
      if (named.has(String(entry.id.key).toLowerCase())) this.noteExpected(entry, undefined);
  }

  noteExpected(entry: RecordEntry, created: CreatedRecord | undefined): void {
    entry.asCreated = created;
    this.#unchanged[created === undefined ? 'delete' : 'add'](entry);
  }

  noteStates(entry: RecordEntry, record: Readonly<Record<string, unknown>>): void {
    const { listedStates } = this.learned;
    if (listedStates.size >= 10_000) return;
    const own = entry.state === undefined ? undefined : OWN;
    for (const state of [own, ...Object.entries(record).map(([name, value]) => stateOf(name, value))])
      if (state !== undefined) listedStates.add(`${entry.id.resource}\n${state}`);
  }

  noteEffect(sent: Sent, response: Shown): void {
    this.texts.noteShown(response.bytes);
    if (!isSuccess(response.status)) return;
    for (const { subject, role } of findRoles(sent, this.contract)) {
      const listed = role === 'list' || role === 'get' ? readListed(subject, response.value) : [];
      for (const { key } of listed) {
        this.noteShown(this.entryBelow(subject, withoutKey(sent.path, subject), key));
        const number = Number(key);
        if (Number.isSafeInteger(number) && number > (this.#greatest.get(subject.name) ?? -1))
          this.#greatest.set(subject.name, number);
      }
      if (role === 'create') this.#noteCreated(subject, sent, response);
      if (role === 'replace' || role === 'update') this.#noteChanged(subject, sent, response);
      const id = role === 'remove' ? identifyAsked(subject, sent) : undefined;
      if (id !== undefined) this.noteDeleted(this.entryOf(subject, sent.path, id.key));
    }
  }

  noteShown(entry: RecordEntry): void {
    if (entry.shownAt !== undefined) return;
    entry.shownAt = performance.now();
    this.#shownCounts.set(entry.id.resource, (this.#shownCounts.get(entry.id.resource) ?? 0) + 1);
  }

  #noteCreated(subject: Subject, sent: Sent, response: Shown): void {
    if (madeNothing(sent.json, response.value, subject)) return;
    const key = readCreatedKey(subject, sent, response);
    const isOther = key !== undefined && this.texts.isOther(readSentRecord(sent, subject.roles.create), response.bytes);
    const entry = key === undefined ? undefined : this.entryBelow(subject, sent.path, key);
    if (entry === undefined || isOther || !this.#addCreated(entry, response.sentAt)) {
      this.#keyless.push({ subject, scope: withoutKey(sent.path, subject) });
      this.#hidingKeys.add(subject);
      if (entry !== undefined && entry.state === undefined) entry.isForeign = true;
      return;
    }
    const { create } = subject.roles;
    const record = asObject(followPointer(response.value, (create === undefined ? undefined : recordAt(create)) ?? ''));
    const found = Object.entries({ ...asObject(response.value), ...record }).flatMap(([field, said]) => {
      if (typeof said !== 'string' && typeof said !== 'number') return [];
      let inMs = typeof said === 'string' ? Date.parse(said) - Date.now() : said * 1000;
      if (typeof said === 'number' && said >= 1e9) inMs = said * (said >= 1e12 ? 1 : 1000) - Date.now();
      return Number.isFinite(inMs) && saysExpires(field) ? [{ field, at: performance.now() + inMs }] : [];
    });
    const ends = found.toSorted((one, other) => one.at - other.at)[0];
    if (ends !== undefined) entry.ends = ends;
    const operation = sent.operation?.id ?? '';
    const greatest = this.#greatest.get(subject.name);
    const before = this.createdKeys.get(operation) ?? (greatest === undefined ? [] : [greatest]);
    this.createdKeys.set(operation, [...before, key]);
  }

  #noteChanged(subject: Subject, sent: Sent, { value, sentAt }: Shown): void {
    const id = identifyAsked(subject, sent);
    if (id !== undefined) this.#addCreated(this.entryOf(subject, sent.path, id.key), sentAt);
    const { replace, update } = subject.roles;
    const role = [replace, update].find((each) => each?.operation.id === sent.operation?.id);
    const now = readPathKey(readKey(value, role, subject) ?? readSentRecord(sent, role)[subject.resource.key.property]);
    if (now !== undefined) this.#addCreated(this.entryBelow(subject, sent.path, now), sentAt);
  }

  #addCreated(entry: RecordEntry, sentAt: number): boolean {
    const isOld = (entry.shownAt ?? Number.POSITIVE_INFINITY) < sentAt;
    if ((isOld && entry.state === undefined) || entry.isForeign === true) return false;
    this.notePresent(entry);
    return true;
  }

  entryBelow(subject: Subject, path: PathValues, key: RecordId['key']): RecordEntry {
    return this.entryOf(subject, { ...path, [subject.resource.key.parameter]: key }, key);
  }
}

export function readCreatedKey(subject: Subject, sent: Sent, { value, location }: Pick<Shown, 'value' | 'location'>) {
  const { key } = subject.resource;
  if (subject.putsNew !== undefined) return readPathKey(sent.path[key.parameter]);
  const given = key.givenBy === 'client' ? readSentRecord(sent, subject.roles.create)[key.property] : undefined;
  return readPathKey(readShownKey(value, subject) ?? readLocationKey(location) ?? given);
}

function madeNothing(sent: unknown, value: unknown, { roles: { create } }: Subject): boolean {
  const at = (create === undefined ? undefined : recordAt(create)) ?? '';
  const isEmpty = (each: unknown): boolean => Array.isArray(each) && each.length === 0;
  return isEmpty(sent) && [value, ...Object.values(asObject(value)), followPointer(value, at)].some(isEmpty);
}

function readLenientFields(body: Uint8Array): Record<string, string> {
  const text = Buffer.from(body).toString('utf8');
  const fields = [...text.matchAll(/["']([^"'\\]+)["']\s*:\s*["']([^"'\\]*)["']/g)];
  return Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value]));
}

export const printField = ({ name }: Subject, field: string): string => `${name}\n${field}`;

export function printChoice(subject: Subject, field: string, value: unknown): string {
  return `${printField(subject, field)}\n${printJson(value)}`;
}

type PathValues = Readonly<Record<string, unknown>>;

/** What the run knows of one record. All times are on the clock of `performance.now()`. */
export interface RecordEntry {
  readonly id: RecordId;
  readonly subject: Subject;
  readonly parameters: PathValues;
  shownAt?: number; // When a response first showed it, with its key.
  foundAt?: number; // When a fetch of it first succeeded, whatever the response shows.
  createdAt?: number; // When the response to its creation named it.
  state?: 'present' | 'deleted';
  isForeign?: true;
  isDeleteAsked?: boolean;
  wasListed?: true;
  isKeySent?: true;
  asCreated?: CreatedRecord | undefined;
  ends?: { at: number; field: string }; // When it ends by itself, and which field says so: `expiresAt`.
}

export interface CreatedRecord {
  key: string | number | bigint;
  sent: Readonly<Record<string, unknown>>;
  kept: Set<string>;
  since: number;
}

export type Visited = { subject: Subject; scope: PathValues };

/** `wasCut`: once shorter than before, by more than the run deleted: its pages are of any length, or others delete. */
type ListEntry = { keys: Set<string>; lengths: { count: number; at: number }[]; wasWhole: boolean; wasCut: boolean };

export type Representation = { digest: string; value: unknown; bytes?: Uint8Array };

type Shown = { status: number; bytes: Uint8Array; value: unknown; location: string | undefined; sentAt: number };

type Span = { sentAt: number; answeredAt: number };

export interface Look extends Span {
  operationId: string;
  kind: 'record' | 'list';
  wire: WireRequest;
  request: string;
  path: string; // Below the base path, without the query.
  of: RecordEntry | string;
  shows: readonly RecordEntry[];
  answer: Answered;
}

export type Touch = Span & { path: string };

const MOST_LOOKS = 20_000;
const MOST_IN_LIST = 1000;
const MOST_BYTES = 2048;

type Options = Pick<PrepareOptions, 'contract' | 'basePath'>;

export function followLooks(ledger: RecordLedger, send: Send, options: Options): Send {
  return async (wire, onPutOff) => {
    const sentAt = performance.now();
    const answer = await send(wire, onPutOff);
    const span = { sentAt, answeredAt: performance.now() };
    if (answer.kind === 'answered') noteLook(ledger, wire, answer, span, options);
    return answer;
  };
}

function noteLook(ledger: RecordLedger, wire: WireRequest, answer: Answered, span: Span, options: Options): void {
  const [path = '', query = ''] = splitTarget(wire, options).rest.split(/\?(.*)/s);
  const match = options.contract.match(wire.method, path);
  const asked = match.kind === 'operation' ? findAsked(options.contract, match) : undefined;
  const given = match.kind === 'operation' ? Object.entries(match.pathValues) : [];
  const values = Object.fromEntries(given.map(([name, value]) => [name, readSegment(value)]));
  const role = asked?.role.role;
  if (!isReading(wire)) {
    if (role !== 'create' && !(answer.status >= 400 && answer.status < 500)) ledger.touches.push({ path, ...span });
    if (asked === undefined || role !== 'create' || !isSuccess(answer.status)) return;
    const sent = { operation: asked.role.operation, path: values, json: undefined };
    const shown = { value: readJson(answer), location: answer.headers['location'] };
    const key = readCreatedKey(asked.subject, sent, shown);
    if (key !== undefined) ledger.entryBelow(asked.subject, values, key).createdAt ??= span.answeredAt;
    return;
  }
  if (wire.shown?.isValid === false) return;
  if (asked === undefined || wire.method !== 'GET' || ledger.looks.length >= MOST_LOOKS) return;
  const own = ledger.entryOf(asked.subject, values, Object.values(values).at(-1) ?? '');
  const isWhole = isSuccess(answer.status) && answer.cutOff === undefined;
  const fetched = saysAbsent(answer.status) ? [] : isWhole ? [own] : undefined;
  const listed = isWhole ? readLook(asked, values, query, answer, ledger) : undefined;
  const shows = role === 'get' ? fetched : listed;
  if (shows === undefined) return;
  for (const entry of shows) {
    if (role === 'list') ledger.noteShown(entry);
    else entry.foundAt ??= span.answeredAt;
  }
  const bytes = answer.bytes.slice(0, MOST_BYTES);
  ledger.looks.push({
    operationId: asked.role.operation.id,
    kind: role === 'get' ? 'record' : 'list',
    wire,
    request: nameRequest(wire),
    path,
    of: role === 'get' ? own : path,
    shows,
    answer: answer.bytes.length <= MOST_BYTES ? answer : { ...answer, bytes },
    ...span,
  });
}

function readLook(asked: AskedOf, values: PathValues, query: string, answer: Answered, ledger: RecordLedger) {
  const { subject, role } = asked;
  const asks = new URLSearchParams(query);
  const inQuery = role.operation.parameters.filter((each) => each.in === 'query' && asks.has(each.name));
  const names = inQuery.map(({ name }) => name);
  if (role.role !== 'list' || isFiltered(role, names)) return undefined;
  const body = readJson(answer);
  const at = recordAt(role);
  const records = at === undefined ? undefined : followPointer(body, at);
  const shown = readShown(asked, body);
  const isWhole = Array.isArray(records) && records.length <= MOST_IN_LIST && shown.length === records.length;
  return isWhole ? shown.map(({ key }) => ledger.entryBelow(subject, values, key)) : undefined;
}
