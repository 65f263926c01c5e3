import type { SourcePlace } from '../../../errors.js';
import type { Subject } from '../subject.js';

/** The body to send, with references that the run fills in. */
export type RecordTemplate = Readonly<Record<string, unknown>>;

export interface MadeRecords {
  /** Only the required fields. */
  minimal: RecordTemplate;
  /** Everything that a client may send. */
  full: RecordTemplate;
  /** Like `full`, but without references. */
  plain: RecordTemplate;
  /** Like `full`, with another value wherever the contract allows one. */
  other: RecordTemplate;
  /** One of each further kind, where the contract has alternatives, with every field, and without references. */
  kinds: { full: RecordTemplate; plain: RecordTemplate }[];
  /** The fields in which `other` certainly differs from `full`. */
  changed: string[];
  /** The scenarios that create the records to which these refer. */
  dependsOn: string[];
  /** Where the user gave them; `undefined` if the contract did. */
  givenAt?: SourcePlace | undefined;
}

/** What a run sends of records that it does not create, or of which nothing is sent. */
export const NONE_MADE: MadeRecords = {
  minimal: {},
  full: {},
  plain: {},
  other: {},
  kinds: [],
  changed: [],
  dependsOn: [],
};

/** The scenario of a resource that is only read which finds the first record of its list. */
export const FOUND = 'records/found';

/** The scenario that creates the first record of a subject, or finds it, with its key as the output `key`. */
export function creatorOf({ name, isFound }: Subject): { id: string; output: string } {
  if (isFound === true) return { id: `${name}/${FOUND}`, output: 'key' };
  return { id: `${name}/records/create`, output: 'key' };
}
