// Turns a scenario that speaks of roles into scenarios of one resource, which name operations, parameters and fields.
import { asObject } from '../../contract/document/plain.js';
import { sameJson } from '../../contract/document/json.js';
import { isJsonMediaType, formOf, recordTypeOf } from '../../contract/media-types.js';
import { isTagName, requiresTag } from '../../contract/operations/operations.js';
import { listTemplateNames } from '../../contract/operations/match.js';
import { hasMark } from '../../contract/operations/properties.js';
import { saysUpserted } from '../../contract/operations/said-in-words.js';
import { textOf, type AskedRole, type RoleOperation } from '../../contract/resources/resource.js';
import { asksForCredentials } from '../../contract/security.js';
import type { JsonForm } from '../model/exchange.js';
import type { AuthForm, RawScenario, RawStep, Row, StepBody, RoleScenario, RoleStep } from '../model/scenario.js';
import { ESCAPED } from '../http/prepare-request.js';
import { chooseClient, chooseForm, chooseWriting, countFrom } from './clients.js';
import { bindExpectations, bindOutcomes, describeInvented, findGap } from './instantiate-expectations.js';
import {
  bindKey,
  fillKeys,
  fillNouns,
  fillRow,
  fillWords,
  findNewKey,
  findOrNone,
  Inapplicable,
  listGuessed,
  listSent,
  need,
  operationOf,
  present,
  referToKeys,
  replaceTexts,
  listStatuses,
  fitReplacement,
} from './instance.js';
import type { Binding, BoundStep, Tables } from './instance.js';
import { wrap } from './fit-record.js';
import { bindPages, sizeParameter } from './paging.js';
import { hasBase, nameBase, type RecordTemplate, type Subject } from './resource-under-test.js';

type Bound = Pick<BoundStep, 'binding' | 'row' | 'turn'> & { tables: Tables };

export function bindScenario(raw: RoleScenario, file: string, binding: Binding, tables: Tables): RawScenario[] {
  const rows = raw.cases === undefined ? [undefined] : (tables[raw.cases]?.(binding) ?? []);
  return rows.flatMap((row, index) => {
    const turn = countFrom(`${binding.subject.name}/${file}/${raw.id}`) + index;
    return findOrNone(() => bindRow(raw, file, { binding, row, turn, tables })) ?? [];
  });
}

function bindRow(raw: RoleScenario, file: string, { binding, row: given, turn, tables }: Bound): RawScenario {
  const { steps, row, proof } = freeKeys(raw, given, binding);
  const bound = { binding, row, turn, tables };
  const { subject, parent } = binding;
  if (raw.needs !== undefined && !NEEDS[raw.needs](subject, binding)) throw new Inapplicable(raw.needs);
  const name = (other: string): string => {
    const id = other.includes('/') ? other : `${file}/${other}`;
    return other.startsWith('*/') ? other : `${subject.name}/${nameBase(id, subject)}`;
  };
  const bases = (raw.dependsOn ?? []).filter((other) => hasBase(other, subject));
  const gap = raw.gap === undefined ? undefined : need(findGap(raw.gap, binding), raw.gap);
  const isFirst = file === 'records' && raw.id === 'create';
  const provesPuts = subject.putsNew !== undefined && file === 'records' && !isFirst ? [name('create')] : [];
  const createsAbove = steps.some(({ of, role }) => of === 'parent' && role === 'create');
  const above = parent === undefined || !createsAbove ? [] : [`${parent.subject.name}/records/create-full`];
  const isThere = (step: RoleStep): boolean =>
    subject.roles[roleOf(step, row)] !== undefined && (step.record !== '$case.record' || row?.['record'] !== undefined);
  const proven = proof === undefined ? undefined : bindStep(proof, bound);
  const assume = { otherwise: NOT_FREE, ...proven?.assume, status: [404, 410, '2XX'] };
  const asked = [
    ...(proven === undefined ? [] : [{ ...proven, assume }]),
    ...steps
      .filter((step) => step.optional !== true || isThere(step))
      .flatMap((step) => bindSteps(step, steps, bound, isFirst && step.id === 'create')),
  ];
  const basis = (raw.basis === undefined || raw.basis === 'credentials' ? row?.['role'] : raw.basis) as AskedRole;
  const textIn = (_: string, each: string): string => textOf(row?.[each]);
  const title = fillNouns(raw.title, binding).replaceAll(/\{\$case\.(\w+)\}/g, textIn);
  const { expect } = asked.find(({ id }) => id === 'refused' || id === 'unknown') ?? {};
  const statuses = [expect?.status ?? []].flat().join(' or ');
  return present({
    id: raw.id,
    title: /^4\d\d(?: or 4\d\d)*$/.test(statuses) ? `${title} (${statuses})` : title,
    basis: gap?.contract ?? `#${(otherOf(basis, row) ?? operationOf(basis, binding)).operation.pointer}`,
    gap: gap?.id,
    dependsOn: [...new Set([...bases.map(name), ...provesPuts, ...above, ...binding.dependsOn])],
    after: (raw.after ?? []).map(name),
    // A service that counts would come to the key by itself while others create records.
    alone: proof === undefined && raw.alone === undefined ? undefined : true,
    fresh: raw.fresh,
    tier: raw.tier,
    cases: row === undefined ? undefined : [{ id: row.id }],
    about: readAbout(raw, file, bound),
    steps: asked,
  });
}

