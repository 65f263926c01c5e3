/** What an answer says of the requests that are left, in the window that is running. */
export interface RateLimit {
  remaining: number;
  /** Milliseconds until there are more. */
  resetMs: number;
  /** How many a window allows. Absent if the answer does not say. */
  limit?: number;
}

/** The fields of earlier drafts and of services that were first, in the order in which they are believed. */
const PREFIXES = ['ratelimit-', 'x-ratelimit-', 'x-rate-limit-'];

/**
 * Reads the rate limit that an answer tells: `RateLimit` as a list of policies or as one dictionary
 * (draft-ietf-httpapi-ratelimit-headers), or a field each (`X-RateLimit-Remaining` and its kin). Of several policies the
 * one that is used up first counts. `undefined` if the answer tells none, or not when it ends.
 */
export function readRateLimit(headers: Readonly<Record<string, string>>, now = Date.now()): RateLimit | undefined {
  const { ratelimit } = headers;
  const told = ratelimit === undefined ? readFields(headers, now) : splitPolicies(ratelimit).flatMap(readPolicy);
  return told.toSorted((a, b) => a.remaining - b.remaining || b.resetMs - a.resetMs)[0];
}

/** `"burst";r=3;t=1, "daily";r=900;t=3600`; the earlier `limit=100, remaining=50, reset=30` is one policy. */
function splitPolicies(text: string): string[] {
  return /\bremaining\s*=/i.test(text) ? [text.replaceAll(',', ';')] : text.split(',');
}

function readPolicy(policy: string): RateLimit[] {
  const remaining = readParameter(policy, ['r', 'remaining']);
  const seconds = readParameter(policy, ['t', 'reset']);
  if (remaining === undefined || seconds === undefined) return [];
  return [compose(remaining, seconds * 1000, readParameter(policy, ['limit']))];
}

function readParameter(text: string, names: readonly string[]): number | undefined {
  const digits = new RegExp(String.raw`(?:^|;)\s*(?:${names.join('|')})\s*=\s*(\d{1,15})(?![\d.])`, 'i').exec(
    text,
  )?.[1];
  return digits === undefined ? undefined : Number(digits);
}

function readFields(headers: Readonly<Record<string, string>>, now: number): RateLimit[] {
  return PREFIXES.flatMap((prefix) => {
    const remaining = readCount(headers[`${prefix}remaining`]);
    const resetMs = readReset(headers[`${prefix}reset`], now);
    if (remaining === undefined || resetMs === undefined) return [];
    return [compose(remaining, resetMs, readCount(headers[`${prefix}limit`]))];
  }).slice(0, 1);
}

function readCount(text: string | undefined): number | undefined {
  const digits = /^\s*(\d{1,15})\b/.exec(text ?? '')?.[1];
  return digits === undefined ? undefined : Number(digits);
}

const EPOCH_IN_SECONDS = 1e9;
const EPOCH_IN_MS = 1e12;

/** Seconds from now in the drafts; a time of day, in seconds, milliseconds or words, at services that were first. */
function readReset(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const number = /^\s*\d{1,15}(?:\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
  if (number === undefined) {
    const at = Date.parse(text);
    return Number.isNaN(at) ? undefined : Math.max(at - now, 0);
  }
  if (number >= EPOCH_IN_MS) return Math.max(number - now, 0);
  if (number >= EPOCH_IN_SECONDS) return Math.max(number * 1000 - now, 0);
  return number * 1000;
}

function compose(remaining: number, resetMs: number, limit: number | undefined): RateLimit {
  return { remaining, resetMs, ...(limit === undefined ? {} : { limit }) };
}
