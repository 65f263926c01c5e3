import type { AskedPage } from './page-walk.js';
import { followPointer } from './record-like.js';

/** Lengths at which servers cut a list that the contract does not let them cut. */
const USUAL_LENGTHS = new Set([
  5, 10, 15, 16, 20, 24, 25, 30, 32, 40, 50, 60, 64, 75, 80, 99, 100, 128, 150, 200, 250, 256, 300, 500, 512, 1000,
]);

/** Whether a page is the last: what the answer says of it counts first, then whether it is shorter than it may be. */
export function isWhole(body: unknown, count: number, page: AskedPage | undefined): boolean {
  if (page === undefined) return false;
  const { walk, before } = page;
  const total = read(body, walk.total);
  if (isCount(total)) return before.length + count >= Number(total);
  const more = read(body, walk.moreAt);
  if (typeof more === 'boolean') return !more;
  if (walk.cursorAt !== undefined) return isEmpty(read(body, walk.cursorAt));
  if (walk.linkAt !== undefined && !isEmpty(read(body, walk.linkAt))) return false;
  if (count === 0) return true;
  return walk.length === undefined ? !USUAL_LENGTHS.has(count) : count < walk.length && !USUAL_LENGTHS.has(count);
}

/** What to ask for next; `undefined` after the last page. */
export function turnPage(body: unknown, page: AskedPage): unknown {
  const { walk, before, turn } = page;
  const list = followPointer(body, walk.at);
  const count = Array.isArray(list) ? list.length : 0;
  if (walk.parameter === undefined || isWhole(body, count, page) || count === 0) return undefined;
  if (walk.kind === 'cursor') return walk.cursorAt === undefined ? undefined : read(body, walk.cursorAt);
  return walk.kind === 'page' ? Number(turn ?? walk.first) + 1 : walk.first + before.length + count;
}

function read(body: unknown, pointer: string | undefined): unknown {
  return pointer === undefined ? undefined : followPointer(body, pointer);
}

function isCount(value: unknown): boolean {
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value) && value >= 0);
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || value === false;
}
