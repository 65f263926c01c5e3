import { KEPT_TAG } from '../checks/own-records.js';
import { ENVELOPE, SERVED_AGAIN } from '../checks/response.js';
import { NOW_AND_THEN } from '../model/result.js';
import type { ShownFinding, ExchangeResult, Finding, ScenarioResult, StepResult } from '../model/result.js';
import { fieldOfRule } from '../model/exchange.js';

export interface Failure {
  scenario: ScenarioResult;
  exchange: ExchangeResult;
  finding: Finding;
  place: ShownFinding;
  asks: StepResult['asks'];
  before: readonly ExchangeResult[];
  status: string; // The status of the response, empty if none came.
  kind: FailureKind;
  fields: readonly string[]; // Names of fields that are wrong; of header fields for `header`.
  detail: string; // What else tells it from others of its kind: a status, the kind of a value.
}

type Found = Omit<Failure, 'kind' | 'fields' | 'detail'>;
type What = Pick<Failure, 'kind'> & Partial<Pick<Failure, 'fields' | 'detail'>>;

export function listFailures(scenarios: readonly ScenarioResult[]): Failure[] {
  const exchanges = scenarios.flatMap(({ steps }) => steps.flatMap((step) => step.exchanges));
  const served = new Set(
    exchanges.filter(({ response }) => !isStatus(response?.status, '5XX')).map(({ operationId }) => operationId),
  );
  const flaky = new Set(exchanges.filter(({ findings }) => findings.some(isOfMany)).map((each) => each.operationId));
  const failures: Failure[] = [];
  for (const scenario of scenarios) {
    const before: ExchangeResult[] = [];
    for (const { id, asks, exchanges: own } of scenario.steps)
      for (const [index, exchange] of own.entries()) {
        const status = String(exchange.response?.status ?? '');
        for (const [position, finding] of exchange.findings.entries()) {
          if (finding.severity !== 'deviation') continue;
          const place = { scenario: scenario.id, step: id, exchange: index, finding: position };
          const found: Found = { scenario, exchange, finding, place, asks, before: [...before], status };
          const isFlaky = isOfMany(finding) || (flaky.has(exchange.operationId) && lacksRecords(found));
          const what: What = isFlaky ? { kind: 'flaky' } : readWhat(found);
          if (what.kind === 'crash' && !served.has(exchange.operationId)) what.detail = '';
          failures.push({ ...found, fields: [], detail: '', ...what });
        }
        before.push(exchange);
      }
  }
  return failures;
}

export function printFingerprint({ kind, fields, detail, exchange, scenario, finding }: Failure): string {
  const about = { service: '', operation: exchange.operationId, resource: finding.resource ?? resourceOf(scenario) };
  return JSON.stringify([kind, about[KINDS[kind].scope] ?? '', fields.toSorted(), detail]);
}

export const resourceOf = ({ about }: Pick<ScenarioResult, 'about'>): string => about?.resource ?? '';

/** Whether a status is one of these: `404`, `2XX`. */
export function isStatus(status: string | number | undefined, ...patterns: readonly string[]): boolean {
  return patterns.some((each) =>
    each.endsWith('XX') ? String(status).startsWith(each.slice(0, 1)) : String(status) === each,
  );
}

export function wants({ finding: { wanted = [] } }: Pick<Failure, 'finding'>, ...patterns: readonly string[]): boolean {
  return wanted.some((each) => isStatus(each, ...patterns));
}

export const valueOf = ({ value, expected }: Finding): string => value ?? expected;

export function typeOf(json: string): string {
  if (json.startsWith('"')) return 'text';
  if (json.startsWith('[')) return 'a list';
  if (json.startsWith('{')) return 'an object';
  return /^(?:null|true|false)$/.test(json) ? json : 'a number';
}

/** `body/3/name` as `body/*` + `/name`. */
export const star = (at: string): string => at.replace(/\/\d+(?=\/|$)/g, '/*');
export const namesIn = (at: string): string[] =>
  at.split('/').filter((part, depth) => depth > 0 && !/^\d+$/.test(part));

export function showsWrongKey(auth: ExchangeResult['request']['auth']): boolean {
  return auth !== 'valid' && auth !== 'lowerCaseField';
}

type Reading = Found & { at: string; actual: string; rule: string; field: string | undefined; ofWhich: string };

