// What of a record the service takes, where it refused the first one.
import { sameJson } from '../../../contract/document/same-json.js';
import type { ExchangeResult } from '../../model/result.js';
import type { Scenario } from '../../model/scenario.js';
import { describeTaker } from '../../subjects/bind-expectations.js';
import { fillNouns, type Binding } from '../../subjects/binding.js';
import { listInvented } from '../../subjects/certainty.js';
import { bindAgain } from '../../language/load-role-scenarios.js';
import type { MadeRecords, RecordTemplate } from '../../subjects/records/made-records.js';
import { leastOf, listOtherTrials, otherOf, type Trial } from '../../subjects/records/remake.js';
import { isOwnText, uniqueOfPattern } from '../../subjects/records/unique-texts.js';
import { findViolation } from '../../subjects/request-body.js';
import { joinSteps } from '../join-steps.js';
import { findEnd } from '../progress.js';
import type { Run } from '../run.js';
import { runScenario, type ScenarioOutcome } from '../run-scenario.js';
import { madeBefore, type FirstRecord } from './describe-founding.js';
import {
  NO_MORE,
  type Search,
  AHEAD,
  moveAhead,
  readTime,
  roundTimes,
  set,
  varyPatterns,
  varyTexts,
} from './vary-trials.js';
import { comesFromAnswer, escape } from '../../wire/request/template.js';
import { isSecretName } from '../../../redact/secret-names.js';
import { readShown, type ShownRecord } from '../../ledger/shown-records.js';
import { readBody } from '../../wire/http/read-body.js';
import { askRole } from '../../confirm/ask-role.js';
import { findReferred, readSubjects, type Field, type Subject } from '../../subjects/subject.js';
import { parseJson, printJson } from '../../../contract/document/json.js';
import { listOthers } from '../../subjects/records/fit-record.js';
import { listNamed, listOtherNames } from '../../judge/read-refusal.js';

/** What is about the credentials, the method, the media type or the rate, or comes from no service: the record is no reason. */
const OF_ELSE = new Set([401, 402, 403, 405, 406, 411, 415, 429, 501, 502, 503, 504]);

/** Where a smaller record was taken, 403 may be about one to which this one refers. */
const HIDDEN = 403;

/** What the service said to the create that it refused, or failed at; `undefined` if the record can be no reason. */
export function readRefusal({ result }: ScenarioOutcome, part: FirstRecord | undefined): string | undefined {
  const response = listExchanges(result).at(-1)?.response;
  if (response === undefined) return undefined;
  const isError = response.status >= 400 && !OF_ELSE.has(response.status);
  const isOfRecord = isError || (response.status === HIDDEN && part !== 'least');
  return isOfRecord ? response.body : undefined;
}

/** What was said without the values that it repeats, which are no names of fields: `DNS Name 'cfabcde' is not canonical`. */
function leaveValues(said: string, { result }: ScenarioOutcome, { fields }: Subject): string {
  const sent = parseJson(listExchanges(result).at(-1)?.request.body ?? '');
  const values = sent.ok ? listTexts(sent.value) : [];
  const isValue = (text: string): boolean => text.length > 3 && fields.every(({ name }) => name !== text);
  return values.filter(isValue).reduce((left, text) => left.replaceAll(text, ''), said);
}

function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : [];
}

export function listExchanges({ steps }: ScenarioOutcome['result']): ExchangeResult[] {
  return steps.flatMap(({ exchanges }) => exchanges);
}

interface Refusal {
  binding: Binding;
  part: FirstRecord;
  outcome: ScenarioOutcome;
  said: string;
}

