import { runConformance } from '../../../src/conformance/product/run-conformance.js';
import type { ConformanceOptions } from '../../../src/conformance/model/options.js';
import type { RunResult } from '../../../src/conformance/model/result.js';
import { packageFile } from '../../../src/package-files.js';
import { startPetstoreMock } from '../../../src/server/start-petstore-mock.js';

/** A contract that states little. */
export const TICKETS = packageFile('test/support/tickets.openapi.yaml');

/** The runner against a mock of it, with some choices made. */
export async function runTickets(
  gaps: Record<string, string>,
  options: Partial<ConformanceOptions> = {},
): Promise<RunResult> {
  const mock = await startPetstoreMock({ spec: TICKETS, prism: false, profile: { gaps } });
  try {
    return await runConformance({ target: mock.url, apiKey: 'petstore-dev-key', spec: TICKETS, ...options });
  } finally {
    await mock.close();
  }
}
