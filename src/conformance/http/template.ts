import { makeLike } from '../../contract/samples/sample-scalars.js';
import { readLocationKey } from './read-response.js';
import { parsePointer, readOnce } from '../../contract/document/document.js';
import { Literal } from '../model/exchange.js';
import type { Contract } from '../../contract/contract.js';
import { asList } from '../../contract/document/plain.js';
import { limitOf, listEnumFilters } from '../../contract/gaps/gaps-of-contract.js';
import { inferResources } from '../../contract/resources/infer-resources.js';
import { choosePlainRoles } from '../../contract/resources/resource.js';

export interface Scope {
  case: Readonly<Record<string, unknown>>; // `$case.<name>`
  each: unknown; // `$each`, `$each#/id`
  /** `$steps.<id>.outputs.<name>`, `$steps.<id>.response.body#/0/id`, `$steps.<id>.response.count` (items of a list, or of the one at a pointer), `$steps.<id>.responses` (the bodies of all successes of the step), `$steps.<id>.request.body` */
  steps: Readonly<Record<string, StepRecord | undefined>>;
  outputsOf(scenario: string): Readonly<Record<string, unknown>> | undefined; // `$scenarios.<id>.outputs.<name>`
  request: { body: unknown } | undefined; // `$request.body`, when the request exists.
  /** `$response.status`, `$response.body#/id`, `$response.headers`, `$response.header.<name>`, `$response.location` (the last segment of that field; `$response.locationNumber` as an integer), when the answer has arrived. */
  response: ResponseRecord | undefined;
  /** `$unique`: a text that no other record has; the same within one request. `$uniqueWord`: another that shows nobody which run made it; `$uniqueInteger`: an integer of eight digits made of it; `$uniqueLike#/components/schemas/Zone/properties/code`: a text of the pattern there. */
  unique(): string;
  contract: unknown; // `$contract#/paths/...`
  /** `$run.nextKeys`, `$run.followingKeys`, `$run.aliasKeys`, `$run.parameters`, `$run.shown` (how many records answers have shown, by resource) */
  run: Readonly<Record<string, unknown>>;
}

export interface StepRecord {
  request: { body: unknown };
  response: ResponseRecord;
  outputs: Readonly<Record<string, unknown>>;
  responses?: readonly unknown[];
}

export type ResponseRecord = { status: number; headers: Readonly<Record<string, string>>; body: unknown };

export class UnresolvedReference extends Error {
  override readonly name = 'UnresolvedReference';
  readonly reference: string;
  constructor(reference: string) {
    super(`${reference} refers to a value that this run has not seen`);
    this.reference = reference;
  }
}

/**
 * A string that is one reference becomes its value, `{$...}` within a longer text its text; `$$` at the start is a
 * literal `$`. Throws {@link UnresolvedReference}.
 */
export function fillTemplate(value: unknown, scope: Scope): unknown {
  if (value instanceof Literal) return value.value;
  if (typeof value !== 'string') return mapMembers(value, (item) => fillTemplate(item, scope));
  if (value.startsWith('$$')) return value.slice(1);
  if (value.startsWith('$')) return follow(value, scope);
  return value.replace(EMBEDDED, (_, reference: string) => String(follow(reference, scope)));
}

export function fillIfSeen<T>(value: T, scope: Scope): T | undefined {
  try {
    return fillTemplate(value, scope) as T;
  } catch (error) {
    if (error instanceof UnresolvedReference) return undefined;
    throw error;
  }
}

export function mapMembers(value: unknown, change: (inside: unknown, name: string) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item, index) => change(item, String(index)));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inside]) => [name, change(inside, name)]));
}