export async function searchTaken(
  scenario: Scenario,
  { binding, part, outcome, said }: Refusal,
  run: Run,
): Promise<{ taken: Trial | undefined; outcome: ScenarioOutcome }> {
  const { made, subject, contract } = binding;
  const kept = [outcome];
  let last: Trial | undefined;
  const send = async (trial: Trial): Promise<string | undefined | typeof NO_MORE> => {
    const bound = bindAgain({ ...binding, made: tryIn(made, part, trial) }, scenario.id).get(scenario.id);
    if (bound === undefined || findEnd(run) !== undefined) return NO_MORE;
    const next = await runScenario({ ...scenario, steps: bound.steps }, run);
    last = next.usable ? trial : undefined;
    if (next.usable || failed(next)) kept.push(next);
    if (next.usable) return undefined;
    const again = readRefusal(next, part);
    return again === undefined ? NO_MORE : leaveValues(again, next, subject);
  };
  const { create } = subject.roles;
  const isAllowed = (plain: RecordTemplate): boolean =>
    create !== undefined && findViolation(plain, create, contract) === undefined;
  const others = part === 'least' ? await takeShown(binding, run) : [];
  const taken = await findTaken(
    part,
    { binding, said: leaveValues(said, outcome, subject), others },
    {
      fields: subject.fields,
      isAllowed,
      makeLike: (field, value) => uniqueOfPattern(value, field, contract),
      send,
    },
  );
  // Others refer to the record that was created last.
  if (taken !== undefined && last !== taken && (await send(taken)) !== undefined) return { taken: undefined, outcome };
  const shown = taken === undefined ? undefined : kept.at(-1);
  const isDeviated = outcome.result.verdict === 'deviated';
  // A failure is told whatever it is about.
  if (failed(outcome)) return { taken, outcome: join(kept, taken !== undefined) };
  if (shown !== undefined && taken !== undefined && isDeviated && mayRefuse(part, taken, binding))
    return { taken, outcome: part === 'other' ? shown : leaveOpen(shown, binding) };
  // With which other values a record is another, its scenario does not say.
  if (part === 'other' && shown !== undefined && !isDeviated) return { taken, outcome: shown };
  return { taken, outcome: join(kept, taken !== undefined) };
}

function findTaken(
  part: FirstRecord,
  { binding, said, others: shown }: Pick<Refusal, 'binding' | 'said'> & { others: readonly Trial[] },
  search: Omit<Search, 'whole' | 'references'>,
): Promise<Trial | undefined> {
  const { made } = binding;
  const { references } = listInvented(made.full, binding);
  const full = { full: made.full, plain: made.plain };
  const least = leastOf(made);
  if (part === 'other')
    return findOther(
      { trial: otherOf(made), said },
      { full, changed: made.changed },
      { ...search, references, whole: otherOf(made) },
    );
  const searching = { ...search, references, whole: full };
  const others = [...shown, ...listOtherTrials(binding)];
  return part === 'least'
    ? findLeast({ trial: least, said }, others, searching)
    : findFull({ trial: full, said }, { least, others }, searching);
}

/**
 * Whether a record that is taken differs from the refused one in nothing but what a service may refuse by a rule of its own: a
 * reference to what is not there, a text that has to be one of its words. The contract states no such rule, and nothing proves
 * that there is none, whatever status says so. Where nothing but a further field is needed, the contract does not require it.
 */
function mayRefuse(part: FirstRecord, { full }: Trial, { made, ...binding }: Binding): boolean {
  const before = madeBefore(part, made);
  const changed = Object.keys(before).filter((name) => !sameJson(before[name], full[name]));
  const { fields } = listInvented(before, binding);
  return changed.length > 0 && changed.every((name) => fields.includes(name));
}

/** What the smaller record shows is told; the whole one shows nothing. */
function leaveOpen(outcome: ScenarioOutcome, binding: Binding): ScenarioOutcome {
  if (outcome.result.verdict === 'deviated') return outcome;
  const reason = `needs ${fillNouns(describeTaker(binding), binding)}`;
  return { ...outcome, result: { ...outcome.result, verdict: 'inconclusive', reason } };
}

/** Only what the scenario itself sends. */
function tryIn(made: MadeRecords, part: FirstRecord, { full, plain }: Trial): MadeRecords {
  if (part === 'least') return { ...made, minimal: full };
  return part === 'full' ? { ...made, full, plain } : { ...made, other: full };
}

