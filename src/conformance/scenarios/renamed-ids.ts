/** The names of shipped scenario files in earlier releases, and their current names. CHANGELOG.md has the table. */
const RENAMED_FILES: Readonly<Record<string, string>> = { 'open-points': 'gaps' };

/**
 * The current form of an id or a glob of an earlier release, so that baselines and command lines keep working. A user's file
 * with the old name keeps its own ids.
 */
export function renameId(pattern: string, ids: readonly string[]): string {
  const [file = '', ...rest] = pattern.split('/');
  const renamed = Object.hasOwn(RENAMED_FILES, file) ? RENAMED_FILES[file] : undefined;
  if (renamed === undefined || ids.some((id) => id.startsWith(`${file}/`))) return pattern;
  return [renamed, ...rest].join('/');
}
