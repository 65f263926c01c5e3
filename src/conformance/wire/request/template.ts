import { makeLike } from '../../../contract/samples/sample-like.js';
import { readLocationKey } from '../http/read-location.js';
import { parsePointer } from '../../../contract/document/document.js';
import { Literal } from '../../model/literal.js';

/** What references in a scenario can point at. */
export interface Scope {
  /** `$case.<name>` */
  case: Readonly<Record<string, unknown>>;
  /** `$each`, `$each#/id` */
  each: unknown;
  /** `$steps.<id>.outputs.<name>`, `$steps.<id>.response.body#/0/id`, `$steps.<id>.response.count` (items of a list, or of the one at a pointer), `$steps.<id>.responses` (the bodies of all successes of the step), `$steps.<id>.request.body` */
  steps: Readonly<Record<string, StepRecord | undefined>>;
  /** `$scenarios.<id>.outputs.<name>` */
  outputsOf(scenario: string): Readonly<Record<string, unknown>> | undefined;
  /** `$request.body`, when the request exists. */
  request: { body: unknown } | undefined;
  /** `$response.status`, `$response.body#/id`, `$response.headers`, `$response.header.<name>`, `$response.location` (the last segment of that field; `$response.locationNumber` as an integer), when the answer has arrived. */
  response: ResponseRecord | undefined;
  /** `$unique`: a text that no other record has; the same within one request. `$uniqueWord`: another that shows nobody which run made it; `$uniqueInteger`: an integer of eight digits made of it; `$uniqueLike#/components/schemas/Zone/properties/code`: a text of the pattern there. */
  unique(): string;
  /** `$contract#/paths/...` */
  contract: unknown;
  /** `$run.nextKeys`, `$run.followingKeys`, `$run.aliasKeys`, `$run.parameters`, `$run.shown` (how many records answers have shown, by resource) */
  run: Readonly<Record<string, unknown>>;
}

export interface StepRecord {
  request: { body: unknown };
  response: ResponseRecord;
  outputs: Readonly<Record<string, unknown>>;
  /** The bodies of all successes, if the step was sent more than once. */
  responses?: readonly unknown[];
}

export interface ResponseRecord {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: unknown;
}

/** A reference without a value in this run: an earlier step did not get that far. */
export class UnresolvedReference extends Error {
  override readonly name = 'UnresolvedReference';
  readonly reference: string;
  constructor(reference: string) {
    super(`${reference} refers to a value that this run has not seen`);
    this.reference = reference;
  }
}

/**
 * Replaces references by their values, in every string of a value. A string
 * that is one reference becomes its value; `{$...}` within a longer text becomes
 * its text; `$$` at the start means a literal `$`. Throws {@link UnresolvedReference}.
 */
export function fillTemplate(value: unknown, scope: Scope): unknown {
  if (value instanceof Literal) return value.value;
  if (typeof value === 'string') return fillText(value, scope);
  if (Array.isArray(value)) return value.map((item) => fillTemplate(item, scope));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillTemplate(item, scope)]));
}

/** Every reference in a value, for checking a file before it runs. */
export function listReferences(value: unknown): string[] {
  if (typeof value === 'string') {
    if (value.startsWith('$$')) return [];
    return value.startsWith('$') ? [value] : [...value.matchAll(EMBEDDED)].map((match) => match[1] ?? '');
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(listReferences);
}

/** Whether a value is one whole reference. */
export function isReference(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith('$') && !value.startsWith('$$');
}

/** Whether a value is a reference to an answer, rather than something that a file states. */
export function comesFromAnswer(value: unknown): boolean {
  return isReference(value) && /^\$(?:steps|scenarios|each|run)\b/.test(value);
}

/** A value with its references to the row of a table filled in, unless the row itself contains references. */
export function fillCase(value: unknown, row: Readonly<Record<string, unknown>>): unknown {
  if (typeof value === 'string') return fillCaseText(value, row);
  if (Array.isArray(value)) return value.map((item) => fillCase(item, row));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillCase(item, row)]));
}

