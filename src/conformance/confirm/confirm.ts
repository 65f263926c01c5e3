// The one place that asks again before a failure counts: an exchange that failed on the server, and findings in doubt.
import { keyOfJson, sameJson } from '../../contract/document/same-json.js';
import type { Need } from '../judge/check.js';
import { fitsStatus } from '../judge/status.js';
import {
  type Doubt,
  type MoveDoubt,
  type OwnDoubt,
  type Switch,
  type SwitchDoubt,
  followPointer,
} from '../model/records.js';
import type { ExchangeResult, Finding } from '../model/result.js';
import type { Step } from '../model/scenario.js';
import {
  isOfAbsence,
  isRepeatable,
  type Answered,
  type WireAnswer,
  type SentRequest,
  isSuccess,
  type WireRequest,
} from '../model/exchange.js';
import { type PreparedRequest, splitTarget } from '../wire/request/prepare-request.js';
import type { Reply } from '../wire/request/share-answers.js';
import { type Confirming, type Confirmation, askRole } from './ask.js';
import { parseJson, printJson } from '../../contract/document/json.js';
import { asObject } from '../../contract/document/plain.js';
import { limitOf } from '../../contract/gaps/parts.js';
import type { RoleOperation } from '../../contract/resources/resource.js';
import { isSameKey } from '../judge/record.js';
import { isRecord } from '../judge/show.js';
import { printChoice, printField } from '../ledger/record-ledger.js';
import { findAsked, readShown, withoutKey } from '../ledger/shown-records.js';
import { isHiddenState, listStates, readLeftOut, stateOf } from '../subjects/hidden.js';
import { readSubjects, recordAt, type Subject } from '../subjects/subject.js';
import { readBody } from '../wire/http/read-body.js';
import { pause } from '../wire/http/send-politely.js';
import { quoteRefusal } from '../judge/read-rejection.js';

/** A finding that a choice of a gap may explain, with the request that shows it. */
export interface Doubtful {
  finding: Finding;
  doubt: Doubt;
  sent: PreparedRequest;
}

/** What doubts are about, of one exchange. */
interface Doubted {
  exchange: ExchangeResult;
  doubtful: readonly Doubtful[];
  needs: Need[];
}

/** How many records get a second look for one scenario; the others are judged like the last of them. */
const MOST_LOOKS = 6;

/**
 * Takes a second look at findings that a choice of a gap may explain, when
 * waiting no longer helps: an explained finding is not a deviation.
 */
export async function settleDoubts(outcomes: readonly Doubted[], run: Confirming): Promise<void> {
  const looks = new Map<string, Confirmation>();
  let last: Confirmation = 'defect';
  for (const outcome of outcomes) {
    for (const doubtful of outcome.doubtful) {
      if (run.signal.aborted) return;
      const key = `${doubtful.doubt.kind} ${String(keyOfJson(doubtful.doubt.id))} ${doubtful.sent.wire.target}`;
      if (!looks.has(key) && looks.size < MOST_LOOKS) looks.set(key, await lookOnce(doubtful, run));
      last = looks.get(key) ?? last;
      explain(doubtful, last, outcome);
    }
  }
}

/** A look, unless earlier ones of the run tell what it would come to. */
async function lookOnce(doubtful: Doubtful, run: Confirming): Promise<Confirmation> {
  const question = `${doubtful.doubt.kind} ${doubtful.sent.sent.operation?.id ?? ''}`;
  return (
    run.looks.foresee(question) ?? run.looks.conclude(question, await look(doubtful, { ...run, send: run.looks.send }))
  );
}

async function look(doubtful: Doubtful, run: Confirming): Promise<Confirmation> {
  const found = await lookAt(doubtful, run);
  const { doubt, sent } = doubtful;
  const isOfLacking = doubt.kind === 'gone' || doubt.kind === 'hidden' || doubt.kind === 'switch';
  return found === 'defect' && isOfLacking && doubt.id !== undefined ? judgeHidden(doubt.id, sent.sent, run) : found;
}

