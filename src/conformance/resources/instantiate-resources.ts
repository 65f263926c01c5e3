// The resources under test, each with the records that a run sends: as the contract has them, and once a run has seen which are taken.
import { formOf, recordTypeOf } from '../../contract/media-types.js';
import type { Contract } from '../../contract/contract.js';
import { escapePointer, readOnce } from '../../contract/document/document.js';
import { printJson, sameJson } from '../../contract/document/json.js';
import { listTemplateNames } from '../../contract/operations/match.js';
import { plainName } from '../../contract/resources/words.js';
import { chooseInPath, type GivenParameters } from '../http/prepare-request.js';
import { comesFromAnswer, escape } from '../http/template.js';
import { findNewKey, type Binding } from './instance.js';
import {
  creatorOf,
  findReferred,
  NONE_MADE,
  pick,
  readAsFound,
  readRest,
  readSubjects,
  isGiven,
  isOneOfAll,
  readField,
} from './resource-under-test.js';
import type { MadeRecords, RecordTemplate, Subject, Field } from './resource-under-test.js';
import {
  fillRecord,
  fillUnique,
  isUnique,
  BEYOND,
  makeUnique,
  findViolation,
  fitRecord,
  isAllowed,
  listOthers,
  placeInTime,
  unwrap,
  type Making,
} from './fit-record.js';
import { asList, asObject } from '../../contract/document/plain.js';
import { resolveAt } from '../../contract/document/references.js';
import { readProperties } from '../../contract/operations/properties.js';
import { listDefaultFilters, type RoleOperation } from '../../contract/resources/resource.js';
import { isSampledUuid } from '../../contract/samples/sample-scalars.js';
import { sampleValue } from '../../contract/samples/sample.js';
import { listDiscriminators } from '../../contract/schemas/violation.js';
import { listExamples } from '../../contract/schemas/examples.js';
import { formatPlace, PetstoreMockError, type SourcePlace } from '../../errors.js';
import { suggest } from '../../suggest.js';

/** Every resource whose records can be created, in an order that creates what a resource needs before the resource itself. */
export const bindSubjects = readOnce((contract: Contract) => {
  const bindings: Binding[] = [];
  const notes: string[] = []; // What cannot be tested, and why: sentences without a full stop.
  const found: string[] = [];
  const subjects = readSubjects(contract);
  const ordered: Subject[] = [];
  const waiting = new Set(subjects);
  const isReady = (each: Subject): boolean => {
    const referred = each.fields.flatMap((field) => listReferences(field, each, subjects, contract));
    const needed = referred.map(({ to }) => to).concat(each.parent ?? []);
    return needed.every((other) => other === each || ordered.includes(other));
  };
  while (waiting.size > 0) {
    const [first] = waiting;
    const next = [...waiting].find(isReady) ?? [...waiting].find((each) => hasListOf(each, waiting)) ?? first;
    if (next === undefined) break;
    waiting.delete(next);
    ordered.push(next);
  }
  for (const subject of ordered) {
    const there = contract.readOnly === true ? bindFound(subject, bindings, contract) : undefined;
    const bound = there ?? bindSubject(subject, bindings, contract);
    const read = typeof bound === 'string' ? bindFound(subject, bindings, contract) : bound;
    if (typeof bound === 'string')
      (read === undefined ? notes : found).push(`${subject.resource.collectionPath}: ${bound}`);
    if (read !== undefined) bindings.push(read);
  }
  const known = bindings.map(({ subject }) => subject);
  const rest = readRest(known, contract);
  if (rest !== undefined)
    bindings.push({ subject: rest, made: NONE_MADE, contract, parent: undefined, scope: {}, dependsOn: [] });
  return { bindings, notes, found };
});

function hasListOf(owner: Subject, others: Iterable<Subject>): boolean {
  const lists = owner.fields.filter(({ type }) => type === 'array').map(({ name }) => plainName(name));
  return [...others].some(
    (other) =>
      other !== owner &&
      lists.includes(`${plainName(other.resource.singular)}s`) &&
      other.fields.some((field) => findReferred(field, other, [owner]) === owner),
  );
}

function listReady(subject: Subject, earlier: readonly Binding[], contract: Contract): Subject[] {
  const isReady = (each: Subject): boolean => each === subject || earlier.some((other) => other.subject === each);
  return readSubjects(contract).filter(isReady);
}

