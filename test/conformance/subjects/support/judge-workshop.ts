import { runConformance } from '../../../../src/conformance/product/run-conformance.js';
import type { RunResult } from '../../../../src/conformance/model/result.js';
import { packageFile } from '../../../../src/package-files.js';
import { startWorkshop, WORKSHOP_TOKEN } from './workshop-server.js';

export const WORKSHOP_SPEC: string = packageFile('test/conformance/subjects/support/workshop.openapi.yaml');

export interface WorkshopRun extends RunResult {
  requests: number;
  /** How many records of the run's are still there. */
  left: number;
  /** Where something was put before it was known that nothing was there. */
  unproven: readonly string[];
}

/** What a run finds in a workshop with some of its habits changed. */
export async function judgeWorkshop(
  changes: readonly string[] = [],
  only: readonly string[] = [],
): Promise<WorkshopRun> {
  const workshop = await startWorkshop(...changes);
  try {
    const result = await runConformance({
      target: workshop.url,
      apiKey: WORKSHOP_TOKEN,
      spec: WORKSHOP_SPEC,
      ...(only.length === 0 ? {} : { only }),
      settleMs: 30,
    });
    return { ...result, requests: workshop.requests(), left: workshop.left(), unproven: workshop.unproven() };
  } finally {
    await workshop.close();
  }
}
