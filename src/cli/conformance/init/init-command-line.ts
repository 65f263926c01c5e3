import { statSync } from 'node:fs';
import { Command } from 'commander';
import type { ConformanceOptions } from '../../../conformance/model/options.js';
import { addFlags, parseOrPrint, readFlags } from '../../options/command-line.js';
import { defineOptions } from '../../options/define-options.js';
import { resolveOptions } from '../../options/resolve.js';
import { openFileOutput, type FileOutput } from '../../output/file-output.js';
import { USUAL_FILE } from '../config.js';
import { nameProgram } from '../describe-command.js';
import { CONTRACT_OPTIONS } from '../gaps-command-line.js';
import { bad, PATH, SWITCH } from '../options/option-rules.js';
import { OPTIONS } from '../options.js';

const INIT_OPTIONS = defineOptions({
  ...CONTRACT_OPTIONS,
  parameter: OPTIONS.parameter,
  output: {
    value: '<path>',
    help: 'the file to write; - prints it',
    rule: PATH,
    from: ['flag'],
    otherwise: USUAL_FILE,
  },
  stdout: { help: 'print the file instead of writing it, as --output - does', rule: SWITCH, from: ['flag'] },
  force: { help: 'replace the file if it exists', rule: SWITCH, from: ['flag'] },
});

/** The arguments of `petstore-conformance init`. */
export interface InitCommand extends Pick<
  ConformanceOptions,
  'resources' | 'records' | 'parameter' | 'allowOutsideRefs' | 'allowRemoteRefs' | 'allowPrivateHosts'
> {
  spec: string;
  /** The program, as it was started. */
  program: string;
  /** `undefined` if the file is printed. */
  output: FileOutput | undefined;
}

/** Reads the arguments after `init`. Throws `PrintAndExit` for `--help`, a `PetstoreMockError` for anything unusable. */
export function readInitCommand(argv: readonly string[]): InitCommand {
  const command = new Command('petstore-conformance init')
    .description(
      'Writes a config file for a contract, and says what a run with it tests, what it cannot test, and why.',
    )
    .argument('[-]', 'prints the file instead of writing it')
    .helpOption('--help', 'show this help')
    .addHelpText('after', NOTES);
  addFlags(command, INIT_OPTIONS);
  parseOrPrint(command, argv, (message) => `init: ${message}; give the contract with --spec.`);
  const [word] = command.args;
  if (word !== undefined && word !== '-') throw bad(`init: ${word} is not an option; did you mean --spec ${word}?`);
  const { output, stdout, force, spec, ...rest } = resolveOptions(INIT_OPTIONS, [
    readFlags(command, INIT_OPTIONS),
  ]).values;
  if (spec === undefined) throw bad('init: there is no contract; give it with --spec, such as --spec api.yaml.');
  const isPrinted = word === '-' || stdout || output === '-';
  const program = nameProgram(process.argv[1] ?? '', process.cwd(), process.env);
  return { ...rest, spec, program, output: isPrinted ? undefined : openConfig(output ?? USUAL_FILE, force) };
}

function openConfig(path: string, force: boolean): FileOutput {
  if (!force && statSync(path, { throwIfNoEntry: false })?.isFile() === true)
    throw bad(`init: ${path} exists; --force replaces it, --output names another file, and --stdout prints it.`);
  return openFileOutput(path);
}

const NOTES = `
Exit codes: 0 the file was written; 2 wrong usage, a contract that cannot be used
or of which nothing can be tested, or a file that exists.

Examples:
  petstore-conformance init --spec api.yaml
  petstore-conformance init --spec api.yaml --stdout > ci/conformance.yaml
`;
