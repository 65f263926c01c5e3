#!/usr/bin/env node
import { setMaxListeners } from 'node:events';
import { compareFiles } from '../conformance/product/profile-and-baseline.js';
import type { RunResult } from '../conformance/model/result.js';
import { readGapsOf } from '../conformance/resources/resource-under-test.js';
import { planRun, readDryRun, readGivenContract } from '../conformance/product/plan-run.js';
import { lookAtTarget, runConformance } from '../conformance/product/run-conformance.js';
import { prepareSpec } from '../contract/contract.js';
import { PetstoreMockError } from '../errors.js';
import { readPackageVersion } from '../package-files.js';
import { spellOutJson, spellOutLines } from '../redact/spell-out.js';
import { formatDiff } from '../report/profile-diff.js';
import { PrintAndExit } from './options/command-line.js';

import { loadHooks, readConformanceSettings, type ConformanceSettings, NO_KEY } from './conformance/settings.js';
import {
  complain,
  hideSecrets,
  keepSecret,
  openRunOutputs,
  refuseUnreadBaseline,
  writeReportFiles,
  writeResults,
} from './conformance/run-outputs.js';
import { judgeResult, type RunEnd } from './conformance/judge-result.js';
import { readDiffCommand, formatGaps, readGapsCommand, readMergeCommand } from './conformance/other-commands.js';
import { findProxy } from './conformance/find-proxy.js';
import { formatConfig, formatOutlook, readInitCommand } from './conformance/init.js';
import { describeTries, repeatAgain, type Repeated } from './conformance/repeat-again.js';
import { createProgress } from './conformance/progress.js';
import { estimateRequests } from '../conformance/engine/run.js';
import { MOST_LOOK_REQUESTS } from '../conformance/confirm/confirm.js';
import type { Scenario } from '../conformance/model/scenario.js';
import { asksForCredentials, describeSchemes } from '../conformance/http/request-credentials.js';
import { mergeShards } from '../conformance/product/compose-result.js';
import type { RunListener } from '../conformance/model/options.js';
import { EXIT_BUG, EXIT_DEVIATED, EXIT_INTERRUPTED, EXIT_UNAVAILABLE, EXIT_USAGE, EXIT_WELL } from './terminal.js';
import { watchOutput } from './output/file-output.js';

watchOutput(process.stderr, () => {});
watchOutput(process.stdout, (code) => {
  complain(`cannot write to stdout: ${code}.`);
  // It fails after everything else is done.
  process.once('exit', () => (process.exitCode = EXIT_USAGE));
});

try {
  // Setting the exit code lets pending output drain; `process.exit` would cut off a pipe.
  process.exitCode = await start(process.argv.slice(2));
} catch (error) {
  process.exitCode = fail(error);
}

async function start(argv: string[]): Promise<number> {
  const commands = { diff: diffProfiles, merge: mergeReports, init: writeConfig, gaps: listGaps };
  const [name = '', ...rest] = argv;
  if (Object.hasOwn(commands, name)) return commands[name as keyof typeof commands](rest);
  // A message quotes the unusable value, which may be a secret in the wrong place.
  keepSecret({ apiKey: process.env['PETSTORE_API_KEY'] });
  const settings = readConformanceSettings(argv, process.env, readPackageVersion());
  // The documented key of the mock is no secret, and a command without it shows nothing.
  keepSecret(settings.isDefaultKey ? { ...settings.options, apiKey: undefined } : settings.options);
  const spec = await prepareSpec(settings.options, proxyFor);
  const plans = settings.list || settings.dryRun;
  const hooks = plans ? undefined : await loadHooks(settings.hooks);
  return main({ ...settings, options: { ...settings.options, spec, hooks } });
}

function proxyFor(url: string): string | undefined {
  return findProxy(url, process.env);
}

