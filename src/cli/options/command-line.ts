import { Command, Option } from 'commander';
import { PetstoreMockError } from '../../errors.js';
import {
  checkGiven,
  listFrom,
  readTexts,
  type GivenValue,
  type OptionDeclaration,
  type Options,
  type Program,
  type Source,
} from './define-options.js';
import { existsSync } from 'node:fs';
import { findNearest, suggest } from '../../suggest.js';

/** What to print instead of starting: the help, or the version. */
export class PrintAndExit {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/**
 * Reads the command line. Throws {@link PrintAndExit} for `--help` and
 * `--version`, and a `PetstoreMockError` for anything that is not an option.
 */
export function readCommandLine(program: Program, argv: readonly string[], version: string): Source {
  const command = createCommand(program, version, readHelpLength(argv));
  parseOrPrint(command, argv, (message) => `${message}.${hintFor(program, argv)}`);
  refuseStrangers(command, program, argv);
  return readFlags(command, program.options);
}

/** The values that a parsed command line gives some options. Throws a `PetstoreMockError` for an invalid value. */
export function readFlags(command: Command, options: Options): Source {
  const given = listFrom(options, 'flag').filter(([name]) => command.getOptionValueSource(attributeOf(name)) === 'cli');
  return new Map(given.map(([name, option]) => [name, readFlag(command, name, option)]));
}

/** Lets commander parse without printing or exiting; `complete` turns its messages into sentences. */
export function parseOrPrint(command: Command, argv: readonly string[], complete: (message: string) => string): void {
  let printed = '';
  command.configureOutput({ writeOut: (text) => (printed += text), writeErr: () => {} });
  command.exitOverride((error) => {
    if (error.exitCode === 0) throw new PrintAndExit(printed);
    throw new PetstoreMockError('bad-option', complete(error.message.replace(/^error: /, '')));
  });
  command.parse([...argv], { from: 'user' });
}

/** `--help` alone prints one screen, `--help all` everything. Without either, nothing is hidden. */
function readHelpLength(argv: readonly string[]): 'short' | 'full' {
  const at = argv.indexOf('--help');
  return at < 0 || argv[at + 1] === 'all' ? 'full' : 'short';
}

function createCommand(program: Program, version: string, length: 'short' | 'full'): Command {
  const { name, description, commands, usage, options } = program;
  const width = Math.max(...Object.keys(commands).map((each) => each.length));
  const list = Object.entries(commands).map(([each, what]) => `  ${each.padEnd(width)}  ${what}`);
  const command = new Command(name)
    .description(`${description}\n\nCommands (each has its own --help):\n${list.join('\n')}`)
    .usage(usage)
    .allowUnknownOption()
    .allowExcessArguments();
  addFlags(command, options, length === 'full' ? { isGrouped: true } : { shown: program.usual });
  // Last, which puts them below the last heading.
  return command
    .version(version, '--version', 'show the version')
    .helpOption('--help', 'show this help; --help all lists every option')
    .addHelpText('after', length === 'full' ? program.notes : program.shortNotes);
}

/** Declares the flags of some options to commander, below their headings if there are many. The help has those that are shown, by default all. */
export function addFlags(
  command: Command,
  options: Options,
  { isGrouped = false, shown }: { isGrouped?: boolean; shown?: readonly string[] } = {},
): void {
  const flags = listFrom(options, 'flag');
  for (const [flag, option] of flags) {
    if (isGrouped && option.heading !== undefined) command.optionsGroup(`${option.heading}:`);
    command.addOption(toCommander(flag, option).hideHelp(shown?.includes(flag) === false));
  }
  // A switch that another source turned off can be turned on again.
  for (const [flag, { isNegated, from }] of flags) {
    if (isNegated === true && from === undefined) command.addOption(new Option(`--${flag}`).hideHelp());
  }
}

function toCommander(name: string, option: OptionDeclaration): Option {
  const { short, value, isNegated } = option;
  const flag = `${short === undefined ? '' : `${short}, `}${isNegated === true ? '--no-' : '--'}${name}`;
  if (value === undefined) return new Option(flag, describeFlag(option));
  const collect = (each: string, known: string[] | undefined): string[] => [...(known ?? []), each];
  return new Option(`${flag} ${value}`, describeFlag(option)).argParser(collect);
}

function describeFlag({ help, rule, isNegated, default: filledIn, otherwise = filledIn }: OptionDeclaration): string {
  const repeated = rule.isList === true ? '; may be repeated' : '';
  return `${help}${repeated}${otherwise === undefined || isNegated === true ? '' : ` (default: ${otherwise})`}`;
}

/** The value of a flag; that of a switch is true, or false if it negates. */
function readFlag(command: Command, name: string, option: OptionDeclaration): GivenValue {
  const value: unknown = command.getOptionValue(attributeOf(name));
  if (option.once !== undefined && Array.isArray(value) && value.length > 1)
    throw new PetstoreMockError('bad-option', `--${name} is given ${value.length} times: ${option.once}.`);
  const read = Array.isArray(value) ? readTexts(option, value as string[]) : value;
  return checkGiven(option, { value: read, from: 'flag', where: `--${name}` });
}

/** Commander's name for the option. */
function attributeOf(name: string): string {
  return new Option(`--${name}`).attributeName();
}

/** For users who type `-h` and mean help. */
function hintFor({ options }: Program, argv: readonly string[]): string {
  const [name] = Object.entries(options).find(([, { short }]) => short === '-h') ?? [];
  return name !== undefined && argv.at(-1) === '-h' ? ` -h sets the ${name}; for help, use --help.` : '';
}

/** Throws a `PetstoreMockError` for anything that is not an option of the program. */
function refuseStrangers(command: Command, program: Program, argv: readonly string[]): void {
  const { args, options } = command;
  const [stranger] = args;
  if (stranger === undefined) return;
  if (!stranger.startsWith('-') || stranger === '-') {
    const isShown = isHarmless(stranger) && !hasSecret(command, program);
    const named = argv[0] === stranger ? `there is no command ${stranger}` : `unexpected argument ${stranger}`;
    const message = isShown
      ? `${named}${describeMeaning(stranger, command, program)}`
      : `unexpected argument; it is not shown, since it may be a key. ${program.hint}`;
    throw new PetstoreMockError('bad-option', message);
  }
  const name = stranger.split('=')[0] ?? stranger;
  const flags = options.flatMap(({ short, long }) => [short, long].filter((flag) => typeof flag === 'string'));
  if ([...flags, '--help'].includes(name)) throw new PetstoreMockError('bad-option', `${name} takes no value.`);
  const hidden = options.flatMap(({ long, hidden: isHidden }) => (isHidden ? [long] : []));
  const known = [...flags.filter((flag) => !hidden.includes(flag)), '--help'];
  throw new PetstoreMockError('bad-option', `there is no option ${name}${suggest(name, known)}`);
}

/** A word next to a secret may be part of it. */
function hasSecret(command: Command, { options }: Program): boolean {
  const secrets = command.options.filter((option) => options[option.name()]?.rule.isSecret === true);
  return secrets.some((option) => command.getOptionValue(option.attributeName()) !== undefined);
}

/** A plain word, a short number, a URL without credentials, a file: no key looks like these. */
function isHarmless(word: string): boolean {
  if (/^(?:[a-z]{1,16}|\d{1,5}|-)$/.test(word) || existsSync(word)) return true;
  return /^https?:\/\/[^\s@?#]+$/i.test(word);
}

function describeMeaning(word: string, { options }: Command, { guessMeaning, commands }: Program): string {
  const meant = guessMeaning(word) ?? findNamed(word, options, Object.keys(commands));
  if (meant !== undefined) return `; did you mean ${meant}?`;
  const known = Object.keys(commands);
  return `. The ${known.length === 1 ? 'only command is' : 'commands are'} ${known.join(', ')}; --help lists the options.`;
}

/** `gasp` is gaps; `port 4011` lacks its dashes. */
function findNamed(word: string, options: Command['options'], commands: readonly string[]): string | undefined {
  const flags = options.flatMap(({ long, hidden }) => (typeof long !== 'string' || hidden ? [] : [long.slice(2)]));
  const near = findNearest(word, [...commands, ...flags, 'help']);
  if (near === undefined) return undefined;
  if (!commands.includes(near)) return `--${near}`;
  return near === word ? `${near} as the first word` : near;
}
