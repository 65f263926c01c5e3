import { Command } from 'commander';
import { PetstoreMockError } from '../errors.js';
import { PrintAndExit } from './command-line.js';
import { refuseStrangers } from './refuse-strangers.js';

/** The runner's flags as they were written. */
export interface ConformanceFlags {
  target?: string;
  apiKey?: string;
  apiKeyFile?: string;
  spec?: string;
  scenarios?: string[];
  only?: string[];
  skip?: string[];
  again?: string[];
  readOnly?: boolean;
  waitForTarget?: string;
  timeout?: string;
  rate?: string;
  concurrency?: string;
  settle?: string;
  maxCreates?: string;
  categoryId?: string;
  bail?: boolean;
  strict?: boolean;
  baseline?: string;
  writeBaseline?: string;
  failOn?: string;
  minCoverage?: string;
  report?: string[];
  reportDir?: string;
  list?: boolean;
  dryRun?: boolean;
  header?: string[];
  ca?: string;
  quiet?: boolean;
  color: boolean;
}

/** Reads the command line. Throws {@link PrintAndExit} for `--help` and `--version`, a `PetstoreMockError` for what is no option. */
export function readConformanceFlags(argv: readonly string[], version: string): ConformanceFlags {
  const command = createCommand(version);
  let printed = '';
  command.configureOutput({ writeOut: (text) => (printed += text), writeErr: () => {} });
  command.exitOverride((error) => {
    if (error.exitCode === 0) throw new PrintAndExit(printed);
    throw new PetstoreMockError('bad-option', `${error.message.replace(/^error: /, '')}.`);
  });
  command.parse([...argv], { from: 'user' });
  refuseStrangers(command, 'The base URL goes with --target.');
  return command.opts<ConformanceFlags>();
}

function createCommand(version: string): Command {
  return new Command('petstore-conformance')
    .description('Finds where a deployment of the petstore deviates from its contract.')
    .usage('--target <base_url> [options]')
    .allowUnknownOption()
    .allowExcessArguments()
    .option('--target <url>', 'the base URL, with its version segment: http://127.0.0.1:4010/v1')
    .option('--api-key <key>', 'the API key; better by PETSTORE_API_KEY or --api-key-file')
    .option('--api-key-file <path>', 'a file that holds the API key')
    .option('--spec <path>', 'another contract than the one that ships')
    .option(
      '--scenarios <path>',
      'a scenario file, or a folder of them, beside those that ship; may be repeated',
      collect,
    )
    .option('--only <id>', 'run these, with what they depend on: an id or a glob; may be repeated', collect)
    .option('--skip <id>', 'leave these out: an id or a glob; may be repeated', collect)
    .option('--again <id>', 'run one scenario again, with what it depends on; may be repeated', collect)
    .option('--read-only', 'send no POST')
    .option('--max-creates <n>', 'the most animals to create (default 50)')
    .option('--category-id <id>', 'a category that exists (default: one that a list shows)')
    .option('--wait-for-target <seconds>', 'wait so long for the target to answer at all')
    .option('--timeout <seconds>', 'the most that one exchange may take (default 10)')
    .option('--settle <seconds>', 'how long others may take to see a new animal (default 2)')
    .option('--rate <n>', 'at most so many requests a second')
    .option('--concurrency <n>', 'how many scenarios run at a time (default 4)')
    .option('--bail', 'stop at the first deviation')
    .option('--strict', 'fields beyond the contract are deviations')
    .option('--baseline <path>', 'a file of known deviations, which do not fail the run')
    .option('--write-baseline <path>', 'write what deviates into such a file; what stands there already is kept')
    .option('--fail-on <verdict>', 'exit with 1 when a scenario is inconclusive: --fail-on inconclusive')
    .option('--min-coverage <percent>', 'exit with 1 when less of the contract was exercised')
    .option(
      '--report <formats>',
      'pretty, html, json, junit, markdown, sarif, github; several with commas (default pretty; with github under GitHub Actions)',
      collect,
    )
    .option('--report-dir <path>', 'write the reports but pretty and github as files into this folder')
    .option('--list', 'list the scenarios and end')
    .option('--dry-run', 'list the scenarios with their steps and end')
    .option('--header <line>', 'a header field for every request, "Name: value"; may be repeated', collect)
    .option('--ca <path>', "PEM certificates to trust beside the system's")
    .option('--quiet', 'only what deviates, and the summary')
    .option('--no-color', 'no colours')
    .helpOption('--help', 'show this help')
    .version(version, '--version', 'show the version')
    .addHelpText('after', EXIT_CODES);
}

const EXIT_CODES = `
Exit codes: 0 nothing deviates but what is known; 1 something does, a line of
the baseline is out of date, or --fail-on or --min-coverage is met; 2 wrong
usage, an unusable file, a key that the target refuses, or nothing concluded;
3 the target cannot be reached; 4 a bug of this program; 130 interrupted.

Examples:
  petstore-conformance --target http://127.0.0.1:4010/v1
  petstore-conformance --target "$STAGING" --read-only
  petstore-conformance --target "$STAGING" --only 'limits/*' --only 'status-filter/*'
  petstore-conformance --target "$STAGING" --report pretty,html,junit --report-dir reports
`;

function collect(value: string, previous: string[] | undefined): string[] {
  return [...(previous ?? []), value];
}
