// Where a service refuses the first record that the contract lets a run make, whichever it takes instead is built on.
import { readJson } from '../http/read-response.js';
import type { Contract } from '../../contract/contract.js';
import { resourceOf } from '../model/exchange.js';
import type { Scenario } from '../model/scenario.js';
import {
  bindSubjects,
  withFull,
  withLeast,
  withOther,
  withoutReference,
  leastOf,
  listOtherTrials,
  otherOf,
} from '../resources/instantiate-resources.js';
import type { Trial } from '../resources/instantiate-resources.js';
import { describeTaker } from '../resources/instantiate-expectations.js';
import { fillNouns, type Binding } from '../resources/instance.js';
import { bindAgain } from '../scenarios/load-scenarios.js';
import { matchesId } from '../scenarios/check-scenario.js';
import type { Run } from './run.js';
import { runScenario, joinSteps, findEnd, type ScenarioOutcome } from './run-scenario.js';
import { listNamed, listOtherNames, quoteRejection } from '../checks/status.js';
import { sameJson, parseJson, printJson } from '../../contract/document/json.js';
import type { ExchangeResult } from '../model/result.js';
import { listInvented } from '../resources/contract-texts.js';
import { findReferred, readSubjects } from '../resources/resource-under-test.js';
import type { MadeRecords, RecordTemplate, Field, Subject } from '../resources/resource-under-test.js';
import {
  isOwnText,
  uniqueOfPattern,
  fillUnique,
  isUnique,
  findViolation,
  listOthers,
} from '../resources/fit-record.js';
import { comesFromAnswer, escape } from '../http/template.js';
import { isSecretName } from '../../redact/redactor.js';
import { readShown, type ShownRecord } from '../ledger/shown-records.js';
import { askRole } from '../confirm/confirm.js';
import { wordsOf } from '../../contract/gaps/gaps.js';

const FIRST = [
  { of: 'minimal', id: '/records/create', take: withLeast, words: 'a record with only the required fields' },
  { of: 'full', id: '/records/create-full', take: withFull, words: 'a record with all fields of the contract' },
  { of: 'other', id: '/records/created-alone', take: withOther, words: 'a record with other values' },
] as const;

type First = (typeof FIRST)[number];

export type Setup = ReturnType<typeof createSetup>;

export function createSetup(contract: Contract, scenarios: readonly Scenario[]) {
  const planned = new Map(scenarios.map((each) => [each.id, each.after]));
  const bindings = new Map(bindSubjects(contract).bindings.map((binding) => [binding.subject.name, binding]));
  const again = new Map<string, ReadonlyMap<string, Scenario>>();
  const lessons = new Map<string, Promise<void>>();
  const bindingOf = ({ id, isShipped }: Scenario): Binding | undefined =>
    isShipped ? bindings.get(resourceOf(id)) : undefined;
  const renew = (now: Binding): void => {
    const { name } = now.subject;
    const below = [...bindings.values()].filter(({ parent }) => parent?.subject.name === name);
    bindings.set(name, now);
    again.set(name, bindAgain(now));
    for (const each of below) renew({ ...each, parent: now });
  };
  const choose = (scenario: Scenario): Scenario | undefined => {
    const remade = bindingOf(scenario) === undefined ? undefined : again.get(resourceOf(scenario.id));
    if (remade === undefined) return scenario;
    const now = remade.get(scenario.id);
    return now === undefined ? undefined : { ...scenario, steps: now.steps, dependsOn: now.dependsOn };
  };
  const search = async (scenario: Scenario, outcome: ScenarioOutcome, run: Run): Promise<ScenarioOutcome> => {
    const [binding, part] = [bindingOf(scenario), FIRST[listFirst(scenario).indexOf(scenario.id)]];
    const said = readRejection(outcome, part);
    if (binding === undefined || part === undefined || outcome.usable || said === undefined) return outcome;
    const found = await searchAccepted(scenario, { binding, part, outcome, said }, run);
    if (found.taken === undefined) return addSaid(found.outcome, said, binding);
    run.note(describeAccepted(binding, part, found.taken));
    renew({ ...binding, made: part.take(binding.made, found.taken) });
    return found.outcome;
  };
  const teach = async (resource: string, run: Run): Promise<void> => {
    for (const id of FIRST.slice(1).map((each) => `${resource}${each.id}`)) {
      const binding = bindings.get(resource);
      const scenario = binding === undefined ? undefined : bindAgain(binding, id).get(id);
      if (scenario !== undefined) await search(scenario, await runScenario(scenario, run), run);
    }
  };
  return {
    choose,
    listBefore(scenario: Scenario): string[] {
      const ids = listFirst(scenario);
      const isBefore = planned.get(ids[0] ?? '')?.some((pattern) => matchesId(scenario.id, pattern)) === true;
      if (bindingOf(scenario) === undefined || isBefore) return [];
      const own = ids.indexOf(scenario.id);
      return ids.slice(0, own === -1 ? ids.length : own).filter((id) => planned.has(id));
    },
    leaveOut(scenario: Scenario, id: string, run: Run): boolean {
      const binding = bindingOf(scenario);
      const now = binding === undefined ? undefined : withoutReference(binding, id);
      if (binding === undefined || now === undefined) return false;
      const left = Object.keys(binding.made.full).filter((name) => !Object.hasOwn(now.made.full, name));
      const { records } = wordsOf(binding.subject.resource);
      run.note(`${records} are created without ${quote(left)}, since ${id} created no record to refer to`);
      renew(now);
      return true;
    },
    async settle(scenario: Scenario, outcome: ScenarioOutcome, run: Run): Promise<ScenarioOutcome> {
      const settled = await search(scenario, outcome, run);
      if (settled.result.verdict !== 'inconclusive') return settled;
      const resource = resourceOf(scenario.id);
      const ids = listFirst(scenario);
      const isKnown = ids.includes(scenario.id) || ids.every((id) => planned.has(id));
      const asked = listExchanges(settled.result).at(-1)?.operationId;
      const isCreate = asked !== undefined && asked === bindings.get(resource)?.subject.roles.create?.operation.id;
      const isRejected = isCreate && !settled.usable && readRejection(settled, undefined) !== undefined;
      if (isKnown || !scenario.isShipped || !isRejected) return settled;
      const lesson = lessons.get(resource) ?? teach(resource, run);
      lessons.set(resource, lesson);
      await lesson;
      const now = choose(scenario);
      return now === undefined || now === scenario ? settled : runScenario(now, run);
    },
  };
}

