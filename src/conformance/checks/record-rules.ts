import type { AskedPage } from './page-walk.js';

/** Where the records of an answer are, and what of them a client decides. */
export interface RecordPlace {
  /** Pointer from the body to the record, or the list of records. */
  at: string;
  /** The property that is the key. */
  keyProperty: string;
  /** The properties that are compared, where both sides have them to. */
  fields: readonly string[];
  /** What those of them are that an answer leaves out. */
  defaults?: Readonly<Record<string, unknown>>;
}

export interface RecordRule extends RecordPlace {
  /** Each field has the value that it has here. */
  like?: unknown;
  /** But for these. */
  except?: unknown;
  key?: unknown;
  /** The key is another than this. */
  notKey?: unknown;
  /** What the record was before it was replaced by one without the fields that are `dropped`. */
  without?: unknown;
  dropped?: readonly string[];
  /** What a client gave to fields of which only the service decides. */
  unlike?: Readonly<Record<string, unknown>>;
  /** What fields are that no request named, where the record shows them. */
  states?: Readonly<Record<string, unknown>>;
  /** What no answer shows. */
  hides?: readonly string[];
}

export interface RecordsRule extends RecordPlace {
  /** The fields in which each record that the run creates has a text of its own. */
  own?: readonly string[];
  /** The list has records with these keys, like these. */
  has?: { key: unknown; like?: unknown }[];
  /** It has none with these keys. */
  lacks?: unknown[];
  /** Every record that has the field has this value in it. */
  every?: Readonly<Record<string, unknown>>;
  /** No key stands twice in a page. */
  distinct?: true;
  /** The bodies `in` have every record that stands here and stood in the bodies `of`, both times with the value in the field. */
  covers?: { of: unknown; in: unknown; field: string; value: unknown };
  /** It can be read to its end. */
  whole?: true;
  /** It has the same records as these bodies. */
  same?: unknown;
  /** These bodies, of all its pages, have each of its records once, and as it has it. */
  pages?: unknown;
  /** Where the answer says how many records there are: a pointer into the body, or a header field. */
  total?: { at: string } | { header: string };
  atMost?: unknown;
  /** A page of so many is as long as that if the bodies `of` have so many records; whether it must be, is a gap. */
  full?: { limit: unknown; of: unknown; gap: string };
  moreThan?: unknown;
  page?: AskedPage;
}
