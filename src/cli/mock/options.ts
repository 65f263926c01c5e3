import { findProblem, type OptionName } from '../../server/check-options.js';
import { suggest } from '../../suggest.js';
import { LOG_FORMATS } from './exchange-log.js';
import { parseFault } from './parse-fault.js';
import { readBoolean } from '../options/read-boolean.js';
import { readDelay } from '../options/read-delay.js';

/** An option of the program, wherever it is given. */
export interface ProgramOption {
  /** As in the config file; the flag is `--` and this, the variable `PETSTORE_MOCK_` and this in capitals. */
  name: string;
  /** As the command line shows it. */
  flag: string;
  description: string;
  /** Its default, where it can be named in a word. */
  default?: string;
  /** Turns a text from the command line or the environment into a value. What does not read as one stays a text. */
  read: (text: string) => unknown;
  /** What is wrong with a value, a sentence that begins with the option's name; `undefined` when nothing is. */
  findProblem: (value: unknown) => string | undefined;
  /** The value names a file; in a config file it is relative to that file. */
  isPath?: boolean;
  /** The variable's name where it is another one. */
  variable?: string;
  /** It may be given several times, and all of them count. */
  repeatable?: boolean;
  /** It is true unless a flag, `--no-` and its name, says otherwise. */
  negated?: boolean;
  /** It takes no value, and is false unless it is given. */
  isSwitch?: boolean;
}

export const OPTIONS: readonly ProgramOption[] = [
  {
    name: 'port',
    flag: '-p, --port <number>',
    description: 'the port to listen on; 0 takes a free one',
    default: '4010',
    read: readNumber,
    findProblem: asLibrary('port'),
  },
  {
    name: 'host',
    flag: '-h, --host <address>',
    description: 'the address to listen on; 0.0.0.0 for all',
    default: '127.0.0.1',
    read: readText,
    findProblem: asLibrary('host'),
  },
  {
    name: 'api-key',
    flag: '--api-key <key>',
    description: 'a key to accept; may be repeated',
    default: 'petstore-dev-key',
    read: readText,
    findProblem: asLibrary('apiKey'),
    variable: 'PETSTORE_API_KEY',
    repeatable: true,
  },
  {
    name: 'api-key-file',
    flag: '--api-key-file <path>',
    description: 'a file with keys to accept, one a line',
    read: readText,
    findProblem: (value) => (isText(value) ? undefined : 'must be the path of a file with keys.'),
    isPath: true,
  },
  {
    name: 'spec',
    flag: '--spec <path>',
    description: 'an OpenAPI document to serve in place of the one that ships',
    read: readText,
    findProblem: asLibrary('spec'),
    isPath: true,
  },
  {
    name: 'allow-outside-refs',
    flag: '--allow-outside-refs',
    description: 'let the document refer to files outside its folder',
    read: (text) => readBoolean(text) ?? text,
    findProblem: asLibrary('allowOutsideRefs'),
    isSwitch: true,
  },
  {
    name: 'fixtures',
    flag: '--fixtures <name or path>',
    description:
      'the pets to start with: a pack that ships (default, edge-cases, empty, int64, large, one, page-bounds), or the path of yours',
    read: readText,
    findProblem: asLibrary('fixtures'),
    isPath: true,
  },
  {
    name: 'count',
    flag: '--count <number>',
    description: 'how many pets to generate, whatever the pack says',
    read: readNumber,
    findProblem: asLibrary('count'),
  },
  {
    name: 'seed',
    flag: '--seed <number>',
    description: 'the seed of what is generated: same seed, same pets',
    read: readNumber,
    findProblem: asLibrary('seed'),
  },
  {
    name: 'profile',
    flag: '--profile <path>',
    description: 'do as this profile says where the contract is silent',
    read: readText,
    findProblem: (value) => (isText(value) ? undefined : 'must be the path of a profile.'),
    isPath: true,
  },
  {
    name: 'delay',
    flag: '--delay <ms or range>',
    description: 'how long to hold back each request: 200, or 100-800',
    read: readDelay,
    // A config file may write a range as text too.
    findProblem: (value) => asLibrary('delay')(typeof value === 'string' ? readDelay(value) : value),
  },
  {
    name: 'max-pets',
    flag: '--max-pets <number>',
    description: 'the most pets that the store takes',
    default: '1000000',
    read: readNumber,
    findProblem: asLibrary('maxPets'),
  },
  {
    name: 'fault',
    flag: '--fault <what>',
    description: 'break answers on purpose, such as createPet:500:after:times=2; may be repeated',
    read: readText,
    findProblem: findFaultProblem,
    repeatable: true,
  },
  {
    name: 'now',
    flag: '--now <date>',
    description: 'the date that the mock begins with, such as 2030-12-05',
    read: readText,
    // The library takes milliseconds too, which nobody types.
    findProblem: (value) => (isText(value) ? asLibrary('now')(value) : 'must be a date such as 2030-12-05.'),
  },
  {
    name: 'max-worlds',
    flag: '--max-worlds <number>',
    description: 'the most isolated petstores at a time',
    default: '1000',
    read: readNumber,
    findProblem: asLibrary('maxWorlds'),
  },
  {
    name: 'max-memory',
    flag: '--max-memory <MiB>',
    description:
      "how much is kept of what clients send: pets, worlds, journals, bodies (default 1024, or half of Node's own limit)",
    read: readNumber,
    findProblem: asLibrary('maxMemory'),
  },
  {
    name: 'drain',
    flag: '--drain <seconds>',
    description: 'how long the end waits for exchanges under way',
    default: '5',
    read: readSeconds,
    findProblem: asLibrary('drain'),
  },
  {
    name: 'log',
    flag: '--log <format>',
    description: `how exchanges are logged: ${LOG_FORMATS.join(', ')}`,
    default: 'pretty',
    read: readText,
    findProblem: findLogProblem,
  },
  {
    name: 'cors',
    flag: '--no-cors',
    description: 'keep pages of other origins out',
    read: (text) => readBoolean(text) ?? text,
    findProblem: asLibrary('cors'),
    negated: true,
  },
  {
    name: 'admin',
    flag: '--no-admin',
    description: 'no admin API',
    read: (text) => readBoolean(text) ?? text,
    findProblem: asLibrary('admin'),
    negated: true,
  },
];

