// Which record a service takes, where it refuses the one that the contract lets a run make.
import { printJson } from '../../../contract/document/json.js';
import { listOthers } from '../../subjects/records/fit-record.js';
import type { RecordTemplate } from '../../subjects/records/made-records.js';
import type { Trial } from '../../subjects/records/remake.js';
import { escape } from '../../wire/request/template.js';
import { listNamed, listOtherNames } from './read-refusal.js';
import {
  AHEAD,
  moveAhead,
  NO_MORE,
  readTime,
  roundTimes,
  set,
  varyPatterns,
  varyTexts,
  type Search,
} from './vary-trials.js';

interface Refused {
  trial: Trial;
  said: string;
}

/** What was taken, or the last that was refused. */
type Found = { taken: Trial } | Refused;

/** The smallest record that a service takes: with what a refusal misses, else another of those that there are, else changed. */
export async function findLeast(first: Refused, others: readonly Trial[], search: Search): Promise<Trial | undefined> {
  const once = trySeldom(search);
  const longer = await mend(first, listAdditions, once);
  if ('taken' in longer) return longer.taken;
  let last: Refused = longer;
  const vary = (trial: Trial): Trial[] => [...moveAhead(trial, search), ...leaveReferences(trial, search)];
  for (const trial of [...vary(last.trial), ...others.flatMap((each) => [each, ...vary(each)])]) {
    const found = await attempt(trial, last, once);
    if ('taken' in found) return found.taken;
    last = found;
  }
  const mended = await mend(
    last,
    (name, trial) => [...listAdditions(name, trial, search), ...listChanges(name, trial, search)],
    once,
  );
  return 'taken' in mended ? mended.taken : undefined;
}

/** A service refuses a reference to what is not there, and may take each but once. */
function leaveReferences({ full, plain }: Trial, { references }: Search): Trial[] {
  if (!references.some((name) => Object.hasOwn(full, name))) return [];
  const leave = (record: RecordTemplate): RecordTemplate =>
    Object.fromEntries(Object.entries(record).filter(([name]) => !references.includes(name)));
  return [{ full: leave(full), plain: leave(plain) }];
}

/** The record with as many fields as a service takes beside those of the smallest. */
export async function findFull(
  first: Refused,
  { least, others }: { least: Trial; others: readonly Trial[] },
  search: Search,
): Promise<Trial | undefined> {
  const once = trySeldom(search);
  for (const alone of leaveReferences(first.trial, search)) {
    const found = await attempt(alone, first, once);
    if ('taken' in found) return found.taken;
  }
  const mended = await mend(first, listChanges, once);
  if ('taken' in mended) return mended.taken;
  for (const trial of [...varyPatterns(mended.trial, search), ...varyTexts(mended.trial, search), ...others]) {
    const found = await attempt(trial, mended, once);
    if ('taken' in found) return found.taken;
  }
  const more = Object.keys(search.whole.full).filter((name) => !Object.hasOwn(least.full, name));
  return grow(least, more, once);
}

/** The other record, with as many of its own values as a service takes in place of those of the first. */
export async function findOther(
  first: Refused,
  { full, changed }: { full: Trial; changed: readonly string[] },
  search: Search,
): Promise<Trial | undefined> {
  const once = trySeldom(search);
  for (const trial of roundTimes(first.trial, search)) {
    const found = await attempt(trial, first, once);
    if ('taken' in found) return found.taken;
  }
  const names = [...listNamed(first.said, changed), ...changed];
  for (const name of new Set(names.slice(0, 1))) {
    const found = await attempt(put(first.trial, name, full), first, once);
    if ('taken' in found) return found.taken;
  }
  return grow(full, changed, once);
}

/** As many of these fields as are taken, tried by halves. */
async function grow(least: Trial, names: readonly string[], search: Search): Promise<Trial> {
  if (names.length === 0) return least;
  const halves = names.length === 1 ? [names] : [names.slice(0, names.length / 2), names.slice(names.length / 2)];
  let best = least;
  for (const half of halves) {
    const trial = half.reduce((all, name) => put(all, name, search.whole), best);
    const found = await attempt(trial, { trial, said: '' }, search);
    best = 'taken' in found ? found.taken : half.length === 1 ? best : await grow(best, half, search);
  }
  return best;
}