const listFirst = ({ id }: Scenario): string[] => FIRST.map((first) => `${resourceOf(id)}${first.id}`);

function addSaid(outcome: ScenarioOutcome, said: string, binding: Binding): ScenarioOutcome {
  const { reason, verdict } = outcome.result;
  const text = quoteRejection(said);
  const added = text === '' ? '' : `; it says ${text}`;
  if (verdict === 'deviated')
    return { ...outcome, cause: `needs ${fillNouns(describeTaker(binding), binding)}${added}` };
  if (reason === undefined || verdict !== 'inconclusive') return outcome;
  return { ...outcome, result: { ...outcome.result, reason: `${reason}${added}` } };
}

const OF_ELSE = new Set([401, 402, 403, 405, 406, 411, 415, 429, 501, 502, 503, 504]);

function readRejection({ result }: ScenarioOutcome, part: First | undefined): string | undefined {
  const response = listExchanges(result).at(-1)?.response;
  if (response === undefined) return undefined;
  const { status, body } = response;
  const isOfRecord = (status >= 400 && !OF_ELSE.has(status)) || (status === 403 && part?.of !== 'minimal');
  return isOfRecord ? body : undefined;
}

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

function listExchanges({ steps }: ScenarioOutcome['result']): ExchangeResult[] {
  return steps.flatMap(({ exchanges }) => exchanges);
}

type Refusal = { binding: Binding; part: First; outcome: ScenarioOutcome; said: string };

