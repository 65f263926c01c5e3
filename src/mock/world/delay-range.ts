/** A random time in milliseconds for each request; both ends are included. */
export interface DelayRange {
  from: number;
  to: number;
}

/** Not at all. */
export const NO_DELAY: DelayRange = { from: 0, to: 0 };

/** The longest time of Node's timers, some 24.8 days. */
const MAX_DELAY_MS = 86_400_000;

/** Whether a value is a delay: milliseconds, or a range of them. */
export function isDelay(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return isTime(value);
  const { from, to, ...others } = value as Record<string, unknown>;
  return isTime(from) && isTime(to) && from <= to && Object.keys(others).length === 0;
}

/** What is wrong with a range whose ends are swapped; continues a sentence that begins with its name. */
export function findReversed(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { from, to } = value as Record<string, unknown>;
  if (!isTime(from) || !isTime(to) || from <= to) return undefined;
  return `is a reversed range, ${from}-${to}; write ${to}-${from}`;
}

function isTime(ms: unknown): ms is number {
  return typeof ms === 'number' && ms >= 0 && ms <= MAX_DELAY_MS;
}
