import { printExact } from '../exact-json.js';
import type { KeptRecord } from '../types.js';

/** Which records are shown, and in which order. */
export interface Selection {
  /** A text that some value contains. */
  search: string;
  /** By property: the value as JSON that it has, or {@link NOT_SET}. */
  filters: Readonly<Record<string, string>>;
  /** The property to sort by; otherwise the order of the API. */
  sort: { name: string; down: boolean } | undefined;
}

export const EVERYTHING: Selection = { search: '', filters: {}, sort: undefined };
/** The filter for records without the property. No JSON reads so. */
export const NOT_SET = 'not set';

export function isEverything({ search, filters }: Selection): boolean {
  return search.trim() === '' && Object.values(filters).every((value) => value === '');
}

export function selectRecords(all: readonly KeptRecord[], { search, filters, sort }: Selection): readonly KeptRecord[] {
  const wanted = search.trim().toLowerCase();
  const set = Object.entries(filters).filter(([, value]) => value !== '');
  const found = all.filter(
    ({ record }) => set.every(([name, value]) => fits(record[name], value)) && contains(record, wanted),
  );
  if (sort === undefined) return found;
  const { name, down } = sort;
  return found.toSorted(({ record: one }, { record: other }) => compare(one[name], other[name], down));
}

function fits(value: unknown, wanted: string): boolean {
  return wanted === NOT_SET ? value === undefined || value === null : printExact(value) === wanted;
}

function contains(value: unknown, wanted: string): boolean {
  if (wanted === '') return true;
  if (typeof value === 'object' && value !== null) return Object.values(value).some((each) => contains(each, wanted));
  return showValue(value).toLowerCase().includes(wanted);
}

/** A value on one line. */
export function showValue(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : printExact(value);
}

const TEXTS = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Numbers by their value, however large, before texts; what is not set comes last in both directions. */
function compare(one: unknown, other: unknown, down: boolean): number {
  const [mine, theirs] = [rankOf(one), rankOf(other)];
  if (mine === NOTHING || theirs === NOTHING) return mine - theirs;
  const order = mine === theirs ? compareAlike(one, other) : mine - theirs;
  return down ? -order : order;
}

const [NUMBER, OTHER, NOTHING] = [0, 1, 2];

function rankOf(value: unknown): number {
  if (value === undefined || value === null) return NOTHING;
  return isNumber(value) ? NUMBER : OTHER;
}

/** A number that a `double` does not hold is a function that gives its text. */
function isNumber(value: unknown): boolean {
  return ['number', 'bigint', 'function'].includes(typeof value);
}

function compareAlike(one: unknown, other: unknown): number {
  if (!isNumber(one)) return TEXTS.compare(showValue(one), showValue(other));
  const [mine, theirs] = [one, other].map((each) => (typeof each === 'bigint' ? each : Number(printExact(each))));
  if (mine === undefined || theirs === undefined || mine === theirs) return 0;
  return mine < theirs ? -1 : 1;
}

/** The direction after the next press on a header: up, down, and back to the order of the API. */
export function nextSort(sort: Selection['sort'], name: string): Selection['sort'] {
  if (sort?.name !== name) return { name, down: false };
  return sort.down ? undefined : { name, down: true };
}

/** The width of a column in characters, for its longest value; longer ones are cut. */
export function widthOf(name: string, all: readonly KeptRecord[]): number {
  let longest = name.length + SIGN;
  for (const { record } of all) longest = Math.max(longest, showValue(record[name]).length);
  return AROUND + Math.min(MOST_CHARACTERS, longest);
}

const MOST_CHARACTERS = 30;
/** The sign of the order beside a name. */
const SIGN = 3;
/** The space around a value. */
const AROUND = 4;