async function searchAccepted(scenario: Scenario, { binding, part, outcome, said }: Refusal, run: Run) {
  const { made, subject, contract } = binding;
  const { of } = part;
  const kept = [outcome];
  let last: Trial | undefined;
  const send = async (trial: Trial): Promise<string | undefined | typeof NO_MORE> => {
    const tried = of === 'full' ? trial : { [of]: trial.full };
    const bound = bindAgain({ ...binding, made: { ...made, ...tried } }, scenario.id).get(scenario.id);
    if (bound === undefined || findEnd(run) !== undefined) return NO_MORE;
    const next = await runScenario({ ...scenario, steps: bound.steps }, run);
    last = next.usable ? trial : undefined;
    if (next.usable || failed(next)) kept.push(next);
    if (next.usable) return undefined;
    const again = readRejection(next, part);
    return again === undefined ? NO_MORE : leaveValues(again, next, subject);
  };
  const { create } = subject.roles;
  const [full, least] = [{ full: made.full, plain: made.plain }, leastOf(made)];
  const search: Search = {
    fields: subject.fields,
    references: listInvented(made.full, binding).references,
    whole: of === 'other' ? otherOf(made) : full,
    isAllowed: (plain) => create !== undefined && findViolation(plain, create, contract) === undefined,
    makeLike: (field, value) => uniqueOfPattern(value, field, contract),
    send,
  };
  const first = { trial: of === 'minimal' ? least : search.whole, said: leaveValues(said, outcome, subject) };
  const others = of === 'other' ? [] : listOtherTrials(binding);
  let taken: Trial | undefined;
  if (of === 'other') taken = await findOther(first, { full, changed: made.changed }, search);
  else if (of === 'full') taken = await findFull(first, { least, others }, search);
  else taken = await findLeast(first, [...(await listShown(binding, run)), ...others], search);
  if (taken !== undefined && last !== taken && (await send(taken)) !== undefined) return { taken: undefined, outcome };
  const shown = kept.at(-1);
  const isDeviated = outcome.result.verdict === 'deviated';
  if (shown === undefined || taken === undefined || failed(outcome))
    return { taken, outcome: join(kept, taken !== undefined) };
  const before = made[part.of];
  const changed = Object.keys(before).filter((name) => !sameJson(before[name], taken.full[name]));
  const { fields } = listInvented(before, binding);
  const isOpen = isDeviated && changed.length > 0 && changed.every((name) => fields.includes(name));
  if (!isOpen) return { taken, outcome: of === 'other' && !isDeviated ? shown : join(kept, true) };
  if (of === 'other' || shown.result.verdict === 'deviated') return { taken, outcome: shown };
  // A service may refuse an unknown reference or word by a rule that the contract does not state: then nothing is proven.
  const reason = `needs ${fillNouns(describeTaker(binding), binding)}`;
  return { taken, outcome: { ...shown, result: { ...shown.result, verdict: 'inconclusive' as const, reason } } };
}

function failed({ result }: ScenarioOutcome): boolean {
  return listExchanges(result).some(({ response }) => (response?.status ?? 500) >= 500);
}

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

/** `categoryId`, `owner_id`, `fk`; not `paid`, nor what may be secret, such as `api_key`. */
export function isKeyOfAnother(name: string): boolean {
  return /(?:^|[_-])(?:id|ref|fk)$|[a-z\d](?:Id|ID|Ref|Fk)$/.test(name) && !isSecretName(name);
}

async function listShown({ subject, made, contract }: Binding, run: Run): Promise<Trial[]> {
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
  return [taken, other]
    .filter((values) => Object.keys(values).length > 0)
    .map((values) => ({ full: { ...full, ...(escape(values) as RecordTemplate) }, plain: { ...plain, ...values } }));
}

function listTextsOf(record: object, { fields, resource }: Subject, { minimal }: MadeRecords): Record<string, unknown> {
  const open = fields.filter(({ name, type, schema }) => {
    const text = minimal[name];
    const isMadeUp = type === 'string' && typeof text === 'string' && !comesFromAnswer(text) && !isOwnText(text);
    return isMadeUp && schema['enum'] === undefined && name !== resource.key.property && !isSecretName(name);
  });
  const names = new Set(open.map(({ name }) => name));
  return Object.fromEntries(
    Object.entries(record).filter(([name, value]) => names.has(name) && typeof value === 'string'),
  );
}

export async function readFirst(subject: Subject, run: Run): Promise<ShownRecord | undefined> {
  const { list } = subject.roles;
  if (list === undefined || subject.resource.scope.length > 0) return undefined;
  const answer = await askRole(list, {}, run);
  if (answer.kind === 'unanswered' || answer.status > 299) return undefined;
  return readShown({ subject, role: list }, readJson(answer))[0];
}

type Refused = { trial: Trial; said: string };
type Found = { taken: Trial } | Refused;

