import type { Step } from '../scenarios/scenario.js';
import type { Scope } from '../scenarios/template.js';

/** A step that only reads, for requests outside any scenario. */
export const BARE: Omit<Step, 'id' | 'operationId' | 'parameters'> = {
  request: undefined,
  auth: 'valid',
  schemes: undefined,
  lacks: undefined,
  control: false,
  isAtNewKey: false,
  query: undefined,
  headers: {},
  requestBody: undefined,
  each: undefined,
  search: undefined,
  pages: undefined,
  atOnce: undefined,
  requires: undefined,
  expect: undefined,
  assume: undefined,
  outcomes: undefined,
  retryFrom: undefined,
  rounds: undefined,
  outputs: {},
};

/** The scope of such a step. */
export const NOTHING_KNOWN: Scope = {
  case: {},
  each: undefined,
  steps: {},
  outputsOf: () => undefined,
  request: undefined,
  response: undefined,
  unique: () => '',
  contract: undefined,
  run: {},
};
