import { runConformance } from '../../../../src/conformance/product/run-conformance.js';
import type { RunResult } from '../../../../src/conformance/model/result.js';
import { TOOLSHED_CONTRACT } from './toolshed-rules.js';
import { startToolshed, TOOLSHED_KEY } from './toolshed-server.js';

/** What a run finds in a tool shed with some of its habits changed. */
export async function judgeToolshed(changes: readonly string[] = [], only: readonly string[] = []): Promise<RunResult> {
  const shed = await startToolshed(...changes);
  try {
    const asked = only.length === 0 ? {} : { only: [...only] };
    const settleMs = changes.includes('late') ? 2000 : 30;
    return await runConformance({
      target: shed.url,
      apiKey: TOOLSHED_KEY,
      spec: TOOLSHED_CONTRACT,
      ...asked,
      settleMs,
    });
  } finally {
    await shed.close();
  }
}
