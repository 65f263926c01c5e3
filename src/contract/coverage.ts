import { readOnce } from './read-once.js';
import type { Contract } from './contract.js';
import { breach, exercise, listItems, listPlaces, listStandouts, type CoverageItem } from './coverage-items.js';
import type { SourceDocument } from './document/document.js';
import { printJson } from './document/json.js';
import type { Operation } from './model.js';
import type { ParameterReading } from './parameters.js';
import { resolveAt } from './document/references.js';
import type { Violation } from './schemas/violation.js';

/** Which parts of the contract a set of exchanges exercised. */
export interface Coverage {
  total: number;
  covered: number;
  /** In the order of the contract; `sent` marks a value that was sent, though no answer could show a mistake. */
  missing: (CoverageItem & { sent?: true })[];
}

/** What coverage needs to know of an exchange. */
export interface CoveredExchange {
  operation: Operation;
  status: number;
  parameters: Pick<ParameterReading, 'path' | 'query' | 'header'>;
  /** The request's JSON body; `undefined` if it had none. */
  body: unknown;
  /** The rules that the request breaks. */
  violations: readonly Violation[];
  /**
   * Query parameters that could not have made the answer wrong, such as a limit above the number of records. Default:
   * none.
   */
  untried?: readonly string[];
}

/** Collects what exchanges exercise, at the cost of a few look-ups for each. */
export interface CoverageRecorder {
  add(exchange: CoveredExchange): void;
  /** The first half of {@link add}: what a request exercises. */
  addRequest(request: Omit<CoveredExchange, 'status'>): void;
  /** The second half of {@link add}: the answer. */
  addAnswer(operation: Operation, status: number): void;
  /** Adds everything that another recorder has seen. */
  merge(other: CoverageRecorder): void;
  /** The ids of what was exercised; some may not belong to any item. */
  seen(): Set<string>;
  summarize(): Coverage;
}

/** Operations, their documented statuses, parameters, bounds and enum values, and the rules that a request can break. */
export function createCoverage(contract: Contract): CoverageRecorder {
  const seen = new Set<string>();
  const inVain = new Set<string>();
  const statuses = new Map<Operation, Set<number>>();
  const addRequest: CoverageRecorder['addRequest'] = (request) =>
    addExercised(request, watchesOf(contract), { seen, inVain });
  const addAnswer: CoverageRecorder['addAnswer'] = (operation, status) => {
    const known = statuses.get(operation);
    if (known === undefined) statuses.set(operation, new Set([status]));
    else known.add(status);
  };
  const listSeen = (): Set<string> => {
    const all = new Set(seen);
    for (const [{ id }, each] of statuses) {
      all.add(`${id} is called`);
      for (const status of each) all.add(`${id} answers ${status}`);
    }
    return all;
  };
  return {
    add({ status, ...request }) {
      addRequest(request);
      addAnswer(request.operation, status);
    },
    addRequest,
    addAnswer,
    merge(other) {
      for (const id of other.seen()) seen.add(id);
    },
    seen: listSeen,
    summarize() {
      const found = listSeen();
      const all = [...contract.operations, ...(contract.elsewhere ?? [])];
      const items = all.flatMap((operation) => listItems(contract.document, operation));
      const missing = items
        .filter(({ id }) => !found.has(id))
        .map((item) => (inVain.has(item.id) ? Object.assign({}, item, { sent: true as const }) : item));
      return { total: items.length, covered: items.length - missing.length, missing };
    },
  };
}

/** What to look for at one place of a request. */
interface Watch {
  name: string;
  /** Exercised by any value; a body's own fields are no items. */
  sent: string | undefined;
  /** Exercised by certain values. */
  values: ReadonlyMap<unknown, string>;
}

/** What to look for in the requests of an operation. */
interface Watches {
  path: Watch[];
  query: Watch[];
  header: Watch[];
  body: Watch[];
}

/** Made on the first request, and once for all recorders. */
const watchesOf = readOnce(
  ({ operations, document }: Contract) =>
    new Map(operations.map((operation) => [operation, listWatches(document, operation)])),
);

function listWatches(document: SourceDocument, operation: Operation): Watches {
  const watches = listPlaces(document, operation).map(({ at, schemaPointer }) => {
    const [part = '', ...rest] = at.split('/');
    const schema = (resolveAt(document, schemaPointer).value ?? {}) as Record<string, unknown>;
    const values = listStandouts(schema).map((value): [unknown, string] => [
      keyOf(value),
      exercise(operation.id, at, value),
    ]);
    const sent = part === 'body' ? undefined : `${operation.id} is sent ${at}`;
    return { part, name: rest.join('/'), sent, values: new Map(values) };
  });
  const of = (part: string): Watch[] =>
    watches.filter((watch) => watch.part === part && (watch.sent !== undefined || watch.values.size > 0));
  return { path: of('path'), query: of('query'), header: of('header'), body: of('body') };
}

/** Ids of what was exercised, and of what was only sent. */
interface Noted {
  seen: Set<string>;
  inVain: Set<string>;
}

/** What a request exercises; some of it may not be an item. */
function addExercised(
  { operation, parameters, body, violations, untried }: Omit<CoveredExchange, 'status'>,
  watches: Map<Operation, Watches>,
  noted: Noted,
): void {
  const watched = watches.get(operation);
  if (watched === undefined) return;
  look(watched.path, parameters.path, noted);
  look(watched.query, parameters.query, noted, untried);
  look(watched.header, parameters.header, noted);
  if (typeof body === 'object' && body !== null) look(watched.body, body as Record<string, unknown>, noted);
  for (const { rule, at } of violations) noted.seen.add(breach(operation.id, rule, at));
}

function look(
  watches: readonly Watch[],
  values: Readonly<Record<string, unknown>>,
  { seen, inVain }: Noted,
  untried?: readonly string[],
): void {
  for (const watch of watches) {
    if (!Object.hasOwn(values, watch.name)) continue;
    const value = values[watch.name];
    if (value === undefined) continue;
    if (watch.sent !== undefined) seen.add(watch.sent);
    const standout = watch.values.get(keyOf(value));
    if (standout !== undefined) (untried?.includes(watch.name) === true ? inVain : seen).add(standout);
  }
}

/** Objects are equal if their JSON is. */
function keyOf(value: unknown): unknown {
  return typeof value === 'object' ? printJson(value) : value;
}
