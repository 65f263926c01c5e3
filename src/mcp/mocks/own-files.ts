import { realpathSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { PetstoreMockError } from '../../errors.js';

/**
 * The path of a file that a call names. Only what is in or below the folder of the server may be named, links followed:
 * messages about a file that cannot be used quote it. Throws `bad-option` for any other.
 */
export function ownFile(path: string, folder: string | undefined): string {
  if (folder === undefined) throw refuse('these tools read no files; leave the path out.');
  const root = follow(folder) ?? folder;
  const within = relative(root, follow(resolve(root, path)) ?? resolve(root, path));
  if (within === '..' || within.startsWith(`..${sep}`) || resolve(within) === within)
    throw refuse(`${path} is outside ${root}, where the server was started; start it in a folder that has the file.`);
  // Short where it can be: answers name it at every line of the contract.
  const near = relative('', resolve(root, within));
  return near.startsWith('..') || near === '' ? resolve(root, within) : near;
}

function follow(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function refuse(sentence: string): PetstoreMockError {
  return new PetstoreMockError('bad-option', sentence);
}
