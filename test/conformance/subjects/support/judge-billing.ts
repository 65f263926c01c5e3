import { runConformance } from '../../../../src/conformance/product/run-conformance.js';
import type { RunResult } from '../../../../src/conformance/model/result.js';
import { packageFile } from '../../../../src/package-files.js';
import { BILLING_KEY, startBilling } from './billing-server.js';

/** What a run finds in a billing service with some of its habits changed. */
export async function judgeBilling(changes: readonly string[] = [], only: readonly string[] = []): Promise<RunResult> {
  const billing = await startBilling(...changes);
  try {
    return await runConformance({
      target: billing.url,
      apiKey: BILLING_KEY,
      spec: packageFile('test/conformance/subjects/support/billing.openapi.yaml'),
      ...(only.length === 0 ? {} : { only }),
      settleMs: changes.includes('late-removal') ? 400 : 30,
    });
  } finally {
    await billing.close();
  }
}
