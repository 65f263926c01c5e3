import { listDefaultFilters } from '../../contract/resources/bodies/default-filters.js';
import { listProperties, readProperties } from '../../contract/operations/properties.js';
import { sameJson } from '../../contract/document/same-json.js';
import { readOnce } from '../../contract/read-once.js';
import type { RoleOperation } from '../../contract/resources/resource.js';
import { listNeeded } from '../wire/request/needed-parameters.js';
import { plainName } from '../../contract/resources/words.js';
import type { Switch } from '../model/doubt.js';
import type { Invented, RecordPlace } from '../model/record-rules.js';
import { asObject } from '../../contract/document/plain.js';
import type { Assumption, Expectation, StepBody } from '../model/scenario.js';
import { Inapplicable, fillNouns, fillRow, fillWords, statusesOf, type Binding, type BoundStep } from './binding.js';
import { escape } from '../wire/request/template.js';
import { isOwnText, isUnique } from './records/unique-texts.js';
import { nameGap } from './bind-gaps.js';
import { readDefault } from './read-default.js';
import { showPlace } from './records/given-records.js';
import { listInvented } from './certainty.js';
import { isShowable } from './records/fit-record.js';
import type { RoleExpectation, RoleStep } from './role-scenario.js';
import { isSet, isTidied, recordAt, type Field } from './subject.js';
import { readShortened } from './hidden.js';
import { isSameSchema } from '../../contract/schemas/is-same-schema.js';
import { sizeParameter } from './tables/lists/bounds.js';

interface Expectations {
  expect?: Expectation;
  assume?: Assumption;
}

/**
 * What an answer must be, and what must hold before it proves anything; `given` is what else is known about its records.
 */
export function bindExpectations(step: RoleStep, bound: BoundStep, given: object): Expectations {
  const { assume } = step;
  const expect = leaveOutNothing(step, bound);
  const own = expect === undefined ? undefined : bindExpectation(expect, bound, given);
  if (own !== undefined && expect?.status === '$taken') return bindTaken(own, step, bound);
  return {
    ...(own === undefined ? {} : { expect: own }),
    ...(assume === undefined ? {} : { assume: bindAssumption(assume, bound, given) }),
  };
}

/** A record of no fields, where the contract requires none or has no body, can be created, and there is nothing of it to compare. */
function leaveOutNothing({ expect, record: sent }: RoleStep, { binding }: BoundStep): RoleExpectation | undefined {
  const { subject, made } = binding;
  const isOfNothing = subject.isFound !== true && Object.keys(made.full).length === 0;
  const isEmpty = sent === '$minimal' && Object.keys(made.minimal).length === 0;
  if (expect?.record === undefined || !(isOfNothing || isEmpty)) return expect;
  const { record, ...rest } = expect;
  const { like, ...others } = record;
  if (!/^\$sent$|^\$(?:records|refusals|steps)\..*\.sent$/.test(String(like))) return expect;
  return Object.keys(others).length === 0 ? rest : { ...rest, record: others };
}

/** The target must take what the contract allows, unless nothing says that it creates anything at all. */
function bindTaken(expect: Expectation, step: RoleStep, { binding, operation }: BoundStep): Expectations {
  const done = statusesOf('$done', operation);
  // Nothing says that a PUT creates where the contract has no 201 for it, or a 404 too.
  if (!hasKeyOfAnother(step, binding) && !mayNotCreate(binding)) return { expect: { ...expect, status: done } };
  const otherwise = fillNouns(`it needs ${describeTaker(binding)}`, binding);
  return { expect: { ...expect, status: [...done, '4XX'] }, assume: { status: done, otherwise } };
}

/** What a record has of the run's own; `undefined` if the contract states all that it says, and where an earlier step made it. */
export function describeInvented(
  { body: asSent }: RoleStep,
  body: StepBody | undefined,
  { binding, operation }: BoundStep,
): Invented | undefined {
  const member = operation.requestMember ?? [];
  const json = member.reduce<unknown>((value, name) => asObject(value)[name], body?.json);
  const record = asSent === undefined ? json : binding.made.full;
  if (typeof record !== 'object' || record === null) return undefined;
  const found = listInvented(asObject(record), binding);
  // A service may want more of a record than nothing.
  const fields = Object.keys(record).length === 0 ? [''] : found.fields;
  if (fields.length === 0 && found.choices.length === 0) return undefined;
  const at = member.map((name) => `/${name}`).join('');
  return { ...found, fields, of: binding.subject.name, at, needs: fillNouns(describeTaker(binding), binding) };
}

