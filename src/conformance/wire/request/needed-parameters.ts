// What every request of an operation must have besides path, key and record: `X-Tenant`, `api-version`.
import type { Contract } from '../../../contract/contract.js';
import { asList, asObject } from '../../../contract/document/plain.js';
import type { Operation, Parameter } from '../../../contract/model.js';
import { isTagName, showsTag, isRepeatKey } from '../../../contract/operations/operations.js';
import { PetstoreMockError } from '../../../errors.js';
import { suggest } from '../../../suggest.js';
import { sampleValue } from '../../../contract/samples/sample.js';
import { readDialect } from '../../../contract/schemas/dialect.js';
import { mergeSchemas } from '../../../contract/schemas/merged-schema.js';
import { isJsonNumber } from '../../../contract/numbers/decimal.js';

/** Values by the name of the parameter, as they are given to a run. */
export type GivenParameters = Readonly<Record<string, string>>;

export interface NeededParameter {
  parameter: Parameter;
  /** `undefined` if only the service knows one that it takes. */
  value: unknown;
}

/** The header fields and query parameters that an operation requires. */
export function listNeeded(operation: Operation, given: GivenParameters, contract: Contract): NeededParameter[] {
  return operation.parameters
    .filter(({ required, in: place }) => required && (place === 'header' || place === 'query'))
    .map((parameter) => ({
      parameter,
      value: chooseValue(parameter, given, contract) ?? chooseTag(parameter, operation, contract),
    }));
}

/** Any version, for what asks for no record of its own; the ETag of one that a run updates is read first. */
function chooseTag({ name }: Parameter, { path }: Operation, { operations }: Contract): string | undefined {
  return isTagName(name) && operations.some((each) => each.path === path && showsTag(each)) ? '*' : undefined;
}

/** Given, or the contract's own; of a name for one request, any will do. */
function chooseValue(parameter: Parameter, given: GivenParameters, contract: Contract): unknown {
  const { name, schema, schemaPointer } = parameter;
  const own = findGiven(name, given);
  if (own !== undefined) return own;
  const isAnyFine = NAMES_REQUEST.test(name) || isRepeatKey(name) || schema['type'] === 'boolean';
  const sample = isAnyFine && schemaPointer !== undefined ? [sampleValue(contract.document, schemaPointer)] : [];
  return chooseStated(parameter, contract) ?? findFitting(sample, parameter, contract);
}

/** A value that the contract shows, or the first of those that it allows; `undefined` without one. */
export function chooseStated(parameter: Parameter, contract: Contract): unknown {
  const { pointer, schemaPointer } = parameter;
  const { document } = contract;
  const stated = asObject(document.at(pointer));
  const examples = Object.values(asObject(stated['examples'])).map((each) => asObject(each)['value']);
  const { parts } = mergeSchemas(
    document,
    readDialect(document.root),
    schemaPointer === undefined ? [] : [schemaPointer],
  );
  const inSchema = ['examples', 'example', 'default', 'const', 'enum'].flatMap((key) =>
    parts.flatMap(({ schema }) => (key === 'examples' || key === 'enum' ? asList(schema[key]) : [schema[key]])),
  );
  const candidates = [stated['example'], ...examples, ...inSchema];
  return findFitting(candidates, parameter, contract);
}

function findGiven(name: string, given: GivenParameters): string | undefined {
  const own = Object.keys(given).find((each) => each.toLowerCase() === name.toLowerCase());
  return own === undefined ? undefined : given[own];
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
    (value) => isPlain(value) && (schemaPointer === undefined || validate.value(schemaPointer, value).length === 0),
  );
}

/** By which a client calls a request, or several of one task. */
const NAMES_REQUEST = /(?:request|correlation|trace|session)[-_]?id$/i;

function isPlain(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'boolean' || isJsonNumber(value);
}

export function findLackingParameter(needed: readonly NeededParameter[]): Parameter | undefined {
  return needed.find(({ value }) => value === undefined)?.parameter;
}

/** What is missing for an operation to be asked: `the header field X-Tenant`. */
export function describeLacking(needed: readonly NeededParameter[]): string | undefined {
  const lacking = findLackingParameter(needed);
  if (lacking === undefined) return undefined;
  const where = lacking.in === 'header' ? 'header field' : 'query parameter';
  return `it needs the ${where} ${lacking.name}; set it with --parameter ${lacking.name}=<value>`;
}

/** `name=value`, by the name. */
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
