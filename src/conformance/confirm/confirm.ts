// The one place that asks again before a failure counts: the contract leaves open what a second request tells from a defect.
import { isNotFoundStatus, isRepeatable, isSuccess, followPointer, isOfField } from '../model/exchange.js';
import type {
  Answered,
  SentRequest,
  ShownInRequest,
  WireAnswer,
  WireRequest,
  AskedPage,
  Doubt,
  MoveDoubt,
  OwnDoubt,
  SwitchDoubt,
} from '../model/exchange.js';
import type { Contract } from '../../contract/contract.js';
import type { ExchangeResult, Finding } from '../model/result.js';
import { listRecords, type JsonObject, type Need } from '../checks/check.js';
import { NOTHING_KNOWN, bareStep, prepareRequest, splitTarget } from '../http/prepare-request.js';
import type { PrepareOptions, PreparedRequest } from '../http/prepare-request.js';
import { printChoice, printField, type RecordEntry, type RecordLedger, type Visited } from '../ledger/record-ledger.js';
import { interrupted, pause, type Reply, type Send } from '../http/send-politely.js';
import type { RoleOperation } from '../../contract/resources/resource.js';
import type { Step } from '../model/scenario.js';
import { readSubjects, recordAt, type Subject } from '../resources/resource-under-test.js';
import { asObject } from '../../contract/document/plain.js';
import { bindPages, readPage, turnPage } from '../resources/paging.js';
import { findAsked, readListed, readShown, withoutKey } from '../ledger/shown-records.js';
import { fitsStatus, quoteRejection } from '../checks/status.js';
import { isHiddenState, listStates, readLeftOut, stateOf } from '../resources/contract-texts.js';
import { isSameKey } from '../checks/expectations.js';
import { keyOfJson, parseJson, printJson, sameJson } from '../../contract/document/json.js';
import { limitOf } from '../../contract/gaps/gaps-of-contract.js';
import { listTemplateNames } from '../../contract/operations/match.js';
import { readJson } from '../http/read-response.js';
import { requiresTag } from '../../contract/operations/operations.js';

export type Confirmation = 'defect' | 'fine' | { needs: string };

export type Asking = { send: Send; prepareOptions: PrepareOptions; signal: AbortSignal };

export interface Confirming extends Asking {
  contract: Contract;
  ledger: RecordLedger;
  looks: ReturnType<typeof createLookBudget>;
  strict: boolean;
  outputs: ReadonlyMap<string, Record<string, unknown>>;
  note(text: string): void;
}

export type Doubtful = { finding: Finding; doubt: Doubt; sent: PreparedRequest };

type Open = { exchange: ExchangeResult; doubtful: readonly Doubtful[]; needs: Need[] };

/** Asks again where a choice may explain a finding, when waiting no longer helps: an explained finding is not a deviation. */
export async function settleDoubts(outcomes: readonly Open[], run: Confirming): Promise<void> {
  const looks = new Map<string, Confirmation>();
  let last: Confirmation = 'defect';
  for (const { exchange, doubtful, needs } of outcomes)
    for (const each of doubtful) {
      if (run.signal.aborted) return;
      const { doubt, finding, sent } = each;
      const key = `${doubt.kind} ${String(keyOfJson(doubt.id))} ${sent.wire.target}`;
      if (!looks.has(key) && looks.size < 6) {
        const question = `${doubt.kind} ${sent.sent.operation?.id ?? ''}`;
        const foreseen = run.looks.foresee(question);
        const confirm = (): Promise<Confirmation> => confirmDoubt(each, { ...run, send: run.looks.send });
        looks.set(key, foreseen ?? run.looks.conclude(question, await confirm()));
      }
      last = looks.get(key) ?? last;
      if (last === 'fine' && exchange.findings.includes(finding))
        exchange.findings.splice(exchange.findings.indexOf(finding), 1);
      if (typeof last === 'string') continue;
      needs.push({ needs: last.needs });
      finding.severity = 'information';
    }
}

