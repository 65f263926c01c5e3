import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { listShippedPacks } from '../../mock/fixtures/load-fixtures.js';
import { DEFAULT_CAPACITY } from '../../mock/store/collection.js';
import { DEFAULT_MAX_WORLDS } from '../../mock/world/worlds.js';
import { OF_A_SERVER as RULES } from '../../options/petstore-options.js';
import { BOOLEAN, CREDENTIAL, DATE_TEXT, oneOf, path, several, isText, readDelay } from '../../options/rules.js';
import { DEFAULT_API_KEY, DEFAULT_DRAIN_SECONDS, DEFAULT_HOST } from '../../server/options.js';
import { defineOptions, type Program } from '../options/define-options.js';
import { LOG_FORMATS } from './exchange-log.js';
import { parseJson } from '../../contract/document/json.js';
import { findShapeProblems } from '../../mock/faults/apply-fault.js';
import type { Fault } from '../../mock/faults/faults.js';
import { suggest } from '../../suggest.js';
import type { Rule } from '../../options/rule.js';

type ParsedFault = { fault: Fault } | { problem: string };
type Part = 'fault' | 'effect' | 'when';

/** Words that stand alone: the part, the member and its value. */
const WORDS: Readonly<Record<string, [Part, string, unknown]>> = {
  before: ['fault', 'at', 'before'],
  after: ['fault', 'at', 'after'],
  reset: ['effect', 'reset', true],
  truncate: ['effect', 'truncate', true],
  'invalid-json': ['effect', 'invalidJson', true],
  'break-contract': ['effect', 'breakContract', true],
};

/** A value that is not a number stays a text, which the check then refuses. */
const readNumber = (text: string): unknown => (/^\d{1,15}(?:\.\d{1,15})?$/.test(text) ? Number(text) : text);
const asText = (text: string): string => text;

const SETTINGS: Readonly<Record<string, [Part, string, (text: string) => unknown]>> = {
  delay: ['effect', 'delay', readDelay],
  'retry-after': ['effect', 'retryAfter', readNumber],
  code: ['effect', 'code', asText],
  times: ['fault', 'times', readNumber],
  rate: ['fault', 'rate', readNumber],
  seed: ['fault', 'seed', readNumber],
  method: ['when', 'method', asText],
  path: ['when', 'path', asText],
  status: ['when', 'status', readNumber],
};

/** Reads `createPet:500:after:times=2`, `listPets:503:retry-after=2:query.status=sold`, or a fault as JSON. */
export function parseFault(text: string): ParsedFault {
  if (text.startsWith('{')) {
    const parsed = parseJson(text);
    return parsed.ok ? checkFault(text, parsed.value) : { problem: `in ${text}, ${parsed.problem.message}` };
  }
  const [operation = '', ...words] = text.split(':');
  if (operation === '' || words.length === 0) return { problem: `${text === '' ? 'an empty text' : text} is not` };
  const draft: Record<Part, Record<string, unknown>> = { fault: {}, effect: {}, when: {} };
  if (operation !== '*') draft.fault['operationId'] = operation;
  for (const word of words) {
    // `query.status=sold`: a condition on a part of the request.
    const [, part, pair] = /^(query|header)\.([^=]+=.*)$/.exec(word) ?? [];
    const [name = '', ...values] = (pair ?? word).split('=');
    const value = values.join('=');
    const alone = Object.hasOwn(WORDS, name) && values.length === 0 ? WORDS[name] : undefined;
    const setting = Object.hasOwn(SETTINGS, name) && values.length > 0 ? SETTINGS[name] : undefined;
    if (/^\d+$/.test(word)) draft.effect['status'] = Number(word);
    else if (part !== undefined) {
      const of = part === 'query' ? 'query' : 'headers';
      draft.when[of] = { ...(draft.when[of] as object | undefined), [name]: value };
    } else if (alone !== undefined) draft[alone[0]][alone[1]] = alone[2];
    else if (setting !== undefined) draft[setting[0]][setting[1]] = setting[2](value);
    else return { problem: `in ${text}, ${describeUnknown(word, name)}` };
  }
  const { fault, effect, when } = draft;
  return checkFault(text, { ...fault, effect, ...(Object.keys(when).length === 0 ? {} : { when }) });
}

