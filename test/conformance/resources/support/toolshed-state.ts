// What a tool shed keeps.
import { randomUUID } from 'node:crypto';
import type { Answer, Asked as Request } from '../../../support/network/serve-json.js';
import type { createRules, Item } from './toolshed-rules.js';

export type Kind = 'members' | 'tools' | 'loans';

export interface Kept {
  key: string;
  item: Item;
  /** The member to whom a loan belongs. */
  owner: string | undefined;
  /** Made by a client, and not there from the start. */
  isMade: boolean;
  madeAt: number;
  goneAt?: number;
}

export interface Shed {
  has: (change: string) => boolean;
  items: (kind: Kind) => Kept[];
  add: (kind: Kind, given: Item, owner?: string) => Kept;
  put: (kept: Kept, item: Item) => void;
  remove: (kind: Kind, kept: Kept) => void;
  show: (kept: Kept, where: 'create' | 'get' | 'update' | 'replace' | 'list') => Item;
  now: () => string;
  /** Whether so many requests came in this second that one more is too much. */
  isOverrun: () => boolean;
  removed: number;
}

export interface Asked extends Request {
  shed: Shed;
  wrong: ReturnType<typeof createRules>;
}

export function fail(status: number, title: string): Answer {
  return { status, body: { type: 'about:blank', title, status } };
}

export const KEYS: Readonly<Record<Kind, string>> = { members: 'member_id', tools: 'tool_id', loans: 'loan_id' };

/** What a client may say of a record. */
export function takeKey(kind: Kind, given: Item, isCreatedTaken: boolean): Item {
  const own = new Set([KEYS[kind], 'updated_at', 'due_on', ...(isCreatedTaken ? [] : ['created_at'])]);
  if (kind === 'loans') own.add('member_id').add('tool_id');
  return Object.fromEntries(
    Object.entries(given).filter(([name]) => !own.has(name) || (name === 'tool_id' && kind === 'loans')),
  );
}

export const isGone = ({ has }: Pick<Shed, 'has'>, { goneAt }: Kept): boolean =>
  goneAt !== undefined && !has('removal-forgotten');

const LEVELS = ['basic', 'plus', 'patron'];
const CATEGORIES = ['hand', 'power', 'garden', 'ladder'];
const FEWEST_DIGITS = 9_007_199_254_740_993n;
const A_SECOND = 1000;
const MOST_A_SECOND = 60;

export function createShed(changes: readonly string[]): Shed {
  const has = (change: string): boolean => changes.includes(change);
  const kept: Record<Kind, Kept[]> = { members: [], tools: [], loans: [] };
  let count = 0;
  let times: number[] = [];
  const shed: Shed = {
    has,
    removed: 0,
    items: (kind) => kept[kind],
    now: () => new Date().toISOString(),
    add: (kind, given, owner) => {
      count += 1;
      const one = make(kind, given, { count, owner, has });
      kept[kind].push(one);
      if (has('made-twice') && kind === 'tools')
        kept[kind].push({ ...make(kind, given, { count: count + 1e6, owner, has }) });
      if (has('lent-changes-others') && kind === 'loans')
        for (const other of kept.loans)
          if (other !== one && other.owner === owner) other.item = { ...other.item, days: one.item['days'] };
      return one;
    },
    put: (one, item) => void (one.item = item),
    remove: (kind, one) => {
      one.goneAt = Date.now();
      if (kind === 'members') shed.removed += 1;
    },
    show: (one, where) => show(one, where, has),
    isOverrun: () => {
      if (!has('rate-limit')) return false;
      times = times.filter((time) => Date.now() - time < A_SECOND);
      if (times.length >= MOST_A_SECOND) return true;
      times.push(Date.now());
      return false;
    },
  };
  seed(shed);
  return shed;
}

function seed(shed: Shed): void {
  for (let index = 0; index < (shed.has('empty') ? 0 : 23); index += 1) {
    const day = `2025-0${1 + (index % 9)}-1${index % 10}`;
    const address = index % 3 === 0 ? { address: { street: `Lane ${index}`, postcode: '8001' } } : {};
    const member = { full_name: `Neighbour ${index}`, joined_on: day, level: LEVELS[index % 3], ...address };
    shed.add('members', member).isMade = false;
    const tool = {
      label: `Tool ${index}`,
      category: CATEGORIES[index % 4],
      daily_fee: (index % 7) * 1.5,
      on_shelf: index % 5 > 0,
    };
    shed.add('tools', tool).isMade = false;
  }
}

function make(
  kind: Kind,
  given: Item,
  { count, owner, has }: { count: number; owner: string | undefined; has: Shed['has'] },
): Kept {
  const now = new Date().toISOString();
  const huge = String(FEWEST_DIGITS + BigInt(count) * 2n);
  const keys = {
    members: has('huge-ids') ? huge : String(1000 + count),
    tools: randomUUID(),
    loans: `ln-${randomUUID().replaceAll('-', '').slice(0, 10)}`,
  };
  const key = keys[kind];
  const own = takeKey(kind, given, false);
  const item: Item = {
    ...DEFAULTS[kind],
    ...own,
    [KEYS[kind]]: kind === 'members' ? number(key) : key,
    created_at: now,
  };
  if (kind === 'members') item['updated_at'] = now;
  if (kind === 'loans') {
    item['member_id'] = number(owner ?? '0');
    item['due_on'] = new Date(Date.now() + Number(own['days']) * 86_400_000).toISOString().slice(0, 10);
  }
  breakItem(kind, item, { count, has });
  return { key, item, owner, isMade: true, madeAt: Date.now() };
}

/** Past 2^53 a text that the printer takes apart again. */
function number(key: string): unknown {
  return Number.isSafeInteger(Number(key)) ? Number(key) : `${key}n`;
}

const DEFAULTS: Readonly<Record<Kind, Item>> = {
  members: { newsletter: true },
  tools: { on_shelf: true },
  loans: { returned: false },
};
const SEEDS = 46;

function breakItem(kind: Kind, item: Item, { count, has }: { count: number; has: Shed['has'] }): void {
  const isNew = count > SEEDS;
  if (has('patron-loses-newsletter') && kind === 'members' && item['level'] === 'patron' && isNew)
    item['newsletter'] = true;
  if (has('tenth-loses-email') && kind === 'members' && count > SEEDS + 10) delete item['email'];
  if (has('newsletter-true') && kind === 'members' && isNew) item['newsletter'] = true;
  if (has('fee-rounded') && kind === 'tools') item['daily_fee'] = Math.round(Number(item['daily_fee']));
  if (has('ladder-as-garden') && kind === 'tools' && item['category'] === 'ladder' && isNew)
    item['category'] = 'garden';
  if (has('note-cut') && kind === 'loans' && typeof item['note'] === 'string') item['note'] = item['note'].slice(0, 10);
  if (has('default-returned') && kind === 'loans' && item['returned'] === false) item['returned'] = true;
}

function show({ item }: Kept, where: string, has: Shed['has']): Item {
  const shown: Item = has('extra-fields') ? { ...item, _links: { self: 'x' }, score: Math.random() } : { ...item };
  if (has('due-as-time') && Object.hasOwn(shown, 'due_on')) shown['due_on'] = `${String(shown['due_on'])}T00:00:00Z`;
  if (has('nulls') && Object.hasOwn(shown, 'full_name')) shown['remarks'] ??= null;
  if (has('get-hides-email') && where === 'get') delete shown['email'];
  if (has('list-stale-fee') && where === 'list' && Object.hasOwn(shown, 'daily_fee')) shown['daily_fee'] = 0.5;
  return shown;
}