const PROOF = 'free';
const PROVEN_KEY = `$steps.${PROOF}.outputs.key`;
const NOT_FREE = 'it needs a key that no record has: the target must return 404 for it';

/** A key that is made up moves the keys of all later records where a service counts: there, it is one that is next and free. */
function freeKeys({ steps }: Pick<RoleScenario, 'steps'>, row: Row | undefined, binding: Binding) {
  const { get, create } = binding.subject.roles;
  let isFree = false;
  replaceTexts([steps, row], (text) => (isFree ||= text === '$freeKey'));
  const isWriting = ({ role }: RoleStep): boolean => role === 'replace' || role === 'update' || role === 'remove';
  const writesUnknown = steps.some((step) => step.key === '$unknownKey' && isWriting(step));
  if (!isFree && !writesUnknown) return { steps, row, proof: undefined };
  const unknown = bindKey('$unknownKey', binding);
  const isCounted = /^\d+$/.test(String(unknown));
  const given = isCounted ? PROVEN_KEY : unknown;
  const put = (value: unknown): unknown =>
    replaceTexts(value, (text) => (text === '$freeKey' || (isCounted && text === '$unknownKey') ? given : text));
  const freed = steps.map((step) => Object.assign(put(step) as RoleStep, present({ parent: step.parent })));
  const filled = put(row) as Row | undefined;
  if (!isCounted) return { steps: freed, row: filled, proof: undefined };
  if (get === undefined || create === undefined) throw new Inapplicable('a way to see that a key is free');
  const next = referToKeys('nextKeys', create);
  const assume = { record: { notKey: next }, otherwise: NOT_FREE };
  const proof: RoleStep = { id: PROOF, role: 'get', asks: 'absent', key: next, assume, outputs: { key: next } };
  return { steps: freed, row: filled, proof };
}

const UNKNOWN_KEY = '$unknownKey';

function readAbout(
  { id, about, steps }: RoleScenario,
  file: string,
  { binding, row }: Bound,
): NonNullable<RawScenario['about']> {
  const { name, roles, resource } = binding.subject;
  const sent = steps.flatMap(({ filter }) => Object.keys(asObject(fillRow(filter, row))));
  const filters = roles.list?.list?.filters.map(({ parameter }) => parameter) ?? [];
  const isNamed = (each: string): boolean => row?.id === each || row?.id.startsWith(`${each}-`) === true;
  const filter = filters.find((each) => sent.includes(each) && isNamed(each));
  const own = fillRow(about, row) as RoleScenario['about'];
  return { ...present({ resource: name, key: resource.key.property, scenario: `${file}/${id}`, filter }), ...own };
}

type Need = NonNullable<RoleScenario['needs']>;

const NEEDS: Readonly<Record<Need, (subject: Subject, binding: Binding) => boolean>> = {
  found: ({ isFound }) => isFound === true,
  head: ({ roles: { get } }, { contract: { operations } }) =>
    operations.some(({ method, path }) => method === 'HEAD' && path === get?.operation.path),
  getRefusals: ({ roles: { get } }) => get !== undefined && listStatuses('$notFound', get.operation) !== undefined,
  securedChanges: ({ roles }) => {
    const changes = (['replace', 'update', 'remove'] as const).flatMap((role) => roles[role]?.operation ?? []);
    return changes.length > 0 && changes.every(({ secured, security }) => secured && asksForCredentials(security));
  },
  ownParentKey: ({ parent }) => parent?.resource.key.givenBy === 'client' && parent.putsNew === undefined,
  changes: ({ roles: { update, replace } }) => update !== undefined || replace !== undefined,
  upsert: ({ roles: { replace }, putsNew }) => {
    const has404 = replace?.operation.responses.some(({ status }) => status === '404');
    return putsNew === undefined && replace?.creates === true && has404 === false;
  },
  noUpsert: ({ roles: { replace }, putsNew }, { contract: { document } }) => {
    const { id = '', pointer = '' } = replace?.operation ?? {};
    return putsNew === undefined && replace?.creates !== true && !saysUpserted(id, asObject(document.at(pointer)));
  },
  conditions: ({ roles: { get } }) => get !== undefined && listStatuses('$notModified', get.operation) !== undefined,
  writeOnly: (_, binding) =>
    listSent(binding).some(({ schemaPointer, recordPointer }) =>
      hasMark(binding.contract.document, recordPointer ?? schemaPointer, 'writeOnly'),
    ),
};

