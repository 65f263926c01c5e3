import { expect, test } from 'vitest';
import { runConformance } from '../../../src/conformance/run-conformance.js';
import { startPetstoreMock } from '../../../src/index.js';

test.each(['schl\u00FCssel', 'cl\u00E9-\u{1F511}'])(
  'a key beyond ASCII is sent as the mock takes it: %s',
  async (apiKey) => {
    const mock = await startPetstoreMock({ apiKey });
    try {
      const { summary } = await runConformance({
        target: mock.url,
        apiKey,
        settleMs: 0,
        only: ['authentication/listPets'],
      });
      expect(summary).toMatchObject({ deviated: 0, inconclusive: 0 });
    } finally {
      await mock.close();
    }
  },
);
