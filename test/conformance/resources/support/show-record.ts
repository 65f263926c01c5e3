import type { Item } from './judge-record.js';
import type { Asked, Kept } from './state.js';

/** How long a service takes until a list has what was created. */
const LATE = 40;

/** The records that a list looks at: of a service whose lists are late, not the newest. */
export function findLate({ state, collection }: Asked): Kept[] {
  const all = state.kept.get(collection.name) ?? [];
  return state.has('late-lists') ? all.filter(({ madeAt }) => Date.now() - madeAt > LATE) : [...all];
}

/** A record as filters know it: of a service whose filters are late, as it was. */
export function findIndexed({ state, collection, query }: Asked, kept: Kept): Kept {
  const isFiltered = [...query.keys()].some((name) => name in collection.filters);
  if (!state.has('late-filters') || !isFiltered) return kept;
  if (Date.now() - kept.madeAt < LATE) return { ...kept, item: {} };
  const { was, changedAt = 0 } = kept;
  return was !== undefined && Date.now() - changedAt < LATE ? { ...kept, item: was } : kept;
}

/** A record as an answer has it. */
export function showRecord({ state, collection, has }: Asked, { item }: Kept): Item {
  const shown: Item = { ...item };
  delete shown['others'];
  for (const [name, field] of Object.entries(collection.fields)) {
    if (field.writeOnly === true && !has(`shows:${name}`)) delete shown[name];
    if (state.has('nulls') && field.null === true && !(name in shown)) shown[name] = null;
    if (
      state.has('no-defaults-shown') &&
      field.default !== undefined &&
      field.required !== true &&
      shown[name] === field.default &&
      collection.name !== 'tickets'
    )
      delete shown[name];
    if (state.has('other-times') && field.format === 'date-time' && typeof shown[name] === 'string')
      shown[name] = new Date(shown[name]).toISOString().replace('Z', '+00:00');
  }
  if (state.has('extra-fields')) Object.assign(shown, { links: { self: '/x' }, revision: 3 });
  if (has('assigned-missing')) for (const name of collection.assigned) delete shown[name];
  return shown;
}

export function wrapRecord(asked: Asked, kept: Kept): unknown {
  const shown = showRecord(asked, kept);
  return asked.collection.oneIn === undefined ? shown : { [asked.collection.oneIn]: shown };
}