function bindSubject(subject: Subject, earlier: readonly Binding[], contract: Contract): Binding | string {
  const ready = listReady(subject, earlier, contract);
  const { scope, dependsOn } = bindScope(subject, earlier);
  const made = makeRecords(subject, ready, contract, scope);
  if ('lacking' in made) return made.lacking;
  const needed = [...new Set([...made.dependsOn, ...dependsOn])];
  const binding = { subject, made, contract, parent: findBound(subject.parent, earlier), scope, dependsOn: needed };
  if (subject.putsNew === undefined || findNewKey(binding) !== undefined) return binding;
  return `no key that the contract allows a new ${subject.resource.singular} could be made from it`;
}

function bindFound(subject: Subject, earlier: readonly Binding[], contract: Contract): Binding | undefined {
  const read = readAsFound(subject, contract);
  if (read === undefined) return undefined;
  const parent = findBound(subject.parent, earlier);
  return { subject: read, made: NONE_MADE, contract, parent, ...bindScope(read, earlier) };
}

function findBound(subject: Subject | undefined, bindings: readonly Binding[]): Binding | undefined {
  return subject === undefined ? undefined : bindings.find((each) => each.subject.name === subject.name);
}

const GIVEN = '$run.parameters#/';

function bindScope({ resource, parent, isFound }: Subject, earlier: readonly Binding[]) {
  if (resource.scope.length === 0) return { scope: {}, dependsOn: [] };
  const owner = findBound(parent, earlier);
  // Nothing is created among what belongs to others, unless the user names a place for it.
  const isOthers = owner?.subject.isFound === true && isFound !== true;
  if (owner === undefined || isOthers || Object.keys(owner.scope).length !== resource.scope.length - 1) {
    const given = resource.scope.map((name) => [name, `${GIVEN}${escapePointer(name)}`]);
    return { scope: Object.fromEntries(given) as Record<string, string>, dependsOn: [] };
  }
  const id = creatorOf(owner.subject);
  const values = [...Object.values(owner.scope), `$scenarios.${id}.outputs.key`];
  const scope = Object.fromEntries(resource.scope.map((name, index) => [name, values[index] ?? '']));
  return { scope, dependsOn: [...owner.dependsOn, id] };
}

export const listFree = readOnce((contract: Contract) =>
  bindSubjects(contract).bindings.flatMap(({ subject: { roles }, scope }) => {
    const names = Object.keys(scope);
    const free = names.filter((name) => scope[name]?.startsWith(GIVEN) === true);
    const operations = new Set(Object.values(roles).map(({ operation }) => operation));
    return [...operations].flatMap((operation) =>
      free.flatMap((name) => {
        const own = listTemplateNames(operation.path);
        const called = own.includes(name) ? name : own[names.indexOf(name)];
        const parameter = operation.parameters.find((each) => each.in === 'path' && each.name === called);
        return parameter === undefined ? [] : [{ name, operation, parameter }];
      }),
    );
  }),
);

export function chooseFree(contract: Contract, given: GivenParameters): Record<string, unknown> {
  const found = listFree(contract).map(({ name, parameter }) => [name, chooseInPath(name, parameter, given, contract)]);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined)) as Record<string, unknown>;
}

export function listLackingFree(contract: Contract, given: GivenParameters): [string, string][] {
  const known = chooseFree(contract, given);
  const lacking = new Map<string, string[]>();
  for (const { name, operation } of listFree(contract)) {
    if (!Object.hasOwn(known, name)) lacking.set(operation.id, [...(lacking.get(operation.id) ?? []), name]);
  }
  return [...lacking].map(([id, names]) => {
    const [what, give] = names.length === 1 ? ['parameter', 'sets it'] : ['parameters', 'set them'];
    const flags = names.map((name) => `--parameter ${name}=<value>`);
    return [id, `it needs the path ${what} ${names.join(' and ')}; ${flags.join(' ')} ${give}`];
  });
}

export type Trial = { full: RecordTemplate; plain: RecordTemplate };

