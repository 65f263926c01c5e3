import { fillIfSeen, fillTemplate, type Scope } from '../http/template.js';
import type { Gap } from '../../contract/gaps/gaps.js';
import { NONE, NOT_OBSERVED, OTHER, type ObservedProfile, type ProfileAnswer } from '../../contract/gaps/profile.js';
import type { ContractPlace } from '../../contract/schemas/violation.js';
import { readSubjects, readGapsOf, recordAt, type Subject } from '../resources/resource-under-test.js';
import { followPointer, type WireAnswer, type SentRequest } from '../model/exchange.js';
import type { GapResult, RunResult, ScenarioResult, GapChoice } from '../model/result.js';
import { cutText, sameJson } from '../../contract/document/json.js';
import { isRecord, listRecords, type CheckContext, type Need, type JsonObject } from '../checks/check.js';
import { fitsStatus, isAlike } from '../checks/status.js';
import { describeMismatch } from '../checks/expectations.js';
import type { Outcome } from '../model/scenario.js';
import type { Contract } from '../../contract/contract.js';
import { readProperties } from '../../contract/operations/properties.js';
import { readSortTerm, orderOf, type RoleOperation } from '../../contract/resources/resource.js';
import { plainName } from '../../contract/resources/words.js';

export function createGapRecorder(context: ObserverContext) {
  const { contract } = context;
  const created = readGapsOf(contract).asked.flatMap(({ id, of, resource }): [string, Observer][] => {
    const create = observers[of?.gap ?? id];
    if (create === undefined) return [];
    const subject = readSubjects(contract).find(({ name }) => name === resource);
    return [[id, create(subject === undefined ? context : { ...context, watched: watchSubject(subject, contract) })]];
  });
  return {
    note: (exchange: SeenExchange): void => created.forEach(([, observer]) => observer.note?.(exchange)),
    hear: (answer: WireAnswer): void => {
      if (answer.kind === 'answered') created.forEach(([, observer]) => observer.hear?.(answer));
    },
    conclude: (): ReadonlyMap<string, Conclusion> =>
      new Map(created.map(([id, observer]) => [id, observer.conclude()])),
  };
}

type Findings = { scenarios: readonly ScenarioResult[]; conclusions: ReadonlyMap<string, Conclusion> };

export function describeGaps(gaps: readonly Gap[], found: Findings, locate: (gap: Gap) => ContractPlace): GapResult[] {
  return gaps.map((gap) => {
    const { id, kind, question } = gap;
    const shown: Conclusion = mergeScenarios(gap, found.scenarios) ??
      found.conclusions.get(id) ?? { notObserved: 'no scenario that shows it was run' };
    const [answer, evidence] =
      'answer' in shown ? [shown.answer, shown.evidence] : ([NOT_OBSERVED, shown.notObserved] as const);
    return { id, kind, question, contract: locate(gap), answer, meaning: describeAnswer(gap, answer), evidence };
  });
}

export function toProfile(result: Pick<RunResult, 'target' | 'startedAt' | 'contract' | 'gaps'>): ObservedProfile {
  const { target, startedAt, contract, gaps } = result;
  return {
    target,
    date: startedAt.slice(0, 'yyyy-mm-dd'.length),
    contract: `${contract.title} ${contract.version}`,
    entries: Object.fromEntries(gaps.map(({ id, answer, evidence }) => [id, { answer, evidence }])),
  };
}

function mergeScenarios(gap: Gap, scenarios: readonly ScenarioResult[]): Conclusion | undefined {
  const seen = scenarios.flatMap((scenario) => (scenario.gap?.id === gap.id ? [scenario.gap] : []));
  const shown = scenarios.find((scenario) => scenario.gap?.id === gap.id && scenario.aboutGap !== gap.id)?.gap;
  if (shown !== undefined) return { answer: shown.choice, evidence: shown.evidence };
  const [first] = seen;
  if (first === undefined) {
    const about = scenarios.filter((each) => each.aboutGap === gap.id);
    return about.length === 0 ? undefined : { notObserved: joinDistinct(about.map(explainSilence)) };
  }
  const silent = scenarios.filter((each) => each.aboutGap === gap.id && each.gap === undefined);
  const untold = silent.find(({ steps }) => steps.at(-1)?.exchanges.some(({ response }) => response !== undefined));
  if (untold !== undefined) return { notObserved: explainSilence(untold) };
  const evidence = joinDistinct(seen.map((each) => each.evidence));
  if (gap.kind === 'observation') {
    const entries = seen.map(({ choice }) => choice).filter((choice) => choice !== NONE && choice !== OTHER);
    return { answer: [...new Set(entries)].sort(), evidence };
  }
  const { choice } = first;
  const isNumber = gap.kind === 'value' && gap.value === 'integer' && choice !== NONE;
  if (seen.every((each) => each.choice === choice)) return { answer: isNumber ? Number(choice) : choice, evidence };
  return { answer: OTHER, evidence: joinDistinct(seen.map((each) => `${each.choice}: ${each.evidence}`)) };
}

