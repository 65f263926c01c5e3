// Parameters of operations that break a rule or have a value of the contract.
import type { Contract } from '../../contract/contract.js';
import { printJson } from '../../contract/document/json.js';
import type { Parameter, SchemaObject } from '../../contract/model.js';
import { isTagName, isClientsOwn, isRepeatKey } from '../../contract/operations/operations.js';
import { listTemplateNames } from '../../contract/operations/match.js';
import { isTolerant } from '../../contract/operations/said-in-words.js';
import type { AskedRole } from '../../contract/resources/resource.js';
import { sampleValue } from '../../contract/samples/sample.js';
import type { Row } from '../model/scenario.js';
import { swapCase } from '../http/request-credentials.js';
import type { Binding, Tables } from '../resources/instance.js';
import { describeBadValue, listBadValues, type BadValue } from '../resources/field-values.js';
import { sizeParameter } from '../resources/paging.js';
import { asAction, readField, type Field } from '../resources/resource-under-test.js';
import { listBodiesOfChanges } from './changes.js';
import { listOrders } from './lists.js';
import { listReadable, type Other } from './other-operations.js';

const MOST_VALUES = 6;

function queryOf({ subject: { roles } }: Binding): Parameter[] {
  return roles.list?.operation.parameters.filter((each) => each.in === 'query') ?? [];
}

function listNamedValues(binding: Binding): Row[] {
  const { list } = binding.subject.roles;
  const orders = listOrders(binding);
  const isOrder = (name: string, value: unknown): boolean =>
    orders.some((order) => order.parameter === name && order.value === value);
  const filters = (list?.list?.filters ?? []).map(({ parameter }) => parameter);
  const others = new Set([sizeParameter(list?.list?.paging), ...filters]);
  const named = queryOf(binding).filter(({ name, shape }) => !others.has(name) && !shape.types.includes('array'));
  return named.flatMap(({ name, schema: { type, enum: listed } }) => {
    const texts = Array.isArray(listed) ? listed.filter((value) => typeof value === 'string' && value !== '') : [];
    const values: unknown[] = type === 'boolean' ? [true, false] : texts;
    return values.slice(0, MOST_VALUES).map((value) => {
      const status = isOrder(name, value) ? '$done' : '$doneOrRefused';
      return { id: `${name}-${String(value)}`, parameter: name, value, filter: { [name]: value }, status };
    });
  });
}

function listBadParameters(binding: Binding): Row[] {
  const { list: role } = binding.subject.roles;
  const { document, validate } = binding.contract;
  const { paging, filters = [] } = role?.list ?? {};
  const asked = queryOf(binding).filter((each) => each.style === 'form' && !isTolerant(each, document));
  return asked.flatMap(({ name, schema, schemaPointer }) => {
    if (schemaPointer === undefined) return [];
    const { type, format, enum: listed, minimum, maximum } = schema;
    const bounds = [
      ...(typeof minimum === 'number' ? [minimum - 1] : []),
      ...(typeof maximum === 'number' ? [maximum + 1] : []),
    ];
    const isTyped = type === 'integer' || type === 'number' || type === 'boolean' || Array.isArray(listed);
    const ofOtherKind = isTyped || format === 'date' || format === 'date-time' ? [NO_VALUE] : [];
    // RFC 8259 section 8.3: a text in another case is another text.
    const [choice] = Array.isArray(listed) ? (listed as unknown[]) : [];
    const folded = typeof choice === 'string' && swapCase(choice) !== choice ? [swapCase(choice)] : [];
    // Services make the best of a page or a value that there is not.
    const saysWhich = Object.values(paging ?? {}).includes(name) || filters.some((each) => each.parameter === name);
    const isChoice = filters.some(({ parameter, relation }) => parameter === name && relation === 'equals');
    return [...(name === sizeParameter(paging) ? [] : bounds), ...ofOtherKind, ...folded]
      .filter((value) => validate.value(schemaPointer, value).length > 0)
      .map((value) => {
        const isNone = isChoice && (typeof value === 'number' || (type === 'string' && Array.isArray(listed)));
        const status = saysWhich ? '$invalidPage' : '$invalid';
        const row = { id: `${name}-${value}`, parameter: name, value, filter: { [name]: value }, status };
        const due = isNone ? 'rejected, or has no records' : 'rejected';
        return Object.assign(row, { due, instead: isNone ? { atMost: 0 } : undefined });
      });
  });
}

const ANY_TEXT = 'no-such-value-cf';

/** Parameters of which the contract says no more than that they are texts, such as cursors: whatever a text is, it is no failure. */
function listOpenTexts(binding: Binding): Row[] {
  const { validate } = binding.contract;
  return queryOf(binding)
    .filter(({ shape }) => shape.types.includes('string'))
    .filter(({ schemaPointer: at }) => at === undefined || validate.value(at, ANY_TEXT).length === 0)
    .map(({ name }) => ({ id: name, filter: { [name]: ANY_TEXT } }));
}

