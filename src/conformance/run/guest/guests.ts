// A guest changes only what it created itself, and takes it along when it leaves: every record of a run is known.
import type { Contract } from '../../../contract/contract.js';
import { asObject } from '../../../contract/document/plain.js';
import { readOnce } from '../../../contract/read-once.js';
import type { AskedRole } from '../../../contract/resources/plain-roles.js';
import type { RoleOperation } from '../../../contract/resources/resource.js';
import type { SentRequest } from '../../model/sent-request.js';
import { followPointer } from '../../model/follow-pointer.js';
import { isAlike } from '../../judge/status.js';
import { readLocationKey } from '../../wire/http/read-location.js';
import { readSubjects, recordAt, type Subject } from '../../subjects/subject.js';
import { listMarked, readFields, type MarkedTexts } from '../../judge/marked-texts.js';
import { readPathKey } from '../../model/path-key.js';
import { madeNothing, readKey, readShownKey } from './shown-key.js';

/** A record that the run created. */
export interface Guest {
  subject: Subject;
  /** What the path to it has. */
  parameters: Readonly<Record<string, unknown>>;
}

/** A list in which the run may have created records. */
export interface Visited {
  subject: Subject;
  /** What the path to the list has. */
  scope: Readonly<Record<string, unknown>>;
}

/** What a run has done to its target so far. */
export interface Guests {
  /** The records that it created and has not removed, in the order of their creation, by {@link nameGuest}. */
  staying: Map<string, Guest>;
  /** Those that the target said to have removed. */
  removed: Set<string>;
  /** Those that the target answered a creation with although they are somebody else's. */
  strangers: Set<string>;
  /** How many were created by answers that show no key, by resource. */
  keyless: Map<Subject, number>;
  visited: Map<string, Visited>;
  /** What the run wrote into records. */
  texts: MarkedTexts;
  /** When a record was first shown, on the clock of `performance.now()`: what was there before is none of the run's. */
  shown: Map<string, number>;
  /** The greatest number that is the key of a record that was shown, by resource. */
  greatest: Map<string, number>;
  /** The keys in the answers to creations, by operation, after the greatest number that was shown before the first. */
  keys: Map<string, unknown[]>;
}

export function createGuests(texts: MarkedTexts): Guests {
  return {
    staying: new Map(),
    removed: new Set(),
    strangers: new Set(),
    keyless: new Map(),
    visited: new Map(),
    texts,
    shown: new Map(),
    greatest: new Map(),
    keys: new Map(),
  };
}

type Sent = Pick<SentRequest, 'operation' | 'path' | 'json'>;

/** Notes what is about to be written, before anyone can see it. */
export function announceGuest(guests: Guests, sent: Sent, contract: Contract, body?: Uint8Array): void {
  for (const { subject, role } of findRoles(sent, contract)) {
    if (role !== 'create' && role !== 'replace' && role !== 'update') continue;
    const isJson = sent.json !== undefined || body === undefined;
    guests.texts.write(subject.name, isJson ? readRecord(sent, subject.roles[role]) : readFields(body));
    const scope = withoutKey(sent.path, subject);
    guests.visited.set(nameGuest({ subject, parameters: scope }), { subject, scope });
  }
}

/** What an answer shows, of any status. */
export interface Shown {
  status: number;
  bytes: Uint8Array;
  /** The JSON in it. */
  value: unknown;
  location: string | undefined;
  /** When the request went out. */
  sentAt: number;
}

/** The effect of a request, judged by the target's answer. */
export function noteGuest(guests: Guests, sent: Sent, answer: Shown, contract: Contract): void {
  guests.texts.read(answer.bytes);
  if (!isAlike(answer.status, '2XX')) return;
  for (const { subject, role } of findRoles(sent, contract)) {
    const own: Guest = { subject, parameters: sent.path };
    if (role === 'list' || role === 'get') noteShown(guests, own, answer.value);
    if (role === 'create') noteCreated(guests, own, sent, answer);
    if (role === 'replace' || role === 'update') noteChanged(guests, own, sent, answer);
    if (role !== 'remove') continue;
    guests.staying.delete(nameGuest(own));
    guests.removed.add(nameGuest(own));
  }
}

function noteCreated(guests: Guests, { subject, parameters }: Guest, sent: Sent, answer: Shown): void {
  const { key } = subject.resource;
  if (madeNothing(sent.json, answer.value, subject)) return;
  const shown = readShownKey(answer.value, subject) ?? readLocationKey(answer.location);
  const own = subject.putsNew === undefined ? (shown ?? readSentKey(sent, subject)) : parameters[key.parameter];
  const guest = { subject, parameters: { ...parameters, [key.parameter]: own } };
  const isNone = own === undefined;
  const isOther = !isNone && guests.texts.isOther(readRecord(sent, subject.roles.create), answer.bytes);
  if (isNone || isOther || !addGuest(guests, guest, answer)) {
    guests.keyless.set(subject, (guests.keyless.get(subject) ?? 0) + 1);
    if (!isNone && !isKnown(guest, guests)) guests.strangers.add(nameGuest(guest));
    return;
  }
  const operation = sent.operation?.id ?? '';
  guests.keys.set(operation, [...(guests.keys.get(operation) ?? findGreatest(guests, subject)), own]);
}

function findGreatest({ greatest }: Guests, { name }: Subject): unknown[] {
  const found = greatest.get(name);
  return found === undefined ? [] : [found];
}

