// Values of parameters that break a length, a pattern, a format or a list of values, each beside one that breaks nothing.
import type { Contract } from '../../../contract/contract.js';
import { isTolerant } from '../../../contract/operations/said-in-words.js';
import type { Parameter } from '../../../contract/model.js';
import { sampleValue } from '../../../contract/samples/sample.js';
import type { Row } from '../../model/scenario.js';
import { describeBadValue, listBadValues, type BadValue } from '../records/bad-values.js';
import { readField, type Field } from '../subject.js';
import { sizeParameter } from './lists/bounds.js';
import type { TableSource } from './table-source.js';

/** A longer value would test how long a URL may be. */
const LONGEST = 1000;

/** What `lists/invalid-parameter` sends already, or what a query cannot say: a text that is a number is a text. */
const OTHERWISE_TRIED =
  /^(?:that-is-(?:null|a-word|a-text|a-number|an-object|no-date|no-time)|with-a-fraction|that-has-.*)$/;

export function listParameterRules({ subject, contract }: TableSource): Row[] {
  const { list } = subject.roles;
  const paging = list?.list?.paging;
  // What stands in a cursor, only the service knows: no value can be shown to be taken.
  const others = [sizeParameter(paging), paging?.kind === 'cursor' ? paging.cursor : undefined];
  const asked = (list?.operation.parameters ?? []).filter(
    ({ in: place, style, name }) => place === 'query' && style === 'form' && !others.includes(name),
  );
  return asked.flatMap((parameter) => {
    const { name } = parameter;
    const control = findControl(parameter, contract);
    return listBroken(parameter, contract, isListRule).map(({ id, value }) => ({
      id: `${name}-${id}`,
      words: `a \`${name}\` that ${describeBadValue(id)}`,
      parameter: name,
      control: control === undefined ? {} : { [name]: control },
      filter: { [name]: value },
    }));
  });
}

/** Whether a list is asked for it here: what breaks a bound or a list of values is tried otherwise. */
function isListRule(id: string, field: Field, isList: boolean): boolean {
  return !OTHERWISE_TRIED.test(id) && (isList || !isBoundOrChoice(id, field.schema));
}

/** Values of a parameter that the contract does not allow; of a list, one item. */
export function listBroken(
  parameter: Parameter,
  contract: Contract,
  isAsked: (id: string, field: Field, isList: boolean) => boolean,
): BadValue[] {
  const { name, schemaPointer, schema } = parameter;
  const { document, validate } = contract;
  if (schemaPointer === undefined || isTolerant(parameter, document)) return [];
  const isList = schema['type'] === 'array';
  const pointer = isList ? `${schemaPointer}/items` : schemaPointer;
  if (isList && schema['items'] === undefined) return [];
  const field = readField({ name, required: false, schemaPointer: pointer }, document);
  return listBadValues(field, undefined)
    .filter(({ id }) => isAsked(id, field, isList))
    .filter(({ value }) => isSent(value) && validate.value(schemaPointer, isList ? [value] : value).length > 0);
}

/** Of a single value, these are tried with `lists/invalid-parameter`. */
function isBoundOrChoice(id: string, { minimum, maximum }: Parameter['schema']): boolean {
  if (id === 'below-its-minimum') return minimum !== undefined;
  return id === 'that-is-not-in-its-list' || (id === 'above-its-maximum' && maximum !== undefined);
}

/** An empty value may count as none. */
function isSent(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && value !== '' && value.length <= LONGEST);
}

/** A value that breaks no rule, as a query has it; of a list, one item. */
export function findControl({ schemaPointer }: Parameter, { document, validate }: Contract): unknown {
  if (schemaPointer === undefined) return undefined;
  const sampled = sampleValue(document, schemaPointer);
  if (validate.value(schemaPointer, sampled).length > 0) return undefined;
  const [first] = [sampled].flat();
  const isPlain = typeof first === 'string' ? first !== '' && !first.startsWith('$') : typeof first === 'number';
  const isWhole = !Array.isArray(sampled) || validate.value(schemaPointer, [first]).length === 0;
  return isPlain && isWhole ? first : undefined;
}
