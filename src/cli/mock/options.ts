import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { listShippedPacks } from '../../mock/fixtures/load-fixtures.js';
import { DEFAULT_CAPACITY } from '../../mock/store/memory-store.js';
import { DEFAULT_MAX_WORLDS } from '../../mock/world/worlds.js';
import { OF_A_SERVER as RULES } from '../../options/petstore-options.js';
import { BOOLEAN, DATE_TEXT, oneOf, path } from '../../options/rules.js';
import { DEFAULT_API_KEY, DEFAULT_DRAIN_SECONDS, DEFAULT_HOST } from '../../server/options.js';
import { defineOptions, type Program } from '../options/define-options.js';
import { LOG_FORMATS } from './exchange-log.js';
import { FAULTS } from './parse-fault.js';

/** Every option of the program. Those that the library has too have its rules. */
export const OPTIONS = defineOptions({
  port: {
    short: '-p',
    value: '<number>',
    help: 'the port to listen on; 0 takes a free one',
    rule: RULES.port,
    default: 4010,
    // Kubernetes sets `PETSTORE_MOCK_PORT=tcp://10.0.0.1:4010` in every container
    // beside a service that is called petstore-mock, and so do Docker's links.
    ignoredText: /^(?:tcp|udp):\/\//,
  },
  host: {
    short: '-h',
    value: '<address>',
    help: 'the address to listen on; 0.0.0.0 for all',
    rule: RULES.host,
    default: DEFAULT_HOST,
    examples: ['0.0.0.0', '::1'],
  },
  'api-key': {
    value: '<key>',
    help: 'a key to accept',
    details: 'The key to accept, or several. The default one is not accepted beside them.',
    rule: RULES.apiKey,
    default: DEFAULT_API_KEY,
    variable: 'PETSTORE_API_KEY',
    misnomers: ['KEY'],
  },
  'api-key-file': {
    value: '<path>',
    help: 'a file with keys to accept, one a line',
    rule: path('the path of a file with keys'),
  },
  spec: { value: '<path>', help: 'an OpenAPI document to serve in place of the one that ships', rule: RULES.spec },
  'allow-outside-refs': { help: 'let the document refer to files outside its folder', rule: RULES.allowOutsideRefs },
  fixtures: {
    value: '<name or path>',
    help: 'the pets to start with: a pack that ships (default, edge-cases, empty, int64, large, one, page-bounds), or the path of yours',
    details: 'The fixture pack to start with: one that ships, default if none is named, or a path',
    rule: RULES.fixtures,
    resolvePath: resolvePack,
    examples: ['default', 'edge-cases', 'empty', 'int64', 'large', 'one', 'page-bounds'],
  },
  count: { value: '<number>', help: 'how many pets to generate, whatever the pack says', rule: RULES.count },
  seed: { value: '<number>', help: 'the seed of what is generated: same seed, same pets', rule: RULES.seed },
  profile: {
    value: '<path>',
    help: 'do as this profile says where the contract is silent',
    details: 'What to do where the contract is silent, as petstore-conformance --write-profile writes it',
    rule: path('the path of a profile'),
  },
  delay: {
    value: '<ms or range>',
    help: 'how long to hold back each request: 200, or 100-800',
    details: 'How long to hold back each request, in milliseconds: 200, or a range such as 100-800',
    rule: RULES.delay,
    examples: [200, '100-800'],
  },
  'max-pets': {
    value: '<number>',
    help: 'the most pets that the store takes',
    details: 'The most pets that the store takes; a create past it is answered with 507',
    rule: RULES.maxPets,
    otherwise: DEFAULT_CAPACITY,
  },
  fault: {
    value: '<what>',
    help: 'break answers on purpose, such as createPet:500:after:times=2',
    rule: FAULTS,
    misnomers: ['FAULTS'],
    examples: ['createPet:500:after:times=2', '*:delay=100-800', 'listPets:503:retry-after=2:rate=0.1'],
  },
  now: {
    value: '<date>',
    help: 'the date that the mock begins with, such as 2030-12-05',
    details: 'The date that the mock begins with; it runs on from there. Default: today',
    // The library takes milliseconds too, which nobody types.
    rule: DATE_TEXT,
    examples: ['2030-12-05', '2030-12-05T00:00:00Z'],
  },
  'max-worlds': {
    value: '<number>',
    help: 'the most isolated petstores at a time',
    details: 'The most isolated petstores at a time; one more is answered with 507',
    rule: RULES.maxWorlds,
    otherwise: DEFAULT_MAX_WORLDS,
  },
  'max-memory': {
    value: '<MiB>',
    help: 'how much is kept of what clients send: pets, worlds, journals, bodies',
    details:
      'How much is kept of what clients send, in MiB, over all worlds: half of it for pets, snapshots and worlds (507 past it), a quarter for journals (the oldest exchanges go), a quarter for bodies on their way in (503 past it)',
    rule: RULES.maxMemory,
    otherwise: "1024, or half of Node's own limit",
  },
  drain: {
    value: '<seconds>',
    help: 'how long the end waits for exchanges under way',
    rule: RULES.drain,
    default: DEFAULT_DRAIN_SECONDS,
  },
  log: {
    value: '<format>',
    help: `how exchanges are logged: ${LOG_FORMATS.join(', ')}`,
    rule: oneOf(LOG_FORMATS),
    default: 'pretty',
  },
  cors: {
    help: 'keep pages of other origins out',
    details: 'Whether pages of other origins may use the mock from a browser',
    rule: RULES.cors,
    isNegated: true,
    default: true,
  },
  admin: {
    help: 'no admin API',
    details: 'Whether there is an admin API; it answers on loopback, or to PETSTORE_MOCK_ADMIN_TOKEN',
    rule: RULES.admin,
    isNegated: true,
    default: true,
  },
  // A command line can be read by every user of the machine, a config file by who has the repository.
  'admin-token': { help: 'what the admin API asks for', rule: RULES.adminToken, from: ['environment'] },
  config: {
    value: '<path>',
    help: 'a YAML file with options; a flag or a variable counts before it',
    rule: path('the path of a config file'),
    from: ['flag', 'environment'],
  },
  check: { help: 'check contract, fixtures and config, then end', rule: BOOLEAN, from: ['flag'] },
});

