import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { CredentialSource } from '../../conformance/model/credential-source.js';
import type { ConformanceOptions } from '../../conformance/model/options.js';
import { findSourceProblem, listSources, readCredentialText } from '../../conformance/wire/credentials/read-source.js';
import type { ShellWords } from '../../conformance/model/shown-credential.js';
import { isSecretName } from '../../redact/secret-names.js';
import { readCredentials } from '../../options/rules.js';
import { reportFormats } from '../../report/index.js';
import { nameVariable } from '../../report/shell-key.js';
import { readCommandLine } from '../options/command-line.js';
import type { Source } from '../options/define-options.js';
import { readEnvironment, type Environment } from '../options/environment.js';
import { resolveOptions, type Values } from '../options/resolve.js';
import {
  checkTargetName,
  fillVariables,
  listNamedVariables,
  readConfigCredentials,
  readConfigMap,
  readConfigPart,
  readConformanceConfig,
  readTargetUrl,
  USUAL_FILE,
  type ConformanceConfig,
} from './config.js';
import { describeCommand } from './describe-command.js';
import { findProxy } from './find-proxy.js';
import { readApiKey } from './key.js';
import { bad, readConsents, readShard, splitFormats, splitHeader } from './options/option-rules.js';
import { OPTIONS, type RunnerOptions } from './options.js';
import { PETSTORE_CONFORMANCE } from './program.js';
import { readTls } from './tls.js';

/** The runner's settings from the command line, the environment and the config file. */
export interface ConformanceSettings extends Omit<Values<typeof OPTIONS>, 'config'> {
  options: ConformanceOptions;
  reports: string[];
  /** The file to which GitHub Actions wants the job's summary appended. */
  jobSummary: string | undefined;
  /** Whether no key was given, so that the mock's documented one is tried. */
  isDefaultKey: boolean;
  /** Whether there is no key, though the target needs one. */
  lacksKey: boolean;
  /** How a shell has what is secret. */
  shell: ShellWords;
  /** How this program was started, with the flags that affect the requests: the beginning of `again`. */
  command: string;
  /** What is used implicitly: the config file, and the name of the target in it. */
  config: { file: string; target: string | undefined } | undefined;
}

/** Throws a `PetstoreMockError` that names the flag, the variable or the line of an unusable value. */
export function readConformanceSettings(
  argv: readonly string[],
  env: Environment,
  version: string,
): ConformanceSettings {
  const given = [readCommandLine(PETSTORE_CONFORMANCE, argv, version), readEnvironment(PETSTORE_CONFORMANCE, env)];
  const config = readConformanceConfig(resolveOptions(OPTIONS, given).values.config);
  const { sources, name } = addConfig(given, config);
  const resolved = resolveOptions(OPTIONS, sources);
  const { values } = resolved;
  const plans = values.list || values.dryRun;
  const target = config === undefined || name === undefined ? values.target : readTargetUrl(config, name);
  if (target === undefined && !plans) refuseNoTarget(config?.targets ?? []);
  const reports = readReports(values, env);
  refuseRecordOfShard(resolved);
  const credentials = plans ? {} : readOwnCredentials(resolved, config, name, env);
  const hasOwn = Object.keys(credentials).length > 0;
  const found = readApiKey(resolved, env, { plans, target, isNeeded: !hasOwn });
  const headers = readHeaders(resolved, config, name, env);
  const isInHeader = Object.keys(headers).some(isSecretName);
  const key = isInHeader && found.isDefaultKey ? { ...found, apiKey: '', isDefaultKey: false } : found;
  return {
    ...values,
    isDefaultKey: key.isDefaultKey,
    lacksKey: key.lacksKey && !isInHeader,
    shell: {
      apiKey: key.inShell,
      ...nameAllVariables(config, name),
      credentials: { ...nameVariables('credentials', config, name), ...nameGot(credentials) },
    },
    command: describeCommand(resolved, {
      argv1: process.argv[1] ?? '',
      cwd: process.cwd(),
      env,
      target: name ?? target,
    }),
    options: {
      ...readOptions(resolved),
      target: target ?? 'http://localhost',
      apiKey: key.apiKey,
      ...(key.isDefaultKey ? { isKeyGuessed: true } : {}),
      credentials,
      headers,
      tls: readTls(resolved, env),
      proxy: target === undefined ? undefined : findProxy(target, env),
    },
    reports,
    jobSummary: reports.includes('github') ? env['GITHUB_STEP_SUMMARY'] : undefined,
    config: config === undefined ? undefined : { file: config.document.file, target: name },
  };
}

