import { resourceOf } from '../../model/resource-of.js';
import { any, each as some, whole, type Follows } from '../follows/follows.js';
import type { Group } from '../group.js';
import { endsAlike, isInside, partsOf } from './places.js';
import type { Occurrence } from '../occurrence.js';
import { star, type Topic } from '../sign.js';
import { isByAnotherName } from '../follows/by-another-name.js';
import { isKeptValue } from '../follows/of-refused.js';
import { isOfFilter, isOfFilterBy, isOfLacking, isOfTotal, isTotal } from './of-lists.js';
import { isOfAbsentRecord, isOfLaterPage, isOfResource, type RecordKind } from './record-sign.js';

/** If fields are lost, one that the answers must have is lost for the same reason. */
const ofLostFields = whole(
  (effect, cause) =>
    effect.sign.topic === 'missing-fields' &&
    cause.sign.field?.includes(' ') === true &&
    cause.occurrences.some((other) => other.finding.actual === 'absent' && isOfSameExchange(other, effect)),
);

/** What follows from which problem with the records of any resource; the rules that explain the most come first. */
export const RECORD_CONSEQUENCES: readonly (readonly [cause: Topic, follows: Follows])[] = [
  [
    'accepted',
    any(
      some(['field-value', 'missing-fields', 'body-type'], isSentValue),
      some(['record'], (found, cause) => isOfSameScenario(found, cause) || isChosenValue(found, cause)),
    ),
  ],
  ['record', any(some(['field-value', 'missing-fields', 'body-type'], isKeptValue), some(['header'], isOfTotal))],
  ['accepted', any(some(['record', 'field-value', 'missing-fields'], isOfVictim), some(['record'], isOfUnknownKey))],
  ['accepted', some(['refusal-status'], isOfStaleTag)],
  ['key-accepted', some(['record', 'refused', 'lost'], isOfSameScenario)],
  ['scope-accepted', some(['record', 'refused', 'lost'], isOfSameScenario)],
  ['refusal-status', some(['refusal-status'], isOfSameAbsence)],
  ['record', some(['missing-fields'], isOfUnmerged)],
  ['changed', some(['record'], isOfSameField)],
  ['field-value', any(some(['record'], isOfSameField), some(['record', 'missing-fields'], isByAnotherName))],
  ['missing-fields', any(some(['record'], isOfSameField), some(['record'], isOfUnnamed))],
  ['body-type', some(['record'], isOfSameExchange)],
  ['record', any(some(['record'], isOfKind), some(['refused'], isOfLostParent), ofLostFields)],
];

/** One place of a service says what is answered where a record is not there, whatever is asked of it. */
function isOfSameAbsence(found: Occurrence, { occurrences }: Group): boolean {
  const isLike = (other: Occurrence): boolean =>
    isOfAbsentRecord(other) && other.finding.actual === found.finding.actual && haveSameResource(other, found);
  return isOfAbsentRecord(found) && occurrences.some(isLike);
}

/** A change that was taken gave the record another ETag than the one that was read for the next. */
function isOfStaleTag(found: Occurrence, cause: Group): boolean {
  return found.finding.actual === '412' && isOfSameOperation(found, cause);
}

/** What was sent, and should have been refused, shows in later answers. */
function isSentValue(found: Occurrence, { occurrences }: Group): boolean {
  const { finding, exchange } = found;
  const place = partsOf(finding.at);
  const taken = occurrences.filter((each) =>
    (each.exchange.request.breaks ?? []).some(({ at, rule, actual }) => {
      const isThere = endsAlike(partsOf(at), place);
      const isShown = rule === 'required' || rule === finding.rule || shows(actual, finding.actual, place.at(-1));
      return (isThere && isShown) || (rule === 'additionalProperties' && isInside(partsOf(at), actual, finding));
    }),
  );
  // An answer before it, or with more of them than were sent, has them for a reason of its own.
  const sent = taken.filter((each) => (each.exchange.startedAt ?? '') <= (exchange.startedAt ?? ''));
  return isOfResource(found) && countAlike(found) <= new Set(sent.map((each) => each.exchange)).size;
}

