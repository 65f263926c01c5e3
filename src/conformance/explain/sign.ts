import { ENVELOPE } from '../judge/body.js';
import { SERVED_AGAIN } from '../judge/server-error.js';
import { CUT, describeChange, isRoundedMost, ROUNDED } from './changes.js';
import { readErrorAsSuccess } from './follows/error-as-success.js';
import { kindOf } from './kind-of.js';
import { ENTRY, isUndefined, readMap, UNDEFINED } from './of-object.js';
import type { Occurrence } from './occurrence.js';
import { readPair, repairKinds } from './repair.js';
import { isForKeyAlone, kindOfRequest } from './requests.js';
import { saidStatus, says, wants } from './statuses.js';
import { isOfAbsentRecord, readLeak, readRecordSign, readRecordStatus } from './records/record-sign.js';

/** What a deviation is a sign of: which rule broke, and on what. Equal signs are one problem. */
export interface Sign {
  topic: Topic;
  /** The field that is wrong: `id`, `categoryId`. */
  field?: string;
  /** What else distinguishes it from others of its topic. */
  detail?: string;
  /** Set if it belongs to one operation alone. */
  operation?: string;
}

export type Topic =
  | 'unanswered'
  | 'crash'
  | 'key-accepted'
  | 'scope-accepted'
  | 'key-status'
  | 'key-refused'
  | 'error-as-success'
  | 'success-status'
  | 'refused'
  | 'accepted'
  | 'refusal-status'
  | 'not-json'
  | 'no-body'
  | 'content-type'
  | 'error-shape'
  | 'error-status'
  | 'body-type'
  | 'missing-fields'
  | 'field-value'
  | 'header'
  | 'changed'
  | 'key-echo'
  | 'body-forbidden'
  | 'record'
  | 'now-and-then'
  | 'other';

/** What a finding is a sign of, by its check. */
export function readSign(occurrence: Occurrence): Sign {
  const { finding } = occurrence;
  if (occurrence.isNowAndThen) return { topic: 'now-and-then' };
  if (occurrence.refusedWith !== undefined) return readRefusal(occurrence, occurrence.refusedWith);
  if (readErrorAsSuccess(occurrence.exchange) !== undefined) return { topic: 'error-as-success' };
  return (
    readLeak(occurrence) ??
    SIGNS[finding.check]?.(occurrence) ?? {
      topic: 'other',
      detail: `${finding.check} ${finding.rule} ${star(finding.at)}`,
    }
  );
}

const SIGNS: Readonly<Record<string, (occurrence: Occurrence) => Sign | undefined>> = {
  answered: ({ finding }) => ({ topic: 'unanswered', detail: finding.rule }),
  'server-error': readCrash,
  status: readStatus,
  'content-type': (each) => ({
    topic: 'content-type',
    detail: each.finding.actual.replace(/;.*/, ''),
    ...scopeOf(each),
  }),
  json: (each) => ({ topic: 'not-json', ...scopeOf(each) }),
  body: readBody,
  'error-body': readError,
  'no-body': (each) => ({ topic: 'body-forbidden', ...operationOf(each) }),
  equals: readChange,
  'expected-body': readExpectedBody,
  'key-echo': () => ({ topic: 'key-echo' }),
  record: readRecordSign,
  records: readRecordSign,
  'own-records': readRecordSign,
};

/** Services check keys in one place for all operations. */
function readCrash(each: Occurrence): Sign {
  const kind = kindOfRequest(each);
  if (each.finding.rule === SERVED_AGAIN) return { topic: 'crash', detail: SERVED_AGAIN };
  if (isOfAbsentRecord(each)) return { topic: 'crash', detail: 'absent' };
  return { topic: 'crash', ...(kind === 'key' ? {} : operationOf(each)), detail: kind };
}

function readStatus(each: Occurrence): Sign | undefined {
  const { rule, wanted = [] } = each.finding;
  const actual = saidStatus(each);
  const ofRecord = readRecordStatus(each);
  if (ofRecord !== undefined) return ofRecord;
  const operation = operationOf(each);
  // However it was found, an operation fails.
  if (says(each, '5XX') && each.exchange.operationId !== undefined) return readCrash(each);
  if (each.exchange.request.auth === 'lackingScope') return readScopeStatus(each);
  // Services check keys in one place for all operations.
  const wantsSuccess = wants(each, '2XX');
  const isKeyRefused = actual === '401' && !wants(each, '401');
  if (isKeyRefused || rule === 'key-refused') return { topic: 'key-refused', detail: actual };
  if ((wants(each, '401') || isForKeyAlone(each)) && !wantsSuccess) {
    return says(each, '2XX') ? { topic: 'key-accepted' } : { topic: 'key-status', detail: actual };
  }
  // A record that nobody has may be there by now, and then is answered as any other; nothing else is a success of its own.
  if (wants(each, '404') && each.exchange.request.asksUnknown === true && says(each, '2XX'))
    return { topic: 'accepted', ...operation };
  if (wantsSuccess && says(each, '2XX', '3XX')) return { topic: 'success-status', ...operation, detail: actual };
  if (wantsSuccess && wants(each, '404')) return { topic: 'refusal-status', ...operation, detail: `404 ${actual}` };
  if (wantsSuccess) return { topic: 'refused', ...operation, detail: actual };
  if (says(each, '2XX')) return { topic: 'accepted', ...operation };
  return { topic: 'refusal-status', ...operation, detail: `${wanted[0] ?? ''} ${actual}` };
}

