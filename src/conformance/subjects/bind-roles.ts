// Turns a scenario that speaks of roles into scenarios of one resource, which name operations, parameters and fields.
import { asObject } from '../../contract/document/plain.js';
import { sameJson } from '../../contract/document/same-json.js';
import { listTemplateNames } from '../../contract/operations/path-template.js';
import type { RawScenario, RawStep, Row } from '../scenarios/raw-scenario.js';
import type { StepBody } from '../scenarios/scenario.js';
import { bindExpectations } from './bind-expectations.js';
import { fillNouns, fillRow, fillWords, Inapplicable, operationOf, type Binding, type BoundStep } from './binding.js';
import { fitReplacement } from './records/fit-replacement.js';
import type { RecordTemplate } from './records/make-records.js';
import { bindOutcomes, bindRequest, changeOf, fillKeys, findGap } from './bind-gaps.js';
import { bindKey } from './bind-keys.js';
import { bindPages } from './pages.js';
import { readTagFor, sendTag } from './bind-tags.js';
import { nameProof, newKeyOf, proveFree, proveThere } from './put-new.js';
import { wrap } from './request-body.js';
import type { RoleOperation } from '../../contract/resources/resource.js';
import type { RoleScenario, RoleStep } from './role-scenario.js';
import { formOf, recordTypeOf, type AskedRole } from '../../contract/resources/plain-roles.js';
import { listStatuses } from './statuses.js';
import type { Subject } from './subject.js';
import { sizeParameter } from './tables/bounds.js';
import { TABLES } from './tables/index.js';

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
  if (raw.needs !== undefined && !NEEDS[raw.needs](subject)) throw new Inapplicable(raw.needs);
  // `*/` stands for every resource.
  const name = (other: string): string =>
    other.startsWith('*/') ? other : `${subject.name}/${other.includes('/') ? other : `${file}/${other}`}`;
  const gap = raw.gap === undefined ? undefined : findGap(raw.gap, binding);
  const isFirst = file === 'records' && raw.id === CREATE;
  return {
    id: raw.id,
    title: fillTitle(raw.title, bound),
    basis: gap?.contract ?? `#${operationOf(basisOf(raw, row), binding).operation.pointer}`,
    ...(gap === undefined ? {} : { gap: gap.id }),
    dependsOn: [...(raw.dependsOn ?? []).map(name), ...dependsOn],
    after: (raw.after ?? []).map(name),
    ...(row === undefined ? {} : { cases: [{ id: row.id }] }),
    steps: raw.steps
      .filter((step) => step.optional !== true || subject.roles[roleOf(step, row)] !== undefined)
      .flatMap((step) => bindSteps(step, raw, { ...bound, isFirst: isFirst && step.id === CREATE })),
  };
}

/** The scenario on which all others of a resource build. */
const CREATE = 'create';

/** A step, with what must be seen before a client chooses the key of a new record, and of the first one after it. */
function bindSteps(step: RoleStep, raw: RoleScenario, { isFirst, ...bound }: Bound & { isFirst: boolean }): RawStep[] {
  const binding = bindingOf(step, bound);
  const { putsNew } = binding.subject;
  const creates = putsNew !== undefined && roleOf(step, bound.row) === 'create';
  if (!creates && step.key !== '$newKey') return bindWithTag(step, raw, bound);
  const { id, key: newKey } = nameProof(step.id);
  const key = newKeyOf(binding);
  const { of, parent } = step;
  const asked = {
    role: 'get',
    ...(of === undefined ? {} : { of }),
    ...(parent === undefined ? {} : { parent }),
  } as const;
  const free = proveFree(bindStep({ id, ...asked, key, outputs: { key } }, bound));
  if (!isFirst || putsNew !== 'open') return [free, bindStep(step, bound, newKey)];
  // What answers for a record that is not there says nothing of one that is.
  const { record: _record, ...expect } = step.expect ?? {};
  return [
    free,
    bindStep({ ...step, expect }, bound, newKey),
    proveThere(bindStep({ id: 'there', ...asked, key: newKey }, bound)),
  ];
}