/** A filter may choose what should have been refused: what it means by it, no contract says. */
function isChosenValue(found: Occurrence, cause: Group): boolean {
  return found.finding.rule === 'filter' && isSentValue(found, cause);
}

/** In how many items of its answer something is. */
function countAlike({ finding, exchange }: Occurrence): number {
  return exchange.findings
    .filter(({ check, rule, at }) => check === finding.check && rule === finding.rule && star(at) === star(finding.at))
    .reduce((sum, { more = 0 }) => sum + 1 + more, 0);
}

/** A field that a request may not have is told with its name. */
function shows(sent: string, shown: string, field = ''): boolean {
  return sent === shown || sent === `{${JSON.stringify(field)}:${shown}}`;
}

/** A request that should be refused changes what later steps look at. */
function isOfSameScenario({ scenario }: Occurrence, { occurrences }: Group): boolean {
  return occurrences.some((other) => other.scenario.id === scenario.id);
}

/** A value of another kind than the contract has differs from what was sent, and fits no filter. */
function isOfSameField({ finding, scenario }: Occurrence, { sign, occurrences }: Group): boolean {
  const fields = sign.field?.split(' ') ?? [];
  const isOf = partsOf(finding.at).some((part) => fields.includes(part)) || fields.includes(finding.rule);
  return isOf && occurrences.some((other) => resourceOf(other.scenario.id) === resourceOf(scenario.id));
}

/** What an object must have is missing where a merge patch did not name it. */
function isOfUnmerged(found: Occurrence, { sign, occurrences }: Group): boolean {
  const isOf = sign.detail?.endsWith(' not-merged') === true && partsOf(found.finding.at).includes(sign.field ?? '');
  return isOf && occurrences.some((other) => haveSameResource(other, found));
}

/** A record of which the key is missing is found nowhere. */
function isOfUnnamed(found: Occurrence, cause: Group): boolean {
  return OF_LISTS.has(found.finding.rule) && isOfSameOperation(found, cause);
}

const OF_LISTS: ReadonlySet<string> = new Set(['present', 'covers', 'distinct', 'filter']);

function isOfSameOperation({ exchange }: Occurrence, { occurrences }: Pick<Group, 'occurrences'>): boolean {
  return occurrences.some((other) => other.exchange.operationId === exchange.operationId);
}

function isOfSameExchange({ exchange }: Occurrence, { occurrences }: Group): boolean {
  return occurrences.some((other) => other.exchange === exchange);
}

/** What is answered for a key that no record has is answered for one that is gone. */
function isOfUnknownKey(found: Occurrence, { occurrences }: Group): boolean {
  const isUnknown = occurrences.some(({ scenario }) => scenario.id.endsWith('/records/unknown'));
  return isUnknown && found.finding.at === 'status' && isOfSameOperation(found, { occurrences });
}

/** An invalid change that is taken changes the record that all requests of its table are tried on. */
function isOfVictim({ scenario }: Occurrence, { occurrences }: Group): boolean {
  const table = tableOf(scenario.id);
  return (
    VICTIMS.test(table) &&
    occurrences.some((other) => VICTIMS.test(tableOf(other.scenario.id)) && haveSameResource(other, { scenario }))
  );
}

const VICTIMS = /\/refusals\/(?:update|replace)$/;

type Named = Pick<Occurrence, 'scenario'>;

function haveSameResource(one: Named, other: Named): boolean {
  return resourceOf(one.scenario.id) === resourceOf(other.scenario.id);
}

function tableOf(id: string): string {
  return id.replace(/\[.*\]$/, '');
}

