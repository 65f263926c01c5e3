import { findUnfit, takeFields } from './take-body.js';
import type { Answer } from '../../../support/network/serve-json.js';
import type { Item } from './judge-record.js';
import { keep, refuse, type Asked, type Kept } from './state.js';
import { wrapRecord } from './show-record.js';

export function answerRecord(asked: Asked, key: string): Answer {
  const { state, collection, has, method } = asked;
  const all = state.kept.get(collection.name) ?? [];
  const name = collection.key.name;
  const isHidden = (item: Item): boolean => [...state.hidden].some((each) => each.item === item);
  const found = all.find(
    ({ item, parent }) =>
      String(item[name]) === key &&
      !isHidden(item) &&
      (has('parent-ignored') || has(`parent-ignored:${method}`) || parent === asked.parent),
  );
  const allowed = ['GET', 'DELETE', collection.change];
  if (!allowed.includes(method)) return { ...refuse(state, 405, 'Not here'), headers: { Allow: allowed.join(', ') } };
  if (found === undefined && method === 'PUT' && collection.isUpsert === true && !has('upsert-refused'))
    return putNew(asked, key);
  if (found === undefined && has('unknown-first') && method === 'GET' && all[0] !== undefined)
    return get(asked, all[0]);
  if (found === undefined) return refuse(state, missingStatus(asked, key), 'No such record');
  if (method === 'GET') return get(asked, found);
  if (method === 'DELETE') return remove(asked, found, key);
  return change(asked, found);
}

function missingStatus({ state, collection, has }: Asked, key: string): number {
  if (has('unknown-400')) return 400;
  const isGone = state.gone.has(`${collection.name}/${key}`);
  return isGone && collection.gone === 410 && !state.has('gone-404')
    ? 410
    : isGone && (state.has('gone-410') || has('gone-410'))
      ? 410
      : 404;
}

function tagOf({ state, has, collection }: Asked, { item, version }: Kept): string {
  const tag = `"${String(item[collection.key.name]).slice(0, 8)}.${has('tag-stays') ? 1 : version}"`;
  return state.has('weak-tags') ? `W/${tag}` : tag;
}

function get(asked: Asked, found: Kept): Answer {
  const { state, collection, has, headers } = asked;
  if (collection.refusesAccept === true && !has('accept-ignored') && !accepts(headers.accept))
    return refuse(state, 406, 'Accept');
  const all = state.kept.get(collection.name) ?? [];
  const shown = has('get-neighbour') ? (all[Math.max(0, all.indexOf(found) - 1)] ?? found) : found;
  if (collection.hasTags !== true || state.has('no-tags')) return { status: 200, body: wrapRecord(asked, shown) };
  const tag = tagOf(asked, found);
  const wanted = headers['if-none-match'];
  const isSame = wanted !== undefined && strip(wanted) === strip(tag);
  const is304 = has('304-always') ? wanted !== undefined : isSame && !has('304-never');
  if (is304) return { status: 304, headers: { ETag: has('304-other-tag') ? '"other"' : tag } };
  return { status: 200, headers: { ETag: tag }, body: wrapRecord(asked, shown) };
}

function accepts(accept: string | undefined): boolean {
  return accept === undefined || /application\/(?:json|\*)|\*\/\*/i.test(accept);
}

