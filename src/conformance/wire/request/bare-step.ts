import { randomInt } from 'node:crypto';
import type { Step } from '../../model/scenario.js';
import type { Scope } from './template.js';
import { Literal } from '../../model/exchange.js';

/** What a request outside any scenario sends: values, none of which is a template. */
interface Bare {
  id: string;
  operationId?: string | undefined;
  parameters?: Readonly<Record<string, unknown>>;
  json?: unknown;
  headers?: Readonly<Record<string, string>> | undefined;
}

/** The step for a request outside any scenario. */
export function bareStep({ id, operationId, parameters = {}, json, headers = {} }: Bare): Step {
  const literal = (values: object): object =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, new Literal(value)]));
  return {
    ...BARE,
    id,
    operationId,
    parameters: literal(parameters) as Record<string, unknown>,
    headers: literal(headers) as Record<string, string>,
    requestBody: json === undefined ? undefined : { json: new Literal(json) },
  };
}

const BARE: Omit<Step, 'id' | 'operationId' | 'parameters'> = {
  request: undefined,
  auth: 'valid',
  schemes: undefined,
  lacks: undefined,
  control: false,
  isAtNewKey: false,
  changes: undefined,
  invented: undefined,
  guessed: [],
  query: undefined,
  headers: {},
  requestBody: undefined,
  form: undefined,
  each: undefined,
  search: undefined,
  pages: undefined,
  atOnce: undefined,
  requires: undefined,
  expect: undefined,
  assume: undefined,
  outcomes: undefined,
  asks: undefined,
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
  // Each such request has a repeat key of its own.
  unique: () => Array.from({ length: 5 }, () => String.fromCharCode(97 + randomInt(26))).join(''),
  contract: undefined,
  run: {},
};