/** A pack that ships is meant by its name, any other by a path from where the config file stands. */
function resolvePack(value: string, folder: string): string {
  if (listShippedPacks().includes(value)) return value;
  const own = resolve(folder, value);
  return existsSync(own) || /[/\\.]/.test(value) ? own : value;
}

export const PETSTORE_MOCK: Program = {
  name: 'petstore-mock',
  description: 'A stateful mock of the petstore that validates requests and its own answers.',
  usage: '[options]',
  prefix: 'PETSTORE_MOCK_',
  options: OPTIONS,
  hint: 'Several keys are given by repeating --api-key.',
  guessMeaning,
  notes: `
Every option may also stand in the config file under the name of its flag, or in
the environment as PETSTORE_MOCK_PORT, PETSTORE_MOCK_HOST and so on. The key is
PETSTORE_API_KEY, and PETSTORE_MOCK_CORS=false is --no-cors. A flag counts
before the environment, the environment before the config file. The token of the
admin API is PETSTORE_MOCK_ADMIN_TOKEN, and nowhere else.

Examples:
  petstore-mock                          50 pets on http://127.0.0.1:4010/v1
  petstore-mock --fixtures empty -p 0    no pets, on a free port
  petstore-mock --count 500 --seed 7     500 pets, always the same
  petstore-mock --delay 100-800          as slow as a real network
  petstore-mock --fault '*:503:rate=0.1' one request in ten fails
  petstore-mock --now 2030-12-05         the day the deprecated operation goes
  petstore-mock --config mock.yaml       options from a file
  petstore-mock --check --spec api.yaml  can it serve this document?
`,
};

function guessMeaning(word: string): string | undefined {
  if (/^\d+$/.test(word)) return `--port ${word}`;
  if (/\.(?:ya?ml|json)$/i.test(word)) return `--spec ${word}, or --fixtures or --config`;
  if (/^https?:/i.test(word)) return `petstore-conformance --target ${word}`;
  return listShippedPacks().includes(word) ? `--fixtures ${word}` : undefined;
}
