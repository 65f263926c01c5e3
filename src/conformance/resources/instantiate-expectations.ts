// What a step expects of a response, and what scenarios about gaps have beyond that.
import { isSameSchema } from '../../contract/document/references.js';
import type { Contract } from '../../contract/contract.js';
import { asObject } from '../../contract/document/plain.js';
import { sameJson } from '../../contract/document/json.js';
import type { Gap } from '../../contract/gaps/gaps.js';
import { listProperties, readProperties } from '../../contract/operations/properties.js';
import { readOnce } from '../../contract/document/document.js';
import { listDefaultFilters, type RoleOperation } from '../../contract/resources/resource.js';
import { plainName } from '../../contract/resources/words.js';
import type { Switch, RecordPlace } from '../model/exchange.js';
import type { RawStep, Expectation, Outcome, StepBody, RoleExpectation, RoleStep } from '../model/scenario.js';
import { listNeeded } from '../http/prepare-request.js';
import { escape } from '../http/template.js';
import { fillKeys, fillNouns, fillRow, fillWords, Inapplicable, present, readDefault, statusesOf } from './instance.js';
import type { Binding, BoundStep } from './instance.js';
import { listInvented, readShortened } from './contract-texts.js';
import { isShowable, isOwnText, isUnique, unwrap } from './fit-record.js';
import { showPlace } from './instantiate-resources.js';
import { sizeParameter } from './paging.js';
import { readGapsOf, isSet, isTidied, recordAt, type Field } from './resource-under-test.js';

type Expectations = Pick<RawStep, 'expect' | 'assume'>;

export function bindExpectations(step: RoleStep, bound: BoundStep, given: object): Expectations {
  const { assume, record } = step;
  const { binding, operation } = bound;
  const expect = leaveOutNothing(step, bound);
  const own = expect === undefined ? undefined : bindExpectation(expect, bound, given);
  if (own !== undefined && expect?.status === '$taken') {
    const { putsNew, resource } = binding.subject;
    const done = statusesOf('$done', operation);
    const isUsual = putsNew !== undefined || record === '$minimal' || resource.key.givenBy !== 'client';
    const hasOwnKey = isUsual || isUnique(binding.made.full[resource.key.property]);
    if (hasOwnKey && !mayNotCreate(binding)) return { expect: { ...own, status: done } };
    const otherwise = fillNouns(`it needs ${describeTaker(binding)}`, binding);
    return { expect: { ...own, status: [...done, '4XX'] }, assume: { status: done, otherwise } };
  }
  if (assume === undefined) return present({ expect: own });
  const { otherwise, verdict, ...rest } = assume;
  const words = present({ otherwise: fillNouns(otherwise, binding), verdict });
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
  if (step.asks === 'new') return undefined;
  const { requestMember: member } = operation;
  const record = step.body === undefined ? unwrap(body?.json, member) : binding.made.full;
  if (typeof record !== 'object' || record === null) return undefined;
  const found = listInvented(asObject(record), binding);
  const fields = Object.keys(record).length === 0 ? [''] : found.fields;
  if (fields.length === 0 && found.choices.length === 0) return undefined;
  const at = (member ?? []).map((name) => `/${name}`).join('');
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
  const isOne = operation.success.body === 'record' && record !== undefined && place !== undefined;
  const isStated = status !== undefined && status !== '$taken';
  const ofList =
    records === undefined ? undefined : { ...nameSwitches(bound), ...given, ...nameInList(records, bound) };
  return present({
    status: isStated ? statusesOf(String(fillRow(status, row)), operation) : undefined,
    body,
    headers: fillWords(headers, bound) as Expectation['headers'],
    record: isOne ? { ...place, ...(fillWords(record, bound) as object) } : undefined,
    records: ofList === undefined || place === undefined ? undefined : { ...place, ...ofList },
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

function mayHide({ operation: role, binding: { subject, contract } }: BoundStep): boolean {
  const given = new Set(subject.fields.map(({ name }) => name));
  if (listDefaultFilters(role).some(([name]) => !given.has(name))) return true;
  const needed = listNeeded(role.operation, {}, contract).filter(({ parameter }) => parameter.in === 'query');
  if (needed.length === 0) return false;
  const filters = (role.list?.filters ?? []).map(({ parameter }) => parameter);
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

const readDefaults = readOnce(({ subject: { fields }, contract }: Binding) => {
  const found = fields.flatMap(({ name, recordPointer, schema }) => {
    const value = recordPointer === undefined ? undefined : readDefault(recordPointer, schema, contract);
    return value === undefined ? [] : [[name, value] as const];
  });
  const namesOf = (isMeant: (field: Field) => boolean): string[] => fields.filter(isMeant).map(({ name }) => name);
  return {
    defaults: Object.fromEntries(found),
    sets: namesOf((field) => isSet(field, contract)),
    tidied: namesOf((field) => isTidied(field, contract)),
    choices: namesOf(({ schema }) => Array.isArray(schema['enum'])),
  };
});

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
