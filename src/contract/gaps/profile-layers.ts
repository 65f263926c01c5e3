import type { Gap, Profile } from './gaps.js';

/** Gaps about the fields of a record: under their plain ids they are those of pets alone. */
const OF_FIELDS: ReadonlySet<string> = new Set([
  'empty-name',
  'blank-name',
  'name-length-limit',
  'name-characters',
  'negative-category',
]);

/** Whether a plain answer is about pets alone. */
export function isOfFields(gap: string): boolean {
  return OF_FIELDS.has(gap);
}

/** With what the profile says of one resource alone (`orders.list-order`) at hand under the general ids. */
export function layOver(profile: Profile, gaps: readonly Gap[]): Profile {
  const { of: _of, ...plain } = profile;
  const layers = new Map<string, Profile>();
  for (const { id, of } of gaps) {
    if (of === undefined || !isAnswered(plain, id)) continue;
    const layer = layers.get(of.resource) ?? startLayer(plain, gaps);
    layers.set(of.resource, answerAs(layer, of.gap, plain, id));
  }
  return layers.size === 0 ? plain : { ...plain, of: layers };
}

/** What a profile says of a resource, or of all. */
export function profileOf(profile: Profile, resource: string | undefined): Profile {
  return profile.of === undefined || resource === undefined ? profile : (profile.of.get(resource) ?? profile);
}

function isAnswered({ choices, values = {}, seen = {} }: Profile, id: string): boolean {
  return choices[id] !== undefined || values[id] !== undefined || seen[id] !== undefined;
}

/** What a profile says of the fields of pets says nothing of those of orders. */
function startLayer(profile: Profile, gaps: readonly Gap[]): Profile {
  const fields = gaps.filter(({ id }) => OF_FIELDS.has(id));
  const choices = fields.filter(({ kind }) => kind === 'choice').map(({ id, mock }) => [id, mock]);
  const without = <T>(entries: Readonly<Record<string, T>> = {}): Record<string, T> =>
    Object.fromEntries(Object.entries(entries).filter(([id]) => !OF_FIELDS.has(id)));
  return {
    ...profile,
    choices: { ...profile.choices, ...(Object.fromEntries(choices) as Record<string, string>) },
    values: without(profile.values),
    seen: without(profile.seen),
  };
}

function answerAs(layer: Profile, gap: string, { choices, values, seen }: Profile, id: string): Profile {
  const add = <T>(to: Readonly<Record<string, T>> = {}, from: Readonly<Record<string, T>> = {}): Record<string, T> => {
    const answer = from[id];
    return answer === undefined ? { ...to } : { ...to, [gap]: answer };
  };
  return {
    ...layer,
    choices: add(layer.choices, choices),
    values: add(layer.values, values),
    seen: add(layer.seen, seen),
  };
}
