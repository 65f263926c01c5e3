import { Command } from 'commander';
import { oneOf } from '../../options/rules.js';
import { addFlags, parseOrPrint, readFlags } from '../options/command-line.js';
import { defineOptions } from '../options/define-options.js';
import { resolveOptions } from '../options/resolve.js';

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
export interface DiffCommand {
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
    .addHelpText('after', EXIT_CODES);
  addFlags(command, DIFF_OPTIONS);
  parseOrPrint(command, argv, (message) => `diff: ${message}; give two profiles.`);
  const [before = '', now = ''] = command.args;
  const { report } = resolveOptions(DIFF_OPTIONS, [readFlags(command, DIFF_OPTIONS)]).values;
  return { before, now, asJson: report === 'json' };
}

const EXIT_CODES = `
Exit codes: 0 the services do the same, as far as both profiles tell; 1 they
differ; 2 wrong usage, or a profile that cannot be used.
`;
