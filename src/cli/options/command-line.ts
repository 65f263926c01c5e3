import { existsSync } from 'node:fs';
import { Command, Option } from 'commander';
import { findNearest, suggest } from '../../suggest.js';
import * as declared from './define-options.js';

export class PrintAndExit {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Throws {@link PrintAndExit} for `--help` and `--version`, a `PetstoreMockError` for what is no option. */
export function readCommandLine(program: declared.Program, argv: readonly string[], version: string): declared.Source {
  // `--help` alone prints one screen, `--help all` everything. Without either, nothing is hidden.
  const at = argv.indexOf('--help');
  const command = createCommand(program, version, at < 0 || argv[at + 1] === 'all');
  // For users who type `-h` and mean help.
  const [name] = Object.entries(program.options).find(([, { short }]) => short === '-h') ?? [];
  const hint = name !== undefined && argv.at(-1) === '-h' ? ` -h sets the ${name}; for help, use --help.` : '';
  parseOrPrint(command, argv, (message) => `${message}.${hint}`);
  refuseUnknown(command, program, argv);
  return readFlags(command, program.options);
}

interface Subcommand<Declared extends declared.Options> {
  name: string;
  description: string;
  /** What it takes beside options, each with what that is. */
  words?: readonly (readonly [string, string])[];
  options: Declared;
  /** The end of its help. */
  notes?: string;
  complete: (message: string) => string;
}

/** Reads the arguments of a command. Throws as {@link readCommandLine} does. */
export function readSubcommand<Declared extends declared.Options>(
  { name, description, words = [], options, notes = '', complete }: Subcommand<Declared>,
  argv: readonly string[],
): { words: string[]; values: declared.Values<Declared> } {
  const command = new Command(name).description(description);
  for (const [word, what] of words) command.argument(word, what);
  command.helpOption('--help', 'show this help').addHelpText('after', notes);
  addFlags(command, options);
  parseOrPrint(command, argv, complete);
  return { words: command.args, values: declared.resolveOptions(options, [readFlags(command, options)]).values };
}

/** The values that a parsed command line gives some options. Throws a `PetstoreMockError` for an invalid value. */
function readFlags(command: Command, options: declared.Options): declared.Source {
  const given = declared.listFrom(options, 'flag').flatMap(([name, option]) => {
    const attribute = new Option(`--${name}`).attributeName();
    if (command.getOptionValueSource(attribute) !== 'cli') return [];
    // That of a switch is true, or false if it negates.
    const value: unknown = command.getOptionValue(attribute);
    if (option.once !== undefined && Array.isArray(value) && value.length > 1)
      throw declared.bad(`--${name} is given ${value.length} times: ${option.once}.`);
    const read = Array.isArray(value) ? declared.readTexts(option, value as string[]) : value;
    return [[name, declared.checkGiven(option, { value: read, from: 'flag', where: `--${name}` })] as const];
  });
  return new Map(given);
}

/** Lets commander parse without printing or exiting. */
function parseOrPrint(command: Command, argv: readonly string[], complete: (message: string) => string): void {
  let printed = '';
  command.configureOutput({ writeOut: (text) => (printed += text), writeErr: () => {} });
  command.exitOverride((error) => {
    if (error.exitCode === 0) throw new PrintAndExit(printed);
    throw declared.bad(complete(error.message.replace(/^error: /, '')));
  });
  command.parse([...argv], { from: 'user' });
}

function createCommand(program: declared.Program, version: string, isFull: boolean): Command {
  const { name, description, commands, usage, options } = program;
  const width = Math.max(...Object.keys(commands).map((each) => each.length));
  const list = Object.entries(commands).map(([each, what]) => `  ${each.padEnd(width)}  ${what}`);
  const command = new Command(name)
    .description(`${description}\n\nCommands (each has its own --help):\n${list.join('\n')}`)
    .usage(usage)
    .allowUnknownOption()
    .allowExcessArguments();
  addFlags(command, options, isFull ? { isGrouped: true } : { shown: program.usual });
  // Last, which puts them below the last heading.
  return command
    .version(version, '--version', 'show the version')
    .helpOption('--help', 'show this help; --help all lists every option')
    .addHelpText('after', isFull ? program.notes : program.shortNotes);
}

/** Declares the flags of some options to commander, below their headings if there are many. The help has those that are shown, by default all. */
function addFlags(
  command: Command,
  options: declared.Options,
  { isGrouped = false, shown }: { isGrouped?: boolean; shown?: readonly string[] } = {},
): void {
  const flags = declared.listFrom(options, 'flag');
  for (const [flag, option] of flags) {
    if (isGrouped && option.heading !== undefined) command.optionsGroup(`${option.heading}:`);
    command.addOption(toCommander(flag, option).hideHelp(shown?.includes(flag) === false));
  }
  // A switch that another source turned off can be turned on again.
  for (const [flag, { isNegated, from }] of flags)
    if (isNegated === true && from === undefined) command.addOption(new Option(`--${flag}`).hideHelp());
}

function toCommander(name: string, option: declared.OptionDeclaration): Option {
  const { short, value, isNegated, help, rule, default: filledIn, otherwise = filledIn } = option;
  const repeated = rule.isList === true ? '; may be repeated' : '';
  const usual = otherwise === undefined || isNegated === true ? '' : ` (default: ${otherwise})`;
  const flag = `${short === undefined ? '' : `${short}, `}${isNegated === true ? '--no-' : '--'}${name}`;
  if (value === undefined) return new Option(flag, `${help}${repeated}${usual}`);
  const collect = (each: string, known: string[] | undefined): string[] => [...(known ?? []), each];
  return new Option(`${flag} ${value}`, `${help}${repeated}${usual}`).argParser(collect);
}

/** Throws a `PetstoreMockError` for anything that is not an option of the program. */
function refuseUnknown(command: Command, program: declared.Program, argv: readonly string[]): void {
  const { args, options } = command;
  const [word] = args;
  if (word === undefined) return;
  if (!word.startsWith('-') || word === '-') {
    // A word next to a secret may be part of it.
    const secrets = options.filter((option) => program.options[option.name()]?.rule.isSecret === true);
    const hasSecret = secrets.some((option) => command.getOptionValue(option.attributeName()) !== undefined);
    // A plain word, a short number, a URL without credentials, a file: no key looks like these.
    const isHarmless =
      /^(?:[a-z]{1,16}|\d{1,5}|-)$|^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\s@?#]+$/.test(word) || existsSync(word);
    if (!isHarmless || hasSecret)
      throw declared.bad(`unexpected argument; it is not shown, since it may be a key. ${program.hint}`);
    const named = argv[0] === word ? `there is no command ${word}` : `unexpected argument ${word}`;
    throw declared.bad(`${named}${describeMeaning(word, command, program)}`);
  }
  const name = word.split('=')[0] ?? word;
  const flags = options.flatMap(({ short, long }) => [short, long].filter((flag) => typeof flag === 'string'));
  if ([...flags, '--help'].includes(name)) throw declared.bad(`${name} takes no value.`);
  const hidden = options.flatMap(({ long, hidden: isHidden }) => (isHidden ? [long] : []));
  const known = [...flags.filter((flag) => !hidden.includes(flag)), '--help'];
  throw declared.bad(`there is no option ${name}${suggest(name, known)}`);
}

/** `gasp` is gaps; `port 4011` lacks its dashes. */
function describeMeaning(word: string, { options }: Command, { guessMeaning, commands }: declared.Program): string {
  const known = Object.keys(commands);
  const flags = options.flatMap(({ long, hidden }) => (typeof long !== 'string' || hidden ? [] : [long.slice(2)]));
  const near = findNearest(word, [...known, ...flags, 'help']);
  const named = near === undefined || known.includes(near) ? near : `--${near}`;
  const meant = guessMeaning(word) ?? (named === word ? `${named} as the first word` : named);
  if (meant !== undefined) return `; did you mean ${meant}?`;
  return `. The ${known.length === 1 ? 'only command is' : 'commands are'} ${known.join(', ')}; --help lists the options.`;
}
