// What the mock's endpoints for the console answer: `src/server/console/` and `spec/admin.openapi.yaml`.

export interface Operation {
  id: string;
  method: string;
  path: string;
  summary: string;
  deprecated: boolean;
  sunset?: string;
  example?: Example;
  credentials: Record<string, string>;
  statuses: string[];
}

/** A complete request; `json` is what its body says, and `form` its fields if it is a form in parts. */
export interface Example {
  path: string;
  headers: Record<string, string>;
  body?: string;
  mediaType?: string;
  json?: string;
  form?: FormField[];
}

export type FormField = { name: string; value: string; flag: string; field: string };

export interface AboutMock {
  version: string;
  contract: { title: string; version: string; description?: string; file: string };
  mountPath: string;
  basePath: string;
  key?: string;
  console: { isOn: boolean; why?: string };
  operations: Operation[];
}

export interface Gap {
  id: string;
  kind: 'choice' | 'value' | 'observation';
  question: string;
  group: string;
  choices: Record<string, string>;
  mock: string;
}

export type About = AboutMock & { packs: string[] };

export interface Reference {
  description?: string;
  deprecated: boolean;
  sunset?: string;
  successor?: string;
  tags: string[];
  security: { name: string; sent: string; scopes: string[] }[][];
  parameters: ReferenceField[];
  body?: { required: boolean; description?: string; contents: ReferenceContent[] };
  responses: {
    status: string;
    description?: string;
    line?: number;
    headers: ReferenceField[];
    contents: ReferenceContent[];
  }[];
  excerpt?: Excerpt;
}

export interface ReferenceField {
  name: string;
  in: string;
  required: boolean;
  deprecated: boolean;
  description?: string;
  line?: number;
  schema?: SchemaNode;
}

export type ReferenceContent = { mediaType: string; schema?: SchemaNode; examples: { name: string; text: string }[] };

/** A schema as a tree; if `isCut`, what is below is asked for. */
export interface SchemaNode {
  at: string[];
  name?: string;
  types: string[];
  description?: string;
  limits: string[];
  choices: string[];
  default?: string;
  example?: string;
  marks: string[];
  line?: number;
  isCut: boolean;
  below: {
    name: string;
    kind: 'property' | 'items' | 'others' | 'alternative';
    required: boolean;
    schema: SchemaNode;
  }[];
}

export type Verdict = 'ok' | 'client' | 'mock';

export interface Row {
  id: number;
  time: number;
  duration: number;
  method: string;
  url: string;
  status: number;
  operationId?: string;
  verdict: Verdict;
  reason?: string;
  faults: number;
}

export interface Batch {
  rows: Row[];
  skipped: number;
  oldest: number;
  worlds: string[];
  files: { changed?: string; lost?: string; problem?: string };
  injected: Injected;
}

/** What makes a world respond otherwise than a mock that was started without options. */
export interface Injected {
  faults: number;
  delay?: { from: number; to: number };
  clock?: { shift: number; frozen?: number };
  /** How many choices of the profile are not the defaults. */
  choices: number;
}

export type Place = { file: string; line?: number; pointer: string };

export interface Violation {
  at: string;
  part: string;
  pointer: string;
  rule: string;
  expected: string;
  actual: string;
  message: string;
  contract: Place;
}

export type Excerpt = { file: string; from: number; lines: string[]; line: number };
export type Message = { headers: Record<string, string>; body?: unknown; bodyOmitted: boolean };

export interface Exchange {
  world: string;
  time: number;
  duration: number;
  method: string;
  url: string;
  /** Below the mount path. */
  path: string;
  status: number;
  operationId?: string;
  verdict: Verdict;
  reason?: string;
  violations: Violation[];
  notes: string[];
  faults: string[];
  crash?: string;
  request: Message;
  response: Message;
  excerpts: (Excerpt | null)[];
  excerpt?: Excerpt;
}

export interface Fault {
  operationId?: string;
  when?: { method?: string; path?: string; query?: Record<string, string>; status?: number };
  effect: {
    status?: number;
    delay?: number | { from: number; to: number };
    reset?: true;
    truncate?: true;
    invalidJson?: true;
    breakContract?: true;
    answer?: PlantedAnswer;
    retryAfter?: number;
  };
  at?: 'before' | 'after';
  times?: number;
  rate?: number;
}

export interface PlantedAnswer {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
  breaksContract?: true;
}

export type PlantedFault = Fault & { id: string; hits: number };

export interface CoverageItem {
  id: string;
  kind: 'operation' | 'status' | 'parameter' | 'bound' | 'enum' | 'rule';
  line?: number;
  seen: boolean;
}

export type Coverage = { operations: { id: string; method: string; path: string; items: CoverageItem[] }[] };

export interface KeptCollection {
  name: string;
  key?: string;
  /** The parameters for the records to which these belong, outermost first: `userId`. */
  within: string[];
  parent?: string;
  create?: string;
  singular: string;
  /** How many there are at the start; `undefined` as `count` is. */
  countAtStart?: number;
  /** How many records there are; `undefined` if they belong to other records. */
  count?: number;
  used: string[][];
}

/** What the contract says of a record: `getRecordSchema` of the admin API. */
export interface RecordSchema {
  required: string[];
  properties: Record<
    string,
    { type?: string[]; format?: string; enum?: unknown[]; const?: unknown; readOnly?: boolean; description?: string }
  >;
}

export type KeptRecord = { record: Record<string, unknown>; origin: 'fixture' | 'changed' | 'client' };
export type RecordPage = { total: number; records: KeptRecord[] };
