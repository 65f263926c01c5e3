// What a run observes, as plain data: records, lists, single looks, and what it learns of its target.
import type { RecordId } from '../model/record-id.js';
import type { Answered, WireRequest } from '../model/wire.js';
import type { Subject } from '../resources/resource-under-test.js';

export type PathValues = Readonly<Record<string, unknown>>;

/** What the run knows of one record. All times are on the clock of `performance.now()`. */
export interface RecordEntry {
  readonly id: RecordId;
  readonly subject: Subject;
  /** What the path to it has. */
  readonly parameters: PathValues;
  /** When a response first showed it, with its key. */
  shownAt?: number;
  /** When a fetch of it first succeeded, whatever the response shows. */
  foundAt?: number;
  /** When the response to its creation named it. */
  createdAt?: number;
  /** Of the run's own: whether it is there, or the target said that it deleted it. */
  state?: 'present' | 'deleted';
  /** Whether a create was answered with it although it is somebody else's. */
  isForeign?: true;
  /** Whether the run asked to delete it, and was not rejected. */
  isDeleteAsked?: boolean;
  /** Whether a list that nothing chooses from has shown it. */
  wasListed?: true;
  /** Whether its key stood in the body of the create. */
  isKeySent?: true;
  /** As it was created, until something may have changed it. */
  asCreated?: CreatedRecord;
  /** When it ends by itself, and the field of the response to its creation that says so: `expiresAt`. */
  ends?: { at: number; field: string };
}

/** A record of the run's own that nothing has changed since it was created. */
export interface CreatedRecord {
  key: string | number | bigint;
  sent: Readonly<Record<string, unknown>>;
  /** The fields that a response has shown as they were sent: the service stores them so. */
  kept: Set<string>;
  /** When the response to its creation was there. */
  since: number;
}

/** A list in which the run may have created records. */
export interface Visited {
  subject: Subject;
  /** What the path to the list has. */
  scope: PathValues;
}

/** What the run has seen of the list of one parent. */
export interface ListEntry {
  /** The keys that it has shown, by whatever filter. */
  keys: Set<string>;
  /** How many records it has shown where nothing chooses among them, each time that they were more than ever, and when. */
  lengths: { count: number; at: number }[];
  /** Whether it was read to its end once. */
  wasWhole: boolean;
  /** Whether it was shorter once than before, by more than the run had deleted: its pages are of any length, or others delete. */
  wasCut: boolean;
}

/** What a run has learned of its target beside the records. */
export interface Learned {
  /** How many records each operation has shown in one response at most. */
  longest: Map<string, number>;
  /** The operations that have accepted the run's key. */
  served: Set<string>;
  /** The resources of which a record was found by its key. */
  found: Set<string>;
  /** The keys that were made of a name which their records have no more (`judge/renamed.ts`). */
  renamed: Set<string>;
  /** By resource, the values of the run's own that the target has accepted (`judge/invented.ts`). */
  taken: Map<string, Set<string>>;
  /** The values of an enumeration with which records were seen that were created with them, by {@link printChoice}. */
  keptChoices: Set<string>;
  /** The fields with an enumeration in which the target was seen to move records on, by {@link printField}. */
  moving: Set<string>;
  /** The values that records have by themselves, which were created without them, and not changed since, by {@link printChoice}. */
  ownChoices: Set<string>;
  /** The states of records that lists have shown where nothing chooses among them, by resource ({@link RecordLedger.hasListed}). */
  listedStates: Set<string>;
  /** How many records the run has deleted. */
  deletions: number;
}

/** What a response shows, of any status. */
export interface Shown {
  status: number;
  bytes: Uint8Array;
  /** The JSON in it. */
  value: unknown;
  location: string | undefined;
  /** When the request went out. */
  sentAt: number;
}

/** When a request went out and its response was there, on the clock of `performance.now()`. */
export interface Span {
  sentAt: number;
  answeredAt: number;
}

/** One look at a record or at a list, and which records it showed. */
export interface Look extends Span {
  operationId: string;
  kind: 'record' | 'list';
  wire: WireRequest;
  /** Equal requests have equal names. */
  request: string;
  /** Below the base path, without the query. */
  path: string;
  /** The record that was asked for; for a list, its path. */
  of: RecordEntry | string;
  /** In their order. */
  shows: readonly RecordEntry[];
  /** Of a look that shows nothing of what was asked for, or fewer records than another. */
  answer: Answered;
}

/** A request that may have deleted records, or hidden them. */
export interface Touch extends Span {
  path: string;
}