/** A refusal is what it would be if its status said so. */
function readRefusal(each: Occurrence, status: string): Sign {
  return readStatus(each) ?? { topic: 'refused', ...operationOf(each), detail: status };
}

/** Which scopes an operation needs may stand beside each, or in one place for all. */
function readScopeStatus(each: Occurrence): Sign {
  if (says(each, '2XX')) return { topic: 'scope-accepted' };
  return { topic: 'refusal-status', ...operationOf(each), detail: `scope ${saidStatus(each)}` };
}

function readError(each: Occurrence): Sign {
  const { rule } = each.finding;
  if (rule === 'present') return { topic: 'no-body', ...scopeOf(each) };
  return rule === 'status' ? { topic: 'error-status', ...scopeOf(each) } : { topic: 'error-shape', ...scopeOf(each) };
}

function readBody(each: Occurrence): Sign {
  const { at, rule, actual } = each.finding;
  if (rule === 'present') return { topic: 'no-body', ...scopeOf(each) };
  // Services put answers into envelopes in one place for all operations.
  if (rule === ENVELOPE) return { topic: 'body-type', detail: ENVELOPE };
  // A header field is no field of a record.
  if (at.startsWith('header/')) return { topic: 'header', field: at.slice('header/'.length), detail: rule };
  const field = lastFieldOf(at);
  if (field === undefined) return { topic: 'body-type', ...readKind(each) };
  if (rule === 'required') return { topic: 'missing-fields', field };
  if (isUndefined(each.finding)) return { topic: 'field-value', field, detail: UNDEFINED };
  const map = readMap(each.finding);
  if (map !== undefined) return { topic: 'field-value', field: map, detail: `${kindOf(actual)} ${ENTRY}` };
  if (isRoundedMost(actual) && !wasSent(actual, each)) return { topic: 'changed', field, detail: ROUNDED };
  return { topic: 'field-value', field, detail: kindOf(actual) };
}

/** Whether a request of the scenario had a number digit by digit: then it was not rounded on its way. */
function wasSent(number: string, { scenario }: Occurrence): boolean {
  const digits = new RegExp(String.raw`(?<!\d)${number.replace(/^-/, '')}(?!\d)`);
  const requests = scenario.steps.flatMap(({ exchanges }) => exchanges.map(({ request }) => request));
  return requests.some(({ body = '', path }) => digits.test(body) || digits.test(path));
}

function readExpectedBody(each: Occurrence): Sign | undefined {
  const { at, rule } = each.finding;
  if (fieldOf(at) !== undefined) return readChange(each);
  return rule === 'type' ? { topic: 'body-type', ...readKind(each) } : undefined;
}

/** Services write JSON within a text in one place for all operations. */
function readKind(each: Occurrence): Pick<Sign, 'detail' | 'operation'> {
  const kind = kindOf(each.finding.actual);
  return kind === 'text' && each.finding.at === 'body' ? { detail: kind } : operationOf(each);
}

function readChange(each: Occurrence): Sign {
  const field = lastFieldOf(each.finding.at) ?? 'body';
  const { before, after } = repairKinds(readPair(each.finding));
  // Of two answers, the earlier may be the wrong one.
  const how =
    describeChange(before, after) ?? (each.finding.isOfAnswers === true ? describeReverse(after, before) : undefined);
  return { topic: 'changed', field, ...(how === undefined ? {} : { detail: how }) };
}

/** A text that is now longer was cut before only if the run saw it cut. */
function describeReverse(before: string, after: string): string | undefined {
  const how = describeChange(before, after);
  return how === CUT && !/(?:…|\.{3})"?$/.test(after) ? undefined : how;
}

/** Services usually write all errors in one place, and all successes in another. */
function scopeOf({ exchange: { response } }: Occurrence): Pick<Sign, 'field'> {
  return { field: (response?.status ?? 0) >= 400 ? 'error' : 'success' };
}

function operationOf({ exchange }: Occurrence): Pick<Sign, 'operation'> {
  return exchange.operationId === undefined ? {} : { operation: exchange.operationId };
}

/** The field at a place in a body, whatever item contains it; `undefined` for a body, or an item, as a whole. */
export function fieldOf(at: string): string | undefined {
  return at
    .split('/')
    .slice(1)
    .find((part) => !/^\d+$/.test(part));
}

/** In an envelope, the first member is the one with the records. */
function lastFieldOf(at: string): string | undefined {
  return at
    .split('/')
    .slice(1)
    .findLast((part) => !/^\d+$/.test(part));
}

export function star(at: string): string {
  return at.replace(/\/\d+(?=\/|$)/g, '/*');
}
