import type { Command } from 'commander';
import { PetstoreMockError } from '../../errors.js';
import { suggest } from '../../suggest.js';

/**
 * Throws a `PetstoreMockError` for what is no option of a command; `hint` says
 * what may have been meant by a word that is none. Nothing that was typed is
 * shown but a flag's name: the rest may be a key.
 */
export function refuseStrangers({ args, options }: Command, hint: string): void {
  const [stranger] = args;
  if (stranger === undefined) return;
  if (!stranger.startsWith('-') || stranger === '-') {
    throw new PetstoreMockError('bad-option', `there are only options, but something else was given. ${hint}`);
  }
  const name = stranger.split('=')[0] ?? stranger;
  const known = options.flatMap(({ long, hidden }) => (typeof long !== 'string' || hidden ? [] : [long]));
  if ([...known, '--help'].includes(name)) throw new PetstoreMockError('bad-option', `${name} takes no value.`);
  throw new PetstoreMockError('bad-option', `there is no option ${name}${suggest(name, [...known, '--help'])}`);
}
