import type { GapChange } from '../conformance/model/result.js';
import type { ProfileDiff } from '../conformance/product/profile-and-baseline.js';
import { spellOutAll } from '../redact/spell-out.js';
import { describeProfile, showAnswer } from './summarize.js';

/** Two profiles as a table for people. */
export function formatDiff(raw: ProfileDiff): string {
  // A profile may come from anywhere, and contains text that a target sent.
  const { before, now, changes, notes, same } = spellOutAll(raw);
  const sides = [
    ['before', describeProfile(before)],
    ['now', describeProfile(now)],
  ];
  const parts = [
    formatTable(sides),
    formatSection('the services differ', changes),
    formatSection('not comparable: observed on one side only, or lists of observed values', notes),
    `${changes.length} different · ${notes.length} not comparable · ${same} the same`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** A longer cell would push its column off the screen. */
const MOST_OF_CELL = 45;

/** A table, or three lines for each row where that would be too wide: the gap, before, now. */
function formatSection(title: string, changes: readonly GapChange[]): string {
  if (changes.length === 0) return '';
  const rows = changes.flatMap(alignLists);
  if (rows.every((row) => row.every((cell) => cell.length <= MOST_OF_CELL)))
    return `${title}\n${formatTable([['', 'before', 'now'], ...rows], '    ')}`;
  const blocks = rows.map(([id, before, now]) =>
    [id === '' ? '' : `    ${id}\n`, `        before  ${before}\n`, `        now     ${now}`].join(''),
  );
  return `${title}\n${blocks.join('\n')}`;
}

function alignLists({ id, before, now }: GapChange): string[][] {
  if (typeof before !== 'object' || typeof now !== 'object') return [[id, showAnswer(before), showAnswer(now)]];
  const all = [...new Set([...before, ...now])].filter((item) => !before.includes(item) || !now.includes(item)).sort();
  const show = (list: readonly string[], item: string): string => (list.includes(item) ? item : '-');
  return all.map((item, index) => [index === 0 ? id : '', show(before, item), show(now, item)]);
}

function formatTable(rows: readonly (readonly string[])[], indent = ''): string {
  const widthOf = (column: number): number => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widthOf(column))).join('  '));
  return lines.map((line) => `${indent}${line.trimEnd()}`).join('\n');
}
