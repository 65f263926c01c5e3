import { Command, Option } from 'commander';
import { PetstoreMockError } from '../../errors.js';
import { PrintAndExit } from '../options/command-line.js';
import { OPTIONS } from './options.js';
import { findNearest } from '../../suggest.js';
import { refuseStrangers } from '../options/refuse-unknown-arguments.js';

/** What the command line asks of the runner. */
export interface ConformanceCommandLine {
  /** Options by their name, as they were written; a switch is `true`. */
  values: ReadonlyMap<string, string[]>;
  config: string | undefined;
  color: boolean;
}

/** Reads the command line. Throws {@link PrintAndExit} for `--help` and `--version`, a `PetstoreMockError` for what is no option. */
export function readConformanceCommandLine(argv: readonly string[], version: string): ConformanceCommandLine {
  const command = createCommand(version);
  let printed = '';
  command.configureOutput({ writeOut: (text) => (printed += text), writeErr: () => {} });
  command.exitOverride((error) => {
    if (error.exitCode === 0) throw new PrintAndExit(printed);
    throw new PetstoreMockError('bad-option', `${error.message.replace(/^error: /, '')}.`);
  });
  command.parse([...argv], { from: 'user' });
  refuseStrangers(command, { hint: 'The base URL goes with --target.', meaning: guessMeaning });
  return {
    values: collectValues(command),
    config: command.getOptionValue('config') as string | undefined,
    color: command.getOptionValue('color') === true,
  };
}

/** What someone may have meant by a word without a flag. */
function guessMeaning(word: string): string | undefined {
  if (/^https?:/i.test(word)) return `--target ${word}`;
  return word === 'diff' || findNearest(word, ['diff']) !== undefined ? 'diff as the first word' : undefined;
}

function createCommand(version: string): Command {
  const command = new Command('petstore-conformance')
    .description('Finds where a deployment of the petstore deviates from its contract.')
    .usage('--target <base_url> [options]')
    .allowUnknownOption()
    .allowExcessArguments();
  for (const { flag, description, kind } of OPTIONS) {
    const option = new Option(flag, description);
    command.addOption(kind === 'switch' ? option : option.argParser(collect));
  }
  return command
    .option(
      '--config <path>',
      'a YAML file with options and targets (default petstore-conformance.yaml, if it is there)',
    )
    .option('--no-color', 'no colours')
    .helpOption('--help', 'show this help')
    .version(version, '--version', 'show the version')
    .addHelpText('after', MORE);
}

const MORE = `
Most options may also stand in the config file under the name of their flag, or
in the environment as PETSTORE_CONFORMANCE_TIMEOUT, PETSTORE_CONFORMANCE_READ_ONLY
and so on. A flag counts before the environment, the environment before the
config file. Proxies are taken from HTTPS_PROXY, HTTP_PROXY and NO_PROXY.

Exit codes: 0 nothing deviates but what is known; 1 something does, or has
changed since --profile, a line of the baseline is out of date, or --fail-on or
--min-coverage is met; 2 wrong usage, an unusable file, a key that the target
refuses, or nothing concluded; 3 the target cannot be reached; 4 a bug of this
program; 130 interrupted.

Examples:
  petstore-conformance --target http://127.0.0.1:4010/v1
  petstore-conformance --target "$STAGING" --read-only
  petstore-conformance --target staging
  petstore-conformance --target "$STAGING" --write-profile staging.profile.yaml
  petstore-conformance --target "$STAGING" --profile staging.profile.yaml
  petstore-conformance diff staging.profile.yaml production.profile.yaml
  petstore-conformance --target "$STAGING" --only 'limits/*' --only 'status-filter/*'
  petstore-conformance --target "$STAGING" --report pretty,html,junit --report-dir reports
`;

function collect(value: string, previous: string[] | undefined): string[] {
  return [...(previous ?? []), value];
}

function collectValues(command: Command): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const { name } of OPTIONS) {
    const value: unknown = command.getOptionValue(toCamelCase(name));
    if (value === true) values.set(name, ['true']);
    else if (Array.isArray(value)) values.set(name, value as string[]);
  }
  return values;
}

function toCamelCase(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
