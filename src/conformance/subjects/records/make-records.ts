// Makes records that the contract allows: from its own examples first, with texts that no other record has.
import type { Contract } from '../../../contract/contract.js';
import { asList, asObject } from '../../../contract/document/plain.js';
import { resolveAt } from '../../../contract/document/references.js';
import { sameJson } from '../../../contract/document/same-json.js';
import { listDefaultFilters } from '../../../contract/resources/bodies/default-filters.js';
import { formOf, recordTypeOf } from '../../../contract/resources/plain-roles.js';
import type { RoleOperation } from '../../../contract/resources/resource.js';
import { listDiscriminators } from '../../../contract/schemas/discriminator.js';
import { sampleValue } from '../../../contract/samples/sample.js';
import { fitRecord, listOthers } from './fit-record.js';
import { readGiven } from './given-records.js';
import { listExampleBodies } from './example-bodies.js';
import { placeInTime } from './place-in-time.js';
import { findViolation } from '../request-body.js';
import { BEYOND, fillRecord, isUnique, leaveUuids, makeUnique } from './unique-texts.js';
import { creatorOf, NONE_MADE, type MadeRecords, type RecordTemplate } from './made-records.js';
import { listReferences } from '../keys/references.js';
import { findScope, nameScope, refer, type ScopeValues } from './refer.js';
import { isGiven, isOneOfAll, type Field, type Subject } from '../subject.js';

/** Why there are none: a sentence without a full stop. */
export function makeRecords(
  subject: Subject,
  subjects: readonly Subject[],
  contract: Contract,
  scope: ScopeValues,
  example: RecordTemplate | undefined = listExampleBodies(subject.roles.create, contract)[0],
): MadeRecords | { lacking: string } {
  const { create } = subject.roles;
  // A key in the path is all that a `POST /users/{name}` needs.
  if (subject.putsNew === 'posted' && create?.operation.requestBody === undefined) return NONE_MADE;
  if (create?.requestPointer === undefined) return { lacking: describeNoCreate(subject) };
  const fields = subject.fields.filter(({ name }) => isGiven(name, subject));
  const listed = readListed(subject);
  const allows = (record: RecordTemplate): string | undefined => findViolation(fillRecord(record), create, contract);
  const sample = createSampler({ pointer: create.requestPointer, fields, listed, example, contract });
  const { key } = subject.resource;
  const isNeeded = ({ name, required }: Field): boolean =>
    required || Object.hasOwn(listed, name) || (name === key.property && key.givenBy === 'client');
  const required = new Set(fields.filter(isNeeded).map(({ name }) => name));
  const [given, second] = readGiven(subject, contract);
  const all = given?.body ?? { ...sample(true), ...sample(false) };
  const least = Object.fromEntries(Object.entries(all).filter(([name]) => required.has(name)));
  const smallest = allows(least) === undefined ? least : (given?.body ?? sample(false));
  const problem = allows(smallest);
  if (problem !== undefined) return describeLacking(problem, subject);
  const base = fillForm(smallest, sample(true), create, allows);
  // A record's own key is no reference to another of its kind.
  const others = fields.filter(({ name }) => name !== key.property);
  const referred = new Map(others.map((field) => [field.name, listReferences(field, subject, subjects, contract)]));
  const isReferring = (name: string): boolean => referred.get(name)?.some(({ path }) => path.length === 0) === true;
  const whole = given?.body ?? addOptional(base, sample(true), allows);
  const isAlias = (name: string): boolean => name !== key.property && !required.has(name) && !isReferring(name);
  const next = second?.body ?? makeOther(whole, { subject, fields, allows, contract });
  const other = leaveUuids(next, isAlias, (each) => allows(each) === undefined);
  const kinds = listKindFields(subject, contract);
  const mayDiffer = (name: string): boolean => !kinds.has(name) && !Object.hasOwn(listed, name);
  const making = { fields, key: key.property, isGiven: given !== undefined, contract, mayDiffer };
  const finish = (record: RecordTemplate, prefix = ''): RecordTemplate =>
    nameScope(refer(makeUnique(record, { ...making, prefix }), { referred, subject, required }), subject, scope);
  const made = { minimal: finish(base), full: finish(whole), plain: fillRecord(whole), other: finish(other, BEYOND) };
  const isReference = (name: string): boolean => isReferring(name) || findScope(name, subject, scope) !== undefined;
  const changed = Object.keys(made.other).filter(
    (name) => name !== key.property && !isReference(name) && isChanged(name, { ...made, next: other }),
  );
  const used = Object.keys(made.full).flatMap((name) => (referred.get(name) ?? []).map(({ to }) => to));
  const dependsOn = [...new Set(used.filter((each) => each !== subject).map((each) => creatorOf(each).id))];
  const further = given === undefined ? listKinds(whole, create, { sample, allows, contract }) : [];
  const more = further.map((plain) => ({ plain, full: finish(plain) }));
  return { ...made, kinds: more, changed, dependsOn, givenAt: given?.place };
}

function pick(record: RecordTemplate, names: readonly string[]): RecordTemplate {
  return Object.fromEntries(names.filter((name) => Object.hasOwn(record, name)).map((name) => [name, record[name]]));
}

interface Sampling {
  pointer: string;
  fields: readonly Field[];
  listed: RecordTemplate;
  example: RecordTemplate | undefined;
  contract: Contract;
}