function explainSilence({ id, reason, verdict, steps }: ScenarioResult): string {
  if (reason !== undefined) return reason;
  const exchanges = steps.flatMap((step) => step.exchanges);
  const failed = exchanges.find(({ findings }) => findings.some(({ severity }) => severity === 'deviation'));
  const finding = failed?.findings.find(({ severity }) => severity === 'deviation');
  if (failed === undefined || finding === undefined) return `${id} ${verdict}, and no response in it shows this`;
  const { request, response, failure } = failed;
  const answer = response?.status ?? failure ?? 'no response';
  return (
    `${id} deviated before it showed this: ${request.method} ${request.path} → ${answer}` +
    `, with ${finding.at} ${finding.actual} where ${finding.expected} is expected`
  );
}

const joinDistinct = (texts: readonly string[]): string => [...new Set(texts)].join('; ');

function describeAnswer(gap: Gap, answer: ProfileAnswer): string {
  if (answer === NOT_OBSERVED) return 'not observed';
  if (typeof answer === 'object') return answer.length === 0 ? 'none' : answer.join(', ');
  if (gap.kind === 'choice') return gap.choices[answer] ?? 'none of the named choices';
  return answer === NONE ? `none was found (${gap.mock})` : String(answer);
}

type OutcomeReading = { choice?: { name: string; evidence: string }; needs?: Need[] };

export function readOutcome(outcomes: readonly Outcome[], context: CheckContext, scope: Scope): OutcomeReading {
  if (context.answer.kind === 'unanswered') return {};
  const { status } = context.answer;
  if (status === 429 || status >= 500)
    return { needs: [{ needs: 'a response other than 429 or 5xx (--rate sends fewer requests per second)' }] };
  const findFitting = (own: Scope): Outcome | undefined => outcomes.find((outcome) => fits(outcome, context, own));
  const { response } = scope;
  const usual = context.sent.operation?.responses.find((each) => isAlike(Number(each.status), '2XX'));
  const isOther = response !== undefined && usual !== undefined && isAlike(response.status, '2XX');
  const corrected = isOther ? { ...scope, response: { ...response, status: Number(usual.status) } } : scope;
  const fitting = findFitting(scope) ?? findFitting(corrected);
  if (fitting?.needs !== undefined) return { needs: [{ needs: String(fillTemplate(fitting.needs, scope)) }] };
  const name = fitting?.choice === undefined ? OTHER : String(fillTemplate(fitting.choice, scope));
  return { choice: { name, evidence: describeExchange(fitting, context, scope) } };
}

function fits(raw: Outcome, context: CheckContext, scope: Scope): boolean {
  const outcome = fillIfSeen(raw, scope);
  const keeps = (value: unknown, schema: unknown): boolean => describeMismatch(schema, value).length === 0;
  const response = scope.response;
  if (outcome === undefined || response === undefined) return false;
  const { status, headers, body, given } = outcome;
  if (status !== undefined && !fitsStatus(response.status, status)) return false;
  if (body !== undefined && (context.body.kind !== 'json' || !keeps(response.body, body))) return false;
  if (!(given ?? []).every(({ of, is }) => keeps(of, is))) return false;
  return Object.entries(headers ?? {}).every(([name, schema]) =>
    keeps(response.headers[name.toLowerCase()] ?? null, schema),
  );
}

function describeExchange(outcome: Outcome | undefined, { sent, answer }: CheckContext, scope: Scope): string {
  const { status = 0, body, headers = {} } = scope.response ?? {};
  const names = Object.keys(outcome?.headers ?? {});
  const fields = names.map((name) => `${headers[name.toLowerCase()] === undefined ? 'without' : 'with'} ${name}`);
  const { minItems, maxItems } = (outcome?.body ?? {}) as { minItems?: unknown; maxItems?: unknown };
  let told = '';
  if (Array.isArray(body)) {
    const isExact = minItems !== undefined && minItems === maxItems;
    told = isExact ? `${body.length} ${body.length === 1 ? 'record' : 'records'}` : 'a list';
    if (body.length === 0) told = 'an empty list';
  } else if (status >= 400 && isRecord(body) && typeof body['code'] === 'string') told = cutText(body['code'], 60);
  const isTold = answer.kind === 'answered' && sent.method !== 'HEAD' && told !== '';
  return `${sent.method} ${sent.shownAs} → ${[String(status), ...(isTold ? [told] : []), ...fields].join(', ')}`;
}

