import { PetstoreMockError } from '../errors.js';
import { suggest } from '../suggest.js';
import {
  BOOLEAN,
  CREDENTIALS,
  DATE_TEXT,
  DELAY,
  ENGINE_URL,
  isText,
  KEY,
  SECONDS,
  path,
  readDate,
  several,
  text,
  wholeNumber,
} from './rules.js';
import { findProblem, type Rule } from './rule.js';

/** The options of a petstore, for the library and the program alike: one rule each. `PetstoreOptions` documents them. */
export const OF_EVERY_PETSTORE = {
  spec: path('the path or URL of an OpenAPI document'),
  allowOutsideRefs: BOOLEAN,
  allowRemoteRefs: BOOLEAN,
  allowPrivateHosts: BOOLEAN,
  prism: BOOLEAN,
  handlers: {
    expected: 'functions by operationId',
    accepts: (value): value is object => typeof value === 'object' && value !== null && !Array.isArray(value),
    schema: {},
  },
  resources: path('the path of a file of resources'),
  fixtures: path('the name of a fixture pack, or its path'),
  profile: {
    expected: 'the path of a profile, or one in memory',
    accepts: (value): value is string | object => isText(value) || (typeof value === 'object' && value !== null),
    schema: {},
  },
  count: wholeNumber(),
  seed: wholeNumber(),
  maxPets: wholeNumber(),
  apiKey: several(KEY, 'a key, or several'),
  credentials: CREDENTIALS,
  delay: DELAY,
  faults: {
    expected: 'a list of faults',
    accepts: (value): value is readonly unknown[] => Array.isArray(value),
    schema: { type: 'array' },
  },
  now: {
    ...DATE_TEXT,
    accepts: (value): value is Date | string | number =>
      (typeof value === 'string' || typeof value === 'number' || value instanceof Date) &&
      readDate(value) !== undefined,
  },
  maxWorlds: wholeNumber({ from: 1 }),
  maxMemory: wholeNumber({ from: 1, of: ' of MiB' }),
} as const satisfies Readonly<Record<string, Rule>>;

/** The further options of a petstore that is reached over HTTP. */
export const OF_AN_APP = { ...OF_EVERY_PETSTORE, cors: BOOLEAN, adminToken: KEY };

/** And of one that listens on its own port. */
export const OF_A_SERVER = {
  ...OF_AN_APP,
  admin: BOOLEAN,
  port: wholeNumber({ to: 65_535 }),
  drain: SECONDS,
  host: text('an address of this machine, such as 127.0.0.1'),
  data: path('the path of a folder'),
  dataSync: BOOLEAN,
  dataRepair: BOOLEAN,
  shared: ENGINE_URL,
};

/** Throws a {@link PetstoreMockError} (`bad-option`) for an unknown option or an invalid value. */
export function checkOptions<Options extends object>(
  options: Options,
  rules: Readonly<Record<keyof Options & string, Rule>>,
): void {
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(rules, name))
      throw new PetstoreMockError('bad-option', `there is no option ${name}${suggest(name, Object.keys(rules))}`);
    const problem = value === undefined ? undefined : findProblem(rules[name as keyof typeof rules], value);
    if (problem !== undefined) throw new PetstoreMockError('bad-option', `the option ${name} ${problem}`);
  }
}
