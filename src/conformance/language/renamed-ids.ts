/**
 * What took the place of the scenarios that earlier releases had for the petstore alone, by their files. CHANGELOG.md has the
 * table.
 */
const RENAMED_FILES: Readonly<Record<string, string>> = {
  authentication: '*/refusals/credential*',
  create: '*/records/*',
  'create-invalid': '*/refusals/*',
  gaps: '*/gaps/*',
  get: '*/records/*',
  limits: '*/lists/*limit*',
  list: '*/lists/*',
  'open-points': '*/gaps/*',
  sequences: '*/sequences/*',
  'status-filter': '*/lists/*filter*',
  transport: '*/requests/*',
};

/** The current id of a scenario of an earlier release; what several do now keeps the old one. */
export function renameOne(id: string, ids: readonly string[]): string {
  const renamed = renameId(id, ids);
  return ids.includes(renamed) ? renamed : id;
}

/**
 * The current form of an id or a glob of an earlier release, so that baselines and command lines keep working. A user's file
 * with the old name keeps its own ids.
 */
export function renameId(pattern: string, ids: readonly string[]): string {
  const [file = '', scenario = ''] = pattern.split('/');
  const renamed = Object.hasOwn(RENAMED_FILES, file) ? RENAMED_FILES[file] : undefined;
  if (renamed === undefined || scenario === '' || ids.some((id) => id.startsWith(`${file}/`))) return pattern;
  // A gap has kept its name.
  const [name = '', ...row] = scenario.split(/(?=\[)/);
  const tables = renamed === RENAMED_FILES['gaps'] ? ids.map((id) => id.replace(/\[.*$/, '')) : [];
  const same = tables.find((table) => table.endsWith(`/${name}`));
  return same === undefined ? renamed : [same, ...row].join('');
}