function fillCaseText(text: string, row: Readonly<Record<string, unknown>>): unknown {
  const [, name = '', , pointer] = /^\$case\.([\w-]+)(#(.*))?$/s.exec(text) ?? [];
  if (name === '') return text;
  const value = pointer === undefined ? row[name] : parsePointer(pointer).reduce(step, row[name]);
  return value === undefined ? text : value;
}

/** The grammar of references; anything else is a mistake in the file. */
export const REFERENCE =
  /^\$(?:unique(?:Integer|Like|Word)?|contract|case\.[\w-]+|run\.(?:nextKeys|followingKeys|aliasKeys|parameters|shown)|each|request\.body|response\.(?:status|body|count|headers|location|locationNumber|header\.[\w-]+)|steps\.[\w-]+\.(?:outputs\.[\w-]+|response\.(?:status|body|count|headers|header\.[\w-]+)|responses|request\.body)|scenarios\.[\w/-]+\.outputs\.[\w-]+)(?:#(?:\/[^/]*)*)?$/;

const EMBEDDED = /\{(\$[^{}]+)\}/g;

function fillText(text: string, scope: Scope): unknown {
  if (text.startsWith('$$')) return text.slice(1);
  if (text.startsWith('$')) return follow(text, scope);
  return text.replace(EMBEDDED, (_, reference: string) => String(follow(reference, scope)));
}

function follow(reference: string, scope: Scope): unknown {
  const [path, pointer] = splitOnce(reference.slice(1), '#');
  const value =
    pointer !== undefined && path.endsWith('.count') ? countAt(path, pointer, scope) : readAt(path, pointer, scope);
  if (value === undefined) throw new UnresolvedReference(reference);
  return value;
}

function readAt(path: string, pointer: string | undefined, scope: Scope): unknown {
  if (path === 'uniqueLike')
    return makeLike(parsePointer(pointer ?? '').reduce(step, scope.contract), toInteger(scope.unique()));
  const base = lookUp(path, scope);
  return pointer === undefined ? base : parsePointer(pointer).reduce(step, base);
}

/** The items of a list that stands in an envelope. */
function countAt(path: string, pointer: string, scope: Scope): number | undefined {
  const list = readAt(path.replace(/count$/, 'body'), pointer, scope);
  return Array.isArray(list) ? list.length : undefined;
}

function lookUp(path: string, scope: Scope): unknown {
  const [root = '', ...rest] = path.split('.');
  if (root === 'unique') return scope.unique();
  if (root === 'uniqueWord') return turnAround(scope.unique());
  if (root === 'uniqueInteger') return toInteger(scope.unique());
  if (root === 'each') return scope.each;
  // A row may contain references of its own.
  if (root === 'case') return fillTemplate(scope.case[rest[0] ?? ''], scope);
  if (root === 'contract') return scope.contract;
  if (root === 'run') return scope.run[rest[0] ?? ''];
  // A create without a body says nothing of its record.
  if (root === 'request') return scope.request === undefined ? undefined : (scope.request.body ?? {});
  if (root === 'response') return partOf(scope.response, rest);
  if (root === 'scenarios') return scope.outputsOf(rest[0] ?? '')?.[rest[2] ?? ''];
  const record = scope.steps[rest[0] ?? ''];
  if (rest[1] === 'outputs') return record?.outputs[rest[2] ?? ''];
  if (rest[1] === 'responses') return record?.responses;
  return rest[1] === 'request' ? record?.request.body : partOf(record?.response, rest.slice(2));
}

const LETTERS = 26;

/** The same for the same text, and of as many digits for each. */
function toInteger(text: string): number {
  const letters = Array.from(text.toLowerCase().slice(-5), (letter) => letter.charCodeAt(0) - 97);
  return letters.reduce((sum, each) => sum * LETTERS + each, 0) + 10_000_000;
}

/** The letters of a text from the last to the first. */
export function turnAround(text: string): string {
  return Array.from(text).toReversed().join('');
}

function partOf(response: ResponseRecord | undefined, [part, name]: string[]): unknown {
  if (part === 'status') return response?.status;
  if (part === 'headers') return response?.headers;
  if (part === 'count') return Array.isArray(response?.body) ? response.body.length : undefined;
  if (part === 'location') return readLocationKey(response?.headers['location']);
  if (part === 'locationNumber') return toNumber(readLocationKey(response?.headers['location']));
  if (part === 'header') return response?.headers[name?.toLowerCase() ?? ''];
  return response?.body;
}

function toNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

function step(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

/** A value that states no references: what would be read as one stands for itself, except where it is kept. */
export function escape<T>(value: T, isKept: (value: unknown) => boolean = () => false): T {
  return escapeValue(value, isKept) as T;
}

function escapeValue(value: unknown, isKept: (value: unknown) => boolean): unknown {
  if (isKept(value)) return value;
  if (typeof value === 'string') return value.startsWith('$') ? `$${value}` : value.replaceAll('{$', '{ $');
  if (Array.isArray(value)) return value.map((each) => escapeValue(each, isKept));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, escapeValue(item, isKept)]));
}
