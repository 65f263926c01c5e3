/** What the shipped files of scenarios were called in earlier releases, and are called now. CHANGELOG.md has the table. */
const RENAMED_FILES: Readonly<Record<string, string>> = { 'open-points': 'gaps' };

/**
 * An id or a glob of an earlier release as it is today, so that baselines and command lines go on working. A file of
 * the old name that somebody has keeps its own ids.
 */
export function renameId(pattern: string, ids: readonly string[]): string {
  const [file = '', ...rest] = pattern.split('/');
  const renamed = Object.hasOwn(RENAMED_FILES, file) ? RENAMED_FILES[file] : undefined;
  if (renamed === undefined || ids.some((id) => id.startsWith(`${file}/`))) return pattern;
  return [renamed, ...rest].join('/');
}
