import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ConformanceOptions } from '../../conformance/options.js';
import { reportFormats } from '../../report/index.js';
import { suggest } from '../../suggest.js';
import { readConformanceCommandLine } from './command-line.js';
import { checkTargetName, readConfigHeaders, readConfigPart, readConformanceConfig } from './config.js';
import { CONFIG_VARIABLE, readFlags, readVariables, type Source } from './sources.js';
import { readTls } from './tls.js';
import { bad, createPick, type Pick } from './values.js';
import { readApiKey } from './key.js';
import type { Environment } from '../options/environment.js';
import { findProxy } from './find-proxy.js';

/** Everything that the command line, the environment and the config file ask of the runner. */
export interface ConformanceSettings {
  options: ConformanceOptions;
  reports: string[];
  reportDir: string | undefined;
  /** The file to which GitHub Actions wants the job's summary appended. */
  jobSummary: string | undefined;
  /** The file to which the known deviations are written. */
  writeBaseline: string | undefined;
  /** The file to which the profile is written. */
  writeProfile: string | undefined;
  failOnInconclusive: boolean;
  /** In percent. */
  minCoverage: number;
  /** In percent of the scenarios that were not skipped. */
  minConcluded: number;
  list: boolean;
  dryRun: boolean;
  quiet: boolean;
  color: boolean;
  /** What is read without having been asked for: the config file, and the name of the target in it. */
  config: { file: string; target: string | undefined } | undefined;
}

/** A run that says nothing of every tenth scenario has not tested what it was asked to. */
const DEFAULT_MIN_CONCLUDED = 90;

/** Throws a `PetstoreMockError` that names the flag, the variable or the line for whatever cannot be used. */
export function readConformanceSettings(
  argv: readonly string[],
  env: Environment,
  version: string,
): ConformanceSettings {
  const commandLine = readConformanceCommandLine(argv, version);
  const flags = readFlags(commandLine);
  const variables = readVariables(env);
  const config = readConformanceConfig(commandLine.config ?? (env[CONFIG_VARIABLE] || undefined));
  const common: Source = config === undefined ? new Map() : readConfigPart(config, undefined);
  const wanted = createPick([flags, variables, common]).text('target');
  const name =
    wanted === undefined || isUrl(wanted) || config === undefined ? undefined : checkTargetName(config, wanted);
  const own: Source = config === undefined || name === undefined ? new Map() : readConfigPart(config, name);
  const pick = createPick([flags, variables, own, leaveOutKey(common, own)]);
  const plans = pick.isOn('list') || pick.isOn('dry-run');
  const target = name === undefined ? wanted : own.get('url')?.texts[0];
  const reports = readReports(pick, env);
  return {
    options: {
      ...readOptions(pick),
      target: target ?? (plans ? 'http://localhost' : refuseNoTarget(config?.targets ?? [])),
      apiKey: readApiKey(pick, env, { plans }),
      headers: {
        ...(config === undefined ? {} : readConfigHeaders(config, undefined, env)),
        ...(config === undefined || name === undefined ? {} : readConfigHeaders(config, name, env)),
        ...readHeaders(flags.get('header')?.texts ?? []),
      },
      tls: readTls(pick, env),
      proxy: target === undefined ? undefined : findProxy(target, env),
    },
    reports,
    reportDir: pick.text('report-dir'),
    jobSummary: reports.includes('github') ? env['GITHUB_STEP_SUMMARY'] : undefined,
    writeBaseline: pick.text('write-baseline'),
    writeProfile: pick.text('write-profile'),
    failOnInconclusive: readFailOn(pick),
    minCoverage: readPercent(pick, 'min-coverage') ?? 0,
    minConcluded: readPercent(pick, 'min-concluded') ?? DEFAULT_MIN_CONCLUDED,
    list: pick.isOn('list'),
    dryRun: pick.isOn('dry-run'),
    quiet: pick.isOn('quiet'),
    color: commandLine.color,
    config: config === undefined ? undefined : { file: config.document.file, target: name },
  };
}

/** A target with a key of its own has nothing of another. */
function leaveOutKey(common: Source, own: Source): Source {
  const keys = ['api-key-env', 'api-key-file'];
  if (!keys.some((name) => own.has(name))) return common;
  return new Map([...common].filter(([name]) => !keys.includes(name)));
}

