import type { SourcePlace } from '../../errors.js';
import type { GuessedKey, Invented, JsonForm, LackedScopes, Literal, MessageForm } from './exchange.js';
import type { PageWalk, RecordRule, RecordsRule } from './exchange.js';
import type { AskedRole } from '../../contract/resources/resource.js';

/** How a step presents its credentials (`#/components/securitySchemes/apiKey`), and what a report says of that. */
export const AUTH_FORMS = {
  valid: 'with the key',
  missing: 'without a key',
  wrong: 'with a wrong key',
  empty: 'with an empty key',
  truncated: 'with a part of the key',
  extended: 'with the key and more letters after it',
  prefixed: 'with other letters before the key',
  otherCase: 'with the key in another case',
  otherScheme: 'with the key after another scheme than Bearer',
  bareKey: 'with the key without a scheme',
  lowerCaseScheme: 'with the scheme in lower case',
  lowerCaseField: 'with the key in a field that is called authorization, in lower case',
  firstOfTwo: 'with another token after the key',
  lastOfTwo: 'with another token before the key',
  amongOthers: 'with the key in a list',
  quoted: 'with the key in quotation marks',
  beyondAscii: 'with the key and a letter beyond ASCII',
  emptyPassword: 'without a password',
  unencoded: 'with user and password as they are, not in Base64',
  wordUndefined: 'with the word undefined for a key',
  wordNull: 'with the word null for a key',
  star: 'with a star for a key',
  twoFields: 'with two Authorization fields',
  lackingScope: 'with a token that lacks a scope',
  second: 'with the second credential',
} as const;

export type AuthForm = keyof typeof AUTH_FORMS;

export interface Scenario {
  id: string; // `<file>/<scenario>` or `<file>/<scenario>[<case>]`, stable across releases.
  title: string; // What holds when the scenario passes, as a sentence without a full stop.
  basis: string; // Where the contract says so, or leaves a gap: a pointer into it (`#/paths/...`), an RFC, or a URL.
  gap?: string | undefined;
  dependsOn: string[]; // Scenarios that must have passed (or been observed) for this one to conclude anything.
  after: string[]; // Ids or globs of scenarios that run before this one, whatever their outcome.
  case: Readonly<Record<string, unknown>>; // The values of the table's row, `$case.<name>`.
  tier: 1 | 2 | 3; // When it runs, as `dependsOn` and `after` allow: 1 finds most for its requests, 3 mostly observes.
  fresh: boolean; // Whether each request is sent, though an equal one of another scenario has just been answered.
  alone: boolean; // Whether it runs while no other does.
  about?: About | undefined;
  steps: Step[];
  place: SourcePlace;
  isShipped: boolean;
  hasShippedBasis: boolean; // Whether its basis is a place in the shipped contract, rather than in that of the run.
  leftOut?: string | undefined; // Why it has no meaning under the contract, so that it is skipped: a sentence.
}

/** One exchange and what to expect of it. Values may hold references, see template.ts. */
export interface Step {
  id: string;
  operationId?: string | undefined; // Absent if `request` names a method and a path that the contract does not define.
  request?: { method: string; path: string } | undefined;
  asks?: Asks | undefined;
  auth: AuthForm;
  schemes?: readonly string[] | undefined;
  lacks?: LackedScopes | undefined;
  control: boolean; // All that matters is that it is accepted: an earlier response will do, whatever was written since.
  isAtNewKey: boolean; // Whether its key is one that a step before it has found to be free.
  changes?: 'update' | 'remove' | undefined; // What a service does that serves it though it should not.
  invented?: Invented | undefined;
  guessed: readonly GuessedKey[];
  parameters: Readonly<Record<string, unknown>>; // By name, as the contract names them. `null` leaves one out.
  query?: string | Literal | undefined; // A literal query, for what `parameters` cannot express.
  headers: Readonly<Record<string, string | null>> | string; // Or a reference to some; `null` leaves out a default one.
  requestBody?: StepBody | undefined;
  form?: MessageForm | undefined;
  each?: { in: string; atMost: number } | undefined; // Runs for so many items of a list, spread evenly with both ends.
  /** Tries names (`$each#/name`) until the longest accepted one is known; `to` is the longest to try. */
  search?: { to: number; atMost: number; field?: string } | undefined;
  pages?: PageWalk | undefined; // Reads a list page by page; the page that is asked for is `$each`.
  atOnce?: number | undefined; // Sent so many times concurrently, all equal; their keys are `$steps.<id>.keys.0`.
  requires?: 'valid' | 'invalid' | undefined;
  expect?: Expectation | undefined;
  assume?: Assumption | undefined;
  outcomes?: Outcome[] | undefined; // For gaps: the first that fits is the choice seen.
  /** Repeats from the named step until what other clients see is as expected, for at most `--settle`; a step that only reads, else, itself. */
  retryFrom?: string | undefined;
  rounds?: number | undefined; // Repeats this many times instead, so that only what every round shows is a deviation.
  outputs: Readonly<Record<string, string>>; // Names for parts of the answer: `$response.body#/id`.
}

