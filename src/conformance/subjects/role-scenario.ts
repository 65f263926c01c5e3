import type { Expectation, Step } from '../scenarios/scenario.js';
import type { AskedRole } from '../../contract/resources/plain-roles.js';

/** A scenario that speaks of roles, as its file has it: one of `scenarios/resources/`. */
export interface RoleScenario {
  id: string;
  title: string;
  /** The role whose operation states the rule, or `credentials`: that of the case. */
  basis: AskedRole | 'credentials';
  /** Scenarios of the same resource: `create`, `records/create`. */
  dependsOn?: string[];
  after?: string[];
  /** `getRefusals`: the contract says what becomes of a key that no record has; `changes`: records can be replaced or updated. */
  needs?: 'getRefusals' | 'changes';
  /** The name of a table that the contract fills: `$invalid`. */
  cases?: string;
  steps: RoleStep[];
}

export interface RoleStep {
  id: string;
  role: AskedRole | '$case.role';
  /** The operation is that of the resource to which this one belongs. */
  of?: 'parent';
  /** The key of a record of that resource, in place of the one to which the run's records belong. */
  parent?: string;
  /** Of the record that is meant. */
  key?: string;
  /** The body: `$minimal`, `$full`, `$other`, or of the case. */
  record?: unknown;
  /** The body, as text. */
  text?: string;
  auth?: Step['auth'];
  limit?: unknown;
  /** Query parameters with their values. */
  filter?: unknown;
  /** All pages, as long as the contract lets them be, or of a size. */
  pages?: true | { size: unknown };
  requires?: Step['requires'];
  expect?: RoleExpectation;
  assume?: RoleExpectation & { otherwise: string };
  retryFrom?: string;
  outputs?: Record<string, string>;
  /** Left out for a resource without the role. */
  optional?: true;
}

export interface RoleExpectation {
  /** `$done`, `$taken`, `$notFound`, `$gone`, `$invalid`, `$unauthorized`. */
  status?: string;
  record?: Omit<NonNullable<Expectation['record']>, 'at' | 'fields' | 'keyProperty'>;
  records?: Omit<NonNullable<Expectation['records']>, 'at' | 'fields' | 'keyProperty'>;
}

export interface RoleFile {
  defaults?: Pick<RoleScenario, 'after' | 'dependsOn'>;
  scenarios: RoleScenario[];
}
