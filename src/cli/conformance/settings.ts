import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { CredentialSource, ConformanceOptions, RunHooks, TlsOptions } from '../../conformance/model/options.js';
import {
  findSourceProblem,
  isSource,
  listSources,
  readCredentialText,
  isOnThisMachine,
  findUnsendableInKey,
} from '../../conformance/http/request-credentials.js';
import type { ShellWords } from '../../conformance/model/result.js';
import { asObject } from '../../contract/document/plain.js';
import { isSecretName } from '../../redact/redactor.js';
import { readCredentials } from '../../options/rules.js';
import { reportFormats } from '../../report/index.js';
import { nameVariable, quote } from '../../report/curl.js';
import { readCommandLine } from '../options/command-line.js';
import type { Source, Environment, Values } from '../options/define-options.js';
import { bad, readEnvironment, resolveOptions } from '../options/define-options.js';
import * as configFile from './config.js';
import { describeCommand } from './describe-command.js';
import { findProxy } from './find-proxy.js';
import { readConsents, readShard, splitFormats, splitHeader } from './option-rules.js';
import { OPTIONS, PETSTORE_CONFORMANCE, type RunnerOptions } from './options.js';
import { readText } from '../../contract/document/document.js';
import { DEFAULT_API_KEY } from '../../server/options.js';
import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { PetstoreMockError } from '../../errors.js';
import { suggest } from '../../suggest.js';
import { badModule, importModule } from '../mock/settings.js';

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
  const config = configFile.readConformanceConfig(resolveOptions(OPTIONS, given).values.config);
  const { sources, name } = addConfig(given, config);
  const resolved = resolveOptions(OPTIONS, sources);
  const { values } = resolved;
  const plans = values.list || values.dryRun;
  const target = config === undefined || name === undefined ? values.target : configFile.readTargetUrl(config, name);
  if (target === undefined && !plans) {
    const names = (config?.targets ?? []).join(', ');
    const instead = 'give the base URL with --target, such as --target http://127.0.0.1:4010/v1.';
    throw bad(`there is no target; ${names === '' ? instead : `give --target one of ${names}, or a base URL.`}`);
  }
  const reports = readReports(values, env);
  refuseRecordOfShard(resolved);
  const ofCredentials = configFile.listEntries(config, 'credentials', name);
  const credentials = plans ? {} : readOwnCredentials(resolved, ofCredentials, env);
  const found = readApiKey(resolved, env, { plans, target, isNeeded: Object.keys(credentials).length === 0 });
  const ofHeaders = configFile.listEntries(config, 'headers', name);
  // A target's own over the shared ones, a flag over both.
  const headers = Object.fromEntries([
    ...ofHeaders.map(
      ({ name: field, value, where }) => [field, String(configFile.fillVariables(value, where, env))] as const,
    ),
    ...(values.header ?? []).map(splitHeader),
  ]);
  const isInHeader = Object.keys(headers).some(isSecretName);
  const key = isInHeader && found.isDefaultKey ? { ...found, apiKey: '', isDefaultKey: false } : found;
  // What stands for a credential that the run gets by itself: the command, or a variable for the token of a login.
  const got = [...listSources(credentials)].map(([scheme, source]) => {
    return [scheme, 'command' in source ? `$(${source.command})` : `$${nameVariable(scheme)}_TOKEN`] as const;
  });
  const inHeaders = nameVariables(ofHeaders).map(([field, variable]) => [field.toLowerCase(), variable] as const);
  return {
    ...values,
    ...reports,
    isDefaultKey: key.isDefaultKey,
    lacksKey: key.lacksKey && !isInHeader,
    shell: {
      apiKey: key.inShell,
      headers: Object.fromEntries(inHeaders),
      credentials: Object.fromEntries([...nameVariables(ofCredentials), ...got]),
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
    config: config === undefined ? undefined : { file: config.document.file, target: name },
  };
}

/** The last credential for each scheme counts; each is a text, or how to get one: `{ login: { path: /login } }`. */
function readOwnCredentials(
  { values }: RunnerOptions,
  inFile: ReturnType<typeof configFile.listEntries>,
  env: Environment,
): Record<string, string | CredentialSource> {
  const given = Object.entries(readCredentials([values.credential ?? []].flat()));
  const fill = (value: unknown, where: string, code: 'unusable-config' | 'bad-option'): string | CredentialSource => {
    const read = configFile.fillVariables(value, where, env);
    const problem = typeof read === 'string' ? undefined : findSourceProblem(read);
    if (problem !== undefined) throw new PetstoreMockError(code, `${where} ${problem}.`);
    return read as string | CredentialSource;
  };
  return Object.fromEntries([
    ...inFile.map(({ name, value, where }) => [name, fill(value, where, 'unusable-config')] as const),
    ...given.map(([scheme, list]) => {
      const written = readCredentialText(list.at(-1) ?? '');
      return [scheme, fill(written, `the credential for ${scheme}`, 'bad-option')] as const;
    }),
  ]);
}

function readSecond({ values, given }: RunnerOptions, env: Environment): string | undefined {
  const second = values.credentialB ?? configFile.readNamedVariable(given('credential-b-env'), env);
  const unsendable = second === undefined ? undefined : findUnsendableInKey(second);
  if (unsendable !== undefined) throw bad(`the second credential has ${unsendable}, which no header field can carry.`);
  return second;
}

/** The variables that a config file names; a flag or a variable of all is none of them. */
function nameVariables(entries: ReturnType<typeof configFile.listEntries>): [name: string, variable: string][] {
  const named = entries.filter(({ value }) => typeof value !== 'string' && !isSource(value));
  return named.map(({ name, value }) => [name, `$${String(asObject(value)['env'])}`]);
}