/**
 * The last credential for each scheme counts: in the file, a target's own over the shared ones; a flag or the variable
 * over both.
 */
function readOwnCredentials(
  { values }: RunnerOptions,
  config: ConformanceConfig | undefined,
  name: string | undefined,
  env: Environment,
): Record<string, string | CredentialSource> {
  const given = Object.entries(readCredentials([values.credential ?? []].flat()));
  return {
    ...readConfigCredentials(config, undefined, env),
    ...(name === undefined ? {} : readConfigCredentials(config, name, env)),
    ...Object.fromEntries(given.map(([scheme, list]) => [scheme, readCredential(scheme, list.at(-1) ?? '', env)])),
  };
}

/** A text, or how to get one: `{ login: { path: /login } }`. */
function readCredential(scheme: string, text: string, env: Environment): string | CredentialSource {
  const written = readCredentialText(text);
  if (typeof written === 'string') return written;
  const read = fillVariables(written, `the credential for ${scheme}`, env);
  const problem = findSourceProblem(read);
  if (problem !== undefined) throw bad(`the credential for ${scheme} ${problem}.`);
  return read as CredentialSource;
}

/** A target's own over the shared ones, a flag over both. */
function readHeaders(
  { values }: RunnerOptions,
  config: ConformanceConfig | undefined,
  name: string | undefined,
  env: Environment,
): Record<string, string> {
  return {
    ...readConfigMap('headers', config, undefined, env),
    ...(name === undefined ? {} : readConfigMap('headers', config, name, env)),
    ...Object.fromEntries((values.header ?? []).map(splitHeader)),
  };
}

function nameAllVariables(config: ConformanceConfig | undefined, name: string | undefined): Omit<ShellWords, 'apiKey'> {
  return { credentials: nameVariables('credentials', config, name), headers: nameVariables('headers', config, name) };
}

/** What stands for a credential that the run gets by itself: the command, or a variable for the token of a login. */
function nameGot(credentials: Readonly<Record<string, string | CredentialSource>>): Record<string, string> {
  const got = [...listSources(credentials)].map(([name, source]) => [
    name,
    'command' in source ? `$(${source.command})` : `$${nameVariable(name)}_TOKEN`,
  ]);
  return Object.fromEntries(got) as Record<string, string>;
}

/** The variables that a config file names for header fields or credentials; a flag or a variable of all is none of them. */
function nameVariables(
  field: 'headers' | 'credentials',
  config: ConformanceConfig | undefined,
  target: string | undefined,
): Record<string, string> {
  const named = [undefined, target].flatMap((part) => Object.entries(listNamedVariables(field, config, part)));
  return Object.fromEntries(
    named.map(([name, variable]) => [field === 'headers' ? name.toLowerCase() : name, `$${variable}`]),
  );
}

/** The settings of a target take precedence over those beside `targets`. */
function addConfig(
  given: readonly Source[],
  config: ConformanceConfig | undefined,
): { sources: readonly Source[]; name: string | undefined } {
  if (config === undefined) {
    refuseUnknownTarget(resolveOptions(OPTIONS, given).values.target);
    return { sources: given, name: undefined };
  }
  const common = readConfigPart(config, undefined);
  const { target } = resolveOptions(OPTIONS, [...given, common]).values;
  if (target === undefined || isUrl(target)) return { sources: [...given, common], name: undefined };
  const name = checkTargetName(config, target);
  const own = readConfigPart(config, name);
  return { sources: [...given, own, leaveOutKey(common, own)], name };
}