/** What `lists/invalid-parameter` sends already, or what a query cannot say: a text that is a number is a text. */
const OTHERWISE_TRIED =
  /^(?:that-is-(?:null|a-word|a-text|a-number|an-object|no-date|no-time)|with-a-fraction|that-has-.*)$/;

function listParameterRules(binding: Binding): Row[] {
  const { contract, subject } = binding;
  const paging = subject.roles.list?.list?.paging;
  // What stands in a cursor, only the service knows: no value can be shown to be taken.
  const others = [sizeParameter(paging), paging?.kind === 'cursor' ? paging.cursor : undefined];
  const asked = queryOf(binding).filter(({ style, name }) => style === 'form' && !others.includes(name));
  // Of a single value, bounds and lists of values are tried with `lists/invalid-parameter`.
  const isBoundOrChoice = (id: string, { minimum, maximum }: SchemaObject): boolean => {
    if (id === 'below-its-minimum') return minimum !== undefined;
    return id === 'that-is-not-in-its-list' || (id === 'above-its-maximum' && maximum !== undefined);
  };
  return asked.flatMap((parameter) => {
    const { name } = parameter;
    const found = findControl(parameter, contract);
    const control = found === undefined ? {} : { [name]: found };
    return listBroken(parameter, contract, (id, { schema }, isList) => {
      return !OTHERWISE_TRIED.test(id) && (isList || !isBoundOrChoice(id, schema));
    }).map(({ id, value }) => {
      const words = `a \`${name}\` that ${describeBadValue(id)}`;
      return { id: `${name}-${id}`, words, parameter: name, control, filter: { [name]: value } };
    });
  });
}

/** A longer value would test how long a URL may be. */
const LONGEST = 1000;

function listBroken(
  parameter: Parameter,
  { document, validate }: Contract,
  isAsked: (id: string, field: Field, isList: boolean) => boolean,
): BadValue[] {
  const { name, schemaPointer, schema } = parameter;
  if (schemaPointer === undefined || isTolerant(parameter, document)) return [];
  const isList = schema['type'] === 'array';
  if (isList && schema['items'] === undefined) return [];
  const pointer = isList ? `${schemaPointer}/items` : schemaPointer;
  const field = readField({ name, required: false, schemaPointer: pointer }, document);
  // An empty value may count as none.
  const isSent = (value: unknown): boolean =>
    typeof value === 'number' || (typeof value === 'string' && value !== '' && value.length <= LONGEST);
  return listBadValues(field, undefined)
    .filter(({ id }) => isAsked(id, field, isList))
    .filter(({ value }) => isSent(value) && validate.value(schemaPointer, isList ? [value] : value).length > 0);
}

function findControl({ schemaPointer }: Parameter, { document, validate }: Contract): unknown {
  if (schemaPointer === undefined) return undefined;
  const sampled = sampleValue(document, schemaPointer);
  if (validate.value(schemaPointer, sampled).length > 0) return undefined;
  const [first] = [sampled].flat();
  const isPlain = typeof first === 'string' ? first !== '' && !first.startsWith('$') : typeof first === 'number';
  const isWhole = !Array.isArray(sampled) || validate.value(schemaPointer, [first]).length === 0;
  return isPlain && isWhole ? first : undefined;
}

const SAFE = ['list', 'get', 'create', 'other'] as const;

type Asked = { role: AskedRole | 'other'; operation: string; parameter: Parameter; other?: Other };

function listWrongParametersOfChanges(binding: Binding): Row[] {
  return listBodiesOfChanges(binding).flatMap(({ role, record }) =>
    [...listWrong(role, binding), ...listBreaking(role, binding)].map((row) => Object.assign(row, { record })),
  );
}

function listAsked(role: Asked['role'], binding: Binding): Asked[] {
  const isAsked = ({ in: place }: Parameter): boolean => place === 'header' || place === 'query';
  if (role === 'other')
    return listReadable(binding).flatMap((other) => {
      const { id, parameters, path } = other.operation;
      // Those without a key in the path are asked once, as operations without a resource.
      if (listTemplateNames(path).length === 0 && Object.keys(binding.subject.roles).length > 0) return [];
      return parameters.filter(isAsked).map((parameter) => ({ role, operation: id, parameter, other }));
    });
  const { id = '', parameters = [] } = binding.subject.roles[role]?.operation ?? {};
  return parameters.filter(isAsked).map((parameter) => ({ role, operation: id, parameter }));
}

const NO_VALUE = 'no-such-value';