const WARNED_CHOICES: Readonly<Record<string, readonly [choice: string, evidence: string]>> = {
  'short-pages': ['shorter', 'a page had fewer records than its limit while there were more'],
  'status-after-create': ['moves-by-itself', 'a value that the contract lists was changed, in every response'],
};

const findWarned = (id: string): readonly string[] => WARNED_CHOICES[id.slice(id.indexOf('.') + 1)] ?? [];

export const describeChoice = ({ id }: GapChoice): string => findWarned(id)[1] ?? '';

export function noteChoices(gaps: readonly GapResult[], strict: boolean): string[] {
  if (strict) return [];
  const warned = gaps.filter(({ id, answer }) => findWarned(id)[0] === answer);
  const end = 'the contract leaves it open; --strict makes it a deviation';
  return warned.map(({ id, answer, evidence }) => `warning: ${id} is ${String(answer)} (${evidence}); ${end}`);
}

export type Conclusion = { answer: ProfileAnswer; evidence: string } | { notObserved: string };

export interface Observer {
  note?(exchange: SeenExchange): void;
  hear?(answer: Pick<SeenExchange, 'status' | 'headers'>): void;
  conclude(): Conclusion;
}

export type ObserverContext = { contract: Contract; watched?: Watched; now: number };

type CreateObserver = (context: ObserverContext) => Observer;

const NONE_WATCHED: Observer = { conclude: () => ({ notObserved: 'there is no such resource' }) };
const MOST_NAMES = 1000;

type ReadNames = (exchange: SeenExchange) => readonly string[] | undefined;

function observeNames(of: string, read: ReadNames, leftOut: ReadonlySet<string> = new Set()) {
  const seen = new Set<string>();
  let looked = false;
  return {
    note: (exchange: SeenExchange): void => {
      const names = read(exchange);
      looked ||= names !== undefined;
      for (const name of names ?? []) if (seen.size < MOST_NAMES) seen.add(cutText(name, 120));
    },
    conclude: (): Conclusion => {
      if (!looked) return { notObserved: `there was no ${of} to look at` };
      const answer = [...seen].filter((name) => !leftOut.has(name)).sort();
      const many = `${answer.length < MOST_NAMES ? '' : `the first ${MOST_NAMES} `}seen in ${of}s of this run`;
      return { answer, evidence: answer.length === 0 ? `none in any ${of}` : many };
    },
  };
}

export interface SeenExchange {
  sent: SentRequest;
  status: number;
  headers: Readonly<Record<string, string>>;
  body: unknown;
  sentAt: number; // On the clock of `performance.now()`.
  answeredAt: number;
}

const isDone = ({ status }: Pick<SeenExchange, 'status'>): boolean => status >= 200 && status < 300;

export type Watched = ReturnType<typeof watchSubject>;

export function watchSubject({ resource, roles, fields }: Subject, contract: Contract) {
  const { list } = roles;
  const names = readProperties(contract.document, resource.schemaPointer).map(({ name }) => name);
  const readOne = (role: RoleOperation | undefined, { sent, status, body }: SeenExchange): JsonObject | undefined => {
    const at = role === undefined || sent.operation?.id !== role.operation.id ? undefined : recordAt(role);
    const record = at === undefined || !isDone({ status }) ? undefined : followPointer(body, at);
    return isRecord(record) ? record : undefined;
  };
  const readList = ({ sent, status, body }: SeenExchange): JsonObject[] | undefined => {
    const at = list === undefined || sent.operation?.id !== list.operation.id ? undefined : recordAt(list);
    if (at === undefined || !isDone({ status }) || !sent.authorized) return undefined;
    return listRecords(followPointer(body, at));
  };
  const shown = fields.filter(({ isShown }) => isShown);
  const sortable = shown.filter(({ type }) => type === 'string' || type === 'integer' || type === 'number');
  return {
    key: resource.key.property,
    sortKeys: sortable.map(({ name }) => name),
    choices: shown.filter(({ schema }) => Array.isArray(schema['enum'])).map(({ name }) => name),
    fields: new Set(names),
    readCreated: (exchange: SeenExchange) => readOne(roles.create, exchange),
    readList,
    readShown: (exchange: SeenExchange) => readList(exchange) ?? [readOne(roles.get, exchange) ?? []].flat(),
    readSort: ({ sent: { query } }: SeenExchange) => {
      const { parameter = '', direction = '' } = list?.list?.sort ?? {};
      const [by, word] = [query[parameter], query[direction]];
      if (by === undefined && word === undefined) return undefined;
      const { name, sign } = readSortTerm(typeof by === 'string' ? by : '');
      const field = names.find((each) => plainName(each) === plainName(name));
      return { field, isDirected: sign !== undefined || word !== undefined };
    },
  };
}

