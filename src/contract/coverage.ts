import { asList, asObject } from './document/plain.js';
import { readOnce, type SourceDocument, escapePointer } from './document/document.js';
import type { Contract } from './contract.js';
import { printJson } from './document/json.js';
import type { Operation } from './model.js';
import type { ParameterReading } from './parameters.js';
import { resolveAt } from './document/references.js';
import type { Violation } from './schemas/violation.js';

interface Coverage {
  total: number;
  covered: number;
  /** In the order of the contract; `sent` marks a value that was sent, though no answer could show a mistake. */
  missing: (CoverageItem & { sent?: true })[];
}

export interface CoveredExchange {
  operation: Operation;
  status: number;
  parameters: Pick<ParameterReading, 'path' | 'query' | 'header'>;
  body: unknown;
  violations: readonly Violation[];
  /** Query parameters that could not have made the response wrong, such as a limit above the number of records. */
  untried?: readonly string[];
}

export interface CoverageRecorder {
  add(exchange: CoveredExchange): void;
  addRequest(request: Omit<CoveredExchange, 'status'>): void;
  addAnswer(operation: Operation, status: number): void;
  merge(other: CoverageRecorder): void;
  seen(): Set<string>;
  summarize(): Coverage;
}

/** Operations, their documented statuses, parameters, bounds and enum values, and the rules that a request can break. */
export function createCoverage(contract: Contract): CoverageRecorder {
  const seen = new Set<string>();
  const inVain = new Set<string>();
  const statuses = new Map<Operation, Set<number>>();
  const addRequest: CoverageRecorder['addRequest'] = (request) =>
    addExercised(request, watchesOf(contract).get(request.operation), { seen, inVain });
  const addAnswer: CoverageRecorder['addAnswer'] = (operation, status) => {
    statuses.set(operation, (statuses.get(operation) ?? new Set()).add(status));
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

type Watch = { name: string; sent: string | undefined; values: ReadonlyMap<unknown, string> };
type Watches = Record<'path' | 'query' | 'header' | 'body', Watch[]>;

const watchesOf = readOnce(
  ({ operations, document }: Contract) =>
    new Map(operations.map((operation) => [operation, listWatches(document, operation)])),
);

function listWatches(document: SourceDocument, operation: Operation): Watches {
  const watches = listPlaces(document, operation).map(({ at, schemaPointer }) => {
    const [part = '', ...rest] = at.split('/');
    const { enum: listed, minimum, maximum } = asObject(resolveAt(document, schemaPointer).value);
    const standouts = [...asList(listed), ...[minimum, maximum].filter((bound) => bound !== undefined)];
    const values = new Map(standouts.map((value) => [keyOf(value), exercise(operation.id, at, value)]));
    const sent = part === 'body' ? undefined : `${operation.id} is sent ${at}`;
    return { part, name: rest.join('/'), sent, values };
  });
  const of = (part: string): Watch[] =>
    watches.filter((watch) => watch.part === part && (watch.sent !== undefined || watch.values.size > 0));
  return { path: of('path'), query: of('query'), header: of('header'), body: of('body') };
}

function addExercised(
  { operation, parameters, body, violations, untried }: Omit<CoveredExchange, 'status'>,
  watched: Watches | undefined,
  { seen, inVain }: Record<'seen' | 'inVain', Set<string>>,
): void {
  if (watched === undefined) return;
  const look = (watches: readonly Watch[], values: Readonly<Record<string, unknown>>): void => {
    for (const watch of watches) {
      const value = Object.hasOwn(values, watch.name) ? values[watch.name] : undefined;
      if (value === undefined) continue;
      if (watch.sent !== undefined) seen.add(watch.sent);
      const standout = watch.values.get(keyOf(value));
      const isUntried = watches === watched.query && untried?.includes(watch.name) === true;
      if (standout !== undefined) (isUntried ? inVain : seen).add(standout);
    }
  };
  for (const part of ['path', 'query', 'header'] as const) look(watched[part], parameters[part]);
  if (typeof body === 'object' && body !== null) look(watched.body, body as Record<string, unknown>);
  for (const { rule, at } of violations) seen.add(breach(operation.id, rule, at));
}

const keyOf = (value: unknown): unknown => (typeof value === 'object' ? printJson(value) : value);

export type CoverageKind = 'operation' | 'status' | 'parameter' | 'bound' | 'enum' | 'rule';

interface CoverageItem {
  /** Stable: `listPets answers 200`, `listPets is sent query/limit = 100`, `createPet is sent body/name against its required`. */
  id: string;
  kind: CoverageKind;
  pointer: string;
}

export function listItems(document: SourceDocument, operation: Operation): CoverageItem[] {
  const { id, pointer, responses, parameters } = operation;
  const itemOf = (what: string, kind: CoverageKind, at: string): CoverageItem => ({ id: what, kind, pointer: at });
  const places = listPlaces(document, operation).map(({ at, schemaPointer }) => {
    const { value, pointer: settled } = resolveAt(document, schemaPointer);
    return { at, schema: asObject(value), settled };
  });
  const values = places.flatMap(({ at, schema, settled }) => {
    const bounds = ['minimum', 'maximum'].filter((bound) => schema[bound] !== undefined);
    return [
      ...asList(schema['enum']).map((each, index) =>
        itemOf(exercise(id, at, each), 'enum', `${settled}/enum/${index}`),
      ),
      ...bounds.map((bound) => itemOf(exercise(id, at, schema[bound]), 'bound', `${settled}/${bound}`)),
    ];
  });
  const rules = places.flatMap(({ at, schema, settled }) => {
    // Everything in a path or a query is a text.
    const isPlain = (rule: string): boolean => rule === 'type' && schema[rule] === 'string' && !at.startsWith('body');
    const stated = RULES.filter((rule) => schema[rule] !== undefined && !isPlain(rule));
    const required = asList(schema['required']) as string[];
    return required
      .map((name) => itemOf(breach(id, 'required', `${at}/${name}`), 'rule', `${settled}/required`))
      .concat(stated.map((rule) => itemOf(breach(id, rule, at), 'rule', `${settled}/${rule}`)));
  });
  return [
    itemOf(`${id} is called`, 'operation', pointer),
    ...responses
      .filter(({ status }) => /^\d+$/.test(status))
      .map((each) => itemOf(`${id} answers ${each.status}`, 'status', each.pointer)),
    ...parameters.map((each) => itemOf(`${id} is sent ${each.in}/${each.name}`, 'parameter', each.pointer)),
    ...values,
    ...rules,
  ];
}

function listPlaces(document: SourceDocument, operation: Operation): { at: string; schemaPointer: string }[] {
  const parameters = operation.parameters.flatMap(({ in: part, name, schemaPointer }) =>
    schemaPointer === undefined ? [] : [{ at: `${part}/${name}`, schemaPointer }],
  );
  const [content] = operation.requestBody?.content ?? [];
  if (content?.schemaPointer === undefined) return parameters;
  const { pointer, value } = resolveAt(document, content.schemaPointer);
  const inBody = Object.keys(asObject(asObject(value)['properties'])).map((name) => ({
    at: `body/${name}`,
    schemaPointer: `${pointer}/properties/${escapePointer(name)}`,
  }));
  return [...parameters, { at: 'body', schemaPointer: pointer }, ...inBody];
}

const RULES = ['type', 'format', 'enum', 'minimum', 'maximum', 'minLength', 'maxLength', 'pattern'];

const exercise = (operationId: string, at: string, value: unknown): string =>
  `${operationId} is sent ${at} = ${printJson(value)}`;

const breach = (operationId: string, rule: string, at: string): string =>
  `${operationId} is sent ${at} against its ${rule}`;
