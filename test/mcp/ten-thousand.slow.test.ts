import { expect, test } from 'vitest';
import { connectClient } from './support/connect-client.js';
import { countTokens } from './support/count-tokens.js';

const MANY = 10_000;
const AT_ONCE = 50;

test('of ten thousand exchanges an answer tells a few lines, and where to go on', async () => {
  const { call } = await connectClient();
  const { data } = await call('mock', { do: 'start' });
  const headers = { Authorization: `Bearer ${data.key}` };
  for (let sent = 0; sent < MANY; sent += AT_ONCE) {
    const batch = Array.from({ length: AT_ONCE }, (_, index) =>
      fetch(`${data.url}/pets?limit=${(sent + index) % 200}`, { headers }),
    );
    await Promise.all((await Promise.all(batch)).map((response) => response.arrayBuffer()));
  }
  for (const given of [{}, { violations: true }, { since: 0 }, { limit: 50 }, { violations: true, limit: 50 }]) {
    const { text, data: told } = await call('requests', given);
    expect(told.leftOut).toBeGreaterThan(0);
    expect(told.requests.length).toBeLessThanOrEqual(50);
    expect(countTokens(text + JSON.stringify(told))).toBeLessThan(given.limit === undefined ? 2500 : 12_000);
  }
});

test('ten thousand calls are answered, and their memory is given back', async () => {
  const { call, written } = await connectClient();
  await call('mock', { do: 'start', options: { fixtures: 'empty' } });
  for (let sent = 0; sent < MANY; sent += AT_ONCE) {
    const calls = Array.from({ length: AT_ONCE }, (_, index) => call('contract', { find: `pet ${index}` }));
    for (const { data } of await Promise.all(calls)) expect(data.found).toBeGreaterThan(0);
    written.length = 0;
  }
  globalThis.gc?.();
  expect(process.memoryUsage().heapUsed).toBeLessThan(1.5e9);
});
