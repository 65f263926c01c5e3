// What a step expects of a response, and what scenarios about gaps have beyond that.
import type { Contract } from '../../contract/contract.js';
import { asObject } from '../../contract/document/plain.js';
import { sameJson } from '../../contract/document/json.js';
import type { Gap } from '../../contract/gaps/gaps.js';
import { listProperties, readProperties } from '../../contract/operations/properties.js';
import { readOnce } from '../../contract/document/document.js';
import { listDefaultFilters, type RoleOperation } from '../../contract/resources/resource.js';
import { plainName } from '../../contract/resources/words.js';
import { isSameSchema } from '../../contract/schemas/merged-schema.js';
import type { Switch, RecordPlace } from '../model/exchange.js';
import type { RawStep, Expectation, Outcome, StepBody, RoleExpectation, RoleStep } from '../model/scenario.js';
import { listNeeded } from '../http/prepare-request.js';
import { escape } from '../http/template.js';
import {
  bindKey,
  fillNouns,
  fillRow,
  fillWords,
  Inapplicable,
  present,
  readDefault,
  replaceTexts,
  statusesOf,
} from './instance.js';
import type { Binding, BoundStep } from './instance.js';
import { listInvented, readShortened } from './contract-texts.js';
import { isShowable, isOwnText, isUnique } from './fit-record.js';
import { showPlace } from './instantiate-resources.js';
import { sizeParameter } from './paging.js';
import { readGapsOf, isSet, isTidied, recordAt } from './resource-under-test.js';

type Expectations = Pick<RawStep, 'expect' | 'assume'>;

export function bindExpectations(step: RoleStep, bound: BoundStep, given: object): Expectations {
  const { assume } = step;
  const expect = leaveOutNothing(step, bound);
  const own = expect === undefined ? undefined : bindExpectation(expect, bound, given);
  if (own !== undefined && expect?.status === '$taken') {
    const { record } = step;
    const { binding, operation } = bound;
    const { subject, made } = binding;
    const { property, givenBy } = subject.resource.key;
    const done = statusesOf('$done', operation);
    const hasKeyOfAnother =
      subject.putsNew === undefined && record !== '$minimal' && givenBy === 'client' && !isUnique(made.full[property]);
    if (!hasKeyOfAnother && !mayNotCreate(binding)) return { expect: { ...own, status: done } };
    const needsTaker = fillNouns(`it needs ${describeTaker(binding)}`, binding);
    return { expect: { ...own, status: [...done, '4XX'] }, assume: { status: done, otherwise: needsTaker } };
  }
  if (assume === undefined) return present({ expect: own });
  const { otherwise, verdict, ...rest } = assume;
  const words = present({ otherwise: fillNouns(otherwise, bound.binding), verdict });
  return present({ expect: own, assume: { ...bindExpectation(rest, bound, given), ...words } });
}

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

export function describeInvented(step: RoleStep, body: StepBody | undefined, { binding, operation }: BoundStep) {
  const { body: asSent, asks } = step;
  if (asks === 'new') return undefined;
  const member = operation.requestMember ?? [];
  const json = member.reduce<unknown>((value, name) => asObject(value)[name], body?.json);
  const record = asSent === undefined ? json : binding.made.full;
  if (typeof record !== 'object' || record === null) return undefined;
  const found = listInvented(asObject(record), binding);
  const fields = Object.keys(record).length === 0 ? [''] : found.fields;
  if (fields.length === 0 && found.choices.length === 0) return undefined;
  const at = member.map((name) => `/${name}`).join('');
  return { ...found, fields, of: binding.subject.name, at, needs: fillNouns(describeTaker(binding), binding) };
}

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

function bindExpectation({ status, headers, body, record, records }: RoleExpectation, bound: BoundStep, given: object) {
  const { operation, binding, row } = bound;
  const at = recordAt(operation);
  const keyProperty = binding.subject.resource.key.property;
  const shown = { keyProperty, fields: shownFields(binding)(operation), ...readDefaults(binding), ...readPart(bound) };
  const place = at === undefined ? undefined : escape({ at, ...shown });
  if (records !== undefined && place === undefined) throw new Inapplicable('a list of records');
  if (records?.['has'] !== undefined && mayHide(bound)) throw new Inapplicable('a list of what was created');
  const isList = records !== undefined && place !== undefined;
  const isOne = operation.success.body === 'record' && record !== undefined && place !== undefined;
  const statuses =
    status === undefined || status === '$taken' ? undefined : statusesOf(String(fillRow(status, row)), operation);
  return present({
    status: statuses,
    body,
    headers: headers === undefined ? undefined : (fillWords(headers, bound) as NonNullable<Expectation['headers']>),
    record: isOne ? { ...place, ...(fillWords(record, bound) as object) } : undefined,
    records: isList ? { ...place, ...nameSwitches(bound), ...given, ...nameInList(records, bound) } : undefined,
  });
}

function nameInList(records: object, bound: BoundStep): object {
  const { subject, made } = bound.binding;
  const { full, ...rest } = fillWords(records, bound) as { full?: object; noneRefused?: true };
  const gap = full === undefined ? undefined : findGap('short-pages', bound.binding)?.id;
  if (rest.noneRefused !== undefined && !Object.values(made.full).some(isOwnText))
    throw new Inapplicable('a field with a text of its own');
  return {
    ...rest,
    ...(rest.noneRefused === undefined ? {} : { noneRefused: subject.roles.create?.operation.id }),
    ...(gap === undefined ? {} : { full: { ...full, gap } }),
  };
}

