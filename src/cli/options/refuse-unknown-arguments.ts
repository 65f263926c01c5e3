import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { PetstoreMockError } from '../../errors.js';
import { findNearest, suggest } from '../../suggest.js';

/** Options whose value is a secret; a word beside one may be a part of it. */
const SECRETS = ['apiKey', 'header'];

/**
 * Throws a `PetstoreMockError` for what is no option of a command; `meaning`
 * says what may have been meant by a word that is none, and `hint` what is to
 * be said of one that is not shown, since it may be a key.
 */
export function refuseStrangers(
  command: Command,
  { hint, meaning }: { hint: string; meaning: (word: string) => string | undefined },
): void {
  const { args, options } = command;
  const [stranger] = args;
  if (stranger === undefined) return;
  if (!stranger.startsWith('-') || stranger === '-') {
    const isShown = isHarmless(stranger) && SECRETS.every((name) => command.getOptionValue(name) === undefined);
    const message = isShown
      ? `${stranger} is no option${describeMeaning(stranger, command, meaning)}`
      : `there are only options, but something else was given. ${hint}`;
    throw new PetstoreMockError('bad-option', message);
  }
  const name = stranger.split('=')[0] ?? stranger;
  const flags = options.flatMap(({ short, long }) => [short, long].filter((flag) => typeof flag === 'string'));
  if ([...flags, '--help'].includes(name)) throw new PetstoreMockError('bad-option', `${name} takes no value.`);
  const hidden = options.flatMap(({ long, hidden: isHidden }) => (isHidden ? [long] : []));
  const known = [...flags.filter((flag) => !hidden.includes(flag)), '--help'];
  throw new PetstoreMockError('bad-option', `there is no option ${name}${suggest(name, known)}`);
}

/** A plain word, a number of few digits, a URL without credentials, a file: no key looks so. */
function isHarmless(word: string): boolean {
  if (/^(?:[a-z]{1,16}|\d{1,5}|-)$/.test(word) || existsSync(word)) return true;
  return /^https?:\/\/[^\s@?#]+$/i.test(word);
}

function describeMeaning(word: string, { options }: Command, meaning: (word: string) => string | undefined): string {
  const meant = meaning(word) ?? findFlag(word, options);
  return meant === undefined ? '; there are only options, and --help shows them.' : `; did you mean ${meant}?`;
}

/** `port 4011` of one who left out the dashes. */
function findFlag(word: string, options: Command['options']): string | undefined {
  const names = options.flatMap(({ long, hidden }) => (typeof long !== 'string' || hidden ? [] : [long.slice(2)]));
  const near = findNearest(word, [...names, 'help']);
  return near === undefined ? undefined : `--${near}`;
}
