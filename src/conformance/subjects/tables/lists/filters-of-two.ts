// Filters by what tells two records of the run apart: several values at once, and another parameter beside one.
import type { Row } from '../../../model/scenario.js';
import { isOwnText } from '../../records/unique-texts.js';
import type { TableSource } from '../table-source.js';
import { listFilters } from './filters.js';
import { listOrders } from './sorts.js';

/** Filters that take several values, by that of one record of the run and that of another. */
export function listSeveralValues(source: TableSource): Row[] {
  const { list } = source.subject.roles;
  const isOfSeveral = (name: string): boolean =>
    list?.operation.parameters.some(
      (each) => each.in === 'query' && each.name === name && each.shape.types.includes('array'),
    ) === true;
  return listFilters(source)
    .filter(({ id }) => isOfSeveral(id))
    .map((row) => {
      const values = [(row['fitting'] as Row)[row.id], (row['other'] as Row)[row.id]];
      return Object.assign({}, row, { several: { [row.id]: values }, among: { [String(row['field'])]: values } });
    });
}

/** How many pairs of parameters are tried. */
const MOST_BESIDE = 8;

const SEARCH = /^(?:q|query|search|keywords?|text|term)$/i;

/** A filter by the value of one record, beside a parameter that chooses another: one of the two may be ignored. */
export function listFiltersBeside(source: TableSource): Row[] {
  const { subject, made } = source;
  const filters = listFilters(source);
  const name = Object.keys(made.other).find((each) => isOwnText(made.other[each]));
  const text = sentOf(subject.name, name);
  const searches = (subject.roles.list?.operation.parameters ?? [])
    .filter((each) => each.in === 'query' && SEARCH.test(each.name) && each.shape.types.includes('string'))
    .map((each) => ({ [each.name]: text }));
  const sort = listOrders(source)
    .slice(0, 1)
    .map(({ parameter, value }) => ({ [parameter]: value }));
  const known = new Set(filters.map(({ id }) => id));
  const others = (subject.roles.list?.list?.filters ?? [])
    .filter(
      ({ parameter, property: [field = '', ...deeper] }) =>
        deeper.length === 0 && !known.has(parameter) && Object.hasOwn(made.other, field),
    )
    .map(({ parameter, property: [field] }) => ({ [parameter]: sentOf(subject.name, field) }));
  const rows = filters.map(({ id, fitting, fittingValue }) => {
    const choosing = filters.map(({ other }) => other as Row);
    // What a front end most often sends together comes first.
    const all = [...sort, ...(name === undefined ? [] : searches), ...choosing, ...others];
    return all
      .filter((beside) => !Object.hasOwn(beside, id))
      .map((beside) => {
        const both = Object.assign({}, fitting, beside);
        const words = Object.keys(beside).join();
        return { id: Object.keys(both).join('-'), parameter: id, beside, both, every: fittingValue, words };
      });
  });
  return takeTurns(rows).slice(0, MOST_BESIDE);
}

/** The first of each, then the second of each. */
function takeTurns<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) => lists.flatMap((each) => each.slice(index, index + 1))).flat();
}

/** What the other record was sent with. */
function sentOf(resource: string, field = ''): string {
  return `$scenarios.${resource}/records/created-alone.outputs.sent#/${field}`;
}