/** By the check that found it; what has no kind of its own is told as it was found. */
const READERS: Readonly<Record<string, (found: Reading) => What | undefined>> = {
  answered: ({ rule }) => ({ kind: 'unanswered', detail: rule }),
  'server-error': readCrash,
  status: readStatus,
  'content-type': ({ actual, ofWhich }) => ({
    kind: 'content-type',
    detail: `${actual.replace(/;.*/, '')} ${ofWhich}`,
  }),
  json: ({ ofWhich }) => ({ kind: 'not-json', detail: ofWhich }),
  'no-body': () => ({ kind: 'body-forbidden' }),
  'key-echo': () => ({ kind: 'key-echo' }),
  'error-body': ({ rule, ofWhich }) => {
    if (rule === 'present') return { kind: 'no-body', detail: ofWhich };
    return { kind: rule === 'status' ? 'error-status' : 'error-shape', detail: ofWhich };
  },
  body: ({ finding, ofWhich }) => readBody(finding, ofWhich),
  equals: ({ field }) => ({ kind: 'changed', fields: [field ?? 'body'] }),
  'expected-body': ({ field, rule, actual }) => {
    if (field !== undefined) return { kind: 'changed', fields: [field] };
    return rule === 'type' ? { kind: 'body-type', detail: typeOf(actual) } : undefined;
  },
  record: readRecord,
  records: readRecord,
  'own-records': readRecord,
  'error-leak': () => ({ kind: 'error-leak' }),
  validators: ({ rule }) => (rule === KEPT_TAG ? { kind: 'stale', detail: rule } : { kind: 'part' }),
};

function readWhat(found: Found): What {
  const { check, rule, at, actual } = found.finding;
  if (isErrorAsSuccess(found.exchange)) return { kind: 'error-as-success' };
  if (rule.endsWith(' write only')) return { kind: 'write-only', fields: [at.split('/').at(-1) ?? ''] };
  const ofWhich = (found.exchange.response?.status ?? 0) >= 400 ? 'error' : 'success';
  const read = READERS[check]?.({ ...found, at, actual, rule, field: namesIn(at).at(-1), ofWhich });
  return read ?? { kind: 'other', detail: `${check} ${rule} ${star(at)}` };
}

function readCrash(found: Found): What {
  const { exchange, finding } = found;
  if (finding.rule === SERVED_AGAIN) return { kind: 'crash', detail: SERVED_AGAIN };
  if (asksForAbsent(found)) return { kind: 'crash', detail: 'absent' };
  if (showsWrongKey(exchange.request.auth)) return { kind: 'crash', detail: 'key' };
  return { kind: 'crash', detail: exchange.request.breaks === undefined ? 'valid' : 'invalid' };
}

function readStatus(found: Found): What {
  const { finding, exchange, status } = found;
  const { request, operationId } = exchange;
  if (operationId !== undefined && isStatus(status, '5XX')) return readCrash(found);
  const ofRecord = found.scenario.about === undefined ? undefined : readRecordStatus(found);
  if (ofRecord !== undefined) return ofRecord;
  const isServed = isStatus(status, '2XX');
  if (request.auth === 'second')
    return isServed ? { kind: 'access' } : { kind: 'refusal-status', detail: `second ${status}` };
  if (request.auth === 'lackingScope')
    return isServed ? { kind: 'scope-accepted' } : { kind: 'refusal-status', detail: `scope ${status}` };
  if (finding.rule === 'key-refused' || (status === '401' && !wants(found, '401')))
    return { kind: 'key-refused', detail: status };
  const wantsSuccess = wants(found, '2XX');
  const isForKeyAlone = showsWrongKey(request.auth) && request.breaks === undefined && request.asksUnknown !== true;
  if (!wantsSuccess && (wants(found, '401') || isForKeyAlone))
    return isServed ? { kind: 'key-accepted' } : { kind: 'key-status', detail: status };
  if (wantsSuccess && (isServed || isStatus(status, '3XX'))) {
    const isThere = wants(found, '404') && request.asksUnknown === true && isServed;
    return isThere ? { kind: 'accepted' } : { kind: 'success-status', detail: status };
  }
  if (wantsSuccess && !wants(found, '404')) return { kind: 'refused', detail: status };
  if (isServed && operationId !== undefined) return { kind: 'accepted' };
  const due = wantsSuccess ? '404' : (finding.wanted?.[0] ?? '');
  return { kind: 'refusal-status', detail: `${due} ${status}` };
}

function readRecordStatus(found: Found): What | undefined {
  const { exchange, asks, status, before, finding } = found;
  const { method, path, auth, breaks = [], asksFor } = exchange.request;
  const isServed = isStatus(status, '2XX');
  if (isStatus(status, '404', '410') && method !== 'POST') {
    const isDue = wants(found, '404') || asks === 'new' || asks === 'absentParent';
    const isOfQuery = breaks.some(({ at }) => at.startsWith('query'));
    if (auth === 'valid' && !isOfQuery && !isDue && asksFor !== undefined) return { kind: 'missing' };
  }
  const wantsUnchanged = finding.wanted?.length !== 0 && finding.wanted?.every((each) => each === '304') === true;
  if ((status === '304' && !showsWrongKey(auth)) || wantsUnchanged) return { kind: 'stale' };
  if (asks === 'refused' && isServed) return { kind: 'stored-rejected' };
  if (!isServed || method === 'POST' || !wants(found, '404')) return undefined;
  if (before.some(({ request }) => request.method === 'DELETE' && request.path === path))
    return { kind: 'still-there' };
  return asks === 'apart' ? { kind: 'leaked' } : undefined;
}

