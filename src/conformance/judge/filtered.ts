import { sameJson } from '../../contract/document/same-json.js';
import type { RecordsRule } from '../model/record-rules.js';
import type { CheckContext, CheckOutcome } from './check.js';
import { findAsked, identifyRecord } from '../ledger/shown-records.js';
import { readPathKey } from '../model/path-key.js';
import { show } from './shown.js';
import type { Listed } from './whole-list.js';

/**
 * Whether a list has such records alone as its filter chooses. One that does not show a field may have the value, as long as none
 * beside it shows that; what is left out is the default, and a flag that is not set.
 */
export function judgeFiltered(
  page: readonly Listed[],
  { at, every = {}, among = {}, fields, defaults = {}, keyProperty }: RecordsRule,
  context: CheckContext,
): CheckOutcome[] {
  const single = Object.entries(every).map(([field, value]) => [field, [value]] as const);
  return [...single, ...Object.entries(among)]
    .filter(([field]) => fields.includes(field))
    .flatMap(([field, values]) => {
      const isShown = page.some((record) => record[field] !== undefined);
      const isOther = (record: Listed): boolean => {
        const shown = record[field] ?? defaults[field];
        return shown === undefined
          ? isShown && !values.includes(false)
          : !values.some((value) => sameJson(shown, value));
      };
      const index = page.findIndex(isOther);
      if (index === -1) return [];
      return [
        {
          rule: 'filter',
          at: `body${at}/${index}/${field}`,
          expected: values.map((value) => show(value)).join(' or '),
          actual: show(page[index]?.[field]),
          // What a list is filtered by may be older than what it shows.
          settles: true,
          isUntouched: !page.some((record) => isOther(record) && wasChanged(record[keyProperty], context)),
        },
      ];
    });
}

/** Whether a list shows a record that the run has created, and changed since. */
function wasChanged(key: unknown, { contract, sent, ledger }: CheckContext): boolean {
  const { subject } = findAsked(contract, sent) ?? {};
  const read = readPathKey(key);
  if (subject === undefined || read === undefined) return false;
  const id = identifyRecord(subject, sent.path, read);
  return ledger.createdByRun(id) && ledger.expected(id) === undefined;
}
