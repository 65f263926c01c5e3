import { isObject, printJson } from '../server/exact-json.js';
import { breaking, type Mutant } from './mutant.js';
import { changeItem, changeList, changeStatus, changeText, isList } from './planting.js';
import { stated } from './stated.js';

/** Mutants whose lists are no array of pets, or come with another status. */
export const listShapeMutants = {
  ...breaking(stated.petsArray, ['body']).by({
    'list-in-data-envelope: a list comes as {"data": []}': changeList((items) => ({ data: items })),
    'list-in-page-envelope: a list comes as a page object': changeList((items) => ({
      content: items,
      totalElements: BigInt(items.length),
      last: true,
    })),
    'list-nested: a list is wrapped in a second one': changeList((items) => [items]),
    'list-as-object-by-id: a list is an object with ids as its keys': changeList((items) =>
      Object.fromEntries(items.map((item, index) => [`${isObject(item) ? printJson(item.id ?? null) : index}`, item])),
    ),
    'list-null-item: the last item of a list is null': changeItem(-1, () => null),
    'list-bare-item: the last item of a longer list is only an id': changeList((items) => {
      const last = items.at(-1);
      return items.length > 5 && isObject(last) ? [...items.slice(0, -1), { id: last.id }] : items;
    }),
  }),
  ...breaking(stated.petsArray, ['json']).by({
    'list-as-lines: a list is one pet per line (NDJSON)': changeText(isList, (text) =>
      text.replace(/^\[|\]$/g, '').replaceAll('},{', '}\n{'),
    ),
  }),
  ...breaking(stated.listAnswer, ['body']).by({ 'list-empty-body: a list has no body': changeList(() => undefined) }),
  ...breaking(stated.listAnswer, ['status']).by({
    'list-201: a list comes with status 201': changeStatus(isList, 201),
  }),
} satisfies Record<string, Mutant>;