function checkFault(text: string, fault: unknown): ParsedFault {
  const problems = findShapeProblems(fault);
  return problems.length > 0 ? { problem: `in ${text}, ${problems.join('; ')}` } : { fault: fault as Fault };
}

function describeUnknown(word: string, name: string): string {
  const settings = Object.keys(SETTINGS).map((each) => `${each}=`);
  const known = ['a status', ...Object.keys(WORDS), ...settings, 'query.<name>=', 'header.<name>='];
  const near = suggest(name, [...Object.keys(WORDS), ...Object.keys(SETTINGS)]).replace(/\.$/, '');
  return `${word} is not one of ${known.join(', ')}${near}`;
}

const EXPECTED = 'an operation or *, and what happens, such as createPet:500:after:times=2';

const FAULT: Rule<string> = {
  expected: EXPECTED,
  accepts: (value): value is string => isText(value) && 'fault' in parseFault(value),
  explain: (value) => {
    const parsed = isText(value) ? parseFault(value) : { problem: undefined };
    return `must be ${EXPECTED}${'problem' in parsed && parsed.problem !== undefined ? `; ${parsed.problem}` : ''}`;
  },
  schema: { type: 'string', pattern: String.raw`^(?:\{[\s\S]*\}|[^:{][^:]*(?::[^:]+)+)$` },
};

const FAULTS = several(FAULT, EXPECTED);

/** They were checked where they were given. */
export function readFaults(texts: readonly string[]): Fault[] {
  return texts.flatMap((text) => {
    const parsed = parseFault(text);
    return 'fault' in parsed ? [parsed.fault] : [];
  });
}