async function confirmDoubt({ doubt, sent }: Doubtful, run: Confirming): Promise<Confirmation> {
  // Another address of the same record (RFC 9110 section 10.2.2) is fine while that record is still there.
  if (doubt.kind === 'address') {
    const { id, of, location } = doubt;
    const { pathname, search } = new URL(location, 'http://target');
    const fields = Object.entries(sent.wire.headers);
    const headers = Object.fromEntries(fields.filter(([name]) => !/^content-(?:type|length)$/i.test(name)));
    const answer = await run.send({ method: 'GET', target: `${pathname}${search}`, headers, body: undefined });
    if (answer.kind === 'unanswered' || !isNotFoundStatus(answer.status)) return 'fine';
    return (await confirmGone({ id, of }, run)) === 'defect' ? 'defect' : 'fine';
  }
  if (doubt.kind === 'state') return confirmState(sent, run);
  const isRead = sent.sent.method === 'GET';
  if (doubt.kind === 'move') return isRead ? confirmMove(doubt, sent.wire, run) : 'defect';
  if (doubt.kind === 'own') return isRead ? confirmOwn(doubt, sent.sent, run) : 'defect';
  let found = isRead && doubt.kind === 'gone' ? await confirmGone(doubt, run) : 'defect';
  const other = doubt.kind === 'gone' ? doubt.or : doubt.kind === 'switch' ? doubt : undefined;
  if (isRead && found === 'defect' && other !== undefined) found = await confirmSwitch(other, sent.wire, run);
  return found === 'defect' && doubt.id !== undefined ? confirmHidden(doubt.id, sent.sent, run) : found;
}

/** Sends again what failed on the server, if it may be sent twice; `failure` is that response if the second was served. */
export async function askTwice(reply: Reply, { sent, wire }: PreparedRequest, step: Step, run: Confirming) {
  const { answer } = reply;
  const isFailure = answer.kind === 'answered' && answer.status >= 500 && sent.operation !== undefined;
  if (!isFailure || reply.isShared || step.atOnce !== undefined || run.signal.aborted) return { reply };
  if (!isRepeatable(wire) && wire.method !== 'PATCH') return { reply };
  const question = `failure ${sent.operation?.id ?? ''}`;
  if (run.looks.foresee(question) !== undefined) return { reply };
  const sentAt = performance.now();
  const again = await run.looks.send(wire);
  if (again.kind === 'unanswered') return { reply };
  const { status } = again;
  const due = step.expect?.status;
  // What the first request has removed or changed is so: but for a read, such a response may be to the second alone.
  const isAfterFirst = wire.method !== 'GET' && (isNotFoundStatus(status) || status === 409 || status === 412);
  const isServed = (due !== undefined && fitsStatus(status, due)) || (status < 500 && !isAfterFirst);
  const once = { needs: 'a service that responds to equal requests in the same way' };
  run.looks.conclude(question, isServed ? once : 'defect');
  const settle = (): void => reply.settle(false);
  return isServed ? { reply: { ...reply, answer: again, sentAt, settle }, failure: answer } : { reply };
}

/** Tells a record that the service moved on (all views show it) from a view that is wrong: then they differ each time. */
export async function confirmMove(doubt: MoveDoubt, wire: WireRequest, run: Confirming): Promise<Confirmation> {
  const { id, field, expected } = doubt;
  const views = findViews(wire, { id, field }, run);
  const { learned } = run.ledger;
  if (views === undefined || !learned.keptChoices.has(printChoice(views.subject, field, expected))) return 'defect';
  const seen = { here: new Set<string>(), elsewhere: new Set<string>() };
  for (let round = 0; round < 3 && !run.signal.aborted; round++) {
    const isHereFirst = round % 2 === 0;
    const first = await (isHereFirst ? views.here : views.elsewhere)();
    const second = await (isHereFirst ? views.elsewhere : views.here)();
    if (first === undefined || second === undefined)
      return { needs: `a second response with the record, to compare \`${field}\` in` };
    const [here, elsewhere] = isHereFirst ? [first, second] : [second, first];
    seen.here.add(printJson(here[field] ?? null));
    seen.elsewhere.add(printJson(elsewhere[field] ?? null));
    // Or it moves faster than both can be read: each shows another state than before, and the run wrote nothing.
    const hasMoved = sameJson(first[field], second[field]) || (seen.here.size > 1 && seen.elsewhere.size > 1);
    if (hasMoved && run.strict) return 'defect';
    if (hasMoved) {
      learned.moving.add(printField(views.subject, field));
      const where = 'in lists and by their address alike';
      run.note(
        `records show another \`${field}\` than they were created with, ${where}; the contract does not rule that out`,
      );
      return 'fine';
    }
    await pause(50, run.signal);
  }
  return 'defect';
}

