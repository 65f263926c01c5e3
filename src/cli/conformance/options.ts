import * as rules from './option-rules.js';
import { DEFAULT_CONCURRENCY } from '../../conformance/product/run-conformance.js';
import { DEFAULTS } from '../../conformance/engine/run.js';
import { CREDENTIAL, several } from '../../options/rules.js';
import { defineOptions, type Program, type ResolvedOptions } from '../options/define-options.js';
import { reportFormats } from '../../report/index.js';

export const OPTIONS = defineOptions({
  target: {
    heading: 'The target',
    value: '<url or name>',
    help: 'the base URL, such as http://127.0.0.1:4010/v1, or a target of the config file',
    rule: rules.TEXT,
  },
  'wait-for-target': {
    value: '<seconds>',
    help: 'how long to wait for the first response of the target',
    rule: rules.NUMBER,
  },
  'api-key': {
    value: '<key>',
    help: 'the API key; --api-key-file and PETSTORE_API_KEY are safer',
    rule: rules.SECRET,
    from: ['flag', 'environment'],
    variable: 'PETSTORE_API_KEY',
    misnomers: ['KEY'],
  },
  'api-key-env': {
    help: 'the environment variable that holds the API key; do not put the key itself into this file',
    rule: rules.VARIABLE_NAME,
    from: ['file'],
    examples: ['STAGING_KEY'],
  },
  'api-key-file': { value: '<path>', help: 'a file that holds the API key', rule: rules.PATH },
  credential: {
    value: '<scheme=key>',
    help: 'what to send for one security scheme, such as basicAuth=user:password; or use PETSTORE_CREDENTIALS',
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
    rule: rules.CREDENTIALS_IN_FILE,
    from: ['file'],
    examples: [
      { basicAuth: { env: 'STAGING_PAIR' } },
      { bearer: { login: { path: '/login', body: { user: 'ann', password: { env: 'PASSWORD' } }, take: '/token' } } },
      { bearer: { command: 'sh get-token.sh' } },
      { oauth: { oauth2: { client_id: 'ci', client_secret: { env: 'CLIENT_SECRET' } } } },
    ],
  },
  'credential-b': {
    value: '<key>',
    help: "somebody else's key, or user:password: shows what it may do with what the run created; PETSTORE_CREDENTIAL_B is safer",
    details:
      'The credential of somebody else, a key or user:password. The run reads, lists, changes and removes with it what it created with its own one, and tells which of these the service allows. Where the contract says that only the owner may, it is a failure',
    rule: rules.SECRET,
    from: ['flag', 'environment'],
    variable: 'PETSTORE_CREDENTIAL_B',
  },
  'credential-b-env': {
    help: "the environment variable that holds somebody else's credential",
    rule: rules.VARIABLE_NAME,
    from: ['file'],
    examples: ['STAGING_KEY_OF_BEN'],
  },
  parameter: {
    value: '<name=value>',
    help: 'a value for a required parameter, if no example in the contract is valid at the target',
    rule: several(rules.PAIR, rules.PAIR.expected, { least: 0 }),
    examples: [['X-Tenant=acme']],
  },
  header: {
    value: '<line>',
    help: 'a header field for every request, "Name: value"',
    rule: rules.HEADER_LINES,
    from: ['flag', 'environment'],
    separator: '\n',
  },
  headers: {
    help: 'header fields for every request, by name; one whose name suggests a secret must take its value from an environment variable',
    rule: rules.HEADERS,
    from: ['file'],
    examples: [{ 'X-Trace': 'nightly', 'X-Gateway-Key': { env: 'GATEWAY_KEY' } }],
  },
  spec: {
    heading: 'The contract',
    value: '<path or URL>',
    help: 'the OpenAPI document to test against',
    otherwise: 'the petstore',
    once: 'a run tests against one contract; start another run for the other',
    rule: rules.PATH,
  },
  resources: {
    value: '<path>',
    help: 'a file that corrects which resources were inferred from the contract',
    rule: rules.PATH,
  },
  records: {
    value: '<path>',
    help: 'a file of valid records to create, for rules that the contract does not state',
    rule: rules.PATH,
  },
  'allow-outside-refs': { help: 'resolve a $ref to files outside the folder of the contract', rule: rules.SWITCH },
  'allow-remote-refs': { help: 'fetch the target of a $ref that is a URL, from public addresses', rule: rules.SWITCH },
  'allow-private-hosts': { help: 'allow the contract itself at a private address', rule: rules.SWITCH },
  scenarios: {
    heading: 'Which scenarios',
    value: '<path>',
    help: 'a scenario file, or a folder of them, in addition to the shipped ones',
    rule: rules.PATHS,
  },
  only: { value: '<id>', help: 'run these scenarios and those they depend on: an id or a glob', rule: rules.TEXTS },
  skip: { value: '<id>', help: 'leave these scenarios out: an id or a glob', rule: rules.TEXTS },
  tag: { value: '<tag>', help: 'test the operations with this tag alone', rule: rules.TEXTS },
  operation: { value: '<id>', help: 'test this operation alone: its operationId, or "GET /users"', rule: rules.TEXTS },
  method: { value: '<method>', help: 'test the operations with this method alone', rule: rules.TEXTS },
  path: {
    value: '<path>',
    help: 'test the operations at this path of the contract alone; * stands for anything',
    rule: rules.TEXTS,
    examples: [['/users', '/users/*']],
  },
  deprecated: {
    value: '<skip>',
    help: 'leave out the operations that are deprecated: --deprecated skip',
    rule: rules.SKIP,
  },
  hooks: {
    value: '<path>',
    help: 'a module with functions of your own around the run: before, after, and request for each request',
    rule: rules.PATH,
  },
  again: {
    value: '<id>',
    help: 'repeat one scenario and those it depends on, until a failure shows (at most 21 times)',
    rule: rules.TEXTS,
    from: ['flag'],
  },
  shard: {
    value: '<n/of>',
    help: 'run one part of the scenarios, 2/4 for the second of four; petstore-conformance merge combines the JSON reports',
    rule: rules.SHARD,
    from: ['flag', 'environment'],
  },
  list: { help: 'list the scenarios and exit', rule: rules.SWITCH, from: ['flag'] },
  'dry-run': { help: 'list the scenarios with their steps and exit', rule: rules.SWITCH, from: ['flag'] },
  'read-only': {
    heading: 'What the run may change',
    help: 'only read existing records; change nothing',
    rule: rules.SWITCH,
  },
  never: {
    value: '<request>',
    help: 'a request that is never sent, not even to clean up: "DELETE /users", "/users/*", DELETE, or an operationId',
    rule: rules.TEXTS,
    examples: [['DELETE /users']],
  },
  may: {
    value: '<what>',
    help: 'what the run may do with its own records: create,update,remove (default: all on this machine, create elsewhere)',
    rule: rules.MAY,
  },
  keep: { help: 'do not delete the created records at the end', rule: rules.SWITCH },
  'max-creates': {
    value: '<n>',
    help: 'the most records to create',
    rule: rules.wholeFrom(0),
    otherwise: '60 for each resource of the contract, plus 80 for each of the first three',
  },
  'max-requests': {
    value: '<n>',
    help: 'the most requests to send; those that find most come first, and the report lists what was left out',
    rule: rules.wholeFrom(1),
    otherwise: 'no limit',
  },
  rate: { value: '<n>', help: 'the most requests per second', rule: rules.POSITIVE },
  concurrency: {
    value: '<n>',
    help: 'how many scenarios to run at a time',
    rule: rules.wholeFrom(1),
    otherwise: DEFAULT_CONCURRENCY,
  },
  timeout: {
    heading: 'Timeouts',
    value: '<seconds>',
    help: 'request timeout',
    rule: rules.POSITIVE,
    otherwise: DEFAULTS.timeoutMs / 1000,
  },
  'max-time': {
    value: '<seconds>',
    help: 'timeout of the whole run; it then reports what it has concluded',
    rule: rules.POSITIVE,
    otherwise: DEFAULTS.maxTimeMs / 1000,
  },
  settle: {
    value: '<seconds>',
    help: 'how long a new record may take to appear in lists',
    rule: rules.NUMBER,
    otherwise: '2, or up to 10 if the target needs it',
  },
  bail: { help: 'stop at the first deviation', rule: rules.SWITCH },
  strict: {
    heading: 'What fails a run',
    help: 'treat warnings as errors: additional fields, short pages, flaky statuses',
    rule: rules.SWITCH,
  },
  'fail-on': {
    value: '<verdict>',
    help: 'exit with 1 when a scenario is inconclusive: --fail-on inconclusive',
    rule: rules.INCONCLUSIVE,
  },
  expect: {
    help: 'what is fine at this target beside what the contract says, each with a reason: statuses, checks that are off, formats that are only noted',
    rule: rules.EXPECT,
    from: ['file'],
    examples: [[{ operation: 'GET /users/{id}', status: [503], reason: 'The stub is down at night.' }]],
  },
  'min-coverage': { value: '<percent>', help: 'exit with 1 when less of the contract is covered', rule: rules.PERCENT },
  'min-concluded': {
    value: '<percent>',
    help: 'exit with 1 when a smaller share of the scenarios reached a conclusion',
    rule: rules.PERCENT,
    // A run that cannot decide every tenth scenario has not tested what it was asked to.
    default: 90,
  },
  baseline: { value: '<path>', help: 'a file of deviations that do not fail the run', rule: rules.PATH },
  'write-baseline': {
    value: '<path>',
    help: 'add the deviations to such a file; existing entries stay',
    rule: rules.TEXT,
    from: ['flag'],
  },
  profile: {
    value: '<path>',
    help: 'exit with 1 when the target differs from this profile',
    details: 'A profile: how the target behaved where the contract is silent. The run fails if the target has changed',
    rule: rules.PATH,
  },
  'write-profile': {
    value: '<path>',
    help: 'write a profile: how the target behaves where the contract is silent',
    rule: rules.TEXT,
    from: ['flag'],
  },
  report: {
    heading: 'Output',
    value: '<formats>',
    help: `${Object.keys(reportFormats).join(', ')}; several with commas`,
    details: 'Report formats; under GitHub Actions, github is added to the default',
    rule: rules.REPORTS,
    otherwise: 'pretty',
  },
  'report-dir': {
    value: '<path>',
    help: 'write the reports as files into this folder',
    details: 'Write the reports as files into this folder, except pretty and github, which are printed',
    rule: rules.PATH,
  },
  quiet: { help: 'show only the problems and the summary', rule: rules.SWITCH },
  verbose: { help: 'show each scenario as it ends, and all results in full', rule: rules.SWITCH },
  gaps: { help: 'show how the target behaves where the contract is silent', rule: rules.SWITCH },
  color: { help: 'print no colours', rule: rules.SWITCH, isNegated: true, from: ['flag'], default: true },
  ca: {
    heading: 'TLS',
    value: '<path>',
    help: "PEM certificates to trust in addition to Node's own",
    rule: rules.PATH,
  },
  cert: {
    value: '<path>',
    help: 'a PEM client certificate; PETSTORE_CERT_PASSPHRASE unlocks its key',
    rule: rules.PATH,
  },
  'cert-key': { value: '<path>', help: 'its private key, if it is in another file', rule: rules.PATH },
  'cert-passphrase-env': {
    help: 'the environment variable that holds the passphrase of the key',
    rule: rules.VARIABLE_NAME,
    otherwise: 'PETSTORE_CERT_PASSPHRASE',
    from: ['file'],
  },
  insecure: { help: 'do not check certificates; the reports say so', rule: rules.SWITCH },
  config: {
    heading: 'The program',
    value: '<path>',
    help: 'a YAML file with options and targets',
    rule: rules.TEXT,
    from: ['flag', 'environment'],
    otherwise: 'petstore-conformance.yaml, if it exists',
  },
});

