import { DEFAULT_CONCURRENCY } from '../../conformance/product/run-conformance.js';
import { DEFAULTS } from '../../conformance/run/create-run.js';
import { CREDENTIAL, several } from '../../options/rules.js';
import { defineOptions } from '../options/define-options.js';
import type { ResolvedOptions } from '../options/resolve.js';
import { OUTPUT_OPTIONS } from './options/output-options.js';
import {
  CREDENTIALS_IN_FILE,
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
    help: 'the base URL with its version segment, such as http://127.0.0.1:4010/v1, or the name of a target in the config file',
    rule: TEXT,
  },
  'wait-for-target': { value: '<seconds>', help: 'how long to wait for the target to answer at all', rule: NUMBER },
  'api-key': {
    value: '<key>',
    help: 'the API key; PETSTORE_API_KEY and --api-key-file are safer',
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
    help: 'what to send for one security scheme instead: basicAuth=user:password; PETSTORE_CREDENTIALS is safer',
    details:
      'What to send for one security scheme of the contract in place of the key: its name, =, and a key or user:password. Scopes after the name, as in oauth[orders:read]=token, say that the token has only these; it shows whether others are needed. In place of the key, { login: { path: /login } }, { command: sh get-token.sh } or { oauth2: { client_id: ci } } says how to get and renew one, as in the config file. In the variable, one per line',
    rule: several(CREDENTIAL, CREDENTIAL.expected),
    from: ['flag', 'environment'],
    variable: 'PETSTORE_CREDENTIALS',
    separator: '\n',
    misnomers: ['CREDENTIAL', 'CREDENTIALS'],
  },
  credentials: {
    help: 'what to send for security schemes instead of the key, by name: each from an environment variable, or from a login, a command or an OAuth 2 flow, which renew it',
    rule: CREDENTIALS_IN_FILE,
    from: ['file'],
    examples: [
      { basicAuth: { env: 'STAGING_PAIR' } },
      { bearer: { login: { path: '/login', body: { user: 'ann', password: { env: 'PASSWORD' } }, take: '/token' } } },
      { bearer: { command: 'sh get-token.sh' } },
      { oauth: { oauth2: { client_id: 'ci', client_secret: { env: 'CLIENT_SECRET' } } } },
    ],
  },
  parameter: {
    value: '<name=value>',
    help: 'a header field, query or path parameter that the contract requires, where it shows no value that the service takes',
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
    help: 'a contract to test against instead of the shipped one',
    once: 'a run tests against one contract; start another run for the other',
    rule: PATH,
  },
  resources: {
    value: '<path>',
    help: 'a file that corrects what is inferred about the resources of the contract',
    rule: PATH,
  },
  records: {
    value: '<path>',
    help: 'a file of records to create, as in a fixture pack, where the contract alone does not tell what is valid',
    rule: PATH,
  },
  'allow-outside-refs': { help: 'allow that contract to refer to files outside its folder', rule: SWITCH },
  'allow-remote-refs': { help: 'fetch what that contract refers to by a URL, from public addresses', rule: SWITCH },
  'allow-private-hosts': { help: 'fetch that contract itself from a private address, too', rule: SWITCH },
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
    help: 'make the kinds of requests of this release, so that an upgrade finds nothing new',
    details:
      'Make the kinds of requests of this release, with the seed by which it drew some from grammars, so that an upgrade finds nothing new; those that came later are left out',
    rule: TEXT,
    otherwise: 'the latest',
    examples: ['1.0.0'],
  },
  again: {
    value: '<id>',
    help: 'repeat one scenario and those it depends on, several times if nothing shows at first',
    rule: TEXTS,
    from: ['flag'],
  },
  shard: {
    value: '<n/of>',
    help: 'run one part of the scenarios, 2/4 for the second of four; petstore-conformance merge puts the JSON reports together',
    rule: SHARD,
    from: ['flag', 'environment'],
  },
  list: { help: 'list the scenarios and exit', rule: SWITCH, from: ['flag'] },
  'dry-run': { help: 'list the scenarios with their steps and exit', rule: SWITCH, from: ['flag'] },
  'read-only': {
    heading: 'What it may do there',
    help: 'create and change nothing: read the records that are there',
    rule: SWITCH,
  },
  may: {
    value: '<what>',
    help: 'what the run may do to records of its own: create,update,remove (default: all on this machine, create elsewhere)',
    rule: MAY,
  },
  keep: { help: 'do not remove what the run created', rule: SWITCH },
  'max-creates': {
    value: '<n>',
    help: 'the most records to create',
    rule: wholeFrom(0),
    otherwise: '60, and 60 more for each resource of the contract',
  },
  'max-requests': {
    value: '<n>',
    help: 'the most requests to send, beginning with those that find most; the report says what was left out',
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
    heading: 'How long it may take',
    value: '<seconds>',
    help: 'the longest that one exchange may take',
    rule: POSITIVE,
    otherwise: DEFAULTS.timeoutMs / 1000,
  },
  'max-time': {
    value: '<seconds>',
    help: 'the longest that the run may take; then it reports what it has concluded',
    rule: POSITIVE,
    otherwise: DEFAULTS.maxTimeMs / 1000,
  },
  settle: {
    value: '<seconds>',
    help: 'how long a new pet may take to show up',
    rule: NUMBER,
    otherwise: '2, or up to 10 if the target needs it',
  },
  bail: { help: 'stop at the first deviation', rule: SWITCH },
  strict: {
    heading: 'What fails a run',
    help: 'treat what is merely worth a look as a deviation: additional fields, short pages, statuses that change',
    rule: SWITCH,
  },
  'fail-on': {
    value: '<verdict>',
    help: 'exit with 1 when a scenario is inconclusive: --fail-on inconclusive',
    rule: INCONCLUSIVE,
  },
  'min-coverage': { value: '<percent>', help: 'exit with 1 when less of the contract was exercised', rule: PERCENT },
  'min-concluded': {
    value: '<percent>',
    help: 'exit with 1 when a smaller share of the scenarios reached a conclusion',
    rule: PERCENT,
    // A run that cannot decide every tenth scenario has not tested what it was asked to.
    default: 90,
  },
  baseline: { value: '<path>', help: 'a file of known deviations, which do not fail the run', rule: PATH },
  'write-baseline': {
    value: '<path>',
    help: 'record the deviations in such a file; existing entries are kept',
    rule: TEXT,
    from: ['flag'],
  },
  profile: {
    value: '<path>',
    help: 'exit with 1 when the target differs from this profile',
    details: 'A profile of what the target did where the contract is silent; the run fails if the target has changed',
    rule: PATH,
  },
  'write-profile': {
    value: '<path>',
    help: 'record what the target does where the contract is silent',
    rule: TEXT,
    from: ['flag'],
  },
  ...OUTPUT_OPTIONS,
});

export type RunnerOptions = ResolvedOptions<typeof OPTIONS>;