/** What a kind of problem explains of the same resource. */
const FOLLOWING: Readonly<Partial<Record<RecordKind, (found: Occurrence, cause: Group) => boolean>>> = {
  changed: (found, cause) =>
    isMergeOf(found, cause) ||
    found.finding.rule.endsWith(' dropped') ||
    found.finding.rule === 'once' ||
    isOfChangedFilter(found, cause) ||
    isOfSameDefault(found, cause),
  // A filter that lets records through does so on every page.
  filter: (found, { sign }) => isOfLaterPage(found) && isOfFilterBy(found.scenario, sign.field),
  // What was changed or removed by way of another parent.
  leaked: isOfSameScenario,
  // What was removed in its place is missing.
  there: (found, cause) =>
    (found.finding.rule === 'absent' && isOfFilter(found.scenario)) || isOfSameScenario(found, cause),
  'wrong-key': (found, cause) =>
    isOfSameOperation(found, cause) ||
    (changesRecords(cause) && (isOfChange(found) || found.finding.resource !== undefined)),
  'too-many': (found, cause) =>
    isOfSameOperation(found, cause) && (found.finding.rule === 'distinct' || isTotal(found, 'less')),
  twice: (found, cause) =>
    (isOfSameOperation(found, cause) && (isTotal(found, 'less') || isOfLacking(found))) ||
    (isKeptTwice(cause) && (isOfSameOperation(found, cause) || found.finding.at === 'status')),
  'left-out': (found, cause) => isOfSameOperation(found, cause) && (isTotal(found, 'more') || isOfLacking(found)),
  // Pages end where the total says that they do.
  total: ({ finding }, cause) =>
    (isOfLacking({ finding }) && cause.occurrences.some((other) => isTotal(other, 'less'))) ||
    (finding.rule === 'distinct' && cause.occurrences.some((other) => isTotal(other, 'more'))),
  // Of records that share a key, nothing else can be told.
  'key-twice': () => true,
  missing: (found, cause) => isNeverThere(cause) || (isOfLacking(found) && isOfFilter(found.scenario)),
};

/** A change that meets another record leaves the one that is meant as it was. */
function changesRecords({ occurrences }: Group): boolean {
  return occurrences.some(({ exchange }) => ['PUT', 'PATCH'].includes(exchange.request.method));
}

function isOfChange({ scenario: { id } }: Occurrence): boolean {
  return /\/(?:changes|requests|refusals)\//.test(id) || id.endsWith('/records/create-full');
}

/** A record that is stored twice is listed twice, of one that changes or is removed the other stays. */
function isKeptTwice({ occurrences }: Group): boolean {
  return occurrences.some(({ scenario }) => !scenario.id.includes('/lists/'));
}

/** If not even the first record can be fetched, nothing that is asked of records says anything else. */
function isNeverThere({ occurrences }: Group): boolean {
  return occurrences.some(({ scenario }) => scenario.id.endsWith('/records/get'));
}

/** A field that is not what it was made is not merged either. */
function isMergeOf({ scenario: { id } }: Occurrence, { sign }: Group): boolean {
  return (sign.field?.split(' ') ?? []).some((field) => id.endsWith(`/changes/merge-inside[${field}]`));
}

/** A filter by a field that is not what it was made, or of a list that shows several fields so. */
function isOfChangedFilter(found: Occurrence, { sign, occurrences }: Group): boolean {
  const fields = sign.field?.split(' ') ?? [];
  const isOf = fields.some((field) => isOfFilterBy(found.scenario, field));
  return isOfFilter(found.scenario) && (isOf || (fields.length > 1 && isOfSameOperation(found, { occurrences })));
}

/** A field that has one value whatever is sent has it too where nothing is sent. */
function isOfSameDefault({ finding: { rule, actual } }: Occurrence, { sign, occurrences }: Group): boolean {
  const [, field = ''] = /^(.*) default$/.exec(rule) ?? [];
  return (sign.field?.split(' ') ?? []).includes(field) && occurrences.some(({ finding }) => finding.actual === actual);
}

function isOfKind(found: Occurrence, cause: Group): boolean {
  const [, kind = ''] = cause.sign.detail?.split(' ') ?? [];
  const isOf = cause.occurrences.some((other) => haveSameResource(other, found));
  return isOf && FOLLOWING[kind as RecordKind]?.(found, cause) === true;
}

/** What belongs to a record that cannot be found, or refers to it, is refused. */
function isOfLostParent({ exchange }: Occurrence, { sign, occurrences }: Group): boolean {
  return (
    sign.detail?.endsWith(' missing') === true &&
    isNeverThere({ sign, occurrences, consequences: [] }) &&
    exchange.request.breaks === undefined
  );
}
