// Choices that look like defects: what the contract leaves open, a second request tells from what it rules out.
import { parseJson, printJson } from '../../contract/document/json.js';
import { asObject } from '../../contract/document/plain.js';
import { sameJson } from '../../contract/document/same-json.js';
import { limitOf } from '../../contract/gaps/parts.js';
import type { RoleOperation } from '../../contract/resources/resource.js';
import { isSameKey } from '../judge/record-like.js';
import { isRecord } from '../judge/shown.js';
import { printChoice, printField } from '../ledger/record-ledger.js';
import { findAsked, readShown, withoutKey } from '../ledger/shown-records.js';
import type { MoveDoubt, OwnDoubt, Switch, SwitchDoubt } from '../model/doubt.js';
import { followPointer } from '../model/follow-pointer.js';
import type { SentRequest } from '../model/sent-request.js';
import { isOfAbsence, isSuccess, type ShownInRequest, type WireAnswer, type WireRequest } from '../model/wire.js';
import { isHiddenState, listStates, readLeftOut, stateOf } from '../subjects/hidden.js';
import { readSubjects, recordAt, type Subject } from '../subjects/subject.js';
import { readBody } from '../wire/http/read-body.js';
import { pause } from '../wire/http/send-politely.js';
import { splitTarget, type PreparedRequest } from '../wire/request/prepare-request.js';
import { quoteRefusal } from '../judge/read-refusal.js';
import { askRole } from './ask-role.js';
import type { Confirming, Confirmation } from './budget.js';

type Shown = Readonly<Record<string, unknown>>;

const ROUNDS = 3;
const PAUSE_MS = 50;

/**
 * Distinguishes a record whose state the service has moved on from one that an operation shows in a state which it is not in:
 * the list and the record's own address then show different ones, however often they are asked. A state in which no record of
 * the run was ever seen was not kept.
 */
export async function judgeMove(
  { id, field, expected }: MoveDoubt,
  wire: WireRequest,
  run: Confirming,
): Promise<Confirmation> {
  const views = findViews(wire, { id, field }, run);
  if (views === undefined || !run.ledger.learned.keptChoices.has(printChoice(views.subject, field, expected)))
    return 'defect';
  const seen = { here: new Set<string>(), elsewhere: new Set<string>() };
  for (let round = 0; round < ROUNDS && !run.signal.aborted; round++) {
    const isHereFirst = round % 2 === 0;
    const first = await (isHereFirst ? views.here : views.elsewhere)();
    const second = await (isHereFirst ? views.elsewhere : views.here)();
    if (first === undefined || second === undefined)
      return {
        needs: `a second response with the record, to compare \`${field}\` in`,
      };
    if (sameJson(first[field], second[field])) return noteMoved(field, views.subject, run);
    const [here, elsewhere] = isHereFirst ? [first, second] : [second, first];
    seen.here.add(printJson(here[field] ?? null));
    seen.elsewhere.add(printJson(elsewhere[field] ?? null));
    // It moves faster than both can be read: each shows another state than before, and the run wrote nothing.
    if (seen.here.size > 1 && seen.elsewhere.size > 1) return noteMoved(field, views.subject, run);
    await pause(PAUSE_MS, run.signal);
  }
  return 'defect';
}

/** What the contract does not rule out is no deviation. */
function noteMoved(field: string, subject: Subject, run: Confirming): Confirmation {
  if (run.strict) return 'defect';
  run.ledger.learned.moving.add(printField(subject, field));
  run.note(
    `records show another \`${field}\` than they were created with, in lists and by their address alike; the contract does not rule that out`,
  );
  return 'fine';
}

interface Views {
  subject: Subject;
  here: () => Promise<Shown | undefined>;
  elsewhere: () => Promise<Shown | undefined>;
}