function findViews(wire: WireRequest, { id, field }: Pick<MoveDoubt, 'id' | 'field'>, run: Confirming) {
  const [path = ''] = splitTarget(wire, run.prepareOptions).rest.split('?');
  const match = run.contract.match(wire.method, path);
  const asked = match.kind === 'operation' ? findAsked(run.contract, { operation: match.operation }) : undefined;
  if (match.kind !== 'operation' || asked === undefined) return undefined;
  const { subject, role } = asked;
  const { get, list } = subject.roles;
  const other = role.role === 'get' ? list : get;
  if (other === undefined || (role.role !== 'get' && role.role !== 'list')) return undefined;
  const above = Object.entries(match.pathValues).slice(0, subject.resource.scope.length);
  const parameters: Record<string, unknown> = {
    ...Object.fromEntries(above.map(([name, value]) => [name, decodeURIComponent(value)])),
    ...(role.role === 'list' ? { [subject.resource.key.parameter]: id } : {}),
  };
  const find = (of: RoleOperation, answer: WireAnswer): JsonObject | undefined => {
    if (answer.kind === 'unanswered' || answer.status > 299) return undefined;
    return readShown({ subject, role: of }, readJson(answer)).find(({ key }) => isSameKey(key, id))?.record;
  };
  return {
    subject,
    here: async () => find(role, await run.send(wire)),
    elsewhere: async () => {
      for (const query of listPages(other, field, subject)) {
        const found = find(other, await askRole(other, parameters, run, { query }));
        if (found !== undefined) return found;
      }
      return undefined;
    },
  };
}

function listPages({ role, list }: RoleOperation, field: string, subject: Subject): JsonObject[] {
  if (role !== 'list') return [{}];
  const limit = limitOf(subject.roles);
  const longest = limit === undefined ? {} : { [limit.name]: limit.schema['maximum'] ?? 100 };
  const filter = list?.filters.find(({ property, relation }) => property.join('/') === field && relation === 'equals');
  const values = subject.fields.find(({ name }) => name === field)?.schema['enum'];
  if (filter === undefined || !Array.isArray(values)) return [longest];
  const chosen = (values as unknown[]).slice(0, 6);
  return [longest, ...chosen.map((value) => Object.assign({ [filter.parameter]: value }, longest))];
}

async function confirmOwn({ field, value }: OwnDoubt, sent: SentRequest, run: Confirming): Promise<Confirmation> {
  const subject = readSubjects(run.contract).find(({ roles }) => roles.get?.operation.id === sent.operation?.id);
  if (subject?.roles.get === undefined) return 'defect';
  const needs = `a service that does not set \`${field}\` to the sent value by itself`;
  if (run.ledger.learned.ownChoices.has(printChoice(subject, field, value))) return { needs };
  for (const file of ['records/create-full', 'records/create']) {
    const key = run.outputs.get(`${subject.name}/${file}`)?.['key'];
    const fetched = key === undefined ? undefined : await fetchRecord(key, sent.path, subject, run);
    if (fetched !== undefined && sameJson(fetched.record[field], value)) return { needs };
  }
  return 'defect';
}

async function fetchRecord(key: unknown, path: SentRequest['path'], subject: Subject, run: Confirming) {
  const { get } = subject.roles;
  if (get === undefined) return undefined;
  const answer = await askRole(get, { ...withoutKey(path, subject), [subject.resource.key.parameter]: key }, run);
  const body = readJson(answer);
  if (answer.kind === 'unanswered' || body === undefined) return undefined;
  return { status: answer.status, record: asObject(followPointer(body, recordAt(get) ?? '')) };
}

