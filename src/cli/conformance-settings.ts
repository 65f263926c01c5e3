import { X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { readText } from '../contract/document.js';
import { parseNumberLiteral } from '../contract/json.js';
import type { ConformanceOptions } from '../conformance/options.js';
import { PetstoreMockError } from '../errors.js';
import { reportFormats } from '../report/index.js';
import { suggest } from '../suggest.js';
import { readConformanceFlags, type ConformanceFlags } from './conformance-command-line.js';

/** Everything that the command line and the environment ask of the runner. */
export interface ConformanceSettings {
  options: ConformanceOptions;
  reports: string[];
  reportDir: string | undefined;
  /** The file to which GitHub Actions wants the job's summary appended. */
  jobSummary: string | undefined;
  /** The file to which the known deviations are written. */
  writeBaseline: string | undefined;
  failOnInconclusive: boolean;
  /** In percent. */
  minCoverage: number;
  list: boolean;
  dryRun: boolean;
  quiet: boolean;
  color: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Throws a {@link PetstoreMockError} that names the flag for whatever cannot be used. */
export function readConformanceSettings(
  argv: readonly string[],
  env: Environment,
  version: string,
): ConformanceSettings {
  const flags = readConformanceFlags(argv, version);
  const reports = readReports(flags, env);
  const plans = flags.list === true || flags.dryRun === true;
  return {
    options: readOptions(flags, env, plans),
    reports,
    reportDir: flags.reportDir,
    jobSummary: reports.includes('github') ? env['GITHUB_STEP_SUMMARY'] : undefined,
    writeBaseline: flags.writeBaseline,
    failOnInconclusive: readFailOn(flags),
    minCoverage: readPercent('--min-coverage', flags.minCoverage) ?? 0,
    list: flags.list === true,
    dryRun: flags.dryRun === true,
    quiet: flags.quiet === true,
    color: flags.color,
  };
}

function readOptions(flags: ConformanceFlags, env: Environment, plans: boolean): ConformanceOptions {
  const target = flags.target ?? (plans ? 'http://localhost' : undefined);
  if (target === undefined)
    throw bad('there is no target; give the base URL with --target, such as --target http://127.0.0.1:4010/v1.');
  return {
    target,
    apiKey: readApiKey(flags, env, plans),
    spec: flags.spec,
    scenarios: flags.scenarios,
    only: [...(flags.only ?? []), ...(flags.again ?? [])],
    skip: flags.skip ?? [],
    readOnly: flags.readOnly,
    waitForTargetMs: inMs(readNumber('--wait-for-target', flags.waitForTarget)),
    timeoutMs: inMs(readPositive('--timeout', flags.timeout)),
    rate: readPositive('--rate', flags.rate),
    concurrency: readWhole('--concurrency', flags.concurrency, 1),
    settleMs: inMs(readNumber('--settle', flags.settle)),
    maxCreates: readWhole('--max-creates', flags.maxCreates, 0),
    categoryId: readCategory(flags.categoryId),
    baseline: readBaselinePath(flags),
    bail: flags.bail,
    strict: flags.strict,
    headers: readHeaders(flags.header ?? []),
    ca: readCertificates(flags.ca),
  };
}

function readApiKey(flags: ConformanceFlags, env: Environment, plans: boolean): string {
  if (flags.apiKey !== undefined && flags.apiKeyFile !== undefined)
    throw bad('--api-key and --api-key-file exclude each other.');
  const fromFile = flags.apiKeyFile === undefined ? undefined : readText(flags.apiKeyFile).trim();
  const key = flags.apiKey ?? fromFile ?? env['PETSTORE_API_KEY'] ?? '';
  if (plans) return key;
  if (key === '') throw bad('there is no API key; set PETSTORE_API_KEY, or give --api-key-file or --api-key.');
  // What Node refuses to send in a header field (RFC 9110 section 5.5).
  if (!/^[\t\u0020-\u007E\u0080-\u00FF]+$/.test(key))
    throw bad('the API key has characters that no header field can carry.');
  return key;
}

function readReports({ report, reportDir }: ConformanceFlags, env: Environment): string[] {
  const usual = env['GITHUB_ACTIONS'] === 'true' ? ['pretty', 'github'] : ['pretty'];
  const names = [...new Set((report ?? usual).flatMap((list) => list.split(',')).map((name) => name.trim()))];
  const known = Object.keys(reportFormats);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw bad(`--report: there is no format ${unknown}${suggest(unknown, known)} Known are ${known.join(', ')}.`);
  const needsFolder = names.length > 1 && names.some((name) => reportFormats[name]?.file !== undefined);
  if (needsFolder && reportDir === undefined)
    throw bad('--report names several formats; say with --report-dir where they go.');
  return names;
}

function readPercent(flag: string, text: string | undefined): number | undefined {
  const value = readNumber(flag, text);
  if (value === undefined || value <= 100) return value;
  throw bad(`${flag} takes a percentage up to 100, not ${String(text)}.`);
}

function readFailOn({ failOn }: ConformanceFlags): boolean {
  if (failOn === undefined) return false;
  if (failOn === 'inconclusive') return true;
  throw bad(`--fail-on takes inconclusive, not ${failOn}${suggest(failOn, ['inconclusive'])}`);
}

/** The file that is written is read before, when it exists. */
function readBaselinePath({ baseline, writeBaseline }: ConformanceFlags): string | undefined {
  if (writeBaseline === undefined) return baseline;
  if (baseline !== undefined && resolve(baseline) !== resolve(writeBaseline))
    throw bad(
      '--baseline and --write-baseline name different files; --write-baseline alone reads the file and writes it.',
    );
  return existsSync(writeBaseline) ? writeBaseline : undefined;
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

function readCertificates(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  const text = readText(path);
  const certificates = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  if (certificates.length === 0 || !certificates.every(isCertificate))
    throw bad(`--ca: ${path} has no PEM certificates that can be read.`);
  return text;
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined;
  } catch {
    return false;
  }
}

function readCategory(text: string | undefined): number | bigint | undefined {
  if (text === undefined) return undefined;
  const value = parseNumberLiteral(text);
  if (typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))) return value;
  throw bad(`--category-id takes an integer, not ${text}.`);
}

function readNumber(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}(\.\d{1,3})?$/.test(text)) return Number(text);
  throw bad(`${flag} takes a number from 0, not ${text}.`);
}

function readPositive(flag: string, text: string | undefined): number | undefined {
  const value = readNumber(flag, text);
  if (value === 0) throw bad(`${flag} takes a number above 0.`);
  return value;
}

function readWhole(flag: string, text: string | undefined, least: number): number | undefined {
  const value = readNumber(flag, text);
  if (value === undefined || (Number.isInteger(value) && value >= least)) return value;
  throw bad(`${flag} takes a whole number from ${least}, not ${String(text)}.`);
}

function inMs(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1000;
}

function bad(message: string): PetstoreMockError {
  return new PetstoreMockError('bad-option', message);
}