/** The request that is in doubt, and the other way to see the record; `undefined` where there is but one. */
function findViews(
  wire: WireRequest,
  { id, field }: Pick<MoveDoubt, 'id' | 'field'>,
  run: Confirming,
): Views | undefined {
  const [path = ''] = splitTarget(wire, run.prepareOptions).rest.split('?');
  const match = run.contract.match(wire.method, path);
  const asked = match.kind === 'operation' ? findAsked(run.contract, { operation: match.operation }) : undefined;
  if (match.kind !== 'operation' || asked === undefined) return undefined;
  const { subject, role } = asked;
  const { get, list } = subject.roles;
  const other = role.role === 'get' ? list : get;
  if (other === undefined || (role.role !== 'get' && role.role !== 'list')) return undefined;
  const scope = Object.entries(match.pathValues).slice(0, subject.resource.scope.length);
  const key = role.role === 'list' ? [[subject.resource.key.parameter, id] as const] : [];
  const parameters = Object.fromEntries([
    ...scope.map(([name, value]) => [name, decodeURIComponent(value)] as const),
    ...key,
  ]);
  return {
    subject,
    here: async () => find(role, await run.send(wire), { subject, id }),
    elsewhere: async () => {
      for (const query of listPages(other, field, subject)) {
        const found = find(other, await askRole(other, parameters, run, { query }), { subject, id });
        if (found !== undefined) return found;
      }
      return undefined;
    },
  };
}

/** The longest page, and the longest of each value of the field: of more records than one page has, it may show only some. */
function listPages(role: RoleOperation, field: string, subject: Subject): Readonly<Record<string, unknown>>[] {
  if (role.role !== 'list') return [{}];
  const limit = limitOf(subject.roles);
  const longest = limit === undefined ? {} : { [limit.name]: limit.schema['maximum'] ?? LONG_PAGE };
  const filter = role.list?.filters.find(
    ({ property, relation }) => property.join('/') === field && relation === 'equals',
  );
  const values = subject.fields.find(({ name }) => name === field)?.schema['enum'];
  const chosen = filter === undefined || !Array.isArray(values) ? [] : (values as unknown[]);
  return [
    longest,
    ...chosen.slice(0, MOST_VALUES).map((value) => Object.assign({ [filter?.parameter ?? '']: value }, longest)),
  ];
}

const LONG_PAGE = 100;

/** Of a longer list of values, a record in doubt has one of the first. */
const MOST_VALUES = 6;

function find(
  role: RoleOperation,
  answer: WireAnswer,
  { subject, id }: { subject: Subject; id: unknown },
): Shown | undefined {
  if (answer.kind === 'unanswered' || answer.status > 299) return undefined;
  const body = readBody(answer);
  if (body.kind !== 'json') return undefined;
  return readShown({ subject, role }, body.value).find(({ key }) => isSameKey(key, id))?.record;
}

/** Scenarios that create records without a word of what only the service decides, before all others. */
const PLAIN = ['records/create-full', 'records/create'];

/**
 * Distinguishes a read-only value that a client made from one that a service comes to by itself: then it is that of a record, too, for
 * which nobody sent it, and which is older.
 */
export async function judgeOwn(
  { field, value }: OwnDoubt,
  { operation, path }: SentRequest,
  run: Confirming,
): Promise<Confirmation> {
  const subject = readSubjects(run.contract).find(({ roles }) => roles.get?.operation.id === operation?.id);
  const get = subject?.roles.get;
  if (subject === undefined || get === undefined) return 'defect';
  const needs = `a service that does not set \`${field}\` to the sent value by itself`;
  if (run.ledger.learned.ownChoices.has(printChoice(subject, field, value))) return { needs };
  for (const file of PLAIN) {
    const key = run.outputs.get(`${subject.name}/${file}`)?.['key'];
    if (key === undefined) continue;
    const parameters = { ...withoutKey(path, subject), [subject.resource.key.parameter]: key };
    const body = readBody(await askRole(get, parameters, run));
    const record = body.kind === 'json' ? asObject(followPointer(body.value, recordAt(get) ?? '')) : {};
    if (sameJson(record[field], value)) return { needs };
  }
  return 'defect';
}

/** Further parameters are not tried. */
const MOST_SWITCHES = 3;

/**
 * Distinguishes a list that lacks records, or has others than it should, from one with a parameter that adds records or
 * shows a field: what it does is seen where it is left out, and where it has another value.
 */