async function confirmSwitch(doubt: SwitchDoubt, wire: WireRequest, run: Confirming): Promise<Confirmation> {
  const { id, hidden, keyProperty } = doubt;
  const hasMore = (list: readonly JsonObject[], other: readonly JsonObject[]): boolean =>
    list.some((record) => !other.some((each) => isSameKey(each[keyProperty], record[keyProperty])));
  for (const each of doubt.switches.slice(0, 3)) {
    const { parameter, field, usual } = each;
    const open = { needs: `a list whose parameters only select records: ${parameter} adds records, or shows a field` };
    const plain = await readListWith(parameter, undefined, doubt, wire, run);
    if (plain === undefined) continue;
    const isNone = field !== undefined && usual !== undefined && plain.some((record) => isOther(record, field, usual));
    if (isNone && id === undefined && hidden === undefined) return open;
    for (const value of each.values) {
      const shown = await readListWith(parameter, value, doubt, wire, run);
      if (shown === undefined) continue;
      if (isExplained(doubt, field, { plain, shown, value })) return open;
      if (id === undefined || field !== undefined || !hasMore(shown, plain)) continue;
      const now = await readListWith(parameter, undefined, doubt, wire, run);
      if (now !== undefined && hasMore(shown, [...plain, ...now])) return open;
    }
  }
  return 'defect';
}

type Lists = Record<'plain' | 'shown', readonly JsonObject[]> & { value: unknown };

function isExplained({ id, hidden, keyProperty }: SwitchDoubt, field: string | undefined, lists: Lists): boolean {
  const { plain, shown, value } = lists;
  if (hidden !== undefined) return shown.some((record) => record[hidden] !== undefined);
  const has = (list: readonly JsonObject[]): boolean =>
    field !== undefined && list.some((record) => sameJson(record[field], value));
  const adds = has(shown) && !has(plain);
  if (id !== undefined) return adds || shown.some((record) => isSameKey(record[keyProperty], id));
  return adds && field !== undefined && shown.some((record) => isOther(record, field, value));
}

function isOther(record: JsonObject, field: string, value: unknown): boolean {
  return record[field] !== undefined && !sameJson(record[field], value);
}

async function readListWith(parameter: string, value: unknown, doubt: SwitchDoubt, wire: WireRequest, run: Confirming) {
  const { turns, at } = doubt;
  const [path = '', query] = wire.target.split('?');
  const asked = new URLSearchParams(query);
  if (turns !== undefined) asked.delete(turns);
  asked.delete(parameter);
  if (value !== undefined) asked.set(parameter, typeof value === 'string' ? value : printJson(value));
  const target = asked.size === 0 ? path : `${path}?${asked.toString()}`;
  const { shown, withGiven, ...rest } = wire;
  const there = <T extends Pick<ShownInRequest, 'show'>>(each: T): T => ({
    ...each,
    show: (values) => ({ ...each.show(values), target }),
  });
  const request: WireRequest = { ...rest, target };
  if (shown !== undefined) request.shown = there(shown);
  if (withGiven !== undefined) request.withGiven = { ...there(withGiven), alone: withGiven.alone.map(there) };
  const answer = await run.send(request);
  if (answer.kind === 'unanswered' || !isSuccess(answer.status)) return undefined;
  const body = readJson(answer);
  return body === undefined ? undefined : listRecords(followPointer(body, at));
}

async function confirmGone({ id, of }: { id: unknown; of: string }, run: Confirming): Promise<Confirmation> {
  const subject = readSubjects(run.contract).find(({ name }) => name === of);
  const needs = 'a service that stores created records, and returns them';
  if (subject?.roles.get === undefined) return { needs };
  const answer = await askRole(subject.roles.get, { [subject.resource.key.parameter]: id }, run);
  return answer.kind === 'answered' && isSuccess(answer.status) ? 'defect' : { needs };
}

/** DELETE -> 409 "the van is active", and again: inconclusive. PUT -> 422, an equal PUT with other texts -> 200: a defect. */
async function confirmState({ sent, wire }: PreparedRequest, run: Confirming): Promise<Confirmation> {
  const written = Buffer.from(wire.body ?? []).toString('utf8');
  const { texts } = run.ledger;
  const body = texts.list(written).reduce((text, each) => text.replaceAll(each, texts.nextName()), written);
  const read = parseJson(body);
  const sentAt = performance.now();
  const answer = await run.send(wire.body === undefined ? wire : { ...wire, body: Buffer.from(body) });
  const needs = `a record whose state allows ${sent.operation?.id ?? sent.method}`;
  if (answer.kind === 'unanswered') return { needs };
  const { status, bytes, headers } = answer;
  const json = sent.json === undefined || !read.ok ? sent.json : read.value;
  const shown = { status, bytes, value: readJson(answer), location: headers['location'], sentAt };
  run.ledger.noteEffect({ ...sent, json }, shown);
  if (isSuccess(status) || status >= 500) return 'defect';
  const said = quoteRejection(Buffer.from(bytes).toString('utf8'));
  const saying = said === '' ? '' : `; it says ${said}`;
  return { needs: `${needs}: it returns ${status}, as the contract documents${saying}` };
}

