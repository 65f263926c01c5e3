// Bounds of ranges, beside, at and beyond the value of a record that the run has created.
import { readText } from '../../../../contract/read-text.js';
import type { Filter } from '../../../../contract/resources/resource.js';
import type { Row } from '../../../model/raw-scenario.js';
import type { Field } from '../../subject.js';
import { findParameter } from './filters.js';
import type { TableSource } from '../table-source.js';
import { addExactly } from '../../../../contract/numbers/decimal-arithmetic.js';

/** The records that scenarios create, whose fields nothing changes. */
const RECORDS = [
  { made: 'plain', key: '$records.create-full.key' },
  { made: 'other', key: '$records.created-alone.key' },
] as const;

/** Of the first parameter that is such a bound: one shows what the service does. */
export function listRangeBounds(relation: 'from' | 'to', source: TableSource): Row[] {
  const filters = source.subject.roles.list?.list?.filters ?? [];
  const filter = filters.find((each) => each.relation === relation);
  const opposite = filters.find(
    ({ relation: other, property }) =>
      other === (relation === 'from' ? 'to' : 'from') && property.join('.') === filter?.property.join('.'),
  );
  const field = source.subject.fields.find(({ name, isShown }) => isShown && name === filter?.property[0]);
  if (filter === undefined || field === undefined || filter.property.length > 1) return [];
  const { plain, other } = source.made;
  // Fewer records share the values of the other one, and a page of many may not have it.
  const records = plain[field.name] === other[field.name] ? RECORDS : RECORDS.toReversed();
  return records
    .flatMap(({ made, key }) => {
      const value = source.made[made][field.name];
      const [below, above] = [-1, 1].map((step) => stepFrom(value, step, field));
      const [inside, outside] = relation === 'from' ? [below, above] : [above, below];
      if (![inside, value, outside].every((each) => isTaken(each, filter, source))) return [];
      const { parameter } = filter;
      // A short list has the record on its first page.
      const narrow = opposite !== undefined && isTaken(above, opposite, source) && isTaken(below, opposite, source);
      const beside = narrow ? { [opposite.parameter]: relation === 'from' ? above : below } : {};
      const ask = (bound: unknown): Row['filter'] => ({ [parameter]: bound, ...beside });
      return [{ id: parameter, key, inside: ask(inside), at: ask(value), outside: ask(outside) }];
    })
    .slice(0, 1);
}

const DAY_MS = 86_400_000;

/** `undefined` of what has no neighbours that every service orders in the same way. */
function stepFrom(value: unknown, step: number, { schema }: Field): unknown {
  if (typeof value === 'number') return addExactly(value, step * Math.max(1, Number(schema['multipleOf'] ?? 1)));
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(time) || !String(schema['format']).startsWith('date')) return undefined;
  const text = new Date(time + step * DAY_MS).toISOString();
  return schema['format'] === 'date' ? text.slice(0, 'yyyy-mm-dd'.length) : text;
}

function isTaken(value: unknown, filter: Filter, { subject, contract }: TableSource): boolean {
  if (typeof value !== 'number' && typeof value !== 'string') return false;
  const parameter = findParameter(filter, subject);
  if (parameter?.schemaPointer === undefined) return true;
  return contract.validate.value(parameter.schemaPointer, readText(String(value), parameter)).length === 0;
}
