import { DEFAULT_CONCURRENCY } from '../../conformance/product/run-conformance.js';
import { DEFAULTS } from '../../conformance/run/create-run.js';
import { CREDENTIAL, several } from '../../options/rules.js';
import { defineOptions } from '../options/define-options.js';
import type { ResolvedOptions } from '../options/resolve.js';
import { OUTPUT_OPTIONS } from './options/output-options.js';
import {
  CREDENTIALS_FROM_VARIABLES,
  HEADER_LINES,
  HEADERS,
  INCONCLUSIVE,
  MAY,
  NUMBER,
  PAIR,
  PATH,
  PATHS,
  PERCENT,
  POSITIVE,
  SECRET,
  SHARD,
  SWITCH,
  TEXT,
  TEXTS,
  VARIABLE_NAME,
  wholeFrom,
} from './options/option-rules.js';

/** Every option of the runner. */
export const OPTIONS = defineOptions({
  target: {
    heading: 'The target',
    value: '<url or name>',
    help: 'the base URL, such as http://127.0.0.1:4010/v1, or a target of the config file',
    rule: TEXT,
  },
  'wait-for-target': {
    value: '<seconds>',
    help: 'how long to wait for the first response of the target',
    rule: NUMBER,
  },
  'api-key': {
    value: '<key>',
    help: 'the API key; --api-key-file and PETSTORE_API_KEY are safer',
    rule: SECRET,
    from: ['flag', 'environment'],
    variable: 'PETSTORE_API_KEY',
    misnomers: ['KEY'],
  },
  'api-key-env': {
    help: 'the environment variable that holds the API key; do not put the key itself into this file',
    rule: VARIABLE_NAME,
    from: ['file'],
    examples: ['STAGING_KEY'],
  },
  'api-key-file': { value: '<path>', help: 'a file that holds the API key', rule: PATH },
  credential: {
    value: '<scheme=key>',
    help: 'what to send for one security scheme, such as basicAuth=user:password; or use PETSTORE_CREDENTIALS',
    details:
      'The credential for one security scheme of the contract, in place of the key: its name, =, and a key or user:password. With scopes after the name, as in oauth[orders:read]=token, the token has only these scopes, and the run tests that the target requires the others. In the variable, one per line',
    rule: several(CREDENTIAL, CREDENTIAL.expected),
    from: ['flag', 'environment'],
    variable: 'PETSTORE_CREDENTIALS',
    separator: '\n',
    misnomers: ['CREDENTIAL', 'CREDENTIALS'],
  },
  credentials: {
    help: 'credentials by the name of a security scheme, each from an environment variable',
    rule: CREDENTIALS_FROM_VARIABLES,
    from: ['file'],
    examples: [{ basicAuth: { env: 'STAGING_PAIR' } }],
  },
  parameter: {
    value: '<name=value>',
    help: 'a value for a required parameter, if no example in the contract is valid at the target',
    rule: several(PAIR, PAIR.expected, { least: 0 }),
    examples: [['X-Tenant=acme']],
  },
  header: {
    value: '<line>',
    help: 'a header field for every request, "Name: value"',
    rule: HEADER_LINES,
    from: ['flag', 'environment'],
    separator: '\n',
  },
  headers: {
    help: 'header fields for every request, by name; one whose name suggests a secret must take its value from an environment variable',
    rule: HEADERS,
    from: ['file'],
    examples: [{ 'X-Trace': 'nightly', 'X-Gateway-Key': { env: 'GATEWAY_KEY' } }],
  },
  spec: {
    heading: 'The contract',
    value: '<path or URL>',
    help: 'the OpenAPI document to test against',
    otherwise: 'the petstore',
    once: 'a run tests against one contract; start another run for the other',
    rule: PATH,
  },
  resources: {
    value: '<path>',
    help: 'a file that corrects which resources were inferred from the contract',
    rule: PATH,
  },
  records: {
    value: '<path>',
    help: 'a file of valid records to create, for rules that the contract does not state',
    rule: PATH,
  },
  'allow-outside-refs': { help: 'resolve a $ref to files outside the folder of the contract', rule: SWITCH },
  'allow-remote-refs': { help: 'fetch the target of a $ref that is a URL, from public addresses', rule: SWITCH },
  'allow-private-hosts': { help: 'allow the contract itself at a private address', rule: SWITCH },
  scenarios: {
    heading: 'Which scenarios',
    value: '<path>',
    help: 'a scenario file, or a folder of them, in addition to the shipped ones',
    rule: PATHS,
  },
  only: { value: '<id>', help: 'run these scenarios and those they depend on: an id or a glob', rule: TEXTS },
  skip: { value: '<id>', help: 'leave these scenarios out: an id or a glob', rule: TEXTS },
  'as-of': {
    value: '<version>',
    help: 'send only the kinds of requests that this release sent, so that an upgrade reports nothing new',
    details:
      'Send only the kinds of requests that this release sent, with its seed for generated values, so that an upgrade reports nothing new',
    rule: TEXT,
    otherwise: 'the latest',
    examples: ['1.0.0'],
  },
  again: {
    value: '<id>',
    help: 'repeat one scenario and those it depends on, until a failure shows (at most 21 times)',
    rule: TEXTS,
    from: ['flag'],
  },
  shard: {
    value: '<n/of>',
    help: 'run one part of the scenarios, 2/4 for the second of four; petstore-conformance merge combines the JSON reports',
    rule: SHARD,
    from: ['flag', 'environment'],
  },
  list: { help: 'list the scenarios and exit', rule: SWITCH, from: ['flag'] },
  'dry-run': { help: 'list the scenarios with their steps and exit', rule: SWITCH, from: ['flag'] },
  'read-only': {
    heading: 'What the run may change',
    help: 'only read existing records; change nothing',
    rule: SWITCH,
  },
  may: {
    value: '<what>',
    help: 'what the run may do with its own records: create,update,remove (default: all on this machine, create elsewhere)',
    rule: MAY,
  },
  keep: { help: 'do not delete the created records at the end', rule: SWITCH },
  'max-creates': {
    value: '<n>',
    help: 'the most records to create',
    rule: wholeFrom(0),
    otherwise: '60, and 60 more for each resource of the contract',
  },
  'max-requests': {
    value: '<n>',
    help: 'the most requests to send; those that find most come first, and the report lists what was left out',
    rule: wholeFrom(1),
    otherwise: 'no limit',
  },
  rate: { value: '<n>', help: 'the most requests per second', rule: POSITIVE },
  concurrency: {
    value: '<n>',
    help: 'how many scenarios to run at a time',
    rule: wholeFrom(1),
    otherwise: DEFAULT_CONCURRENCY,
  },
  timeout: {
    heading: 'Timeouts',
    value: '<seconds>',
    help: 'request timeout',
    rule: POSITIVE,
    otherwise: DEFAULTS.timeoutMs / 1000,
  },
  'max-time': {
    value: '<seconds>',
    help: 'timeout of the whole run; it then reports what it has concluded',
    rule: POSITIVE,
    otherwise: DEFAULTS.maxTimeMs / 1000,
  },
  settle: {
    value: '<seconds>',
    help: 'how long a new record may take to appear in lists',
    rule: NUMBER,
    otherwise: '2, or up to 10 if the target needs it',
  },
  bail: { help: 'stop at the first deviation', rule: SWITCH },
  strict: {
    heading: 'What fails a run',
    help: 'treat warnings as errors: additional fields, short pages, flaky statuses',
    rule: SWITCH,
  },
  'fail-on': {
    value: '<verdict>',
    help: 'exit with 1 when a scenario is inconclusive: --fail-on inconclusive',
    rule: INCONCLUSIVE,
  },
  'min-coverage': { value: '<percent>', help: 'exit with 1 when less of the contract is covered', rule: PERCENT },
  'min-concluded': {
    value: '<percent>',
    help: 'exit with 1 when a smaller share of the scenarios reached a conclusion',
    rule: PERCENT,
    // A run that cannot decide every tenth scenario has not tested what it was asked to.
    default: 90,
  },
  baseline: { value: '<path>', help: 'a file of deviations that do not fail the run', rule: PATH },
  'write-baseline': {
    value: '<path>',
    help: 'add the deviations to such a file; existing entries stay',
    rule: TEXT,
    from: ['flag'],
  },
  profile: {
    value: '<path>',
    help: 'exit with 1 when the target differs from this profile',
    details: 'A profile: how the target behaved where the contract is silent. The run fails if the target has changed',
    rule: PATH,
  },
  'write-profile': {
    value: '<path>',
    help: 'write a profile: how the target behaves where the contract is silent',
    rule: TEXT,
    from: ['flag'],
  },
  ...OUTPUT_OPTIONS,
});

export type RunnerOptions = ResolvedOptions<typeof OPTIONS>;