export interface StepBody {
  json?: unknown;
  text?: string;
  base64?: string;
  padTo?: number; // White space after the JSON, up to this many bytes.
  cut?: 'pieces' | 'chunks'; // Two writes, cut within a character: with a length, or as chunks (RFC 9112 section 7.1).
  written?: JsonForm; // JSON in a form that states the same value. Default: as short as it gets.
  mediaType?: string | null; // Default: `application/json`; `null` sends no Content-Type.
}

export interface Expectation {
  status?: StatusPattern | StatusPattern[]; // `200`, `4XX` or a list of these.
  headers?: Readonly<Record<string, unknown>>;
  body?: unknown;
  equals?: unknown; // The body is this JSON, every field exact.
  record?: RecordRule;
  records?: RecordsRule; // The records of the list, of any resource; where it is read page by page, those of all pages.
}

export type StatusPattern = number | string;

export interface Assumption extends Expectation {
  otherwise: string; // What it needs in order to hold, as a sentence without a full stop.
  verdict?: 'inconclusive' | 'skipped'; // Default: `inconclusive`.
}

export interface Outcome {
  choice?: string; // The name of the choice, as in `gaps.yaml`; absent if the answer shows nothing.
  needs?: string; // What would show the choice, for an answer that shows nothing: a sentence without a full stop.
  given?: { of: unknown; is: unknown }[]; // What else must hold: a referenced value and its JSON Schema.
  status?: StatusPattern | StatusPattern[];
  headers?: Readonly<Record<string, unknown>>;
  body?: unknown;
}

/** As the file has it, after the schema has been checked; `tier` and `about` no team's own file says. */
export interface RawScenario extends Partial<
  Pick<Scenario, 'basis' | 'gap' | 'dependsOn' | 'after' | 'tier' | 'fresh' | 'alone' | 'about'>
> {
  id: string;
  title: string;
  cases?: Row[] | { each: unknown };
  steps: RawStep[];
}

export type Row = Record<string, unknown> & { id: string };

/** A step as the file has it; `asks`, `changes`, `form`, `guessed`, `invented` and `isAtNewKey` no team's own file says. */
export interface RawStep extends Partial<Omit<Step, 'id' | 'query' | 'each' | 'search'>> {
  id: string;
  query?: string;
  each?: { in: string; atMost?: number };
  search?: { to: number; atMost?: number; field?: string };
}

/** What a scenario of a resource is about: facts for what explains its findings, which never reads its id. */
export interface About {
  resource: string;
  key?: string; // The field that tells its records apart. Absent where the run has no need of it.
  scenario: string; // The scenario that every resource has: `lists/filter`.
  filter?: string; // The query parameter by which its list is filtered, the field or the header field that it is about.
  field?: string;
  header?: string;
}

/** What a step asks for, where that is not a record that should be there. */
export type Asks =
  | 'absent' // One that nobody has.
  | 'apart' // One below another parent.
  | 'absentParent' // What is below a parent that nobody has.
  | 'refused' // A key at which a create was refused.
  | 'new' // A key that no record had until this step.
  | 'laterPage' // A page after the first.
  | 'first' // The first record that the run has created.
  | 'merged' // One of which an update named a part.
  | 'given'; // One of which a scenario file has the key.

