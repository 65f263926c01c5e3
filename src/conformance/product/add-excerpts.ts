import { readText, rejectEndless } from '../../contract/document/document.js';
import type { SourcePlace } from '../../errors.js';
import type { Problem } from '../model/problem.js';

const MOST_LINES = 3;
const MOST_OF_LINE = 120;

/** Each problem with the lines of the contract that state its rule, if its file can be read. */
export function addExcerpts(problems: readonly Problem[]): Problem[] {
  const files = new Map<string, string[]>();
  const linesOf = (file: string): string[] => {
    const lines = files.get(file) ?? readLines(file);
    files.set(file, lines);
    return lines;
  };
  return problems.map((problem) => {
    const excerpt = problem.contract === undefined ? '' : cutOut(problem.contract, linesOf);
    if (problem.contract === undefined || excerpt === '') return problem;
    return { ...problem, contract: { ...problem.contract, excerpt } };
  });
}

/** The contract may not be a file, or the file may no longer exist. */
function readLines(file: string): string[] {
  try {
    rejectEndless(file);
    return readText(file).split(/\r?\n/);
  } catch {
    return [];
  }
}

/** The line of a place, and the first of the further indented lines that belong to it. */
function cutOut({ file, line = 1 }: SourcePlace, linesOf: (file: string) => string[]): string {
  const [first = '', ...following] = linesOf(file).slice(line - 1, line - 1 + MOST_LINES);
  const indentOf = (text: string): number => text.length - text.trimStart().length;
  const indent = indentOf(first);
  const end = following.findIndex((each) => indentOf(each) <= indent);
  const lines = [first, ...(end === -1 ? following : following.slice(0, end))];
  return lines.map((each) => each.slice(indent, indent + MOST_OF_LINE).trimEnd()).join('\n');
}