function listWrong(role: Asked['role'], binding: Binding): Row[] {
  const asked = listAsked(role, binding);
  const { contract } = binding;
  const needed = asked.filter(({ parameter }) => parameter.required);
  const checked = asked.filter(
    ({ parameter }) => isNoText(parameter, contract) && !isTolerant(parameter, contract.document),
  );
  return [
    ...needed.map((each) => makeRow(each, { id: 'without', words: 'without {name}', value: null })),
    ...checked.map((each) => makeRow(each, { id: 'wrong', words: 'with a wrong {name}', value: NO_VALUE })),
  ];
}

function isNoText({ in: place, name, schemaPointer }: Parameter, { validate }: Contract): boolean {
  if (place !== 'header' || schemaPointer === undefined || isClientsOwn(name)) return false;
  return validate.value(schemaPointer, NO_VALUE).length > 0;
}

const OF_HTTP =
  /^(?:if-.*|range|accept.*|content-.*|prefer|expect|cookie|authorization|.*(?:request|correlation|trace|session)[-_]?id)$/i;

/** What HTTP gives a meaning of its own, or names the request alone, so that a service may not look at it. */
function hasHttpMeaning(name: string): boolean {
  return isRepeatKey(name) || isClientsOwn(name) || OF_HTTP.test(name);
}

const UNSAID = /^that-(?:is-(?:null|a-number|a-text|an-object)|has-.*)$/;

const OF_A_WORD = /^that-(?:is-(?:a-|no-|not-)|does-not-fit)/;

function listBreaking(role: Asked['role'], binding: Binding): Row[] {
  const { contract } = binding;
  const asked = listAsked(role, binding).filter(
    ({ parameter: { in: place, name } }) => !(place === 'header' ? hasHttpMeaning(name) : role === 'list'),
  );
  return asked.flatMap((each) => {
    const { parameter } = each;
    // A value that is required is sent as with every request.
    const control = parameter.required ? undefined : findControl(parameter, contract);
    const isTriedByWord = isNoText(parameter, contract);
    const broken = listBroken(parameter, contract, (id) => !UNSAID.test(id) && !(isTriedByWord && OF_A_WORD.test(id)));
    return broken.map(({ id, value }) => {
      const words = `with a {name} that ${describeBadValue(id)}`;
      return makeRow(each, { id: id.replace(/^that-/, ''), words, value, control });
    });
  });
}

function listNamedParameters(binding: Binding): Row[] {
  return listAsked('get', binding).flatMap((each) => {
    const { schema, shape, name } = each.parameter;
    if (hasHttpMeaning(name) || shape.types.includes('array')) return [];
    const listed = schema['type'] === 'boolean' ? [true, false] : schema['enum'];
    const ends = [schema['minimum'], schema['maximum']].filter((end) => typeof end === 'number');
    return (Array.isArray(listed) ? listed.filter((value) => value !== '' && value !== null) : ends)
      .slice(0, MOST_VALUES)
      .map((value) => makeRow(each, { id: String(value), words: `with ${String(value)} as {name}`, value }));
  });
}

function makeRow(
  { role, operation, parameter: { name, in: place }, other }: Asked,
  { id, words, value, control }: { id: string; words: string; value: unknown; control?: unknown },
): Row {
  const inPath = other?.inPath ?? {};
  const put = (sent: unknown): { headers: object; filter: object } => {
    if (sent === undefined) return { headers: {}, filter: inPath };
    if (place !== 'header') return { headers: {}, filter: { ...inPath, [name]: sent } };
    return { headers: { [name]: sent === null || typeof sent === 'string' ? sent : printJson(sent) }, filter: inPath };
  };
  const { headers: controlHeaders, filter: controlFilter } = put(control);
  return {
    id: [other === undefined ? role : operation, id, name].map((part) => part.replaceAll(/[^\w.-]+/g, '-')).join('-'),
    role,
    key: other === undefined ? '$records.create-full.key' : other.key,
    ...(other === undefined ? {} : { other: asAction(other.operation) }),
    operation,
    words: words.replace('{name}', () => `\`${name}\``),
    status: value === null && isTagName(name) ? '$unconditioned' : '$invalid',
    controlHeaders,
    controlFilter,
    ...put(value),
  };
}

export const PARAMETER_TABLES: Tables = {
  $namedValues: listNamedValues,
  $badParameters: listBadParameters,
  $openTexts: listOpenTexts,
  $parameterRules: listParameterRules,
  $wrongParameters: (binding) => SAFE.flatMap((role) => listWrong(role, binding)),
  $brokenParameters: (binding) => SAFE.flatMap((role) => listBreaking(role, binding)),
  $wrongParametersOfChanges: listWrongParametersOfChanges,
  $namedParameters: listNamedParameters,
};