/** A scenario that speaks of roles, as in its file: one of `scenarios/`. */
export interface RoleScenario {
  id: string;
  title: string;
  basis?: AskedRole | 'credentials' | 'other'; // Whose operation states the rule; `credentials`: that of the case.
  gap?: string; // By its general id; only a resource for which the contract leaves it open has the scenario.
  once?: true; // It concerns the service: each case runs on the first three resources that can show it, a gap on one.
  dependsOn?: string[]; // Scenarios of the same resource: `create`, `records/create`.
  after?: string[];
  tier?: Scenario['tier']; // Default: 2, or 3 for what observes a gap.
  alone?: true;
  fresh?: true;
  needs?:
    | 'found' // A run creates no record, and reads those that are there.
    | 'head' // The contract has a HEAD of one.
    | 'ownParentKey' // A client chooses the key of the record to which those of the resource belong.
    | 'securedChanges' // Every change asks for credentials.
    | 'getRefusals' // What the response to an unknown key is.
    | 'changes' // Records can be replaced or updated.
    | 'upsert' // A replacement creates a record that does not exist, as the contract says.
    | 'noUpsert' // It does not.
    | 'conditions' // A record is not sent again to a client that has it.
    | 'writeOnly'; // A create is sent what no response shows.
  about?: { field?: string; header?: string };
  cases?: string;
  steps: RoleStep[];
}

export interface RoleStep {
  id: string;
  role: AskedRole | '$case.role' | 'other'; // `other`: the operation of the case, which is none of a resource.
  of?: 'parent'; // Use the operation of the resource to which this one belongs.
  parent?: string; // The key of a record of that resource, in place of the one to which the run's records belong.
  asks?: Asks;
  key?: string;
  escaped?: 'first' | 'all'; // The letters of its keys that are written as escapes (RFC 3986 section 6.2.2.2).
  record?: unknown; // The body: `$minimal`, `$full`, `$other`, or that of the case.
  with?: unknown;
  text?: string;
  mediaType?: string | null; // Of the body, or that of the case; `null` sends none.
  cut?: StepBody['cut'];
  padTo?: number;
  form?: '$case.form' | '$client' | MessageForm;
  written?: '$case.id' | JsonForm;
  search?: { to: number; field: unknown };
  each?: string; // Sent for each of these, as `$each`; `$eachKey` is the key of a record among them.
  atMost?: '$case.most'; // For so many of them, spread evenly. Default: 100.
  atOnce?: number;
  method?: string; // A request that the contract does not define, at the path of the operation.
  query?: unknown;
  auth?: Step['auth'];
  changes?: '$case.changes';
  control?: true;
  schemes?: string;
  lacks?: string;
  headers?: Record<string, string> | string; // `$client`: those of a real client, with its forms (`clients.ts`).
  body?: StepBody | string;
  limit?: unknown;
  filter?: unknown;
  /** All pages, the `first` alone, or the one after the body `from`: of the longest length, or `size`; or by links. */
  pages?: true | { size?: unknown; total?: true; first?: true; links?: true; from?: string; atMost?: number };
  requires?: Step['requires'];
  expect?: RoleExpectation;
  outcomes?: Outcome[]; // For gaps: the first outcome that fits is the observed choice. A status may be a word.
  assume?: RoleExpectation & { otherwise: string; verdict?: 'skipped' };
  retryFrom?: string;
  rounds?: number; // How often `retryFrom` repeats, for what others may have changed meanwhile.
  outputs?: Record<string, string>;
  optional?: true;
}

export interface RoleExpectation {
  status?: string; // A word of `instance.ts`, or `$taken`: done, unless the service may have a reason to reject it.
  headers?: Expectation['headers'];
  body?: Expectation['body'];
  record?: Omit<NonNullable<Expectation['record']>, 'at' | 'fields' | 'keyProperty' | 'unlike' | 'states'> & {
    unlike?: unknown;
    states?: unknown;
  };
  records?: Omit<NonNullable<Expectation['records']>, 'at' | 'fields' | 'keyProperty' | 'total' | 'noneRefused'> & {
    fields?: '$case.names'; // Those that are looked at, where they are not what a client sends.
    noneRefused?: true;
  };
}

/** Messages are read by code that most resources share, and not all: what concerns the service is asked of so many. */
export const MOST_RESOURCES = 3;

export type RoleFile = { defaults?: Pick<RoleScenario, 'after' | 'dependsOn'>; scenarios: RoleScenario[] };
