import { sameJson } from '../../../contract/document/same-json.js';
import { getPet } from './ask-again.js';
import type { Run } from '../run.js';

/** How many of the pets that a page lacks are read. */
const MOST_READ = 6;

/**
 * Whether a page leaves out pets that it has room for: one that it lacks is still there, with the status that was asked
 * for. Others may have got another status, or been removed, after the longer list was read.
 */
export async function isPageShort(
  { absent, status }: { absent: readonly unknown[]; status: unknown },
  run: Run,
): Promise<boolean> {
  if (absent.length === 0) return true;
  for (const id of absent.slice(0, MOST_READ)) {
    const now = await getPet(id, run);
    if (now === undefined) continue;
    const hasMoved = status !== undefined && now['status'] !== undefined && !sameJson(now['status'], status);
    if (!hasMoved) return true;
  }
  return false;
}
