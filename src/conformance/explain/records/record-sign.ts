import { fieldOfRule } from '../../model/record-rules.js';
import { resourceOf, type Occurrence } from '../occurrence.js';
import { says, wants, wantsOnly } from '../statuses.js';

export type RecordKind =
  | 'changed'
  | 'kept-old'
  | 'not-merged'
  | 'wrong-key'
  | 'key-twice'
  | 'too-many'
  | 'short'
  | 'filter'
  | 'later-pages'
  | 'twice'
  | 'missing'
  | 'left-out'
  | 'there'
  | 'leaked'
  | 'total'
  | 'more-than-once'
  | 'stale'
  | 'read-only'
  | 'write-only'
  | 'default'
  | 'refused'
  | 'address'
  | 'order'
  | 'parent'
  | 'taken';

/** By the rule of the check; any other rule means a field with another value than it was given. */
const KINDS: Readonly<Record<string, RecordKind>> = {
  key: 'wrong-key',
  'new-key': 'key-twice',
  limit: 'too-many',
  full: 'short',
  filter: 'filter',
  distinct: 'twice',
  present: 'missing',
  covers: 'left-out',
  absent: 'there',
  total: 'total',
  once: 'more-than-once',
  more: 'left-out',
  refused: 'refused',
  location: 'address',
  parent: 'parent',
  order: 'order',
};

const WRITE_ONLY = ' write only';

/** By what follows the name of a field in a rule. */
const KINDS_OF_FIELDS: Readonly<Record<string, RecordKind>> = {
  ' dropped': 'kept-old',
  ' read only': 'read-only',
  ' default': 'default',
  ' changed': 'changed',
  ' taken': 'taken',
};

/** What a list has or lacks, which is a matter of its filter if it has one. */
const OF_LISTS = new Set(['filter', 'present', 'absent', 'covers', 'more']);

/** The parameter by which a list of the scenario is filtered. The answer that shows what is wrong may be the whole list. */
export function readFilter({ scenario }: Occurrence): string | undefined {
  return scenario.about?.filter;
}

/** Whether a record that does not fit stands on a page after the first: services turn pages in one place for all filters. */
export function isOfLaterPage(each: Occurrence): boolean {
  const { rule } = each.finding;
  const isOfOther = rule === 'absent' && !isOfRemoval(each) && readFilter(each) !== undefined;
  return (rule === 'filter' || isOfOther) && each.place.exchange > 0;
}

/** Whether the scenario has removed something before. */
function isOfRemoval(each: Occurrence): boolean {
  return listRemoved(each).length > 0;
}

const OF_FIELDS = new Set<RecordKind>(['filter', 'read-only', 'default', 'order', 'taken']);

export interface RecordSign {
  topic: 'record';
  /** The resource and the {@link RecordKind}. */
  detail: string;
  field?: string;
}

/** What is write only leaks in all answers at once, also where the record is made for scenarios of another resource. */
export function readLeak({ finding }: Occurrence): RecordSign | undefined {
  if (!finding.rule.endsWith(WRITE_ONLY)) return undefined;
  return { topic: 'record', detail: ' write-only', field: finding.at.split('/').at(-1) ?? '' };
}

export function isOfResource({ scenario }: Occurrence): boolean {
  return scenario.about !== undefined;
}

/** What is asked for where nothing is there. */
const OF_ABSENT: ReadonlySet<Occurrence['asks']> = new Set(['absent', 'apart', 'refused'] as const);

/** Whether a request asks for a record of a resource that is not there. */
export function isOfAbsentRecord(each: Occurrence): boolean {
  return isOfRemoved(each) || isBelowRemoved(each) || OF_ABSENT.has(each.asks);
}

/** Whether the scenario has removed before what a request asks for. */
function isOfRemoved(each: Occurrence): boolean {
  return listRemoved(each).includes(each.exchange.request.path);
}

/** Whether the scenario has removed before that to which belongs what a request asks for. */
export function isBelowRemoved(each: Occurrence): boolean {
  return listRemoved(each).some((path) => each.exchange.request.path.startsWith(`${path}/`));
}

