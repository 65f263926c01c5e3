import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { listShippedPacks } from '../../mock/fixtures/load-fixtures.js';
import { DEFAULT_CAPACITY } from '../../mock/store/memory-collection.js';
import { DEFAULT_MAX_WORLDS } from '../../mock/world/worlds.js';
import { OF_A_SERVER as RULES } from '../../options/petstore-options.js';
import { BOOLEAN, CREDENTIAL, DATE_TEXT, oneOf, path, several } from '../../options/rules.js';
import { DEFAULT_API_KEY, DEFAULT_DRAIN_SECONDS, DEFAULT_HOST } from '../../server/options.js';
import { defineOptions } from '../options/define-options.js';
import { LOG_FORMATS } from './exchange-log.js';
import { FAULTS } from './parse-fault.js';

/** Every option of the program. Options that the library has too follow the library's rules. */
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
    help: 'an OpenAPI document to serve instead of the shipped one',
    once: 'a mock serves one document; start another mock, with another --port, for the other',
    rule: RULES.spec,
  },
  resources: {
    value: '<path>',
    help: 'a file that corrects what is inferred about the resources of the document',
    rule: RULES.resources,
  },
  profile: {
    value: '<path>',
    help: 'what to do where the contract is silent',
    details: 'What to do where the contract is silent: a profile, such as petstore-conformance --write-profile writes',
    rule: path('the path of a profile'),
  },
  handlers: {
    value: '<path>',
    help: 'a module with a function for each operation that you answer yourself: .mjs, .js, or .ts from Node 22.18',
    rule: path('the path of a module of handlers'),
  },
  prism: {
    help: 'do not ask Prism for what the mock cannot make, even if it is installed',
    details: 'Whether Prism, where it is installed, is asked for what the mock cannot make',
    rule: RULES.prism,
    isNegated: true,
    default: true,
  },
  'allow-outside-refs': {
    help: 'allow the document to refer to files outside its folder',
    rule: RULES.allowOutsideRefs,
  },
  'allow-remote-refs': {
    help: 'fetch what the document refers to by a URL, from public addresses',
    rule: RULES.allowRemoteRefs,
  },
  'allow-private-hosts': {
    help: 'fetch the document itself from a private address, too',
    rule: RULES.allowPrivateHosts,
  },
  fixtures: {
    heading: 'The data',
    value: '<name or path>',
    help: 'the pets to start with: a shipped pack (default, edge-cases, empty, int64, large, one, page-bounds), or the path of your own',
    details: 'The fixture pack to start with: the name of a shipped one, or a path. Default: the pack named default',
    rule: RULES.fixtures,
    resolvePath: resolvePack,
    examples: ['default', 'edge-cases', 'empty', 'int64', 'large', 'one', 'page-bounds'],
  },
  count: { value: '<number>', help: 'how many pets to generate, overriding the pack', rule: RULES.count },
  seed: { value: '<number>', help: 'the seed for generated pets: the same seed gives the same pets', rule: RULES.seed },
  now: {
    value: '<date>',
    help: 'the date at which the clock starts, such as 2030-12-05',
    details: 'The date at which the clock starts; it runs on from there. Default: now',
    // The library also accepts milliseconds, which nobody types.
    rule: DATE_TEXT,
    examples: ['2030-12-05', '2030-12-05T00:00:00Z'],
  },
  data: {
    heading: 'Data that lasts',
    value: '<folder>',
    help: 'store what clients create in this folder, for the next start',
    details:
      'The folder in which everything is stored that clients create: it is there again at the next start, even after a crash. What changed is written before the response. It needs the package classic-level. Default: none; everything goes with the process',
    rule: RULES.data,
  },
  'data-sync': {
    help: 'with --data: survive a loss of power too, at some ms for each write',
    details:
      'Whether an answer waits until the disk itself has what changed, so that a loss of power loses nothing either; it takes some milliseconds for all changes that arrive together',
    rule: RULES.dataSync,
  },
  'data-repair': {
    help: 'with --data: go on with what can be read of a damaged folder',
    rule: RULES.dataRepair,
    from: ['flag'],
  },
  shared: {
    value: '<url>',
    help: 'be one mock with all that name this Redis: redis://host/0',
    details:
      'The URL of an engine that speaks the protocol of Redis: redis://[user:password@]host[:port][/database][?prefix=name], or rediss:// for TLS. All mocks that name the same one are one mock. It needs the package ioredis. Default: none; the mock is on its own',
    rule: RULES.shared,
    examples: ['redis://redis.internal:6379/0'],
  },
  delay: {
    heading: 'Trouble on purpose',
    value: '<ms or range>',
    help: 'how long to delay each request: 200, or 100-800',
    details: 'How long to delay each request, in milliseconds: 200, or a range such as 100-800',
    rule: RULES.delay,
    examples: [200, '100-800'],
  },
  fault: {
    value: '<what>',
    help: 'break answers on purpose, such as createPet:500:after:times=2',
    rule: FAULTS,
    misnomers: ['FAULTS'],
    examples: ['createPet:500:after:times=2', '*:delay=100-800', 'listPets:503:retry-after=2:rate=0.1'],
  },
  'api-key': {
    heading: 'Who may call it',
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
    help: 'a key for one security scheme alone: basicAuth=user:password',
    details:
      'What one security scheme of the contract accepts in place of the keys: its name, =, and a key or user:password. Scopes after the name, as in oauth[orders:read]=token, add a token that has only these. In a variable, one per line',
    rule: several(CREDENTIAL, CREDENTIAL.expected),
    variable: 'PETSTORE_CREDENTIALS',
    separator: '\n',
    misnomers: ['CREDENTIAL', 'CREDENTIALS'],
    examples: [['basicAuth=user:password']],
  },
  cors: {
    help: 'block pages of other origins',
    details: 'Whether pages of other origins may use the mock from a browser',
    rule: RULES.cors,
    isNegated: true,
    default: true,
  },
  admin: {
    help: 'turn the admin API off',
    details: 'Whether the admin API is on; it answers on loopback, or with PETSTORE_MOCK_ADMIN_TOKEN',
    rule: RULES.admin,
    isNegated: true,
    default: true,
  },
  // Every user of the machine can read a command line, and everyone with access to the repository a config file.
  'admin-token': { help: 'the token that the admin API requires', rule: RULES.adminToken, from: ['environment'] },
  'max-pets': {
    heading: 'Limits',
    value: '<number>',
    help: 'the most pets to store',
    details: 'The most pets to store; creating one more is answered with 507',
    rule: RULES.maxPets,
    otherwise: DEFAULT_CAPACITY,
  },
  'max-worlds': {
    value: '<number>',
    help: 'the most worlds (isolated petstores) at a time',
    details: 'The most worlds (isolated petstores) at a time; a request for one more is answered with 507',
    rule: RULES.maxWorlds,
    otherwise: DEFAULT_MAX_WORLDS,
  },
  'max-memory': {
    value: '<MiB>',
    help: 'memory for what clients send: pets, worlds, journals, bodies',
    details:
      'Memory for what clients send, in MiB, over all worlds: half for pets, snapshots and worlds (then 507), a quarter for journals (which drop their oldest exchanges), a quarter for bodies being received (then 503)',
    rule: RULES.maxMemory,
    otherwise: "1024, or half of Node's own limit",
  },
  drain: {
    value: '<seconds>',
    help: 'how long to wait, when stopping, for exchanges under way',
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
    help: 'follow contract, fixtures, profile and config as they change',
    details:
      'Whether the mock follows its files: changes are live at once, and what clients created is kept where the contract allows it',
    rule: BOOLEAN,
  },
  log: {
    value: '<format>',
    help: `how to log exchanges: ${LOG_FORMATS.join(', ')}`,
    rule: oneOf(LOG_FORMATS),
    default: 'pretty',
  },
  check: { help: 'check contract, fixtures and config, then exit', rule: BOOLEAN, from: ['flag'] },
  strict: { help: 'with --check: exit with 1 on any note', rule: BOOLEAN, from: ['flag'] },
});

/** A name means a shipped pack; anything else is a path, relative to the config file. */
function resolvePack(value: string, folder: string): string {
  if (listShippedPacks().includes(value)) return value;
  const own = resolve(folder, value);
  return existsSync(own) || /[/\\.]/.test(value) ? own : value;
}
