import type { ConformanceOptions } from '../../conformance/model/options.js';
import type { Gap } from '../../contract/gaps/gaps.js';
import { oneOf } from '../../options/rules.js';
import { count } from '../../report/report-format.js';
import { readSubcommand } from '../options/command-line.js';
import { defineOptions, type Environment } from '../options/define-options.js';
import type { Demands } from './judge-result.js';
import { OPTIONS } from './options.js';
import type { OutputSettings } from './run-outputs.js';
import { readReports } from './settings.js';

// Each reads the arguments after its name, and throws `PrintAndExit` for `--help`, a `PetstoreMockError` for anything unusable.

const FORMATS = ['pretty', 'json'] as const;
const FORMAT = { ...oneOf(FORMATS), verb: 'takes' } as const;

export function readDiffCommand(argv: readonly string[]): { before: string; now: string; asJson: boolean } {
  const { words, values } = readSubcommand(
    {
      name: 'petstore-conformance diff',
      description: 'Compares two profiles, such as those of staging and production.',
      words: [
        ['<before>', 'a profile that --write-profile wrote'],
        ['<now>', 'another profile'],
      ],
      options: defineOptions({
        report: { value: '<format>', help: FORMATS.join(' or '), rule: FORMAT, from: ['flag'], default: 'pretty' },
      }),
      notes: `
Exit codes: 0 the services do the same, as far as both profiles tell; 1 they
differ; 2 wrong usage, or a profile that cannot be used.
`,
      complete: (message) => `diff: ${message}; give two profiles.`,
    },
    argv,
  );
  const [before = '', now = ''] = words;
  return { before, now, asJson: values.report === 'json' };
}

export const CONTRACT_OPTIONS = defineOptions({
  spec: OPTIONS.spec,
  resources: OPTIONS.resources,
  records: OPTIONS.records,
  'allow-outside-refs': OPTIONS['allow-outside-refs'],
  'allow-remote-refs': OPTIONS['allow-remote-refs'],
  'allow-private-hosts': OPTIONS['allow-private-hosts'],
});

export type ContractOptions = Pick<
  ConformanceOptions,
  'spec' | 'resources' | 'records' | 'allowOutsideRefs' | 'allowRemoteRefs' | 'allowPrivateHosts'
>;

export function readGapsCommand(argv: readonly string[]): ContractOptions {
  return readSubcommand(
    {
      name: 'petstore-conformance gaps',
      description: 'Lists what a contract leaves open: the names that profiles have for it, and the choices.',
      options: CONTRACT_OPTIONS,
      complete: (message) => `gaps: ${message}; give the contract with --spec.`,
    },
    argv,
  ).values;
}

/** A line for each gap, and one for its answers. */
export function formatGaps(gaps: readonly Gap[]): string {
  const lines = gaps.flatMap((gap) => [`${gap.id}  ${gap.question}`, `    ${describeAnswers(gap)}`]);
  return `${lines.join('\n')}\n\n${count(gaps.length, 'gap')}; a profile (--profile) pins them by name\n`;
}

function describeAnswers({ kind, choices, value, item, mock }: Gap): string {
  if (kind === 'observation') return `a list: ${item ?? ''}`;
  if (kind === 'value') return `${value === 'integer' ? 'a number' : 'a text'}, or none`;
  return Object.keys(choices)
    .map((name) => (name === mock ? `${name} (the mock)` : name))
    .join(', ');
}

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

export function readMergeCommand(
  argv: readonly string[],
  env: Environment,
): OutputSettings & Demands & { paths: readonly string[] } {
  const { words, values } = readSubcommand(
    {
      name: 'petstore-conformance merge',
      description: 'Puts the JSON reports of all shards of a run together, and judges them as one run.',
      words: [['<results...>', 'what --report json wrote for each --shard']],
      options: MERGE_OPTIONS,
      notes: '\nExit codes: as for a run.\n',
      complete: (message) => `merge: ${message}; give the JSON reports of all shards.`,
    },
    argv,
  );
  return { ...values, paths: words, ...readReports(values, env) };
}
