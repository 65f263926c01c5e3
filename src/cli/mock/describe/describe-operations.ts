import type { Operation } from '../../../contract/model.js';
import type { Kept } from '../../../mock/store/kept.js';
import type { SetUp } from '../../../server/set-up.js';

type Row = [name: string, text: string];

/** With the other rows of a start, so many fit on a screen of 24 lines. */
const MOST_OPERATIONS = 17;
const MOST_RESOURCES = 12;

/** A row for each operation; of a contract with more than fit on a screen, its largest resources and where all stands. */
export function describeOperations(setUp: SetUp, url: string): Row[] {
  return setUp.contract.operations.length > MOST_OPERATIONS ? describeKept(setUp, url) : describeEach(setUp);
}

/** What is the same for all is found once. */
function describeEach({ contract: { operations }, stateless, own }: SetUp): Row[] {
  const [pathWidth, idWidth] = [widthOf(operations.map(({ path }) => path)), widthOf(operations.map(({ id }) => id))];
  const sources = new Map([
    ...stateless.map((id) => [id, 'from the contract'] as const),
    ...own.map((id) => [id, 'your handler'] as const),
  ]);
  return operations.map((operation) => {
    const removal = operation.sunset === undefined ? '' : `, removed on ${operation.sunset}`;
    const marks = [
      // If all operations keep state, there is nothing to point out.
      ...(sources.size === 0 ? [] : [sources.get(operation.id) ?? 'stateful']),
      ...(operation.deprecated ? [`deprecated${removal}`] : []),
    ];
    const names = `${operation.path.padEnd(pathWidth)}  ${operation.id.padEnd(idWidth)}`;
    return [operation.method, `${names}  ${marks.join(', ')}`.trimEnd()];
  });
}

function describeKept(setUp: SetUp, url: string): Row[] {
  const { kept } = setUp.world.collections;
  // Those without a parent come first, since they can be asked for at once.
  const ordered = kept.toSorted((a, b) => a.scope.length - b.scope.length || b.operations.length - a.operations.length);
  const cells = ordered.slice(0, MOST_RESOURCES).map((each) => [each.name, tellSize(each, setUp), listMethods(each)]);
  const widths = [0, 1, 2].map((column) => widthOf(cells.map((row) => row[column] ?? '')));
  const rows = cells.map((row, index): Row => {
    const columns = row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
    return ['keeps', [...columns, findPath(ordered[index])].join('  ')];
  });
  const rest = kept.length - rows.length;
  return [
    ...rows,
    ...(rest > 0 ? [['', `and ${count(rest, 'resource')} more, which --check lists`] satisfies Row] : []),
    ['all', `${describeAll(setUp)}: see ${new URL('/', url).href} in a browser`],
  ];
}

function describeAll({ contract: { operations }, stateless, own }: SetUp): string {
  const others = [
    ...(stateless.length === 0 ? [] : [`${stateless.length} stateless, generated from the contract`]),
    ...(own.length === 0 ? [] : [`${own.length} by your handlers`]),
  ];
  return [count(operations.length, 'operation'), ...others].join(', ');
}

/** A collection below a record is made when it is first asked for, so only the number that it will have is known. */
function tellSize(kept: Kept, { world: { collections }, fixtures: { others = 0 } }: SetUp): string {
  if (kept.key === undefined) return 'one';
  if (kept.scope.length > 0) return `${others} in each`;
  return count(collections.isOpen(kept, []) ? collections.open(kept).size : others, 'record');
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

function listMethods({ operations }: Kept): string {
  const has = new Set(operations.map(({ operation }) => operation.method));
  return METHODS.filter((method) => has.has(method)).join(' ');
}

/** That of the whole collection, if there is one. */
function findPath(kept: Kept | undefined): string {
  const paths = (kept?.operations ?? []).map(({ operation }: { operation: Operation }) => operation.path);
  return paths.toSorted((a, b) => a.length - b.length)[0] ?? '';
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`;
}

function widthOf(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, text.length), 0);
}
