import { runConformance } from '../../../../src/conformance/product/run-conformance.js';
import type { RunResult } from '../../../../src/conformance/model/result.js';
import { ROOMS_CONTRACT } from './rooms-rules.js';
import { ROOMS_KEY, startRooms } from './rooms-server.js';

/** What a run finds in a service that books rooms, with some of its habits changed. */
export async function judgeRooms(changes: readonly string[] = [], only: readonly string[] = []): Promise<RunResult> {
  const rooms = await startRooms(...changes);
  try {
    const asked = only.length === 0 ? {} : { only: [...only] };
    return await runConformance({ target: rooms.url, apiKey: ROOMS_KEY, spec: ROOMS_CONTRACT, ...asked, settleMs: 30 });
  } finally {
    await rooms.close();
  }
}
