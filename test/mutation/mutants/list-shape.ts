import { isObject, printJson } from '../server/exact-json.js';
import type { Mutant } from './mutant.js';
import { changeItem, changeList, changeStatus, changeText, isList } from './planting.js';
import { stated } from './stated.js';

/** Mutants whose lists are no array of pets, or come with another status. */
export const listShapeMutants = {
  'list-in-data-envelope': {
    title: 'a list comes as {"data": []}',
    breaks: stated.petsArray,
    foundBy: ['body'],
    change: changeList((items) => ({ data: items })),
  },
  'list-in-page-envelope': {
    title: 'a list comes as a page object',
    breaks: stated.petsArray,
    foundBy: ['body'],
    change: changeList((items) => ({ content: items, totalElements: BigInt(items.length), last: true })),
  },
  'list-nested': {
    title: 'a list is wrapped in a second one',
    breaks: stated.petsArray,
    foundBy: ['body'],
    change: changeList((items) => [items]),
  },
  'list-as-object-by-id': {
    title: 'a list is an object with ids as its keys',
    breaks: stated.petsArray,
    foundBy: ['body'],
    change: changeList((items) =>
      Object.fromEntries(items.map((item, index) => [`${isObject(item) ? printJson(item.id ?? null) : index}`, item])),
    ),
  },
  'list-as-lines': {
    title: 'a list is one pet per line (NDJSON)',
    breaks: stated.petsArray,
    foundBy: ['json'],
    change: changeText(isList, (text) => text.replace(/^\[|\]$/g, '').replaceAll('},{', '}\n{')),
  },
  'list-null-item': {
    title: 'the last item of a list is null',
    breaks: stated.petsArray,
    foundBy: ['body'],
    change: changeItem(-1, () => null),
  },
  'list-bare-item': {
    title: 'the last item of a longer list is only an id',
    breaks: stated.petsArray,
    foundBy: ['body'],
    change: changeList((items) => {
      const last = items.at(-1);
      return items.length > 5 && isObject(last) ? [...items.slice(0, -1), { id: last.id }] : items;
    }),
  },
  'list-empty-body': {
    title: 'a list has no body',
    breaks: stated.listAnswer,
    foundBy: ['body'],
    change: changeList(() => undefined),
  },
  'list-201': {
    title: 'a list comes with status 201',
    breaks: stated.listAnswer,
    foundBy: ['status'],
    change: changeStatus(isList, 201),
  },
} satisfies Record<string, Mutant>;
