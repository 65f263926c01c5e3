import { Command } from 'commander';
import type { ConformanceOptions } from '../../conformance/model/options.js';
import type { Gap } from '../../contract/gaps/gaps.js';
import { addFlags, parseOrPrint, readFlags } from '../options/command-line.js';
import { defineOptions } from '../options/define-options.js';
import { resolveOptions } from '../options/resolve.js';
import { OPTIONS } from './options.js';

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