export function listOtherTrials({ subject, contract, scope, made }: Binding): Trial[] {
  const { bindings } = bindSubjects(contract);
  const ready = listReady(subject, bindings, contract);
  const examples = listExampleBodies(subject.roles.create, contract);
  const others = [...examples.slice(1), {}].flatMap((example) => {
    const other = makeRecords(subject, ready, contract, scope, example);
    return 'lacking' in other ? [] : [{ full: other.full, plain: other.plain }];
  });
  const asItStands = (record: RecordTemplate): Trial => ({ full: escape(record, isUnique), plain: fillRecord(record) });
  const given = readGiven(subject, contract).map(({ whole }) => asItStands(whole));
  return [...given, { full: made.full, plain: made.plain }, ...examples.map(asItStands), ...others];
}

export function leastOf({ minimal, plain }: MadeRecords): Trial {
  return { full: minimal, plain: pick(plain, Object.keys(minimal)) };
}

export function withLeast(made: MadeRecords, { full, plain }: Trial): MadeRecords {
  const set = listChanged(full, made.full);
  const other = { ...made.other, ...pick(full, set) };
  const changed = made.changed.filter((name) => !set.includes(name));
  return {
    ...made,
    minimal: full,
    full: { ...made.full, ...full },
    plain: { ...made.plain, ...plain },
    other,
    changed,
  };
}

export function withFull(made: MadeRecords, { full, plain }: Trial): MadeRecords {
  const set = listChanged(full, made.full);
  const same = Object.keys(full).filter((name) => !set.includes(name));
  const differing = set.filter((name) => isUnique(full[name]) && Object.hasOwn(made.minimal, name));
  const minimal = { ...made.minimal, ...pick(full, differing) };
  const other = { ...pick(made.other, same), ...pick(full, set) };
  return { ...made, minimal, full, plain, other, changed: made.changed.filter((name) => same.includes(name)) };
}

export function withOther(made: MadeRecords, { full, plain }: Trial): MadeRecords {
  const isOther = (name: string) => sameJson(full[name], made.other[name]) && !sameJson(plain[name], made.plain[name]);
  return { ...made, other: full, changed: made.changed.filter(isOther) };
}

export function otherOf({ other, plain }: MadeRecords): Trial {
  const values = Object.entries(other).map(([name, value]) => {
    const shown = typeof value === 'string' ? fillUnique(value) : value;
    return [name, shown === undefined || comesFromAnswer(value) ? plain[name] : shown];
  });
  return { full: other, plain: Object.fromEntries(values) as RecordTemplate };
}

function listChanged(now: RecordTemplate, before: RecordTemplate): string[] {
  return Object.keys(now).filter((name) => !sameJson(now[name], before[name]));
}

export function withoutReference(binding: Binding, id: string): Binding | undefined {
  const { made, scope } = binding;
  const refers = (value: unknown): boolean => printJson(value).includes(`$scenarios.${id}.outputs.`);
  if (!made.dependsOn.includes(id) || refers(made.minimal) || refers(scope)) return undefined;
  const left = Object.keys(made.full).filter((name) => refers(made.full[name]) || refers(made.other[name]));
  const drop = (record: RecordTemplate): RecordTemplate =>
    Object.fromEntries(Object.entries(record).filter(([name]) => !left.includes(name)));
  const others = (ids: readonly string[]): string[] => ids.filter((each) => each !== id);
  const kinds = made.kinds.filter(({ full }) => !refers(full));
  const changed = made.changed.filter((name) => !left.includes(name));
  const records = { full: drop(made.full), plain: drop(made.plain), other: drop(made.other), kinds, changed };
  const kept = { ...made, ...records, dependsOn: others(made.dependsOn) };
  return { ...binding, dependsOn: others(binding.dependsOn), made: kept };
}

