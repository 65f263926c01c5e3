import { readText, refuseEndless } from '../../contract/document/document.js';
import type { Contract } from '../../contract/contract.js';
import type { SourcePlace } from '../../errors.js';
import { packageFile } from '../../package-files.js';

/** Some lines of the contract around a certain one. */
export interface Excerpt {
  file: string;
  /** The number of the first line. */
  from: number;
  lines: string[];
  /** The number of the line in question. */
  line: number;
}

const BEFORE = 3;
const AFTER = 4;
const MOST_OF_LINE = 200;

/** The lines around a place in the contract; `undefined` if the file can no longer be read. */
export function cutExcerpt({ file, line }: SourcePlace, contract: Contract): Excerpt | undefined {
  if (line === undefined) return undefined;
  const all = readLines(file, contract);
  if (all === undefined || line > all.length) return undefined;
  const from = Math.max(1, line - BEFORE);
  const lines = all.slice(from - 1, line + AFTER).map((each) => each.slice(0, MOST_OF_LINE));
  return { file, from, lines, line };
}

/** Shipped files are named by their place in the package, not in the working directory. */
function readLines(file: string, { document }: Contract): string[] | undefined {
  const isShipped = document.createValidators !== undefined;
  try {
    const path = isShipped ? packageFile(file) : file;
    // Since the start it may have become a pipe.
    refuseEndless(path);
    return readText(path).split(/\r?\n/);
  } catch {
    return undefined;
  }
}