/** The key that a client gives, where the answer shows none. */
function readSentKey(sent: Sent, { resource: { key }, roles }: Subject): unknown {
  return key.givenBy === 'client' ? readPathKey(readRecord(sent, roles.create)[key.property]) : undefined;
}

/** What is written at a key is there, under that key, and under another one that it was given. */
function noteChanged(guests: Guests, own: Guest, sent: Sent, answer: Shown): void {
  addGuest(guests, own, answer);
  const { subject, parameters } = own;
  const { property, parameter } = subject.resource.key;
  const role = [subject.roles.replace, subject.roles.update].find((each) => each?.operation.id === sent.operation?.id);
  const now = readKey(answer.value, role, subject) ?? readPathKey(readRecord(sent, role)[property]);
  if (now === undefined) return;
  addGuest(guests, { subject, parameters: { ...parameters, [parameter]: now } }, answer);
}

/** Whether a record is the run's own: what was shown before the request went out is not, whatever the answer says. */
function addGuest(guests: Guests, guest: Guest, { sentAt }: Shown): boolean {
  const name = nameGuest(guest);
  const isOld = (guests.shown.get(name) ?? Number.POSITIVE_INFINITY) < sentAt;
  if ((isOld && !isKnown(guest, guests)) || guests.strangers.has(name)) return false;
  guests.removed.delete(name);
  guests.staying.set(name, guest);
  return true;
}

export function isKnown(guest: Guest, { staying, removed }: Guests): boolean {
  return staying.has(nameGuest(guest)) || removed.has(nameGuest(guest));
}

/** Whether a request would change or remove what is somebody else's. */
export function isOfStranger({ strangers }: Guests, sent: Sent, contract: Contract): boolean {
  return findRoles(sent, contract).some(
    ({ subject, role }) =>
      (role === 'replace' || role === 'update' || role === 'remove') &&
      strangers.has(nameGuest({ subject, parameters: sent.path })),
  );
}

/** A target with very long lists must not fill the memory. */
const MOST_SHOWN = 200_000;

function noteShown(guests: Guests, { subject, parameters }: Guest, value: unknown): void {
  const now = performance.now();
  for (const guest of listShown({ subject, scope: withoutKey(parameters, subject) }, value)) {
    const name = nameGuest(guest);
    const key = Number(Object.values(guest.parameters).at(-1));
    if (Number.isSafeInteger(key) && key > (guests.greatest.get(subject.name) ?? -1))
      guests.greatest.set(subject.name, key);
    if (guests.shown.size < MOST_SHOWN && !guests.shown.has(name)) guests.shown.set(name, now);
  }
}

/** The records in the answer of a list, or of a fetch. */
export function listShown({ subject, scope }: Visited, value: unknown): (Guest & { record: object })[] {
  const { key } = subject.resource;
  const places = [subject.roles.list, subject.roles.get].flatMap((role) =>
    role === undefined ? [] : (recordAt(role) ?? []),
  );
  const found = places.map((at) => followPointer(value, at)).flatMap((each) => (Array.isArray(each) ? each : [each]));
  return [...new Set(found)].flatMap((each: unknown) => {
    const record = asObject(each);
    const own = readPathKey(record[key.property]);
    return own === undefined ? [] : [{ subject, parameters: { ...scope, [key.parameter]: own }, record }];
  });
}

export function readRecord({ json }: Sent, role: RoleOperation | undefined): Readonly<Record<string, unknown>> {
  return asObject((role?.requestMember ?? []).reduce<unknown>((inside, name) => asObject(inside)[name], json));
}

export function withoutKey(path: SentRequest['path'], { resource: { key } }: Subject): Record<string, unknown> {
  return Object.fromEntries(Object.entries(path).filter(([name]) => name !== key.parameter));
}

/** The same for the same path, which consists of text, even where an answer has a number. */
export function nameGuest({ subject, parameters }: Guest): string {
  const texts = Object.entries(parameters).map(([name, value]) => [name, String(value)]);
  return JSON.stringify([subject.name, ...texts.toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1))]);
}

/** Whether any record was shown under a key. */
export function isShown({ shown }: Guests, key: bigint): boolean {
  const own = JSON.stringify(String(key));
  return [...shown.keys()].some((name) => name.endsWith(`,${own}]]`));
}

export function findRoles({ operation }: Sent, contract: Contract): readonly Played[] {
  return operation === undefined ? [] : (indexRoles(contract).get(operation.id) ?? []);
}

/** What an operation does to a resource. */
interface Played {
  subject: Subject;
  role: AskedRole;
}

const indexRoles = readOnce((contract: Contract) => {
  const index = new Map<string, Played[]>();
  for (const subject of readSubjects(contract)) {
    for (const [role, { operation }] of Object.entries(subject.roles) as [AskedRole, RoleOperation][]) {
      // A PUT that creates is one role.
      if (role === 'replace' && subject.roles.create?.operation.id === operation.id) continue;
      index.set(operation.id, [...(index.get(operation.id) ?? []), { subject, role }]);
    }
  }
  return index;
});

/** Whether a record is one that the run wrote: a field has exactly what was sent in it, which nobody showed before but of its own. */
export function isOwn({ subject, parameters, record }: Guest & { record: object }, guests: Guests): boolean {
  const written = guests.texts.findWritten(subject.name, listMarked(record, guests.texts.mark));
  const shownAt = guests.shown.get(nameGuest({ subject, parameters })) ?? Number.POSITIVE_INFINITY;
  return written !== undefined && (written <= shownAt || isKnown({ subject, parameters }, guests));
}
