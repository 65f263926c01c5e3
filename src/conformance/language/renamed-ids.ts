/** The names of shipped scenario files in earlier releases, and their current names. CHANGELOG.md has the table. */
const RENAMED_FILES: Readonly<Record<string, string>> = { 'open-points': 'gaps' };

/** The ids of shipped scenarios whose work another one does now. */
const MERGED: Readonly<Record<string, string>> = Object.fromEntries(
  ['no-accept', 'any-accept', 'no-accept-encoding', 'a-closed-connection'].map((name) => [
    `transport/read-only-headers[${name}]`,
    `transport/headers[${name}]`,
  ]),
);

/**
 * The current form of an id or a glob of an earlier release, so that baselines and command lines keep working. A user's file
 * with the old name keeps its own ids.
 */
export function renameId(pattern: string, ids: readonly string[]): string {
  const merged = Object.hasOwn(MERGED, pattern) ? MERGED[pattern] : undefined;
  if (merged !== undefined && ids.includes(merged)) return merged;
  const [file = '', ...rest] = pattern.split('/');
  const renamed = Object.hasOwn(RENAMED_FILES, file) ? RENAMED_FILES[file] : undefined;
  if (renamed === undefined || ids.some((id) => id.startsWith(`${file}/`))) return pattern;
  return [renamed, ...rest].join('/');
}
