import { describe, expect, test } from 'vitest';
import { readRateLimit } from '../../../src/conformance/http/send-politely.js';

const NOW = Date.parse('2026-11-22T12:00:00Z');

const left = (remaining: number, resetMs: number, limit?: number): object => ({
  remaining,
  resetMs,
  ...(limit === undefined ? {} : { limit }),
});

describe('the rate limit that an answer tells', () => {
  test.each([
    ['a list of policies', { ratelimit: '"default";r=50;t=30' }, left(50, 30_000)],
    ['the policy that is used up first', { ratelimit: '"day";r=900;t=3600, "burst";r=3;t=1' }, left(3, 1000)],
    ['of two that are used up, the longer', { ratelimit: '"a";r=0;t=5, "b";r=0;t=60' }, left(0, 60_000)],
    ['one dictionary', { ratelimit: 'limit=100, remaining=50, reset=30' }, left(50, 30_000, 100)],
    ['a field each', fields('ratelimit-', '100', '7', '60'), left(7, 60_000, 100)],
    ['a field each, with X-', fields('x-ratelimit-', '100', '7', '60'), left(7, 60_000, 100)],
    ['a field each, with two hyphens', fields('x-rate-limit-', '100', '7', '1.5'), left(7, 1500, 100)],
    ['a limit with its policy behind it', fields('ratelimit-', '100, 100;w=60', '7', '60'), left(7, 60_000, 100)],
    ['the end in seconds since 1970', fields('x-ratelimit-', '60', '0', `${NOW / 1000 + 20}`), left(0, 20_000, 60)],
    ['the end in milliseconds since 1970', fields('x-ratelimit-', '60', '0', `${NOW + 20_000}`), left(0, 20_000, 60)],
    ['the end as a date', fields('x-ratelimit-', '60', '0', '2026-11-22T12:00:20Z'), left(0, 20_000, 60)],
    ['an end that is past', fields('x-ratelimit-', '60', '0', `${NOW / 1000 - 20}`), left(0, 0, 60)],
  ])('%s', (_, headers, told) => expect(readRateLimit(headers, NOW)).toEqual(told));

  test.each([
    ['no field', {}],
    ['no end', { 'x-ratelimit-remaining': '0' }],
    ['no number', fields('x-ratelimit-', '60', 'many', 'soon')],
    ['a policy without what is left', { ratelimit: '"default";q=100;w=60' }],
  ])('%s tells none', (_, headers) => expect(readRateLimit(headers, NOW)).toBeUndefined());
});

function fields(prefix: string, limit: string, remaining: string, reset: string): Record<string, string> {
  return { [`${prefix}limit`]: limit, [`${prefix}remaining`]: remaining, [`${prefix}reset`]: reset };
}
