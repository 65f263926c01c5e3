// What a request asks for and what a response shows, by the roles that operations have for a resource.
import type { Contract } from '../../contract/contract.js';
import { asObject } from '../../contract/document/plain.js';
import { leaveOutMarked } from '../../contract/operations/properties.js';
import { readOnce } from '../../contract/document/document.js';
import { isKeyName } from '../../contract/resources/read-resource.js';
import type { AskedRole, RoleOperation } from '../../contract/resources/resource.js';
import { followPointer, isSuccess, readPathKey, type SentRequest, type RecordId } from '../model/exchange.js';
import { isGiven, isOneOfAll, readSubjects, recordAt, type Subject } from '../resources/resource-under-test.js';
import { printJson } from '../../contract/document/json.js';

type JsonObject = Readonly<Record<string, unknown>>;

export type AskedOf = { subject: Subject; role: RoleOperation };

type Played = { subject: Subject; role: AskedRole };

const indexOperations = readOnce((contract: Contract) => {
  const first = new Map<string, AskedOf>();
  const all = new Map<string, Played[]>();
  for (const subject of readSubjects(contract))
    for (const [name, role] of Object.entries(subject.roles) as [AskedRole, RoleOperation][]) {
      const { id } = role.operation;
      if (!first.has(id)) first.set(id, { subject, role });
      if (name !== 'replace' || subject.roles.create?.operation.id !== id)
        all.set(id, [...(all.get(id) ?? []), { subject, role: name }]);
    }
  return { first, all };
});

export function findAsked(contract: Contract, { operation }: Pick<SentRequest, 'operation'>): AskedOf | undefined {
  return operation === undefined ? undefined : indexOperations(contract).first.get(operation.id);
}

export function findRoles({ operation }: Pick<SentRequest, 'operation'>, contract: Contract): readonly Played[] {
  return operation === undefined ? [] : (indexOperations(contract).all.get(operation.id) ?? []);
}

