import { isAnimal, type Animal } from './animals.js';

/** What a run has learned of its target so far. */
export interface TargetMemory {
  /** The animals that the run created, as the target answered, in the order of their creation. */
  created: Animal[];
  /** Every id seen in an answer, with the time of the first, on the clock of `performance.now()`. */
  seenIds: Map<unknown, number>;
  /** Names of animals that the target refused to create. */
  refusedNames: Set<string>;
  /** Text that is part of the name of every animal of this run and of no other. */
  mark: string;
  /** A category that a new animal can have. */
  category: { id: unknown; /** How it is known to exist. */ source: 'given' | 'seen' | 'guessed' };
  /** How many names were handed out. */
  named: number;
}

export function createMemory(mark: string): TargetMemory {
  return {
    created: [],
    seenIds: new Map(),
    refusedNames: new Set(),
    mark,
    category: { id: 1, source: 'guessed' },
    named: 0,
  };
}

/** A text that stands in the name of one animal alone. */
export function nextName(memory: TargetMemory): string {
  memory.named += 1;
  return `${memory.mark}-${String(memory.named).padStart(2, '0')}`;
}

/** Names by which later runs know what earlier ones left. */
export const NAME_PREFIX = 'conformance';

/** Notes what an answer shows: ids that exist, an animal that was created, a name that was refused. */
export function remember(memory: TargetMemory, seen: { body: unknown; status: number; sentAnimal: unknown }): void {
  if (seen.sentAnimal !== undefined) rememberCreation(memory, seen.sentAnimal, seen);
  const animals = Array.isArray(seen.body) ? seen.body.filter(isAnimal) : isAnimal(seen.body) ? [seen.body] : [];
  if (seen.status >= 400) return;
  for (const { id } of animals) {
    if (id !== undefined && !memory.seenIds.has(id)) memory.seenIds.set(id, performance.now());
  }
}

function rememberCreation(
  memory: TargetMemory,
  sent: unknown,
  { body, status }: { body: unknown; status: number },
): void {
  if (status >= 200 && status < 300 && isAnimal(body)) memory.created.push(body);
  if (status >= 400 && status < 500 && isAnimal(sent)) {
    const { name } = sent;
    if (typeof name === 'string' && name.includes(memory.mark)) memory.refusedNames.add(name);
  }
}