const isRejection = ({ status }: SeenExchange): boolean => status >= 400 && status < 500 && status !== 429;

type Created = { record: JsonObject; sentAt: number; answeredAt: number };
type Pair = { first: JsonObject; second: JsonObject; isOlderFirst: boolean };

const FEWEST_PAIRS = 5;

function listPairs(lists: readonly unknown[][], created: ReadonlyMap<unknown, Created>, key: string): Pair[] {
  const pairs = new Map<string, Pair>();
  for (const list of lists) {
    const own = list.map((id) => created.get(id)).filter((each) => each !== undefined);
    for (const [index, one] of own.entries()) {
      for (const other of own.slice(index + 1, index + 1 + 8)) {
        const isOlderFirst = one.answeredAt <= other.sentAt;
        if (!isOlderFirst && other.answeredAt > one.sentAt) continue;
        const pair = { first: one.record, second: other.record, isOlderFirst };
        pairs.set(`${String(one.record[key])} ${String(other.record[key])}`, pair);
      }
    }
  }
  return [...pairs.values()];
}

type Direction = 'ascending' | 'descending' | 'neither';

const FEWEST_SORTED = 3;

function readDirection(records: readonly JsonObject[], field: string): Direction | undefined {
  const values = records.map((record) => record[field]).filter((value) => value !== undefined && value !== null);
  const orders = values.slice(1).map((value, index) => compareSorted(values[index], value));
  const [up, down] = [-1, 1].map((sign) => orders.filter((order) => order === sign).length) as [number, number];
  if (up + down < FEWEST_SORTED) return undefined;
  return down === 0 ? 'ascending' : up === 0 ? 'descending' : 'neither';
}

function compareSorted(one: unknown, other: unknown): number {
  const order = orderOf(one, other);
  if (typeof one !== 'string' || typeof other !== 'string') return order;
  return Math.sign(one.localeCompare(other, 'en')) === order ? order : 0;
}

const DAY_MS = 86_400_000;