/** What would take the records of a resource, to follow `needs`. */
export function describeTaker(binding: Binding): string {
  const { givenAt } = binding.made;
  if (givenAt !== undefined) return `a service that accepts the {$resource.noun} of ${showPlace(givenAt)}`;
  return mayNotCreate(binding)
    ? 'a service that creates {$resource.one} by a PUT to an unused key; or a POST in the contract, or a PUT with 201 and without 404'
    : 'a service that accepts {$resource.one} generated from the contract; give a valid example in the contract, or a record in a file (--records)';
}

function mayNotCreate({ subject: { putsNew, roles } }: Binding): boolean {
  const has404 = roles.replace?.operation.responses.some(({ status }) => status === '404') === true;
  return putsNew === 'open' || (putsNew === 'stated' && has404);
}

/** A key that a client must give, and of which the run knows but one value, is taken after the first create. */
function hasKeyOfAnother({ record }: RoleStep, { subject: { resource, putsNew }, made }: Binding): boolean {
  const { property, givenBy } = resource.key;
  return putsNew === undefined && record !== '$minimal' && givenBy === 'client' && !isUnique(made.full[property]);
}

function bindAssumption(
  { otherwise, verdict, ...rest }: NonNullable<RoleStep['assume']>,
  bound: BoundStep,
  given: object,
): Assumption {
  const words = { otherwise: fillNouns(otherwise, bound.binding), ...(verdict === undefined ? {} : { verdict }) };
  return { ...bindExpectation(rest, bound, given), ...words };
}

function bindExpectation(
  { status, headers, record, records }: RoleExpectation,
  bound: BoundStep,
  given: object,
): Expectation {
  const { operation, binding, row } = bound;
  const at = recordAt(operation);
  const keyProperty = binding.subject.resource.key.property;
  // Names that begin with $ are not references.
  const place =
    at === undefined
      ? undefined
      : escape({ at, keyProperty, fields: listShownFields(bound), ...readDefaults(bound.binding), ...readPart(bound) });
  if (records !== undefined && place === undefined) throw new Inapplicable('a list of records');
  if (records?.['has'] !== undefined && mayHide(bound)) throw new Inapplicable('a list of what was created');
  const isOne = operation.success.body === 'record';
  return {
    ...(status === undefined || status === '$taken'
      ? {}
      : { status: statusesOf(String(fillRow(status, row)), operation) }),
    ...(headers === undefined ? {} : { headers: fillWords(headers, bound) as NonNullable<Expectation['headers']> }),
    ...(record === undefined || place === undefined || !isOne
      ? {}
      : { record: { ...place, ...(fillWords(record, bound) as object) } }),
    ...(records === undefined || place === undefined
      ? {}
      : {
          records: {
            ...place,
            ...nameSwitches(bound),
            ...given,
            ...nameCreate(nameGap(fillWords(records, bound) as object, bound), bound),
          },
        }),
  };
}

/** The parameters on which it may depend what a list has. */
function nameSwitches({ operation }: BoundStep): { switches?: readonly Switch[] } {
  const switches = listSwitches(operation);
  // Names that begin with $ are not references.
  return switches.length === 0 ? {} : { switches: escape(switches) };
}

/** Which records were refused is known by the operation that creates them. */
function nameCreate(records: object, bound: BoundStep): object {
  if (!('noneRefused' in records)) return records;
  const { subject, made } = bound.binding;
  if (!Object.values(made.full).some(isOwnText)) throw new Inapplicable('a field with a text of its own');
  return { ...records, noneRefused: subject.roles.create?.operation.id };
}

/** Whether a list leaves out records by a field that only the service sets, or by a parameter that it requires. */
function mayHide({ operation, binding }: BoundStep): boolean {
  const given = new Set(binding.subject.fields.map(({ name }) => name));
  return listDefaultFilters(operation).some(([name]) => !given.has(name)) || mustFilter(operation, binding);
}

/** A required `status`, `folder_id` or `q` selects, unless a create has it too, with the same value: it then says where. */
function mustFilter({ operation, list }: RoleOperation, { subject, contract }: Binding): boolean {
  const needed = listNeeded(operation, {}, contract).filter(({ parameter }) => parameter.in === 'query');
  if (needed.length === 0) return false;
  const filters = (list?.filters ?? []).map(({ parameter }) => parameter);
  const properties = [...listProperties(contract.document, subject.resource.schemaPointer)].map(plainName);
  const isNamed = (name: string): boolean =>
    [name, name.replace(/(?:[_-]id|Id)s?$/, '')].some((each) => properties.includes(plainName(each)));
  const { create } = subject.roles;
  const where = create === undefined ? [] : listNeeded(create.operation, {}, contract);
  return needed.some(
    ({ parameter: { name }, value }) =>
      (SEARCHES.test(name) || isNamed(name) || filters.some((each) => each === name || each.startsWith(`${name}[`))) &&
      !where.some((each) => each.parameter.name === name && sameJson(each.value, value)),
  );
}

