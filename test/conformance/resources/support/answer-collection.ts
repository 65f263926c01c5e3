import type { Answer } from '../../../support/network/serve-json.js';
import { listBrokenFields, type Item } from './judge-record.js';
import { keep, refuse, type Asked, type Kept } from './state.js';
import { findUnfit, takeFields } from './take-body.js';
import { findIndexed, findLate, showRecord, wrapRecord } from './show-record.js';

export function answerCollection(asked: Asked): Answer {
  if (asked.method === 'GET') return list(asked);
  if (asked.method === 'POST') return create(asked);
  return { ...refuse(asked.state, 405, 'Not here'), headers: { Allow: 'GET, POST' } };
}

function list(asked: Asked): Answer {
  const { state, collection, has, query, parent } = asked;
  const { paging } = collection;
  const wrong = findBadQuery(asked);
  if (wrong !== undefined) return refuse(state, collection.invalid, wrong);
  const ghosts = [...query.keys()].some((name) => name in collection.filters) ? [...state.filtered] : [];
  const now = [...findLate(asked), ...ghosts].filter((each) => has('leaks-parents') || each.parent === parent);
  const found = order(asked, now).filter((each) => isWanted(asked, findIndexed(asked, each)));
  const asks = Number(query.get(paging.size) ?? (state.has('small-pages') ? 3 : paging.usual));
  const size = has('limit-plus')
    ? asks + 1
    : has('limit-ignored')
      ? 1000
      : state.has('short-pages')
        ? Math.min(asks, 10)
        : asks;
  const start = findStart(asked, asks, state.has('short-pages') ? size : asks);
  const isBeyond = start.from > 0 && start.from >= found.length && paging.kind !== 'cursor';
  if (isBeyond && state.has('beyond-refused')) return refuse(state, collection.invalid, 'No such page');
  const { page } = start;
  const from =
    isBeyond && state.has('last-again') ? Math.max(0, Math.ceil(found.length / asks) - 1) * asks : start.from;
  const listed = found.slice(from, from + size).filter((_, index) => !(has('page-skips') && from > 0 && index === 0));
  const shown = listed.map((each, index) => showListed(asked, each, index === listed.length - 1));
  const total = countTotal(asked, found, shown.length);
  const next = from + size < found.length ? String(from + size - (has('page-repeats') ? 1 : 0)) : null;
  const headers = collection.totalHeader === undefined ? {} : { [collection.totalHeader]: String(total) };
  if (collection.listIn === undefined) return { status: 200, headers, body: shown };
  const body: Item = { [collection.listIn]: shown, ...collection.around?.(page, asks, shown.length) };
  if (collection.total !== undefined) place(body, collection.total, total);
  if (collection.cursor !== undefined)
    place(body, collection.cursor, has('cursor-ends-early') && from > 0 ? null : next);
  return { status: 200, headers, body };
}

function order(asked: Asked, now: Kept[]): Kept[] {
  const { state } = asked;
  if (state.has('oldest-first')) return now;
  if (state.has('by-key')) return now.toSorted(compareKeys(asked));
  return state.has('random-order') ? now.toSorted((one, other) => one.place - other.place) : now.toReversed();
}

function compareKeys({ collection: { key } }: Asked): (one: Kept, other: Kept) => number {
  return (one, other) => String(one.item[key.name]).localeCompare(String(other.item[key.name]));
}

function place(body: Item, at: string, value: unknown): void {
  const [name = '', inner] = at.split('.');
  if (inner === undefined) body[name] = value;
  else body[name] = { ...(body[name] as Item | undefined), [inner]: value };
}

function showListed(asked: Asked, kept: Kept, isLast: boolean): Item {
  const { collection, has } = asked;
  const shown = showRecord(asked, has('list-is-old') ? { ...kept, item: kept.born } : kept);
  const [name, field] = Object.entries(collection.fields).find(([, each]) => each.enum !== undefined) ?? [];
  if (has('last-wrong') && isLast && name !== undefined && shown[name] !== undefined)
    shown[name] = field?.enum?.find((value) => value !== shown[name]);
  if (has('last-keyless') && isLast) delete shown[collection.key.name];
  for (const each of Object.keys(collection.fields)) if (has(`list-drops:${each}`)) delete shown[each];
  return shown;
}

function countTotal({ state, collection, has }: Asked, found: readonly Kept[], count: number): number {
  const removed = [...state.gone].filter((key) => key.startsWith(`${collection.name}/`)).length;
  if (has('total-of-page')) return count;
  if (has('total-counts-removed')) return found.length + removed;
  return found.length + (has('total-plus') ? 1 : 0) - (has('total-minus') ? 1 : 0);
}

function findStart(
  { collection: { paging }, query, has }: Asked,
  asked: number,
  size: number,
): { from: number; page: number } {
  const given = query.get(paging.turn);
  const page = paging.kind === 'page' ? Number(given ?? 1) : 1;
  const from = paging.kind === 'page' ? (page - 1) * size : Number(given ?? 0);
  if (has('turn-ignored')) return { from: 0, page };
  return {
    from: has('page-overlaps') && from > 0 ? Math.max(0, from - 1) : from,
    page: Math.max(page, asked > 0 ? 1 : 0),
  };
}

