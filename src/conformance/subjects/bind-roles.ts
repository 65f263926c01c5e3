// Turns a scenario that speaks of roles into scenarios of one resource, which name operations, parameters and fields.
import type { Parameter } from '../../contract/model.js';
import { listTemplateNames } from '../../contract/operations/path-template.js';
import type { RawScenario, RawStep, Row } from '../scenarios/raw-scenario.js';
import type { StepBody } from '../scenarios/scenario.js';
import { bindExpectations } from './bind-expectations.js';
import {
  fillNouns,
  fillRow,
  fillWords,
  Inapplicable,
  operationOf,
  statusesOf,
  type Binding,
  type BoundStep,
} from './binding.js';
import { fitReplacement } from './fit-replacement.js';
import { wrap, type RecordTemplate } from './make-records.js';
import { bindPages } from './pages.js';
import type { RoleScenario, RoleStep } from './role-scenario.js';
import type { AskedRole } from '../../contract/resources/plain-roles.js';
import { sizeParameter, TABLES } from './tables.js';

/** The scenario, once or for each row; empty if it does not apply. */
export function bindScenario(raw: RoleScenario, file: string, binding: Binding): RawScenario[] {
  const rows = raw.cases === undefined ? [undefined] : (TABLES[raw.cases]?.(binding) ?? []);
  return rows.flatMap((row) => {
    try {
      return [bindRow(raw, file, { binding, row })];
    } catch (error) {
      if (error instanceof Inapplicable) return [];
      throw error;
    }
  });
}

type Bound = Pick<BoundStep, 'binding' | 'row'>;

function bindRow(raw: RoleScenario, file: string, bound: Bound): RawScenario {
  const { binding, row } = bound;
  const { subject, dependsOn } = binding;
  if (raw.needs === 'getRefusals') statusesOf('$notFound', operationOf('get', binding));
  if (raw.needs === 'changes' && subject.roles.update === undefined && subject.roles.replace === undefined)
    throw new Inapplicable(raw.needs);
  const name = (other: string): string => `${subject.name}/${other.includes('/') ? other : `${file}/${other}`}`;
  const basis = raw.basis === 'credentials' ? (row?.['role'] as AskedRole) : raw.basis;
  return {
    id: raw.id,
    title: fillTitle(raw.title, bound),
    basis: `#${operationOf(basis, binding).operation.pointer}`,
    dependsOn: [...(raw.dependsOn ?? []).map(name), ...dependsOn],
    after: (raw.after ?? []).map(name),
    ...(row === undefined ? {} : { cases: [{ id: row.id }] }),
    steps: raw.steps
      .filter((step) => step.optional !== true || subject.roles[roleOf(step, row)] !== undefined)
      .map((step) => bindStep(step, bound)),
  };
}

