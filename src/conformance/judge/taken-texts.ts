import type { RecordRule } from '../model/record-rules.js';
import type { CheckOutcome } from './check.js';
import { listUnlike } from './like.js';
import { isRecord, show } from './shown.js';

/** What only one record may have, since a create with it is refused, another has not. */
export function judgeTaken(record: Readonly<Record<string, unknown>>, { at, taken }: RecordRule): CheckOutcome[] {
  const sent = taken?.of;
  if (taken === undefined || !isRecord(sent)) return [];
  const [field, ...others] = taken.names.filter((name) => record[name] !== undefined && sent[name] !== undefined);
  if (field === undefined) return [{ needs: 'a response that shows a value that only one record may have' }];
  if ([field, ...others].some((name) => listUnlike(sent[name], record[name]).length > 0)) return [];
  const expected = 'a value of its own, since a create with the value of another record is rejected';
  return [{ rule: `${field} taken`, at: `body${at}/${field}`, expected, actual: show(record[field]) }];
}