function readBody(finding: Finding, ofWhich: string): What {
  const { at, rule, actual } = finding;
  if (rule === 'present') return { kind: 'no-body', detail: ofWhich };
  if (rule === ENVELOPE) return { kind: 'envelope' };
  if (at.startsWith('header/')) return { kind: 'header', fields: [at.slice('header/'.length)], detail: rule };
  const names = namesIn(at);
  const field = names.at(-1);
  if (field === undefined) return { kind: 'body-type', detail: typeOf(actual) };
  if (rule === 'required') return { kind: 'missing-fields', fields: [field] };
  if (FORBIDS.has(rule)) return { kind: 'undefined-field', fields: [field] };
  const map = readPath(finding);
  if (map.at(-1) === ENTRY)
    return { kind: 'field-value', fields: [map.at(-2) ?? ''], detail: `${typeOf(actual)} ${ENTRY}` };
  return { kind: 'field-value', fields: [field], detail: typeOf(actual) };
}

const FORBIDS = new Set(['additionalProperties', 'unevaluatedProperties']);

export const ENTRY = '*';

export function readPath({ contract, rule, at }: Finding): string[] {
  const parts = (contract?.pointer ?? '').split('/');
  const within = parts.flatMap((part, index) => {
    if (parts[index - 1] === 'properties') return [part];
    const isOfEntries = part === 'additionalProperties' && index < parts.length - 1;
    return isOfEntries && parts[index - 2] === 'properties' ? [ENTRY] : [];
  });
  return rule === 'required' || FORBIDS.has(rule) ? [...within, at.split('/').at(-1) ?? ''] : within;
}

const OF_RECORDS: Readonly<Record<string, FailureKind>> = {
  key: 'wrong-record',
  'new-key': 'key-twice',
  limit: 'too-many',
  full: 'short-page',
  filter: 'filter',
  distinct: 'twice',
  present: 'missing',
  covers: 'left-out',
  absent: 'still-there',
  total: 'total',
  once: 'stored-twice',
  more: 'left-out',
  refused: 'stored-rejected',
  location: 'location',
  parent: 'parent',
  order: 'order',
};
const OF_FIELDS: Readonly<Record<string, FailureKind>> = {
  ' dropped': 'not-removed',
  ' read only': 'read-only',
  ' default': 'default',
  ' taken': 'taken',
};
const OF_LISTS = new Set(['filter', 'present', 'absent', 'covers', 'more']);

function readRecord(found: Found): What {
  const { finding, asks, scenario } = found;
  const { rule, at } = finding;
  if (found.exchange.request.auth === 'second' && rule === 'absent') return { kind: 'access' };
  const filter = scenario.about?.filter;
  const isRemoved = rule === 'absent' && listRemoved(found).length > 0;
  if (filter !== undefined && OF_LISTS.has(rule) && !isRemoved) return { kind: 'filter', fields: [filter] };
  if (rule === 'absent' && asks === 'apart') return { kind: 'leaked' };
  const field = at.split('/').at(-1) ?? '';
  const ofField = OF_FIELDS[/ (?:dropped|read only|default|taken)$/.exec(rule)?.[0] ?? ''];
  if (ofField !== undefined) return { kind: ofField, fields: ofField === 'not-removed' ? [] : [field] };
  const kind = OF_RECORDS[rule];
  if (kind !== undefined) return { kind, fields: kind === 'filter' || kind === 'order' ? [field] : [] };
  return { kind: asks === 'merged' ? 'not-merged' : 'not-as-sent', fields: [fieldOfRule(rule)] };
}

export function asksForAbsent(found: Found): boolean {
  if (found.asks === 'absent' || found.asks === 'apart' || found.asks === 'refused') return true;
  return listRemoved(found).includes(found.exchange.request.path) || isBelowRemoved(found);
}

export function isBelowRemoved(found: Found): boolean {
  return listRemoved(found).some((path) => found.exchange.request.path.startsWith(`${path}/`));
}

function listRemoved({ before }: Found): string[] {
  return before.flatMap(({ request, response }) =>
    request.method === 'DELETE' && isStatus(response?.status, '2XX') ? request.path : [],
  );
}

export const isOfMany = ({ rule }: Finding): boolean => rule === NOW_AND_THEN;

function lacksRecords({ finding, status }: Found): boolean {
  if (isStatus(status, '404', '410') && wants({ finding }, '2XX')) return true;
  const isOfList = ['present', 'missing', 'covers', 'full', 'whole', 'more', 'total'].includes(finding.rule);
  return isOfList && finding.check !== 'body' && finding.at.startsWith('body');
}

