// What a run finds in each of the services that stand in this folder, with some of their habits changed.
import { runConformance } from '../../../../src/conformance/product/run-conformance.js';
import type { RunResult } from '../../../../src/conformance/model/result.js';
import type { ConformanceOptions } from '../../../../src/conformance/index.js';
import { packageFile } from '../../../../src/package-files.js';
import type { Served } from '../../../support/network/serve-json.js';
import type { ServicePlan } from './plan.js';
import { startService } from './service.js';
import { DESK_KEY, DESK_LOGIN, LIBRARY_TOKEN } from './services.js';
import { startWorkshop, WORKSHOP_TOKEN } from './workshop-server.js';

/** Services that show something late need that time; the others need none. */
const LATE = /^late(?:-lists|-filters)?$/;
/**
 * What stands beside a record, or is the newest, is of the scenario that made it, not of another one that runs at the time. What
 * shows late is late anew for each change of another scenario, so that on a busy machine no look of a run finds it settled.
 */
const OF_ONE = /neighbour|newest|^late/;

export const specOf = (name: string): string => packageFile(`test/conformance/resources/support/${name}.openapi.yaml`);

type Names = readonly string[];

async function judge(
  { url, close }: Served,
  given: Omit<ConformanceOptions, 'target'>,
  changes: Names,
  only: Names,
): Promise<RunResult> {
  try {
    return await runConformance({
      target: url,
      ...given,
      ...(only.length === 0 ? {} : { only }),
      ...(changes.some((change) => OF_ONE.test(change)) ? { concurrency: 1 } : {}),
      settleMs: changes.some((change) => LATE.test(change)) ? 2000 : 30,
    });
  } finally {
    await close();
  }
}

const KEYS = {
  helpdesk: { apiKey: DESK_KEY, credentials: { deskKey: DESK_KEY, deskLogin: DESK_LOGIN } },
  library: { apiKey: LIBRARY_TOKEN },
};

export async function judgeService(plan: ServicePlan, changes: Names = [], only: Names = []): Promise<RunResult> {
  return judge(await startService(plan, ...changes), { spec: specOf(plan.name), ...KEYS[plan.name] }, changes, only);
}

export const DEPOT_SPEC = specOf('depot');

export const WORKSHOP_SPEC = specOf('workshop');

/** With how many records of the run's are still there, and where something was put before it was known that nothing was there. */
export async function judgeWorkshop(
  changes: Names = [],
  only: Names = [],
): Promise<RunResult & { left: number; unproven: readonly string[] }> {
  const shop = await startWorkshop(...changes);
  const result = await judge(shop, { spec: WORKSHOP_SPEC, apiKey: WORKSHOP_TOKEN }, changes, only);
  return { ...result, left: shop.left(), unproven: shop.unproven() };
}

export const listDeviating = ({ scenarios }: RunResult): string[] =>
  scenarios.filter(({ verdict }) => verdict === 'deviated').map(({ id }) => id);

/** What is inconclusive, with the reason. */
export const listReasons = ({ scenarios }: RunResult): string[] =>
  scenarios.flatMap(({ id, verdict, reason }) => (verdict === 'inconclusive' ? [`${id}: ${String(reason)}`] : []));
