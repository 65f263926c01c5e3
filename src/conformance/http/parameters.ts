import type { Contract } from '../../contract/contract.js';
import { asList, asObject } from '../../contract/document/plain.js';
import type { Operation, Parameter } from '../../contract/model.js';
import { isTagName, showsTag, isRepeatKey } from '../../contract/operations/operations.js';
import { PetstoreMockError } from '../../errors.js';
import { suggest } from '../../suggest.js';
import { sampleValue } from '../../contract/samples/sample.js';
import { readDialect } from '../../contract/schemas/dialect.js';
import { mergeSchemas } from '../../contract/schemas/merged-schema.js';
import { isJsonNumber } from '../../contract/numbers/decimal.js';
import { Literal, type WireRequest } from '../model/exchange.js';
import type { Step } from '../model/scenario.js';

export type GivenParameters = Readonly<Record<string, string>>;

type NeededParameter = { parameter: Parameter; value: unknown };

export function listNeeded(operation: Operation, given: GivenParameters, contract: Contract): NeededParameter[] {
  const needed = operation.parameters.filter(({ required, in: place }) => required && /^(?:header|query)$/.test(place));
  // Any version, for what asks for no record of its own; the ETag of one that a run updates is read first.
  const takesTag = contract.operations.some((each) => each.path === operation.path && showsTag(each));
  return needed.map((parameter) => {
    const tag = takesTag && isTagName(parameter.name) ? '*' : undefined;
    return { parameter, value: chooseValue(parameter, given, contract) ?? tag };
  });
}

function chooseValue(parameter: Parameter, given: GivenParameters, contract: Contract): unknown {
  const { name, schema, schemaPointer } = parameter;
  const own = findGiven(name, given);
  if (own !== undefined) return own;
  const isAnyFine = NAMES_REQUEST.test(name) || isRepeatKey(name) || schema['type'] === 'boolean';
  const sample = isAnyFine && schemaPointer !== undefined ? [sampleValue(contract.document, schemaPointer)] : [];
  return chooseStated(parameter, contract) ?? findFitting(sample, parameter, contract);
}

export function chooseStated(parameter: Parameter, contract: Contract): unknown {
  const { pointer, schemaPointer } = parameter;
  const { document } = contract;
  const stated = asObject(document.at(pointer));
  const examples = Object.values(asObject(stated['examples'])).map((each) => asObject(each)['value']);
  const pointers = schemaPointer === undefined ? [] : [schemaPointer];
  const { parts } = mergeSchemas(document, readDialect(document.root), pointers);
  const inSchema = ['examples', 'example', 'default', 'const', 'enum'].flatMap((key) =>
    parts.flatMap(({ schema }) => (key === 'examples' || key === 'enum' ? asList(schema[key]) : [schema[key]])),
  );
  const candidates = [stated['example'], ...examples, ...inSchema];
  return findFitting(candidates, parameter, contract);
}

function findGiven(name: string, given: GivenParameters): string | undefined {
  return Object.entries(given).find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1];
}

/** An example in a path names a record that few services have, so it is none of these. */
export function chooseInPath(name: string, parameter: Parameter, given: GivenParameters, contract: Contract): unknown {
  const { schema } = parameter;
  const stated = [schema['default'], schema['const'], ...asList(schema['enum'])];
  return findGiven(name, given) ?? findFitting(stated, parameter, contract);
}

function findFitting(
  candidates: readonly unknown[],
  { schemaPointer }: Parameter,
  { validate }: Pick<Contract, 'validate'>,
): unknown {
  return candidates.find(
    (value) =>
      (typeof value === 'string' || typeof value === 'boolean' || isJsonNumber(value)) &&
      (schemaPointer === undefined || validate.value(schemaPointer, value).length === 0),
  );
}

const NAMES_REQUEST = /(?:request|correlation|trace|session)[-_]?id$/i;

export function findLackingParameter(needed: readonly NeededParameter[]): Parameter | undefined {
  return needed.find(({ value }) => value === undefined)?.parameter;
}

export function describeLacking(needed: readonly NeededParameter[]): string | undefined {
  const lacking = findLackingParameter(needed);
  if (lacking === undefined) return undefined;
  const where = lacking.in === 'header' ? 'header field' : 'query parameter';
  return `it needs the ${where} ${lacking.name}; set it with --parameter ${lacking.name}=<value>`;
}

export function readPairs(pairs: readonly string[]): GivenParameters {
  return Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
}