export const OPTIONS = defineOptions({
  port: {
    heading: 'Where it listens',
    short: '-p',
    value: '<number>',
    help: 'the port to listen on; 0 picks a free one',
    rule: RULES.port,
    default: 4010,
    // Kubernetes sets `PETSTORE_MOCK_PORT=tcp://10.0.0.1:4010` in every container
    // next to a service called petstore-mock, and so do Docker's links.
    ignoredText: /^(?:tcp|udp):\/\//,
    // Platforms that run containers say there which port they forward.
    otherVariable: 'PORT',
  },
  host: {
    short: '-h',
    value: '<address>',
    help: 'the address to listen on; 0.0.0.0 means all',
    rule: RULES.host,
    default: DEFAULT_HOST,
    examples: ['0.0.0.0', '::1'],
  },
  spec: {
    heading: 'The contract',
    value: '<path or URL>',
    help: 'the OpenAPI document to serve',
    otherwise: 'the petstore',
    once: 'a mock serves one document; start another mock, with another --port, for the other',
    rule: RULES.spec,
  },
  resources: {
    value: '<path>',
    help: 'a file that corrects which resources were inferred from the document',
    rule: RULES.resources,
  },
  profile: {
    value: '<path>',
    help: 'a file that says how to behave where the contract is silent',
    details: 'A profile: how to behave where the contract is silent, as petstore-conformance --write-profile writes it',
    rule: path('the path of a profile'),
  },
  handlers: {
    value: '<path>',
    help: 'a module with your own functions for some operations: .mjs, .js, or .ts from Node 22.18',
    rule: path('the path of a module of handlers'),
  },
  prism: {
    help: 'do not use Prism for responses that the mock cannot generate',
    details: 'Whether Prism, if it is installed, generates the responses that the mock cannot',
    rule: RULES.prism,
    isNegated: true,
    default: true,
  },
  'allow-outside-refs': {
    help: 'resolve a $ref to files outside the folder of the document',
    rule: RULES.allowOutsideRefs,
  },
  'allow-remote-refs': {
    help: 'fetch the target of a $ref that is a URL, from public addresses',
    rule: RULES.allowRemoteRefs,
  },
  'allow-private-hosts': { help: 'allow the document itself at a private address', rule: RULES.allowPrivateHosts },
  fixtures: {
    heading: 'The data',
    value: '<name or path>',
    help: 'the records to start with: a shipped pack (default, edge-cases, empty, int64, large, one, page-bounds), or the path of your own',
    details: 'The fixture pack to start with: the name of a shipped one, or a path. Default: the pack named default',
    rule: RULES.fixtures,
    // A name means a shipped pack; anything else is a path, relative to the config file.
    resolvePath(value, folder) {
      if (listShippedPacks().includes(value)) return value;
      const own = resolve(folder, value);
      return existsSync(own) || /[/\\.]/.test(value) ? own : value;
    },
    examples: ['default', 'edge-cases', 'empty', 'int64', 'large', 'one', 'page-bounds'],
  },
  count: { value: '<number>', help: 'how many records to generate, instead of what the pack says', rule: RULES.count },
  seed: {
    value: '<number>',
    help: 'the seed for generated records: the same seed gives the same records',
    rule: RULES.seed,
  },
  now: {
    value: '<date>',
    help: 'the time at which the clock starts, such as 2030-12-05',
    details: 'The date at which the clock starts; it runs on from there. Default: now',
    // The library also accepts milliseconds, which nobody types.
    rule: DATE_TEXT,
    examples: ['2030-12-05', '2030-12-05T00:00:00Z'],
  },
  data: {
    heading: 'Persistence',
    value: '<folder>',
    help: 'store created records in this folder, for the next start',
    details:
      'The folder that stores created records. They are there again at the next start, even after a crash: each change is written before its response. Needs the package classic-level. Default: none; all records are lost when the process ends',
    rule: RULES.data,
  },
  'data-sync': {
    help: 'with --data: survive a power failure too; each write takes some ms',
    details:
      'Whether a response waits until the change is on disk, so that a power failure loses nothing either. This takes some milliseconds for all changes that arrive together',
    rule: RULES.dataSync,
  },
  'data-repair': {
    help: 'with --data: continue with what is readable in a damaged folder',
    rule: RULES.dataRepair,
    from: ['flag'],
  },
  shared: {
    value: '<url>',
    help: 'share state with every mock that uses this Redis: redis://host/0',
    details:
      'The URL of a Redis, or of a server with its protocol: redis://[user:password@]host[:port][/database][?prefix=name], or rediss:// for TLS. All mocks with the same URL share their state. Needs the package ioredis. Default: none; nothing is shared',
    rule: RULES.shared,
    examples: ['redis://redis.internal:6379/0'],
  },
  delay: {
    heading: 'Fault injection',
    value: '<ms or range>',
    help: 'delay each response, in ms: 200, or 100-800',
    details: 'How long to delay each response, in milliseconds: 200, or a range such as 100-800',
    rule: RULES.delay,
    examples: [200, '100-800'],
  },
  fault: {
    value: '<what>',
    help: 'inject a fault into responses, such as createPet:500:after:times=2',
    rule: FAULTS,
    misnomers: ['FAULTS'],
    examples: ['createPet:500:after:times=2', '*:delay=100-800', 'listPets:503:retry-after=2:rate=0.1'],
  },
  'api-key': {
    heading: 'Access',
    value: '<key>',
    help: 'a key to accept',
    details: 'The key to accept, or several. They replace the default key.',
    rule: RULES.apiKey,
    default: DEFAULT_API_KEY,
    variable: 'PETSTORE_API_KEY',
    misnomers: ['KEY'],
  },
  'api-key-file': {
    value: '<path>',
    help: 'a file with keys to accept, one per line',
    rule: path('the path of a file with keys'),
  },
  credential: {
    value: '<scheme=key>',
    help: 'a key for one security scheme: basicAuth=user:password',
    details:
      'A credential that one security scheme of the contract accepts, in place of the keys: its name, =, and a key or user:password. With scopes after the name, as in oauth[orders:read]=token, the token has only these scopes. In a variable, one per line',
    rule: several(CREDENTIAL, CREDENTIAL.expected),
    variable: 'PETSTORE_CREDENTIALS',
    separator: '\n',
    misnomers: ['CREDENTIAL', 'CREDENTIALS'],
    examples: [['basicAuth=user:password']],
  },
  cors: {
    help: 'reject requests from pages of other origins',
    details: 'Whether pages of other origins may use the mock from a browser',
    rule: RULES.cors,
    isNegated: true,
    default: true,
  },
  admin: {
    help: 'turn the admin API off',
    details: 'Whether the admin API is on. It responds on loopback, or with PETSTORE_MOCK_ADMIN_TOKEN',
    rule: RULES.admin,
    isNegated: true,
    default: true,
  },
  // Every user of the machine can read a command line, and everyone with access to the repository a config file.
  'admin-token': { help: 'the token that the admin API requires', rule: RULES.adminToken, from: ['environment'] },
  'max-pets': {
    heading: 'Limits',
    value: '<number>',
    help: 'the most records to store',
    details: 'The most records to store; creating one more gets 507',
    rule: RULES.maxPets,
    otherwise: DEFAULT_CAPACITY,
  },
  'max-worlds': {
    value: '<number>',
    help: 'the most worlds (isolated mocks) at a time',
    details: 'The most worlds (isolated mocks) at a time; a request for one more gets 507',
    rule: RULES.maxWorlds,
    otherwise: DEFAULT_MAX_WORLDS,
  },
  'max-memory': {
    value: '<MiB>',
    help: 'memory for what clients send: records, worlds, journals, bodies',
    details:
      'Memory for what clients send, in MiB, over all worlds: half for records, snapshots and worlds (then 507), a quarter for journals (which then drop their oldest exchanges), a quarter for bodies being received (then 503)',
    rule: RULES.maxMemory,
    otherwise: "1024, or half of Node's own limit",
  },
  drain: {
    value: '<seconds>',
    help: 'how long to wait for open requests when stopping',
    rule: RULES.drain,
    default: DEFAULT_DRAIN_SECONDS,
  },
  config: {
    heading: 'The program',
    value: '<path>',
    help: 'a YAML file with options; flags and variables take precedence',
    rule: path('the path of a config file'),
    from: ['flag', 'environment'],
  },
  watch: {
    help: 'reload contract, fixtures, profile and config when they change',
    details:
      'Whether the mock reloads its files when they change. Created records are kept where the contract allows it',
    rule: BOOLEAN,
  },
  log: {
    value: '<format>',
    help: `how to log exchanges: ${LOG_FORMATS.join(', ')}`,
    rule: oneOf(LOG_FORMATS),
    default: 'pretty',
  },
  check: { help: 'check contract, fixtures and config, then exit', rule: BOOLEAN, from: ['flag'] },
  strict: { help: 'with --check: treat notes as errors (exit code 1)', rule: BOOLEAN, from: ['flag'] },
});