function diffProfiles(argv: readonly string[]): number {
  const { before, now, asJson } = readDiffCommand(argv);
  const diff = compareFiles(before, now);
  process.stdout.write(asJson ? `${spellOutJson(JSON.stringify(diff, null, 2))}\n` : formatDiff(diff));
  return diff.changes.length === 0 ? EXIT_WELL : EXIT_DEVIATED;
}

async function writeConfig(argv: readonly string[]): Promise<number> {
  const read = readInitCommand(argv);
  const command = { ...read, spec: await prepareSpec(read, proxyFor) };
  const outlook = readDryRun(command);
  const text = formatConfig(outlook, command);
  // What is printed may be piped into a file, so the rest goes elsewhere.
  const isPrinted = command.output === undefined;
  command.output?.write(text);
  if (isPrinted) process.stdout.write(text);
  (isPrinted ? process.stderr : process.stdout).write(spellOutLines(formatOutlook(outlook, command)));
  return EXIT_WELL;
}

async function listGaps(argv: readonly string[]): Promise<number> {
  const command = readGapsCommand(argv);
  const spec = await prepareSpec(command, proxyFor);
  const contract = readGivenContract({ ...command, spec });
  process.stdout.write(spellOutLines(formatGaps(readGapsOf(contract).asked)));
  return EXIT_WELL;
}

function mergeReports(argv: readonly string[]): number {
  const { paths, ...settings } = readMergeCommand(argv, process.env);
  const result = mergeShards(paths);
  refuseUnreadBaseline(result, settings);
  const outputs = openRunOutputs(settings);
  const verdict = judgeResult(result, settings);
  return endWith(verdict, writeResults(result, settings, outputs, verdict.failedBy));
}

/** Says why the run failed, if the report does not. Returns the exit code. */
function endWith({ code, why }: RunEnd, isWritten: boolean): number {
  if (why !== undefined) complain(why);
  return isWritten || code === EXIT_INTERRUPTED ? code : EXIT_USAGE;
}

async function main(settings: ConformanceSettings): Promise<number> {
  if (settings.list || settings.dryRun) {
    const { scenarios } = planRun(settings.options);
    process.stdout.write(spellOutLines(hideSecrets(formatPlan(scenarios, settings.dryRun))));
    return EXIT_WELL;
  }
  const outputs = openRunOutputs(settings);
  announce(settings);
  if (settings.lacksKey) await refuseNoKey(settings.options);
  const progress = createProgress(process.stderr, settings);
  let repeated: Repeated;
  let unfinished: RunResult | undefined;
  const signal = stopOnSignal(() => {
    if (unfinished !== undefined) writeResults(complete(unfinished, settings), settings, outputs);
  });
  const onEvent: RunListener = (event) => {
    if (event.type === 'runConcluded' || event.type === 'runFinished') unfinished = event.result;
    // What the run has found is written before it tidies up, which may take its time, or go wrong.
    if (event.type === 'runConcluded' && event.result.leftBehind !== undefined)
      writeReportFiles(complete(event.result, settings), settings, outputs);
    progress.onEvent(event);
  };
  try {
    const first = await runConformance({ ...settings.options, onEvent, signal });
    repeated =
      settings.again === undefined
        ? { result: first, isFresh: false, tries: 1, requests: first.summary.requests }
        : await repeatAgain(
            first,
            (more) => runConformance({ ...settings.options, ...more, signal }),
            settings.options,
          );
  } catch (error) {
    // Otherwise the reports of an earlier run would be mistaken for those of this one.
    if (unfinished !== undefined) writeReportFiles(unfinished, settings, outputs);
    if (!signal.aborted) throw explainKey(error, settings);
    complain('it was interrupted before anything ran.');
    return EXIT_INTERRUPTED;
  } finally {
    progress.end();
  }
  unfinished = undefined;
  const { result } = repeated;
  const verdict = judgeResult(result, settings);
  const isWritten = writeResults(complete(result, settings), settings, outputs, verdict.failedBy);
  const code = endWith(verdict, isWritten);
  const told = settings.again === undefined ? undefined : describeTries(repeated);
  if (told !== undefined) complain(told);
  return code;
}

