import { runConformance } from '../../../../src/conformance/product/run-conformance.js';
import type { RunResult } from '../../../../src/conformance/model/result.js';
import { packageFile } from '../../../../src/package-files.js';
import { SHOP_KEY, startShop } from '../shop-server.js';

/** What a run finds in a shop with some of its habits changed. */
export async function judgeShop(changes: readonly string[] = [], only: readonly string[] = []): Promise<RunResult> {
  const shop = await startShop(...changes);
  try {
    return await runConformance({
      target: shop.url,
      apiKey: SHOP_KEY,
      spec: packageFile('test/conformance/subjects/shop.openapi.yaml'),
      ...(only.length === 0 ? {} : { only }),
      // What is the newest of all is so in a scenario that runs alone.
      ...(changes.some((change) => change.includes('newest')) ? { concurrency: 1 } : {}),
      settleMs: changes.some((change) => change.startsWith('late-')) ? 400 : 30,
    });
  } finally {
    await shop.close();
  }
}