function listRemoved({ scenario, exchange }: Occurrence): string[] {
  const exchanges = scenario.steps.flatMap((step) => step.exchanges);
  return exchanges
    .slice(0, exchanges.indexOf(exchange))
    .filter(({ request, response }) => request.method === 'DELETE' && isDone(response?.status))
    .map(({ request }) => request.path);
}

/** Whether the scenario was to remove before what a request asks for, whatever came of it. */
function isOfRemoving({ scenario, exchange }: Occurrence): boolean {
  const exchanges = scenario.steps.flatMap((step) => step.exchanges);
  return exchanges
    .slice(0, exchanges.indexOf(exchange))
    .some(({ request }) => request.method === 'DELETE' && request.path === exchange.request.path);
}

/** Whether the scenario was to remove something below another parent before. */
function isOfRemovingApart({ scenario, exchange }: Occurrence): boolean {
  const end = scenario.steps.findIndex(({ exchanges }) => exchanges.includes(exchange));
  return scenario.steps
    .slice(0, end)
    .some(({ asks, exchanges }) => asks === 'apart' && exchanges.some(({ request }) => request.method === 'DELETE'));
}

function isDone(status = 0): boolean {
  return status >= 200 && status < 300;
}

/** A defect of a resource shows only in its own answers. */
export function readRecordSign(each: Occurrence): RecordSign {
  const { finding, asks } = each;
  const { rule } = finding;
  if (isOfLaterPage(each)) return sign(each, 'later-pages');
  const isRemoved = rule === 'absent' && isOfRemoval(each);
  const filter = OF_LISTS.has(rule) && !isRemoved ? readFilter(each) : undefined;
  if (filter !== undefined) return sign(each, 'filter', filter);
  const isAmongOthers = rule === 'absent' && asks === 'apart';
  const kind = isAmongOthers ? 'leaked' : (KINDS[rule] ?? KINDS_OF_FIELDS[/ .*$/.exec(rule)?.[0] ?? ''] ?? 'changed');
  if (kind === 'changed' && asks === 'merged') return sign(each, 'not-merged', fieldOfRule(rule));
  const field =
    kind === 'changed' ? fieldOfRule(rule) : OF_FIELDS.has(kind) ? (finding.at.split('/').at(-1) ?? '') : undefined;
  return sign(each, kind, field);
}

/**
 * What a status says about a record: that it does not exist, or still does. `undefined` if it says something about the
 * request.
 */
export function readRecordStatus(each: Occurrence): RecordSign | undefined {
  const { exchange, asks } = each;
  if (!isOfResource(each)) return undefined;
  // What is wrong with the query of a list may be no such page.
  const isOfQuery = exchange.request.breaks?.some(({ at }) => at.startsWith('query')) === true;
  // One way to say that there is no record for another, and a PUT that should make one, lose none.
  const isDue = wants(each, '404') || asks === 'new' || asks === 'absentParent';
  // What was removed below another parent was found there.
  const isGone = says(each, '404', '410') && exchange.request.method !== 'POST';
  if (isGone && isOfRemovingApart(each)) return sign(each, 'leaked');
  // Only what was created, or shown, can be missing.
  const wasThere = exchange.request.asksFor !== undefined;
  if (isGone && exchange.request.auth === 'valid' && !isOfQuery && !isDue && wasThere) return sign(each, 'missing');
  if (says(each, '304') || wantsOnly(each, '304')) return sign(each, 'stale');
  if (asks === 'refused' && says(each, '2XX')) return sign(each, 'refused');
  const asksAgain = wants(each, '404') && exchange.request.method !== 'POST';
  if (!asksAgain || !says(each, '2XX')) return undefined;
  if (isOfRemoving(each)) return sign(each, 'there');
  return asks === 'apart' ? sign(each, 'leaked') : undefined;
}

function sign({ scenario, finding }: Occurrence, kind: RecordKind, field?: string): RecordSign {
  const resource = finding.resource ?? resourceOf(scenario);
  return { topic: 'record', detail: `${resource} ${kind}`, ...(field === undefined ? {} : { field }) };
}