function findBadQuery({ collection: { paging, fields, filters }, query, has }: Asked): string | undefined {
  const size = query.get(paging.size);
  const isOff = (name: string): boolean => has(`unchecked:${name}`);
  if (size !== null && !isOff(paging.size) && !isCount(size, 1, paging.most)) return paging.size;
  if (size !== null && !isOff(`${paging.size}.maximum`) && Number(size) > paging.most) return paging.size;
  const turn = query.get(paging.turn);
  const least = paging.kind === 'page' ? 1 : 0;
  if (turn !== null && paging.kind !== 'cursor' && !isOff(paging.turn) && !isCount(turn, least, Infinity))
    return paging.turn;
  return Object.entries(filters).find(([parameter, field]) => {
    const value = query.get(parameter);
    const plan = fields[field];
    if (value === null || plan === undefined || isOff(parameter)) return false;
    const read = plan.type === 'text' ? value : plan.type === 'boolean' ? toBoolean(value) : Number(value);
    return listBrokenFields({ [field]: read }, { [field]: plan }).length > 0;
  })?.[0];
}

function toBoolean(text: string): unknown {
  return text === 'true' ? true : text === 'false' ? false : text;
}

function isCount(text: string, least: number, most: number): boolean {
  return /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most;
}

function isWanted({ collection: { filters, paging }, query, has }: Asked, { item, born }: Kept): boolean {
  return Object.entries(filters).every(([parameter, field]) => {
    const value = query.get(parameter);
    if (value === null || has(`filter-ignored:${parameter}`)) return true;
    if (has('turn-drops-filter') && Number(query.get(paging.turn) ?? 0) > (paging.kind === 'page' ? 1 : 0)) return true;
    const own = String((has(`filter-stale:${parameter}`) ? born : item)[field]);
    if (has(`filter-drops:${parameter}=${value}`)) return false;
    if (has(`filter-leaks:${parameter}=${value}`)) return true;
    return own === value;
  });
}

function create(asked: Asked): Answer {
  const { state, collection, has, headers } = asked;
  const unfit = findUnfit(asked);
  if (unfit !== undefined) return unfit;
  const repeat = headers['idempotency-key'];
  const name = `${collection.name}/${String(repeat)}`;
  const isRepeat = collection.hasRepeatKey === true && repeat !== undefined && !has('repeat-key-ignored');
  const before = isRepeat ? state.repeats.get(name) : undefined;
  if (before !== undefined) return answerCreated(asked, before);
  state.created += 1;
  const made = keep(state, collection, spoilNew(asked, takeFields(asked, asked.body as Item)), asked.parent);
  if (isRepeat) state.repeats.set(name, made);
  const all = state.kept.get(collection.name) ?? [];
  if (has('create-twice')) all.push({ ...made });
  if (has('create-lost')) all.pop();
  const changed = has('create-changes-others') ? Object.keys(collection.fields)[0] : undefined;
  if (changed !== undefined) for (const each of all) each.item[changed] = made.item[changed];
  return answerCreated(asked, made);
}

function answerCreated(asked: Asked, made: Kept): Answer {
  const { state, collection, has } = asked;
  const key = String(made.item[collection.key.name]);
  const path = collection.path.map((part) => (part === '*' ? asked.parent : part)).join('/');
  const own = has('location-wrong') ? '3f2b8c4e-0000-4e7b-8c55-c0ffee0ddba1' : key;
  const Location = `${state.has('bare-location') ? '' : state.plan.base}/${path}/${own}${state.has('slash-location') ? '/' : ''}`;
  const status = has('create-200') ? 200 : 201;
  const headers: Record<string, string> = has('location-missing') ? {} : { Location };
  if (collection.answersAddress === true) return { status, headers };
  return { status, headers, body: wrapRecord(asked, made) };
}

/** A new record with what the service gets wrong in it. */
function spoilNew({ state, collection, has, headers }: Asked, item: Item): Item {
  const made = { ...item };
  if (has('form-loses') && String(headers['content-type']).toLowerCase().includes('urlencoded'))
    made['name'] = 'From a form';
  for (const [name, field] of Object.entries(collection.fields)) {
    if (has(`forgets:${name}`) || (has('late-forgets') && state.created > 10 && field.required !== true))
      delete made[name];
    if (has(`default-wrong:${name}`) && !(name in made))
      made[name] = field.enum?.at(-1) ?? (field.default === true ? false : 'none');
    for (const value of field.enum ?? [])
      if (has(`value-wrong:${name}=${value}`) && made[name] === value)
        made[name] = field.enum?.find((each) => each !== value);
    if (has(`edge-wrong:${name}`) && made[name] === (field.maximum ?? NaN)) made[name] = (field.maximum ?? 0) - 1;
    if (has(`cuts:${name}`) && typeof made[name] === 'string')
      made[name] = made[name].slice(0, (field.maxLength ?? 10) - 5);
    if (has(`as-text:${name}`) && name in made) made[name] = String(made[name]);
    if (has(`drops-inside:${name}`) && field.type === 'object' && name in made)
      made[name] = Object.fromEntries(Object.entries(made[name] as Item).slice(0, 1));
    if (has(`drops-items:${name}`) && Array.isArray(made[name])) made[name] = made[name].slice(0, 1);
  }
  return made;
}
