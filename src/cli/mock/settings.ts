import { readDocument, readText } from '../../contract/document/document.js';
import { prepareSpec } from '../../contract/contract.js';
import { isWebUrl } from '../../contract/remote/read-remote.js';
import { PetstoreMockError } from '../../errors.js';
import type { Fault } from '../../mock/faults/faults.js';
import { OF_A_SERVER as RULES } from '../../options/petstore-options.js';
import type { OwnHandlers } from '../../server/own-handlers.js';
import { findProblem } from '../../options/rule.js';
import { readCredentials } from '../../options/rules.js';
import { readCommandLine } from '../options/command-line.js';
import type { Source, Environment, Values } from '../options/define-options.js';
import { readConfigOptions, bad, readEnvironment, resolveOptions } from '../options/define-options.js';
import { OPTIONS, PETSTORE_MOCK, readFaults } from './options.js';
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

export interface Settings extends Omit<Values<typeof OPTIONS>, 'handlers'> {
  handlers: OwnHandlers | undefined;
  handlersFile: string | undefined;
  faults: Fault[];
  credentials: Record<string, string[]>;
  /** The place of an option in the config file: `mock.yaml:3`; `undefined` if another source decides. */
  placeInConfig: (option: keyof typeof OPTIONS) => string | undefined;
}

/** Merges the sources: a flag takes precedence over the environment, the environment over the config file. */
export async function readSettings(argv: readonly string[], env: Environment, version: string): Promise<Settings> {
  const given = [readCommandLine(PETSTORE_MOCK, argv, version), readEnvironment(PETSTORE_MOCK, env)];
  const { config } = resolveOptions(OPTIONS, given).values;
  const document = config === undefined ? undefined : readDocument(config, { code: 'unusable-config', kind: 'mock' });
  const sources = document === undefined ? given : [...given, readConfigOptions(document, OPTIONS)];
  const { values } = resolveOptions(OPTIONS, sources);
  const { handlers: handlersFile } = values;
  return {
    ...values,
    spec: await fetchSpec(values, env),
    handlersFile,
    handlers: handlersFile === undefined ? undefined : await loadHandlers(handlersFile),
    apiKey: readKeys(sources) ?? values.apiKey,
    credentials: readCredentials([values.credential ?? []].flat()),
    faults: readFaults(values.fault ?? []),
    placeInConfig(option) {
      const decides = sources.find((source) => source.has(option))?.get(option);
      return decides?.from === 'file' ? decides.where.replace(/: [^:]*$/, '') : undefined;
    },
  };
}

/** A document at a URL is fetched now, and shown from now on without user and password. Only that loads how a proxy is found. */
async function fetchSpec(values: Values<typeof OPTIONS>, env: Environment): Promise<string | undefined> {
  if (values.spec === undefined || !isWebUrl(values.spec)) return values.spec;
  const { findProxy } = await import('../conformance/find-proxy.js');
  return prepareSpec(values, (url) => findProxy(url, env));
}

/** Keys and key files of one source belong together, and replace those of lower precedence. */
function readKeys(sources: readonly Source[]): string[] | undefined {
  const source = sources.find((each) => each.has('api-key') || each.has('api-key-file'));
  if (source === undefined) return undefined;
  const { apiKey, apiKeyFile } = resolveOptions(OPTIONS, [source]).values;
  const keys = source.has('api-key') ? apiKey : [];
  return apiKeyFile === undefined ? keys : [...keys, ...readKeyFile(apiKeyFile)];
}

function readKeyFile(path: string): string[] {
  const lines = readText(path).split('\n');
  const keys = lines.map((line) => line.trim()).filter((line) => line !== '');
  if (keys.length === 0) throw bad(`there is no key in ${path}.`);
  const problem = findProblem(RULES.apiKey, keys);
  if (problem !== undefined) throw bad(`a key in ${path} ${problem}`);
  return keys;
}

/** Reads a module of handlers, its default or named exports. Throws `bad-handler` if it cannot be used. */
export async function loadHandlers(path: string): Promise<OwnHandlers> {
  const module = await importModule(path);
  const given = module['default'] ?? Object.fromEntries(Object.entries(module));
  if (typeof given !== 'object' || given === null || Object.keys(given).length === 0)
    throw badModule(path, 'it exports no handlers; write `export function createOrder(call) { ... }`.');
  const odd = Object.entries(given).find(([, value]) => typeof value !== 'function');
  if (odd !== undefined) throw badModule(path, `its export ${odd[0]} is not a function.`);
  return given as OwnHandlers;
}

/** Imports a module of a user's own, of which `kind` says what it has. Throws a `PetstoreMockError` (`bad-handler`). */
export async function importModule(path: string, kind = 'handlers'): Promise<Record<string, unknown>> {
  const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  if (changed === undefined) throw new PetstoreMockError('bad-handler', `there is no file of ${kind} at ${path}.`);
  try {
    // Node caches modules by URL, so a changed file needs another URL.
    return (await import(`${pathToFileURL(resolve(path)).href}?changed=${changed}`)) as Record<string, unknown>;
  } catch (error) {
    throw explain(path, error);
  }
}

function explain(path: string, error: unknown): PetstoreMockError {
  const { code, message = String(error), stack = '' } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  if (code === 'ERR_UNKNOWN_FILE_EXTENSION')
    return badModule(
      path,
      `Node ${process.versions.node} runs no file of this kind; name it .mjs or .js, or for TypeScript use Node 22.18 or later.`,
    );
  const line = error instanceof SyntaxError ? findSyntaxError(path) : /\?changed=[\d.]+:(\d+)/.exec(stack)?.[1];
  const place = { file: path, ...(line === undefined ? {} : { line: Number(line) }) };
  return new PetstoreMockError('bad-handler', `the module cannot be loaded: ${message.replace(/\.$/, '')}.`, place);
}

/** The line of a syntax error, which Node states only in its output. */
function findSyntaxError(path: string): string | undefined {
  const { stderr } = spawnSync(process.execPath, ['--check', path], { encoding: 'utf8' });
  return /:(\d+)$/m.exec(stderr)?.[1];
}

export const badModule = (path: string, message: string): PetstoreMockError =>
  new PetstoreMockError('bad-handler', message, { file: path });