async function findLeast(first: Refused, others: readonly Trial[], search: Search): Promise<Trial | undefined> {
  const once = trySeldom(search, first);
  const longer = await mend(first, listAdditions, once);
  if ('taken' in longer) return longer.taken;
  const vary = (trial: Trial): Trial[] => [moveAhead(trial, search), leave(trial, search.references)];
  const varied = [...vary(longer.trial), ...others.flatMap((each) => [each, ...vary(each)])];
  const last = await tryEach(varied, longer, once);
  if ('taken' in last) return last.taken;
  const list: List = (name, trial) => [...listAdditions(name, trial, search), ...listChanges(name, trial, search)];
  const small = longer.trial === last.trial ? longer : await mend(longer, list, trySeldom(search, first, once.tried));
  if ('taken' in small) return small.taken;
  const mended = await mend(last, list, once);
  return 'taken' in mended ? mended.taken : undefined;
}

function leave({ full, plain }: Trial, names: readonly string[]): Trial {
  const drop = (record: RecordTemplate): RecordTemplate =>
    Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
  return { full: drop(full), plain: drop(plain) };
}

export async function findFull(first: Refused, other: { least: Trial; others: readonly Trial[] }, search: Search) {
  const { least, others } = other;
  const once = trySeldom(search, first);
  const alone = await attempt(leave(first.trial, search.references), first, once);
  if ('taken' in alone) return alone.taken;
  const mended = await mend(first, listChanges, once);
  if ('taken' in mended) return mended.taken;
  const varied = [varyPatterns(mended.trial, search), ...varyTexts(mended.trial, search), ...others];
  const found = await tryEach(varied, mended, once);
  if ('taken' in found) return found.taken;
  const more = Object.keys(search.whole.full).filter((name) => !Object.hasOwn(least.full, name));
  // One of many fields may spoil all the others with it: as many tries as a search by halves takes to find a few of them.
  return grow(least, more, more.length > MOST_TRIES ? trySeldom(search, first, new Set(), more.length) : once);
}

async function findOther(first: Refused, other: { full: Trial; changed: readonly string[] }, search: Search) {
  const { full, changed } = other;
  const once = trySeldom(search, first);
  const [name] = [...listNamed(first.said, changed), ...changed];
  const likeFirst = name === undefined ? [] : [put(first.trial, name, full)];
  const { trial } = first;
  const odd = search.fields.filter(({ name: own, schema }) => {
    const value = trial.plain[own];
    return readTime(schema) === 'date-time' && typeof value === 'string' && SECONDS.test(value);
  });
  const round = (all: Trial, { name: own }: Field) => set(all, own, String(trial.plain[own]).replace(SECONDS, '$1:00'));
  const found = await tryEach([odd.reduce(round, trial), ...likeFirst], first, once);
  return 'taken' in found ? found.taken : grow(full, changed, once);
}

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

async function mend(refused: Refused, list: List, search: Search): Promise<Found> {
  const names = search.fields.map(({ name }) => name);
  const named = [...listNamed(refused.said, names), ...listOtherNames(refused.said, names)];
  for (const name of named) {
    for (const trial of list(name, refused.trial, search)) {
      const found = await attempt(trial, refused, search);
      if ('taken' in found) return found;
      // What is no longer missing may be wrong: `Key 'name' not present`, then `Name 'cfabcde' is not canonical`.
      const isAdded = !Object.hasOwn(refused.trial.full, name) && found.said !== refused.said;
      const isSolved = isAdded || !listNamed(found.said, [name]).includes(name);
      if (found.said !== '' && found.trial === trial && isSolved) return mend(found, list, search);
    }
  }
  return refused;
}

async function tryEach(trials: readonly Trial[], first: Refused, search: Search): Promise<Found> {
  let last = first;
  for (const trial of trials) {
    const found = await attempt(trial, last, search);
    if ('taken' in found) return found;
    last = found;
  }
  return last;
}

async function attempt(trial: Trial, last: Refused, { isAllowed, send }: Search): Promise<Found> {
  const said = isAllowed(trial.plain) ? await send(trial) : NO_MORE;
  if (said === undefined) return { taken: trial };
  return said === NO_MORE ? last : { trial, said };
}

const MOST_TRIES = 12;

/** Sends a record once: what a way to vary one leaves as it was is skipped. */
function trySeldom(search: Search, { trial: first }: Refused, tried = new Set<string>(), most = MOST_TRIES) {
  let left = most;
  tried.add(printJson(first.full));
  const send = async (trial: Trial): ReturnType<Search['send']> => {
    const text = printJson(trial.full);
    if (tried.has(text) || left === 0) return NO_MORE;
    tried.add(text);
    left -= 1;
    return search.send(trial);
  };
  return { ...search, tried, send };
}

