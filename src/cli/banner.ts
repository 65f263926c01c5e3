import { DEFAULT_API_KEY, type SetUp } from '../server/set-up.js';

export interface BannerFacts {
  version: string;
  setUp: SetUp;
  /** With the base path. */
  url: string;
  apiKeys: readonly string[];
}

/** What the mock says once it listens: no default is silent. */
export function formatBanner({ version, setUp, url, apiKeys }: BannerFacts): string {
  const { contract, world, fixtures, profile } = setUp;
  const animals = `${world.store.size} animal${world.store.size === 1 ? '' : 's'}`;
  const rows = [
    ['url', url],
    ['key', describeKeys(apiKeys)],
    ...contract.operations.map((operation) => [operation.method, describeOperation(operation, contract.operations)]),
    ['try', formatCurl(url, apiKeys)],
  ];
  return [
    `petstore-mock ${version} · ${contract.title} ${contract.version} · ${animals} (pack ${fixtures.name}, seed ${fixtures.seed}) · profile ${profile.name}`,
    '',
    ...rows.map(([name = '', value = '']) => `  ${name.padEnd(6)}  ${value}`),
    '',
  ].join('\n');
}

type Operations = SetUp['contract']['operations'];

function describeOperation(operation: Operations[number], all: Operations): string {
  const path = operation.path.padEnd(Math.max(...all.map((each) => each.path.length)));
  const id = operation.id.padEnd(Math.max(...all.map((each) => each.id.length)));
  const removal = operation.sunset === undefined ? '' : `, removed on ${operation.sunset}`;
  return `${path}  ${id}  ${operation.deprecated ? `deprecated${removal}` : ''}`.trimEnd();
}

/** A key of the user's is never printed. */
function describeKeys(apiKeys: readonly string[]): string {
  const own = apiKeys.filter((key) => key !== DEFAULT_API_KEY).length;
  if (own === 0) return `${DEFAULT_API_KEY} (the default)`;
  return own === 1 ? 'the one you gave' : `the ${own} you gave`;
}

function formatCurl(url: string, apiKeys: readonly string[]): string {
  const usesDefault = apiKeys.includes(DEFAULT_API_KEY);
  const header = usesDefault
    ? `'Authorization: Bearer ${DEFAULT_API_KEY}'`
    : '"Authorization: Bearer $PETSTORE_API_KEY"';
  return `curl -H ${header} '${url}/pets?limit=2'`;
}
