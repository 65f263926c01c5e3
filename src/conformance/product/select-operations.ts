// Which operations a run tests, and which requests it never sends.
import type { Contract } from '../../contract/contract.js';
import { asList, asObject } from '../../contract/document/plain.js';
import type { Operation } from '../../contract/model.js';
import { PetstoreMockError } from '../../errors.js';
import { suggest } from '../../suggest.js';
import { matchesId } from '../scenarios/select-scenarios.js';
import type { ConformanceOptions } from '../model/options.js';
import type { Scenario } from '../model/scenario.js';
import type { WireRequest } from '../model/exchange.js';

export type OperationSelection = Pick<
  ConformanceOptions,
  'tag' | 'operation' | 'method' | 'path' | 'deprecated' | 'never'
>;

/**
 * The scenarios that are about the selected operations: by each kind of selection that is given, one of its values. What a
 * scenario builds on may ask others. Throws a {@link PetstoreMockError} for a value that no operation has.
 */
export function selectByOperations(
  scenarios: readonly Scenario[],
  contract: Contract,
  selection: OperationSelection,
): readonly Scenario[] {
  const tests = listTests(selection);
  if (tests.length === 0) return scenarios;
  for (const test of tests) checkValues(test, contract);
  const isSelected = (operation: Operation): boolean =>
    tests.every(({ values, names, equals }) =>
      values.some((value) => names(operation, contract).some((name) => equals(name, value))),
    );
  const selected = contract.operations.filter(isSelected);
  if (selected.length === 0) throw new PetstoreMockError('empty-selection', `no operation is ${describe(tests)}.`);
  const ids = new Set(selected.map(({ id }) => id));
  return scenarios.filter((scenario) => listAbout(scenario, contract).some((id) => ids.has(id)));
}

interface Test {
  option: string;
  values: readonly string[];
  names: (operation: Operation, contract: Contract) => readonly string[];
  equals: (name: string, value: string) => boolean;
}

function listTests({ tag = [], operation = [], method = [], path = [] }: OperationSelection): Test[] {
  const isSame = (name: string, value: string): boolean => name === value;
  const all: Test[] = [
    { option: 'tag', values: tag, names: listTags, equals: isSame },
    {
      option: 'operation',
      values: operation,
      names: ({ id, method: own, path: at }) => [id, `${own} ${at}`],
      equals: isSame,
    },
    {
      option: 'method',
      values: method.map((each) => each.toUpperCase()),
      names: ({ method: own }) => [own],
      equals: isSame,
    },
    { option: 'path', values: path, names: ({ path: at }) => [at], equals: matchesId },
  ];
  return all.filter(({ values }) => values.length > 0);
}

function listTags({ pointer }: Operation, { document }: Contract): string[] {
  return asList(asObject(document.at(pointer))['tags']).map(String);
}

function checkValues({ option, values, names, equals }: Test, contract: Contract): void {
  const known = [...new Set(contract.operations.flatMap((each) => names(each, contract)))];
  const unknown = values.find((value) => !known.some((name) => equals(name, value)));
  if (unknown === undefined) return;
  const has =
    known.length === 0
      ? 'The contract has none'
      : `The contract has ${known.slice(0, MOST_NAMED).join(', ')}${known.length > MOST_NAMED ? ' and others' : ''}`;
  throw new PetstoreMockError(
    'empty-selection',
    `no operation of the contract has the ${option} ${unknown}${suggest(unknown, known)} ${has}.`,
  );
}

const MOST_NAMED = 8;

function describe(tests: readonly Test[]): string {
  return tests.map(({ option, values }) => `of the ${option} ${values.join(' or ')}`).join(' and ');
}

/** The operation in which a scenario has its rule; without one, all that it asks. */
function listAbout({ basis, steps }: Scenario, { operations }: Contract): string[] {
  const pointer = basis.replace(/^#/, '');
  const own = operations.filter((each) => pointer === each.pointer || pointer.startsWith(`${each.pointer}/`));
  return own.length > 0 ? own.map(({ id }) => id) : steps.flatMap(({ operationId }) => operationId ?? []);
}

/** Why operations are not asked at all, by their id: they are never to be sent, or deprecated and to be left out. */
export function listForbidden(contract: Contract, { never = [], deprecated }: OperationSelection): Map<string, string> {
  const isNever = createForbidden(never);
  for (const each of never) checkNever(each, contract);
  const found = contract.operations.flatMap((operation): [string, string][] => {
    if (isNever(operation))
      return [[operation.id, `${operation.method} ${operation.path} is never to be sent (--never)`]];
    return deprecated === 'skip' && operation.deprecated
      ? [[operation.id, 'it is deprecated (--deprecated skip)']]
      : [];
  });
  return new Map(found);
}

interface Never {
  method: string;
  path: string;
}

/** `DELETE /users`, `/users` for any method, `DELETE` for any path; `*` stands for anything. */
function readNever(written: string): Never {
  const [, method = '*', path = '*'] = /^\s*([A-Za-z]+|\*)?\s*(\/\S*|\*)?\s*$/.exec(written) ?? [];
  return { method: method.toUpperCase(), path };
}

/** Whether an operation, or its method and path, is one of those that are never to be sent. */
function createForbidden(never: readonly string[]): (operation: Pick<Operation, 'id' | 'method' | 'path'>) => boolean {
  const rules = never.map((written) => ({ written, ...readNever(written) }));
  return ({ id, method, path }) =>
    rules.some(
      (rule) =>
        rule.written === id ||
        (/[/*]|^[A-Z]+$/.test(rule.written) && matchesId(method, rule.method) && matchesId(path, rule.path)),
    );
}

/** A rule that forbids nothing is a slip, and a dangerous one. */
function checkNever(written: string, contract: Contract): void {
  const isNever = createForbidden([written]);
  if (contract.operations.some(isNever)) return;
  const known = contract.operations.flatMap(({ id, method, path }) => [id, `${method} ${path}`]);
  throw new PetstoreMockError(
    'empty-selection',
    `no operation is forbidden by --never '${written}'${suggest(written, known)} It takes a method, a path of the contract, both, or an operationId, such as 'DELETE /users'.`,
  );
}

/** Whether a request is one that is never to be sent, whoever would send it. */
export function createGuard(
  contract: Contract,
  { never = [] }: OperationSelection,
  basePath: string,
): (request: Pick<WireRequest, 'method' | 'target'>) => boolean {
  if (never.length === 0) return () => false;
  const isNever = createForbidden(never);
  return ({ method, target }) => {
    const [whole = ''] = target.split('?', 1);
    const path = whole.startsWith(basePath) ? whole.slice(basePath.length) : whole;
    const match = contract.match(method, path);
    if (match.kind === 'operation') return isNever(match.operation);
    return isNever({
      id: '',
      method,
      path: match.kind === 'unknown-path' ? path : (match.operations[0]?.path ?? path),
    });
  };
}
