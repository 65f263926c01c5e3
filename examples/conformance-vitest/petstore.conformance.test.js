// The scenarios of petstore-conformance as tests of your own: one for each.
import { afterAll, test } from 'vitest';
import { planConformance } from 'petstore-mock/conformance';

const { PETSTORE_URL = 'http://127.0.0.1:4010/v1', PETSTORE_API_KEY = 'petstore-dev-key' } = process.env;
const plan = planConformance({ target: PETSTORE_URL, apiKey: PETSTORE_API_KEY });
afterAll(() => plan.close());

for (const { id, title } of plan.scenarios) {
  test(`${id}: ${title}`, { timeout: 60_000 }, async ({ skip }) => {
    const { verdict, reason } = await plan.check(id);
    skip(verdict === 'inconclusive' || verdict === 'skipped', reason);
  });
}
