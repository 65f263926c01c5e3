import type { About, Asks } from './about.js';
import type { Assumption, Expectation, Outcome, Step, StepBody, Tier } from './scenario.js';

/** A scenario as the file has it, after the schema has been checked. */
export interface RawScenario {
  id: string;
  title: string;
  basis?: string;
  gap?: string;
  dependsOn?: string[];
  after?: string[];
  /** {@link Scenario.tier}; a team's own file does not say it. */
  tier?: Tier;
  fresh?: boolean;
  alone?: boolean;
  cases?: Row[] | { each: unknown };
  /** {@link Scenario.about}; no file says it. */
  about?: About;
  steps: RawStep[];
}

/** A row of a table. */
export type Row = Record<string, unknown> & { id: string };

/** A step as the file has it. */
export interface RawStep {
  id: string;
  operationId?: string;
  request?: { method: string; path: string };
  auth?: Step['auth'];
  schemes?: readonly string[];
  lacks?: Step['lacks'];
  control?: boolean;
  /** {@link Step.isAtNewKey}; no file says it. */
  isAtNewKey?: true;
  /** {@link Step.changes}; no file says it. */
  changes?: Step['changes'];
  /** {@link Step.invented}; no file says it. */
  invented?: Step['invented'];
  /** {@link Step.guessed}; no file says it. */
  guessed?: Step['guessed'];
  parameters?: Record<string, unknown>;
  query?: string;
  headers?: Step['headers'];
  /** {@link Step.asks}; no file says it. */
  asks?: Asks;
  requestBody?: StepBody;
  /** {@link Step.form}; a team's own file does not say it. */
  form?: Step['form'];
  each?: { in: string; atMost?: number };
  search?: { to: number; atMost?: number; field?: string };
  pages?: Step['pages'];
  atOnce?: number;
  requires?: Step['requires'];
  expect?: Expectation;
  assume?: Assumption;
  outcomes?: Outcome[];
  retryFrom?: string;
  rounds?: number;
  outputs?: Record<string, string>;
}
