import { relationOf, saysAdded } from '../../operations/said-in-words.js';
import type { Operation, Parameter } from '../../model.js';
import { isNumeric, list, readFilter, type ListedRecords, type WireParameter } from './read-filter.js';
import type { ListRules, Paging } from '../resource.js';
import type { SchemaView } from '../schema-view.js';
import { plainName } from '../words.js';

/** The effects of a list's query parameters. */
export function readListRules(view: SchemaView, operation: Operation, records: ListedRecords): ListRules {
  const all = operation.parameters.filter((each) => each.in === 'query').flatMap((each) => listWireNames(each, view));
  const { paging, used } = readPaging(all);
  const filtering = all.filter(({ name }) => !used.has(name));
  const adding = new Set(operation.parameters.filter((each) => saysAdded(each, view.document)).map(({ name }) => name));
  const selecting = filtering.filter(({ name }) => !adding.has(name));
  const filters = selecting.flatMap((parameter) => readFilter(view, parameter, records) ?? []);
  const filtered = new Set(filters.map(({ parameter }) => parameter));
  const rest = filtering.filter(({ name }) => !filtered.has(name));
  const sort = readSort(rest);
  const sorting = new Set(Object.values(sort));
  return {
    filters,
    ...(sorting.size === 0 ? {} : { sort }),
    ...(paging === undefined ? {} : { paging }),
    unused: rest.map(({ name }) => name).filter((name) => !sorting.has(name)),
  };
}

function listWireNames(parameter: Parameter, { document }: SchemaView): WireParameter[] {
  const { name, style, shape, schema, required } = parameter;
  const fields = style === 'deepObject' ? Object.entries(shape.fields ?? {}) : [];
  if (fields.length > 0) {
    return fields.map(([field, inside]) => ({
      name: `${name}[${field}]`,
      types: inside.types,
      isList: false,
      isRequired: false,
      schema: {},
      relation: undefined,
    }));
  }
  const types = shape.types.includes('array') ? (shape.item?.types ?? []) : shape.types;
  const relation = relationOf(parameter, document);
  // Some documents include the brackets of a list in the name.
  return [{ name, types, isList: shape.types.includes('array'), isRequired: required, schema, relation }];
}

const LIMITS = list(`limit perpage pagesize pagelimit size top take maxresults maxitems maxpagesize
  first count pagecount itemsperpage resultsperpage numresults`);
const OFFSETS = ['offset', 'skip', 'pageoffset', 'startindex', 'start'];
const PAGES = ['page', 'pagenumber', 'pageno', 'pageindex', 'currentpage', 'pagenum', 'p'];
const CURSORS = list(`cursor pagecursor pageafter startingafter nexttoken pagetoken nextpagetoken nextcursor
  continuationtoken marker after afterid aftercursor paginationtoken continue scrollid`);

/** The parameters for paging, and the kind of paging. */
function readPaging(all: readonly WireParameter[]): { paging: Paging | undefined; used: Set<string> } {
  const find = (names: readonly string[], fits: (parameter: WireParameter) => boolean): WireParameter | undefined =>
    names.map((name) => all.find((each) => plainName(each.name) === name && fits(each))).find(Boolean);
  const [limit, offset, page] = [find(LIMITS, isNumeric), find(OFFSETS, isNumeric), find(PAGES, isNumeric)];
  const cursor = find(CURSORS, (each) => !isNumeric(each) && !isDate(each));
  const paging = choosePaging({ limit, offset, page, cursor });
  const used = Object.values(paging ?? {}).filter((value) => typeof value === 'string');
  return { paging, used: new Set(used) };
}

type Found = Partial<Record<'limit' | 'offset' | 'page' | 'cursor', WireParameter | undefined>>;

function choosePaging({ limit, offset, page, cursor }: Found): Paging | undefined {
  const size = limit?.name;
  if (page !== undefined) {
    const { default: usual, minimum } = page.schema;
    const first = Number(usual) === 0 || (Number(minimum) === 0 && Number(usual ?? 0) === 0) ? 0 : 1;
    return { kind: 'page', ...(size === undefined ? {} : { size }), page: page.name, first };
  }
  const limited = size === undefined ? {} : { limit: size };
  if (offset !== undefined) {
    const { default: usual, minimum } = offset.schema;
    const first = Number(usual ?? minimum) === 1 ? ({ first: 1 } as const) : {};
    return { kind: 'offset', ...limited, offset: offset.name, ...first };
  }
  if (cursor !== undefined) return { kind: 'cursor', ...limited, cursor: cursor.name };
  return size === undefined ? undefined : { kind: 'offset', limit: size };
}

function isDate({ schema }: WireParameter): boolean {
  return String(schema['format']).startsWith('date');
}

const SORTS = ['sort', 'sortby', 'orderby', 'ordering', 'sortfield', 'sortcolumn', 'sortkey', 'orderfield'];
const DIRECTIONS = ['order', 'direction', 'sortorder', 'sortdir', 'sortdirection', 'orderdirection', 'dir', 'orderdir'];

function readSort(all: readonly WireParameter[]): { parameter?: string; direction?: string } {
  const find = (names: readonly string[]): WireParameter | undefined =>
    names.map((name) => all.find((each) => plainName(each.name) === name)).find(Boolean);
  const [by, order] = [find(SORTS), find(DIRECTIONS)];
  // `sort=asc` states a direction, `order=name` a property.
  const [parameter, direction] = [by, order].map((each) => each !== undefined && namesDirection(each));
  if (by !== undefined && parameter === true)
    return order === undefined ? { direction: by.name } : { direction: by.name, parameter: order.name };
  if (by === undefined && order !== undefined)
    return direction === true ? { direction: order.name } : { parameter: order.name };
  return {
    ...(by === undefined ? {} : { parameter: by.name }),
    ...(order === undefined ? {} : { direction: order.name }),
  };
}

function namesDirection({ schema }: WireParameter): boolean {
  const choices = schema['enum'];
  return Array.isArray(choices) && choices.every((choice) => /^(?:asc|desc)/i.test(String(choice)));
}