async function lookAt({ doubt, sent }: Doubtful, run: Confirming): Promise<Confirmation> {
  if (doubt.kind === 'address') return judgeAddress(doubt, sent.wire, run);
  if (doubt.kind === 'state') return judgeState(sent, run);
  // Time does not explain it if a create answers with another record.
  if (sent.sent.method !== 'GET') return 'defect';
  if (doubt.kind === 'move') return judgeMove(doubt, sent.wire, run);
  if (doubt.kind === 'own') return judgeOwn(doubt, sent.sent, run);
  if (doubt.kind === 'hidden') return 'defect';
  if (doubt.kind === 'gone') {
    const found = await judgeGone(doubt, run);
    return found === 'defect' && doubt.or !== undefined ? judgeSwitch(doubt.or, sent.wire, run) : found;
  }
  return judgeSwitch(doubt, sent.wire, run);
}

function explain({ finding }: Doubtful, found: Confirmation, outcome: Doubted): void {
  if (found === 'defect') return;
  if (found === 'fine') {
    const { findings } = outcome.exchange;
    if (findings.includes(finding)) findings.splice(findings.indexOf(finding), 1);
    return;
  }
  outcome.needs.push({ needs: found.needs });
  finding.severity = 'information';
}

/** The answer to go on with, and the failure before it, if the same request was served when it was sent again. */
interface Twice {
  reply: Reply;
  failure?: Answered;
}

/**
 * Sends a request again that a service failed at: what fails once alone says nothing of what was sent. Only what may be sent twice is
 * (RFC 9110 section 9.2.2); an update sets what it sets a second time, too.
 */
export async function askTwice(
  reply: Reply,
  { sent, wire }: PreparedRequest,
  step: Step,
  run: Confirming,
): Promise<Twice> {
  const { answer } = reply;
  const isFailure = answer.kind === 'answered' && answer.status >= 500 && sent.operation !== undefined;
  if (!isFailure || reply.isShared || step.atOnce !== undefined || run.signal.aborted) return { reply };
  if (!isRepeatable(wire) && wire.method !== 'PATCH') return { reply };
  const question = `failure ${sent.operation?.id ?? ''}`;
  if (run.looks.foresee(question) !== undefined) return { reply };
  const sentAt = performance.now();
  const again = await run.looks.send(wire);
  const due = step.expect?.status;
  // A 404 for a PATCH at an unknown key is what it is due.
  const isDue = again.kind === 'answered' && due !== undefined && fitsStatus(again.status, due);
  const isServed = isDue || isFirstTime(again, wire.method);
  if (again.kind === 'answered') run.looks.conclude(question, isServed ? ONCE : 'defect');
  // The first answer serves nobody else.
  const settle = (): void => reply.settle(false);
  return isServed ? { reply: { ...reply, answer: again, sentAt, settle }, failure: answer } : { reply };
}

/** A look that came to no defect of the request. */
const ONCE = { needs: 'a service that responds to equal requests in the same way' };

/** Whether an answer is one to a request that was not carried out before: what the first one removed, or changed, is so. */
function isFirstTime(answer: WireAnswer, method: string): boolean {
  if (answer.kind === 'unanswered' || answer.status >= 500) return false;
  return method === 'GET' || !(isOfAbsence(answer.status) || answer.status === 409 || answer.status === 412);
}

// Choices that look like defects: what the contract leaves open, a second request tells from what it rules out.

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
async function judgeOwn(
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
async function judgeSwitch(doubt: SwitchDoubt, wire: WireRequest, run: Confirming): Promise<Confirmation> {
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
  return {
    ...wire,
    target,
    ...(shown === undefined ? {} : { shown: { ...shown, show: (values) => ({ ...shown.show(values), target }) } }),
    ...(withGiven === undefined
      ? {}
      : { withGiven: { ...withGiven, show: (values) => ({ ...withGiven.show(values), target }) } }),
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
async function judgeGone({ id, of }: { id: unknown; of: string }, run: Confirming): Promise<Confirmation> {
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
async function judgeState({ sent, wire }: PreparedRequest, run: Confirming): Promise<Confirmation> {
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
async function judgeAddress(
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
async function judgeHidden(id: unknown, { operation, path }: SentRequest, run: Confirming): Promise<Confirmation> {
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
