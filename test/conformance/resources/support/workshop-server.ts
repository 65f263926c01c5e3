// A workshop that takes forms, and whose benches are put at names of the client's choice. It shares nothing with the mock.
import { serveJson, type Answer, type Asked, type Item, type Served } from '../../../support/network/serve-json.js';
import type { Fit } from './strangers.js';
import { createRules } from './workshop-rules.js';
import { readSent } from './workshop-bodies.js';

export const WORKSHOP_TOKEN = 'workshop-token-of-the-run';

interface Workshop {
  has: (change: string) => boolean;
  rules: ReadonlyMap<string, Fit>;
  kept: Map<string, Item[]>;
  next: number;
  /** The keys at which somebody put something before anybody had asked for them. */
  unproven: string[];
  asked: Set<string>;
}

/** Starts a workshop with some of its habits changed: `form-tags-first`, `put-200`. */
export async function startWorkshop(
  ...changes: string[]
): Promise<Served & { left: () => number; unproven: () => readonly string[] }> {
  const shop: Workshop = {
    has: (change) => changes.includes(change),
    rules: createRules(changes),
    kept: new Map([
      ['customers', [{ id: 1, name: 'Old', tier: 'plain' }]],
      ['benches', [{ name: 'oldbench', material: 'oak' }]],
      ['designs', []],
      ['repairs', []],
      ['shelves', []],
    ]),
    next: 100,
    unproven: [],
    asked: new Set(),
  };
  const left = (): number => (shop.kept.get('customers')?.length ?? 0) + (shop.kept.get('benches')?.length ?? 0) - 2;
  return { ...(await serveJson((asked) => answer(shop, asked), '/workshop')), left, unproven: () => shop.unproven };
}

const fail = (status: number, problem: string): Answer => ({ status, body: { problem } });

function answer(shop: Workshop, { method, path, query, headers, bytes }: Asked): Answer {
  if (headers.authorization !== `Bearer ${WORKSHOP_TOKEN}`) {
    const isOpen = shop.has('open-put') && method === 'PUT';
    if (!isOpen && !(shop.has('open-form') && method === 'POST')) return fail(401, 'Who are you?');
  }
  const [, place = '', key, below] = path.split('/');
  const name = below ?? place;
  const items = shop.kept.get(name);
  if (items === undefined) return fail(404, 'No such path');
  const within = below === undefined ? undefined : Number(key);
  if (within !== undefined && find(shop, 'customers', String(key)) === undefined && !shop.has('any-parent'))
    return fail(404, 'No such customer');
  const read = (): Sent => readSent(bytes, headers['content-type'], name, shop.has);
  if (key === undefined || within !== undefined) {
    if (method === 'GET') return list(shop, { name, items, within, query });
    return method === 'POST' ? create(shop, name, { sent: read(), within }) : fail(405, 'No');
  }
  return answerOne(shop, { name, key: decodeURIComponent(key), method }, read);
}

const KEYS: Readonly<Record<string, string>> = { benches: 'name', shelves: 'number' };

function find({ kept }: Workshop, name: string, key: string): Item | undefined {
  return kept.get(name)?.find((each) => String(each[KEYS[name] ?? 'id']) === key);
}

type Listing = { name: string; items: readonly Item[]; within: number | undefined; query: URLSearchParams };

function list({ has }: Workshop, { name, items, within, query }: Listing): Answer {
  const own = items.filter(({ customerId }) => within === undefined || customerId === within || has('leaks-repairs'));
  if (name !== 'customers') return { status: 200, body: has('benches-unlisted') && name === 'benches' ? [] : own };
  const [limit, offset, tier] = [query.get('limit') ?? '20', query.get('offset') ?? '0', query.get('tier')];
  const isNumber = [limit, offset].every((each) => /^\d{1,9}$/.test(each));
  if (!isNumber || Number(limit) < 1 || Number(limit) > 50) return fail(400, 'Not so many');
  if (tier !== null && !['plain', 'silver', 'gold'].includes(tier)) return fail(400, 'No such tier');
  const found = own.filter((each) => tier === null || has('tier-ignored') || each['tier'] === tier);
  const ordered = has('newest-last') ? found : found.toReversed();
  return { status: 200, body: ordered.slice(Number(offset), Number(offset) + Number(limit)) };
}