/** Words to search for, and the ends of a range. */
const SEARCHES =
  /^(?:q|query|from|to|since|until|before|after|start|end)$|search|filter|keyword|(?:from|to|start|end)[_-]?(?:date|time)|(?:date|time)[_-]?(?:from|to)/i;

/** What is known about an operation's answers; many steps need it. */
const shownFields = readOnce((_binding: Binding) => new Map<RoleOperation, readonly string[]>());

function listShownFields({ binding, operation }: BoundStep): readonly string[] {
  const known = shownFields(binding);
  const found = known.get(operation) ?? findShownFields(binding, operation);
  known.set(operation, found);
  return found;
}

/** The fields that a client sends and that this answer can show unchanged. */
function findShownFields(binding: Binding, { success, role }: RoleOperation): string[] {
  if (success.recordPointer === undefined) return [];
  const { subject, contract } = binding;
  const leftOut = role === 'list' ? readShortened(subject, contract).without : new Set();
  const shown = new Map(
    readProperties(contract.document, success.recordPointer).map((each) => [each.name, each.schemaPointer]),
  );
  return subject.fields
    .filter((field) => field.isShown && fits(field, shown.get(field.name), binding))
    .map(({ name }) => name)
    .filter((name) => !leftOut.has(name) && isOpenTo(name, success.recordPointer ?? '', binding));
}

/** Schemas that each allow no other properties together allow none of their own. */
function isOpenTo(name: string, pointer: string, { made, contract }: Binding): boolean {
  const rules = new Set(contract.validate.value(pointer, { [name]: made.plain[name] }).map(({ rule }) => rule));
  // Of alternatives, one may allow what another does not.
  return !rules.has('additionalProperties') || rules.has('oneOf') || rules.has('anyOf');
}

/** A field that an answer leaves out has the default of its schema. */
const readDefaults = readOnce(
  ({ subject, contract }: Binding): Pick<RecordPlace, 'defaults' | 'sets' | 'tidied' | 'choices'> => {
    const found = subject.fields.flatMap(({ name, recordPointer, schema }) => {
      const value = recordPointer === undefined ? undefined : readDefault(recordPointer, schema, contract);
      return value === undefined ? [] : [[name, value] as const];
    });
    const sets = subject.fields.filter((field) => isSet(field, contract)).map(({ name }) => name);
    const tidied = subject.fields.filter((field) => isTidied(field, contract)).map(({ name }) => name);
    const choices = subject.fields.filter(({ schema }) => Array.isArray(schema['enum'])).map(({ name }) => name);
    return { defaults: Object.fromEntries(found), sets, tidied, choices };
  },
);

function fits(field: Field, shown: string | undefined, { made, contract }: Binding): boolean {
  const { name } = field;
  const values = [made.plain, made.full, made.other].flatMap((record) =>
    Object.hasOwn(record, name) ? [record[name]] : [],
  );
  const places = [shown, field.recordPointer].filter((at) => at !== undefined);
  return shown !== undefined && places.every((at) => values.every((value) => isShowable(value, field, at, contract)));
}

/** What a list need not show, or may shorten, where it has a schema of its own for records, or is said to show them in short. */
function readPart({ binding: { subject, contract }, operation }: BoundStep): Pick<RecordPlace, 'optional' | 'isPart'> {
  const { document } = contract;
  const { recordPointer } = operation.success;
  if (operation.role !== 'list' || recordPointer === undefined) return {};
  const isSame = isSameSchema(document, subject.resource.schemaPointer, recordPointer);
  if (isSame && !readShortened(subject, contract).isPart) return {};
  const optional = readProperties(document, recordPointer).filter(({ required }) => !required);
  return { optional: optional.map(({ name }) => name), isPart: true };
}

/**
 * The parameters of a list that may do something else than to choose records, whatever they are called: truth values, which may
 * as well add some records or show a field, and what has a value where it is left out.
 */
function listSwitches({ operation, list }: RoleOperation): Switch[] {
  const { filters = [], paging, sort } = list ?? {};
  const others = new Set([sizeParameter(paging), ...Object.values(paging ?? {}), sort?.parameter, sort?.direction]);
  return operation.parameters.flatMap(({ in: place, name, schema }): Switch[] => {
    if (place !== 'query' || others.has(name)) return [];
    const filter = filters.find(({ parameter, relation }) => parameter === name && relation === 'equals');
    const field = filter?.property.length === 1 ? filter.property[0] : undefined;
    const values = schema['type'] === 'boolean' ? [true, false] : schema['enum'];
    const isSwitch = schema['type'] === 'boolean' || (field !== undefined && schema['default'] !== undefined);
    return isSwitch && Array.isArray(values)
      ? [{ parameter: name, field, values: values.slice(0, MOST_VALUES), usual: schema['default'] }]
      : [];
  });
}

const MOST_VALUES = 4;
