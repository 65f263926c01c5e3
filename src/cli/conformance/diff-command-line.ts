import { Command } from 'commander';
import { PetstoreMockError } from '../../errors.js';
import { suggest } from '../../suggest.js';
import { parseOrPrint } from '../options/command-line.js';

const FORMATS = ['pretty', 'json'];

/** What `petstore-conformance diff` is asked for. */
export interface DiffCommand {
  before: string;
  now: string;
  asJson: boolean;
}

/** Reads what follows `diff`. Throws `PrintAndExit` for `--help`, a `PetstoreMockError` for what cannot be used. */
export function readDiffCommand(argv: readonly string[]): DiffCommand {
  const command = new Command('petstore-conformance diff')
    .description('Compares two profiles, such as those of staging and production.')
    .argument('<before>', 'a profile that --write-profile wrote')
    .argument('<now>', 'another profile')
    .option('--report <format>', FORMATS.join(' or '), 'pretty')
    .helpOption('--help', 'show this help')
    .addHelpText('after', EXIT_CODES);
  parseOrPrint(command, argv, (message) => `diff: ${message}; give two profiles.`);
  const [before = '', now = ''] = command.args;
  const { report } = command.opts<{ report: string }>();
  if (FORMATS.includes(report)) return { before, now, asJson: report === 'json' };
  throw new PetstoreMockError('bad-option', `diff: there is no format ${report}${suggest(report, FORMATS)}`);
}

const EXIT_CODES = `
Exit codes: 0 the services do the same, as far as both profiles tell; 1 they
differ; 2 wrong usage, or a profile that cannot be used.
`;