export type RunnerOptions = ResolvedOptions<typeof OPTIONS>;

export const PETSTORE_CONFORMANCE: Program = {
  name: 'petstore-conformance',
  description:
    'Tests a running service against its OpenAPI document, and reports where it deviates. Without --spec, that is the document of the petstore.',
  commands: {
    init: 'write a config file for a document, and say what a run would test',
    gaps: 'list what a document leaves open',
    diff: 'compare two profiles, such as those of staging and production',
    merge: 'combine the JSON reports of the shards of one run',
  },
  usual: ['target', 'spec', 'api-key', 'credential', 'read-only', 'only', 'again', 'baseline', 'report', 'report-dir'],
  shortNotes: `
Examples:
  petstore-conformance --target http://127.0.0.1:4010/v1
  petstore-conformance --target "$STAGING" --spec api.yaml --read-only`,
  usage: '--target <base_url> [options]\n       petstore-conformance <command> [options]',
  prefix: 'PETSTORE_CONFORMANCE_',
  listSeparator: ',',
  options: OPTIONS,
  hint: 'Give the base URL with --target.',
  guessMeaning,
  notes: `
You can also set most options in the config file, under the name of their flag,
or in the environment: PETSTORE_CONFORMANCE_TIMEOUT and so on. A flag takes
precedence over the environment, and the environment over the file. Under GitHub
Actions, the report github is added to the default. HTTPS_PROXY, HTTP_PROXY and
NO_PROXY set proxies.

Exit codes:
  0    no deviation, or only those of the baseline
  1    a deviation, a difference from --profile, an outdated entry in the
       baseline, or --fail-on, --min-coverage or --min-concluded is met
  2    wrong usage, an unusable file, rejected credentials, or nothing concluded
  3    the target cannot be reached
  4    a bug of this program
  130  interrupted

Examples:
  petstore-conformance init --spec api.yaml
  petstore-conformance gaps --spec api.yaml
  petstore-conformance --target staging --read-only
  petstore-conformance --target "$STAGING" --write-profile staging.profile.yaml
  petstore-conformance --target "$STAGING" --profile staging.profile.yaml
  petstore-conformance diff staging.profile.yaml production.profile.yaml
  petstore-conformance --target "$STAGING" --shard 2/4 --report json --report-dir part2
  petstore-conformance merge part*/conformance.json --report pretty,html --report-dir all
  petstore-conformance --target "$STAGING" --spec api.yaml --only 'orders/*'
  petstore-conformance --target "$STAGING" --report pretty,html,junit --report-dir reports
`,
};

function guessMeaning(word: string): string | undefined {
  return /^https?:/i.test(word) ? `--target ${word}` : undefined;
}
