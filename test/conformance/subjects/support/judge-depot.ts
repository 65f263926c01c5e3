import { runConformance } from '../../../../src/conformance/product/run-conformance.js';
import type { RunResult } from '../../../../src/conformance/model/result.js';
import { packageFile } from '../../../../src/package-files.js';
import { DEPOT_TOKENS, STAFF_KEY, startDepot } from './depot-server.js';

export const DEPOT_SPEC = packageFile('test/conformance/subjects/support/depot.openapi.yaml');

/** Tokens for each scope that the depot's operations ask for. */
export const SOME_TOKENS: Readonly<Record<string, string>> = {
  oauth: DEPOT_TOKENS.full,
  'oauth[]': DEPOT_TOKENS.none,
  'oauth[parcels:read]': DEPOT_TOKENS.reader,
  'oauth[parcels:write]': DEPOT_TOKENS.writer,
  staffKey: STAFF_KEY,
};

/** What a run finds in a depot with some of its habits changed. */
export async function judgeDepot(
  changes: readonly string[] = [],
  only: readonly string[] = [],
  credentials: Readonly<Record<string, string>> = SOME_TOKENS,
): Promise<RunResult & { requests: number }> {
  const depot = await startDepot(...changes);
  try {
    const result = await runConformance({
      target: depot.url,
      apiKey: credentials['oauth'] ?? '',
      credentials,
      spec: DEPOT_SPEC,
      ...(only.length === 0 ? {} : { only }),
      settleMs: 30,
    });
    return { ...result, requests: depot.requests() };
  } finally {
    await depot.close();
  }
}
