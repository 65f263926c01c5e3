import { PetstoreMockError } from '../../errors.js';
import type { ConformanceOptions } from '../model/options.js';
import { findExpectProblem } from '../run/expected-here.js';
import { findSourceProblem } from '../wire/credentials/read-source.js';

/** What the value of each option must be, for callers whose code no compiler checks. The program hands on more than these. */
const KINDS = {
  target: 'a text',
  apiKey: 'a text',
  isKeyGuessed: 'true or false',
  credentials: 'an object',
  parameter: 'a list of texts',
  spec: 'a text',
  resources: 'a text',
  records: 'a text',
  allowOutsideRefs: 'true or false',
  allowRemoteRefs: 'true or false',
  allowPrivateHosts: 'true or false',
  scenarios: 'a list of texts',
  only: 'a list of texts',
  skip: 'a list of texts',
  tag: 'a list of texts',
  operation: 'a list of texts',
  method: 'a list of texts',
  path: 'a list of texts',
  deprecated: 'a text',
  never: 'a list of texts',
  expect: 'a list',
  hooks: 'an object',
  asOf: 'a text',
  shard: 'an object',
  readOnly: 'true or false',
  may: 'a list of texts',
  keep: 'true or false',
  waitForTargetMs: 'a number from 0',
  timeoutMs: 'a number from 0',
  maxTimeMs: 'a number from 0',
  rate: 'a number from 0',
  concurrency: 'a number from 0',
  settleMs: 'a number from 0',
  maxCreates: 'a number from 0',
  maxRequests: 'a number from 0',
  bail: 'true or false',
  baseline: 'a text',
  strict: 'true or false',
  headers: 'an object',
  tls: 'an object',
  proxy: 'a text',
  profile: 'a text',
  onEvent: 'a function',
  signal: 'an AbortSignal',
} as const satisfies Record<keyof ConformanceOptions, string>;

const IS: Readonly<Record<(typeof KINDS)[keyof typeof KINDS], (value: unknown) => boolean>> = {
  'a text': (value) => typeof value === 'string',
  'a list of texts': (value) => Array.isArray(value) && value.every((each) => typeof each === 'string'),
  'a list': Array.isArray,
  'an object': (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'true or false': (value) => typeof value === 'boolean',
  'a number from 0': (value) => typeof value === 'number' && value >= 0,
  'a function': (value) => typeof value === 'function',
  'an AbortSignal': (value) => value instanceof AbortSignal,
};

/** Throws a `PetstoreMockError` with the code `bad-option` for what the types would have refused. */
export function checkOptions(options: unknown): void {
  if (!IS['an object'](options)) throw bad('runConformance takes options: { target, apiKey }');
  const given = options as Readonly<Record<string, unknown>>;
  for (const [name, kind] of Object.entries(KINDS)) {
    const value = given[name];
    // What is missing of the target is said where it is read.
    if (name === 'target' || (value === undefined && name !== 'apiKey')) continue;
    // A value may be a secret in the wrong place, so it is not shown.
    if (!IS[kind](value)) throw bad(`${name} must be ${kind}${name === 'apiKey' ? KEY : ''}`);
  }
  const wrong = given['expect'] === undefined ? undefined : findExpectProblem(given['expect']);
  if (wrong !== undefined) throw bad(`expect${wrong.startsWith('[') ? '' : ' '}${wrong}`);
  for (const [name, value] of Object.entries(given['credentials'] ?? {})) {
    const problem = typeof value === 'string' ? undefined : findSourceProblem(value);
    if (problem !== undefined) throw bad(`credentials.${name} ${problem}`);
  }
}

const KEY = ', the key that the target accepts; empty if the contract requires none';

function bad(sentence: string): PetstoreMockError {
  return new PetstoreMockError('bad-option', `${sentence}.`);
}