/** The records that a run sends of a resource, or why there are none: a sentence without a full stop. */
export function makeRecords(
  subject: Subject,
  subjects: readonly Subject[],
  contract: Contract,
  scope: ScopeValues,
  example: RecordTemplate | undefined = listExampleBodies(subject.roles.create, contract)[0],
): MadeRecords | { lacking: string } {
  const { create } = subject.roles;
  if (subject.putsNew === 'posted' && create?.operation.requestBody === undefined) return NONE_MADE;
  if (create?.requestPointer === undefined) return { lacking: describeNoCreate(subject) };
  const pointer = create.requestPointer;
  const fields = subject.fields.filter(({ name }) => isGiven(name, subject));
  const listed = subject.roles.list === undefined ? {} : Object.fromEntries(listDefaultFilters(subject.roles.list));
  const findProblem = (record: RecordTemplate) => findViolation(fillRecord(record), create, contract);
  const allows: Allows = (record) => findProblem(record) === undefined;
  const sample: Sample = (optional, index = 0) => {
    const made = asObject(sampleValue(contract.document, pointer, { optional, without: 'readOnly', index }));
    const shown = index === 0 ? (example ?? {}) : {};
    const placed = placeInTime({ made, shown: optional ? shown : pick(shown, Object.keys(made)) }, fields);
    return fitFields({ ...placed, ...listed }, fields, contract);
  };
  const { key } = subject.resource;
  const isNeeded = ({ name, required }: Field): boolean =>
    required || Object.hasOwn(listed, name) || (name === key.property && key.givenBy === 'client');
  const required = new Set(fields.filter(isNeeded).map(({ name }) => name));
  const [given, second] = readGiven(subject, contract);
  const all = given?.body ?? { ...sample(true), ...sample(false) };
  const least = Object.fromEntries(Object.entries(all).filter(([name]) => required.has(name)));
  const smallest = allows(least) ? least : (given?.body ?? sample(false));
  const problem = findProblem(smallest);
  const help = 'an example there helps, or one in a file (--records)';
  const lacking = `no ${subject.resource.singular} that the contract allows could be made from it (${problem}); ${help}`;
  if (problem !== undefined) return { lacking };
  // An empty form is no body, so it has a field that it need not have.
  const isForm = formOf(create.operation, recordTypeOf(create.operation)) !== undefined;
  const singles = isForm && Object.keys(smallest).length === 0 ? Object.entries(sample(true)) : [];
  const base = singles.map(([name, value]) => ({ [name]: value })).find(allows) ?? smallest;
  const others = fields.filter(({ name }) => name !== key.property);
  const referred = new Map(others.map((field) => [field.name, listReferences(field, subject, subjects, contract)]));
  const isReferring = (name: string): boolean => referred.get(name)?.some(({ path }) => path.length === 0) === true;
  const whole = given?.body ?? addOptional(base, sample(true), allows);
  const pointers = [pointer, subject.resource.schemaPointer];
  const kindFields = pointers.flatMap((at) => listDiscriminators(contract.document, at));
  const mayDiffer = (name: string): boolean => !kindFields.includes(name) && !Object.hasOwn(listed, name);
  const making = { fields, key: key.property, contract, mayDiffer };
  const next = second?.body ?? makeOther(whole, making, allows);
  // Without UUIDs that are made up for what may be another name of the record: what replaces it need not rename it.
  const isAlias = (name: string): boolean => name !== key.property && !required.has(name) && !isReferring(name);
  const isNamed = ([name, value]: [string, unknown]): boolean => !isSampledUuid(value) || !isAlias(name);
  const named = Object.fromEntries(Object.entries(next).filter(isNamed));
  const other = allows(named) ? named : next;
  const finish = (record: RecordTemplate, prefix = ''): RecordTemplate => {
    const unique = given === undefined ? makeUnique(record, making, prefix) : escape(record, isUnique);
    return refer(unique, referred, { subject, required, scope });
  };
  const made = { minimal: finish(base), full: finish(whole), plain: fillRecord(whole), other: finish(other, BEYOND) };
  const isReference = (name: string): boolean => isReferring(name) || findScope(name, subject, scope) !== undefined;
  const isNew = (name: string): boolean =>
    (isUnique(made.full[name]) && isUnique(made.other[name])) || !sameJson(made.plain[name], other[name]);
  const changed = Object.keys(made.other).filter((each) => each !== key.property && !isReference(each) && isNew(each));
  const used = Object.keys(made.full).flatMap((name) => (referred.get(name) ?? []).map(({ to }) => to));
  const dependsOn = [...new Set(used.filter((each) => each !== subject).map(creatorOf))];
  const further = given === undefined ? listKinds(whole, pointer, sample, allows, contract) : [];
  const kinds = further.map((plain) => ({ plain, full: finish(plain) }));
  return { ...made, kinds, changed, dependsOn, givenAt: given?.place };
}

