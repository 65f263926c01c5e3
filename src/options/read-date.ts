export const DATE = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/;

/** Milliseconds since 1970-01-01T00:00:00Z; `undefined` for what is no date. */
export function readDate(date: Date | string | number): number | undefined {
  const time = typeof date === 'string' ? readText(date) : new Date(date).getTime();
  return Number.isNaN(time) ? undefined : time;
}

/** ISO 8601 with a time zone; anything else would be read otherwise on another machine. 30 February is none. */
function readText(text: string): number {
  const day = Date.parse(`${text.slice(0, 10)}T00:00:00Z`);
  const exists = !Number.isNaN(day) && new Date(day).toISOString().startsWith(text.slice(0, 10));
  return DATE.test(text) && exists ? Date.parse(text) : Number.NaN;
}
