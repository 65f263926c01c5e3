import { findBetween } from './counterparts.js';
import type { ValueMaking } from './making.js';
import { endsIn, has, sayName } from './say-name.js';
import { isTimeOfChange, isTimeOfDay, stampTime } from './times.js';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

const BIRTH = has('birth', 'birth~day', 'born', 'dob', 'birth~date');
const ENDS = has('due', 'expir[a-z]*', 'until', 'till', 'ends?', 'ending', 'dead~line', 'arrival', 'arrives?', 'check~out', 'valid to', 'return', 'closes?'); // prettier-ignore
const STARTS = has('departure', 'departs?', 'starts?', 'starting', 'begins?', 'valid from', 'scheduled?', 'next', 'check~in', 'from'); // prettier-ignore
const CREATION = endsIn('created', 'creation', 'joined', 'registered', 'added', 'inserted', 'opened');

/** Beside `from` and `to`, a time is meant. */
const SPANS = has('period', 'range', 'interval', 'holiday', 'absence', 'leave', 'vacation', 'availability', 'shift', 'schedule', 'validity', 'days'); // prettier-ignore

/** A time around today: births long ago, creations before changes, starts before ends. `undefined` if none is meant. */
export function makeTime(making: ValueMaking): string | number | undefined {
  const { name, rules, type, draw, now, said } = making;
  if (type === 'boolean') return undefined;
  const named = isSpan(making) ? 'startsAt' : name;
  const schema = { ...rules, type };
  if (stampTime(named, schema, now) === undefined) return undefined;
  const day = isTimeOfDay(name) ? undefined : drawDays(making);
  const minutes = isTimeOfDay(name) ? drawHours(said, making) : draw().number.int({ min: 0, max: 1439 });
  const time = now + (day ?? 0) * DAY_MS + minutes * MINUTE_MS;
  return stampTime(named, schema, keepBetween(time, making));
}

function isSpan({ said, subject, siblings }: ValueMaking): boolean {
  return (said === 'from' || said === 'to') && [subject, ...siblings].some((each) => SPANS.test(sayName(each)));
}

function drawHours(said: string, { draw }: ValueMaking): number {
  const isClosing = said.startsWith('clos');
  return 60 * draw().number.int(isClosing ? { min: 17, max: 22 } : { min: 7, max: 10 });
}

function drawDays({ said, name, draw }: ValueMaking): number {
  if (BIRTH.test(said)) return -draw().number.int({ min: 7000, max: 22_000 });
  if (ENDS.test(said) || said === 'to') return draw().number.int({ min: 31, max: 60 });
  if (STARTS.test(said)) return draw().number.int({ min: 1, max: 30 });
  if (isTimeOfChange(name)) return -draw().number.int({ min: 1, max: 14 });
  return CREATION.test(said.replace(/ (?:at|on|date|time|utc)$/, '').replace(/^date /, ''))
    ? -draw().number.int({ min: 60, max: 365 })
    : -draw().number.int({ min: 15, max: 59 });
}

/** Not before what it ends, and not after what it begins. */
function keepBetween(time: number, { name, holder, draw }: ValueMaking): number {
  const { least, most } = findBetween(name, holder);
  const [from, to] = [readTime(least), readTime(most)];
  const apart = draw().number.int({ min: 1, max: 7 }) * DAY_MS;
  if (from !== undefined && time < from) return from + apart;
  return to !== undefined && time > to ? to - apart : time;
}

function readTime(value: unknown): number | undefined {
  if (typeof value === 'number' && value > 1e8) return value > 1e11 ? value : value * 1000;
  const time = typeof value === 'string' && /^\d{4}-|^[A-Z][a-z]{2}, /.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(time) ? undefined : time;
}