export function identifyRecord({ name, resource }: Subject, path: JsonObject, key: RecordId['key']): RecordId {
  const parents = (resource.itemPath.match(/\{/g)?.length ?? 1) - 1;
  return { resource: name, scope: Object.values(path).slice(0, parents).map(String), key };
}

export function identifyAsked(subject: Subject, { path }: Pick<SentRequest, 'path'>): RecordId | undefined {
  const key = readPathKey(Object.values(path).at(-1));
  return key === undefined ? undefined : identifyRecord(subject, path, key);
}

export function withoutKey(path: JsonObject, { resource: { key } }: Subject): Record<string, unknown> {
  return Object.fromEntries(Object.entries(path).filter(([name]) => name !== key.parameter));
}

export type ShownRecord = { record: JsonObject; key: RecordId['key']; at: string };

export function readShown({ subject, role }: AskedOf, body: unknown): ShownRecord[] {
  const within = recordAt(role);
  if (within === undefined || body === undefined) return [];
  const found = followPointer(body, within);
  const listed: readonly unknown[] = Array.isArray(found) ? found : [found];
  return listed.flatMap((each, index) => {
    const record = asObject(each);
    const key = readPathKey(record[subject.resource.key.property]);
    if (key === undefined) return [];
    return [{ record, key, at: `body${within}${Array.isArray(found) ? `/${index}` : ''}` }];
  });
}

export function readListed(subject: Subject, body: unknown): ShownRecord[] {
  const roles = [subject.roles.list, subject.roles.get].filter((role) => role !== undefined);
  const places = new Map(roles.map((role) => [recordAt(role), role]));
  return [...places.values()].flatMap((role) => readShown({ subject, role }, body));
}

export function isFiltered({ list }: RoleOperation, names: readonly string[]): boolean {
  const { paging } = list ?? {};
  const size = paging?.kind === 'page' ? paging.size : paging?.limit;
  return names.some((name) => name !== size);
}

export function readSentRecord({ json }: Pick<SentRequest, 'json'>, role: RoleOperation | undefined): JsonObject {
  return asObject((role?.requestMember ?? []).reduce<unknown>((inside, name) => asObject(inside)[name], json));
}

type Around = { contract: Contract; sent: Pick<SentRequest, 'operation'> };

export function withoutWriteOnly(record: unknown, { contract, sent }: Around): unknown {
  const { subject } = findAsked(contract, sent) ?? {};
  return [subject?.resource.schemaPointer, subject?.roles.create?.requestPointer].reduce<unknown>(
    (left, schema) => (schema === undefined ? left : leaveOutMarked(contract, schema, left, 'writeOnly')),
    record,
  );
}

export const listSteady = readOnce((subject: Subject): readonly string[] => {
  const { property } = subject.resource.key;
  const steady = subject.fields.filter(
    (field) => field.isShown && field.type !== 'boolean' && field.schema['enum'] === undefined && !isOneOfAll(field),
  );
  return steady.map(({ name }) => name).filter((name) => name !== property || isGiven(name, subject));
});

export function readKey(value: unknown, role: RoleOperation | undefined, { resource: { key } }: Subject): unknown {
  const at = role === undefined ? undefined : recordAt(role);
  return at === undefined ? undefined : readPathKey(followPointer(value, `${at}/${key.property}`));
}

export function readShownKey(value: unknown, subject: Subject): unknown {
  const { roles, resource } = subject;
  const readNamed = (each: unknown): unknown =>
    readPathKey(Object.entries(asObject(each)).find(([name]) => isKeyName(name, resource.key))?.[1]);
  const [inside, ...others] = listInside(value).flatMap((each) => readNamed(each) ?? []);
  return readKey(value, roles.create, subject) ?? readNamed(value) ?? (others.length === 0 ? inside : undefined);
}

export function readKeyOfSent(value: unknown, subject: Subject, isIts: (record: object) => boolean): unknown {
  const found = [value, ...listInside(value)].map(asObject).filter(isIts);
  const named = found.flatMap((each) => Object.entries(each).filter(([name]) => isKeyName(name, subject.resource.key)));
  return named.length === 1 ? readPathKey(named[0]?.[1]) : undefined;
}

function listInside(value: unknown): unknown[] {
  const around = Array.isArray(value) ? [value] : Object.values(asObject(value));
  return around.flatMap((each) => (Array.isArray(each) && each.length === 1 ? (each as unknown[]) : [each]));
}

const NAME_PREFIX = 'cf';

export const COUNTED = 3;

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** A mark for the names of one run. A service may limit names (the gap `name-characters`), and lower those of hosts and mail boxes. */
export function createMark(randomLetter: () => number): string {
  return `${NAME_PREFIX}${Array.from({ length: 2 }, () => LETTERS[randomLetter() % 26]).join('')}`;
}

/** Where a run begins to count, since there are but 676 marks. What follows is more than any run makes, so that its names stay in order. */
export const drawStart = (randomInt: (below: number) => number): number => randomInt(20 * 26 ** 2);

export type MarkedField = { name: string; text: string };

export class RunTexts {
  readonly mark: string;
  readonly sent = new Map<string, number>();
  readonly taken = new Set<string>();
  readonly rejected = new Map<string, string>();
  readonly #written = new Map<string, number>();
  readonly #used = new Set<string>();
  readonly #own = new Set<string>();
  readonly #foreign = new Set<string>();
  #named: number;

  constructor(mark: string, named = 0) {
    this.mark = mark;
    this.#named = named;
  }

  nextName(): string {
    const number = this.#named++;
    const counted = [26 * 26, 26, 1].map((each) => LETTERS[Math.floor(number / each) % 26]);
    return `${this.mark}${counted.join('')}`;
  }

  list(text: string): string[] {
    return text.match(new RegExp(`${this.mark}[a-z]{${COUNTED}}`, 'g')) ?? [];
  }

  listMarked(record: object): MarkedField[] {
    return Object.entries(record).flatMap(([name, text]: [string, unknown]) =>
      typeof text === 'string' && text.toLowerCase().includes(this.mark.toLowerCase()) ? [{ name, text }] : [],
    );
  }

  noteSent(body: string, times = 1): void {
    for (const text of this.list(body)) this.sent.set(text, (this.sent.get(text) ?? 0) + times);
  }

  noteWritten(resource: string, record: Readonly<Record<string, unknown>>): void {
    for (const text of this.#listLowered(printJson(record))) this.#own.add(text);
    for (const field of this.listMarked(record)) {
      this.#used.add(resource);
      const place = printField(resource, field);
      if (!this.#written.has(place)) this.#written.set(place, performance.now());
    }
  }

  noteShown(bytes: Uint8Array): void {
    for (const text of this.#listLowered(Buffer.from(bytes).toString('latin1')))
      if (!this.#own.has(text)) this.#foreign.add(text);
  }

  noteOutcome(text: string, creates: string | undefined, { body, status }: { body: unknown; status: number }): void {
    const isRejected = isSuccess(status) ? isErrorBody(body) : status >= 400 && status < 500;
    for (const unique of this.list(text)) {
      if (isSuccess(status) && !isRejected) this.taken.add(unique);
      else if (isRejected && creates !== undefined) this.rejected.set(unique, creates);
      // A name may be rejected the second time because it was taken the first.
      if (this.taken.has(unique)) this.rejected.delete(unique);
    }
  }

  isUsed(resource: string): boolean {
    return this.#used.has(resource);
  }

  isOther(sent: Readonly<Record<string, unknown>>, bytes: Uint8Array): boolean {
    const fields = this.listMarked(sent);
    const shown = Buffer.from(bytes).toString('latin1');
    const known = new Set(this.#listLowered(shown));
    const isValue = (rest: string): boolean => /^\s*:\s*(?!null\b)/.test(rest);
    const showsField = fields.some(({ name }) => shown.split(printJson(name)).slice(1).some(isValue));
    return showsField && !fields.some(({ text }) => this.#listLowered(text).some((each) => known.has(each)));
  }

  findWritten(resource: string, fields: readonly MarkedField[]): number | undefined {
    if (fields.some(({ text }) => this.#listLowered(text).some((each) => this.#foreign.has(each)))) return undefined;
    return fields.map((field) => this.#written.get(printField(resource, field))).find((at) => at !== undefined);
  }

  #listLowered(text: string): string[] {
    return (text.match(new RegExp(`${this.mark}[a-z]{${COUNTED}}`, 'gi')) ?? []).map((each) => each.toLowerCase());
  }
}

function printField(resource: string, { name, text }: MarkedField): string {
  return JSON.stringify([resource, name.toLowerCase(), text.trim().toLowerCase()]);
}

function isErrorBody(body: unknown): boolean {
  if (Array.isArray(body) && body.length === 1) return isErrorBody(body[0]);
  const members = asObject(body);
  return ['code', 'message', 'status'].every((field) => field in members) && !('id' in members);
}