/** Throws a `PetstoreMockError` if the contract asks for a key. */
async function refuseNoKey(options: ConformanceSettings['options']): Promise<void> {
  const { contract } = planRun(options);
  if (!asksForCredentials(contract)) return;
  // Whoever fetches a key for a target that is not there does it in vain.
  await lookAtTarget(options);
  const schemes = options.spec === undefined ? '' : ` ${describeSchemes(contract)}`;
  throw new PetstoreMockError('bad-option', `${NO_KEY}${schemes}`);
}

function complete(result: RunResult, { command, shell }: ConformanceSettings): RunResult {
  return {
    ...result,
    command: hideSecrets(command),
    shell,
  };
}

/** Advice to change the key makes no sense if none was given. */
function explainKey(error: unknown, { isDefaultKey, options }: ConformanceSettings): unknown {
  if (!isDefaultKey || !(error instanceof PetstoreMockError) || error.code !== 'key-refused') return error;
  const schemes = options.spec === undefined ? '' : ` ${describeSchemes(planRun(options).contract)}`;
  return new PetstoreMockError('key-refused', `${NO_KEY} The mock's documented default key is rejected.${schemes}`);
}

function announce({ config, options, quiet }: ConformanceSettings): void {
  if (config !== undefined && !quiet)
    complain(`reads ${config.file}${config.target === undefined ? '' : `, target ${config.target}`}`);
  if (options.tls?.insecure === true && /^https:/i.test(options.target))
    complain('WARNING: certificates are not checked (--insecure): another server may respond.');
}

/** The first signal ends the run with a report of what it found so far; the second one immediately, with what there is of it. */
function stopOnSignal(tell: () => void): AbortSignal {
  const stop = new AbortController();
  // Each try of --again listens.
  setMaxListeners(0, stop.signal);
  const onSignal = (): void => {
    if (!stop.signal.aborted) return stop.abort();
    tell();
    // A pipe takes what is written to it only later.
    process.stdout.write('', () => process.exit(EXIT_INTERRUPTED));
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  return stop.signal;
}

function fail(error: unknown): number {
  if (error instanceof PrintAndExit) {
    process.stdout.write(error.text);
    return EXIT_WELL;
  }
  if (error instanceof PetstoreMockError) {
    complain(error.message);
    return error.code === 'target-unreachable' ? EXIT_UNAVAILABLE : EXIT_USAGE;
  }
  complain(
    `this is a bug of petstore-conformance; please report it.\n${error instanceof Error ? (error.stack ?? '') : ''}`,
  );
  return EXIT_BUG;
}

/** What a run would do: the scenarios, and with `--dry-run` their steps. */
function formatPlan(scenarios: readonly Scenario[], dryRun: boolean): string {
  const width = Math.max(...scenarios.map(({ id }) => id.length));
  const lines = scenarios.flatMap((scenario) => [
    `${scenario.id.padEnd(width)}  ${scenario.title}`,
    ...(dryRun ? describeSteps(scenario) : []),
  ]);
  return `${lines.join('\n')}\n\n${scenarios.length} scenarios, about ${estimateRequests(scenarios)} requests, and at most ${MOST_LOOK_REQUESTS} more for what is in doubt\n`;
}

function describeSteps({ steps, basis }: Scenario): string[] {
  const rows = steps.map((step) => {
    const what = step.operationId ?? `${step.request?.method} ${step.request?.path}`;
    const auth = step.auth === 'valid' ? '' : `, key ${step.auth}`;
    const expected =
      step.expect?.status ??
      (step.outcomes === undefined ? 'any' : step.outcomes.flatMap(({ choice }) => choice ?? []));
    return `    ${step.id}: ${what}${auth} → ${[...new Set([expected].flat())].join(' or ')}`;
  });
  return [`    basis ${basis}`, ...rows];
}
