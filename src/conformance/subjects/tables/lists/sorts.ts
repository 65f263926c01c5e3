// The orders that the contract names for a list: a value that names a field of its records is one.
import { asObject } from '../../../../contract/document/plain.js';
import { resolveAt } from '../../../../contract/document/references.js';
import type { SchemaObject } from '../../../../contract/model.js';
import { isJsonNumber } from '../../../../contract/numbers/decimal.js';
import type { RecordTemplate } from '../../records/made-records.js';
import { findViolation } from '../../request-body.js';
import { readProperties, type Property } from '../../../../contract/operations/properties.js';
import { readSortTerm } from '../../../../contract/resources/resource.js';
import { plainName } from '../../../../contract/resources/words.js';
import type { Row } from '../../../model/raw-scenario.js';
import type { TableSource } from '../table-source.js';

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

interface Ranking extends Row {
  field: string;
  filter: RecordTemplate;
}

/** By fields whose values are ranked the same by everybody: numbers and times. */
export function listRankings(source: TableSource): Ranking[] {
  const { document } = source.contract;
  const { direction } = source.subject.roles.list?.list?.sort ?? {};
  const ways = direction === undefined ? [] : listDirections(direction, source);
  return listOrders(source)
    .filter(({ field }) => isRanked(asObject(resolveAt(document, field.schemaPointer).value)))
    .flatMap(({ parameter, value, field: { name } }) => {
      const plain = { [parameter]: value };
      const all = [plain, ...ways.map((way) => Object.assign({ [direction ?? '']: way }, plain))];
      const isFirst = readSortTerm(value).sign !== -1;
      const record = isFirst ? makeFar(name, source) : undefined;
      return all.map((filter) => Object.assign(nameOrder(filter), { field: name, filter, record }));
    })
    .slice(0, MOST_ORDERS);
}

/** The orders of one field in both directions, each by its name. */
export function listTurnedRankings(source: TableSource): Row[] {
  const all = listRankings(source).filter(({ filter }) => signOf(filter) !== undefined);
  const down = all.filter(({ filter }) => signOf(filter) === -1);
  const up = listRankings(source).filter(({ filter }) => signOf(filter) !== -1);
  return down.flatMap((row) => {
    const other = up.find(({ field }) => field === row.field);
    return other === undefined ? [] : [Object.assign({}, row, { turned: other.filter })];
  });
}

function signOf(filter: RecordTemplate): 1 | -1 | undefined {
  const signs = Object.values(filter).map(
    (value) => readSortTerm(/^(?:asc|desc)/i.test(String(value)) ? `x:${String(value)}` : String(value)).sign,
  );
  return signs.find((sign) => sign !== undefined);
}

function isRanked({ type, format }: SchemaObject): boolean {
  const types = [type].flat();
  return types.includes('integer') || types.includes('number') || format === 'date' || format === 'date-time';
}

/** A record whose number comes elsewhere among others where numbers are sorted as texts: 9 after 11. */
function makeFar(name: string, { subject, made, contract }: TableSource): RecordTemplate | undefined {
  const { create } = subject.roles;
  const own = made.plain[name];
  if (create === undefined || !isJsonNumber(own)) return undefined;
  const isFar = (each: number): boolean => String(each) < String(own) !== each < Number(own);
  const found = [9, 8, 7, 5, 3, 2, 90, 80, 50, 20, 11, 100, 1000].find(
    (each) => isFar(each) && findViolation({ ...made.plain, [name]: each }, create, contract) === undefined,
  );
  return found === undefined ? undefined : { ...made.full, [name]: found };
}

/** By fields that every record has: a service may leave out records that lack what they are to be ordered by. */
export function listSorts(source: TableSource): Row[] {
  const { direction } = source.subject.roles.list?.list?.sort ?? {};
  const orders = listOrders(source).filter(({ field }) => field.required);
  const [first] = orders;
  const directions = first === undefined || direction === undefined ? [] : listDirections(direction, source);
  const plain = orders.slice(0, MOST_ORDERS).map(({ parameter, value }) => ({ [parameter]: value }));
  const directed = directions.map((each) => ({ [first?.parameter ?? '']: first?.value, [direction ?? '']: each }));
  return [...plain, ...directed].map((filter) => Object.assign(nameOrder(filter), { filter }));
}

function nameOrder(filter: RecordTemplate): { id: string; words: string } {
  const pairs = Object.entries(filter);
  return { id: pairs.flat().join('-'), words: pairs.map((pair) => pair.join('=')).join('&') };
}

function listDirections(direction: string, { subject }: TableSource): unknown[] {
  const parameters = subject.roles.list?.operation.parameters ?? [];
  const listed = parameters.find(({ in: at, name }) => at === 'query' && name === direction)?.schema['enum'];
  return Array.isArray(listed) ? listed.filter((each) => /^(?:asc|desc)/i.test(String(each))).slice(0, 2) : [];
}
