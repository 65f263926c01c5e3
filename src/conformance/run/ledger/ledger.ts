// What a run has seen of each record, as facts: what was asked when, and what the answer showed. Retries and second looks count
// like any other request, so that a look that disagrees with others is not lost when the next one succeeds.
import type { Contract } from '../../../contract/contract.js';
import type { RoleOperation } from '../../../contract/resources/resource.js';
import type { Send } from '../../wire/http/send-politely.js';
import { isReading, type Answered, type WireRequest } from '../../model/wire.js';
import { readLocationKey } from '../../wire/http/read-location.js';
import { followPointer } from '../../model/follow-pointer.js';
import { saysAbsent } from '../../judge/status.js';
import { readPathKey } from '../../model/path-key.js';
import { splitTarget, type PrepareOptions } from '../../wire/request/prepare-request.js';
import { nameRequest } from '../../wire/request/share-answers.js';
import { readBody } from '../read-answer.js';
import { readSubjects, recordAt, type Subject } from '../../subjects/subject.js';

/** When a request went out and its answer was there, on the clock of `performance.now()`. */
export interface Span {
  sentAt: number;
  answeredAt: number;
}

/** One look at a record or at a list, and which records it showed. */
export interface Sighting extends Span {
  operationId: string;
  kind: 'record' | 'list';
  wire: WireRequest;
  /** Equal requests have equal names. */
  request: string;
  /** Below the base path, without the query. */
  path: string;
  /** The record that was asked for; for a list, its collection. */
  of: string;
  /** What names the records that it shows, in their order. */
  shows: readonly string[];
  /** Kept of a look that shows nothing of what was asked for, or fewer records than another. */
  answer: Answered;
}

/** A request that may have removed records, or hidden them. */
export interface Touch extends Span {
  path: string;
}

export interface Ledger {
  /** The looks of the run, in the order of their answers. */
  looks: readonly Sighting[];
  /** The first time that an answer named each record, and whether that was the answer to its creation. */
  born: ReadonlyMap<string, { at: number; isOwn: boolean }>;
  touches: readonly Touch[];
  /** Sends requests and keeps what they show. */
  follow(send: Send): Send;
}

const MOST_LOOKS = 20_000;
const MOST_IN_LIST = 1000;

export function createLedger(options: Pick<PrepareOptions, 'contract' | 'basePath'>): Ledger {
  const { contract } = options;
  const looks: Sighting[] = [];
  const born = new Map<string, { at: number; isOwn: boolean }>();
  const touches: Touch[] = [];
  const note = (wire: WireRequest, answer: Answered, span: Span): void => {
    const [path = '', query] = splitTarget(wire, options).rest.split(/\?(.*)/s);
    const match = contract.match(wire.method, path);
    const asked = match.kind === 'operation' ? findAsked(contract, match.operation.id) : undefined;
    if (!isReading(wire)) {
      // What is refused changes nothing.
      const isRefused = answer.status >= 400 && answer.status < 500;
      if (asked?.role.role !== 'create' && !isRefused) touches.push({ path, ...span });
      if (asked?.role.role === 'create')
        noteBirths(born, readCreated(asked, answer), { at: span.answeredAt, isOwn: true });
      return;
    }
    const shows = asked === undefined ? undefined : readShown(asked, { path, query }, answer);
    if (asked === undefined || shows === undefined || wire.method !== 'GET' || looks.length >= MOST_LOOKS) return;
    noteBirths(born, shows, { at: span.answeredAt, isOwn: false });
    const kind = asked.role.role === 'get' ? 'record' : 'list';
    const of = kind === 'record' ? nameRecord(asked.subject, lastSegment(path)) : path;
    looks.push({
      operationId: asked.role.operation.id,
      kind,
      wire,
      request: nameRequest(wire),
      path,
      of,
      shows,
      answer: cutBody(answer),
      ...span,
    });
  };
  return {
    looks,
    born,
    touches,
    follow: (send) => async (request, onPutOff) => {
      const sentAt = performance.now();
      const answer = await send(request, onPutOff);
      if (answer.kind === 'answered') note(request, answer, { sentAt, answeredAt: performance.now() });
      return answer;
    },
  };
}

interface Asked {
  subject: Subject;
  role: RoleOperation;
}

function findAsked(contract: Contract, operationId: string): Asked | undefined {
  for (const subject of readSubjects(contract)) {
    const roles = [subject.roles.get, subject.roles.list, subject.roles.create];
    const role = roles.find((each) => each?.operation.id === operationId);
    if (role !== undefined) return { subject, role };
  }
  return undefined;
}

/** `undefined` for an answer that says nothing of which records there are, such as a refusal. */
function readShown(
  { subject, role }: Asked,
  { path, query = '' }: { path: string; query: string | undefined },
  answer: Answered,
): string[] | undefined {
  const isSuccess = answer.status >= 200 && answer.status < 300 && answer.cutOff === undefined;
  if (role.role === 'get') {
    if (saysAbsent(answer.status)) return [];
    return isSuccess ? [nameRecord(subject, lastSegment(path))] : undefined;
  }
  if (role.role !== 'list' || !isSuccess || isFiltered(role, query)) return undefined;
  const at = recordAt(role);
  const body = at === undefined ? undefined : readBody(answer);
  const records = body?.kind === 'json' ? followPointer(body.value, at ?? '') : undefined;
  if (!Array.isArray(records) || records.length > MOST_IN_LIST) return undefined;
  const { property } = subject.resource.key;
  const keys = records.flatMap((each: unknown) => readKey(followPointer(each, `/${property}`)));
  return keys.length === records.length ? keys.map((key) => nameRecord(subject, key)) : undefined;
}

/** Records that change by themselves leave and enter a filtered list. */
function isFiltered({ list, operation }: RoleOperation, query: string): boolean {
  const { paging } = list ?? {};
  const size = paging === undefined ? undefined : paging.kind === 'page' ? paging.size : paging.limit;
  const given = new URLSearchParams(query);
  return operation.parameters.some((each) => each.in === 'query' && each.name !== size && given.has(each.name));
}

function readCreated({ subject, role }: Asked, answer: Answered): string[] {
  if (answer.status < 200 || answer.status > 299) return [];
  const at = recordAt(role) ?? '';
  const body = readBody(answer);
  const value = body.kind === 'json' ? body.value : undefined;
  const [key] = readKey(followPointer(value, `${at}/${subject.resource.key.property}`));
  const shown = key ?? readLocationKey(answer.headers['location']);
  return shown === undefined ? [] : [nameRecord(subject, shown)];
}

/** The text of a key; none for what is no key. */
function readKey(value: unknown): string[] {
  const key = readPathKey(value);
  return key === undefined ? [] : [String(key)];
}

function noteBirths(
  born: Map<string, { at: number; isOwn: boolean }>,
  records: readonly string[],
  birth: { at: number; isOwn: boolean },
): void {
  for (const record of records) {
    if (!born.has(record) || (birth.isOwn && born.get(record)?.isOwn === false)) born.set(record, birth);
  }
}

function nameRecord({ name }: Subject, key: string): string {
  return `${name} ${key}`;
}

/** The key of a record as its path has it. */
export function lastSegment(path: string): string {
  const segment = path.replace(/\/+$/, '').split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

const MOST_BYTES = 2048;

function cutBody(answer: Answered): Answered {
  return answer.bytes.length <= MOST_BYTES ? answer : { ...answer, bytes: answer.bytes.slice(0, MOST_BYTES) };
}