/** Throws a {@link PetstoreMockError} for a parameter that the contract does not have. */
export function checkParameterNames(
  given: GivenParameters,
  { operations, document }: Contract,
  inPath: readonly { name: string }[],
): void {
  const others = operations.flatMap(({ parameters }) => parameters.filter(({ in: place }) => place !== 'path'));
  const known = new Set([...others, ...inPath].map(({ name }) => name));
  const lower = new Set([...known].map((name) => name.toLowerCase()));
  const unknown = Object.keys(given).find((name) => !lower.has(name.toLowerCase()));
  if (unknown === undefined) return;
  throw new PetstoreMockError(
    'bad-option',
    `a value is given for the parameter ${unknown}, which no operation of ${document.file} has${suggest(unknown, [...known])}`,
  );
}

type Filling = { contract: Contract; parameters: GivenParameters; extraHeaders: Readonly<Record<string, string>> };

/** What a step says of a parameter itself takes precedence, and so does a query that it states as text. */
export function fillNeeded(step: Step, operation: Operation, { parameters, contract, extraHeaders }: Filling): Step {
  // By which a response goes on until the client hangs up: `stream`, which is often true by default.
  const isEndless = ({ in: place, name, required, shape }: Parameter): boolean =>
    place === 'query' && !required && shape.types.includes('boolean') && /^(?:stream|follow|watch)$/i.test(name);
  const ending = operation.parameters.filter(isEndless).map((parameter) => ({ parameter, value: false }));
  const needed = [...listNeeded(operation, parameters, contract), ...ending].filter(({ value }) => value !== undefined);
  if (needed.length === 0) return step;
  // Requests with the same repeat key are one request: each has its own, unless the user gives one.
  const write = ({ name, schemaPointer }: Parameter, value: unknown): unknown => {
    const isFree = isRepeatKey(name) && findGiven(name, parameters) === undefined;
    const takesOurs = (pointer: string): boolean => contract.validate.value(pointer, `${ZEROS}12345678`).length === 0;
    if (isFree && (schemaPointer === undefined || takesOurs(schemaPointer))) return `${ZEROS}{$uniqueInteger}`;
    return new Literal(String(value));
  };
  const ofPlace = (place: 'header' | 'query', isStated: (name: string) => boolean): Record<string, unknown> => {
    const own = needed.filter(({ parameter }) => parameter.in === place && !isStated(parameter.name));
    return Object.fromEntries(own.map(({ parameter, value }) => [parameter.name, write(parameter, value)]));
  };
  const own = asObject(step.headers);
  const headers = new Set(Object.keys({ ...extraHeaders, ...own }).map((name) => name.toLowerCase()));
  const all = { ...ofPlace('header', (name) => headers.has(name.toLowerCase())), ...own } as Step['headers'];
  const textOf = (value: unknown): string => String(value instanceof Literal ? value.value : value);
  const query = textOf(step.query ?? '');
  const stated = new URLSearchParams(query);
  const inQuery = ofPlace('query', (name) => Object.hasOwn(step.parameters, name) || stated.has(name));
  if (step.query === undefined) return { ...step, headers: all, parameters: { ...step.parameters, ...inQuery } };
  const asText = Object.entries(inQuery).map(([name, value]) => `${encode(name)}=${encode(textOf(value))}`);
  const joined = [query, ...asText].filter((part) => part !== '').join('&');
  return { ...step, headers: all, query: step.query instanceof Literal ? new Literal(joined) : joined };
}

const ZEROS = '00000000-0000-4000-8000-0000';

export function listNamed({ parameters }: Operation, headers: WireRequest['headers']): Record<string, string> {
  const names = new Set(parameters.filter(({ in: place }) => place === 'header').map(({ name }) => name.toLowerCase()));
  const named = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && names.has(name.toLowerCase()) ? [[name.toLowerCase(), value]] : [],
  );
  return Object.fromEntries(named);
}

/** An equivalent spelling: a letter or a digit and its percent escape are the same (RFC 3986 section 6.2.2.2). */
export function escapeFirst(encoded: string): string {
  return encoded.replace(/(?<!%|%.)[A-Za-z\d]/, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** A value of a path that is to be written in an equivalent spelling: `{ $escaped: 34, how: 'first' }`. */
export const ESCAPED = '$escaped';

export type Escaping = 'first' | 'all';

export function encodeInPath(value: unknown): string {
  if (!isEscaped(value)) return encode(value);
  const encoded = encode(value[ESCAPED]);
  if (value.how !== 'all') return escapeFirst(encoded);
  // The digits of an escape may be in either case (RFC 3986 section 2.1).
  return encoded.replace(/%[\dA-F]{2}|[\w.~-]/g, (sign) =>
    (sign.length > 1 ? sign : `%${sign.charCodeAt(0).toString(16)}`).toLowerCase(),
  );
}

export function isEscaped(value: unknown): value is { [ESCAPED]: unknown; how?: Escaping } {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, ESCAPED);
}

/** A target may answer with half a surrogate pair, which a URL cannot contain. */
export function encode(value: unknown): string {
  return encodeURIComponent(String(value).replace(/\p{Surrogate}/gu, '\uFFFD'));
}
