import { readOnce } from '../../../contract/document/document.js';
import type { Contract } from '../../../contract/contract.js';
import { limitOf, listEnumFilters } from '../../../contract/gaps/gaps-of-contract.js';
import { inferResources } from '../../../contract/resources/infer-resources.js';
import { choosePlainRoles } from '../../../contract/resources/resource.js';

/** What the contract says about the limit of a list; a value is `undefined` if it says nothing. */
export interface LimitValues {
  minimum: number | undefined;
  maximum: number | undefined;
  default: number | undefined;
  /** The limit that gets the largest page. */
  largestPage: number | undefined;
}

/**
 * The values that scenario files take from the contract, so that they follow it:
 * `$limit.minimum`, `.maximum`, `.default` and `.largestPage` (of the first list that has a limit; the last is what
 * gets the longest page), each with `+1` or `-1` behind it; `$statuses` and `$statuses#/0`, the values of the first filter
 * that has a list of them; `{$path.getPet}`, the path of an operation up to its first parameter.
 */
export interface ContractValues {
  limit: LimitValues;
  /** The values of the filter; repeated, so that there are at least three. */
  statuses: readonly unknown[];
  /** Each value once. */
  distinctStatuses: readonly unknown[];
  /** The path of each operation up to its first parameter. */
  paths: ReadonlyMap<string, string>;
}

/** The limit to request a page of unbounded length. */
const LONG_PAGE = 100;

export const readContractValues = readOnce(readValues);

function readValues(contract: Contract): ContractValues {
  const all = inferResources(contract).resources.map(choosePlainRoles);
  const limit = all.map(limitOf).find((each) => each !== undefined)?.schema;
  const [filter] = all.flatMap(({ list }) => listEnumFilters(list));
  const distinctStatuses = (filter?.schema['enum'] ?? []) as readonly unknown[];
  const [minimum, maximum, usual] = ['minimum', 'maximum', 'default'].map((name) => {
    const value = limit?.[name];
    return typeof value === 'number' ? value : undefined;
  });
  return {
    limit: {
      minimum,
      maximum,
      default: usual,
      largestPage: limit === undefined ? undefined : (maximum ?? LONG_PAGE),
    },
    distinctStatuses,
    statuses:
      distinctStatuses.length === 0 ? [] : [0, 1, 2].map((index) => distinctStatuses[index % distinctStatuses.length]),
    paths: new Map(contract.operations.map(({ id, path }) => [id, path.replace(/\{.*/, '')])),
  };
}

/** A value that a file takes from the contract and the contract does not state. */
export class NotInContract extends Error {
  override readonly name = 'NotInContract';
}

const WHOLE = /^\$(?:limit\.(?:minimum|maximum|default|largestPage)(?:[+-]1)?|statuses(?:#\/[0-2])?)$/;
const EMBEDDED = /\{(\$(?:limit\.\w+(?:[+-]1)?|statuses#\/[0-2]|path\.[^{}]+))\}/g;

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

function lookUp(reference: string, { limit, statuses, distinctStatuses, paths }: ContractValues): unknown {
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