const NEEDS_TAG = 'it needs a response with a strong ETag';
const NEEDS_FREE =
  'it writes only where there is no record: the target must return 404 for an unused key, and the contract should have that 404';
const NEEDS_PUT = 'it needs a service in which a PUT at a new key creates a record, which the contract leaves open';

function bindSteps(step: RoleStep, steps: readonly RoleStep[], bound: Bound, isFirst: boolean): RawStep[] {
  const binding = bindingOf(step, bound);
  const { putsNew } = binding.subject;
  const creates = putsNew !== undefined && roleOf(step, bound.row) === 'create';
  if (!creates && step.key !== '$newKey') return bindWithTag(step, steps, bound);
  // A record of somebody else's is never overwritten: a step of its own proves the key to be free.
  const id = `free-${step.id}`;
  const newKey = `$steps.${id}.outputs.key`;
  const key = need(findNewKey(binding), 'a new key');
  const { of, parent } = step;
  const place = present({ of, parent });
  const read = bindStep({ id, role: 'get', ...place, asks: 'absent', key, outputs: { key } }, bound);
  const free: RawStep = { ...read, assume: { status: [404, 410], otherwise: NEEDS_FREE } };
  if (!isFirst || putsNew !== 'open') return [free, bindStep(step, bound, newKey)];
  const { record: _record, ...expect } = step.expect ?? {};
  const there = bindStep({ id: 'there', role: 'get', ...place, key: newKey }, bound);
  return [
    free,
    bindStep({ ...step, expect }, bound, newKey),
    { ...there, assume: { status: ['2XX'], otherwise: NEEDS_PUT }, retryFrom: there.id },
  ];
}

function bindingOf({ of }: RoleStep, { binding }: Bound): Binding {
  return need(of === 'parent' ? binding.parent : binding, 'a parent');
}

function roleOf({ role }: RoleStep, row: Row | undefined): AskedRole {
  return (role === '$case.role' ? row?.['role'] : role) as AskedRole;
}

function otherOf(role: string | undefined, row: Row | undefined): RoleOperation | undefined {
  return role === 'other' ? (row?.['other'] as RoleOperation | undefined) : undefined;
}

function placeStep(step: RoleStep, bound: Bound): BoundStep {
  const binding = bindingOf(step, bound);
  const role = roleOf(step, bound.row);
  const { row, turn } = bound;
  return { binding, row, turn: turn + countFrom(step.id), operation: otherOf(role, row) ?? operationOf(role, binding) };
}

function bindStep(step: RoleStep, of: Bound, newKey?: string): RawStep {
  const bound: BoundStep = { ...placeStep(step, of), ...present({ newKey }) };
  const { binding, row } = bound;
  const fillOf = (value: unknown): unknown => fillRow(value, row);
  const fill = (value: unknown): unknown => (value === undefined ? undefined : fillWords(value, bound));
  const pages = step.pages === undefined ? undefined : bindPages(binding.subject, fillOf(step.pages), binding.contract);
  const body = bindBody(step, bound, of.tables);
  return present({
    id: step.id,
    ...bindRequest(step, bound),
    asks: readAsks(step, newKey),
    auth: fillOf(step.auth),
    control: step.control,
    schemes: fillOf(step.schemes),
    lacks: fillOf(step.lacks),
    each: step.each === undefined ? undefined : present({ in: String(fill(step.each)), atMost: fillOf(step.atMost) }),
    parameters: fill(bindParameters(step, bound, pages?.parameters ?? {})),
    isAtNewKey: newKey === undefined ? undefined : true,
    changes: fillOf(step.changes),
    // A rejection proves nothing of a record that no service need take; one at a key that is free, after an equal record, does.
    invented: step.asks === 'refused' ? undefined : describeInvented(step, body, bound),
    ...listGuessed(step, bound),
    requestBody: body,
    pages: pages?.walk,
    atOnce: step.atOnce,
    requires: step.requires,
    ...bindExpectations(step, bound, pages?.given ?? {}),
    ...bindOutcomes(step, bound),
    search: fill(step.search),
    retryFrom: step.retryFrom,
    rounds: step.rounds,
    outputs: fill(step.outputs),
  }) as RawStep;
}

