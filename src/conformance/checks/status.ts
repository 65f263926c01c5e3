// Whether the status is the one that was due, and what may explain another one.
import { asObject } from '../../contract/document/plain.js';
import { sameJson, printJson, keyOfJson, cutText, parseJson } from '../../contract/document/json.js';
import type { Operation } from '../../contract/model.js';
import { saysOfState } from '../../contract/operations/said-in-words.js';
import { findAsked, identifyRecord, type RunTexts } from '../ledger/shown-records.js';
import { isNotFoundStatus, saysAbsent, followPointer, readPathKey } from '../model/exchange.js';
import type { SentRequest, GuessedKey, Invented } from '../model/exchange.js';
import type { StatusPattern } from '../model/scenario.js';
import { isCreate } from '../resources/resource-under-test.js';
import { answered, placeOfDue, successBody, show } from './check.js';
import type { CheckContext, CheckOutcome, StatedCheck } from './check.js';
import type { RecordLedger } from '../ledger/record-ledger.js';
import { OWN_UUID } from '../resources/fit-record.js';
import { turnAround } from '../http/template.js';
import { plainName } from '../../contract/resources/words.js';

const NEEDS_RATE =
  'skipped: the server kept returning 429; use --rate to send fewer requests per second, or --max-time to wait longer';
export const NEEDS_REMOVAL =
  'a contract that says that deleted records are gone: this service still returns the record, in another state than before';

export const statusCheck: StatedCheck = {
  id: 'status',
  title: 'the status is the one that the contract gives for the request',
  looksAt: 'answer',
  findMistake(value, { isOpen }) {
    if (isOpen(value)) return undefined;
    const patterns = [value].flat();
    const bad = patterns.find((pattern) => !isOpen(pattern) && !isStatus(pattern));
    if (patterns.length > 0 && bad === undefined) return undefined;
    const shown = show(patterns.length > 0 ? bad : value);
    const message = `it must be a status from 100 to 599, a range such as 4XX, or a list of these, but is ${shown}.`;
    return { at: '', message };
  },
  run(context) {
    const { status } = answered(context) ?? {};
    const { expect, body, sent } = context;
    if (status === undefined || (status >= 500 && sent.operation !== undefined)) return [];
    if (context.open) return checkOpen(context, status);
    const wanted = [expect.status ?? []].flat();
    if (wanted.length === 0 || fitsStatus(status, wanted) || isServedInstead(context)) return [];
    if (status === 429) return [{ needs: NEEDS_RATE }];
    const reason = explainRejection(context, status);
    if (reason !== undefined) return [{ needs: reason }];
    const before = expect.record?.removed;
    // A deleted record may be there for a while (RFC 9110 section 15.3.3). A contract need not say which rejection is due then.
    const absent: readonly StatusPattern[] = before === undefined ? [404, 410] : [404, 410, '4XX'];
    const isThere = status < 300 && wanted.every((pattern) => absent.includes(pattern));
    if (isThere && before !== undefined && body.kind === 'json' && !sameJson(before, body.value))
      return [{ needs: NEEDS_REMOVAL }];
    const texts = wanted.map(String);
    const settles = saysAbsent(status) || status === 304 || isThere;
    const doubt = mayBeForState(context, status) ? { doubt: { kind: 'state' as const, id: undefined } } : {};
    const place = sent.operation === undefined ? {} : { contractPointer: placeOfDue(wanted, context) };
    const says = { expected: texts.join(' or '), wanted: texts, actual: String(status) };
    return [{ rule: 'expected', at: 'status', ...says, settles, ...doubt, ...place }];
  },
};

function isStatus(value: unknown): boolean {
  if (typeof value === 'string') return /^[1-5]XX$/i.test(value);
  return typeof value === 'number' && Number.isInteger(value) && value >= 100 && value <= 599;
}

/** Whether a status matches the expected ones: `200`, `4XX`. */
export function fitsStatus(status: number, expected: StatusPattern | StatusPattern[]): boolean {
  return [expected].flat().some((pattern) => {
    const text = String(pattern).toUpperCase();
    return text.endsWith('XX') ? text[0] === String(status)[0] : text === String(status);
  });
}