function mayHide({ operation, binding }: BoundStep): boolean {
  const given = new Set(binding.subject.fields.map(({ name }) => name));
  return listDefaultFilters(operation).some(([name]) => !given.has(name)) || mustFilter(operation, binding);
}

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

const SEARCHES =
  /^(?:q|query|from|to|since|until|before|after|start|end)$|search|filter|keyword|(?:from|to|start|end)[_-]?(?:date|time)|(?:date|time)[_-]?(?:from|to)/i;

const shownFields = readOnce((binding: Binding) =>
  readOnce((operation: RoleOperation) => findShownFields(binding, operation)),
);

function findShownFields({ subject, made, contract }: Binding, { success, role }: RoleOperation): string[] {
  const { recordPointer } = success;
  if (recordPointer === undefined) return [];
  const { document, validate } = contract;
  const leftOut = role === 'list' ? readShortened(subject, contract).without : new Set();
  const shown = new Map(readProperties(document, recordPointer).map((each) => [each.name, each.schemaPointer]));
  const found = subject.fields.filter((field) => {
    const { name, isShown } = field;
    const own = shown.get(name);
    if (!isShown || own === undefined || leftOut.has(name)) return false;
    const records = [made.plain, made.full, made.other].filter((record) => Object.hasOwn(record, name));
    const places = [own, field.recordPointer].filter((at) => at !== undefined);
    if (!places.every((at) => records.every((each) => isShowable(each[name], field, at, contract)))) return false;
    // Schemas that each allow no other properties together allow none of their own; of alternatives, one may allow it.
    const rules = new Set(validate.value(recordPointer, { [name]: made.plain[name] }).map(({ rule }) => rule));
    return !rules.has('additionalProperties') || rules.has('oneOf') || rules.has('anyOf');
  });
  return found.map(({ name }) => name);
}

const readDefaults = readOnce(
  ({ subject: { fields }, contract }: Binding): Pick<RecordPlace, 'defaults' | 'sets' | 'tidied' | 'choices'> => {
    const found = fields.flatMap(({ name, recordPointer, schema }) => {
      const value = recordPointer === undefined ? undefined : readDefault(recordPointer, schema, contract);
      return value === undefined ? [] : [[name, value] as const];
    });
    return {
      defaults: Object.fromEntries(found),
      sets: fields.filter((field) => isSet(field, contract)).map(({ name }) => name),
      tidied: fields.filter((field) => isTidied(field, contract)).map(({ name }) => name),
      choices: fields.filter(({ schema }) => Array.isArray(schema['enum'])).map(({ name }) => name),
    };
  },
);

function readPart({ binding: { subject, contract }, operation }: BoundStep): Pick<RecordPlace, 'optional' | 'isPart'> {
  const { document } = contract;
  const { recordPointer } = operation.success;
  if (operation.role !== 'list' || recordPointer === undefined) return {};
  const isSame = isSameSchema(document, subject.resource.schemaPointer, recordPointer);
  if (isSame && !readShortened(subject, contract).isPart) return {};
  const optional = readProperties(document, recordPointer).filter(({ required }) => !required);
  return { optional: optional.map(({ name }) => name), isPart: true };
}

function nameSwitches({ operation: { operation, list } }: BoundStep): { switches?: readonly Switch[] } {
  const { filters = [], paging, sort } = list ?? {};
  const others = new Set([sizeParameter(paging), ...Object.values(paging ?? {}), sort?.parameter, sort?.direction]);
  const switches = operation.parameters.flatMap(({ in: place, name, schema }): Switch[] => {
    if (place !== 'query' || others.has(name)) return [];
    const filter = filters.find(({ parameter, relation }) => parameter === name && relation === 'equals');
    const field = filter?.property.length === 1 ? filter.property[0] : undefined;
    const values = schema['type'] === 'boolean' ? [true, false] : schema['enum'];
    const isSwitch = schema['type'] === 'boolean' || (field !== undefined && schema['default'] !== undefined);
    if (!isSwitch || !Array.isArray(values)) return [];
    return [{ parameter: name, field, values: values.slice(0, 4), usual: schema['default'] }];
  });
  return switches.length === 0 ? {} : { switches: escape(switches) };
}

export function findGap(general: string, { subject, contract }: Binding): Gap | undefined {
  return indexGaps(contract).get(`${subject.name}.${general}`) ?? indexGaps(contract).get(general);
}

const indexGaps = readOnce((contract: Contract) => {
  const nameOf = ({ id, resource, of }: Gap): string => (resource === undefined ? id : `${resource}.${of?.gap ?? id}`);
  return new Map(readGapsOf(contract).asked.map((gap) => [nameOf(gap), gap]));
});

export function bindOutcomes({ outcomes }: RoleStep, bound: BoundStep): Pick<RawStep, 'outcomes'> {
  if (outcomes === undefined) return {};
  const readStatus = (status: string | number): (string | number)[] =>
    typeof status === 'string' && status.startsWith('$') ? statusesOf(status, bound.operation) : [status];
  return {
    outcomes: outcomes.map(({ status, ...outcome }) => {
      const filled = fillKeys(fillWords(outcome, bound), bound.binding) as Outcome;
      return status === undefined ? filled : { ...filled, status: [status].flat().flatMap(readStatus) };
    }),
  };
}

export function fillKeys(value: unknown, binding: Binding): unknown {
  const named = (text: string): unknown => (text === '$unknownKey' ? bindKey(text, binding) : text);
  return renameKeys(replaceTexts(value, named), binding.subject.resource.key.property);
}

function renameKeys(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value.map((item) => renameKeys(item, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name === '$keyName' ? key : name, renameKeys(item, key)]),
  );
}
