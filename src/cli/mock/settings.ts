import { readText } from '../../contract/document/document.js';
import { PetstoreMockError } from '../../errors.js';
import type { Fault } from '../../mock/faults/fault.js';
import type { DelayRange } from '../../mock/world.js';
import { findProblem } from '../../server/check-options.js';
import { DEFAULT_API_KEY, DEFAULT_DRAIN_SECONDS, DEFAULT_HOST } from '../../server/options.js';
import type { CommandLine } from '../options/command-line.js';
import { readConfigFile } from './config-file.js';
import { ADMIN_TOKEN_VARIABLE, CONFIG_VARIABLE, readEnvironment, type Environment } from '../options/environment.js';
import type { LogFormat } from './exchange-log.js';
import { parseFault } from './parse-fault.js';
import { OPTIONS, type ProgramOption } from './options.js';

/** A value that was found good where it was given. */
export interface GivenValue {
  value: unknown;
}

/** What the program runs with, from wherever it comes. */
export interface Settings {
  port: number;
  host: string;
  apiKey: string[];
  spec: string | undefined;
  allowOutsideRefs: boolean;
  fixtures: string | undefined;
  count: number | undefined;
  seed: number | undefined;
  profile: string | undefined;
  delay: number | DelayRange | undefined;
  maxPets: number | undefined;
  log: LogFormat;
  cors: boolean;
  /** As they were written. */
  fault: string[];
  faults: Fault[];
  now: string | undefined;
  maxWorlds: number | undefined;
  maxMemory: number | undefined;
  drain: number;
  admin: boolean;
  adminToken: string | undefined;
  /** The config file that was read. */
  config: string | undefined;
}

const DEFAULT_PORT = 4010;

type Source = ReadonlyMap<string, GivenValue>;

/** Puts the sources together: a flag counts before the environment, the environment before the config file. */
export function resolveSettings(commandLine: CommandLine, env: Environment): Settings {
  const fromEnvironment = readEnvironment(env);
  if (commandLine.config === '') {
    throw new PetstoreMockError('bad-option', '--config must be the path of a config file, not an empty text.');
  }
  const config = commandLine.config ?? (env[CONFIG_VARIABLE] || undefined);
  const sources: Source[] = [
    new Map([...commandLine.values].map(([name, texts]) => [name, readFlag(name, texts)])),
    new Map([...fromEnvironment].map(([name, { text, variable }]) => [name, readGiven(name, [text], variable)])),
    config === undefined ? new Map() : readConfigFile(config),
  ];
  const pick = (name: string): unknown => sources.find((source) => source.has(name))?.get(name)?.value;
  const fault = [pick('fault') ?? []].flat() as string[];
  return {
    port: (pick('port') as number | undefined) ?? DEFAULT_PORT,
    host: (pick('host') as string | undefined) ?? DEFAULT_HOST,
    apiKey: pickKeys(sources),
    spec: pick('spec') as string | undefined,
    allowOutsideRefs: (pick('allow-outside-refs') as boolean | undefined) ?? false,
    fixtures: pick('fixtures') as string | undefined,
    count: pick('count') as number | undefined,
    seed: pick('seed') as number | undefined,
    profile: pick('profile') as string | undefined,
    delay: pick('delay') as Settings['delay'],
    maxPets: pick('max-pets') as number | undefined,
    log: (pick('log') as LogFormat | undefined) ?? 'pretty',
    cors: (pick('cors') as boolean | undefined) ?? true,
    fault,
    faults: readFaults(fault),
    now: pick('now') as string | undefined,
    maxWorlds: pick('max-worlds') as number | undefined,
    maxMemory: pick('max-memory') as number | undefined,
    drain: (pick('drain') as number | undefined) ?? DEFAULT_DRAIN_SECONDS,
    admin: (pick('admin') as boolean | undefined) ?? true,
    adminToken: readAdminToken(env),
    config,
  };
}

function readFlag(name: string, texts: readonly string[]): GivenValue {
  return readGiven(name, texts, `--${name}`);
}

/** Of an option that takes one value and is given several times the last counts. */
function readGiven(name: string, texts: readonly string[], where: string): GivenValue {
  const option = OPTIONS.find((each) => each.name === name) as ProgramOption;
  const values = texts.map((text) => option.read(text));
  const value = option.repeatable === true ? values : values.at(-1);
  const problem = option.findProblem(value);
  if (problem !== undefined) throw new PetstoreMockError('bad-option', `${where} ${problem}`);
  return { value };
}

/** Keys and key files of one source belong together, and replace those of the sources after it. */
function pickKeys(sources: readonly Source[]): string[] {
  const source = sources.find((each) => each.has('api-key') || each.has('api-key-file'));
  if (source === undefined) return [DEFAULT_API_KEY];
  const keys = [source.get('api-key')?.value ?? []].flat() as string[];
  const file = source.get('api-key-file')?.value as string | undefined;
  return file === undefined ? keys : [...keys, ...readKeyFile(file)];
}

/** They were found good where they were given. */
function readFaults(texts: readonly string[]): Fault[] {
  return texts.flatMap((text) => {
    const parsed = parseFault(text);
    return 'fault' in parsed ? [parsed.fault] : [];
  });
}

/** By the environment alone: a command line can be read by every user of the machine, a config file by who has the repository. */
function readAdminToken(env: Environment): string | undefined {
  const token = env[ADMIN_TOKEN_VARIABLE];
  if (token === undefined || token === '') return undefined;
  const problem = findProblem('adminToken', token);
  if (problem !== undefined) throw new PetstoreMockError('bad-option', `${ADMIN_TOKEN_VARIABLE} ${problem}`);
  return token;
}

function readKeyFile(path: string): string[] {
  const keys = readText(path)
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (keys.length === 0) throw new PetstoreMockError('bad-option', `there is no key in ${path}.`);
  const problem = findProblem('apiKey', keys);
  if (problem !== undefined) throw new PetstoreMockError('bad-option', `a key in ${path} ${problem}`);
  return keys;
}