export async function judgeSwitch(doubt: SwitchDoubt, wire: WireRequest, run: Confirming): Promise<Confirmation> {
  for (const each of doubt.switches.slice(0, MOST_SWITCHES)) {
    const plain = await readList(each.parameter, undefined, { doubt, wire }, run);
    if (plain === undefined) continue;
    const { field, usual } = each;
    const isNone = field !== undefined && usual !== undefined && plain.some((record) => isOther(record, field, usual));
    // The contract says what a list without the parameter has: so it is none that chooses by the field.
    if (isNone && doubt.id === undefined && doubt.hidden === undefined) return leavesOpen(each);
    for (const value of each.values) {
      const shown = await readList(each.parameter, value, { doubt, wire }, run);
      if (shown === undefined) continue;
      if (isExplained(doubt, each, { plain, shown, value })) return leavesOpen(each);
      if (doubt.id === undefined || field !== undefined || !hasMore(shown, plain, doubt)) continue;
      // What others created meanwhile is in the list by now.
      const now = await readList(each.parameter, undefined, { doubt, wire }, run);
      if (now !== undefined && hasMore(shown, [...plain, ...now], doubt)) return leavesOpen(each);
    }
  }
  return 'defect';
}

function leavesOpen({ parameter }: Switch): Confirmation {
  return { needs: `a list whose parameters only select records: ${parameter} adds records, or shows a field` };
}

function isExplained(
  { id, hidden, keyProperty }: SwitchDoubt,
  { field }: Switch,
  { plain, shown, value }: { plain: readonly Shown[]; shown: readonly Shown[]; value: unknown },
): boolean {
  if (hidden !== undefined) return shown.some((record) => record[hidden] !== undefined);
  const adds =
    field !== undefined &&
    shown.some((record) => sameJson(record[field], value)) &&
    !plain.some((record) => sameJson(record[field], value));
  if (id !== undefined) return adds || shown.some((record) => isSameKey(record[keyProperty], id));
  return adds && field !== undefined && shown.some((record) => isOther(record, field, value));
}

/** Whether one list has a record that the other has not. */
function hasMore(list: readonly Shown[], other: readonly Shown[], { keyProperty }: SwitchDoubt): boolean {
  return list.some((record) => !other.some((each) => isSameKey(each[keyProperty], record[keyProperty])));
}

function isOther(record: Shown, field: string, value: unknown): boolean {
  return record[field] !== undefined && !sameJson(record[field], value);
}

/** The first page of the list, with a parameter as it is wanted. */
async function readList(
  parameter: string,
  value: unknown,
  { doubt, wire }: { doubt: SwitchDoubt; wire: WireRequest },
  run: Confirming,
): Promise<Shown[] | undefined> {
  const [path = '', query] = wire.target.split('?');
  const asked = new URLSearchParams(query);
  if (doubt.turns !== undefined) asked.delete(doubt.turns);
  asked.delete(parameter);
  if (value !== undefined) asked.set(parameter, typeof value === 'string' ? value : printJson(value));
  const text = asked.toString();
  const body = await readAgain(askAt(text === '' ? path : `${path}?${text}`, wire), run);
  const list = followPointer(body, doubt.at);
  return Array.isArray(list) ? list.filter(isRecord) : undefined;
}

/** The request at another target, also where its credentials are shown anew. */
function askAt(target: string, { shown, withGiven, ...wire }: WireRequest): WireRequest {
  const there = <T extends Pick<ShownInRequest, 'show'>>(each: T): T => ({
    ...each,
    show: (values) => ({ ...each.show(values), target }),
  });
  return {
    ...wire,
    target,
    ...(shown === undefined ? {} : { shown: there(shown) }),
    ...(withGiven === undefined
      ? {}
      : { withGiven: { ...there(withGiven), alone: withGiven.alone.map((each) => there(each)) } }),
  };
}

/** The body of a success; `undefined` for every other answer. */
async function readAgain(wire: WireRequest, run: Confirming): Promise<unknown> {
  const answer = await run.send(wire);
  if (answer.kind === 'unanswered' || !isSuccess(answer.status)) return undefined;
  const body = readBody(answer);
  return body.kind === 'json' ? body.value : undefined;
}

