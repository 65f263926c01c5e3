import type { ProfileDiff } from '../conformance/product/profile-and-baseline.js';
import type { GapChange } from '../conformance/model/result.js';
import type { ProfileAnswer } from '../contract/gaps/profile.js';
import { describeProfile, showAnswer } from './summarize.js';
import { spellOutAll } from '../redact/spell-out.js';

/** Two profiles as a table for people. */
export function formatDiff(raw: ProfileDiff): string {
  // A profile may come from anywhere, and contains text that a target sent.
  const { before, now, changes, notes, same } = spellOutAll(raw);
  const parts = [
    formatTable([
      ['before', describeProfile(before)],
      ['now', describeProfile(now)],
    ]),
    formatSection('the services differ', changes),
    formatSection('not comparable: observed on one side only, or lists of observed values', notes),
    `${changes.length} different · ${notes.length} not comparable · ${same} the same`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function formatSection(title: string, changes: readonly GapChange[]): string {
  if (changes.length === 0) return '';
  const rows = changes.flatMap(({ id, before, now }) => alignLists(id, before, now));
  const isNarrow = rows.every((row) => row.every((cell) => cell.length <= MOST_OF_CELL));
  return `${title}\n${isNarrow ? formatTable([['', 'before', 'now'], ...rows], '    ') : formatBlocks(rows)}`;
}

/** A longer cell would push its column off the screen. */
const MOST_OF_CELL = 45;

/** Three lines for each row: the gap, before, now. */
function formatBlocks(rows: readonly (readonly string[])[]): string {
  return rows
    .flatMap(([id = '', before = '', now = '']) => [
      ...(id === '' ? [] : [`    ${id}`]),
      `        before  ${before}`,
      `        now     ${now}`,
    ])
    .join('\n');
}

/** Long lists are compared item by item; common items are left out. */
function alignLists(id: string, before: ProfileAnswer, now: ProfileAnswer): string[][] {
  if (typeof before !== 'object' || typeof now !== 'object') return [[id, showAnswer(before), showAnswer(now)]];
  const all = [...new Set([...before, ...now])].filter((item) => !before.includes(item) || !now.includes(item)).sort();
  return all.map((item, index) => [
    index === 0 ? id : '',
    before.includes(item) ? item : '-',
    now.includes(item) ? item : '-',
  ]);
}

function formatTable(rows: readonly (readonly string[])[], indent = ''): string {
  const columns = rows[0]?.length ?? 0;
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map(
      (row) =>
        indent +
        row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd(),
    )
    .join('\n');
}
