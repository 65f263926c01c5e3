// The path parameters that name no record of which the contract lets a run create one: `{subscriptionId}`.
import type { Contract } from '../../contract/contract.js';
import type { Operation, Parameter } from '../../contract/model.js';
import { listTemplateNames } from '../../contract/operations/match.js';
import { readOnce } from '../../contract/document/document.js';
import { chooseInPath, type GivenParameters } from '../wire/request/needed-parameters.js';
import { bindSubjects, isFree } from './bind-subjects.js';

interface FreeParameter {
  /** As the path of the collection has it. */
  name: string;
  operation: Operation;
  parameter: Parameter;
}

/** Each, once for each operation of a resource under test that has it in its path. */
export const listFree = readOnce((contract: Contract): readonly FreeParameter[] =>
  bindSubjects(contract).bindings.flatMap(({ subject: { roles }, scope }) => {
    const names = Object.keys(scope);
    const free = names.filter((name) => isFree(scope[name]));
    if (free.length === 0) return [];
    // A PUT that creates has two roles.
    const operations = new Set(Object.values(roles).map(({ operation }) => operation));
    return [...operations].flatMap((operation) => free.flatMap((name) => findIn(operation, name, names)));
  }),
);

/** Operations on one path may have names of their own for its parameters. */
function findIn(operation: Operation, name: string, names: readonly string[]): FreeParameter[] {
  const own = listTemplateNames(operation.path);
  const called = own.includes(name) ? name : own[names.indexOf(name)];
  const parameter = operation.parameters.find((each) => each.in === 'path' && each.name === called);
  return parameter === undefined ? [] : [{ name, operation, parameter }];
}

/** The values that a run has for them: given, or the only ones that the contract allows. */
export function chooseFree(contract: Contract, given: GivenParameters): Record<string, unknown> {
  const found = listFree(contract).map(({ name, parameter }) => [name, chooseInPath(name, parameter, given, contract)]);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined)) as Record<string, unknown>;
}

/** The operations that a run cannot ask, by their ids, and what would help. */
export function listLackingFree(contract: Contract, given: GivenParameters): [string, string][] {
  const known = chooseFree(contract, given);
  const lacking = new Map<string, string[]>();
  for (const { name, operation } of listFree(contract)) {
    if (!Object.hasOwn(known, name)) lacking.set(operation.id, [...(lacking.get(operation.id) ?? []), name]);
  }
  return [...lacking].map(([id, names]) => [id, describeFree(names)]);
}

function describeFree(names: readonly string[]): string {
  const [what, give] = names.length === 1 ? ['parameter', 'sets it'] : ['parameters', 'set them'];
  const flags = names.map((name) => `--parameter ${name}=<value>`);
  return `it needs the path ${what} ${names.join(' and ')}; ${flags.join(' ')} ${give}`;
}