export const PETSTORE_MOCK: Program = {
  name: 'petstore-mock',
  description:
    'A stateful mock server for an OpenAPI document. It validates requests and its own responses. Without --spec, it serves the petstore.',
  commands: { mcp: 'serve the mock and the contract tests to coding agents (MCP over stdio)' },
  usual: ['port', 'spec', 'fixtures', 'data', 'delay', 'fault', 'api-key', 'watch', 'log', 'check'],
  shortNotes: `
Examples:
  petstore-mock --spec api.yaml --port 4011
  petstore-mock --delay 100-800 --fault '*:503:rate=0.1'`,
  usage: '[options]\n       petstore-mock mcp [options]',
  prefix: 'PETSTORE_MOCK_',
  options: OPTIONS,
  hint: 'To give several keys, repeat --api-key.',
  guessMeaning,
  notes: `
You can also set an option in the config file, under the name of its flag, or in
the environment: PETSTORE_MOCK_PORT, PETSTORE_MOCK_HOST and so on. The key is
PETSTORE_API_KEY; PETSTORE_MOCK_CORS=false means --no-cors; PORT is the port if
PETSTORE_MOCK_PORT is not set. A flag takes precedence over the environment, and
the environment over the config file. The token of the admin API comes from
PETSTORE_MOCK_ADMIN_TOKEN only.

Examples:
  petstore-mock                          50 pets on http://127.0.0.1:4010/v1
  petstore-mock --fixtures empty -p 0    no pets, on a free port
  petstore-mock --count 500 --seed 7     500 pets, always the same
  petstore-mock --delay 100-800          as slow as a real network
  petstore-mock --fault '*:503:rate=0.1' one request in ten fails
  petstore-mock --now 2030-12-05         the day the deprecated operation ends
  petstore-mock --config mock.yaml       options from a file
  petstore-mock --check --spec api.yaml  lists what the mock cannot serve
  petstore-mock mcp                      tools for coding agents
`,
};

function guessMeaning(word: string): string | undefined {
  if (/^\d+$/.test(word)) return `--port ${word}`;
  if (/\.(?:ya?ml|json)$/i.test(word)) return `--spec ${word}, or --fixtures or --config`;
  if (/^https?:/i.test(word)) return `petstore-conformance --target ${word}`;
  return listShippedPacks().includes(word) ? `--fixtures ${word}` : undefined;
}
