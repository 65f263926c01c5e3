// What is inferred of a contract's resources: plain data but for the operations, so that it can be written to a file.
import type { Operation } from '../model.js';
import type { Property } from '../operations/properties.js';

/** What an operation does to its resource. */
export type Role = 'list' | 'create' | 'get' | 'replace' | 'update' | 'remove' | 'action';

/** Everything that a contract lets be inferred. */
export interface Inferred {
  resources: Resource[];
  /** What there is one of, such as `/me` or `/users/{userId}/settings`. */
  singletons: Singleton[];
  /** What looks like a resource and is not sure enough to be one. */
  notes: ResourceNote[];
}

/** What is not sure and therefore not done, a sentence, with the place. */
export interface ResourceNote {
  message: string;
  /** JSON Pointer to where it stands in the contract. */
  pointer: string;
}

/** A collection path with its item path, and what the operations on them do. Inferred from the document alone. */
export interface Resource {
  /** Unique: the last fixed segment of the collection path; with those before it where two share it (`users.orders`). */
  name: string;
  /** One record in words, for messages: `pet`, `order`. */
  singular: string;
  /** As the contract writes it, or would: a collection path need not have operations. */
  collectionPath: string;
  itemPath: string;
  /** JSON Pointer to the schema of a record: what `get` answers, out of its envelope. */
  schemaPointer: string;
  key: RecordKey;
  operations: RoleOperation[];
  /** The path parameters of the collection path, outermost first: records are kept apart by their values. Mostly none. */
  scope: string[];
  /** The resource to whose record the collection belongs; its record must exist. */
  parent: ParentRecord | undefined;
  /** The properties that the service assigns: readOnly, or required in the answer and not in what a create takes. Without the key. */
  assigned: Property[];
  /** What is not sure of it, and therefore not done. */
  notes: ResourceNote[];
}

export interface ParentRecord {
  /** Its name. */
  resource: string;
  /** The path parameter that names its record: the last of the scope. */
  parameter: string;
  /** The property of a record that repeats it, where one does. */
  property: string | undefined;
}

export interface RecordKey {
  /** The property of the record. */
  property: string;
  /** The path parameter of the item path. */
  parameter: string;
  /** `integer` also where the contract says `number`. */
  kind: 'integer' | 'uuid' | 'text';
  /**
   * Who names a record that is created: the client always, the service always, or the client
   * where it does and the service otherwise.
   */
  givenBy: 'service' | 'client' | 'either';
  /** JSON Pointer to the schema of the property. */
  schemaPointer: string;
}

export interface RoleOperation {
  role: Role;
  operation: Operation;
  success: Success;
  /** Where the request body carries the record, such as `['pet']` in `{pet: {...}}`; `undefined` when it is bare, or there is none. */
  requestMember: string[] | undefined;
  /** JSON Pointer to what the request body gives of a record, out of its envelope; `undefined` without a JSON body. */
  requestPointer: string | undefined;
  /** Where the key of the record stands that is meant. Default: in the path. Of a list and a create: nowhere. */
  keyIn?: 'body';
  /** Of a replace: where there is no such record, it is created, answered with 201. */
  creates?: true;
  /** The request gives a list of records, each of which is created. */
  many?: true;
  /** Of an update whose body is a JSON Patch (RFC 6902), and not part of a record. */
  patch?: 'json-patch';
  /** Query parameters and the properties that they give, of an update without a body. */
  queryFields?: QueryField[];
  /** Of a list. */
  list?: ListRules;
  /** Of an action: what it sets. */
  sets?: { property: string; value: unknown };
  /** The path is another than the resource's own, and its parameters say of which records: `/users/{userId}/orders`. */
  within?: Within[];
}

export interface QueryField {
  parameter: string;
  property: string;
}

/** A path parameter that says to which record of another resource those meant belong. */
export interface Within {
  parameter: string;
  /** The resource whose record it names, where there is one. */
  resource: string | undefined;
  /** The property of the records that has its value. */
  property: string;
}

/** How an operation answers when all is well. */
export interface Success {
  status: number;
  /** `undefined` when the answer has no body. */
  mediaType: string | undefined;
  /** `other`: a body that is neither the record nor a list, such as `{success: true}`. */
  body: 'record' | 'list' | 'none' | 'other';
  /** `undefined` when the body is bare. */
  envelope: Envelope | undefined;
  /** JSON Pointer to the schema of the body; `undefined` where there is none. */
  schemaPointer: string | undefined;
  /** JSON Pointer to the schema of the record in it, or of each in the list: often the resource's own, or a shorter form. */
  recordPointer: string | undefined;
}

/** The members of an answer around its record or records. Each is a path of names: `['data', 'items']`. */
export interface Envelope {
  member: string[];
  total?: string[];
  /** How many records this answer has, where that is told beside the total. */
  count?: string[];
  /** How many pages there are. */
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
  /** Forms: `name`, `-name`, `name:desc`, `name desc`; the direction may be a parameter of its own. */
  sort?: { parameter?: string; direction?: string };
  paging?: Paging;
  /** The query parameters of which nothing is made. */
  unused: string[];
}

export interface Filter {
  /** The name on the wire: `status`, `filter[status]`, `created[gte]`. */
  parameter: string;
  /** The path of names to the value in a record. */
  property: string[];
  /**
   * `equals`: any of the values that are given; `contains`: of a list, has any of them; `from` and `to` take in the bound,
   * `after` and `before` do not; `not`: none of them; `like`: the text has it in it, in any case of letters.
   */
  relation: 'equals' | 'not' | 'from' | 'to' | 'after' | 'before' | 'contains' | 'like';
}

export type Paging =
  | { kind: 'offset'; limit?: string; offset?: string }
  | { kind: 'page'; size?: string; page: string; first: 0 | 1 }
  | { kind: 'cursor'; limit?: string; cursor: string };

/** What there is one of: read, and written, at one path. */
export interface Singleton {
  name: string;
  path: string;
  schemaPointer: string;
  operations: (RoleOperation & { role: 'get' | 'replace' | 'update' | 'remove' })[];
  scope: string[];
  parent: ParentRecord | undefined;
}