/** Whether a status is of the expected kind, success or rejection, so that the request was or was not carried out as expected. */
export function isAlike(status: number, expected: StatusPattern | StatusPattern[] | undefined): boolean {
  if (expected === undefined || status >= 500) return false;
  return [expected].flat().some((pattern) => String(pattern)[0] === String(status)[0]);
}

function expectsSuccess({ expect }: CheckContext): boolean {
  return [expect.status ?? []].flat().some((pattern) => String(pattern).startsWith('2'));
}

function hasResponse({ responses }: Operation, status: number, ...others: readonly string[]): boolean {
  const names = [String(status), `${String(status)[0]}XX`, ...others];
  return responses.some((each) => names.includes(each.status.toUpperCase()));
}

/** Rejections that are about the state of what is asked for (RFC 9110 section 15.5.10, RFC 4918 section 11). */
const OF_STATE = new Set([409, 422, 423]);

function mayBeForState(context: CheckContext, status: number): boolean {
  const { sent, contract } = context;
  const { operation, violations } = sent;
  if (operation === undefined || violations.length > 0) return false;
  // 400 can be for the state where nothing but a key is sent, or the contract says so of it: `The order is already paid.`
  const stated = operation.responses.find((each) => each.status === '400');
  const said = stated === undefined ? {} : asObject(contract.document.at(stated.pointer));
  const isForState = status === 400 && (operation.requestBody === undefined || saysOfState(said));
  if (!OF_STATE.has(status) && !isForState) return false;
  const role = findAsked(contract, sent)?.role.role;
  if (role !== 'replace' && role !== 'update' && role !== 'remove') return false;
  return expectsSuccess(context) && hasResponse(operation, status);
}

function checkOpen(context: CheckContext, status: number): CheckOutcome[] {
  if (!context.sent.authorized || context.sent.operation === undefined) return [];
  const ofBody = explainRejectedBody(context, status);
  if (ofBody !== undefined) return [{ needs: ofBody }];
  if (status === 401)
    return [{ rule: 'key-refused', at: 'status', expected: 'no 401 with a valid key', actual: '401' }];
  const reason = status === 403 ? explainRejection(context, status) : undefined;
  return reason === undefined ? [] : [{ needs: reason }];
}

function isServedInstead(context: CheckContext): boolean {
  const { at = '', instead } = context.expect.records ?? {};
  const records = instead === undefined ? undefined : followPointer(successBody(context), at);
  if (instead === undefined || !Array.isArray(records)) return false;
  const { atMost = Infinity, atLeast = 0, usual = Infinity } = instead;
  return records.length <= Number(atMost) && records.length >= Math.min(Number(atLeast), Number(usual));
}

const OF_NO_VALUE = new Set([401, 405, 406, 411, 415, 429]);

