import type { Switch } from './doubt.js';
import type { AskedPage } from './page-walk.js';

/** Where the records of an answer are, and what of them a client decides. */
export interface RecordPlace {
  /** Pointer from the body to the record, or the list of records. */
  at: string;
  /** The property that is the key. */
  keyProperty: string;
  /** The resource, where the scenario's id does not say it. */
  resource?: string;
  /** What keys are. */
  keyKind?: 'integer' | 'uuid' | 'text';
  /** The properties that are compared, where both sides have them to. */
  fields: readonly string[];
  /** What those of them are that an answer leaves out. */
  defaults?: Readonly<Record<string, unknown>>;
  /** Those of them with items that are each there once: their order says nothing. */
  sets?: readonly string[];
  /** Those of them of which the contract says in words that a service writes them in a form of its own. */
  tidied?: readonly string[];
  /** Those of them that a list by a schema of its own need not show; its texts may be the beginning of what the record has. */
  optional?: readonly string[];
  isPart?: true;
  /** Those of them with one of a list of values, which a service may move on by itself. */
  choices?: readonly string[];
}

/** The rules about records that are no fields of theirs. */
const OWN_RULES = new Set(
  'key new-key limit full filter more present once absent distinct same covers total refused location parent order'.split(
    ' ',
  ),
);

const OF_FIELD = ' changed';

/** The rule that a field is as it was sent: its name, and more where a rule has that name. */
export function ruleOfField(field: string): string {
  return OWN_RULES.has(field) ? `${field}${OF_FIELD}` : field;
}

/** Whether a rule says that a field is as it was sent. */
export function isOfField(rule: string): boolean {
  return !OWN_RULES.has(rule);
}

/** The name of the field, of such a rule. */
export function fieldOfRule(rule: string): string {
  return rule.endsWith(OF_FIELD) ? rule.slice(0, -OF_FIELD.length) : rule;
}

export interface RecordRule extends RecordPlace {
  /** Each field has the value that it has here. */
  like?: unknown;
  /** But for these. */
  except?: unknown;
  key?: unknown;
  /** The key is another than this. */
  notKey?: unknown;
  /** The key is one of these. */
  keyAmong?: unknown;
  /** What the record was before it was replaced by one without the fields that are `dropped`. */
  without?: unknown;
  dropped?: readonly string[];
  /** What a client gave to fields of which only the service decides. */
  unlike?: Readonly<Record<string, unknown>>;
  /** These fields are not all as they were sent for another record. */
  taken?: { of: unknown; names: readonly string[] };
  /** What fields are that no request named, where the record shows them. */
  states?: Readonly<Record<string, unknown>>;
  /** The answer before the record was removed: one that differs marks it as removed, which the contract may allow. */
  removed?: unknown;
}

export interface RecordsRule extends RecordPlace {
  /** The list has records with these keys, like these. */
  has?: { key: unknown; like?: unknown }[];
  /** It has every record that nothing has changed since the run created it like this one. */
  hasOwn?: { like: unknown };
  /** It has none with these keys. */
  lacks?: unknown[];
  /** The bodies before they were removed; see {@link RecordRule.removed}. */
  removed?: unknown;
  /** Every record that has the field has this value in it. */
  every?: Readonly<Record<string, unknown>>;
  /** Every record that has the field has one of these values in it. */
  among?: Readonly<Record<string, readonly unknown[]>>;
  /** It is in the order of a field, if in another than the body `usual`; in the other direction than the body `turned`, if that is given. */
  ordered?: { by: string; usual: unknown; turned?: unknown };
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
  /** It has no record that was sent to this operation, and refused. */
  noneRefused?: string;
  atMost?: unknown;
  /**
   * A page of so many is as long as that if the bodies `of` have so many records, or if the run has `seen` so many of a resource of
   * which nothing is removed; whether it must be, is a gap.
   */
  full?: { limit: unknown; of?: unknown; seen?: true; gap: string };
  moreThan?: unknown;
  /** How many records the answer to what the contract does not allow may have, in place of a refusal. */
  instead?: { atMost?: unknown; /** Or as many as there usually are. */ atLeast?: unknown; usual?: unknown };
  /** The parameters on which it may depend what the list has. */
  switches?: readonly Switch[];
  page?: AskedPage;
}

/** The values in a record of which the contract does not say that every service takes them. */
export interface Invented {
  /** The resource. */
  of: string;
  /** Pointer to the record in the body. */
  at: string;
  /** The fields with such a value. */
  fields: readonly string[];
  /** Those that name another record, which may not exist. */
  references: readonly string[];
  /** Those whose value the contract lists: one may need another value beside it. */
  choices: readonly string[];
  /** What would tell a rule of the service's own from a defect: a noun phrase. */
  needs: string;
}

/** A key of which only the run's reading of the contract says that it is one. */
export interface GuessedKey {
  /** The resource. */
  of: string;
  /** The property that is taken for the key. */
  property: string;
}
