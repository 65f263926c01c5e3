// Whether a list has such records alone as its filter chooses.
import { sameJson } from '../../contract/document/same-json.js';
import type { RecordsRule } from '../model/record-rules.js';
import type { CheckOutcome } from './check.js';
import { show } from './pets.js';
import type { Listed } from './whole-list.js';

/** A record that does not show a field may have the value, as long as none beside it shows that; what is left out is the default, and a flag that is not set. */
export function judgeEvery(
  page: readonly Listed[],
  { at, every = {}, fields, defaults = {} }: RecordsRule,
): CheckOutcome[] {
  return Object.entries(every)
    .filter(([field]) => fields.includes(field))
    .flatMap(([field, value]) => {
      const isShown = page.some((record) => record[field] !== undefined);
      const index = page.findIndex((record) => {
        const shown = record[field] ?? defaults[field];
        return shown === undefined ? isShown && value !== false : !sameJson(shown, value);
      });
      if (index === -1) return [];
      return [
        {
          rule: 'filter',
          at: `body${at}/${index}/${field}`,
          expected: show(value),
          actual: show(page[index]?.[field]),
          // What a list is filtered by may be older than what it shows.
          settles: true,
        },
      ];
    });
}

/** A list that is filtered by several values has records with one of them each. */
export function judgeAmong(page: readonly Listed[], { at, among = {}, fields }: RecordsRule): CheckOutcome[] {
  return Object.entries(among)
    .filter(([field]) => fields.includes(field))
    .flatMap(([field, values]) => {
      const isOther = (shown: unknown): boolean =>
        shown !== undefined && !values.some((value) => sameJson(shown, value));
      const index = page.findIndex((record) => isOther(record[field]));
      if (index === -1) return [];
      const expected = values.map((value) => show(value)).join(' or ');
      const actual = show(page[index]?.[field]);
      return [{ rule: 'filter', at: `body${at}/${index}/${field}`, expected, actual, settles: true }];
    });
}
