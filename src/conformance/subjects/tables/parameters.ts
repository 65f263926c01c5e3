// Header fields and query parameters of single operations; those of a list's query have tables of their own.
import type { Contract } from '../../../contract/contract.js';
import type { Parameter } from '../../../contract/model.js';
import { isTagName, isClientsOwn, isRepeatKey } from '../../../contract/operations/operations.js';
import { isTolerant } from '../../../contract/operations/said-in-words.js';
import type { AskedRole } from '../../../contract/resources/resource.js';
import type { Row } from '../../model/raw-scenario.js';
import { describeBadValue } from '../records/bad-values.js';
import { asAction } from '../found/rest.js';
import { mergeChanges } from './changes.js';
import { listReadable, type Other } from './others.js';
import { listBroken, findControl } from './parameter-rules.js';
import type { TableSource } from './table-source.js';
import { printJson } from '../../../contract/document/json.js';

/** Those that leave every record as it is if they are served all the same. */
const SAFE: readonly AskedRole[] = ['list', 'get', 'create'];
const ROLES_OF_SAFE = [...SAFE, 'other'] as const;
const CHANGING: readonly AskedRole[] = ['replace', 'update', 'remove'];

/** One parameter of the operation of a role. */
interface Asked {
  role: AskedRole | 'other';
  operation: string;
  parameter: Parameter;
  /** Of an operation that is no role. */
  other?: Other;
}

interface Wrong {
  id: string;
  words: string;
  value: unknown;
}

/** A header field or query parameter that is required, left out; and a value of a header field that the contract does not allow. */
export function listWrongParameters(source: TableSource): Row[] {
  return ROLES_OF_SAFE.flatMap((role) => listWrong(role, source));
}

/** Values that break one rule each. */
export function listBrokenParameters(source: TableSource): Row[] {
  return ROLES_OF_SAFE.flatMap((role) => listBreaking(role, source));
}

/** The same of operations that change a record, with the body that they have. */
export function listWrongParametersOfChanges(source: TableSource): Row[] {
  const [change] = mergeChanges(source);
  return CHANGING.flatMap((role) => {
    const record = role === 'update' ? change?.['record'] : '$other';
    if (record === undefined) return [];
    return [...listWrong(role, source), ...listBreaking(role, source)].map((row) => Object.assign(row, { record }));
  });
}

function listAsked(role: Asked['role'], source: TableSource): Asked[] {
  const isAsked = ({ in: place }: Parameter): boolean => place === 'header' || place === 'query';
  if (role === 'other')
    return listReadable(source).flatMap((other) =>
      other.operation.parameters
        .filter(isAsked)
        .map((parameter) => ({ role, operation: other.operation.id, parameter, other })),
    );
  const operation = source.subject.roles[role]?.operation;
  const asked = (operation?.parameters ?? []).filter(isAsked);
  return asked.map((parameter) => ({ role, operation: operation?.id ?? '', parameter }));
}

function listWrong(role: Asked['role'], source: TableSource): Row[] {
  const asked = listAsked(role, source);
  const needed = asked.filter(({ parameter }) => parameter.required);
  const { contract } = source;
  const judged = asked.filter(
    ({ parameter }) => isNoText(parameter, contract) && !isTolerant(parameter, contract.document),
  );
  const without = needed.map((each) => makeRow(each, { id: 'without', words: 'without', value: null }));
  return without.concat(judged.map((each) => makeRow(each, { id: 'wrong', words: 'with a wrong', value: NO_VALUE })));
}

const NO_VALUE = 'no-such-value';

/** Whether a header field may not be any text. */
function isNoText({ in: place, name, schemaPointer }: Parameter, { validate }: Contract): boolean {
  if (place !== 'header' || schemaPointer === undefined || isClientsOwn(name)) return false;
  return validate.value(schemaPointer, NO_VALUE).length > 0;
}

/** What HTTP gives a meaning of its own, or names the request alone, so that a service may not look at it. */
function isOfHttp(name: string): boolean {
  return isRepeatKey(name) || isClientsOwn(name) || OF_HTTP.test(name);
}

const OF_HTTP =
  /^(?:if-.*|range|accept.*|content-.*|prefer|expect|cookie|authorization|.*(?:request|correlation|trace|session)[-_]?id)$/i;

function listBreaking(role: Asked['role'], source: TableSource): Row[] {
  const { contract } = source;
  const asked = listAsked(role, source).filter(
    ({ parameter: { in: place, name } }) => !(place === 'header' ? isOfHttp(name) : role === 'list'),
  );
  return asked.flatMap((each) => {
    const { parameter } = each;
    // A value that is required is sent as with every request.
    const control = parameter.required ? undefined : findControl(parameter, contract);
    const isTold = isNoText(parameter, contract);
    return listBroken(parameter, contract, (id) => !UNSAID.test(id) && !(isTold && OF_A_WORD.test(id))).map(
      ({ id, value }) =>
        makeRow(each, { id: id.replace(/^that-/, ''), words: 'with', value, rule: describeBadValue(id) }, control),
    );
  });
}

/** What no text says. */
const UNSAID = /^that-(?:is-(?:null|a-number|a-text|an-object)|has-.*)$/;

/** What the wrong value of a header field breaks too. */
const OF_A_WORD = /^that-(?:is-(?:a-|no-|not-)|does-not-fit)/;

function makeRow(
  { role, operation, parameter: { name, in: place }, other }: Asked,
  { id, words, value, rule }: Wrong & { rule?: string },
  control?: unknown,
): Row {
  const inPath = other?.inPath ?? {};
  const put = (sent: unknown): Pick<Row, 'headers' | 'filter'> => {
    if (sent === undefined) return { headers: {}, filter: inPath };
    const text = sent === null || typeof sent === 'string' ? sent : printJson(sent);
    return place === 'header'
      ? { headers: { [name]: text }, filter: inPath }
      : { headers: {}, filter: { ...inPath, [name]: sent } };
  };
  const { headers: controlHeaders, filter: controlFilter } = put(control);
  return {
    id: [other === undefined ? role : operation, id, name].map((part) => part.replaceAll(/[^\w.-]+/g, '-')).join('-'),
    role,
    key: other === undefined ? '$records.create-full.key' : other.key,
    ...(other === undefined ? {} : { other: asAction(other.operation) }),
    operation,
    words: rule === undefined ? `${words} \`${name}\`` : `${words} a \`${name}\` that ${rule}`,
    status: value === null && isTagName(name) ? '$unconditioned' : '$invalid',
    controlHeaders,
    controlFilter,
    ...put(value),
  };
}

const MOST_VALUES = 6;

/** The values that the contract names, and both ends of a range, of operations that show one record. */
export function listNamedParameters(source: TableSource): Row[] {
  return listAsked('get', source).flatMap((each) => {
    const { schema, shape } = each.parameter;
    if (isOfHttp(each.parameter.name) || shape.types.includes('array')) return [];
    const listed = schema['type'] === 'boolean' ? [true, false] : schema['enum'];
    const ends = [schema['minimum'], schema['maximum']].filter((end) => typeof end === 'number');
    const named = Array.isArray(listed) ? listed.filter((value) => value !== '' && value !== null) : ends;
    return named
      .slice(0, MOST_VALUES)
      .map((value) => makeRow(each, { id: String(value), words: `with ${String(value)} as`, value }));
  });
}