function explainRejection(context: CheckContext, status: number): string | undefined {
  const { sent, ledger, contract, answer } = context;
  const { operation, authorized, lacks, violations } = sent;
  if (operation === undefined || status < 300) return undefined;
  // What is asked for may be elsewhere, as the contract says (RFC 9110 section 15.4).
  if (status < 400) {
    if (status === 304 || operation.method !== 'GET' || !hasResponse(operation, status)) return undefined;
    const { location } = answered(context)?.headers ?? {};
    const to = location === undefined ? 'another place' : show(location);
    const why = `a record that ${operation.id} returns itself: it redirects to ${to}, as the contract allows`;
    return explainOldKey(context) ?? why;
  }
  const ofBody = explainRejectedBody(context, status);
  if (ofBody !== undefined) return ofBody;
  const wasServed = ledger.learned.served.has(operation.id);
  const { subject, role } = findAsked(contract, sent) ?? {};
  const { list, get } = subject?.roles ?? {};
  const isOpenToListed = role?.role === 'get' && sameJson(list?.operation.security, get?.operation.security);
  // The key is known (RFC 9110 section 15.5.4), and other operations take it.
  if (status === 403 && authorized && !lacks && !wasServed && !(isOpenToListed && ledger.wasListed(sent)))
    return `a key that may call ${operation.id}: the target accepts this one, and returns 403 there`;
  const isDocumented = !OF_NO_VALUE.has(status) && hasResponse(operation, status, 'DEFAULT');
  const isValid = violations.length === 0;
  // What may be created can be counted (RFC 9110 section 15.5.4: for reasons unrelated to the credentials).
  if ((status === 403 || status === 402) && wasServed && isValid && isCreate(operation, contract) && isDocumented)
    return `a quota that allows more records: ${operation.id} was served before, and returns ${status} now; --max-creates lets the run create fewer (it has created ${ledger.countCreated()})`;
  if (status === 403 && isValid) return undefined;
  const ofKey = isNotFoundStatus(status)
    ? (explainGuess(context.guessed ?? [], ledger) ?? explainOldKey(context))
    : undefined;
  if (ofKey !== undefined || !isDocumented) return ofKey;
  if (!isValid) {
    const { expect, invented } = context;
    if (!isNotFoundStatus(status) && status !== 403 && status !== 409) return undefined;
    const expected = [expect.status ?? []].flat().map(String);
    if (expected.length === 0 || expected.some((pattern) => !pattern.startsWith('4'))) return undefined;
    const unproven = invented === undefined ? [] : listUnproven(invented, sent.json, ledger);
    const isOfAnother = unproven.some((field) => invented?.references.includes(field));
    if (sent.operation?.path.endsWith('}') === true && !isOfAnother && isNotFoundStatus(status)) return undefined;
    return `a rejection with ${expected.join(' or ')}: the contract also has ${status}, which may have another reason`;
  }
  const why = explainForValid(context, status);
  if (why === undefined || !mayBeForState(context, status)) return why;
  const said = answer.kind === 'answered' ? quoteRejection(Buffer.from(answer.bytes).toString('utf8')) : '';
  return said === '' ? why : `${why}; it says ${said}`;
}

const PROVING_PATH =
  /(?:^|[^a-z])(?:sessions?|log-?ins?|log-?on|sign-?ins?|sign-?ups?|auth|authenticate|authentication|otp|totp|mfa|2fa|codes?|pin|passwords?|passcodes?|credentials?|invitations?|invites?|token|refresh|verify|verifications?|confirm|confirmations?)(?:$|[^a-z])/i;
const PROVING_MEMBER =
  /(?:^|[^a-z])(?:otp|totp|pin|password|passwd|passcode|secret|credentials?|invitation|captcha)(?:$|[^a-z])/i;

function explainRejectedBody({ sent, ledger }: CheckContext, status: number): string | undefined {
  const { operation, authorized, lacks, violations } = sent;
  if (operation === undefined || (status !== 401 && status !== 403) || !authorized || lacks !== undefined)
    return undefined;
  const isOpen = sent.showsUnasked !== true && operation.security.every((combination) => combination.length === 0);
  const isProof = provesByBody(operation);
  if (!hasResponse(operation, status) || (!isOpen && !isProof)) return undefined;
  if (status === 403 && !isProof) {
    if (!ledger.learned.served.has(operation.id))
      return `a request that ${operation.id} allows: the contract documents 403, and requires no credentials there`;
    return operation.method === 'GET'
      ? undefined
      : `a quota that allows more records: ${operation.id} accepted some, and returns 403 now; --max-creates lets the run create fewer`;
  }
  const why = isOpen ? 'requires no credentials there' : 'has a body that proves who somebody is';
  return violations.length > 0
    ? `a rejection of the invalid request: the contract also documents ${status}, and ${why}`
    : `values that ${operation.id} accepts, such as a valid login or code: the contract documents ${status}, and ${why}`;
}

function provesByBody({ path, id, requestBody }: Operation): boolean {
  if (requestBody === undefined) return false;
  const part = (text: string): string => text.replaceAll(/([a-z\d])([A-Z])/g, '$1-$2');
  const isMember = [...requestBody.fields].some((field) => PROVING_MEMBER.test(part(field)));
  return isMember || [path, id].some((text) => PROVING_PATH.test(part(text)));
}

