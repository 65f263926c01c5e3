import { readOnce } from '../../../contract/read-once.js';
import type { Contract } from '../../../contract/contract.js';
import type { Operation, Parameter } from '../../../contract/model.js';
import { printJson } from '../../../contract/document/json.js';
import { readProperties } from '../../../contract/operations/properties.js';
import { sampleValue } from '../../../contract/samples/sample.js';

/** What the contract says about the parameter `limit`; a value is `undefined` if it says nothing. */
export interface LimitValues {
  minimum: number | undefined;
  maximum: number | undefined;
  default: number | undefined;
  /** The limit that gets the largest page. */
  largestPage: number | undefined;
}

/**
 * The values that scenario files take from the contract, so that they follow a team's own:
 * `$limit.minimum`, `.maximum`, `.default` and `.largestPage` (of `listPets`; the last is what
 * gets the longest page), each with `+1` or `-1` behind it; `$statuses` and `$statuses#/0`;
 * `{$path.getPet}`, the path of an operation up to its first parameter;
 * `{$more}`, further fields of a pet as JSON text.
 */
export interface ContractValues {
  limit: LimitValues;
  /** The values of the status filter; repeated, so that there are at least three. */
  statuses: readonly unknown[];
  /** Each value once. */
  distinctStatuses: readonly unknown[];
  /** The path of each operation up to its first parameter. */
  paths: ReadonlyMap<string, string>;
  /** Fields that a new pet must have but that scenario files do not know. */
  moreFields: Readonly<Record<string, unknown>>;
}

/** The limit to request a page of unbounded length. */
const LONG_PAGE = 100;
/** The fields of a new pet that scenario files write themselves. */
const KNOWN_FIELDS = ['id', 'name', 'categoryId', 'status'];

export const readContractValues = readOnce(readValues);

function readValues(contract: Contract): ContractValues {
  const list = contract.operations.find(({ id }) => id === 'listPets');
  const limit = findQuery(list, 'limit');
  const statuses = findQuery(list, 'status')?.schema['enum'];
  const distinctStatuses: readonly unknown[] = Array.isArray(statuses) ? statuses : [];
  const [minimum, maximum] = [numberOf(limit, 'minimum'), numberOf(limit, 'maximum')];
  return {
    limit: {
      minimum,
      maximum,
      default: numberOf(limit, 'default'),
      largestPage: limit === undefined ? undefined : (maximum ?? LONG_PAGE),
    },
    distinctStatuses,
    statuses:
      distinctStatuses.length === 0 ? [] : [0, 1, 2].map((index) => distinctStatuses[index % distinctStatuses.length]),
    paths: new Map(contract.operations.map(({ id, path }) => [id, path.replace(/\{.*/, '')])),
    moreFields: sampleMoreFields(contract),
  };
}

function findQuery(operation: Operation | undefined, name: string): Parameter | undefined {
  return operation?.parameters.find((each) => each.in === 'query' && each.name === name);
}

function numberOf(parameter: Parameter | undefined, keyword: string): number | undefined {
  const value = parameter?.schema[keyword];
  return typeof value === 'number' ? value : undefined;
}

function sampleMoreFields({ operations, document }: Contract): Record<string, unknown> {
  const schema = operations.find(({ id }) => id === 'createPet')?.requestBody?.content[0]?.schemaPointer;
  const properties = schema === undefined ? [] : readProperties(document, schema);
  const more = properties.filter(({ name, required }) => required && !KNOWN_FIELDS.includes(name));
  return Object.fromEntries(more.map(({ name, schemaPointer }) => [name, sampleValue(document, schemaPointer)]));
}

/** What the shipped scenarios call the parameter with the key of a pet. */
const KEY = 'petId';

/** The name that an operation gives the last parameter of its path, which has the key. */
export function nameKey(contract: Pick<Contract, 'operations'>, operationId: string): string {
  const operation = contract.operations.find(({ id }) => id === operationId);
  return operation?.parameters.findLast((each) => each.in === 'path')?.name ?? KEY;
}

/** The parameters of a shipped step by the names of the contract. */
export function renameKey<Given extends { operationId?: string; parameters?: Record<string, unknown> }>(
  step: Given,
  contract: Pick<Contract, 'operations'>,
): Given {
  const { operationId, parameters } = step;
  if (operationId === undefined || parameters?.[KEY] === undefined) return step;
  const { [KEY]: key, ...rest } = parameters;
  return { ...step, parameters: { ...rest, [nameKey(contract, operationId)]: key } };
}

/** A value that a file takes from the contract and the contract does not state. */
export class NotInContract extends Error {
  override readonly name = 'NotInContract';
}

const WHOLE = /^\$(?:limit\.(?:minimum|maximum|default|largestPage)(?:[+-]1)?|statuses(?:#\/[0-2])?|more)$/;
const EMBEDDED = /\{(\$(?:limit\.\w+(?:[+-]1)?|statuses#\/[0-2]|path\.[^{}]+|more))\}/g;

/** A part of a scenario file with the contract's values in it. Throws {@link NotInContract}. */
export function fillFromContract<T>(value: T, values: ContractValues): T {
  return fill(value, values) as T;
}

function fill(value: unknown, values: ContractValues): unknown {
  if (typeof value === 'string') return fillText(value, values);
  if (Array.isArray(value)) return value.map((item) => fill(item, values));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [
    key,
    key === 'parameters' ? fillParameters(item, values) : fill(item, values),
  ]);
  return Object.fromEntries(entries);
}

/** A parameter that the contract does not define is left out. */
function fillParameters(parameters: unknown, values: ContractValues): unknown {
  const isMissing = (value: unknown): boolean =>
    value === '$limit.largestPage' && values.limit.largestPage === undefined;
  const entries = Object.entries(parameters as Record<string, unknown>).filter(([, value]) => !isMissing(value));
  return Object.fromEntries(entries.map(([name, value]) => [name, fill(value, values)]));
}

function fillText(text: string, values: ContractValues): unknown {
  if (WHOLE.test(text)) return lookUp(text, values);
  return text.replace(EMBEDDED, (_, reference: string) => String(lookUp(reference, values)));
}

const OF_PATHS = '$path.';

function lookUp(reference: string, { limit, statuses, distinctStatuses, paths, moreFields }: ContractValues): unknown {
  if (reference === '$more')
    return Object.entries(moreFields)
      .map(([name, value]) => `,${printJson(name)}:${printJson(value)}`)
      .join('');
  if (reference.startsWith(OF_PATHS)) {
    const id = reference.slice(OF_PATHS.length);
    return orMissing(paths.get(id), `operation ${id}`);
  }
  if (reference === '$statuses')
    return orMissing(distinctStatuses.length === 0 ? undefined : distinctStatuses, 'enum of a status filter');
  if (reference.startsWith('$statuses'))
    return orMissing(statuses[Number(reference.at(-1))], 'enum of a status filter');
  const [, keyword = '', step = '+0'] = /^\$limit\.([a-zA-Z]+)([+-]1)?$/.exec(reference) ?? [];
  return (
    orMissing(Object.entries(limit).find(([name]) => name === keyword)?.[1], `${keyword} of a limit`) + Number(step)
  );
}

function orMissing<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new NotInContract(`the contract has no ${what}`);
  return value;
}