function isUrl(text: string): boolean {
  return /^[a-z][a-z\d+.-]*:\/\//i.test(text);
}

function refuseNoTarget(names: readonly string[]): never {
  if (names.length > 0) throw bad(`there is no target; say with --target which of ${names.join(', ')}, or a base URL.`);
  throw bad('there is no target; give the base URL with --target, such as --target http://127.0.0.1:4010/v1.');
}

function readOptions(pick: Pick): Omit<ConformanceOptions, 'target' | 'apiKey'> {
  return {
    spec: pick.text('spec'),
    allowOutsideRefs: pick.isOn('allow-outside-refs'),
    scenarios: pick.list('scenarios'),
    ...readSelection(pick),
    readOnly: pick.isOn('read-only'),
    waitForTargetMs: inMs(pick.number('wait-for-target')),
    timeoutMs: inMs(pick.positive('timeout')),
    maxTimeMs: inMs(pick.positive('max-time')),
    rate: pick.positive('rate'),
    concurrency: pick.whole('concurrency', 1),
    settleMs: inMs(pick.number('settle')),
    maxCreates: pick.whole('max-creates', 0),
    categoryId: pick.int64('category-id'),
    baseline: readBaselinePath(pick),
    profile: pick.text('profile'),
    bail: pick.isOn('bail'),
    strict: pick.isOn('strict'),
  };
}

/** What is to be run again is run, whatever the file or the environment usually selects. */
function readSelection(pick: Pick): { only: string[]; skip: string[] } {
  const again = pick.list('again');
  const select = (name: string): string[] =>
    again === undefined || pick.given(name)?.where === `--${name}` ? (pick.list(name) ?? []) : [];
  return { only: [...select('only'), ...(again ?? [])], skip: select('skip') };
}

/** The file that is written is read before, when there is one; a pipe or a device has nothing to be kept. */
function readBaselinePath(pick: Pick): string | undefined {
  const baseline = pick.text('baseline');
  const written = pick.text('write-baseline');
  if (written === undefined) return baseline;
  if (pick.given('baseline')?.where === '--baseline' && resolve(baseline ?? '') !== resolve(written))
    throw bad(
      '--baseline and --write-baseline name different files; --write-baseline alone reads the file and writes it.',
    );
  return existsSync(written) && statSync(written).isFile() && statSync(written).size > 0 ? written : undefined;
}

function readReports(pick: Pick, env: Environment): string[] {
  const usual = env['GITHUB_ACTIONS'] === 'true' ? ['pretty', 'github'] : ['pretty'];
  const lists = pick.list('report') ?? usual;
  const names = [...new Set(lists.flatMap((list) => list.split(',')).map((name) => name.trim()))];
  const known = Object.keys(reportFormats);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const where = pick.given('report')?.where ?? '--report';
    const named = unknown === '' ? 'of an empty name' : unknown;
    throw bad(`${where}: there is no format ${named}${suggest(unknown, known)} Known are ${known.join(', ')}.`);
  }
  const needsFolder = names.length > 1 && names.some((name) => reportFormats[name]?.file !== undefined);
  if (needsFolder && pick.text('report-dir') === undefined)
    throw bad('--report names several formats; say with --report-dir where they go.');
  return names;
}

function readPercent(pick: Pick, name: string): number | undefined {
  const value = pick.number(name);
  if (value === undefined || value <= 100) return value;
  throw bad(`${pick.given(name)?.where ?? name} takes a percentage up to 100, not ${pick.text(name) ?? ''}.`);
}

function readFailOn(pick: Pick): boolean {
  const verdict = pick.text('fail-on');
  if (verdict === undefined) return false;
  if (verdict === 'inconclusive') return true;
  throw bad(
    `${pick.given('fail-on')?.where ?? ''} takes inconclusive, not ${verdict}${suggest(verdict, ['inconclusive'])}`,
  );
}

function readHeaders(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, value] = /^([!#$%&'*+\-.^_`|~\w]+):\s*(.*)$/.exec(line) ?? [];
      if (name === undefined || value === undefined) throw bad('--header is written "Name: value".');
      return [name, value];
    }),
  );
}

function inMs(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1000;
}