function failed({ result }: ScenarioOutcome): boolean {
  return listExchanges(result).some(({ response }) => response === undefined || response.status >= 500);
}

/** What the first request was to show stays open; what was seen wrong on the way is told. */
function join(outcomes: readonly ScenarioOutcome[], usable: boolean): ScenarioOutcome {
  const [first] = outcomes as [ScenarioOutcome];
  const told = outcomes.filter((each) => each === first || each.result.verdict === 'deviated');
  const deviating = told.find(({ result }) => result.verdict === 'deviated');
  const all = told.flatMap(({ result }) => result.steps);
  const steps = joinSteps(all, (id) => all.flatMap((step) => (step.id === id ? step.exchanges : [])));
  const { reason: _reason, ...result } = first.result;
  const own = deviating === undefined ? first.result : { ...result, verdict: 'deviated' as const };
  return { ...first, usable, result: { ...own, steps } };
}

// Keys of other records that a service shows: where it refuses those that a run makes up, there may be no others.

const KEY_OF_ANOTHER = /(?:^|[_-])(?:id|ref|fk)$|[a-z\d](?:Id|ID|Ref|Fk)$/;

/** `categoryId`, `owner_id`, `fk`; not `paid`, nor what may be secret, such as `api_key`. */
export function isKeyOfAnother(name: string): boolean {
  return KEY_OF_ANOTHER.test(name) && !isSecretName(name);
}

/** The smallest record with keys of others that there are: as the first record of its list has them, else of the lists of those. */
async function takeShown({ subject, made, contract }: Binding, run: Run): Promise<Trial[]> {
  const { full, plain } = leastOf(made);
  const own = await readFirst(subject, run);
  const others = readSubjects(contract);
  const taken: Record<string, unknown> = {};
  for (const name of Object.keys(full)) {
    if (name === subject.resource.key.property || comesFromAnswer(full[name]) || isSecretName(name)) continue;
    const field = subject.fields.find((each) => each.name === name);
    const other = field === undefined ? undefined : findReferred(field, subject, others);
    if (other === undefined && !isKeyOfAnother(name)) continue;
    const shown = own?.record[name] ?? (other === undefined ? undefined : (await readFirst(other, run))?.key);
    if (['number', 'bigint', 'string'].includes(typeof shown)) taken[name] = shown;
  }
  const other = { ...taken, ...listTextsOf(own?.record ?? {}, subject, made) };
  const trials = Object.keys(other).length > Object.keys(taken).length ? [taken, other] : [taken];
  return trials
    .filter((values) => Object.keys(values).length > 0)
    .map((values) => ({ full: { ...full, ...(escape(values) as RecordTemplate) }, plain: { ...plain, ...values } }));
}

/** The texts of a record that is there, where a run makes up its own: a service may take none but those, such as `local`. */
function listTextsOf(record: object, { fields, resource }: Subject, { minimal }: MadeRecords): Record<string, unknown> {
  const isMadeUp = ({ name, type, schema }: Field): boolean =>
    type === 'string' &&
    typeof minimal[name] === 'string' &&
    !comesFromAnswer(minimal[name]) &&
    schema['enum'] === undefined;
  const names = fields.filter((field) => isMadeUp(field) && !isOwnText(minimal[field.name])).map(({ name }) => name);
  const open = names.filter((name) => name !== resource.key.property && !isSecretName(name));
  return Object.fromEntries(
    Object.entries(record).filter(([name, value]) => open.includes(name) && typeof value === 'string'),
  );
}

/** The first record that a list shows. */
async function readFirst(subject: Subject, run: Run): Promise<ShownRecord | undefined> {
  const { list } = subject.roles;
  if (list === undefined || subject.resource.scope.length > 0) return undefined;
  const answer = await askRole(list, {}, run);
  const body = answer.kind === 'answered' && answer.status <= 299 ? readBody(answer) : undefined;
  return body?.kind === 'json' ? readShown({ subject, role: list }, body.value)[0] : undefined;
}

// Which record a service takes, where it refuses the one that the contract lets a run make.

