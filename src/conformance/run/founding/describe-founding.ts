// What the user is told of the records on which all else is built.
import { wordsOf } from '../../../contract/gaps/gaps.js';
import type { Binding } from '../../subjects/binding.js';
import type { MadeRecords, RecordTemplate } from '../../subjects/records/made-records.js';
import type { Trial } from '../../subjects/records/remake.js';

/** What a first record is about. */
export type FirstRecord = 'least' | 'full' | 'other';

export function madeBefore(part: FirstRecord, { minimal, full, other }: MadeRecords): RecordTemplate {
  return { least: minimal, full, other }[part];
}

/** What the user may want to know: which record all else is about, and what would make it whole. */
export function describeTaken({ subject, made }: Binding, part: FirstRecord, { full }: Trial): string {
  const before = madeBefore(part, made);
  const added = Object.keys(full).filter((name) => !Object.hasOwn(before, name));
  const left = Object.keys(before).filter((name) => !Object.hasOwn(full, name));
  const others = left.length > 0 ? ` without ${quote(left)}` : ' with other values';
  const how = added.length > 0 ? ` with ${quote(added)}` : others;
  return `${wordsOf(subject.resource).records} are created${how}, since the target rejected ${WORDS[part]}. To test them, add an example to the contract or a record to a file (--records)`;
}

/** What the user may want to know: what no record says, since there is nothing to say it of. */
export function describeAlone(before: Binding, { made }: Binding, id: string): string {
  const left = Object.keys(before.made.full).filter((name) => !Object.hasOwn(made.full, name));
  return `${wordsOf(before.subject.resource).records} are created without ${quote(left)}, since ${id} created no record to refer to`;
}

const WORDS: Readonly<Record<FirstRecord, string>> = {
  least: 'a record with only the required fields',
  full: 'a record with all fields of the contract',
  other: 'a record with other values',
};

function quote(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}
