import { styleText } from 'node:util';
import { PetstoreMockError } from '../errors.js';

type Style = (format: Parameters<typeof styleText>[0], text: string) => string;
type Output = { isTTY?: boolean | undefined };

/** Whether to use colour: `NO_COLOR` (no-color.org) and `FORCE_COLOR` decide, or else whether the output is a terminal. */
export function wantsColor(output: Output, env: Readonly<Record<string, string | undefined>>): boolean {
  if (env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '') return false;
  if (env['FORCE_COLOR'] !== undefined) return env['FORCE_COLOR'] !== '0' && env['FORCE_COLOR'] !== 'false';
  return output.isTTY === true && env['TERM'] !== 'dumb';
}

export const createStyle = (color: boolean): Style =>
  color ? (format, text) => styleText(format, text, { validateStream: false }) : (_, text) => text;

export function shortenMiddle(text: string, width: number): string {
  if (text.length <= width || width < 3) return text;
  const head = Math.ceil((width - 1) / 2);
  return `${text.slice(0, head)}…${text.slice(text.length - (width - 1 - head))}`;
}

export function wrapWords(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

export const EXIT_WELL = 0;
/** The target deviates, or the result does not meet what the run requires. */
export const EXIT_DEVIATED = 1;
/** A usage error, or a file that cannot be used. */
export const EXIT_USAGE = 2;
/** The port is taken, or the program cannot listen on the address. */
export const EXIT_UNAVAILABLE = 3;
/** A bug in the program. */
export const EXIT_BUG = 4;
/** Ended by a signal; shells use the same code. */
export const EXIT_INTERRUPTED = 130;

export function exitCodeOf(error: unknown): number {
  if (!(error instanceof PetstoreMockError)) return EXIT_BUG;
  return error.code === 'port-taken' || error.code === 'cannot-listen' ? EXIT_UNAVAILABLE : EXIT_USAGE;
}
