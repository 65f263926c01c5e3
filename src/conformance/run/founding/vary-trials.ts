// The records that are tried where the service refuses the one that the contract lets a run make: the same with other values.
import type { Field, RecordTemplate } from '../../resources/resource-under-test.js';
import { fillUnique, isUnique } from '../../resources/unique-texts.js';
import type { Trial } from '../../resources/instantiate-resources.js';
import { comesFromAnswer } from '../../wire/request/template.js';

export interface Search {
  fields: readonly Field[];
  /** Everything that a client may send, for what a refusal finds missing. */
  whole: Trial;
  /** Fields of it with the key of a record of which nobody knows whether there is one. */
  references: readonly string[];
  isAllowed: (plain: RecordTemplate) => boolean;
  /** A template for texts of the pattern that a field has, another one for each record: a service may take each but once. */
  makeLike: (field: Field, value: string) => string | undefined;
  /** Sends it: `undefined` if the service took it, else what it said; `'nothing'` if no more may be tried. */
  send: (trial: Trial) => Promise<string | undefined | typeof NO_MORE>;
}

export const NO_MORE = Symbol('no more');

/** With other texts of its patterns, since a service may take each but once, and need not say of which that holds. */
export function varyPatterns(trial: Trial, { fields, makeLike }: Search): Trial[] {
  const likes = fields.flatMap((field) => {
    const value = trial.plain[field.name];
    const isOwn = typeof value === 'string' && !comesFromAnswer(trial.full[field.name]);
    const like = isOwn ? makeLike(field, value) : undefined;
    return like === undefined || like === trial.full[field.name] ? [] : [{ name: field.name, like }];
  });
  return likes.length === 0 ? [] : [likes.reduce((all, { name, like }) => set(all, name, like), trial)];
}

/** With a text of its own wherever the contract has no word on which: a service may take each but once, and not say so. */
export function varyTexts(trial: Trial, { fields, isAllowed }: Search): Trial[] {
  const open = fields.filter(({ name, schema }) => {
    const isText = typeof trial.plain[name] === 'string' && !comesFromAnswer(trial.full[name]);
    return isText && schema['enum'] === undefined && !isUnique(trial.full[name]);
  });
  const fitting = open.filter(({ name }) => isAllowed(set(trial, name, '$unique').plain));
  const own = fitting.map(({ name }) => set(trial, name, '$unique'));
  // All of them at once, or one alone where others have to be what they are.
  return own.length < 2 ? own : [fitting.reduce((all, { name }) => set(all, name, '$unique'), trial), ...own];
}

/** With its times ahead: not every refusal names the field that it is about. */
export function moveAhead(trial: Trial, { fields }: Search): Trial[] {
  const times = fields.filter(({ name, schema }) => typeof trial.plain[name] === 'string' && readTime(schema));
  const moved = times.reduce((all, { name, schema }) => set(all, name, AHEAD[readTime(schema) ?? 'date']), trial);
  return times.length === 0 ? [] : [moved];
}

/** With its times at full minutes: a service may take no others. */
export function roundTimes(trial: Trial, { fields }: Search): Trial[] {
  const odd = fields.filter(({ name, schema }) => {
    const value = trial.plain[name];
    return readTime(schema) === 'date-time' && typeof value === 'string' && SECONDS.test(value);
  });
  const rounded = odd.reduce(
    (all, { name }) => set(all, name, String(trial.plain[name]).replace(SECONDS, '$1:00')),
    trial,
  );
  return odd.length === 0 ? [] : [rounded];
}

const SECONDS = /(T\d\d:\d\d):\d\d(?:\.\d+)?/;

/** Bookings and ends lie ahead; the contract's own example has passed by now. */
export const AHEAD = { 'date-time': '2098-06-15T12:00:00Z', date: '2098-06-15' } as const;

export function readTime({ format }: Field['schema']): keyof typeof AHEAD | undefined {
  return format === 'date' || format === 'date-time' ? format : undefined;
}

export function set({ full, plain }: Trial, name: string, value: unknown): Trial {
  // What is drawn from a pattern is as good as what was of it before.
  const shown = typeof value === 'string' ? (fillUnique(value) ?? plain[name]) : value;
  return { full: { ...full, [name]: value }, plain: { ...plain, [name]: shown } };
}
