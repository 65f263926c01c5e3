// The lists of a tool shed: filters, orders, and pages by link or by number.
import type { Answer } from '../../../support/network/serve-json.js';
import type { Item } from './toolshed-rules.js';
import { isDay } from './value-rules.js';
import { fail, isGone, type Asked, type Kept, type Kind } from './toolshed-state.js';

type Wrong = { wrong: string };
type Test = (item: Item) => boolean;

const LATE_MS = 300;

export function readList(asked: Asked, kind: Kind, owner: string | undefined): Answer {
  const { shed } = asked;
  const tests = readTests(asked, kind);
  if ('wrong' in tests) return fail(kind === 'members' ? 400 : 422, tests.wrong);
  const isLate = (time: number | undefined): boolean =>
    shed.has('late') && time !== undefined && Date.now() - time < LATE_MS;
  const found = shed.items(kind).filter((each) => {
    const isThere = (!isGone(shed, each) || isLate(each.goneAt)) && !isLate(each.madeAt);
    const isOwn = owner === undefined || each.owner === owner || shed.has('loans-leak');
    return isThere && isOwn && tests.every((test) => test(each.item));
  });
  const ordered = order(found, asked);
  const total = ordered.length + (shed.has('total-stale') && kind === 'members' ? Math.min(1, shed.removed) : 0);
  if (kind === 'loans') return { status: 200, body: { data: showAll(ordered, asked), meta: { total } } };
  return kind === 'members' ? pageByLink(asked, ordered, total) : pageByNumber(asked, ordered, total);
}

function showAll(found: readonly Kept[], { shed }: Asked): Item[] {
  const shown = found.map((each) => shed.show(each, 'list'));
  const last = shown.at(-1);
  if (shed.has('last-unlike') && last !== undefined && Object.hasOwn(last, 'label')) last['label'] = 7;
  return shown;
}

function pageByLink(asked: Asked, found: readonly Kept[], total: number): Answer {
  const { shed, query } = asked;
  const size = readCount(query, 'page_size', { usual: 15, least: 1, most: 40 });
  const after = query.get('after');
  const start = after === null ? 0 : found.findIndex(({ key }) => key === after) + 1;
  if (Number.isNaN(size) || (after !== null && start === 0 && found.length > 0)) return fail(400, 'No such page');
  const from = Math.max(
    0,
    start - (after !== null && shed.has('pages-overlap') ? 1 : 0) + (after !== null && shed.has('pages-skip') ? 1 : 0),
  );
  const page = found.slice(from, from + size);
  const data = showAll(page, asked);
  if (after !== null && shed.has('second-page-bare')) for (const each of data) delete each['created_at'];
  const rest = new URLSearchParams(query);
  rest.set('after', page.at(-1)?.key ?? '');
  if (shed.has('link-drops-filter')) rest.delete('level');
  const isLast = from + size >= found.length;
  const next = isLast ? null : `/api/v3/members?${rest.toString()}`;
  return { status: 200, body: { data, meta: { total: shed.has('total-of-page') ? data.length : total }, next } };
}

function pageByNumber(asked: Asked, found: readonly Kept[], total: number): Answer {
  const { query } = asked;
  const [start, count] = [
    readCount(query, 'start', { usual: 0, least: 0, most: 1e12 }),
    readCount(query, 'count', { usual: 25, least: 1, most: 100 }),
  ];
  if (Number.isNaN(start) || Number.isNaN(count)) return fail(422, 'No such page');
  return { status: 200, body: { data: showAll(found.slice(start, start + count), asked), meta: { total } } };
}

/** `NaN` if it is none that is allowed. */
function readCount(
  query: URLSearchParams,
  name: string,
  { usual, least, most }: { usual: number; least: number; most: number },
): number {
  const text = query.get(name);
  if (text === null) return usual;
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return value < least || value > most ? Number.NaN : value;
}

const ENUMS: Readonly<Record<string, readonly string[]>> = {
  level: ['basic', 'plus', 'patron'],
  category: ['hand', 'power', 'garden', 'ladder'],
  sort: ['full_name', '-full_name', 'joined_on', '-joined_on'],
  order_by: ['label', 'daily_fee', 'created_at'],
  order: ['asc', 'desc'],
  on_shelf: ['true', 'false'],
  returned: ['true', 'false'],
};

const OF_KIND: Readonly<Record<Kind, readonly string[]>> = {
  members: ['level', 'joined_from', 'joined_to', 'sort'],
  tools: ['category', 'on_shelf', 'min_daily_fee', 'max_daily_fee', 'order_by', 'order'],
  loans: ['returned'],
};

function readTests(asked: Asked, kind: Kind): Test[] | Wrong {
  const tests: Test[] = [];
  const isLater = Number(asked.query.get('start') ?? 0) > 0;
  for (const name of OF_KIND[kind]) {
    const text = asked.query.get(name);
    if (text === null || (isLater && asked.shed.has('later-pages-unfiltered'))) continue;
    if (!isAllowed(name, text)) return { wrong: `No such ${name}` };
    const test = readTest(name, text, asked.shed.has);
    if (test !== undefined) tests.push(test);
  }
  return tests;
}

function isAllowed(name: string, text: string): boolean {
  const listed = ENUMS[name];
  if (listed !== undefined) return listed.includes(text);
  return name.startsWith('joined') ? isDay(text) : /^\d+(?:\.\d+)?$/.test(text);
}

function readTest(name: string, text: string, has: (change: string) => boolean): Test | undefined {
  if (name === 'level')
    return (item) =>
      item['level'] === text || (has('filter-leaks-plus') && text === 'plus' && item['level'] === 'basic');
  if (name === 'category')
    return (item) => item['category'] === text && !(has('filter-drops-power') && text === 'power');
  if (name === 'on_shelf' || name === 'returned') return (item) => item[name] === (text === 'true');
  const isExclusive = has('bounds-exclusive');
  if (name === 'min_daily_fee')
    return (item) =>
      isExclusive ? Number(item['daily_fee']) > Number(text) : Number(item['daily_fee']) >= Number(text);
  if (name === 'max_daily_fee')
    return (item) =>
      isExclusive ? Number(item['daily_fee']) < Number(text) : Number(item['daily_fee']) <= Number(text);
  if (name === 'joined_from') return (item) => String(item['joined_on']) >= text;
  if (name === 'joined_to')
    return (item) => (isExclusive ? String(item['joined_on']) < text : String(item['joined_on']) <= text);
  return undefined;
}

function order(found: readonly Kept[], { query, shed }: Asked): Kept[] {
  if (query.get('sort') === '-joined_on' && shed.has('sort-crashes')) throw new Error('no such order');
  const by = query.get('sort') ?? query.get('order_by');
  const ordered = shed.has('random-order') && by === null ? shuffle(found) : found.toReversed();
  if (by === null || shed.has('sort-ignored')) return ordered;
  const sign = by.startsWith('-') || query.get('order') === 'desc' ? -1 : 1;
  const field = by.replace('-', '');
  const sorted = ordered.toSorted((one, other) => sign * compare(one.item[field], other.item[field]));
  if (shed.has('sort-drops') && by === 'label') return sorted.slice(1);
  return sorted;
}

/** Differs from request to request of a list, and not within its pages. */
function shuffle(found: readonly Kept[]): Kept[] {
  const mix = (key: string): number =>
    Array.from(key).reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9973, 7);
  return found.toSorted((one, other) => mix(one.key) - mix(other.key));
}

function compare(one: unknown, other: unknown): number {
  if (one === other) return 0;
  return (one as string) < (other as string) ? -1 : 1;
}