function bindingOf({ of }: RoleStep, { binding }: Bound): Binding {
  const found = of === 'parent' ? binding.parent : binding;
  if (found === undefined) throw new Inapplicable('a parent');
  return found;
}

function basisOf({ basis }: RoleScenario, row: Row | undefined): AskedRole {
  return basis === undefined || basis === 'credentials' ? (row?.['role'] as AskedRole) : basis;
}

const NEEDS: Readonly<Record<NonNullable<RoleScenario['needs']>, (subject: Subject) => boolean>> = {
  getRefusals: ({ roles: { get } }) => get !== undefined && listStatuses('$notFound', get.operation) !== undefined,
  changes: ({ roles: { update, replace } }) => update !== undefined || replace !== undefined,
  // If the contract has 404 too, a service may want its records created first.
  upsert: ({ roles: { replace }, putsNew }) =>
    putsNew === undefined &&
    replace?.creates === true &&
    !replace.operation.responses.some(({ status }) => status === '404'),
  noUpsert: ({ roles: { replace }, putsNew }) => putsNew === undefined && replace?.creates !== true,
  conditions: ({ roles: { get } }) => get !== undefined && listStatuses('$notModified', get.operation) !== undefined,
};

function fillTitle(title: string, { binding, row }: Bound): string {
  return fillNouns(title, binding).replaceAll(/\{\$case\.(\w+)\}/g, (_, name: string) => textOf(row?.[name]));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function roleOf({ role }: RoleStep, row: Row | undefined): AskedRole {
  return role === '$case.role' ? (row?.['role'] as AskedRole) : role;
}

function bindWithTag(step: RoleStep, raw: RoleScenario, bound: Bound): RawStep[] {
  const reading = readTagFor(step, raw, placeStep(step, bound));
  if (reading === undefined) return [bindStep(step, bound)];
  const before = raw.steps.slice(0, raw.steps.indexOf(step));
  const isChangedBefore = before.some(({ role, key }) => (role === 'update' || role === 'replace') && key === step.key);
  return [bindStep(reading, bound), sendTag(bindStep(step, bound), isChangedBefore)];
}

function placeStep(step: RoleStep, bound: Bound): BoundStep {
  const binding = bindingOf(step, bound);
  return { binding, row: bound.row, operation: operationOf(roleOf(step, bound.row), binding) };
}

function bindStep(step: RoleStep, of: Bound, newKey?: string): RawStep {
  const bound: BoundStep = { ...placeStep(step, of), ...(newKey === undefined ? {} : { newKey }) };
  const { binding, row } = bound;
  const pages =
    step.pages === undefined ? undefined : bindPages(binding.subject, fillRow(step.pages, row), binding.contract);
  const auth = fillRow(step.auth, row) as RawStep['auth'];
  const body = bindBody(step, bound);
  const schemes = fillRow(step.schemes, row) as RawStep['schemes'];
  const lacks = fillRow(step.lacks, row) as RawStep['lacks'];
  return {
    id: step.id,
    ...bindRequest(step, bound),
    ...(auth === undefined ? {} : { auth }),
    ...(step.control === undefined ? {} : { control: step.control }),
    ...(schemes === undefined ? {} : { schemes }),
    ...(lacks === undefined ? {} : { lacks }),
    parameters: fillWords(bindParameters(step, bound, pages?.parameters ?? {}), bound) as Record<string, unknown>,
    ...(newKey === undefined ? {} : { isAtNewKey: true }),
    ...(body === undefined ? {} : { requestBody: body }),
    ...(pages === undefined ? {} : { pages: pages.walk }),
    ...(step.requires === undefined ? {} : { requires: step.requires }),
    ...bindExpectations(step, bound, pages?.given ?? {}),
    ...bindOutcomes(step, bound),
    ...(step.search === undefined ? {} : { search: fillWords(step.search, bound) as NonNullable<RawStep['search']> }),
    ...(step.retryFrom === undefined ? {} : { retryFrom: step.retryFrom }),
    ...(step.rounds === undefined ? {} : { rounds: step.rounds }),
    ...(step.outputs === undefined ? {} : { outputs: fillWords(step.outputs, bound) as Record<string, string> }),
  };
}

function bindParameters(step: RoleStep, bound: BoundStep, paging: Record<string, unknown>): Record<string, unknown> {
  const { binding, row, operation } = bound;
  const { roles } = binding.subject;
  const size = sizeParameter(roles.list?.list?.paging);
  if (step.limit !== undefined && size === undefined) throw new Inapplicable('a limit');
  const key = bound.newKey ?? (isOfOne(operation) ? step.key : undefined);
  return {
    ...bindScope(step, bound),
    ...(key === undefined ? {} : { [keyParameterOf(bound)]: bindKey(key, binding) }),
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

function isOfOne({ role }: RoleOperation): boolean {
  return role !== 'list' && role !== 'create';
}

function bindScope({ parent }: RoleStep, { binding, operation }: BoundStep): Record<string, unknown> {
  const names = listTemplateNames(operation.operation.path);
  const { scope: above } = binding.subject.resource;
  // Records that are created among those of another may have a path of their own.
  const scope = names.length < above.length + (isOfOne(operation) ? 1 : 0) ? [] : above;
  const values = Object.fromEntries(
    scope.map((name, index) => [names.includes(name) ? name : (names[index] ?? name), binding.scope[name]]),
  );
  const last = Object.keys(values).at(-1);
  if (parent === undefined) return values;
  if (last === undefined || binding.parent === undefined) throw new Inapplicable('a parent');
  return { ...values, [last]: bindKey(parent, binding.parent) };
}

function bindBody(step: RoleStep, bound: BoundStep): StepBody | undefined {
  const { binding, row, operation } = bound;
  const { padTo } = step;
  const own = recordTypeOf(operation.operation);
  // What is asked about a body that is odd is asked of JSON.
  const isOdd = step.text !== undefined || padTo !== undefined || step.mediaType !== undefined;
  if (isOdd && formOf(operation.operation, own) !== undefined) throw new Inapplicable('a body of JSON');
  const usual = own === 'application/json' ? undefined : own;
  const mediaType = step.mediaType === undefined ? usual : step.mediaType;
  const sent = { ...(mediaType === undefined ? {} : { mediaType }), ...(padTo === undefined ? {} : { padTo }) };
  if (step.text !== undefined) return { text: step.text, ...sent };
  if (step.body !== undefined) return fillRow(step.body, row) as StepBody;
  const takesBody = ['create', 'replace', 'update'].includes(operation.role);
  if (!takesBody || step.record === undefined) return undefined;
  const asked = fillRow(step.record, row);
  const record = chooseRecord(asked, bound);
  const isReplacement = operation.role === 'replace' && typeof asked === 'string' && asked in KNOWN;
  const whole = isReplacement
    ? fitReplacement(record as RecordTemplate, fillKeys(fillWords(step.key, bound), binding), { binding, operation })
    : nameNew(record, bound);
  const changed =
    step.with === undefined
      ? whole
      : { ...(whole as object), ...(fillKeys(fillWords(step.with, bound), binding) as object) };
  return { json: wrap(changed, operation.requestMember), ...sent };
}

/** A record that says its own key says the one in the path. */
function nameNew(record: unknown, { binding: { subject, made }, newKey }: BoundStep): unknown {
  const { property } = subject.resource.key;
  const own = asObject(record)[property];
  return newKey !== undefined && own !== undefined && sameJson(own, made.full[property])
    ? { ...asObject(record), [property]: newKey }
    : record;
}

const KNOWN = { $minimal: 'minimal', $full: 'full', $other: 'other' } as const;

function chooseRecord(record: unknown, bound: BoundStep): unknown {
  const { made } = bound.binding;
  if (record === '$change') return changeOf(bound);
  return typeof record === 'string' && record in KNOWN ? made[KNOWN[record as keyof typeof KNOWN]] : record;
}
