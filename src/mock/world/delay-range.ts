/** A time in milliseconds, anew for each request, both ends included. */
export interface DelayRange {
  from: number;
  to: number;
}

/** Node's timers end at some 24.8 days; nobody waits for one. */
const MAX_DELAY_MS = 86_400_000;

/** Whether a value is a delay: milliseconds, or a range of them. */
export function isDelay(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return isTime(value);
  const { from, to, ...others } = value as Record<string, unknown>;
  return isTime(from) && isTime(to) && from <= to && Object.keys(others).length === 0;
}

/** What is wrong with a range that would be one the other way round; reads after its name. */
export function findReversed(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { from, to } = value as Record<string, unknown>;
  if (!isTime(from) || !isTime(to) || from <= to) return undefined;
  return `is a reversed range, ${from}-${to}; write ${to}-${from}`;
}

function isTime(ms: unknown): ms is number {
  return typeof ms === 'number' && ms >= 0 && ms <= MAX_DELAY_MS;
}
