import { Command } from 'commander';
import { addFlags, parseOrPrint, readFlags } from '../options/command-line.js';
import { defineOptions } from '../options/define-options.js';
import type { Environment } from '../options/environment.js';
import { resolveOptions } from '../options/resolve.js';
import type { Demands } from './judge-result.js';
import { OPTIONS } from './options.js';
import type { OutputSettings } from './run-outputs.js';
import { readReports } from './settings.js';

/** The options of a run that concern its result. */
const MERGE_OPTIONS = defineOptions({
  report: OPTIONS.report,
  'report-dir': OPTIONS['report-dir'],
  'write-baseline': OPTIONS['write-baseline'],
  'write-profile': OPTIONS['write-profile'],
  'fail-on': OPTIONS['fail-on'],
  'min-coverage': OPTIONS['min-coverage'],
  'min-concluded': OPTIONS['min-concluded'],
  quiet: OPTIONS.quiet,
  verbose: OPTIONS.verbose,
  gaps: OPTIONS.gaps,
  color: OPTIONS.color,
});

/** The arguments of `petstore-conformance merge`. */
export interface MergeCommand extends OutputSettings, Demands {
  /** The JSON results of all shards. */
  paths: readonly string[];
}

/** Reads the arguments after `merge`. Throws `PrintAndExit` for `--help`, a `PetstoreMockError` for anything unusable. */
export function readMergeCommand(argv: readonly string[], env: Environment): MergeCommand {
  const command = new Command('petstore-conformance merge')
    .description('Puts the JSON reports of all shards of a run together, and judges them as one run.')
    .argument('<results...>', 'what --report json wrote for each --shard')
    .helpOption('--help', 'show this help')
    .addHelpText('after', EXIT_CODES);
  addFlags(command, MERGE_OPTIONS);
  parseOrPrint(command, argv, (message) => `merge: ${message}; give the JSON reports of all shards.`);
  const { values } = resolveOptions(MERGE_OPTIONS, [readFlags(command, MERGE_OPTIONS)]);
  const reports = readReports(values, env);
  return {
    ...values,
    paths: command.args,
    reports,
    jobSummary: reports.includes('github') ? env['GITHUB_STEP_SUMMARY'] : undefined,
  };
}

const EXIT_CODES = `
Exit codes: as for a run.
`;