function isErrorAsSuccess({ response }: Pick<ExchangeResult, 'response'>): boolean {
  if (response === undefined || !isStatus(response.status, '2XX')) return false;
  // A service that puts every record into a list of its own puts its errors there too.
  return /^(?:\[\s*)?\{/.test(response.body) && ERROR_MEMBERS.every((each) => each.test(response.body));
}

const ERROR_MEMBERS = [/(["'])code\1\s*:\s*["']/, /(["'])message\1\s*:\s*["']/, /(["'])status\1\s*:\s*-?\d/];

/**
 * The most important first: a request gets no response; somebody gets in, or learns what is not for them; data is lost or changed; other
 * failures; defects of form, which few clients notice.
 */
const [fails, leaks, loses, wrong, slight] = [0, 1, 2, 3, 4];

/** `scope`: what one cause has in common; services check keys, and write errors, in one place. `checked`: a noun phrase. */
function describe(severity: number, scope: 'service' | 'operation' | 'resource', checked: string) {
  return { severity, scope, checked };
}

export const KINDS = {
  unanswered: describe(fails, 'service', 'complete response'),
  crash: describe(fails, 'operation', 'status below 500'),
  'key-accepted': describe(leaks, 'service', 'rejection of a missing or wrong key'),
  'scope-accepted': describe(leaks, 'service', 'rejection of a token without the scope'),
  access: describe(leaks, 'resource', 'rejection of a second credential'),
  'error-leak': describe(leaks, 'service', 'errors about one request alone'),
  'key-echo': describe(leaks, 'service', 'no API key in a response'),
  'key-status': describe(slight, 'service', 'status 401 for a missing or wrong key'),
  'key-refused': describe(wrong, 'service', 'acceptance of a valid key'),
  'error-as-success': describe(wrong, 'service', 'status of an error'),
  'success-status': describe(wrong, 'operation', 'status of a success'),
  refused: describe(wrong, 'operation', 'acceptance of a valid request'),
  accepted: describe(wrong, 'operation', 'rejection of an invalid request'),
  'refusal-status': describe(slight, 'operation', 'status of a rejection'),
  'not-json': describe(wrong, 'service', 'JSON body'),
  'no-body': describe(wrong, 'service', 'body'),
  'content-type': describe(slight, 'service', 'media type'),
  'error-shape': describe(slight, 'service', 'Error body'),
  'error-status': describe(slight, 'service', '`status` in the Error body'),
  envelope: describe(wrong, 'service', 'body without an envelope'),
  'body-type': describe(wrong, 'operation', 'type of the body'),
  'missing-fields': describe(wrong, 'service', 'required field'),
  'field-value': describe(wrong, 'service', 'value by the schema'),
  'undefined-field': describe(wrong, 'service', 'no field beside the schema'),
  header: describe(slight, 'service', 'header field'),
  'body-forbidden': describe(slight, 'operation', 'no body where HTTP has none'),
  changed: describe(loses, 'service', 'unchanged value'),
  flaky: describe(loses, 'service', 'equal responses to equal requests'),
  other: describe(slight, 'service', 'contract'),
  'not-as-sent': describe(loses, 'resource', 'value as it was sent'),
  'not-removed': describe(loses, 'resource', 'removal of what a replacement leaves out'),
  'not-merged': describe(loses, 'resource', 'merge patch'),
  'wrong-record': describe(loses, 'resource', 'record that was asked for'),
  'key-twice': describe(loses, 'resource', 'a key for each record'),
  'too-many': describe(loses, 'resource', 'limit'),
  'short-page': describe(loses, 'resource', 'full page'),
  filter: describe(loses, 'resource', 'filter'),
  twice: describe(loses, 'resource', 'each record once'),
  missing: describe(loses, 'resource', 'created record'),
  'left-out': describe(loses, 'resource', 'complete list'),
  'still-there': describe(loses, 'resource', 'absence of a deleted record'),
  leaked: describe(leaks, 'resource', 'records of one parent alone'),
  total: describe(loses, 'resource', 'total'),
  'stored-twice': describe(loses, 'resource', 'one record for one create'),
  stale: describe(loses, 'resource', 'validator'),
  part: describe(wrong, 'operation', 'part of the whole'),
  'read-only': describe(loses, 'resource', 'read-only field'),
  'write-only': describe(leaks, 'service', 'write-only field'),
  default: describe(loses, 'resource', 'default'),
  'stored-rejected': describe(loses, 'resource', 'absence of what was rejected'),
  location: describe(loses, 'resource', '`Location`'),
  order: describe(loses, 'resource', 'order'),
  parent: describe(loses, 'resource', 'parent of a record'),
  taken: describe(loses, 'resource', 'unique value'),
} as const;

export type FailureKind = keyof typeof KINDS;
