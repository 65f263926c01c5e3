import type { JsonForm, MessageForm } from '../model/exchange.js';
import type { Asks, Expectation, Outcome, Step, StepBody, Tier } from '../model/scenario.js';
import type { Escaping } from '../http/parameters.js';
import type { AskedRole } from '../../contract/resources/resource.js';

/**
 * `getRefusals`: what the response to an unknown key is; `changes`: records can be replaced or updated; `upsert`: a
 * replacement creates a record that does not exist, as the contract says; `noUpsert`: it does not; `conditions`: a record
 * is not sent again to a client that has it; `writeOnly`: a create is sent what no response shows; `found`: a run creates no
 * record, and reads those that are there; `head`: the contract has a HEAD of one; `securedChanges`: every change asks for credentials; `ownParentKey`: a client
 * chooses the key of the record to which those of the resource belong.
 */
type Need =
  | 'found'
  | 'head'
  | 'ownParentKey'
  | 'securedChanges'
  | 'getRefusals'
  | 'changes'
  | 'upsert'
  | 'noUpsert'
  | 'conditions'
  | 'writeOnly';

/** A scenario that speaks of roles, as in its file: one of `scenarios/`. */
export interface RoleScenario {
  id: string;
  title: string;
  /** The role whose operation states the rule; `credentials` for the operation of the case. A gap needs none, since it has its own place. */
  basis?: AskedRole | 'credentials' | 'other';
  /** The gap that it observes, by its general id; only a resource for which the contract leaves it open has the scenario. */
  gap?: string;
  /** It concerns the service as a whole: each case runs on the first resources that can show it, three at most; a gap on the first. */
  once?: true;
  /** Scenarios of the same resource: `create`, `records/create`. */
  dependsOn?: string[];
  after?: string[];
  /** {@link Scenario.tier}. Default: 2, or 3 for what observes a gap. */
  tier?: Tier;
  alone?: true;
  /** Every request of it is sent, though an equal one has just been answered. */
  fresh?: true;
  needs?: Need;
  about?: { field?: string; header?: string };
  cases?: string;
  steps: RoleStep[];
}

export interface RoleStep {
  id: string;
  /** `other`: the operation of the case, which is none of a resource. */
  role: AskedRole | '$case.role' | 'other';
  /** Use the operation of the resource to which this one belongs. */
  of?: 'parent';
  /** The key of a record of that resource, in place of the one to which the run's records belong. */
  parent?: string;
  asks?: Asks;
  key?: string;
  escaped?: Escaping;
  /** The body: `$minimal`, `$full`, `$other`, or that of the case. */
  record?: unknown;
  with?: unknown;
  text?: string;
  /** Of the body, or that of the case; `null` sends none. */
  mediaType?: string | null;
  cut?: StepBody['cut'];
  padTo?: number;
  form?: '$case.form' | '$client' | MessageForm;
  written?: '$case.id' | JsonForm;
  search?: { to: number; field: unknown };
  /** Sent for each of these, as `$each`; `$eachKey` is the key of a record among them. */
  each?: string;
  /** For so many of them, spread evenly. Default: 100. */
  atMost?: '$case.most';
  /** Sent so many times at once, all equal; their keys are `$steps.<id>.keys.0` and so on. */
  atOnce?: number;
  /** A request that the contract does not define, at the path of the operation. */
  method?: string;
  query?: unknown;
  auth?: Step['auth'];
  changes?: '$case.changes';
  /** All that matters is that it is accepted: an earlier response will do, whatever was written since. */
  control?: true;
  schemes?: string;
  lacks?: string;
  /** `$client`: the head of a real client, with the form of a message and of JSON (`clients.ts`). */
  headers?: Record<string, string> | string;
  body?: StepBody | string;
  limit?: unknown;
  filter?: unknown;
  /**
   * Read all pages, or the first one alone, or the one after that of which a step saw the body, with the longest page that the contract
   * allows or with a given length; by the links of the responses, if they have some.
   */
  pages?: true | { size?: unknown; total?: true; first?: true; links?: true; from?: string; atMost?: number };
  requires?: Step['requires'];
  expect?: RoleExpectation;
  /** For gaps: the first outcome that fits is the observed choice. A status may be a word. */
  outcomes?: Outcome[];
  assume?: RoleExpectation & { otherwise: string; verdict?: 'skipped' };
  retryFrom?: string;
  /** How often `retryFrom` repeats, for what others may have changed meanwhile. */
  rounds?: number;
  outputs?: Record<string, string>;
  optional?: true;
}

export interface RoleExpectation {
  /** A word of `statuses.ts`, or `$taken`: done, unless the service may have a reason of its own to reject the record. */
  status?: string;
  headers?: Expectation['headers'];
  body?: Expectation['body'];
  record?: Omit<NonNullable<Expectation['record']>, 'at' | 'fields' | 'keyProperty' | 'unlike' | 'states'> & {
    unlike?: unknown;
    states?: unknown;
  };
  records?: Omit<NonNullable<Expectation['records']>, 'at' | 'fields' | 'keyProperty' | 'total' | 'noneRefused'> & {
    /** Those that are looked at, where they are not what a client sends. */
    fields?: '$case.names';
    noneRefused?: true;
  };
}

/** Messages are read by code that most resources share, and not all: what concerns the service is asked of so many. */
export const MOST_RESOURCES = 3;

export type RoleFile = { defaults?: Pick<RoleScenario, 'after' | 'dependsOn'>; scenarios: RoleScenario[] };
