import { type RunHooks } from '../../conformance/model/options.js';
import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { CredentialSource, ConformanceOptions, TlsOptions } from '../../conformance/model/options.js';
import {
  findSourceProblem,
  listSources,
  readCredentialText,
  isOnThisMachine,
  findUnsendableInKey,
} from '../../conformance/http/read-given.js';
import type { ShellWords } from '../../conformance/model/result.js';
import { isSecretName } from '../../redact/secret-names.js';
import { readCredentials } from '../../options/rules.js';
import { reportFormats } from '../../report/index.js';
import { nameVariable, quote } from '../../report/curl.js';
import { readCommandLine } from '../options/command-line.js';
import {
  type Source,
  readEnvironment,
  type Environment,
  resolveOptions,
  type Values,
} from '../options/define-options.js';
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
  readNamedVariable,
} from './config.js';
import { describeCommand } from './describe-command.js';
import { findProxy } from './find-proxy.js';
import { bad, readConsents, readShard, splitFormats, splitHeader } from './option-rules.js';
import { OPTIONS, type RunnerOptions } from './options.js';
import { PETSTORE_CONFORMANCE } from './program.js';
import { readText } from '../../contract/document/document.js';
import { DEFAULT_API_KEY } from '../../server/options.js';
import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { PetstoreMockError } from '../../errors.js';
import { suggest } from '../../suggest.js';
import { importModule } from '../mock/settings.js';

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
  const headers = {
    ...readConfigMap('headers', config, undefined, env),
    ...(name === undefined ? {} : readConfigMap('headers', config, name, env)),
    ...Object.fromEntries((resolved.values.header ?? []).map(splitHeader)),
  };
  const isInHeader = Object.keys(headers).some(isSecretName);
  const key = isInHeader && found.isDefaultKey ? { ...found, apiKey: '', isDefaultKey: false } : found;
  return {
    ...values,
    isDefaultKey: key.isDefaultKey,
    lacksKey: key.lacksKey && !isInHeader,
    shell: {
      apiKey: key.inShell,
      ...{ credentials: nameVariables('credentials', config, name), headers: nameVariables('headers', config, name) },
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
      credentialB: readSecond(resolved, env),
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

/** A flag or the variable, then the one that the config file names. */
function readSecond({ values, given }: RunnerOptions, env: Environment): string | undefined {
  const second = values.credentialB ?? readNamedVariable(given('credential-b-env'), env);
  const unsendable = second === undefined ? undefined : findUnsendableInKey(second);
  if (unsendable !== undefined) throw bad(`the second credential has ${unsendable}, which no header field can carry.`);
  return second;
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
  if (target === undefined || /^[a-z][a-z\d+.-]*:\/\//i.test(target))
    return { sources: [...given, common], name: undefined };
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

export const NO_KEY = 'there is no API key; set PETSTORE_API_KEY, or give --api-key-file or --api-key.';

/** The API key of a run. */
interface GivenKey {
  apiKey: string;
  /** Whether it is only the documented one of the mock, which is tried on this machine if there is no other. */
  isDefaultKey: boolean;
  /** Whether there is none, though one is needed. */
  lacksKey: boolean;
  /** How a shell has it, within double quotes. */
  inShell: string;
}

/**
 * The API key. Sources: a flag, then the variable that the config file names
 * for this target, then `PETSTORE_API_KEY`, then the file that the
 * config file names. A key meant for another target is never sent: a
 * variable that is named but not set is refused.
 */
export function readApiKey(
  options: RunnerOptions,
  env: Environment,
  { plans, target, isNeeded = true }: { plans: boolean; target: string | undefined; isNeeded?: boolean },
): GivenKey {
  const none = { apiKey: '', isDefaultKey: false, lacksKey: false, inShell: `$${VARIABLE}` };
  const { key, inShell } = findKey(options, env, plans);
  if (plans) return { ...none, apiKey: key };
  if (key === '' && isNeeded && target !== undefined && URL.canParse(target) && isOnThisMachine(new URL(target)))
    return { ...none, apiKey: DEFAULT_API_KEY, isDefaultKey: true, inShell: DEFAULT_API_KEY };
  if (key === '') return { ...none, lacksKey: isNeeded };
  if (/^bearer\s/i.test(key))
    throw bad('the API key begins with the word Bearer, which is not part of it; leave that out.');
  const unsendable = findUnsendableInKey(key);
  if (unsendable !== undefined) throw bad(`the API key has ${unsendable}, which no header field can carry.`);
  return { ...none, apiKey: key, inShell };
}

const VARIABLE = 'PETSTORE_API_KEY';

/** The key from the first source that has one; of a plan, only what was given for it alone. */
function findKey({ values, given }: RunnerOptions, env: Environment, plans: boolean): { key: string; inShell: string } {
  const flag = given('api-key')?.from === 'flag' ? values.apiKey : undefined;
  const { apiKey, apiKeyFile: file } = values;
  const isFileByFlag = given('api-key-file')?.from === 'flag';
  if (flag !== undefined && isFileByFlag) throw bad('--api-key and --api-key-file exclude each other.');
  if (flag !== undefined || plans) return { key: flag ?? '', inShell: `$${VARIABLE}` };
  const named = given('api-key-env');
  const isInFile = isFileByFlag || (named === undefined && apiKey === undefined);
  if (isInFile && file !== undefined) return { key: readText(file).trim(), inShell: `$(cat ${quote(file)})` };
  const variable = named === undefined ? VARIABLE : String(named.value);
  return { key: readNamedVariable(named, env) ?? apiKey ?? '', inShell: `$${variable}` };
}

const PASSPHRASE_VARIABLE = 'PETSTORE_CERT_PASSPHRASE';

/** Reads the certificates, and refuses those with which a connection would fail later. */
export function readTls(pick: RunnerOptions, env: Environment): TlsOptions {
  return {
    ca: readAuthorities(pick),
    clientCertificate: readClientCertificate(pick, env),
    insecure: pick.values.insecure,
  };
}

function readAuthorities({ values, given }: RunnerOptions): string | undefined {
  const path = values.ca;
  if (path === undefined) return undefined;
  const text = readText(path);
  if (listCertificates(text).length > 0) return text;
  throw bad(`${given('ca')?.where ?? ''}: ${path} has no readable PEM certificates.`);
}

function readClientCertificate({ values, given }: RunnerOptions, env: Environment): TlsOptions['clientCertificate'] {
  const { cert: certPath, certKey: keyPath = certPath } = values;
  if (certPath === undefined || keyPath === undefined) {
    if (keyPath !== undefined)
      throw bad(`${given('cert-key')?.where ?? ''} needs --cert, the certificate of this key.`);
    return undefined;
  }
  const cert = readText(certPath);
  const [own] = listCertificates(cert);
  if (own === undefined) throw bad(`${given('cert')?.where ?? ''}: ${certPath} has no readable PEM certificates.`);
  const key = readText(keyPath);
  const passphrase = readNamedVariable(given('cert-passphrase-env'), env) ?? (env[PASSPHRASE_VARIABLE] || undefined);
  if (!own.checkPrivateKey(readKey(key, keyPath, passphrase)))
    throw bad(`${keyPath} is not the key of the certificate in ${certPath}.`);
  return { cert, key, passphrase };
}

function listCertificates(text: string): X509Certificate[] {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  try {
    return blocks.map((pem) => new X509Certificate(pem));
  } catch {
    return [];
  }
}

function readKey(text: string, path: string, passphrase: string | undefined): KeyObject {
  try {
    return createPrivateKey(passphrase === undefined ? text : { key: text, passphrase });
  } catch {
    const isLocked = /ENCRYPTED/.test(text);
    if (isLocked && passphrase === undefined)
      throw bad(`the key in ${path} is locked; set ${PASSPHRASE_VARIABLE} to its passphrase.`);
    throw bad(
      isLocked ? `the passphrase does not unlock the key in ${path}.` : `${path} has no readable PEM private key.`,
    );
  }
}

const NAMES = ['before', 'after', 'request'];

/**
 * Reads a module of hooks: its exports `before`, `after` and `request`, or a default export with them. Throws a
 * `PetstoreMockError` (`bad-handler`) if it cannot be used.
 */
export async function loadHooks(path: string | undefined): Promise<RunHooks | undefined> {
  if (path === undefined) return undefined;
  const module = await importModule(path, 'hooks');
  const given = Object.entries(module['default'] ?? { ...module });
  const unknown = given.find(([name]) => !NAMES.includes(name))?.[0];
  if (unknown !== undefined)
    throw refuseHooks(
      path,
      `its export ${unknown} is no hook${suggest(unknown, NAMES)} The hooks are ${NAMES.join(', ')}.`,
    );
  const odd = given.find(([, value]) => typeof value !== 'function')?.[0];
  if (odd !== undefined) throw refuseHooks(path, `its export ${odd} is not a function.`);
  if (given.length === 0)
    throw refuseHooks(path, 'it exports no hooks; write `export function request(request) { ... }`.');
  return Object.fromEntries(given);
}

function refuseHooks(path: string, message: string): PetstoreMockError {
  return new PetstoreMockError('bad-handler', message, { file: path });
}