/** Makes records of the contract, with the values of its example; `index` says of which of its alternatives. */
function createSampler({ pointer, fields, listed, example, contract }: Sampling) {
  return (optional: boolean, index = 0): RecordTemplate => {
    const made = asObject(sampleValue(contract.document, pointer, { optional, without: 'readOnly', index }));
    const given = (index === 0 ? example : undefined) ?? {};
    const shown = optional ? given : pick(given, Object.keys(made));
    return fitFields({ ...placeInTime({ made, shown }, fields), ...listed }, fields, contract);
  };
}

type Changing = Readonly<Record<'full' | 'plain' | 'other' | 'next', RecordTemplate>>;

function isChanged(name: string, { full, plain, other, next }: Changing): boolean {
  return (isUnique(full[name]) && isUnique(other[name])) || !sameJson(plain[name], next[name]);
}

/** Further kinds are assumed to behave like these. */
const MOST_KINDS = 4;

/** A record of each alternative that has a field of its own. */
function listKinds(
  whole: RecordTemplate,
  { requestPointer = '' }: RoleOperation,
  {
    sample,
    allows,
    contract,
  }: { sample: (optional: boolean, index: number) => RecordTemplate; allows: Allows; contract: Contract },
): RecordTemplate[] {
  const { oneOf, anyOf } = asObject(resolveAt(contract.document, requestPointer).value);
  const count = Math.min(MOST_KINDS, asList(oneOf ?? anyOf).length);
  const known = new Set(Object.keys(whole));
  return Array.from({ length: Math.max(0, count - 1) }, (_, index) => index + 1).flatMap((index) => {
    const least = sample(false, index);
    const isNew = Object.keys(least).some((name) => !known.has(name));
    if (!isNew || allows(least) !== undefined) return [];
    for (const name of Object.keys(least)) known.add(name);
    return [addOptional(least, sample(true, index), allows)];
  });
}

function describeLacking(problem: string, { resource: { singular } }: Subject): { lacking: string } {
  const help = 'an example there helps, or one in a file (--records)';
  return { lacking: `no ${singular} that the contract allows could be made from it (${problem}); ${help}` };
}

/** The fields that a client gives, with values that a record may have too. */
function fitFields(made: RecordTemplate, fields: readonly Field[], contract: Contract): RecordTemplate {
  const given = fields.filter(({ name }) => Object.hasOwn(made, name));
  return Object.fromEntries(
    given.map((field) => [field.name, isOneOfAll(field) ? false : fitRecord(made[field.name], field, contract)]),
  );
}

/** What a client can send so that the list has the record. */
function readListed({ roles: { list } }: Subject): RecordTemplate {
  return list === undefined ? {} : Object.fromEntries(listDefaultFilters(list));
}

type Allows = (record: RecordTemplate) => string | undefined;

/** An empty form is no body, so it has a field that it need not have. */
function fillForm(
  base: RecordTemplate,
  all: RecordTemplate,
  { operation }: RoleOperation,
  allows: Allows,
): RecordTemplate {
  const isEmptyForm = Object.keys(base).length === 0 && formOf(operation, recordTypeOf(operation)) !== undefined;
  const fields = Object.entries(all).map(([name, value]) => ({ [name]: value }));
  return (isEmptyForm ? fields.find((each) => allows(each) === undefined) : undefined) ?? base;
}

/** One by one, since one alternative may exclude another. */
function addOptional(base: RecordTemplate, all: RecordTemplate, allows: Allows): RecordTemplate {
  let record = base;
  for (const [name, value] of Object.entries(all)) {
    if (Object.hasOwn(record, name)) continue;
    const longer = { ...record, [name]: value };
    if (allows(longer) === undefined) record = longer;
  }
  return record;
}

interface Surroundings {
  subject: Subject;
  fields: readonly Field[];
  allows: Allows;
  contract: Contract;
}

/** The fields that say which kind of record it is: another kind would need other fields. */
function listKindFields({ roles, resource }: Subject, { document }: Contract): Set<string> {
  const places = [roles.create?.requestPointer, resource.schemaPointer].filter((at) => at !== undefined);
  return new Set(places.flatMap((at) => listDiscriminators(document, at)));
}

/** The same record with another value wherever the contract allows one, in a request and in a record. */
function makeOther(whole: RecordTemplate, { subject, fields, allows, contract }: Surroundings): RecordTemplate {
  const listed = readListed(subject);
  const kinds = listKindFields(subject, contract);
  const entries = Object.entries(whole).map(([name, value]) => {
    const field = fields.find((each) => each.name === name);
    const isFitting = (each: unknown): boolean =>
      field === undefined || sameJson(fitRecord(each, field, contract), each);
    const isKept = kinds.has(name) || Object.hasOwn(listed, name) || (field !== undefined && isOneOfAll(field));
    const candidates = isKept ? [] : listOthers(value, field?.schema ?? {});
    const found = candidates.find(
      (each) => !sameJson(each, value) && allows({ ...whole, [name]: each }) === undefined && isFitting(each),
    );
    return [name, found === undefined ? value : found];
  });
  return Object.fromEntries(entries) as RecordTemplate;
}

/** Why a run cannot create records of a resource: a sentence without a full stop. */
function describeNoCreate({ resource }: Pick<Subject, 'resource'>): string {
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