export function listReferences(value: unknown): string[] {
  if (typeof value === 'string') {
    if (value.startsWith('$$')) return [];
    return value.startsWith('$') ? [value] : [...value.matchAll(EMBEDDED)].map((match) => match[1] ?? '');
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(listReferences);
}

export function isReference(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith('$') && !value.startsWith('$$');
}

export function comesFromAnswer(value: unknown): boolean {
  return isReference(value) && /^\$(?:steps|scenarios|each|run)\b/.test(value);
}

export function fillCase(value: unknown, row: Readonly<Record<string, unknown>>): unknown {
  if (typeof value !== 'string') return mapMembers(value, (item) => fillCase(item, row));
  const [, name = '', , pointer] = /^\$case\.([\w-]+)(#(.*))?$/s.exec(value) ?? [];
  if (name === '') return value;
  const found = pointer === undefined ? row[name] : parsePointer(pointer).reduce(step, row[name]);
  return found === undefined ? value : found;
}

export const REFERENCE =
  /^\$(?:unique(?:Integer|Like|Word)?|contract|case\.[\w-]+|run\.(?:nextKeys|followingKeys|aliasKeys|parameters|shown)|each|request\.body|response\.(?:status|body|count|headers|location|locationNumber|header\.[\w-]+)|steps\.[\w-]+\.(?:outputs\.[\w-]+|response\.(?:status|body|count|headers|header\.[\w-]+)|responses|request\.body)|scenarios\.[\w/-]+\.outputs\.[\w-]+)(?:#(?:\/[^/]*)*)?$/;

const EMBEDDED = /\{(\$[^{}]+)\}/g;

function follow(reference: string, scope: Scope): unknown {
  const [, path = '', pointer] = /^\$([^#]*)(?:#(.*))?$/s.exec(reference) ?? [];
  const isCount = pointer !== undefined && path.endsWith('.count');
  const part = isCount ? path.replace(/count$/, 'body') : path;
  const at = pointer === undefined ? [] : parsePointer(pointer);
  const read =
    part === 'uniqueLike'
      ? makeLike(at.reduce(step, scope.contract), toInteger(scope.unique()))
      : at.reduce(step, lookUp(part, scope));
  const value = isCount ? (Array.isArray(read) ? read.length : undefined) : read;
  if (value === undefined) throw new UnresolvedReference(reference);
  return value;
}

function lookUp(path: string, scope: Scope): unknown {
  const [root = '', ...rest] = path.split('.');
  if (root === 'unique') return scope.unique();
  if (root === 'uniqueWord') return turnAround(scope.unique());
  if (root === 'uniqueInteger') return toInteger(scope.unique());
  if (root === 'each') return scope.each;
  if (root === 'case') return fillTemplate(scope.case[rest[0] ?? ''], scope);
  if (root === 'contract') return scope.contract;
  if (root === 'run') return scope.run[rest[0] ?? ''];
  if (root === 'request') return scope.request === undefined ? undefined : (scope.request.body ?? {});
  if (root === 'response') return partOf(scope.response, rest);
  if (root === 'scenarios') return scope.outputsOf(rest[0] ?? '')?.[rest[2] ?? ''];
  const record = scope.steps[rest[0] ?? ''];
  if (rest[1] === 'outputs') return record?.outputs[rest[2] ?? ''];
  if (rest[1] === 'responses') return record?.responses;
  return rest[1] === 'request' ? record?.request.body : partOf(record?.response, rest.slice(2));
}

function toInteger(text: string): number {
  const letters = Array.from(text.toLowerCase().slice(-5), (letter) => letter.charCodeAt(0) - 97);
  return letters.reduce((sum, each) => sum * 26 + each, 0) + 10_000_000;
}

export const turnAround = (text: string): string => Array.from(text).toReversed().join('');

function partOf(response: ResponseRecord | undefined, [part, name]: string[]): unknown {
  if (part === 'status') return response?.status;
  if (part === 'headers') return response?.headers;
  if (part === 'count') return Array.isArray(response?.body) ? response.body.length : undefined;
  if (part === 'location') return readLocationKey(response?.headers['location']);
  if (part === 'locationNumber') {
    const key = readLocationKey(response?.headers['location']) ?? '';
    return /^\d{1,15}$/.test(key) ? Number(key) : undefined;
  }
  if (part === 'header') return response?.headers[name?.toLowerCase() ?? ''];
  return response?.body;
}

function step(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}

export function escape<T>(value: T, isKept: (value: unknown) => boolean = () => false): T {
  const escapePart = (part: unknown): unknown => {
    if (isKept(part)) return part;
    if (typeof part === 'string') return part.startsWith('$') ? `$${part}` : part.replaceAll('{$', '{ $');
    return mapMembers(part, escapePart);
  };
  return escapePart(value) as T;
}

/**
 * The values that scenario files take from the contract, so that they follow it, by reference: `$limit.minimum`, `.maximum`,
 * `.default` and `.largestPage` (of the first list that has a limit; the last is what gets the longest page), each with `+1`
 * or `-1` behind it; `$statuses` and `$statuses#/0`, the values of the first filter that has a list of them, repeated so that
 * there are three; `$path.getPet`, the path of an operation up to its first parameter.
 */
export type ContractValues = ReadonlyMap<string, unknown>;

export const readContractValues = readOnce((contract: Contract): ContractValues => {
  const all = inferResources(contract).resources.map(choosePlainRoles);
  const limit = all.map(limitOf).find((each) => each !== undefined)?.schema;
  const { minimum, maximum, default: usual } = limit ?? {};
  const largestPage = limit === undefined || typeof maximum === 'number' ? maximum : 100;
  const stated = Object.entries({ minimum, maximum, default: usual, largestPage });
  const limits = stated.flatMap(([name, value]): [string, unknown][] =>
    typeof value === 'number' ? ['', '-1', '+1'].map((sum) => [`$limit.${name}${sum}`, value + Number(sum)]) : [],
  );
  const [filter] = all.flatMap(({ list }) => listEnumFilters(list));
  const statuses = asList(filter?.schema['enum']);
  const repeated = statuses.length === 0 ? [] : [0, 1, 2].map((index) => statuses[index % statuses.length]);
  return new Map([
    ...limits,
    ...(statuses.length === 0 ? [] : [['$statuses', statuses] as const]),
    ...repeated.map((value, index) => [`$statuses#/${index}`, value] as const),
    ...contract.operations.map(({ id, path }) => [`$path.${id}`, path.replace(/\{.*/, '')] as const),
  ]);
});

export class NotInContract extends Error {
  override readonly name = 'NotInContract';
}

const WHOLE = /^\$(?:limit\.(?:minimum|maximum|default|largestPage)(?:[+-]1)?|statuses(?:#\/[0-2])?)$/;
const IN_TEXT = /\{(\$(?:limit\.\w+(?:[+-]1)?|statuses#\/[0-2]|path\.[^{}]+))\}/g;

/** A part of a scenario file with the contract's values in it. Throws {@link NotInContract}. */
export function fillFromContract<T>(value: T, values: ContractValues): T {
  const valueOf = (reference: string): unknown => {
    if (values.has(reference)) return values.get(reference);
    const [, path, keyword] = /^\$(?:path\.(.*)|limit\.([a-zA-Z]+).*|statuses.*)$/s.exec(reference) ?? [];
    const what = path === undefined ? 'enum of a status filter' : `operation ${path}`;
    throw new NotInContract(`the contract has no ${keyword === undefined ? what : `${keyword} of a limit`}`);
  };
  const fill = (part: unknown): unknown => {
    if (typeof part !== 'string') return mapMembers(part, (item, name) => fill(keep(name, item)));
    if (WHOLE.test(part)) return valueOf(part);
    return part.replace(IN_TEXT, (_, reference: string) => String(valueOf(reference)));
  };
  const keep = (name: string, item: unknown): unknown => {
    if (name !== 'parameters' || typeof item !== 'object' || values.has('$limit.largestPage')) return item;
    return Object.fromEntries(Object.entries(item ?? {}).filter(([, each]) => each !== '$limit.largestPage'));
  };
  return fill(value) as T;
}
