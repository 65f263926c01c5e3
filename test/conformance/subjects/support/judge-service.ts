import { runConformance } from '../../../../src/conformance/product/run-conformance.js';
import type { RunResult } from '../../../../src/conformance/model/result.js';
import { packageFile } from '../../../../src/package-files.js';
import type { ServicePlan } from './plan.js';
import { startService } from './service.js';
import { DESK_KEY, DESK_LOGIN, LIBRARY_TOKEN } from './services.js';

const KEYS: Readonly<Record<string, { apiKey: string; credentials?: Record<string, string> }>> = {
  helpdesk: { apiKey: DESK_KEY, credentials: { deskKey: DESK_KEY, deskLogin: DESK_LOGIN } },
  library: { apiKey: LIBRARY_TOKEN },
};

/** What a run finds in the service of a plan with some of its habits changed. */
export async function judgeService(
  plan: ServicePlan,
  changes: readonly string[] = [],
  only: readonly string[] = [],
): Promise<RunResult> {
  const service = await startService(plan, ...changes);
  try {
    return await runConformance({
      target: service.url,
      ...(KEYS[plan.name] ?? { apiKey: 'none' }),
      spec: packageFile(`test/conformance/subjects/support/${plan.name}.openapi.yaml`),
      ...(only.length === 0 ? {} : { only }),
      // What stands beside a record is of the scenario that made it, not of another one that runs at the time.
      ...(changes.some((change) => change.includes('neighbour')) ? { concurrency: 1 } : {}),
      settleMs: changes.some((change) => change.startsWith('late-')) ? 400 : 30,
    });
  } finally {
    await service.close();
  }
}

export function listDeviating({ scenarios }: RunResult): string[] {
  return scenarios.filter(({ verdict }) => verdict === 'deviated').map(({ id }) => id);
}
