import { test as base } from '@playwright/test';
import { connectPetstoreMock, type PetstoreWorld } from 'petstore-mock';
import { ADMIN_URL } from './addresses.js';

interface Fixtures {
  /** A petstore that this test alone sees. */
  petstore: PetstoreWorld;
  /** What the test does on purpose breaks the contract, so that this is no reason to fail. */
  mayBreakContract: boolean;
}

export const test = base.extend<Fixtures>({
  mayBreakContract: [false, { option: true }],
  petstore: async ({ context, mayBreakContract }, use, { testId, retry }) => {
    const mock = await connectPetstoreMock(ADMIN_URL);
    const world = mock.world(`${testId}-${retry}`);
    // The page sends it with every request, and knows nothing of it.
    await context.setExtraHTTPHeaders({ ...world.headers });
    await use(world);
    if (!mayBreakContract) await world.assertNoViolations();
    await world.drop();
  },
});

export { expect } from '@playwright/test';
