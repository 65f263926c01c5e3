import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { PetstoreMockError } from '../../errors.js';
import { findNearest, suggest } from '../../suggest.js';
import type { Program } from './define-options.js';

/** Throws a `PetstoreMockError` for anything that is not an option of the program. */
export function refuseStrangers(command: Command, program: Program, argv: readonly string[]): void {
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
