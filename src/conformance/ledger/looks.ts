// What each look at a record or a list showed, and which looks lack what equal requests showed before and after. Retries and
// confirmations count like any other request, so that a look that disagrees with others is not lost when the next one succeeds.
import { groupBy } from '../../contract/document/plain.js';
import { followPointer, readPathKey } from '../model/records.js';
import { isReading, isSuccess, saysAbsent, type Answered, type WireRequest } from '../model/exchange.js';
import { recordAt } from '../resources/resource-under-test.js';
import { readSegment, readBody } from '../http/read-response.js';
import { nameRequest, type Send } from '../http/send-politely.js';
import { splitTarget, type PrepareOptions } from '../http/prepare-request.js';
import { type Look, type RecordEntry, type Span, readCreatedKey, type RecordLedger } from './record-ledger.js';
import { findAsked, isFiltered, type AskedOf } from './shown-records.js';

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
    if (asked !== undefined && role === 'create') noteCreated(asked, values, answer, span.answeredAt, ledger);
    return;
  }
  if (wire.shown?.isValid === false) return;
  if (asked === undefined || wire.method !== 'GET' || ledger.looks.length >= MOST_LOOKS) return;
  const shows = readLook(asked, values, query, answer, ledger);
  if (shows === undefined) return;
  for (const entry of shows) {
    if (role === 'list') ledger.noteShown(entry);
    else entry.foundAt ??= span.answeredAt;
  }
  ledger.looks.push({
    operationId: asked.role.operation.id,
    kind: role === 'get' ? 'record' : 'list',
    wire,
    request: nameRequest(wire),
    path,
    of: role === 'get' ? entryAt(asked, values, ledger) : path,
    shows,
    answer: answer.bytes.length <= MOST_BYTES ? answer : { ...answer, bytes: answer.bytes.slice(0, MOST_BYTES) },
    ...span,
  });
}

type Values = Readonly<Record<string, string>>;

function entryAt({ subject }: AskedOf, values: Values, ledger: RecordLedger): RecordEntry {
  return ledger.entryOf(subject, values, Object.values(values).at(-1) ?? '');
}

function noteCreated({ subject, role }: AskedOf, values: Values, answer: Answered, at: number, ledger: RecordLedger) {
  if (!isSuccess(answer.status)) return;
  const body = readBody(answer);
  const value = body.kind === 'json' ? body.value : undefined;
  const sent = { operation: role.operation, path: values, json: undefined };
  const key = readCreatedKey(subject, sent, { value, location: answer.headers['location'] });
  if (key !== undefined)
    ledger.entryOf(subject, { ...values, [subject.resource.key.parameter]: key }, key).createdAt ??= at;
}

function readLook(asked: AskedOf, values: Values, query: string, answer: Answered, ledger: RecordLedger) {
  const { subject, role } = asked;
  const isWhole = isSuccess(answer.status) && answer.cutOff === undefined;
  if (role.role === 'get') {
    if (saysAbsent(answer.status)) return [];
    return isWhole ? [entryAt(asked, values, ledger)] : undefined;
  }
  const asks = new URLSearchParams(query);
  const declared = role.operation.parameters.filter((each) => each.in === 'query' && asks.has(each.name));
  const names = declared.map(({ name }) => name);
  if (role.role !== 'list' || !isWhole || isFiltered(role, names)) return undefined;
  const at = recordAt(role);
  const body = at === undefined ? undefined : readBody(answer);
  const records = body?.kind === 'json' ? followPointer(body.value, at ?? '') : undefined;
  if (!Array.isArray(records) || records.length > MOST_IN_LIST) return undefined;
  const { property, parameter } = subject.resource.key;
  const keys = records.flatMap((each: unknown) => readPathKey(followPointer(each, `/${property}`)) ?? []);
  if (keys.length !== records.length) return undefined;
  return keys.map((key) => ledger.entryOf(subject, { ...values, [parameter]: key }, key));
}

export interface Unsteady {
  operationId: string;
  kind: Look['kind'];
  /** Those that lack what was there. */
  wrong: readonly Look[];
  /** Those of them that no delay explains. */
  firm: readonly Look[];
  /** How many looks were at what was there. */
  of: number;
}

type Facts = Pick<RecordLedger, 'looks' | 'touches'>;

/**
 * What was there before and after, and not in between. A record may be late, on one replica or on all, for as long as a
 * target needs after its creation (`settledMs`); nothing states how soon it has to be seen. One that was seen, was not
 * deleted, and is missing after that time is there only now and then. Records of others may be deleted at any time, and
 * so count only if they are seen again by the very same request.
 */
