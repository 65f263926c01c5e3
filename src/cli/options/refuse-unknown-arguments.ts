import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { PetstoreMockError } from '../../errors.js';
import { findNearest, suggest } from '../../suggest.js';
import type { Program } from './define-options.js';

/** Throws a `PetstoreMockError` for anything that is not an option of the program. */
export function refuseStrangers(command: Command, program: Program): void {
  const { args, options } = command;
  const [stranger] = args;
  if (stranger === undefined) return;
  if (!stranger.startsWith('-') || stranger === '-') {
    const isShown = isHarmless(stranger) && !hasSecret(command, program);
    const message = isShown
      ? `${stranger} is not an option${describeMeaning(stranger, command, program)}`
      : `only options are accepted, but something else was given. ${program.hint}`;
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

function describeMeaning(word: string, { options }: Command, { guessMeaning }: Program): string {
  const meant = guessMeaning(word) ?? findFlag(word, options);
  return meant === undefined ? '; only options are accepted, and --help lists them.' : `; did you mean ${meant}?`;
}

/** `port 4011`, without the dashes. */
function findFlag(word: string, options: Command['options']): string | undefined {
  const names = options.flatMap(({ long, hidden }) => (typeof long !== 'string' || hidden ? [] : [long.slice(2)]));
  const near = findNearest(word, [...names, 'help']);
  return near === undefined ? undefined : `--${near}`;
}