type Allows = (record: RecordTemplate) => boolean;
type Sample = (optional: boolean, index?: number) => RecordTemplate;

function listKinds(whole: RecordTemplate, pointer: string, sample: Sample, allows: Allows, contract: Contract) {
  const { oneOf, anyOf } = asObject(resolveAt(contract.document, pointer).value);
  const known = new Set(Object.keys(whole));
  return asList(oneOf ?? anyOf)
    .slice(1, 4)
    .flatMap((_, at) => {
      const least = sample(false, at + 1);
      const names = Object.keys(least);
      if (names.every((name) => known.has(name)) || !allows(least)) return [];
      for (const name of names) known.add(name);
      return [addOptional(least, sample(true, at + 1), allows)];
    });
}

function fitFields(made: RecordTemplate, fields: readonly Field[], contract: Contract): RecordTemplate {
  const given = fields.filter(({ name }) => Object.hasOwn(made, name));
  return Object.fromEntries(
    given.map((field) => [field.name, isOneOfAll(field) ? false : fitRecord(made[field.name], field, contract)]),
  );
}

function addOptional(base: RecordTemplate, all: RecordTemplate, allows: Allows): RecordTemplate {
  let record = base;
  for (const [name, value] of Object.entries(all)) {
    const longer = { ...record, [name]: value };
    if (!Object.hasOwn(record, name) && allows(longer)) record = longer;
  }
  return record;
}

function makeOther(whole: RecordTemplate, { fields, mayDiffer, contract }: Making, allows: Allows): RecordTemplate {
  const entries = Object.entries(whole).map(([name, value]) => {
    const field = fields.find((each) => each.name === name);
    const isKept = !mayDiffer(name) || (field !== undefined && isOneOfAll(field));
    const isOther = (each: unknown): boolean =>
      !sameJson(each, value) &&
      allows({ ...whole, [name]: each }) &&
      (field === undefined || sameJson(fitRecord(each, field, contract), each));
    const found = isKept ? undefined : listOthers(value, field?.schema ?? {}).find(isOther);
    return [name, found === undefined ? value : found];
  });
  return Object.fromEntries(entries) as RecordTemplate;
}

function describeNoCreate({ resource }: Subject): string {
  const create = resource.operations.find(({ role }) => role === 'create');
  if (create === undefined) return 'the contract has no create';
  const { operation, many } = create;
  const [type] = operation.requestBody?.content.map(({ mediaType }) => mediaType) ?? [];
  if (type === undefined) return `${operation.id} takes no body`;
  if (recordTypeOf(operation) === undefined)
    return `${operation.id} takes ${type}, and a run sends only JSON and forms`;
  if (many === true) return `${operation.id} creates several records at once`;
  const needed = operation.parameters.find(({ required, in: place }) => required && place !== 'path');
  return needed === undefined
    ? `${operation.id} does not create records by a request body`
    : `${operation.id} needs the ${needed.in} parameter ${needed.name}`;
}

export function listExampleBodies(taking: RoleOperation | undefined, contract: Contract): RecordTemplate[] {
  const { pointer } = taking?.operation.requestBody ?? {};
  const mediaType = taking === undefined ? undefined : recordTypeOf(taking.operation);
  if (taking === undefined || pointer === undefined || mediaType === undefined) return [];
  return listExamples(contract.document, { pointer }, { mediaType, name: undefined })
    .map((body) => asObject(unwrap(body, taking.requestMember)))
    .filter((body) => Object.keys(body).length > 0 && isAllowed(body, taking, contract));
}

type Reference = { path: readonly string[]; to: Subject };
type References = ReadonlyMap<string, readonly Reference[]>;

function listReferences(
  field: Field,
  own: Subject,
  subjects: readonly Subject[],
  contract: Contract,
  depth = 0,
): Reference[] {
  const to = findReferred(field, own, subjects);
  if (to !== undefined) return [{ path: [], to }];
  const { document } = contract;
  const { pointer, value } = resolveAt(document, field.schemaPointer);
  const isList = field.type === 'array' && asObject(value)['items'] !== undefined;
  if (depth === 2 || (!isList && field.type !== 'object')) return [];
  return readProperties(document, isList ? `${pointer}/items` : pointer).flatMap((each) =>
    listReferences(readField(each, document), own, subjects, contract, depth + 1).map(({ path, to: other }) => {
      return { path: [...(isList ? ['*'] : []), each.name, ...path], to: other };
    }),
  );
}

