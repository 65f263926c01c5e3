// Turns a scenario that speaks of roles into scenarios of one resource, which name operations, parameters and fields.
import { listTemplateNames } from '../../contract/operations/path-template.js';
import type { RawScenario, RawStep, Row } from '../model/raw-scenario.js';
import { bindExpectations, describeInvented } from './bind-expectations.js';
import { fillNouns, fillRow, fillWords, Inapplicable, operationOf, type Binding, type BoundStep } from './binding.js';
import { bindOutcomes, bindRequest, findGap } from './bind-gaps.js';
import { bindKey, listGuessed } from './keys/bind-keys.js';
import { bindBody } from './bind-body.js';
import { bindPages } from './pages.js';
import { freeKeys, needAnswer, PROVEN_KEY } from './keys/free-key.js';
import { nameProof, newKeyOf, proveFree, proveThere } from './keys/put-new.js';
import { hasBase, nameBase } from './found/found.js';
import type { RoleOperation } from '../../contract/resources/resource.js';
import type { RoleScenario, RoleStep } from './role-scenario.js';
import type { AskedRole } from '../../contract/resources/plain-roles.js';
import { sizeParameter } from './tables/lists/bounds.js';
import { ESCAPED } from '../wire/request/encode.js';
import { TABLES } from './tables/index.js';
import { textOf } from '../../contract/resources/order-values.js';
import { asObject } from '../../contract/document/plain.js';
import type { About, Asks } from '../model/about.js';
import { hasMark } from '../../contract/operations/properties.js';
import { areChangesSecured } from './tables/credentials.js';
import { listStatuses } from './statuses.js';
import type { Subject } from './subject.js';
import { isTagName, requiresTag } from '../../contract/operations/entity-tags.js';
import { saysUpserted } from '../../contract/operations/said-in-words.js';

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

function bindRow(raw: RoleScenario, file: string, { binding, row: given }: Bound): RawScenario {
  const { steps, row, proof } = freeKeys(raw, given, binding);
  const bound = { binding, row };
  const { subject, dependsOn } = binding;
  if (raw.needs !== undefined && !hasNeeded(raw.needs, binding)) throw new Inapplicable(raw.needs);
  // `*/` stands for every resource.
  const name = (other: string): string =>
    other.startsWith('*/')
      ? other
      : `${subject.name}/${nameBase(other.includes('/') ? other : `${file}/${other}`, subject)}`;
  const bases = (raw.dependsOn ?? []).filter((other) => hasBase(other, subject));
  const gap = raw.gap === undefined ? undefined : findGap(raw.gap, binding);
  const isFirst = file === 'records' && raw.id === CREATE;
  // Whether a PUT creates anything at all, the first one shows.
  const provesPuts = subject.putsNew !== undefined && file === 'records' && !isFirst ? [name(CREATE)] : [];
  const above = listAbove(steps, binding);
  const asked = [
    ...(proof === undefined ? [] : [needAnswer(bindStep(proof, bound))]),
    ...steps
      .filter(
        (step) => step.optional !== true || (subject.roles[roleOf(step, row)] !== undefined && hasRecord(step, row)),
      )
      .flatMap((step) => bindSteps(step, { steps }, { ...bound, isFirst: isFirst && step.id === CREATE })),
  ];
  return {
    id: raw.id,
    title: `${fillTitle(raw.title, bound)}${tellRefusal(asked)}`,
    basis:
      gap?.contract ??
      `#${(askedOf(basisOf(raw, row), row) ?? operationOf(basisOf(raw, row), binding)).operation.pointer}`,
    ...(gap === undefined ? {} : { gap: gap.id }),
    dependsOn: [...new Set([...bases.map(name), ...provesPuts, ...above, ...dependsOn])],
    after: (raw.after ?? []).map(name),
    // A service that counts would come to the key by itself while others create records.
    ...(proof === undefined && raw.alone === undefined ? {} : { alone: true }),
    ...(raw.fresh === undefined ? {} : { fresh: true }),
    ...(raw.tier === undefined ? {} : { tier: raw.tier }),
    ...(row === undefined ? {} : { cases: [{ id: row.id }] }),
    about: readAbout(raw, file, bound),
    steps: asked,
  };
}

/** The statuses by which a request is to be refused, as people look for them: ` (401)`. */
function tellRefusal(steps: readonly RawStep[]): string {
  const { expect } = steps.find(({ id }) => id === 'refused' || id === 'unknown') ?? {};
  const statuses = [expect?.status ?? []].flat().map(String);
  return statuses.length > 0 && statuses.every((status) => /^4\d\d$/.test(status)) ? ` (${statuses.join(' or ')})` : '';
}

/** Whether there is a record for a step, where it is the row that has one. */
function hasRecord({ record }: RoleStep, row: Row | undefined): boolean {
  return record !== '$case.record' || row?.['record'] !== undefined;
}

/** The scenario on which all others of a resource build. */
const CREATE = 'create';

