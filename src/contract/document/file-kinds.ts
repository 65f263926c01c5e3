/** The kinds of files that the programs read, with the name of each and the fields that identify it. */
const KINDS = {
  contract: { name: 'an OpenAPI document', isOne: hasAny('openapi', 'swagger') },
  report: { name: 'the JSON report of a run', isOne: hasAll('summary', 'scenarios') },
  scenarios: { name: 'a scenario file', isOne: hasAny('scenarios') },
  profile: { name: 'a profile', isOne: hasAny('gaps') },
  resources: { name: 'a file of resources', isOne: hasAny('resources') },
  baseline: { name: 'a file of known deviations', isOne: hasAny('known') },
  fixtures: { name: 'a fixture pack', isOne: hasAny('pets', 'generate', 'records') },
  records: { name: 'a file of records', isOne: hasAny('records') },
  package: { name: 'a package.json of npm', isOne: hasAll('name', 'version') },
  schema: { name: 'a JSON Schema', isOne: hasAll('$schema', 'type') },
  runner: {
    name: 'a config file of petstore-conformance',
    isOne: hasAny('targets', 'target', 'api-key-env', 'report', 'timeout'),
  },
  mock: { name: 'a config file of petstore-mock', isOne: hasAny('port', 'host', 'fixtures', 'delay', 'count', 'log') },
} as const satisfies Record<string, { name: string; isOne: (keys: readonly string[]) => boolean }>;

export type FileKind = keyof typeof KINDS;

const MAY_BE_EMPTY: readonly FileKind[] = ['runner', 'mock'];

/**
 * A message that a file is empty, or of another kind than expected; `undefined` if it may be of the expected kind, or
 * if its kind is unclear.
 */
export function findKindProblem(text: string, root: unknown, expected: FileKind): string | undefined {
  if (text.trim() === '') return MAY_BE_EMPTY.includes(expected) ? undefined : 'the file is empty.';
  if (typeof root !== 'object' || root === null || Array.isArray(root)) return undefined;
  const keys = Object.keys(root);
  if (KINDS[expected].isOne(keys)) return undefined;
  const other = Object.values(KINDS).find(({ isOne }) => isOne(keys));
  return other === undefined ? undefined : `this is ${other.name}, not ${KINDS[expected].name}.`;
}

function hasAny(...names: string[]) {
  return (keys: readonly string[]): boolean => names.some((name) => keys.includes(name));
}

function hasAll(...names: string[]) {
  return (keys: readonly string[]): boolean => names.every((name) => keys.includes(name));
}