function putAt(value: unknown, [step, ...rest]: readonly string[], put: (before: unknown) => unknown): unknown {
  if (step === undefined) return put(value);
  if (step === '*') return Array.isArray(value) ? value.map((each) => putAt(each, rest, put)) : value;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return value;
  return { ...value, [step]: putAt(asObject(value)[step], rest, put) };
}

type Place = { subject: Subject; required: ReadonlySet<string>; scope: ScopeValues };

function refer(record: RecordTemplate, referred: References, { subject, required, scope }: Place): RecordTemplate {
  const entries = Object.entries(record).flatMap(([name, value]) => {
    const references = referred.get(name) ?? [];
    const refersToOwnKind = references.some(({ path, to }) => path.length === 0 && to === subject);
    if (refersToOwnKind && !required.has(name) && subject.roles.create !== undefined) return [];
    const others = references.filter(({ to }) => to.roles.create !== undefined && to !== subject);
    const own = others.reduce((each, { path, to }) => {
      const key = `$scenarios.${creatorOf(to)}.outputs.key`;
      const isNumber = to.resource.key.kind === 'integer';
      return putAt(each, path, (old) => (isNumber && typeof old === 'string' ? `{${key}}` : key));
    }, value);
    const above = findScope(name, subject, scope);
    if (above === undefined) return [[name, own] as const];
    if (typeof own === 'string') return [[name, `{${above}}`] as const];
    const isKey = name === subject.resource.parent?.property && subject.parent?.resource.key.kind === 'integer';
    return [[name, isKey ? above : own] as const];
  });
  return Object.fromEntries(entries);
}

type ScopeValues = Readonly<Record<string, string>>;

function findScope(name: string, { resource: { key, parent } }: Subject, scope: ScopeValues): string | undefined {
  if (name === key.property) return undefined;
  if (name === parent?.property) return scope[parent.parameter];
  const parameter = Object.keys(scope).find((each) => plainName(each) === plainName(name) && plainName(each) !== 'id');
  return parameter === undefined ? undefined : scope[parameter];
}

export function readGiven(subject: Subject, { givenRecords }: Contract) {
  const { name, resource, fields } = subject;
  const found = givenRecords?.byCollection;
  const own = found?.get(resource.name) ?? found?.get(name) ?? [];
  const known = new Set(fields.map((field) => field.name).filter((each) => isGiven(each, subject)));
  return own.map(({ fields: whole, place }) => ({
    body: Object.fromEntries(Object.entries(whole).filter(([field]) => known.has(field))),
    whole,
    place,
  }));
}

/** Throws a {@link PetstoreMockError} (`unusable-records`) for a collection that there is not, or a record that its create does not take. */
export function checkGivenRecords(contract: Contract): void {
  const reject = (message: string, place: SourcePlace | undefined): never => {
    throw new PetstoreMockError('unusable-records', message, place);
  };
  const subjects = contract.givenRecords === undefined ? [] : readSubjects(contract);
  const names = subjects.map(({ resource }) => resource.name);
  for (const [name, place] of contract.givenRecords?.places ?? []) {
    const subject = subjects.find((each) => [each.resource.name, each.name].includes(name));
    const there = names.length === 0 ? ' It has none.' : ` It has ${names.join(', ')}.`;
    if (subject === undefined)
      return reject(`no collection of the contract is called ${name}.${suggest(name, names)}${there}`, place);
    const { create } = subject.roles;
    if (create === undefined) return reject(`no operation creates a record of ${name}.`, place);
    for (const { body, place: at } of readGiven(subject, contract)) {
      const problem = findViolation(fillRecord(body), create, contract);
      if (problem !== undefined)
        reject(`${create.operation.id} rejects this ${subject.resource.singular}: ${problem}.`, at);
    }
  }
}

export function showPlace(place: SourcePlace | undefined): string {
  if (place === undefined) return 'the file of records';
  const { column: _, ...line } = place;
  return formatPlace(line);
}
