import { DEFAULT_CONCURRENCY } from '../../conformance/run-conformance.js';
import { DEFAULTS } from '../../conformance/run/create-run.js';
import { reportFormats } from '../../report/index.js';
import { CREDENTIAL, several } from '../../options/rules.js';
import { findNearest } from '../../suggest.js';
import { defineOptions, type Program } from '../options/define-options.js';
import type { ResolvedOptions } from '../options/resolve.js';
import {
  CREDENTIALS_FROM_VARIABLES,
  HEADER_LINES,
  HEADERS,
  INCONCLUSIVE,
  INT64,
  MAY,
  NUMBER,
  PATH,
  PATHS,
  PERCENT,
  POSITIVE,
  REPORTS,
  SECRET,
  SHARD,
  SWITCH,
  TEXT,
  TEXTS,
  VARIABLE_NAME,
  wholeFrom,
} from './option-rules.js';

/** Every option of the runner. */
export const OPTIONS = defineOptions({
  target: {
    value: '<url or name>',
    help: 'the base URL with its version segment, such as http://127.0.0.1:4010/v1, or the name of a target in the config file',
    rule: TEXT,
  },
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
    help: 'what one security scheme takes instead: basicAuth=user:password; PETSTORE_CREDENTIALS is safer',
    details:
      'What one security scheme of the contract takes in place of the key: its name, =, and a key or user:password. Several in the variable stand on a line each',
    rule: several(CREDENTIAL, CREDENTIAL.expected),
    from: ['flag', 'environment'],
    variable: 'PETSTORE_CREDENTIALS',
    separator: '\n',
    misnomers: ['CREDENTIAL', 'CREDENTIALS'],
  },
  credentials: {
    help: 'what security schemes take instead of the key, by their name, each from an environment variable',
    rule: CREDENTIALS_FROM_VARIABLES,
    from: ['file'],
    examples: [{ basicAuth: { env: 'STAGING_PAIR' } }],
  },
  spec: { value: '<path>', help: 'a contract to test against instead of the shipped one', rule: PATH },
  'allow-outside-refs': { help: 'allow that contract to refer to files outside its folder', rule: SWITCH },
  'allow-remote-refs': { help: 'fetch what that contract refers to by a URL, from public addresses', rule: SWITCH },
  scenarios: {
    value: '<path>',
    help: 'a scenario file, or a folder of them, in addition to the shipped ones',
    rule: PATHS,
  },
  only: { value: '<id>', help: 'run these scenarios and those they depend on: an id or a glob', rule: TEXTS },
  skip: { value: '<id>', help: 'leave these scenarios out: an id or a glob', rule: TEXTS },
  shard: {
    value: '<n/of>',
    help: 'run one part of the scenarios, 2/4 for the second of four; petstore-conformance merge puts the JSON reports together',
    rule: SHARD,
    from: ['flag', 'environment'],
  },
  again: { value: '<id>', help: 'repeat one scenario and those it depends on', rule: TEXTS, from: ['flag'] },
  'read-only': { help: 'send no POST', rule: SWITCH },
  may: {
    value: '<what>',
    help: 'create,update,remove: what to do to records of its own (default: all on this machine, create elsewhere)',
    rule: MAY,
  },
  keep: { help: 'leave what the run created where it could remove it', rule: SWITCH },
  'max-creates': {
    value: '<n>',
    help: 'the most records to create',
    rule: wholeFrom(0),
    otherwise: DEFAULTS.maxCreates,
  },
  'category-id': {
    value: '<id>',
    help: 'the id of an existing category',
    details: 'The id of an existing category; above 2^53 as a string',
    rule: INT64,
    otherwise: 'one found in a list',
  },
  'wait-for-target': { value: '<seconds>', help: 'how long to wait for the target to answer at all', rule: NUMBER },
  timeout: {
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
  rate: { value: '<n>', help: 'the most requests per second', rule: POSITIVE },
  concurrency: {
    value: '<n>',
    help: 'how many scenarios to run at a time',
    rule: wholeFrom(1),
    otherwise: DEFAULT_CONCURRENCY,
  },
  bail: { help: 'stop at the first deviation', rule: SWITCH },
  strict: {
    help: 'treat what is merely worth a look as a deviation: additional fields, short pages, statuses that change',
    rule: SWITCH,
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
    details: 'A profile of what the target did where the contract is silent; the run fails when the target has changed',
    rule: PATH,
  },
  'write-profile': {
    value: '<path>',
    help: 'record what the target does where the contract is silent',
    rule: TEXT,
    from: ['flag'],
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
  report: {
    value: '<formats>',
    help: `${Object.keys(reportFormats).join(', ')}; separate several with commas`,
    details: 'Report formats',
    rule: REPORTS,
    otherwise: 'pretty; with github under GitHub Actions',
  },
  'report-dir': {
    value: '<path>',
    help: 'write the reports, except pretty and github, as files into this folder',
    rule: PATH,
  },
  list: { help: 'list the scenarios and exit', rule: SWITCH, from: ['flag'] },
  'dry-run': { help: 'list the scenarios with their steps and exit', rule: SWITCH, from: ['flag'] },
  header: {
    value: '<line>',
    help: 'a header field for every request, "Name: value"',
    rule: HEADER_LINES,
    from: ['flag'],
  },
  headers: {
    help: 'header fields for every request, by name; one whose name suggests a secret must take its value from an environment variable',
    rule: HEADERS,
    from: ['file'],
    examples: [{ 'X-Trace': 'nightly', 'X-Gateway-Key': { env: 'GATEWAY_KEY' } }],
  },
  ca: { value: '<path>', help: "PEM certificates to trust in addition to Node's own", rule: PATH },
  cert: {
    value: '<path>',
    help: 'a PEM client certificate; PETSTORE_CERT_PASSPHRASE unlocks its key',
    rule: PATH,
  },
  'cert-key': { value: '<path>', help: 'its private key, if it is in another file', rule: PATH },
  'cert-passphrase-env': {
    help: 'the environment variable that holds the passphrase of the key',
    rule: VARIABLE_NAME,
    otherwise: 'PETSTORE_CERT_PASSPHRASE',
    from: ['file'],
  },
  insecure: { help: 'trust any certificate; the reports say so', rule: SWITCH },
  quiet: { help: 'show only the problems and the summary', rule: SWITCH },
  verbose: { help: 'show each scenario as it ends, and all results in full', rule: SWITCH },
  gaps: { help: 'show what the target does where the contract is silent', rule: SWITCH },
  config: {
    value: '<path>',
    help: 'a YAML file with options and targets',
    rule: TEXT,
    from: ['flag', 'environment'],
    otherwise: 'petstore-conformance.yaml, if it exists',
  },
  color: { help: 'print no colours', rule: SWITCH, isNegated: true, from: ['flag'], default: true },
});

export type RunnerOptions = ResolvedOptions<typeof OPTIONS>;

export const PETSTORE_CONFORMANCE: Program = {
  name: 'petstore-conformance',
  description: 'Finds where a deployment of the petstore deviates from its contract.',
  usage: '--target <base_url> [options]',
  prefix: 'PETSTORE_CONFORMANCE_',
  listSeparator: ',',
  options: OPTIONS,
  hint: 'Give the base URL with --target.',
  guessMeaning,
  notes: `
You can also set most options in the config file, under the name of their flag, or in
the environment: PETSTORE_CONFORMANCE_TIMEOUT and so on. A flag takes precedence over
the environment, that over the file. HTTPS_PROXY, HTTP_PROXY and NO_PROXY set proxies.

Exit codes: 0 no deviation, or only known ones; 1 a deviation, a difference from
--profile, an outdated line in the baseline, or --fail-on, --min-coverage or
--min-concluded is met; 2 wrong usage, an unusable file, a key that the target
refuses, or nothing concluded; 3 the target cannot be reached; 4 a bug of this
program; 130 interrupted.

Examples:
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

/** What the first word may be in place of a flag. */
const COMMANDS = ['diff', 'merge'];

function guessMeaning(word: string): string | undefined {
  if (/^https?:/i.test(word)) return `--target ${word}`;
  const command = COMMANDS.find((each) => each === word) ?? findNearest(word, COMMANDS);
  return command === undefined ? undefined : `${command} as the first word`;
}