function explainForValid(context: CheckContext, status: number): string | undefined {
  const { sent, expect, ledger, invented } = context;
  if (invented === undefined || expect.status === undefined) return undefined;
  const isToBeTaken = expectsSuccess(context);
  if (isToBeTaken && status === 409) return `${invented.needs} (409 says that it conflicts with another)`;
  // Beside 400, 422 is of what is right by itself (RFC 9110 section 15.5.21).
  const isOfBoth = status === 422 && sent.operation?.responses.some((each) => each.status === '400') === true;
  if (isOfBoth && listUnproven(invented, sent.json, ledger, invented.choices).length > 0) return invented.needs;
  const isExplained = listUnproven(invented, sent.json, ledger).some(
    (field) => !isNotFoundStatus(status) || (isToBeTaken && invented.references.includes(field)),
  );
  return isExplained ? invented.needs : undefined;
}

export function explainGuess(guessed: readonly GuessedKey[], { learned }: Pick<RecordLedger, 'learned'>) {
  const open = guessed.find(({ of }) => !learned.found.has(of));
  if (open === undefined) return undefined;
  return `a response to the create that has the key of the record: ${open.property} was used as the key, and no record was found by it (--resources can name another)`;
}

function listValues(fields: readonly string[], { at }: Pick<Invented, 'at'>, json: unknown, { mark }: RunTexts) {
  const record = followPointer(json, at);
  return fields.map((field) => {
    if (json === undefined) return { field, key: field };
    const value = followPointer(record, `/${field.replaceAll('~', '~0').replaceAll('/', '~1')}`);
    const text = value === undefined ? '' : printJson(value);
    const isOwn = [mark, turnAround(mark), OWN_UUID].some((own) => text.includes(own));
    return { field, key: `${field} ${isOwn ? mark : String(keyOfJson(value))}` };
  });
}

export function rememberTaken({ learned, texts }: RecordLedger, invented: Invented, { json }: SentRequest): void {
  const taken = learned.taken.get(invented.of) ?? new Set();
  for (const { field, key } of listValues([...invented.fields, ...invented.choices], invented, json, texts))
    taken.add(field).add(key);
  learned.taken.set(invented.of, taken);
}

function listUnproven(invented: Invented, json: unknown, ledger: RecordLedger, fields = invented.fields) {
  const { learned, texts } = ledger;
  const known = learned.taken.get(invented.of);
  return listValues(fields, invented, json, texts)
    .filter(({ key }) => known?.has(key) !== true)
    .map(({ field }) => field);
}

function listOwn(value: unknown, texts: RunTexts): string[] {
  return value === undefined ? [] : texts.list(printJson(value));
}

function readAskedKey({ operation, path }: SentRequest): unknown {
  const [, name] = /\{([^{}]+)\}$/.exec(operation?.path ?? '') ?? [];
  return name === undefined ? undefined : path[name];
}

export function rememberRenaming({ texts, learned }: RecordLedger, sent: SentRequest): void {
  if (sent.method !== 'PUT' && sent.method !== 'PATCH') return;
  const key = readAskedKey(sent);
  const [before] = listOwn(key, texts);
  const now = listOwn(sent.json, texts);
  if (before !== undefined && now.length > 0 && !now.includes(before)) learned.renamed.add(String(key));
}

export function explainRenaming(key: unknown, { learned }: Pick<RecordLedger, 'learned'>): string | undefined {
  if (!learned.renamed.has(String(key))) return undefined;
  return `a service whose records retain their keys: ${String(key)} was derived from a name, and the record has another key now`;
}

export function explainEnded(key: unknown, { sent, contract, ledger }: CheckContext): string | undefined {
  const { subject } = findAsked(contract, sent) ?? {};
  const read = readPathKey(key);
  if (subject === undefined || read === undefined) return undefined;
  const field = ledger.endedBy(identifyRecord(subject, sent.path, read));
  return field === undefined ? undefined : `a record that lasts: by its \`${field}\` this one may be gone by now`;
}

function explainOldKey(context: CheckContext): string | undefined {
  const key = readAskedKey(context.sent);
  return explainRenaming(key, context.ledger) ?? explainEnded(key, context);
}

