// What a test service keeps, and what it is asked.
import { randomUUID } from 'node:crypto';
import type { Answer, Asked as Request } from '../../../support/network/serve-json.js';
import type { Item } from './judge-record.js';
import type { Collection, ServicePlan } from './plan.js';

export interface Kept {
  item: Item;
  parent: string;
  /** As it was when it was created, for services that forget to look again. */
  born: Item;
  version: number;
  /** What it was before its last change. */
  was?: Item;
  changedAt?: number;
  madeAt: number;
  /** Where it stands among others that have no order. */
  place: number;
}

export interface State {
  plan: ServicePlan;
  has: (change: string) => boolean;
  kept: Map<string, Kept[]>;
  gone: Set<string>;
  repeats: Map<string, Kept>;
  next: number;
  /** How many records clients have created. */
  created: number;
  /** Removed for whoever asks for it, but for no list. */
  hidden: Set<Kept>;
  /** Removed, but for filtered lists. */
  filtered: Set<Kept>;
  /** The changes that were made, each with its key. */
  puts: Set<string>;
}

export interface Asked extends Request {
  state: State;
  collection: Collection;
  /** Whether a change is on for this collection. */
  has: (change: string) => boolean;
  parent: string;
  key: string | undefined;
}

/** How long a huge list is. */
const HUGE = 100_000;
/** Past what a double holds. */
const FIRST_LONG_KEY = 2n ** 62n;

export const UNREADABLE = Symbol('no JSON');
export const OTHER_TYPE = Symbol('another media type');

export function createState(plan: ServicePlan, changes: ReadonlySet<string>): State {
  const has = (name: string): boolean => changes.has(name);
  const state: State = {
    plan,
    has,
    kept: new Map(),
    gone: new Set(),
    repeats: new Map(),
    next: has('huge-keys') ? 2 ** 45 : 4000,
    created: 0,
    hidden: new Set(),
    filtered: new Set(),
    puts: new Set(),
  };
  const seeds = has('empty') ? 0 : has('many') ? 130 : 6;
  for (const [place, collection] of plan.collections.filter(({ path }) => path.length === 1).entries())
    for (let index = 0; index < (has('huge') && place === 0 ? HUGE : seeds); index++)
      keep(state, collection, makeSeed(state, collection, index), '');
  return state;
}

/** A record of somebody else's. */
export function makeSeed({ kept }: State, { fields }: Collection, index: number): Item {
  const made = Object.entries(fields).flatMap(([name, field]) => {
    if (field.readOnly === true || (field.required !== true && field.enum === undefined && field.type !== 'boolean'))
      return [];
    if (field.of !== undefined) return [[name, Object.values(kept.get(field.of)?.[0]?.item ?? {})[0]]];
    if (field.enum !== undefined) return [[name, field.enum[index % field.enum.length]]];
    if (field.type === 'list') return [[name, ['Somebody']]];
    return [[name, field.type === 'text' ? `Seed ${index}` : field.type === 'boolean' ? index % 2 === 0 : 5]];
  });
  return Object.fromEntries(made) as Item;
}

export function keep(state: State, collection: Collection, item: Item, parent: string): Kept {
  const key = makeKey(state, collection);
  const times = Object.fromEntries(collection.assigned.map((name) => [name, new Date().toISOString()]));
  const defaults = Object.entries(collection.fields).flatMap(([name, field]) =>
    field.default === undefined ? [] : [[name, field.default]],
  );
  const given = Object.fromEntries(
    Object.entries(item).filter(([name]) => state.has(`${collection.name}:stores:${name}`)),
  );
  const own: Item = { ...times, [collection.key.name]: key, ...given };
  const whole: Item = { ...(Object.fromEntries(defaults) as Item), ...item, ...own };
  const kept: Kept = { item: whole, parent, born: { ...whole }, version: 1, madeAt: Date.now(), place: Math.random() };
  const all = state.kept.get(collection.name) ?? [];
  all.push(kept);
  state.kept.set(collection.name, all);
  return kept;
}

function makeKey(state: State, { key, name }: Collection): unknown {
  if (state.has(`${name}:key-twice`)) return key.kind === 'uuid' ? '11111111-1111-4111-8111-111111111111' : 77;
  if (key.kind === 'uuid') return state.has('upper-case-keys') ? randomUUID().toUpperCase() : randomUUID();
  if (state.has('int64-keys')) return FIRST_LONG_KEY + BigInt((state.next += 1));
  return (state.next += state.has('random-keys') ? 1 + Math.floor(Math.random() * 1000) : 1);
}

export function refuse({ plan }: State, status: number, title: string): Answer {
  const headers = status === 401 ? { 'WWW-Authenticate': 'Basic realm="x"' } : {};
  return { status, headers, body: plan.error(status, title) };
}