export function findUnsteady(facts: Facts, settledMs: number): Unsteady[] {
  return [...groupBy(facts.looks, ({ operationId }) => operationId)].flatMap(([operationId, looks]) => {
    const { kind } = looks[0] as Look;
    const find = kind === 'record' ? findUnsteadyFetches : findUnsteadyLists;
    const groups = [...groupBy(looks, ({ request }) => request).values()];
    const inTime = (one: Look, other: Look): number => one.sentAt - other.sentAt;
    const found = groups.map((group) => find(group.toSorted(inTime), facts, settledMs));
    const wrong = found.flatMap((each) => each.wrong);
    if (wrong.length === 0) return [];
    const isCut = found.some((each) => each.isCut === true);
    const isMixed = found.some((each) => each.isMixed === true);
    const isFirm = ({ shows }: Look): boolean => kind === 'record' || (!isMixed && (!isCut || shows.length > 0));
    const firm = found.flatMap((each) => each.firm.filter(isFirm));
    return [{ operationId, kind, wrong, firm, of: found.reduce((sum, each) => sum + each.of, 0) }];
  });
}

interface Found extends Pick<Unsteady, 'wrong' | 'firm' | 'of'> {
  isCut?: boolean;
  isMixed?: boolean;
}

/** When a record was there first: created by the run, else shown or found. */
export function bornAt({ of }: Look): number | undefined {
  return typeof of === 'string' ? undefined : firstAt(of);
}

function firstAt({ createdAt, shownAt, foundAt }: RecordEntry): number | undefined {
  return createdAt ?? (shownAt === undefined ? foundAt : Math.min(shownAt, foundAt ?? shownAt));
}

function findUnsteadyFetches(group: readonly Look[], { touches }: Facts, settledMs: number): Found {
  const wrong: Look[] = [];
  const firm: Look[] = [];
  const [first] = group;
  const birth = first === undefined ? undefined : bornAt(first);
  for (const look of group) {
    if (birth === undefined || look.shows.length > 0 || look.sentAt < birth) continue;
    const before = group.findLast((each) => each.answeredAt <= look.sentAt && each.shows.length > 0);
    const after = group.find((each) => each.sentAt >= look.answeredAt && each.shows.length > 0);
    const since = before?.answeredAt ?? birth;
    if (after === undefined) continue;
    const isTouched = touches.some(
      ({ path, sentAt, answeredAt }) => answeredAt >= since && sentAt <= after.sentAt && isWithin(look.path, path),
    );
    if (isTouched) continue;
    wrong.push(look);
    if (before !== undefined && look.sentAt - birth > settledMs) firm.push(look);
  }
  return { wrong, firm, of: group.filter(({ shows }) => shows.length > 0).length + wrong.length };
}

export const SEVERAL = 3;

function findUnsteadyLists(group: readonly Look[], { touches }: Facts, settledMs: number): Found {
  const longest = Math.max(...group.map(({ shows }) => shows.length));
  const touched = new Set(touches.flatMap(({ path }) => path.split('/').map(readSegment)));
  const isMixed = group.some((look, index) => index > 0 && !isInOrder(look, group[index - 1] as Look));
  const found: Found & { wrong: Look[]; firm: Look[] } = { wrong: [], firm: [], of: group.length, isMixed };
  for (const look of group) {
    if (look.shows.length >= longest) continue;
    const has = new Set(look.shows);
    const isMore = ({ shows }: Look): boolean => shows.some((each) => !has.has(each));
    const before = group.findLast((each) => each.answeredAt <= look.sentAt && isMore(each));
    const after = group.find((each) => each.sentAt >= look.answeredAt && isMore(each));
    if (before === undefined || after === undefined) continue;
    const again = new Set(after.shows);
    const lacks = before.shows.filter((each) => again.has(each) && !has.has(each) && !touched.has(String(each.id.key)));
    if (lacks.length === 0) continue;
    if (!isHole(look, lacks, [before, after])) {
      found.isCut = true;
      continue;
    }
    found.wrong.push(look);
    const isOld = (each: RecordEntry): boolean => look.sentAt - (firstAt(each) ?? 0) > settledMs;
    const others = lacks.filter(({ createdAt }) => createdAt === undefined);
    if (others.length >= SEVERAL || lacks.some(isOld)) found.firm.push(look);
  }
  return found;
}

function isHole({ shows }: Look, lacks: readonly RecordEntry[], others: readonly Look[]): boolean {
  if (shows.length === 0) return true;
  const has = new Set(shows);
  return lacks.some((lacked) =>
    others.every((other) => other.shows.slice(other.shows.indexOf(lacked) + 1).some((each) => has.has(each))),
  );
}

function isInOrder({ shows: one }: Look, { shows: other }: Look): boolean {
  const [inOne, inOther] = [new Set(one), new Set(other)];
  const common = other.filter((each) => inOne.has(each));
  return one.filter((each) => inOther.has(each)).every((each, index) => each === common[index]);
}

export function isWithin(path: string, other: string): boolean {
  return `${path}/`.startsWith(`${other}/`) || other.startsWith(`${path}/`);
}
