import { expect, test } from 'vitest';
import { loadContract } from '../../../src/contract/contract.js';
import { createPetstoreFetch } from '../../../src/index.js';
import { listFirstLists } from '../../mock/values/support/list-records.js';
import { formatTable } from '../../support/markdown-table.js';

const HEAD = `<!-- Written by \`npx vitest run test/e2e/docs/first-lists.test.ts -u\`. -->

# First lists

These are the first records of some collections, as a front end sees them before any request. The mock generated them on 2 March 2026 from the documents alone: from names, types and formats of properties, their neighbours, examples and bounds. The same seed and day give the same records.
`;

type Row = Readonly<Record<string, unknown>>;

const ROWS = 5;
const COLUMNS = 7;
const WIDTH = 30;

/** Columns as rows would be too long for a page: a table has the first few, and no objects. */
function renderTable(rows: readonly Row[]): string {
  const shown = rows.slice(-ROWS).toReversed();
  const names = [...new Set(shown.flatMap((row) => Object.keys(row)))].filter((name) =>
    shown.every((row) => typeof row[name] !== 'object' || row[name] === null),
  );
  const head = names.slice(0, COLUMNS);
  // A rule has three dashes at least.
  const titles = head.map((name) => name.padEnd(3));
  return formatTable(
    titles,
    shown.map((row) => head.map((name) => renderCell(row[name]))),
  );
}

function renderCell(value: unknown): string {
  const text = value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > WIDTH ? `${text.slice(0, WIDTH - 1)}…` : text;
}

/** Documents of this repository, and of which of their collections the page shows the lists. */
const SHOWN: readonly (readonly [path: string, ...collections: string[]])[] = [
  ['examples/store-orders/petstore.openapi.yaml', 'orders'],
  ['test/conformance/resources/support/library.openapi.yaml', 'books', 'members'],
  ['test/conformance/resources/support/billing.openapi.yaml', 'customers', 'invoices'],
  ['test/conformance/resources/support/helpdesk.openapi.yaml', 'tickets'],
  ['test/reality/services/nestjs.openapi.yaml'],
  ['test/mock/values/support/market.openapi.yaml', 'products', 'calls'],
];

function renderDocument(path: string, collections: readonly string[]): string {
  const lists = listFirstLists(loadContract(path), 20).filter(
    ({ kept }) => collections.length === 0 || collections.includes(kept.name),
  );
  const tables = lists.map(({ kept, rows }) => `**${kept.name}**\n\n${renderTable(rows)}\n`);
  return `\n## \`${path}\`\n\n${tables.join('\n')}`;
}

test('docs/first-lists.md shows what the collections of these documents begin with', async () => {
  const pets = (await createPetstoreFetch().pets.list()) as unknown as Row[];
  const petstore = `\n## The petstore\n\n**pets**\n\n${renderTable(pets.toReversed())}\n`;
  const others = SHOWN.map(([path, ...collections]) => renderDocument(path, collections));
  await expect(`${HEAD}${petstore}${others.join('')}`).toMatchFileSnapshot('../../../docs/first-lists.md');
});