function readAsks({ asks, key, parent, pages }: RoleStep, newKey: string | undefined): RawStep['asks'] {
  if (asks !== undefined) return asks;
  if (newKey !== undefined) return 'new';
  if (typeof pages === 'object' && pages.from !== undefined) return 'laterPage';
  if (key === UNKNOWN_KEY || key === PROVEN_KEY) return 'absent';
  if (parent !== UNKNOWN_KEY) return undefined;
  return key === undefined ? 'absentParent' : 'absent';
}

const CLIENT = '$client';
const REJECTED = /^\$(?:notFound|gone|unauthorized|invalid|invalidPage|malformed|noParent|refused)$/;

function bindRequest({ method, auth, headers, query, expect, ...step }: RoleStep, bound: BoundStep) {
  const { operation, role } = bound.operation;
  const { id, path } = operation;
  const { operations } = bound.binding.contract;
  const head = operations.find((each) => method === 'HEAD' && each.method === 'HEAD' && each.path === path);
  if (method !== undefined && head === undefined && path.includes('{'))
    throw new Inapplicable('a path without parameters');
  const own = operations.filter((each) => each.path === path).map((each) => each.method);
  const missing = ['PATCH', 'PUT'].find((each) => !own.includes(each));
  const text = fillRow(query, bound.row);
  const sent = method === '$missingMethod' ? need(missing, 'a method that the path does not have') : method;
  const isOfClient = headers === CLIENT;
  const asked = fillRow(auth, bound.row) as AuthForm | undefined;
  const isRejected = REJECTED.test(String(fillRow(expect?.status, bound.row)));
  const needsQuery = operation.parameters.some(({ in: place, required }) => place === 'query' && required);
  const has = {
    query: needsQuery || role === 'list' || step.filter !== undefined,
    body: [step.record, step.body, step.text].some((each) => each !== undefined),
  };
  const isAsUsual = [step.form, step.cut, query].every((each) => each === undefined);
  return present({
    operationId: head?.id ?? (method === undefined ? id : undefined),
    request: sent === undefined || head !== undefined ? undefined : { method: sent, path },
    headers: isOfClient
      ? chooseClient(bound.turn, { auth: asked, isRejected, operation, contract: bound.binding.contract })
      : (fillWords(headers, bound) as RawStep['headers'] | undefined),
    query: typeof text === 'string' ? text : undefined,
    form: step.form === CLIENT ? undefined : fillRow(step.form, bound.row),
    ...((isOfClient && isAsUsual) || step.form === CLIENT ? chooseForm(bound.turn, has) : {}),
  });
}

function bindParameters(step: RoleStep, bound: BoundStep, paging: Record<string, unknown>): Record<string, unknown> {
  const { binding, row, operation } = bound;
  const { subject, scope, parent } = binding;
  const size = sizeParameter(subject.roles.list?.list?.paging);
  if (step.limit !== undefined && size === undefined) throw new Inapplicable('a limit');
  const hasKeyInPath = operation.role !== 'list' && operation.role !== 'create';
  const names = listTemplateNames(operation.operation.path);
  const above = names.length < subject.resource.scope.length + (hasKeyInPath ? 1 : 0) ? [] : subject.resource.scope;
  const nameOf = (name: string, index: number): string => (names.includes(name) ? name : (names[index] ?? name));
  const values: Record<string, unknown> = Object.fromEntries(
    above.map((name, index) => [nameOf(name, index), scope[name]]),
  );
  const last = Object.keys(values).at(-1);
  const put = (name: string, key: string, from: Binding): void => {
    const asked = bindKey(key, from);
    values[name] = step.escaped === undefined ? asked : { [ESCAPED]: asked, how: step.escaped };
  };
  if (step.parent !== undefined) put(need(last, 'a parent'), step.parent, need(parent, 'a parent'));
  const key = bound.newKey ?? (hasKeyInPath ? (fillRow(step.key, row) as string | undefined) : undefined);
  if (key !== undefined) put(nameOf(subject.resource.key.parameter, subject.resource.scope.length), key, binding);
  return {
    ...values,
    ...paging,
    ...(step.limit === undefined || size === undefined ? {} : { [size]: fillRow(step.limit, row) }),
    ...(fillRow(step.filter, row) as Record<string, unknown> | undefined),
  };
}

