// The inferred resources of a contract: plain data except for the operations, so that a file can hold them.
import type { Operation } from '../model.js';
import type { Property } from '../operations/properties.js';

/** The effect of an operation on its resource. */
export type Role = 'list' | 'create' | 'get' | 'replace' | 'update' | 'remove' | 'action';

/** Everything that is inferred from a contract. */
export interface Inferred {
  resources: Resource[];
  /** Singletons, such as `/me` or `/users/{userId}/settings`. */
  singletons: Singleton[];
  /** Paths that look like resources, but not certainly enough. */
  notes: ResourceNote[];
}

/** An uncertainty that keeps something from being inferred: a sentence with the place. */
export interface ResourceNote {
  message: string;
  /** JSON Pointer to the place in the contract. */
  pointer: string;
}

/** A collection path with its item path and their operations. Inferred from the document alone. */
export interface Resource {
  /** Unique: the last fixed segment of the collection path, with earlier ones if several resources share it (`users.orders`). */
  name: string;
  /** The name of one record in messages: `pet`, `order`. */
  singular: string;
  /** As in the contract; a collection path without operations is derived from the item path. */
  collectionPath: string;
  itemPath: string;
  /** JSON Pointer to the schema of a record, as `get` returns it, without the envelope. */
  schemaPointer: string;
  key: RecordKey;
  operations: RoleOperation[];
  /** The parameters of the collection path, outermost first: each combination of values has a collection of its own. Usually none. */
  scope: string[];
  /** The resource of the parent record, which must exist. */
  parent: ParentRecord | undefined;
  /** The properties that the service assigns, except the key: readOnly ones, and those that answers require and a create does not accept. */
  assigned: Property[];
  /** Uncertainties about it. */
  notes: ResourceNote[];
}

export interface ParentRecord {
  /** Its name. */
  resource: string;
  /** The path parameter with its record's key: the last of the scope. */
  parameter: string;
  /** The property of a record that repeats the parent's key, if there is one. */
  property: string | undefined;
}

export interface RecordKey {
  /** The property of the record. */
  property: string;
  /** The path parameter of the item path. */
  parameter: string;
  /** `integer` even if the contract says `number`. */
  kind: 'integer' | 'uuid' | 'text';
  /**
   * Who assigns the key of a new record: always the client, always the service, or the client
   * if it wants to, else the service.
   */
  givenBy: 'service' | 'client' | 'either';
  /** The name of the property in requests, if they spell it in another way: `Name` of a record with `name`. */
  sentAs?: string;
  /** JSON Pointer to the schema of the property. */
  schemaPointer: string;
  /** Whether records do not show it: of `{"a7": {"name": "Home"}}`, it is `a7`. */
  isHidden?: true;
}

export interface RoleOperation {
  role: Role;
  operation: Operation;
  success: Success;
  /** The path to the record in the request body, such as `['pet']` in `{pet: {...}}`; `undefined` without an envelope or a body. */
  requestMember: string[] | undefined;
  /** JSON Pointer to the schema of the record in the request body; `undefined` without a JSON body. */
  requestPointer: string | undefined;
  /** Where the request has the record's key. Default: in the path, but of a create and a list nowhere. */
  keyIn?: 'body' | 'path';
  /** For a replace: whether it creates a missing record, and answers 201. */
  creates?: true;
  /** For a replace with 201 beside another success: that of a record that was not there. */
  created?: Success;
  /** Whether the request has a list of records to create. */
  many?: true;
  /** For an update: whether its body is a JSON Patch (RFC 6902) instead of a part of a record. */
  patch?: 'json-patch';
  /** For an update without a body: its query parameters and the properties that they set. */
  queryFields?: QueryField[];
  /** For a list. */
  list?: ListRules;
  /** For an action: the properties that it sets. */
  sets?: { property: string; value: unknown };
  /** For a path outside the resource: how its parameters select records, as in `/users/{userId}/orders`. */
  within?: Within[];
}

export interface QueryField {
  parameter: string;
  property: string;
}

/** A path parameter with the key of a record of another resource, to which the selected records belong. */
export interface Within {
  parameter: string;
  /** The other resource, if there is one. */
  resource: string | undefined;
  /** The property of the records that holds this key. */
  property: string;
}

/** The successful answer of an operation. */
export interface Success {
  status: number;
  /** `undefined` if the answer has no body. */
  mediaType: string | undefined;
  /** `map`: records by their keys. `other`: a body that is none of these, such as `{success: true}`. */
  body: 'record' | 'list' | 'map' | 'none' | 'other';
  /** `undefined` without an envelope. */
  envelope: Envelope | undefined;
  /** JSON Pointer to the schema of the body; `undefined` if there is none. */
  schemaPointer: string | undefined;
  /** JSON Pointer to the schema of a record in the answer: often the resource's own, or a shorter form. */
  recordPointer: string | undefined;
}

/** The members of an answer around its record or records. Each is a path of names: `['data', 'items']`. */
export interface Envelope {
  member: string[];
  total?: string[];
  /** The number of records in this answer, if the envelope states it beside the total. */
  count?: string[];
  /** The number of pages. */
  pages?: string[];
  nextCursor?: string[];
  nextLink?: string[];
  page?: string[];
  limit?: string[];
  offset?: string[];
  hasMore?: string[];
}

export interface ListRules {
  filters: Filter[];
  /** Forms: `name`, `-name`, `name:desc`, `name desc`; the direction may have its own parameter. */
  sort?: { parameter?: string; direction?: string };
  paging?: Paging;
  /** The query parameters without a known effect. */
  unused: string[];
}

export interface Filter {
  /** The name in the URL: `status`, `filter[status]`, `created[gte]`. */
  parameter: string;
  /** The path of names to the value within a record. */
  property: string[];
  /**
   * `equals`: any of the given values; `contains`: a list with any of them; `from` and `to` include the bound,
   * `after` and `before` exclude it; `not`: none of them; `like`: a text that contains it, in upper or lower case.
   */
  relation: 'equals' | 'not' | 'from' | 'to' | 'after' | 'before' | 'contains' | 'like';
  /** Whether a text may have several values, separated by commas. */
  hasCommas?: true;
}

export type Paging =
  // `first` where offsets count from 1.
  | { kind: 'offset'; limit?: string; offset?: string; first?: 1 }
  | { kind: 'page'; size?: string; page: string; first: 0 | 1 }
  | { kind: 'cursor'; limit?: string; cursor: string };

/** A singleton, which is read and written at one path. */
export interface Singleton {
  name: string;
  path: string;
  schemaPointer: string;
  operations: (RoleOperation & { role: 'get' | 'replace' | 'update' | 'remove' })[];
  scope: string[];
  parent: ParentRecord | undefined;
}
