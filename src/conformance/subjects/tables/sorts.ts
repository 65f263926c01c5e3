// The orders that the contract names for a list: a value that names a field of its records is one.
import { readProperties, type Property } from '../../../contract/operations/properties.js';
import { readSortTerm } from '../../../contract/resources/sort-term.js';
import { plainName } from '../../../contract/resources/words.js';
import type { Row } from '../../model/raw-scenario.js';
import type { TableSource } from './table-source.js';

interface Order {
  parameter: string;
  value: string;
  field: Property;
}

export function listOrders({ subject, contract }: TableSource): Order[] {
  const { list } = subject.roles;
  const parameter = list?.list?.sort?.parameter;
  const schema = list?.operation.parameters.find(({ in: at, name }) => at === 'query' && name === parameter)?.schema;
  const listed = schema?.['enum'];
  if (parameter === undefined || !Array.isArray(listed)) return [];
  const fields = new Map(
    readProperties(contract.document, subject.resource.schemaPointer).map((field) => [plainName(field.name), field]),
  );
  return listed.flatMap((value: unknown) => {
    const field = fields.get(plainName(readSortTerm(String(value)).name));
    return field === undefined ? [] : [{ parameter, value: String(value), field }];
  });
}

const MOST_ORDERS = 6;

/** By fields that every record has: a service may leave out records that lack what they are to be ordered by. */
export function listSorts(source: TableSource): Row[] {
  const { direction } = source.subject.roles.list?.list?.sort ?? {};
  const orders = listOrders(source).filter(({ field }) => field.required);
  const [first] = orders;
  const directions = first === undefined || direction === undefined ? [] : listDirections(direction, source);
  const plain = orders.slice(0, MOST_ORDERS).map(({ parameter, value }) => ({ [parameter]: value }));
  const directed = directions.map((each) => ({ [first?.parameter ?? '']: first?.value, [direction ?? '']: each }));
  return [...plain, ...directed].map((filter) => ({
    id: Object.entries(filter).flat().join('-'),
    words: Object.entries(filter)
      .map((pair) => pair.join('='))
      .join('&'),
    filter,
  }));
}

function listDirections(direction: string, { subject }: TableSource): unknown[] {
  const parameters = subject.roles.list?.operation.parameters ?? [];
  const listed = parameters.find(({ in: at, name }) => at === 'query' && name === direction)?.schema['enum'];
  return Array.isArray(listed) ? listed.filter((each) => /^(?:asc|desc)/i.test(String(each))).slice(0, 2) : [];
}