/** The settings of a target take precedence over those beside `targets`. */
function addConfig(given: readonly Source[], config: configFile.ConformanceConfig | undefined) {
  if (config === undefined) {
    const { target: word } = resolveOptions(OPTIONS, given).values;
    // `--target staging` names a target of a config file. A word with capitals or digits may be a key in the wrong place.
    if (word === undefined || !/^[a-z][a-z_-]{0,30}$/.test(word)) return { sources: given, name: undefined };
    throw bad(
      `--target ${word} is not a URL, and there is no config file here (${configFile.USUAL_FILE}) that has a target of that name. Give a base URL, such as http://127.0.0.1:4010/v1, or name the file with --config.`,
    );
  }
  const common = configFile.readConfigPart(config, undefined);
  const { target } = resolveOptions(OPTIONS, [...given, common]).values;
  if (target === undefined || /^[a-z][a-z\d+.-]*:\/\//i.test(target))
    return { sources: [...given, common], name: undefined };
  const name = configFile.checkTargetName(config, target);
  const own = configFile.readConfigPart(config, name);
  // A target with its own key inherits no other.
  const keys = ['api-key-env', 'api-key-file'];
  const inherited = keys.some((key) => own.has(key)) ? [...common].filter(([key]) => !keys.includes(key)) : common;
  return { sources: [...given, own, new Map(inherited)], name };
}

function readOptions(
  resolved: RunnerOptions,
): Omit<ConformanceOptions, 'target' | 'apiKey' | 'headers' | 'credentials'> {
  const { headers: _, credentials: _own, ...values } = resolved.values;
  const { again } = values;
  // `--again` overrides the selection in the config file or the environment.
  const select = (name: 'only' | 'skip'): string[] =>
    again === undefined || resolved.given(name)?.from === 'flag' ? (values[name] ?? []) : [];
  return {
    ...values,
    // A module is loaded only by a run.
    hooks: undefined,
    only: [...select('only'), ...(again ?? [])],
    skip: select('skip'),
    ...(again === undefined ? {} : { tag: [], operation: [], method: [], path: [] }),
    waitForTargetMs: inMs(values.waitForTarget),
    timeoutMs: inMs(values.timeout),
    maxTimeMs: inMs(values.maxTime),
    shard: values.shard === undefined ? undefined : readShard(values.shard),
    settleMs: inMs(values.settle),
    baseline: readBaselinePath(resolved),
    may: values.may === undefined ? undefined : readConsents([values.may].flat()),
  };
}

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

/** The formats to write, and where GitHub Actions wants the job's summary. Throws a `PetstoreMockError` for several without a folder. */
export function readReports(
  { report, reportDir }: Pick<Values<typeof OPTIONS>, 'report' | 'reportDir'>,
  env: Environment,
): Pick<ConformanceSettings, 'reports' | 'jobSummary'> {
  const usual = env['GITHUB_ACTIONS'] === 'true' ? ['pretty', 'github'] : ['pretty'];
  const reports = [...new Set((report ?? usual).flatMap(splitFormats))];
  const needsFolder = reports.length > 1 && reports.some((name) => reportFormats[name]?.file !== undefined);
  if (needsFolder && reportDir === undefined)
    throw bad('--report names several formats; give --report-dir to say where to write them.');
  return { reports, jobSummary: reports.includes('github') ? env['GITHUB_STEP_SUMMARY'] : undefined };
}

const inMs = (seconds: number | undefined): number | undefined => (seconds === undefined ? undefined : seconds * 1000);
export const NO_KEY = 'there is no API key; set PETSTORE_API_KEY, or give --api-key-file or --api-key.';

/** `inShell` is how a shell has it, within double quotes. */
type GivenKey = { apiKey: string; isDefaultKey: boolean; lacksKey: boolean; inShell: string };

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
  return { key: configFile.readNamedVariable(named, env) ?? apiKey ?? '', inShell: `$${variable}` };
}

const PASSPHRASE_VARIABLE = 'PETSTORE_CERT_PASSPHRASE';

/** Reads the certificates, and refuses those with which a connection would fail later. */
export function readTls(pick: RunnerOptions, env: Environment): TlsOptions {
  const { ca: path, insecure } = pick.values;
  const ca = path === undefined ? undefined : readText(path);
  if (ca !== undefined && listCertificates(ca).length === 0)
    throw bad(`${pick.given('ca')?.where ?? ''}: ${path} has no readable PEM certificates.`);
  return { ca, clientCertificate: readClientCertificate(pick, env), insecure };
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
  const passphrase =
    configFile.readNamedVariable(given('cert-passphrase-env'), env) ?? (env[PASSPHRASE_VARIABLE] || undefined);
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

/** Reads a module of hooks, its exports or a default export with them. Throws `bad-handler` if it cannot be used. */
export async function loadHooks(path: string | undefined): Promise<RunHooks | undefined> {
  if (path === undefined) return undefined;
  const module = await importModule(path, 'hooks');
  const given = Object.entries(module['default'] ?? { ...module });
  const unknown = given.find(([name]) => !NAMES.includes(name))?.[0];
  const known = `The hooks are ${NAMES.join(', ')}.`;
  if (unknown !== undefined)
    throw badModule(path, `its export ${unknown} is no hook${suggest(unknown, NAMES)} ${known}`);
  const odd = given.find(([, value]) => typeof value !== 'function')?.[0];
  if (odd !== undefined) throw badModule(path, `its export ${odd} is not a function.`);
  if (given.length === 0)
    throw badModule(path, 'it exports no hooks; write `export function request(request) { ... }`.');
  return Object.fromEntries(given);
}