function listAdditions(name: string, trial: Trial, { whole, fields }: Search): Trial[] {
  if (Object.hasOwn(trial.full, name)) return [];
  if (Object.hasOwn(whole.full, name)) return [put(trial, name, whole)];
  return fields.some((field) => field.name === name) ? [] : [set(trial, name, '$unique')];
}

const FORMS = ['$unique', '{$unique}.example.com', '{$unique}.example.com.', 'https://example.com/{$unique}'];

function listChanges(name: string, trial: Trial, { fields, makeLike }: Search): Trial[] {
  const field = fields.find((each) => each.name === name);
  const value = trial.plain[name];
  if (field === undefined || value === undefined) return [];
  const format = readTime(field.schema);
  const others = typeof value === 'string' && field.schema['enum'] === undefined ? [] : listOthers(value, field.schema);
  const like = typeof value === 'string' ? makeLike(field, value) : undefined;
  return [
    ...(like === undefined ? [] : [set(trial, name, like)]),
    ...(Array.isArray(value) && value.length > 0 ? [set(trial, name, [])] : []),
    ...(field.required ? [] : [leave(trial, [name])]),
    ...(format === undefined ? [] : [set(trial, name, AHEAD[format])]),
    ...(typeof value === 'string' ? FORMS.map((form) => set(trial, name, form)) : []),
    ...others.slice(0, 3).map((other) => set(trial, name, escape(other))),
  ];
}

function put(trial: Trial, name: string, { full, plain }: Trial): Trial {
  return { full: { ...trial.full, [name]: full[name] }, plain: { ...trial.plain, [name]: plain[name] } };
}

export interface Search {
  fields: readonly Field[];
  whole: Trial;
  references: readonly string[];
  isAllowed: (plain: RecordTemplate) => boolean;
  makeLike: (field: Field, value: string) => string | undefined;
  send: (trial: Trial) => Promise<string | undefined | typeof NO_MORE>;
}

const NO_MORE = Symbol('no more');

function varyPatterns(trial: Trial, { fields, makeLike }: Search): Trial {
  return fields.reduce((all, field) => {
    const value = trial.plain[field.name];
    const isOwn = typeof value === 'string' && !comesFromAnswer(trial.full[field.name]);
    const like = isOwn ? makeLike(field, value) : undefined;
    return like === undefined ? all : set(all, field.name, like);
  }, trial);
}

function varyTexts(trial: Trial, { fields, isAllowed }: Search): Trial[] {
  const open = fields.filter(({ name, schema }) => {
    const isText = typeof trial.plain[name] === 'string' && !comesFromAnswer(trial.full[name]);
    return isText && schema['enum'] === undefined && !isUnique(trial.full[name]);
  });
  const fitting = open.filter(({ name }) => isAllowed(set(trial, name, '$unique').plain));
  const vary = (all: Trial, { name }: Field): Trial => set(all, name, '$unique');
  return [fitting.reduce(vary, trial), ...fitting.map((field) => vary(trial, field))];
}

function moveAhead(trial: Trial, { fields }: Search): Trial {
  const times = fields.filter(({ name, schema }) => typeof trial.plain[name] === 'string' && readTime(schema));
  return times.reduce((all, { name, schema }) => set(all, name, AHEAD[readTime(schema) ?? 'date']), trial);
}

const SECONDS = /(T\d\d:\d\d):\d\d(?:\.\d+)?/;
const AHEAD = { 'date-time': '2098-06-15T12:00:00Z', date: '2098-06-15' } as const;

function readTime({ format }: Field['schema']): keyof typeof AHEAD | undefined {
  return format === 'date' || format === 'date-time' ? format : undefined;
}

function set({ full, plain }: Trial, name: string, value: unknown): Trial {
  const shown = typeof value === 'string' ? (fillUnique(value) ?? plain[name]) : value;
  return { full: { ...full, [name]: value }, plain: { ...plain, [name]: shown } };
}

function describeAccepted({ subject, made }: Binding, part: First, { full }: Trial): string {
  const before = made[part.of];
  const added = Object.keys(full).filter((name) => !Object.hasOwn(before, name));
  const left = Object.keys(before).filter((name) => !Object.hasOwn(full, name));
  const others = left.length > 0 ? ` without ${quote(left)}` : ' with other values';
  const how = added.length > 0 ? ` with ${quote(added)}` : others;
  return `${wordsOf(subject.resource).records} are created${how}, since the target rejected ${part.words}. To test them, add an example to the contract or a record to a file (--records)`;
}

const quote = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');