export const observers: Readonly<Record<string, CreateObserver>> = {
  'after-removal': ({ contract, now, watched }) => {
    const statuses = new Set<number>();
    const created = new Set<unknown>();
    const operation = contract.operations.find(({ sunset }) => sunset !== undefined);
    return {
      note(exchange) {
        const { sent, status } = exchange;
        const made = watched?.readCreated(exchange)?.[watched.key];
        if (made !== undefined) created.add(made);
        if (operation === undefined || sent.operation?.id !== operation.id || !sent.authorized) return;
        const isKnown = Object.values(sent.path).some((id) => created.has(id));
        if (status === 410 || isKnown) statuses.add(status);
      },
      conclude() {
        const evidence = `${operation?.method} ${operation?.path} → ${[...statuses].join(', ')}`;
        if (statuses.size === 1 && statuses.has(410)) return { answer: 'gone-410', evidence };
        const isOver = operation?.sunset !== undefined && now >= Date.parse(`${operation.sunset}T00:00:00Z`) + DAY_MS;
        if (!isOver) return { notObserved: `the operation is served until ${operation?.sunset ?? 'it is removed'}` };
        if (statuses.size === 0) return { notObserved: 'no record that this run created was requested' };
        if (statuses.size > 1) return { answer: OTHER, evidence };
        const [status = 0] = statuses;
        if (isDone({ status })) return { answer: 'still-served', evidence };
        return { answer: status === 404 ? 'not-found-404' : OTHER, evidence };
      },
    };
  },
  'deprecation-header': () => {
    const seen = new Set<string | undefined>();
    return {
      note(exchange: SeenExchange) {
        if (exchange.sent.operation?.deprecated !== true || !isDone(exchange)) return;
        seen.add(exchange.headers['deprecation']);
      },
      conclude() {
        const [value] = seen;
        if (seen.size === 0) return { notObserved: 'the deprecated operation gave no record' };
        if (seen.size > 1) return { notObserved: 'Deprecation differs between responses' };
        return { answer: value ?? NONE, evidence: value === undefined ? 'in no response' : 'in every response' };
      },
    };
  },
  'error-codes': () =>
    observeNames('error', (exchange) => {
      const { sent, status, body } = exchange;
      const code = isRejection(exchange) && isRecord(body) ? body['code'] : undefined;
      if (sent.operation === undefined || typeof code !== 'string') return undefined;
      return [`${sent.operation.id} ${status} ${cutText(code, 80)}`];
    }),
  'error-fields': () =>
    observeNames('error', (exchange) => {
      if (exchange.sent.operation === undefined || !isRejection(exchange) || !isRecord(exchange.body)) return undefined;
      return Object.keys(exchange.body).filter((field) => !['code', 'message', 'status'].includes(field));
    }),
  'list-order': ({ watched }) => {
    if (watched === undefined) return NONE_WATCHED;
    const { key: id, sortKeys } = watched;
    const created = new Map<unknown, Created>();
    const lists: unknown[][] = [];
    const values = new Map<string, Set<unknown>>(sortKeys.map((key) => [key, new Set()]));
    return {
      note(exchange) {
        const record = watched.readCreated(exchange);
        if (record?.[id] !== undefined)
          created.set(record[id], { record, sentAt: exchange.sentAt, answeredAt: exchange.answeredAt });
        const records = watched.readSort(exchange) === undefined ? watched.readList(exchange) : undefined;
        if (records === undefined) return;
        for (const [key, seen] of values) for (const each of records) if (seen.size < 2) seen.add(each[key]);
        const own = records.map((each) => each[id]).filter((key) => created.has(key));
        if (own.length > 1) lists.push(own);
      },
      conclude() {
        const pairs = listPairs(lists, created, id);
        const older = pairs.filter(({ isOlderFirst }) => isOlderFirst).length;
        if (older > 0 && older < pairs.length)
          return { answer: OTHER, evidence: 'records that this run created are not listed in the order of creation' };
        const needed = `this needs a list with ${FEWEST_PAIRS} pairs of records that this run created one after the other`;
        if (pairs.length < FEWEST_PAIRS) return { notObserved: needed };
        const isRuledOut = (key: string): boolean => {
          const signs = pairs.map(({ first, second }) => Math.sign(orderOf(first[key], second[key])));
          return signs.includes(1) && signs.includes(-1);
        };
        const unclear = sortKeys.find((key) => (values.get(key)?.size ?? 0) > 1 && !isRuledOut(key));
        if (unclear !== undefined) return { notObserved: `the order could also be by ${unclear}` };
        const evidence = 'two records of this run, created one after the other, in one list';
        return { answer: older > 0 ? 'oldest-first' : 'newest-first', evidence };
      },
    };
  },
  'paging-headers': ({ watched }) => {
    if (watched === undefined) return NONE_WATCHED;
    return observeNames('list', (exchange) => {
      if (watched.readList(exchange) === undefined) return undefined;
      const paging =
        /^(content-range|(x-)?(pagination|paging|total|page|per-page|next|prev|previous|cursor|offset)(-.*)?)$/;
      const isPaging = (name: string, value: string) =>
        paging.test(name) || (name === 'link' && /rel="?(next|prev|previous|first|last)\b/i.test(value));
      return Object.entries(exchange.headers).flatMap(([name, value]) => (isPaging(name, value) ? [name] : []));
    });
  },
  'pet-fields': ({ watched }) => {
    if (watched === undefined) return NONE_WATCHED;
    const sentByRun = new Set<string>();
    const read = (exchange: SeenExchange): string[] | undefined => {
      if (isRecord(exchange.sent.json)) for (const field of Object.keys(exchange.sent.json)) sentByRun.add(field);
      const records = [...watched.readShown(exchange), ...[watched.readCreated(exchange) ?? []].flat()];
      const fields = records.flatMap((record) => Object.keys(record));
      return records.length === 0 ? undefined : fields.filter((field) => !watched.fields.has(field));
    };
    return observeNames('record', read, sentByRun);
  },
  'rate-limiting': () => {
    const { note, conclude } = observeNames('answer', ({ status, headers }) => [
      ...(status === 429 ? ['429'] : []),
      ...Object.keys(headers).filter((name) => /^(x-)?rate-?limit(-.*)?$/.test(name)),
    ]);
    return { hear: (answer) => note(answer as SeenExchange), conclude };
  },
  'removal-hour': ({ contract }) => {
    const announced = new Set<string>();
    const removalDay = contract.operations.find(({ sunset }) => sunset !== undefined)?.sunset;
    return {
      note({ sent, headers }) {
        const { sunset } = headers;
        if (sent.operation?.deprecated === true && sunset !== undefined) announced.add(sunset);
      },
      conclude() {
        const [sunset] = announced;
        if (sunset === undefined || removalDay === undefined)
          return { notObserved: 'no Sunset was sent, and the operation is not removed yet' };
        const evidence = `Sunset: ${sunset}`;
        if (announced.size > 1) return { answer: OTHER, evidence: 'Sunset differs between responses' };
        const day = Date.parse(`${removalDay}T00:00:00Z`);
        const at = Date.parse(sunset);
        if (at !== day && at !== day + DAY_MS) return { answer: OTHER, evidence };
        return { answer: at === day ? 'start-of-day' : 'end-of-day', evidence };
      },
    };
  },
  'sort-direction': ({ watched }) => {
    if (watched === undefined) return NONE_WATCHED;
    const sorted = new Map<string, Set<Direction>>();
    let unsorted: readonly JsonObject[][] = [];
    return {
      note(exchange) {
        const records = watched.readList(exchange);
        if (records === undefined) return;
        const asked = watched.readSort(exchange);
        if (asked === undefined && records.length > FEWEST_SORTED)
          unsorted = [records.slice(0, 1000), ...unsorted].slice(0, 2);
        if (asked?.field === undefined || asked.isDirected) return;
        const direction = readDirection(records, asked.field);
        const seen = sorted.get(asked.field) ?? new Set();
        if (direction !== undefined) sorted.set(asked.field, seen.add(direction));
      },
      conclude() {
        const isUsual = (field: string, seen: ReadonlySet<Direction>): boolean =>
          unsorted.some((list) => seen.has(readDirection(list, field) ?? 'neither'));
        const telling = [...sorted].filter(([field, seen]) => seen.has('neither') || !isUsual(field, seen));
        const all = new Set(telling.flatMap(([, seen]) => [...seen]));
        const [direction] = all;
        const needed = `this needs ${FEWEST_SORTED + 1} records that differ in a field by which the list can be sorted`;
        if (direction === undefined) return { notObserved: needed };
        const evidence = `lists sorted by ${telling.map(([field]) => field).join(', ')}`;
        if (all.size > 1) return { answer: OTHER, evidence };
        return { answer: direction === 'neither' ? 'ignored' : direction, evidence };
      },
    };
  },
  'status-after-create': ({ watched }) => {
    const created = new Map<unknown, { record: Readonly<Record<string, unknown>>; answeredAt: number }>();
    let keptMs: number | undefined;
    const moved = new Map<unknown, number>();
    return {
      note(exchange) {
        if (watched === undefined) return;
        const { sent, sentAt, answeredAt } = exchange;
        for (const key of sent.method === 'GET' ? [] : Object.values(sent.path).map(String)) {
          created.delete(key);
          // Answers to others may show it before that to the change is there.
          if ((moved.get(key) ?? 0) >= sentAt) moved.delete(key);
        }
        const made = watched.readCreated(exchange);
        if (made !== undefined) created.set(String(made[watched.key]), { record: made, answeredAt });
        for (const record of watched.readShown(exchange)) {
          const key = String(record[watched.key]);
          const first = created.get(key);
          if (first === undefined) continue;
          const told = watched.choices.filter((name) => first.record[name] !== undefined && record[name] !== undefined);
          if (told.length === 0) continue;
          if (told.some((name) => !sameJson(first.record[name], record[name]))) moved.set(key, answeredAt);
          else keptMs = Math.max(keptMs ?? 0, sentAt - first.answeredAt);
        }
      },
      conclude() {
        const evidence = 'records that this run created, read again';
        if (moved.size > 0) return { answer: 'moves-by-itself', evidence };
        if (keptMs === undefined)
          return { notObserved: 'this needs a record that the run created with such a value and then read' };
        // What moves after that has not been seen. Seconds would make a profile another one on a busy machine.
        const minutes = Math.floor(keptMs / 60_000);
        const when = minutes === 0 ? 'within a minute' : `up to ${minutes} min later`;
        return { answer: 'stays', evidence: `${evidence} ${when}` };
      },
    };
  },
};