/** Distinguishes a list that leaves out a record from a service that keeps none for long: then the record is nowhere. */
export async function judgeGone({ id, of }: { id: unknown; of: string }, run: Confirming): Promise<Confirmation> {
  const subject = readSubjects(run.contract).find(({ name }) => name === of);
  const needs = 'a service that stores created records, and returns them';
  if (subject?.roles.get === undefined) return { needs };
  const answer = await askRole(subject.roles.get, { [subject.resource.key.parameter]: id }, run);
  const isThere = answer.kind === 'answered' && answer.status >= 200 && answer.status < 300;
  return isThere ? 'defect' : { needs };
}

/**
 * Distinguishes a change that the record's state does not allow from one that is refused without a reason: then an equal one is
 * served, which has other texts of the run's own.
 *
 * @example DELETE -> 409 "the van is active", and again: inconclusive. PUT -> 422, an equal PUT -> 200: a defect.
 */
export async function judgeState({ sent, wire }: PreparedRequest, run: Confirming): Promise<Confirmation> {
  const written = Buffer.from(wire.body ?? []).toString('utf8');
  const { texts } = run.ledger;
  const body = texts.list(written).reduce((text, each) => text.replaceAll(each, texts.nextName()), written);
  const read = parseJson(body);
  const sentAt = performance.now();
  const answer = await run.send(wire.body === undefined ? wire : { ...wire, body: Buffer.from(body) });
  const needs = `a record whose state allows ${sent.operation?.id ?? sent.method}`;
  if (answer.kind === 'unanswered') return { needs };
  const { status, bytes, headers } = answer;
  const shown = readBody(answer);
  const value = shown.kind === 'json' ? shown.value : undefined;
  const json = sent.json === undefined || !read.ok ? sent.json : read.value;
  run.ledger.noteEffect({ ...sent, json }, { status, bytes, value, location: headers['location'], sentAt });
  if (isSuccess(status) || status >= 500) return 'defect';
  const said = quoteRefusal(Buffer.from(bytes).toString('utf8'));
  return {
    needs: `${needs}: it returns ${status}, as the contract documents${said === '' ? '' : `; it says ${said}`}`,
  };
}

/**
 * Distinguishes an address that leads nowhere from another one of the same record (RFC 9110 section 10.2.2), which must still be
 * there itself.
 */
export async function judgeAddress(
  { id, of, location }: { id: unknown; of: string; location: string },
  wire: WireRequest,
  run: Confirming,
): Promise<Confirmation> {
  const { pathname, search } = new URL(location, 'http://target');
  const ofBody = new Set(['content-type', 'content-length']);
  const headers = Object.entries(wire.headers).filter(([name]) => !ofBody.has(name.toLowerCase()));
  const asked = {
    method: 'GET',
    target: `${pathname}${search}`,
    headers: Object.fromEntries(headers),
    body: undefined,
  };
  const answer = await run.send(asked);
  const isNowhere = answer.kind === 'answered' && isOfAbsence(answer.status);
  return isNowhere && (await judgeGone({ id, of }, run)) === 'defect' ? 'defect' : 'fine';
}

/**
 * Distinguishes a record that a list has lost from one that it leaves out on purpose: that one can be fetched, and no list has
 * shown a record in its state.
 *
 * @example `state: draft` is in no list, `state: public` is, and GET shows the draft: it is not lost.
 */
export async function judgeHidden(
  id: unknown,
  { operation, path }: SentRequest,
  run: Confirming,
): Promise<Confirmation> {
  const subject = readSubjects(run.contract).find(({ roles }) => roles.list?.operation.id === operation?.id);
  const get = subject?.roles.get;
  if (subject === undefined || get === undefined) return 'defect';
  const { parameter } = subject.resource.key;
  const answer = await askRole(get, { ...withoutKey(path, subject), [parameter]: id }, run);
  const body = readBody(answer);
  if (answer.kind === 'unanswered' || answer.status > 299 || body.kind !== 'json') return 'defect';
  const record = asObject(followPointer(body.value, recordAt(get) ?? ''));
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
