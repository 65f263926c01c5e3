import { spellOutLines } from '../../redact/spell-out.js';
import { statSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { writeBaseline, writeProfile } from '../../conformance/product/profile-and-baseline.js';
import type { RunResult } from '../../conformance/model/result.js';
import { readDocument, readText } from '../../contract/document/document.js';
import { NOT_OBSERVED } from '../../contract/gaps/profile.js';
import { PetstoreMockError } from '../../errors.js';
import { reportFormats } from '../../report/index.js';
import { summarize } from '../../report/summarize.js';
import { markdownReport } from '../../report/markdown.js';
import type { ReportFormat } from '../../report/report-format.js';
import { appendToFile, openFileOutput, type FileOutput } from '../output/file-output.js';
import { bad } from '../options/define-options.js';
import { wantsColor } from '../terminal.js';
import type { ConformanceSettings } from './settings.js';
import { createOutputGuard, createRunRedactor, type SecretOptions } from '../../conformance/engine/redact.js';

/** Where the results of a run go; each has proved writable. */
export interface RunOutputs {
  /** A report without an output goes to stdout. */
  reports: { format: ReportFormat; output: FileOutput | undefined }[];
  baseline: FileOutput | undefined;
  profile: FileOutput | undefined;
}

export type OutputSettings = Pick<
  ConformanceSettings,
  'reports' | 'reportDir' | 'writeBaseline' | 'writeProfile' | 'quiet' | 'verbose' | 'gaps' | 'color' | 'jobSummary'
>;

/** Checks, before the run begins, every place to write to. Throws a `PetstoreMockError` for one that is not writable. */
export function openRunOutputs({
  reports,
  reportDir,
  writeBaseline: baseline,
  writeProfile: profile,
}: OutputSettings): RunOutputs {
  const outputs = {
    reports: reports.map((name) => {
      const format = reportFormats[name];
      if (format === undefined) throw new Error(`there is no report format ${name}`);
      const isFile = format.file !== undefined && reportDir !== undefined;
      return { format, output: isFile ? openFileOutput(join(reportDir, format.file ?? '')) : undefined };
    }),
    baseline: baseline === undefined ? undefined : openFileOutput(baseline),
    profile: profile === undefined ? undefined : openProfileOutput(profile),
  };
  refuseSamePlace([...outputs.reports.map(({ output }) => output), outputs.baseline, outputs.profile]);
  return outputs;
}

/** A baseline is read before it is written; a profile would simply be lost. */
function openProfileOutput(path: string): FileOutput {
  const output = openFileOutput(path);
  const found = statSync(output.place, { throwIfNoEntry: false });
  if (found?.isFile() !== true || found.size === 0) return output;
  const { root } = readDocument(path, { code: 'unusable-profile', kind: 'profile' });
  if (typeof root === 'object' && root !== null && 'gaps' in root) return output;
  throw bad(`--write-profile: ${path} exists and is not a profile; name another file, or move it away.`);
}

function refuseSamePlace(outputs: readonly (FileOutput | undefined)[]): void {
  const files = outputs.filter(
    (output) => output !== undefined && statSync(output.place, { throwIfNoEntry: false })?.isFile() !== false,
  );
  const twice = files.find((output, index) => files.findIndex((each) => each?.place === output?.place) < index);
  if (twice !== undefined) throw bad(`two of the outputs are the same file: ${twice.path}.`);
}

/** Writes all results of a run, even if one output fails. Returns whether everything was written. */
export function writeResults(
  result: RunResult,
  settings: OutputSettings,
  outputs: RunOutputs,
  failedBy?: string,
): boolean {
  const failed = writeReports(result, { ...settings, failedBy }, outputs);
  const { quiet, jobSummary = '' } = settings;
  // Neither a file nor a stream for programs says how the run ended to whoever waits, nor which files there are now.
  const files = outputs.reports.filter((each) => !failed.includes(each)).flatMap(({ output }) => output?.path ?? []);
  const isShown = outputs.reports.some(({ format }) => format.name === 'pretty');
  const ended = isShown ? [] : [summarize(result, failedBy)];
  const parts = [...ended, ...(files.length === 0 ? [] : [`wrote ${files.join(', ')}`])];
  if (!quiet && parts.length > 0) complain(parts.join(' · '));
  // Failing to write the summary does not change the outcome of the run.
  if (jobSummary !== '')
    succeeds(() => appendToFile(jobSummary, guardOutput(markdownReport.write(result, { color: false, quiet }))));
  const steps = [() => updateBaseline(result, outputs.baseline), () => updateProfile(result, outputs.profile)];
  return steps.filter((step) => !succeeds(step)).length + failed.length === 0;
}

/** A file of known deviations that the runs have not read would lose its content. Throws a `PetstoreMockError`. */
export function refuseUnreadBaseline({ baseline }: RunResult, { writeBaseline: written }: OutputSettings): void {
  const found = written === undefined ? undefined : statSync(written, { throwIfNoEntry: false });
  if (written === undefined || baseline !== undefined || found?.isFile() !== true || found.size === 0) return;
  throw bad(`--write-baseline: ${written} exists, but no shard has read it; give it to each shard with --baseline.`);
}

export function writeReportFiles(result: RunResult, settings: OutputSettings, { reports }: RunOutputs): void {
  const inFiles = reports.filter(({ output }) => output !== undefined);
  writeReports(result, settings, { reports: inFiles });
}

function writeReports(
  result: RunResult,
  { quiet, verbose, gaps, color, failedBy }: OutputSettings & { failedBy?: string | undefined },
  { reports }: Pick<RunOutputs, 'reports'>,
): RunOutputs['reports'] {
  const cwd = process.cwd();
  const workspace = process.env['GITHUB_WORKSPACE'] ?? '';
  const folder = workspace === '' ? '' : relative(workspace, cwd);
  const options = {
    color: wantsColor(process.stdout, process.env) && color,
    quiet,
    verbose,
    gaps,
    folder: folder === '' || folder.startsWith('..') || isAbsolute(folder) ? undefined : folder.replaceAll('\\', '/'),
    isToldBeside: reports.some(({ format }) => format.name === 'pretty'),
    failedBy,
  };
  const failed = reports.filter(
    ({ format, output }) => !succeeds(() => writeText(format.write(result, options), output)),
  );
  const isTold = reports.some(({ output }) => output === undefined);
  const [first] = failed;
  if (first !== undefined && !isTold) writeText(first.format.write(result, options), undefined);
  return failed;
}

function writeText(text: string, output: FileOutput | undefined): void {
  const guarded = guardOutput(text);
  if (output === undefined) process.stdout.write(guarded);
  else output.write(guarded);
}

function succeeds(step: () => void): boolean {
  try {
    step();
    return true;
  } catch (error) {
    if (!(error instanceof PetstoreMockError)) throw error;
    complain(error.message);
    return false;
  }
}

function isHalf({ interrupted, targetLost, outOfTime, requestLimit }: RunResult, { path }: FileOutput): boolean {
  const isCut = requestLimit !== undefined && requestLimit.leftOut > 0;
  if (!interrupted && !targetLost && !outOfTime && !isCut) return false;
  complain(`the run did not complete; ${path} was not written.`);
  return true;
}

function updateBaseline(result: RunResult, output: FileOutput | undefined): void {
  if (output === undefined || isHalf(result, output)) return;
  // Secrets in an old baseline are redacted, so that its entries match the result.
  const previous = result.baseline === undefined ? undefined : hideSecrets(readText(output.path));
  const { text, kept, added, removed } = writeBaseline(result, previous);
  writeText(text, output);
  complain(
    `wrote ${output.path}: ${kept} known ${kept === 1 ? 'deviation' : 'deviations'} kept, ${added} added, ${removed} removed as fixed.`,
  );
}

/** As for a baseline: an unfinished run would forget what a complete one has seen. */
function updateProfile(result: RunResult, output: FileOutput | undefined): void {
  if (output === undefined || isHalf(result, output)) return;
  writeText(writeProfile(result), output);
  const seen = result.gaps.filter(({ answer }) => answer !== NOT_OBSERVED).length;
  complain(`wrote ${output.path}: ${seen} of ${result.gaps.length} gaps observed.`);
}

type Guard = (text: string) => string;
let secrets: { messages: Guard; formats: Guard };
keepSecret({});

/** Sets what the program must not write from now on. */
export function keepSecret(options: SecretOptions): void {
  secrets = { messages: createRunRedactor(options), formats: createOutputGuard(options) };
}

/** Removes the secrets from a message, which may quote input or answers. */
export const hideSecrets = (message: string): string => secrets.messages(message);

/** The last check before a report leaves; it finds something only if redaction made a mistake. */
export const guardOutput = (text: string): string => secrets.formats(text);

export function complain(message: string): void {
  process.stderr.write(`${spellOutLines(hideSecrets(`petstore-conformance: ${message}`))}\n`);
}
