import { fileURLToPath } from 'node:url';
import type { RunResult } from '../../../../src/conformance/model/result.js';
import { runConformance } from '../../../../src/conformance/product/run-conformance.js';
import { startPayees } from './payees-server.js';

const CONTRACT = fileURLToPath(new URL('payees.openapi.yaml', import.meta.url));

/** What a run finds in a service that keeps payees, with some of its habits changed. */
export async function judgePayees(changes: readonly string[] = [], only: readonly string[] = []): Promise<RunResult> {
  const payees = await startPayees(...changes);
  const asked = only.length === 0 ? {} : { only: [...only] };
  try {
    return await runConformance({ target: payees.url, apiKey: 'none', spec: CONTRACT, ...asked, settleMs: 30 });
  } finally {
    await payees.close();
  }
}