type Sent = Item | string;

function create(shop: Workshop, name: string, { sent, within }: { sent: Sent; within: number | undefined }): Answer {
  if (typeof sent === 'string') return fail(400, sent);
  const wrong = shop.rules.get(name)?.(sent, { method: 'POST' });
  if (wrong !== undefined) return fail(400, 'It is wrong');
  const isTaken = shop.kept.get(name)?.some((each) => each['name'] !== undefined && each['name'] === sent['name']);
  if (shop.has('unique-names') && isTaken === true) return fail(400, 'That name is taken');
  const stamp = shop.has('stamps') ? { stamp: new Date(0).toISOString() } : {};
  const defaults = name === 'customers' ? { tier: shop.has('wrong-default') ? 'gold' : 'plain' } : {};
  const id = shop.has('same-id') && name === 'designs' ? shop.next : (shop.next += 1);
  const item = { ...defaults, ...stamp, ...sent, id, ...(within === undefined ? {} : { customerId: within }) };
  if (!(shop.has('repairs-not-stored') && name === 'repairs')) shop.kept.get(name)?.push(item);
  return { status: 201, body: item };
}

function answerOne(
  shop: Workshop,
  { name, key, method }: { name: string; key: string; method: string },
  read: () => Sent,
): Answer {
  const found = find(shop, name, key);
  if (method === 'PUT') return put(shop, { name, key, found, sent: read() });
  if (found === undefined) {
    if (shop.has('unknown-200') && name === 'benches') return { status: 200, body: { name: key, material: 'oak' } };
    if (method === 'GET') shop.asked.add(`${name}/${key}`);
    return fail(404, 'Nothing there');
  }
  if (method === 'GET') return { status: 200, body: found };
  if (method === 'DELETE') {
    if (!shop.has('keeps-removed'))
      shop.kept.set(
        name,
        (shop.kept.get(name) ?? []).filter((each) => each !== found),
      );
    return { status: 204 };
  }
  const sent = read();
  if (typeof sent === 'string') return fail(400, sent);
  const wrong = shop.rules.get(name)?.(sent, { method: 'PATCH' });
  if (wrong !== undefined && !shop.has('change-unchecked')) return fail(400, 'It is wrong');
  if (shop.has('change-drops')) for (const field of Object.keys(found)) if (field === 'balance') delete found[field];
  if (!shop.has('change-ignored')) Object.assign(found, sent, { id: found['id'] });
  return { status: 200, body: found };
}

function put(
  shop: Workshop,
  { name, key, found, sent }: { name: string; key: string; found: Item | undefined; sent: Sent },
): Answer {
  const { has, rules } = shop;
  if (found === undefined && !shop.asked.has(`${name}/${key}`)) shop.unproven.push(`${name}/${key}`);
  if (typeof sent === 'string') return fail(400, sent);
  const wrong = rules.get(name)?.(sent, { method: 'PUT' });
  if (wrong !== undefined) return fail(400, 'It is wrong');
  if (name === 'shelves' && found === undefined && has('shelves-are-fixed')) return fail(400, 'No such shelf');
  const own = KEYS[name] ?? 'id';
  const value = name === 'shelves' ? Number(key) : key;
  if (name === 'shelves' && sent[own] !== value) return fail(400, 'Another number');
  const stored: Item = {
    ...(has('put-merges') ? found : {}),
    ...sent,
    [own]: has('put-other-name') ? `${key}x` : value,
  };
  if (has('put-loses-seats')) delete stored['seats'];
  if (has('shelves-vanish') && name === 'shelves') return { status: 200, body: stored };
  const rest = (shop.kept.get(name) ?? []).filter((each) => each !== found);
  if (!(has('put-new-only') && found !== undefined) && !(has('put-not-stored') && found === undefined))
    shop.kept.set(name, [...rest, stored]);
  if (has('put-to-all')) for (const each of rest) Object.assign(each, sent);
  if (has('put-500') && found !== undefined) return fail(500, 'Oh');
  const isNew = found === undefined && name === 'benches' && !has('put-200');
  return { status: isNew || (has('always-201') && name === 'benches') ? 201 : 200, body: stored };
}