function fillTitle(title: string, { binding, row }: Bound): string {
  return fillNouns(title, binding).replaceAll(/\{\$case\.(\w+)\}/g, (_, name: string) => textOf(row?.[name]));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function roleOf({ role }: RoleStep, row: Row | undefined): AskedRole {
  return role === '$case.role' ? (row?.['role'] as AskedRole) : role;
}

function bindStep(step: RoleStep, { binding: own, row }: Bound): RawStep {
  const binding = step.of === 'parent' ? own.parent : own;
  if (binding === undefined) throw new Inapplicable('a parent');
  const bound: BoundStep = { binding, row, operation: operationOf(roleOf(step, row), binding) };
  const pages =
    step.pages === undefined ? undefined : bindPages(binding.subject, fillRow(step.pages, row), binding.contract);
  const auth = fillRow(step.auth, row) as RawStep['auth'];
  const body = bindBody(step, bound);
  return {
    id: step.id,
    operationId: bound.operation.operation.id,
    ...(auth === undefined ? {} : { auth }),
    parameters: fillWords(bindParameters(step, bound, pages?.parameters ?? {}), bound) as Record<string, unknown>,
    ...(body === undefined ? {} : { requestBody: body }),
    ...(pages === undefined ? {} : { pages: pages.walk }),
    ...(step.requires === undefined ? {} : { requires: step.requires }),
    ...bindExpectations(step, bound, pages?.given ?? {}),
    ...(step.retryFrom === undefined ? {} : { retryFrom: step.retryFrom }),
    ...(step.outputs === undefined ? {} : { outputs: fillWords(step.outputs, bound) as Record<string, string> }),
  };
}

function bindParameters(step: RoleStep, bound: BoundStep, paging: Record<string, unknown>): Record<string, unknown> {
  const { binding, row, operation } = bound;
  const { roles } = binding.subject;
  const size = sizeParameter(roles.list?.list?.paging);
  if (step.limit !== undefined && size === undefined) throw new Inapplicable('a limit');
  const isOfOne = operation.role !== 'list' && operation.role !== 'create';
  return {
    ...bindScope(step, bound),
    ...(isOfOne && step.key !== undefined ? { [keyParameterOf(bound)]: bindKey(step.key, binding) } : {}),
    ...paging,
    ...(step.limit === undefined || size === undefined ? {} : { [size]: fillRow(step.limit, row) }),
    ...(fillRow(step.filter, row) as Record<string, unknown> | undefined),
  };
}

/** Operations on one path may have names of their own for its parameters. */
function keyParameterOf({ binding, operation }: BoundStep): string {
  const { key, scope } = binding.subject.resource;
  const names = listTemplateNames(operation.operation.path);
  return names.includes(key.parameter) ? key.parameter : (names[scope.length] ?? key.parameter);
}

function bindScope({ parent }: RoleStep, { binding, operation }: BoundStep): Record<string, unknown> {
  const names = listTemplateNames(operation.operation.path);
  const { scope } = binding.subject.resource;
  const values = Object.fromEntries(
    scope.map((name, index) => [names.includes(name) ? name : (names[index] ?? name), binding.scope[name]]),
  );
  const last = Object.keys(values).at(-1);
  if (parent === undefined) return values;
  if (last === undefined || binding.parent === undefined) throw new Inapplicable('a parent');
  return { ...values, [last]: bindKey(parent, binding.parent) };
}

/** Keys of a kind that a record could have, but so long or so random that none has them. */
const UNKNOWN = {
  integer: [1_999_999_973],
  uuid: ['3f2b8c4e-9d1a-4e7b-8c55-c0ffee0ddba1'],
  text: ['no-such-record-cf', '3f2b8c4e-9d1a-4e7b-8c55-c0ffee0ddba1', 'c0ffee0ddba1c0ffee0ddba1', '1999999973'],
} as const;

function bindKey(key: string, { subject, contract }: Binding): unknown {
  if (key !== '$unknownKey') return key;
  const { kind, schemaPointer, parameter } = subject.resource.key;
  const inPath = subject.roles.get?.operation.parameters.find((each) => each.in === 'path' && each.name === parameter);
  const isKey = (made: unknown): boolean =>
    contract.validate.value(schemaPointer, made).length === 0 &&
    (inPath?.schemaPointer === undefined ||
      contract.validate.value(inPath.schemaPointer, readAs(inPath, made)).length === 0);
  const found = UNKNOWN[kind].find((made) => isKey(made));
  if (found === undefined) throw new Inapplicable('a key of no record');
  return found;
}

/** A path consists of text, whatever its schema says. */
function readAs({ shape }: Parameter, made: unknown): unknown {
  const isNumber = shape.types.includes('integer') || shape.types.includes('number');
  return isNumber && typeof made === 'string' && /^\d+$/.test(made) ? Number(made) : made;
}

function bindBody(step: RoleStep, { binding, row, operation }: BoundStep): StepBody | undefined {
  if (step.text !== undefined) return { text: step.text };
  const takesBody = ['create', 'replace', 'update'].includes(operation.role);
  if (!takesBody || step.record === undefined) return undefined;
  const record = chooseRecord(fillRow(step.record, row), binding);
  const isReplacement = operation.role === 'replace' && typeof step.record === 'string' && step.record in KNOWN;
  const whole = isReplacement ? fitReplacement(record as RecordTemplate, step, { binding, operation }) : record;
  return { json: wrap(whole, operation.requestMember) };
}

const KNOWN = { $minimal: 'minimal', $full: 'full', $other: 'other' } as const;

function chooseRecord(record: unknown, { made }: Binding): unknown {
  return typeof record === 'string' && record in KNOWN ? made[KNOWN[record as keyof typeof KNOWN]] : record;
}