/** A step, with what must be seen before a client chooses the key of a new record, and of the first one after it. */
function bindSteps(
  step: RoleStep,
  raw: Pick<RoleScenario, 'steps'>,
  { isFirst, ...bound }: Bound & { isFirst: boolean },
): RawStep[] {
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
  const free = proveFree(bindStep({ id, ...asked, asks: 'absent', key, outputs: { key } }, bound));
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
  return basis === undefined || basis === 'credentials' ? (row?.['role'] as AskedRole) : (basis as AskedRole);
}

function fillTitle(title: string, { binding, row }: Bound): string {
  return fillNouns(title, binding).replaceAll(/\{\$case\.(\w+)\}/g, (_, name: string) => textOf(row?.[name]));
}

function roleOf({ role }: RoleStep, row: Row | undefined): AskedRole {
  return role === '$case.role' ? (row?.['role'] as AskedRole) : (role as AskedRole);
}

/** An operation that is none of a resource. */
function askedOf(role: string | undefined, row: Row | undefined): RoleOperation | undefined {
  return role === 'other' ? (row?.['other'] as RoleOperation | undefined) : undefined;
}

function bindWithTag(step: RoleStep, raw: Pick<RoleScenario, 'steps'>, bound: Bound): RawStep[] {
  const reading = readTagFor(step, raw, placeStep(step, bound));
  if (reading === undefined) return [bindStep(step, bound)];
  const before = raw.steps.slice(0, raw.steps.indexOf(step));
  const isChangedBefore = before.some(({ role, key }) => (role === 'update' || role === 'replace') && key === step.key);
  return [bindStep(reading, bound), sendTag(bindStep(step, bound), isChangedBefore)];
}

function placeStep(step: RoleStep, bound: Bound): BoundStep {
  const binding = bindingOf(step, bound);
  return {
    binding,
    row: bound.row,
    operation: askedOf(roleOf(step, bound.row), bound.row) ?? operationOf(roleOf(step, bound.row), binding),
  };
}

