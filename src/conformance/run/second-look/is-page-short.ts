import { sameJson } from '../../../contract/document/same-json.js';
import { findPet, getPet, listPets } from './ask-again.js';
import type { Run } from '../run.js';

interface Shortness {
  /** The ids of the pets that the page lacks. */
  absent: readonly unknown[];
  /** What the page is filtered by. */
  status: unknown;
}

/** How many of the pets that a page lacks are fetched. */
const MOST_FETCHED = 6;

/**
 * Whether a page leaves out pets that it has room for: one that it lacks is still there. Others may have got another
 * status, or been removed, after the longer list was read.
 */
export async function isPageShort({ absent, status }: Shortness, run: Run): Promise<boolean> {
  if (absent.length === 0) return true;
  for (const id of absent.slice(0, MOST_FETCHED)) {
    const now = await getPet(id, run);
    const hasMoved = status !== undefined && now?.['status'] !== undefined && !sameJson(now['status'], status);
    if (now !== undefined && !hasMoved) return true;
  }
  // Where no pet can be fetched, the longer list still tells.
  const list = (await listPets({ status }, run)) ?? [];
  return absent.some((id) => findPet(list, id) !== undefined);
}