function strip(tag: string): string {
  return tag.replace(/^W\//, '');
}

function remove(asked: Asked, found: Kept, key: string): Answer {
  const { state, collection, has } = asked;
  const all = state.kept.get(collection.name) ?? [];
  const index = all.indexOf(found);
  if (has('delete-refused')) return refuse(state, 409, 'Not now');
  state.gone.add(`${collection.name}/${key}`);
  if (has('delete-from-get')) state.hidden.add(found);
  if (has('delete-not-in-filter')) state.filtered.add(found);
  if (has('delete-neighbour')) all.splice(index > 0 ? index - 1 : index + 1, 2);
  else if (has('delete-other')) all.splice(Math.max(0, index - 1), 1);
  else if (!has('delete-keeps') && !has('delete-from-get')) all.splice(index, 1);
  if (has('delete-all')) all.length = 0;
  return has('delete-202')
    ? { status: 202 }
    : { status: state.has('delete-200') && collection.change !== 'PATCH' ? 200 : 204 };
}

function change(asked: Asked, found: Kept): Answer {
  const { state, collection, has, headers, method } = asked;
  const unfit = findUnfit(asked, method === 'PATCH');
  const match = headers['if-match'];
  const isStale =
    collection.hasTags === true && match !== undefined && match !== '*' && strip(match) !== strip(tagOf(asked, found));
  if (isStale && !has('if-match-ignored')) return refuse(state, 412, 'It has changed');
  if (unfit !== undefined) return unfit;
  const text = JSON.stringify([found.item[collection.key.name], asked.body], (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}` : value,
  );
  if (has('second-put-409') && state.puts.has(text)) return refuse(state, 422, 'Again');
  state.puts.add(text);
  const sent = takeFields(asked, asked.body as Item, 'stores-change');
  const all = state.kept.get(collection.name) ?? [];
  const target = has('change-neighbour') ? (all[all.indexOf(found) - 1] ?? found) : found;
  const before = { ...target.item };
  const after = method === 'PUT' ? putFields(asked, target, sent) : patchFields(asked, target, sent);
  if (has('change-lost')) target.item = before;
  else target.item = after;
  Object.assign(target, { was: before, changedAt: Date.now() });
  target.version += 1;
  if (has('change-all')) for (const each of all) Object.assign(each.item, sent);
  if (has('change-copies')) keep(state, collection, sent, asked.parent);
  const shown = { ...target, item: has('change-answers-old') ? before : after };
  if ((state.has('change-204') || has('change-204')) && !(collection.hasTags === true)) return { status: 204 };
  const tags: Record<string, string> =
    collection.hasTags === true && !state.has('no-tags') ? { ETag: tagOf(asked, target) } : {};
  return { status: 200, headers: tags, body: wrapRecord(asked, shown) };
}

function patchFields({ collection, has, state, headers }: Asked, { item }: Kept, sent: Item): Item {
  // Of plain JSON, nothing says what becomes of what an object does not name.
  const isMerge = String(headers['content-type']).toLowerCase().startsWith('application/merge-patch+json');
  const isFlat = isMerge ? has('merges-flat') : state.has('replaces-objects');
  const after = { ...item };
  const isFixed = (name: string): boolean => name === collection.key.name || collection.assigned.includes(name);
  if (has('patch-resets'))
    for (const name of Object.keys(after))
      if (!isFixed(name) && collection.fields[name]?.required !== true && !(name in sent)) delete after[name];
  for (const [name, value] of Object.entries(sent))
    if (!has(`ignores:${name}`)) after[name] = isFlat ? value : mergePatch(after[name], value);
  return after;
}

const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null && !Array.isArray(value);

/** RFC 7396 section 2. */
function mergePatch(old: unknown, value: unknown): unknown {
  if (!isItem(value)) return value;
  const merged: Item = isItem(old) ? { ...old } : {};
  for (const [name, each] of Object.entries(value))
    if (each === null) delete merged[name];
    else merged[name] = mergePatch(merged[name], each);
  return merged;
}

function putFields({ collection, has }: Asked, { item }: Kept, sent: Item): Item {
  const fixed = [collection.key.name, ...collection.assigned].map((name) => [name, item[name]]);
  const defaults = Object.entries(collection.fields).flatMap(([name, field]) =>
    field.default === undefined ? [] : [[name, field.default]],
  );
  const start = has('put-keeps') ? item : (Object.fromEntries(defaults) as Item);
  const after: Item = { ...start, ...sent, ...(Object.fromEntries(fixed) as Item) };
  for (const name of Object.keys(sent)) if (has(`ignores:${name}`)) after[name] = item[name];
  if (has('put-new-key'))
    after[collection.key.name] =
      typeof item[collection.key.name] === 'number'
        ? 1 + Number(item[collection.key.name]) * 3
        : '22222222-2222-4222-8222-222222222222';
  return after;
}

function putNew(asked: Asked, key: string): Answer {
  const { state, collection, has } = asked;
  const unfit = findUnfit(asked);
  if (unfit !== undefined) return unfit;
  const made = keep(state, collection, takeFields(asked, asked.body as Item), asked.parent);
  if (!has('upsert-other-key')) made.item[collection.key.name] = key;
  if (has('upsert-lost')) state.kept.get(collection.name)?.pop();
  return { status: 201, body: wrapRecord(asked, made) };
}