interface Refused {
  trial: Trial;
  said: string;
}

/** What was taken, or the last that was refused. */
type Found = { taken: Trial } | Refused;

/** The smallest record that a service takes: with what a refusal misses, else another of those that there are, else changed. */
async function findLeast(first: Refused, others: readonly Trial[], search: Search): Promise<Trial | undefined> {
  const tried = new Set([printJson(first.trial.full)]);
  const once = trySeldom(search, tried);
  const longer = await mend(first, listAdditions, once);
  if ('taken' in longer) return longer.taken;
  let last: Refused = longer;
  const vary = (trial: Trial): Trial[] => [...moveAhead(trial, search), ...leaveReferences(trial, search)];
  for (const trial of [...vary(last.trial), ...others.flatMap((each) => [each, ...vary(each)])]) {
    const found = await attempt(trial, last, once);
    if ('taken' in found) return found.taken;
    last = found;
  }
  const list: List = (name, trial) => [...listAdditions(name, trial, search), ...listChanges(name, trial, search)];
  // The smallest one first: a further field is one more that a service may find wrong.
  const small = longer.trial === last.trial ? longer : await mend(longer, list, trySeldom(search, tried));
  if ('taken' in small) return small.taken;
  const mended = await mend(last, list, once);
  return 'taken' in mended ? mended.taken : undefined;
}

/** A service refuses a reference to what is not there, and may take each but once. */
function leaveReferences({ full, plain }: Trial, { references }: Search): Trial[] {
  if (!references.some((name) => Object.hasOwn(full, name))) return [];
  const leave = (record: RecordTemplate): RecordTemplate =>
    Object.fromEntries(Object.entries(record).filter(([name]) => !references.includes(name)));
  return [{ full: leave(full), plain: leave(plain) }];
}

/** The record with as many fields as a service takes beside those of the smallest. */
export async function findFull(
  first: Refused,
  { least, others }: { least: Trial; others: readonly Trial[] },
  search: Search,
): Promise<Trial | undefined> {
  const once = trySeldom(search);
  for (const alone of leaveReferences(first.trial, search)) {
    const found = await attempt(alone, first, once);
    if ('taken' in found) return found.taken;
  }
  const mended = await mend(first, listChanges, once);
  if ('taken' in mended) return mended.taken;
  for (const trial of [...varyPatterns(mended.trial, search), ...varyTexts(mended.trial, search), ...others]) {
    const found = await attempt(trial, mended, once);
    if ('taken' in found) return found.taken;
  }
  const more = Object.keys(search.whole.full).filter((name) => !Object.hasOwn(least.full, name));
  // One field may spoil all the others with it: as many tries as a search by halves takes to find a few of them.
  return grow(least, more, trySeldom(search, new Set(), Math.max(MOST_TRIES, more.length)));
}

/** The other record, with as many of its own values as a service takes in place of those of the first. */
async function findOther(
  first: Refused,
  { full, changed }: { full: Trial; changed: readonly string[] },
  search: Search,
): Promise<Trial | undefined> {
  const once = trySeldom(search);
  for (const trial of roundTimes(first.trial, search)) {
    const found = await attempt(trial, first, once);
    if ('taken' in found) return found.taken;
  }
  const names = [...listNamed(first.said, changed), ...changed];
  for (const name of new Set(names.slice(0, 1))) {
    const found = await attempt(put(first.trial, name, full), first, once);
    if ('taken' in found) return found.taken;
  }
  return grow(full, changed, once);
}

/** As many of these fields as are taken, tried by halves. */
async function grow(least: Trial, names: readonly string[], search: Search): Promise<Trial> {
  if (names.length === 0) return least;
  const halves = names.length === 1 ? [names] : [names.slice(0, names.length / 2), names.slice(names.length / 2)];
  let best = least;
  for (const half of halves) {
    const trial = half.reduce((all, name) => put(all, name, search.whole), best);
    const found = await attempt(trial, { trial, said: '' }, search);
    best = 'taken' in found ? found.taken : half.length === 1 ? best : await grow(best, half, search);
  }
  return best;
}

