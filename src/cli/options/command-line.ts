import { Command, Option } from 'commander';
import { PetstoreMockError } from '../../errors.js';
import { listShippedPacks } from '../../mock/fixtures/load-fixtures.js';
import { OPTIONS, variableOf } from '../mock/options.js';
import { refuseStrangers } from './refuse-unknown-arguments.js';

/** What the command line asks for. */
export interface CommandLine {
  /** Options by their name, as they were written. */
  values: ReadonlyMap<string, string[]>;
  config: string | undefined;
  check: boolean;
}

/** What is to be printed instead of starting: help, or the version. */
export class PrintAndExit {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/**
 * Reads the command line. Throws {@link PrintAndExit} for `--help` and
 * `--version`, and a `PetstoreMockError` for what is no option.
 */
export function readCommandLine(argv: readonly string[], version: string): CommandLine {
  const command = createCommand(version);
  let printed = '';
  command.configureOutput({ writeOut: (text) => (printed += text), writeErr: () => {} });
  command.exitOverride((error) => {
    if (error.exitCode === 0) throw new PrintAndExit(printed);
    throw new PetstoreMockError('bad-option', `${sentenceOf(error.message)}${hintFor(argv)}`);
  });
  command.parse([...argv], { from: 'user' });
  refuseStrangers(command, { hint: 'Several keys are given by repeating --api-key.', meaning: guessMeaning });
  return {
    values: collectValues(command),
    config: command.getOptionValue('config') as string | undefined,
    check: command.getOptionValue('check') === true,
  };
}

/** What someone may have meant by a word without a flag. */
function guessMeaning(word: string): string | undefined {
  if (/^\d+$/.test(word)) return `--port ${word}`;
  if (/\.(?:ya?ml|json)$/i.test(word)) return `--spec ${word}, or --fixtures or --config`;
  if (/^https?:/i.test(word)) return `petstore-conformance --target ${word}`;
  return listShippedPacks().includes(word) ? `--fixtures ${word}` : undefined;
}

function createCommand(version: string): Command {
  const command = new Command('petstore-mock')
    .description('A stateful mock of the petstore that validates requests and its own answers.')
    .usage('[options]')
    .allowUnknownOption()
    .allowExcessArguments()
    .helpOption('--help', 'show this help');
  for (const { flag, description, default: byDefault, negated, isSwitch } of OPTIONS) {
    const option = new Option(flag, byDefault === undefined ? description : `${description} (default ${byDefault})`);
    command.addOption(negated === true || isSwitch === true ? option : option.argParser(collect));
  }
  for (const { name, negated } of OPTIONS) if (negated === true) command.addOption(new Option(`--${name}`).hideHelp());
  return command
    .option('--config <path>', 'a YAML file with options; a flag or a variable counts before it')
    .option('--check', 'check contract, fixtures and config, then end')
    .version(version, '--version', 'show the version')
    .addHelpText('after', EXAMPLES);
}

const EXAMPLES = `
Every option may also stand in the config file under the name of its flag, or in
the environment as ${OPTIONS.slice(0, 2).map(variableOf).join(', ')} and so on. The key is
PETSTORE_API_KEY, and PETSTORE_MOCK_CORS=false is --no-cors. A flag counts
before the environment, the environment before the config file. The token of the
admin API is PETSTORE_MOCK_ADMIN_TOKEN, and nowhere else.

Examples:
  petstore-mock                          50 pets on http://127.0.0.1:4010/v1
  petstore-mock --fixtures empty -p 0    no pets, on a free port
  petstore-mock --count 500 --seed 7     500 pets, always the same
  petstore-mock --delay 100-800          as slow as a real network
  petstore-mock --fault '*:503:rate=0.1' one request in ten fails
  petstore-mock --now 2030-12-05         the day the deprecated operation goes
  petstore-mock --config mock.yaml       options from a file
  petstore-mock --check --spec api.yaml  can it serve this document?
`;

function collect(value: string, previous: string[] | undefined): string[] {
  return [...(previous ?? []), value];
}

function collectValues(command: Command): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const { name, negated, isSwitch } of OPTIONS) {
    const value: unknown = command.getOptionValue(toCamelCase(name));
    if (Array.isArray(value)) values.set(name, value as string[]);
    // Without `--cors` and `--no-cors` the library says true of its own accord.
    if ((negated === true || isSwitch === true) && command.getOptionValueSource(toCamelCase(name)) === 'cli')
      values.set(name, [String(value)]);
  }
  return values;
}

function toCamelCase(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Commander's own messages begin with `error: ` and end without a full stop. */
function sentenceOf(message: string): string {
  return `${message.replace(/^error: /, '')}.`;
}

function hintFor(argv: readonly string[]): string {
  return argv.at(-1) === '-h' ? ' -h is the host; for help, --help.' : '';
}
