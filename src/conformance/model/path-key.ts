/** Longer than any key that fits an address; a target whose keys are longer must not fill the memory. */
const MOST_LETTERS = 8000;

/** A value of an answer, if it can stand in a path as the key of a record: a text or a number. */
export function readPathKey(value: unknown): string | number | bigint | undefined {
  if (typeof value === 'string') return value.length > MOST_LETTERS ? undefined : value;
  return typeof value === 'number' || typeof value === 'bigint' ? value : undefined;
}