type List = (name: string, trial: Trial, search: Search) => Trial[];

/** Goes on from each refusal that no longer names the same. */
async function mend(first: Refused, list: List, search: Search): Promise<Found> {
  let current = first;
  for (;;) {
    const next = await mendOnce(current, list, search);
    if (next === undefined) return current;
    if ('taken' in next) return next;
    current = next;
  }
}

async function mendOnce(refused: Refused, list: List, search: Search): Promise<Found | undefined> {
  const names = search.fields.map(({ name }) => name);
  const named = [...listNamed(refused.said, names), ...listOtherNames(refused.said, names)];
  for (const name of named) {
    for (const trial of list(name, refused.trial, search)) {
      const found = await attempt(trial, refused, search);
      if ('taken' in found) return found;
      // What is no longer missing may be wrong: `Key 'name' not present`, then `Name 'cfabcde' is not canonical`.
      const isAdded = !Object.hasOwn(refused.trial.full, name) && found.said !== refused.said;
      const isSolved = isAdded || !listNamed(found.said, [name]).includes(name);
      const isAnother = found.said !== '' && found.trial === trial && isSolved;
      if (isAnother) return found;
    }
  }
  return undefined;
}

/** Of what is not tried, the last refusal stands. */
async function attempt(trial: Trial, last: Refused, { isAllowed, send }: Search): Promise<Found> {
  const said = isAllowed(trial.plain) ? await send(trial) : NO_MORE;
  if (said === undefined) return { taken: trial };
  return said === NO_MORE ? last : { trial, said };
}

/** Further tries are unlikely to help, and each may leave a trace. */
const MOST_TRIES = 12;

/** Each record once, and no more than so many. */
function trySeldom(search: Search, tried = new Set<string>(), most = MOST_TRIES): Search {
  let left = most;
  return {
    ...search,
    send: async (trial) => {
      const text = printJson(trial.full);
      if (tried.has(text) || left === 0) return NO_MORE;
      tried.add(text);
      left -= 1;
      return search.send(trial);
    },
  };
}

/** What a refusal misses, as the contract describes it; a name that it does not have, as a text. */
function listAdditions(name: string, trial: Trial, { whole, fields }: Search): Trial[] {
  if (Object.hasOwn(trial.full, name)) return [];
  if (Object.hasOwn(whole.full, name)) return [put(trial, name, whole)];
  return fields.some((field) => field.name === name) ? [] : [set(trial, name, '$unique')];
}

/** Texts in the forms that services ask for beyond what contracts say. */
const FORMS = ['$unique', '{$unique}.example.com', '{$unique}.example.com.', 'https://example.com/{$unique}'];

/** Other values of a field that was refused, at last none. */
function listChanges(name: string, trial: Trial, { fields, makeLike }: Search): Trial[] {
  const field = fields.find((each) => each.name === name);
  const value = trial.plain[name];
  if (field === undefined || value === undefined) return [];
  const format = readTime(field.schema);
  const others = typeof value === 'string' && field.schema['enum'] === undefined ? [] : listOthers(value, field.schema);
  const like = typeof value === 'string' ? makeLike(field, value) : undefined;
  const { [name]: _full, ...full } = trial.full;
  const { [name]: _plain, ...plain } = trial.plain;
  return [
    ...(like === undefined || like === trial.full[name] ? [] : [set(trial, name, like)]),
    ...(Array.isArray(value) && value.length > 0 ? [set(trial, name, [])] : []),
    ...(field.required ? [] : [{ full, plain }]),
    ...(format === undefined ? [] : [set(trial, name, AHEAD[format])]),
    ...(typeof value === 'string' ? FORMS.map((form) => set(trial, name, form)) : []),
    ...others.slice(0, 3).map((other) => set(trial, name, escape(other))),
  ];
}

function put(trial: Trial, name: string, { full, plain }: Trial): Trial {
  return { full: { ...trial.full, [name]: full[name] }, plain: { ...trial.plain, [name]: plain[name] } };
}