type List = (name: string, trial: Trial, search: Search) => Trial[];

/** Goes on from each refusal that no longer names the same. */
async function mend(first: Refused, list: List, search: Search): Promise<Found> {
  let current = first;
  for (;;) {
    const next = await mendOnce(current, list, search);
    if (next === undefined) return current;
    if ('taken' in next) return next;
    current = next;
  }
}

async function mendOnce(refused: Refused, list: List, search: Search): Promise<Found | undefined> {
  const names = search.fields.map(({ name }) => name);
  const named = [...listNamed(refused.said, names), ...listOtherNames(refused.said, names)];
  for (const name of named) {
    for (const trial of list(name, refused.trial, search)) {
      const found = await attempt(trial, refused, search);
      if ('taken' in found) return found;
      const isAnother = found.said !== '' && found.trial === trial && !listNamed(found.said, [name]).includes(name);
      if (isAnother) return found;
    }
  }
  return undefined;
}

/** Of what is not tried, the last refusal stands. */
async function attempt(trial: Trial, last: Refused, { isAllowed, send }: Search): Promise<Found> {
  const said = isAllowed(trial.plain) ? await send(trial) : NO_MORE;
  if (said === undefined) return { taken: trial };
  return said === NO_MORE ? last : { trial, said };
}

/** Further tries are unlikely to help, and each may leave a trace. */
const MOST_TRIES = 12;

/** Each record once, and no more than so many. */
function trySeldom(search: Search): Search {
  const tried = new Set<string>();
  return {
    ...search,
    send: async (trial) => {
      const text = printJson(trial.full);
      if (tried.has(text) || tried.size === MOST_TRIES) return NO_MORE;
      tried.add(text);
      return search.send(trial);
    },
  };
}

/** What a refusal misses, as the contract describes it; a name that it does not have, as a text. */
function listAdditions(name: string, trial: Trial, { whole, fields }: Search): Trial[] {
  if (Object.hasOwn(trial.full, name)) return [];
  if (Object.hasOwn(whole.full, name)) return [put(trial, name, whole)];
  return fields.some((field) => field.name === name) ? [] : [set(trial, name, '$unique')];
}

/** Texts in the forms that services ask for beyond what contracts say. */
const FORMS = ['$unique', '{$unique}.example.com', '{$unique}.example.com.', 'https://example.com/{$unique}'];

/** Other values of a field that was refused, at last none. */
function listChanges(name: string, trial: Trial, { fields, makeLike }: Search): Trial[] {
  const field = fields.find((each) => each.name === name);
  const value = trial.plain[name];
  if (field === undefined || value === undefined) return [];
  const format = readTime(field.schema);
  const others = typeof value === 'string' && field.schema['enum'] === undefined ? [] : listOthers(value, field.schema);
  const like = typeof value === 'string' ? makeLike(field, value) : undefined;
  const { [name]: _full, ...full } = trial.full;
  const { [name]: _plain, ...plain } = trial.plain;
  return [
    ...(like === undefined || like === trial.full[name] ? [] : [set(trial, name, like)]),
    ...(Array.isArray(value) && value.length > 0 ? [set(trial, name, [])] : []),
    ...(field.required ? [] : [{ full, plain }]),
    ...(format === undefined ? [] : [set(trial, name, AHEAD[format])]),
    ...(typeof value === 'string' ? FORMS.map((form) => set(trial, name, form)) : []),
    ...others.slice(0, 3).map((other) => set(trial, name, escape(other))),
  ];
}

function put(trial: Trial, name: string, { full, plain }: Trial): Trial {
  return { full: { ...trial.full, [name]: full[name] }, plain: { ...trial.plain, [name]: plain[name] } };
}