const MADE = { $minimal: 'minimal', $full: 'full', $other: 'other' } as const;

function bindBody(step: RoleStep, bound: BoundStep, tables: Tables): StepBody | undefined {
  const { binding, row, operation, newKey } = bound;
  const { made, subject } = binding;
  const { padTo, cut } = step;
  const own = recordTypeOf(operation.operation);
  const isAtEdge = [step.text, padTo, step.mediaType, cut].some((each) => each !== undefined);
  const isNothing = operation.role === 'create' && operation.operation.requestBody === undefined;
  if (isNothing && step.record !== undefined && !isAtEdge) return undefined;
  if (isAtEdge && (isNothing || formOf(operation.operation, own) !== undefined))
    throw new Inapplicable('a body of JSON');
  const usual = own === 'application/json' ? undefined : own;
  const mediaType = step.mediaType === undefined ? usual : (fillRow(step.mediaType, row) as string | null);
  const isOfClient = step.headers === CLIENT && step.written === undefined;
  const asClient = isOfClient ? chooseWriting(bound.turn) : (fillRow(step.written, row) as JsonForm | undefined);
  const written = own !== undefined && isJsonMediaType(own) ? asClient : undefined;
  const sent = present({ mediaType, padTo, cut, written });
  if (step.text !== undefined) return { text: step.text, ...sent };
  if (step.body !== undefined) return fillRow(step.body, row) as StepBody;
  if (!['create', 'replace', 'update'].includes(operation.role) || step.record === undefined) return undefined;
  const fill = (value: unknown): unknown => fillKeys(fillWords(value, bound), binding);
  const asked = fillRow(step.record, row);
  const known = typeof asked === 'string' && asked in MADE ? made[MADE[asked as keyof typeof MADE]] : undefined;
  let record = known ?? (asked === '$change' ? tables['$changes']?.(binding)[0]?.['record'] : asked);
  if (asked === '$change' && record === undefined) throw new Inapplicable('an update');
  if (operation.role === 'replace' && known !== undefined) {
    record = need(fitReplacement(known, fill(step.key), { binding, operation }), 'a replacement');
  } else if (newKey !== undefined) {
    const { property } = subject.resource.key;
    const key = asObject(record)[property];
    const isOwn = key !== undefined && sameJson(key, made.full[property]);
    if (isOwn) record = { ...asObject(record), [property]: newKey };
  }
  const changed = step.with === undefined ? record : { ...(record as RecordTemplate), ...(fill(step.with) as object) };
  return { json: wrap(changed, operation.requestMember), ...sent };
}

// Operations that require an If-Match are asked with the ETag of the record as it is, which a step of its own reads first.

function bindWithTag(step: RoleStep, steps: readonly RoleStep[], bound: Bound): RawStep[] {
  const before = steps.slice(0, steps.indexOf(step));
  const reading = readTagFor(step, before, placeStep(step, bound));
  const asked = bindStep(step, bound);
  if (reading === undefined) return [asked];
  const isChangedBefore = before.some(({ role, key }) => (role === 'update' || role === 'replace') && key === step.key);
  const tagged = {
    ...asked,
    headers: { ...(asked.headers as Record<string, string>), 'If-Match': `$steps.${reading.id}.outputs.tag` },
    ...(isChangedBefore && asked.retryFrom === undefined ? { retryFrom: reading.id } : {}),
  };
  return [bindStep(reading, bound), tagged];
}

function readTagFor(step: RoleStep, before: readonly RoleStep[], { binding, operation, row }: BoundStep) {
  const { id, key, of } = step;
  if (!requiresTag(operation.operation) || key === undefined || key === PROVEN_KEY) return undefined;
  if (!/^\$(?:steps|records|refusals)\./.test(key)) return undefined;
  if (Object.keys(asObject(fillRow(step.headers, row))).some(isTagName)) return undefined;
  const isDone = ({ expect }: RoleStep): boolean => expect?.status === undefined || expect.status === '$done';
  if (before.some((each) => each.role === 'remove' && each.key === key && isDone(each))) return undefined;
  operationOf('get', binding);
  return {
    id: `${id}-tag`,
    role: 'get' as const,
    key,
    ...present({ of }),
    expect: { status: '$done' },
    assume: { headers: { etag: { type: 'string', pattern: '^"' } }, otherwise: NEEDS_TAG },
    outputs: { tag: '$response.header.etag' },
  };
}
