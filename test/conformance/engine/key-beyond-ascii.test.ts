import { expect, test } from 'vitest';
import { runConformance } from '../../../src/conformance/product/run-conformance.js';
import { startPetstoreMock } from '../../../src/index.js';
import { startWith } from '../../mutation/server/start-server.js';
import { echoing } from '../support/changes.js';

test.each(['schl\u00FCssel', 'cl\u00E9-\u{1F511}'])(
  'a key beyond ASCII is sent as the mock takes it: %s',
  async (apiKey) => {
    const mock = await startPetstoreMock({ apiKey });
    try {
      const { summary } = await runConformance({
        target: mock.url,
        apiKey,
        settleMs: 0,
        only: ['pets/refusals/credential*'],
      });
      expect(summary).toMatchObject({ deviated: 0, inconclusive: 0 });
    } finally {
      await mock.close();
    }
  },
);

test('a key is seen in an answer that repeats it, however HTTP and JSON write it', async () => {
  const key = 'Odd "Key\\ with/ 100%&\u00E9';
  const server = await startWith([
    echoing,
    () => ({ hasValidKey: ({ headers }) => headers.authorization === Buffer.from(`Bearer ${key}`).toString('latin1') }),
  ]);
  try {
    const result = await runConformance({ target: server.url, apiKey: key, only: ['pets/records/list'] });
    expect(result.problems).toHaveLength(1);
    expect(JSON.stringify(result)).not.toMatch(/Odd |Key\\/);
  } finally {
    await server.close();
  }
});
