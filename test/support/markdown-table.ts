/** A table of Markdown as the formatter writes it. */
export function formatTable(head: readonly string[], rows: readonly string[][]): string {
  const cells = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', String.raw`\|`)));
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const [first, ...others] = cells.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)));
  const rule = widths.map((width) => '-'.repeat(width));
  return [first ?? [], rule, ...others].map((row) => `| ${row.join(' | ')} |`).join('\n');
}
