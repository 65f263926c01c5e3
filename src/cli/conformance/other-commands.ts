import { Command } from 'commander';
import { oneOf } from '../../options/rules.js';
import { addFlags, parseOrPrint, readFlags } from '../options/command-line.js';
import { defineOptions, resolveOptions, type Environment } from '../options/define-options.js';
import type { ConformanceOptions } from '../../conformance/model/options.js';
import type { Gap } from '../../contract/gaps/gaps.js';
import { OPTIONS } from './options.js';
import type { Demands } from './judge-result.js';
import type { OutputSettings } from './run-outputs.js';
import { readReports } from './settings.js';

const FORMATS = ['pretty', 'json'] as const;

/** Every option of `diff`. */
const DIFF_OPTIONS = defineOptions({
  report: {
    value: '<format>',
    help: FORMATS.join(' or '),
    rule: { ...oneOf(FORMATS), verb: 'takes' },
    from: ['flag'],
    default: 'pretty',
  },
});

/** The arguments of `petstore-conformance diff`. */
interface DiffCommand {
  before: string;
  now: string;
  asJson: boolean;
}

/** Reads the arguments after `diff`. Throws `PrintAndExit` for `--help`, a `PetstoreMockError` for anything unusable. */
export function readDiffCommand(argv: readonly string[]): DiffCommand {
  const command = new Command('petstore-conformance diff')
    .description('Compares two profiles, such as those of staging and production.')
    .argument('<before>', 'a profile that --write-profile wrote')
    .argument('<now>', 'another profile')
    .helpOption('--help', 'show this help')
    .addHelpText('after', EXIT_CODES_OF_DIFF);
  addFlags(command, DIFF_OPTIONS);
  parseOrPrint(command, argv, (message) => `diff: ${message}; give two profiles.`);
  const [before = '', now = ''] = command.args;
  const { report } = resolveOptions(DIFF_OPTIONS, [readFlags(command, DIFF_OPTIONS)]).values;
  return { before, now, asJson: report === 'json' };
}

const EXIT_CODES_OF_DIFF = `
Exit codes: 0 the services do the same, as far as both profiles tell; 1 they
differ; 2 wrong usage, or a profile that cannot be used.
`;

/** The options that say which contract is meant. */
export const CONTRACT_OPTIONS = defineOptions({
  spec: OPTIONS.spec,
  resources: OPTIONS.resources,
  records: OPTIONS.records,
  'allow-outside-refs': OPTIONS['allow-outside-refs'],
  'allow-remote-refs': OPTIONS['allow-remote-refs'],
  'allow-private-hosts': OPTIONS['allow-private-hosts'],
});

/** Reads the arguments after `gaps`. Throws `PrintAndExit` for `--help`, a `PetstoreMockError` for anything unusable. */
export function readGapsCommand(
  argv: readonly string[],
): Pick<
  ConformanceOptions,
  'spec' | 'resources' | 'records' | 'allowOutsideRefs' | 'allowRemoteRefs' | 'allowPrivateHosts'
> {
  const command = new Command('petstore-conformance gaps')
    .description('Lists what a contract leaves open: the names that profiles have for it, and the choices.')
    .helpOption('--help', 'show this help');
  addFlags(command, CONTRACT_OPTIONS);
  parseOrPrint(command, argv, (message) => `gaps: ${message}; give the contract with --spec.`);
  return resolveOptions(CONTRACT_OPTIONS, [readFlags(command, CONTRACT_OPTIONS)]).values;
}

/** A line for each gap, and one for its answers. */
export function formatGaps(gaps: readonly Gap[]): string {
  const lines = gaps.flatMap((gap) => [`${gap.id}  ${gap.question}`, `    ${describeAnswers(gap)}`]);
  return `${lines.join('\n')}\n\n${gaps.length} ${gaps.length === 1 ? 'gap' : 'gaps'}; a profile (--profile) pins them by name\n`;
}

function describeAnswers({ kind, choices, value, item, mock }: Gap): string {
  if (kind === 'observation') return `a list: ${item ?? ''}`;
  if (kind === 'value') return `${value === 'integer' ? 'a number' : 'a text'}, or none`;
  return Object.keys(choices)
    .map((name) => (name === mock ? `${name} (the mock)` : name))
    .join(', ');
}

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
interface MergeCommand extends OutputSettings, Demands {
  /** The JSON results of all shards. */
  paths: readonly string[];
}

/** Reads the arguments after `merge`. Throws `PrintAndExit` for `--help`, a `PetstoreMockError` for anything unusable. */
export function readMergeCommand(argv: readonly string[], env: Environment): MergeCommand {
  const command = new Command('petstore-conformance merge')
    .description('Puts the JSON reports of all shards of a run together, and judges them as one run.')
    .argument('<results...>', 'what --report json wrote for each --shard')
    .helpOption('--help', 'show this help')
    .addHelpText('after', EXIT_CODES_OF_MERGE);
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

const EXIT_CODES_OF_MERGE = `
Exit codes: as for a run.
`;
