// What a test service is, as plain data. It is written by hand beside its contract, so that nothing of it is derived from what is tested.

export interface ServicePlan {
  /** The contract beside it. */
  name: 'helpdesk' | 'library';
  base: string;
  /** Request header fields, each of which alone lets a client in. */
  logins: readonly { header: string; value: string }[];
  /** The media type and the body of a refusal. */
  errorType: string;
  error: (status: number, title: string) => unknown;
  collections: readonly Collection[];
}

export interface Collection {
  name: string;
  /** The segments of its path, `*` for the key of its parent. */
  path: readonly string[];
  key: { name: string; kind: 'integer' | 'uuid' };
  /** The members around the records of a list and around one record; none for a bare answer. */
  listIn?: string;
  oneIn?: string;
  paging: { kind: 'offset' | 'page' | 'cursor'; size: string; turn: string; most: number; usual: number };
  /** Where a list says how many there are, or where it goes on: `total`, `meta.nextCursor`, `X-Total-Count` of the header. */
  total?: string;
  totalHeader?: string;
  cursor?: string;
  /** What else stands around a list. */
  around?: (page: number, size: number, count: number) => Record<string, unknown>;
  /** Fields by the name of the parameter that filters by them. */
  filters: Readonly<Record<string, string>>;
  fields: Readonly<Record<string, FieldPlan>>;
  isClosed?: boolean;
  /** What the service gives a new record beside its key. */
  assigned: readonly string[];
  /** Header fields and query parameters that requests must have, with the values that there are; the latter only lists. */
  needs?: readonly { in: 'header' | 'query'; name: string; values: readonly string[] }[];
  /** Refusals of invalid requests. */
  invalid: number;
  change?: 'PUT' | 'PATCH';
  changeType?: string;
  hasTags?: boolean;
  isUpsert?: boolean;
  answersAddress?: boolean;
  hasRepeatKey?: boolean;
  takesForms?: boolean;
  refusesTypes?: boolean;
  refusesAccept?: boolean;
  /** The status of what was removed. */
  gone: number;
}

export interface FieldPlan {
  type: 'text' | 'integer' | 'number' | 'boolean' | 'list' | 'object';
  required?: boolean;
  null?: boolean;
  enum?: readonly string[];
  minLength?: number;
  maxLength?: number;
  pattern?: RegExp;
  format?: 'date' | 'date-time' | 'email' | 'uuid';
  minimum?: number;
  maximum?: number;
  above?: number;
  multipleOf?: number;
  items?: FieldPlan;
  minItems?: number;
  maxItems?: number;
  unique?: boolean;
  fields?: Readonly<Record<string, FieldPlan>>;
  default?: unknown;
  readOnly?: boolean;
  writeOnly?: boolean;
  /** Rules of the value as a whole, by their names in the contract. */
  rules?: Readonly<Record<string, (value: unknown) => boolean>>;
  /** The collection of which it holds a key. */
  of?: string;
}
