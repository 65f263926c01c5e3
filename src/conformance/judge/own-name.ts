import { COUNTED, type TargetMemory } from './target-memory.js';

/** Whether a name is that of a pet which the run created, as its unique letters tell, though the answer may not have said under which id. */
export function isTaken(name: unknown, { mark, takenNames }: Pick<TargetMemory, 'mark' | 'takenNames'>): boolean {
  const unique = typeof name === 'string' ? new RegExp(`${mark}[a-z]{${COUNTED}}`).exec(name)?.[0] : undefined;
  return unique !== undefined && takenNames.has(unique);
}

/**
 * Whether a name is that of the pets which the run sent with the name `sent`, and with no other pet's. A service that changes names mostly
 * leaves the letters that are unique, in one case or another.
 */
export function createNameTest(
  sent: unknown,
  { mark, sentNames }: Pick<TargetMemory, 'mark' | 'sentNames'>,
): (name: unknown) => boolean {
  if (typeof sent !== 'string') return () => false;
  const unique = new RegExp(`${mark}[a-z]{${COUNTED}}`).exec(sent)?.[0].toLowerCase();
  if (unique === undefined) return (name) => name === sent && sentNames.get(sent) === 1;
  return (name) => typeof name === 'string' && name.toLowerCase().includes(unique);
}
