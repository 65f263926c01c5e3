import { plainName } from '../../../contract/resources/words.js';
import type { Field } from '../subject.js';

const DAY_MS = 86_400_000;

/** What already was, what is planned, and what ends it, by the names that such fields usually have. */
const OFFSETS: readonly (readonly [RegExp, days: number])[] = [
  [/birth|born|dob$/, -30 * 365],
  [/created|updated|modified|since|founded|hired|issued|purchased|ordered|paid|last|previous|joined|registered/, -30],
  [/end|until|expir|due|deadline|finish|clos|complet|return|arriv|checkout|(?:^|valid|date|time)to/, 14],
];
const PLANNED_DAYS = 7;

/** Who travels arrives last, and who visits departs last: the one that a contract lists first comes first. */
const MOVES = /arriv|depart|leav/;

/**
 * Times that a service is likely to take, where the contract names none: what is planned lies ahead, and ends after it
 * begins. A contract cannot state such rules, but its example can show them: times of it that all lie ahead stay.
 */
export function placeInTime(
  { made, shown = {} }: { made: Values; shown?: Values },
  fields: readonly Field[],
  now: number = Date.now(),
): Record<string, unknown> {
  const record = { ...made, ...shown };
  const times = fields.filter((field) => Object.hasOwn(record, field.name) && isOpenTime(field));
  if (times.every(({ name }) => Date.parse(String(shown[name])) > now)) return record;
  // A run asks for the same all day.
  const today = now - (now % DAY_MS);
  const firstMove = times.find(({ name }) => MOVES.test(plainName(name)));
  const hasMoves = times.some((each) => each !== firstMove && MOVES.test(plainName(each.name)));
  const placed = times.map((field) => {
    const isMove = hasMoves && MOVES.test(plainName(field.name));
    const days = isMove ? (field === firstMove ? PLANNED_DAYS : 2 * PLANNED_DAYS) : daysOf(field.name);
    return [field.name, print(today + days * DAY_MS, field.schema['format'])] as const;
  });
  return { ...record, ...Object.fromEntries(placed) };
}

type Values = Readonly<Record<string, unknown>>;

/** Whether a field is a time of which the contract says no more. */
export function isOpenTime({ schema }: Pick<Field, 'schema'>): boolean {
  const isTime = schema['format'] === 'date' || schema['format'] === 'date-time';
  const says = ['enum', 'const', 'example', 'examples', 'default', 'pattern', 'formatMinimum', 'formatMaximum'];
  return isTime && says.every((rule) => schema[rule] === undefined);
}

function daysOf(name: string): number {
  return OFFSETS.find(([names]) => names.test(plainName(name)))?.[1] ?? PLANNED_DAYS;
}

function print(time: number, format: unknown): string {
  const text = new Date(time).toISOString();
  return format === 'date' ? text.slice(0, 10) : text;
}

/** Which no service cuts to the minute without a loss. */
const SECONDS_MS = 37_000;

/** A time of the day after, in the same form, of some seconds past a minute; `undefined` for what is no time. */
export function nextDay(text: string, format: 'date' | 'date-time'): string | undefined {
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : print(time + DAY_MS + (format === 'date' ? 0 : SECONDS_MS), format);
}