/** A service may keep a name of which the key is made (RFC 9110 section 9.3.4), or write it in the form of keys. */
export function explainKept(
  field: string,
  { record, sent: value, sentKey }: { record: Readonly<Record<string, unknown>>; sent: unknown; sentKey: unknown },
  { keyProperty }: { keyProperty: string },
  texts: RunTexts,
): string | undefined {
  const [own] = listOwn(record[field], texts);
  if (own === undefined || sentKey !== undefined || !listOwn(record[keyProperty], texts).includes(own))
    return undefined;
  const sent = String(value);
  if (!sent.includes(own))
    return `a service that changes \`${field}\`: here the key is derived from it, and neither changes`;
  if (/^[\w.-]*$/.test(sent)) return undefined;
  return `a service that stores \`${field}\` as sent: here the key is derived from it, and keys have a restricted form`;
}

/** Of these names, those that a rejection has, the plainest first: as a key or a value of its own, in quotes, as a word. */
export function listNamed(body: string, names: readonly string[]): string[] {
  const { words, texts } = readSaid(body);
  const rankOf = (name: string): number => {
    if (words.has(plainName(name))) return 3;
    const parts = name.split(/(?<=[a-z\d])(?=[A-Z])|[_\s-]+/).filter((part) => part !== '');
    const own = parts.map((part) => part.replaceAll(/[^\w]/g, '\\$&')).join('[\\s_-]?');
    if (texts.some((text) => new RegExp(`["'\`]${own}["'\`]`, 'i').test(text))) return 2;
    return texts.some((text) => new RegExp(`(?<![\\w-])${own}(?![\\w-])`, 'i').test(text)) ? 1 : 0;
  };
  return names
    .map((name) => ({ name, rank: rankOf(name) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((one, other) => other.rank - one.rank)
    .map(({ name }) => name);
}

/** Names in quotes that are none of these: `Key 'name' not present`. */
export function listOtherNames(body: string, names: readonly string[]): string[] {
  const known = new Set(names.map(plainName));
  const quoted = readSaid(body).texts.flatMap((text) => Array.from(text.matchAll(/(["'`])([A-Za-z_]\w{1,40})\1/g)));
  return [...new Set(quoted.map(([, , name = '']) => name))].filter((name) => !known.has(plainName(name)));
}

const TELLING = /^(?:message|messages|detail|details|description|reason|error_description|error|errors|title|msg)$/i;

/** What a rejection says in words, shortened: `"Validation failed: \"segments[0]\" is required"`; empty if it says nothing. */
export function quoteRejection(body: string): string {
  const said = findWords(readBody(body), true) ?? findWords(readBody(body), false) ?? '';
  const plain = said.replaceAll(/(?:<[^>]*>|\s)+/g, ' ').trim();
  return plain === '' ? '' : JSON.stringify(cutText(plain, 160));
}

function findWords(value: unknown, isNamed: boolean, name = ''): string | undefined {
  if (typeof value === 'string') {
    const isTelling = isNamed ? TELLING.test(name) : name === '' || /\S\s+\S/.test(value);
    return isTelling && value.trim() !== '' ? value : undefined;
  }
  if (Array.isArray(value))
    return value.map((each) => findWords(each, isNamed, name)).find((each) => each !== undefined);
  const found = Object.entries(asObject(value)).map(([key, inside]) => findWords(inside, isNamed, key));
  return found.find((each) => each?.trim().includes(' ')) ?? found.find((each) => each !== undefined);
}

function readSaid(body: string): { words: Set<string>; texts: string[] } {
  const found = { words: new Set<string>(), texts: [] as string[] };
  const collect = (value: unknown): void => {
    if (typeof value === 'string') {
      found.texts.push(value);
      if (value.length <= 80 && /^[\w.[\]/#$-]+$/.test(value))
        for (const part of value.split(/[./[\]#$]/)) found.words.add(plainName(part));
      return;
    }
    if (Array.isArray(value)) return value.forEach(collect);
    for (const [name, inside] of Object.entries(asObject(value))) {
      found.words.add(plainName(name));
      collect(inside);
    }
  };
  collect(readBody(body));
  return found;
}

function readBody(body: string): unknown {
  const read = parseJson(body);
  return read.ok ? read.value : body;
}