/** `state: draft` is in no list, `state: public` is, and GET shows the draft: it is not lost. */
async function confirmHidden(id: unknown, { operation, path }: SentRequest, run: Confirming): Promise<Confirmation> {
  const subject = readSubjects(run.contract).find(({ roles }) => roles.list?.operation.id === operation?.id);
  const fetched = subject === undefined ? undefined : await fetchRecord(id, path, subject, run);
  if (subject === undefined || fetched === undefined || fetched.status > 299) return 'defect';
  const { record } = fetched;
  const said = readLeftOut(subject, run.contract);
  const states = new Set(listStates(run.contract)(subject));
  const isNew = (name: string): boolean => {
    const state = stateOf(name, record[name]);
    return state !== undefined && !run.ledger.hasListed(subject, state);
  };
  const found = Object.keys(record).find(
    (name) => isNew(name) && (isHiddenState(name, record[name]) || (said.fields.has(name) && states.has(name))),
  );
  const needs = 'a list that omits no record';
  if (found !== undefined)
    return { needs: `${needs}: it has shown none with ${stateOf(found, record[found]) ?? found}` };
  if (!said.ofList) return 'defect';
  const own = Object.keys(record).filter((name) => states.has(name));
  const isOfState = own.length === 0 ? !run.ledger.hasListed(subject, undefined) : own.some(isNew);
  return isOfState ? { needs: `${needs}: the contract says that this one does` } : 'defect';
}

export const MOST_LOOK_REQUESTS = 250;

export function createLookBudget(send: Send) {
  const usedUp = `fewer failures to confirm: a run sends at most ${MOST_LOOK_REQUESTS} requests to confirm failures`;
  let sent = 0;
  const alike = new Map<string, number>();
  return {
    send: async (request: WireRequest): Promise<WireAnswer> => {
      if (sent >= MOST_LOOK_REQUESTS) return interrupted('the limit of confirming requests is reached');
      sent += 1;
      return send(request);
    },
    foresee(question: string): Confirmation | undefined {
      if ((alike.get(question) ?? 0) >= 6) return 'defect';
      return sent >= MOST_LOOK_REQUESTS ? { needs: usedUp } : undefined;
    },
    conclude(question: string, found: Confirmation): Confirmation {
      if (sent >= MOST_LOOK_REQUESTS) return { needs: usedUp };
      alike.set(question, found === 'defect' ? (alike.get(question) ?? 0) + 1 : Number.NEGATIVE_INFINITY);
      return found;
    },
  };
}

type More = { headers?: Readonly<Record<string, string>>; query?: JsonObject };

export function askRole(role: RoleOperation, parameters: JsonObject, asking: Asking, more?: More): Promise<WireAnswer> {
  return asking.send(prepareRole(role, parameters, asking.prepareOptions, more));
}

function prepareRole(role: RoleOperation, parameters: JsonObject, options: PrepareOptions, more: More = {}) {
  const { id, path } = role.operation;
  const values = Object.values(parameters);
  const valueOf = (name: string, at: number): unknown =>
    Object.hasOwn(parameters, name) ? parameters[name] : values[at];
  const inPath = listTemplateNames(path).map((name, at) => [name, valueOf(name, at)]);
  const asked = { parameters: { ...Object.fromEntries(inPath), ...more.query }, headers: more.headers };
  return prepareRequest(bareStep({ id: 'cleanup', operationId: id, ...asked }), NOTHING_KNOWN, options).wire;
}