/** The environment variable of an option. */
export function variableOf({ name, variable }: ProgramOption): string {
  return variable ?? `PETSTORE_MOCK_${name.toUpperCase().replaceAll('-', '_')}`;
}

function asLibrary(name: OptionName): ProgramOption['findProblem'] {
  return (value) => findProblem(name, value);
}

function readText(text: string): unknown {
  return text;
}

function readNumber(text: string): unknown {
  return /^\d{1,15}$/.test(text) ? Number(text) : text;
}

/** `5`, or `0.5`. */
function readSeconds(text: string): unknown {
  return /^\d{1,15}(?:\.\d{1,3})?$/.test(text) ? Number(text) : text;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

/** One fault, or several of a config file or the command line. */
function findFaultProblem(value: unknown): string | undefined {
  const expected = 'must be an operation or *, and what happens, such as createPet:500:after:times=2';
  const texts = [value].flat();
  if (texts.length === 0 || !texts.every(isText)) return `${expected}.`;
  for (const text of texts) {
    const parsed = parseFault(text as string);
    if ('problem' in parsed) return `${expected}; ${parsed.problem}${parsed.problem.endsWith('?') ? '' : '.'}`;
  }
  return undefined;
}

function findLogProblem(value: unknown): string | undefined {
  if (LOG_FORMATS.some((format) => format === value)) return undefined;
  const known = `must be ${LOG_FORMATS.slice(0, -1).join(', ')} or ${LOG_FORMATS.at(-1)}`;
  return typeof value === 'string' && value !== ''
    ? `${known}, not ${value}${suggest(value, LOG_FORMATS)}`
    : `${known}.`;
}
