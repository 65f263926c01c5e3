import { expect, test } from 'vitest';
import { listExposedOrigins } from '../../../src/cli/mock/banner.js';

test.each(['127.0.0.1', 'localhost', '::1', '[::1]', '192.0.2.7'])(
  '%s is no wildcard, so nothing is listed',
  (host) => {
    expect(listExposedOrigins(host, 4010)).toEqual([]);
  },
);

test.each(['0.0.0.0', '::', '[::]'])(
  'at the wildcard %s are the addresses of this machine, but for its own',
  (host) => {
    const origins = listExposedOrigins(host, 4010);
    expect(origins.filter((origin) => !/^http:\/\/.+:4010$/.test(origin))).toEqual([]);
    expect(origins.filter((origin) => /127\.0\.0\.1|\[::1\]|fe80:/.test(origin))).toEqual([]);
    expect(host === '0.0.0.0' && origins.some((origin) => origin.includes('['))).toBe(false);
  },
);
