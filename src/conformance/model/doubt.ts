/**
 * What may explain a finding: a record whose state moves by itself or forbids a change, a list of which a parameter says what it has.
 */
export type Doubt =
  | SwitchDoubt
  | MoveDoubt
  | OwnDoubt
  /** An address is another than that of the record, and may be one as well. */
  | { kind: 'address'; id: unknown; /** The resource. */ of: string; location: string }
  /** A record that was created is in no list. */
  | { kind: 'gone'; id: unknown; /** The resource. */ of: string; /** What else may explain it. */ or?: SwitchDoubt }
  /** A list lacks a record, which it may leave out on purpose. */
  | { kind: 'hidden'; id: unknown }
  /** A change of a record was refused as the contract documents, which may be for the state that the record is in. */
  | { kind: 'state'; id: undefined };

/** One of the values that the contract lists, in place of the one that was sent: a service may move it on, as it does states. */
export interface MoveDoubt {
  kind: 'move';
  /** The key of the record. */
  id: unknown;
  field: string;
  expected: unknown;
}

/** A value that a client sent for what only the service decides: the service may come to it by itself. */
export interface OwnDoubt {
  kind: 'own';
  id: unknown;
  field: string;
  value: unknown;
}

/** A parameter of a list that may choose records, or add some, or show a field. */
export interface Switch {
  parameter: string;
  /** The field by which it seems to choose. */
  field?: string | undefined;
  /** The values that the contract lets it have. */
  values: readonly unknown[];
  /** What the contract says of a list without it. */
  usual?: unknown;
}

/** What a list has, lacks or leaves out may be a matter of such parameters. */
export interface SwitchDoubt {
  kind: 'switch';
  /** The key of the record that the list lacks; `undefined` for another finding. */
  id: unknown;
  /** A field that the list does not show. */
  hidden?: string | undefined;
  switches: readonly Switch[];
  /** Pointer to the records. */
  at: string;
  keyProperty: string;
  /** The parameter that says which page. */
  turns?: string | undefined;
}
