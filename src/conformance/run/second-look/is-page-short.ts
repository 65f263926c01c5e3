import { findPet, listPets } from './ask-again.js';
import type { Run } from '../run.js';

/**
 * Whether a page leaves out pets that it has room for: one that it lacks is in the longer list again. Others may have
 * got another status, or been removed, after that list was read first.
 */
export async function isPageShort(
  { absent, status }: { absent: readonly unknown[]; status: unknown },
  run: Run,
): Promise<boolean> {
  if (absent.length === 0) return true;
  const list = (await listPets({ status }, run)) ?? [];
  return absent.some((id) => findPet(list, id) !== undefined);
}
