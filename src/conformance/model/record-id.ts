/**
 * Which record it is. `GET /members/4/loans/7` asks for `{ resource: 'loans', scope: ['4'], key: '7' }`; a record with an address
 * of its own (`/loans/7`) has no scope, wherever it is listed. Keys that differ in letter case alone are those of two records.
 */
export interface RecordId {
  /** The name of the resource: `loans`, `members-loans`. */
  resource: string;
  /** The keys of its parents, as the path to it has them, the outermost first. */
  scope: readonly string[];
  key: string | number | bigint;
}

/** The text form of a record id: equal for the same record, whether its key is a text or a number. */
export function printRecordId({ resource, scope, key }: RecordId): string {
  return [resource, ...scope, String(key)].join('\n');
}