function bindStep(step: RoleStep, of: Bound, newKey?: string): RawStep {
  const bound: BoundStep = { ...placeStep(step, of), ...(newKey === undefined ? {} : { newKey }) };
  const { binding, row } = bound;
  const pages =
    step.pages === undefined ? undefined : bindPages(binding.subject, fillRow(step.pages, row), binding.contract);
  const auth = fillRow(step.auth, row) as RawStep['auth'];
  const body = bindBody(step, bound);
  const invented = describeInvented(step, body, bound);
  const schemes = fillRow(step.schemes, row) as RawStep['schemes'];
  const lacks = fillRow(step.lacks, row) as RawStep['lacks'];
  const asks = readAsks(step, newKey);
  const form = fillRow(step.form, row) as RawStep['form'];
  const changes = fillRow(step.changes, row) as RawStep['changes'];
  return {
    id: step.id,
    ...bindRequest(step, bound),
    ...(asks === undefined ? {} : { asks }),
    ...(auth === undefined ? {} : { auth }),
    ...(step.control === undefined ? {} : { control: step.control }),
    ...(schemes === undefined ? {} : { schemes }),
    ...(lacks === undefined ? {} : { lacks }),
    ...(step.each === undefined ? {} : { each: { in: String(fillWords(step.each, bound)) } }),
    parameters: fillWords(bindParameters(step, bound, pages?.parameters ?? {}), bound) as Record<string, unknown>,
    ...(newKey === undefined ? {} : { isAtNewKey: true }),
    ...(changes === undefined ? {} : { changes }),
    ...(invented === undefined ? {} : { invented }),
    ...listGuessed(step, bound),
    ...(body === undefined ? {} : { requestBody: body }),
    ...(form === undefined ? {} : { form }),
    ...(pages === undefined ? {} : { pages: pages.walk }),
    ...(step.atOnce === undefined ? {} : { atOnce: step.atOnce }),
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
  const key = bound.newKey ?? (isOfOne(operation) ? (fillRow(step.key, row) as string | undefined) : undefined);
  return {
    ...bindScope(step, bound),
    ...(key === undefined ? {} : { [keyParameterOf(bound)]: writeKey(bindKey(key, binding), step) }),
    ...paging,
    ...(step.limit === undefined || size === undefined ? {} : { [size]: fillRow(step.limit, row) }),
    ...(fillRow(step.filter, row) as Record<string, unknown> | undefined),
  };
}

function writeKey(key: unknown, { escaped }: RoleStep): unknown {
  return escaped === undefined ? key : { [ESCAPED]: key, how: escaped };
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

// What scenarios and steps are about, as facts for what explains their findings.

const UNKNOWN_KEY = '$unknownKey';

function readAbout(
  { id, about, steps }: RoleScenario,
  file: string,
  { binding, row }: Pick<BoundStep, 'binding' | 'row'>,
): About {
  const { name, roles, resource } = binding.subject;
  const sent = steps.flatMap(({ filter }) => Object.keys(asObject(fillRow(filter, row))));
  const filters = roles.list?.list?.filters.map(({ parameter }) => parameter) ?? [];
  // Of several, the row is called by its own.
  const filter = filters.find((each) => sent.includes(each) && isNamed(row?.id, each));
  return {
    resource: name,
    key: resource.key.property,
    scenario: `${file}/${id}`,
    ...(filter === undefined ? {} : { filter }),
    ...(fillRow(about, row) as RoleScenario['about']),
  };
}

function isNamed(id: string | undefined, parameter: string): boolean {
  return id === parameter || id?.startsWith(`${parameter}-`) === true;
}

function readAsks({ asks, key, parent, pages }: RoleStep, newKey: string | undefined): Asks | undefined {
  if (asks !== undefined) return asks;
  if (newKey !== undefined) return 'new';
  if (typeof pages === 'object' && pages.from !== undefined) return 'laterPage';
  if (key === UNKNOWN_KEY || key === PROVEN_KEY) return 'absent';
  if (parent !== UNKNOWN_KEY) return undefined;
  return key === undefined ? 'absentParent' : 'absent';
}

type Need = NonNullable<RoleScenario['needs']>;

/** Whether a resource has what a scenario `needs`. */
function hasNeeded(need: Need, binding: Binding): boolean {
  return NEEDS[need](binding.subject, binding);
}

/** What finds out which whole records a service takes of the resource above, where steps create some. */
function listAbove(steps: RoleScenario['steps'], { parent }: Binding): string[] {
  const creates = steps.some(({ of, role }) => of === 'parent' && role === 'create');
  return parent === undefined || !creates ? [] : [`${parent.subject.name}/records/create-full`];
}

const NEEDS: Readonly<Record<Need, (subject: Subject, binding: Binding) => boolean>> = {
  found: ({ isFound }) => isFound === true,
  getRefusals: ({ roles: { get } }) => get !== undefined && listStatuses('$notFound', get.operation) !== undefined,
  securedChanges: areChangesSecured,
  changes: ({ roles: { update, replace } }) => update !== undefined || replace !== undefined,
  // If the contract has 404 too, a service may want its records created first.
  upsert: ({ roles: { replace }, putsNew }) =>
    putsNew === undefined &&
    replace?.creates === true &&
    !replace.operation.responses.some(({ status }) => status === '404'),
  noUpsert: ({ roles: { replace }, putsNew }, { contract: { document } }) => {
    const { id = '', pointer = '' } = replace?.operation ?? {};
    return putsNew === undefined && replace?.creates !== true && !saysUpserted(id, asObject(document.at(pointer)));
  },
  conditions: ({ roles: { get } }) => get !== undefined && listStatuses('$notModified', get.operation) !== undefined,
  // A record that describes a field without the mark lets the service show it.
  writeOnly: ({ fields }, { made, contract: { document } }) =>
    fields.some(
      ({ name, schemaPointer, recordPointer }) =>
        hasMark(document, recordPointer ?? schemaPointer, 'writeOnly') && Object.hasOwn(made.full, name),
    ),
};

// Operations that require an If-Match are asked with the ETag of the record as it is, which a step of its own reads first.

/** What reads the ETag, as a step of the scenario; `undefined` if the step needs none, or asks for no record that exists. */
function readTagFor(
  step: RoleStep,
  { steps }: Pick<RoleScenario, 'steps'>,
  { binding, operation, row }: BoundStep,
): RoleStep | undefined {
  const { id, key } = step;
  if (
    !requiresTag(operation.operation) ||
    key === undefined ||
    key === PROVEN_KEY ||
    !/^\$(?:steps|records|refusals)\./.test(key)
  )
    return undefined;
  if (Object.keys(asObject(fillRow(step.headers, row))).some(isTagName)) return undefined;
  const earlier = steps.slice(0, steps.indexOf(step));
  if (earlier.some((each) => each.role === 'remove' && each.key === key && !isRefused(each))) return undefined;
  operationOf('get', binding);
  return {
    id: nameTagStep(id),
    role: 'get',
    key,
    ...(step.of === undefined ? {} : { of: step.of }),
    expect: { status: '$done' },
    assume: {
      headers: { etag: { type: 'string', pattern: '^"' } },
      otherwise: 'it needs a response with a strong ETag',
    },
    outputs: { tag: '$response.header.etag' },
  };
}

function isRefused({ expect }: RoleStep): boolean {
  return expect?.status !== undefined && expect.status !== '$done';
}

/** The step with that ETag. An older one may still be shown where the scenario has changed the record before. */
function sendTag(step: RawStep, isChangedBefore: boolean): RawStep {
  const from = nameTagStep(step.id);
  return {
    ...step,
    headers: { ...(step.headers as Record<string, string>), 'If-Match': `$steps.${from}.outputs.tag` },
    ...(isChangedBefore && step.retryFrom === undefined ? { retryFrom: from } : {}),
  };
}

function nameTagStep(id: string): string {
  return `${id}-tag`;
}