/** The version of a record, where its removal must say which one is meant (RFC 9110 section 13.1.1). */
export async function readTag({ subject, parameters }: RecordEntry, asking: Asking) {
  const { get, remove } = subject.roles;
  if (get === undefined || remove === undefined || !requiresTag(remove.operation)) return {};
  const answer = await askRole(get, parameters, asking);
  const tag = answer.kind === 'answered' ? answer.headers['etag'] : undefined;
  return tag === undefined ? {} : { headers: { 'If-Match': tag } };
}

export interface ReadList {
  listed: { entry: RecordEntry; record: object }[];
  isWhole: boolean;
  page: { wire: WireRequest; answer: Answered } | undefined;
}

export async function readList({ subject, scope }: Visited, run: Asking & { ledger: RecordLedger }): Promise<ReadList> {
  const { send, prepareOptions, signal, ledger } = run;
  const read: ReadList = { listed: [], isWhole: false, page: undefined };
  const { list } = subject.roles;
  if (list === undefined) return read;
  const { walk, parameters } = bindPages(subject, { atMost: 10 }, prepareOptions.contract);
  let before: readonly unknown[] = [];
  let lastLength: number | undefined;
  let turn: unknown = null;
  for (let number = 1; number <= walk.atMost && turn !== undefined && !signal.aborted; number++) {
    const page: AskedPage = { turn, before, lastLength, isLast: number === walk.atMost, walk };
    const turning = walk.parameter === undefined ? {} : { [walk.parameter]: turn };
    const wire = prepareRole(list, scope, prepareOptions, { query: { ...parameters, ...turning } });
    const answer = await send(wire);
    if (answer.kind === 'unanswered') return read;
    read.page ??= { wire, answer };
    const shown = { ...answer, body: readJson(answer) };
    const found = readPage(shown, page, 0);
    if (found === undefined) return read;
    for (const { record, key } of readListed(subject, shown.body))
      read.listed.push({ entry: ledger.entryBelow(subject, scope, key), record });
    read.isWhole = found.isLast;
    turn = turnPage(shown, page);
    before = before.concat(found.records);
    lastLength = found.records.length;
  }
  return read;
}

const MOST_MS = 10_000;

export type Patience = ReturnType<typeof createPatience>;

/** How many ms a run waits for late changes: the most at first, then twice what was needed, unless that is given. */
export function createPatience(givenMs: number | undefined) {
  let longest = 0;
  let lastChance: number | undefined;
  const mayNeedMs = (): number => givenMs ?? Math.min(Math.max(2000, 2 * longest), MOST_MS);
  return {
    allows(since: number, pauseMs: number): boolean {
      const next = performance.now() + pauseMs;
      if (next < since + mayNeedMs()) return true;
      if (givenMs !== undefined) return false;
      lastChance ??= since + MOST_MS;
      return next < lastChance;
    },
    mayNeed: (since: number, pauseMs: number): boolean =>
      performance.now() + pauseMs < since + Math.min(2 * longest, givenMs ?? MOST_MS),
    mayNeedMs,
    settled: (ms: number): void => void (longest = Math.max(longest, ms)),
  };
}

type Outcome = { exchange: Pick<ExchangeResult, 'operationId' | 'findings'>; unmet: unknown };

export function createInVain() {
  const counts = new Map<string, number>();
  return {
    isHopeless(outcomes: readonly Outcome[]): boolean {
      const signs = outcomes.map(listSigns);
      const isInVain = (sign: string): boolean => (counts.get(sign) ?? 0) >= 3;
      return signs.flat().length > 0 && signs.every((each) => each?.every(isInVain) === true);
    },
    stayed(outcomes: readonly Outcome[]): void {
      for (const sign of new Set(outcomes.flatMap((outcome) => listSigns(outcome) ?? [])))
        counts.set(sign, (counts.get(sign) ?? 0) + 1);
    },
    settled: (): void => counts.clear(),
  };
}

function listSigns({ exchange: { operationId = '', findings }, unmet }: Outcome): string[] | undefined {
  const isOfValue = ({ check, rule }: Finding): boolean =>
    ['record', 'records', 'own-records'].includes(check) && (isOfField(rule) || rule === 'filter');
  if (unmet !== undefined || !findings.every(isOfValue)) return undefined;
  return findings.map(({ rule, at }) => `${operationId} ${rule} ${at.replaceAll(/\/\d+(?=\/|$)/g, '/*')}`);
}