/** A target with its own key inherits no other. */
function leaveOutKey(common: Source, own: Source): Source {
  const keys = ['api-key-env', 'api-key-file'];
  if (!keys.some((name) => own.has(name))) return common;
  return new Map([...common].filter(([name]) => !keys.includes(name)));
}

/** `--target staging` names a target of a config file. A word with capitals or digits may be a key in the wrong place. */
function refuseUnknownTarget(target: string | undefined): void {
  if (target === undefined || !/^[a-z][a-z_-]{0,30}$/.test(target)) return;
  throw bad(
    `--target ${target} is not a URL, and there is no config file here (${USUAL_FILE}) that has a target of that name. Give a base URL, such as http://127.0.0.1:4010/v1, or name the file with --config.`,
  );
}

function isUrl(text: string): boolean {
  return /^[a-z][a-z\d+.-]*:\/\//i.test(text);
}

function refuseNoTarget(names: readonly string[]): never {
  if (names.length > 0) throw bad(`there is no target; give --target one of ${names.join(', ')}, or a base URL.`);
  throw bad('there is no target; give the base URL with --target, such as --target http://127.0.0.1:4010/v1.');
}

/** Options with the same name are passed on unchanged. */
function readOptions(
  resolved: RunnerOptions,
): Omit<ConformanceOptions, 'target' | 'apiKey' | 'headers' | 'credentials'> {
  const { headers: _, credentials: _own, ...values } = resolved.values;
  return {
    ...values,
    // A module is loaded only by a run.
    hooks: undefined,
    ...readSelection(resolved),
    ...(values.again === undefined ? {} : { tag: [], operation: [], method: [], path: [] }),
    waitForTargetMs: inMs(values.waitForTarget),
    timeoutMs: inMs(values.timeout),
    maxTimeMs: inMs(values.maxTime),
    shard: values.shard === undefined ? undefined : readShard(values.shard),
    settleMs: inMs(values.settle),
    baseline: readBaselinePath(resolved),
    may: values.may === undefined ? undefined : readConsents([values.may].flat()),
  };
}

/** `--again` overrides the selection in the config file or the environment. */
function readSelection({ values, given }: RunnerOptions): { only: string[]; skip: string[] } {
  const { again } = values;
  const select = (name: 'only' | 'skip'): string[] =>
    again === undefined || given(name)?.from === 'flag' ? (values[name] ?? []) : [];
  return { only: [...select('only'), ...(again ?? [])], skip: select('skip') };
}

/** An existing file is read before it is written; a pipe or a device has nothing to keep. */
function readBaselinePath({ values, given }: RunnerOptions): string | undefined {
  const { baseline, writeBaseline: written } = values;
  if (written === undefined) return baseline;
  if (given('baseline')?.from === 'flag' && resolve(baseline ?? '') !== resolve(written))
    throw bad(
      '--baseline and --write-baseline name different files; --write-baseline alone reads the file and writes it.',
    );
  return existsSync(written) && statSync(written).isFile() && statSync(written).size > 0 ? written : undefined;
}

/** A part of a run has too little to record. */
function refuseRecordOfShard({ values, given }: RunnerOptions): void {
  const names = ['write-baseline', 'write-profile'] as const;
  const name = values.shard === undefined ? undefined : names.find((each) => given(each) !== undefined);
  if (name !== undefined)
    throw bad(`--${name} records a whole run, not a shard; give it to petstore-conformance merge.`);
}

/** The formats to write. Throws a `PetstoreMockError` for several without a folder. */
export function readReports(
  { report, reportDir }: Pick<Values<typeof OPTIONS>, 'report' | 'reportDir'>,
  env: Environment,
): string[] {
  const usual = env['GITHUB_ACTIONS'] === 'true' ? ['pretty', 'github'] : ['pretty'];
  const names = [...new Set((report ?? usual).flatMap(splitFormats))];
  const needsFolder = names.length > 1 && names.some((name) => reportFormats[name]?.file !== undefined);
  if (needsFolder && reportDir === undefined)
    throw bad('--report names several formats; give --report-dir to say where to write them.');
  return names;
}

function inMs(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1000;
}
