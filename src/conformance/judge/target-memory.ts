import { isRecord } from './shown.js';

/** What a run has learned of its target so far. */
export interface TargetMemory {
  /** What is unique in texts that the target refused, and never took, to create a record with, by the operation that creates. */
  refusedNames: Map<string, string>;
  /** What is unique in texts of records that were created, or changed. */
  takenNames: Set<string>;
  /** How often each text of the run's own was sent in a request that writes. */
  sentTexts: Map<string, number>;
  /** Text that is part of every text that this run makes, and of no other. */
  mark: string;
  /** The number of the next name. */
  named: number;
  /** How many records each operation has shown in one answer at most. */
  longest: Map<string, number>;
  /** The operations that have taken the run's key. */
  served: Set<string>;
  /** The resources of which a record was found by its key. */
  found: Set<string>;
  /** The keys that were made of a name which their records have no more (`renamed.ts`). */
  renamed: Set<string>;
  /** By resource, the values of the run's own that the target has taken (`invented.ts`). */
  taken: Map<string, Set<string>>;
  /** The records of the run's own that nothing has changed, by resource and key (`own-memory.ts`). */
  own: Map<string, OwnRecord>;
  /** When an answer first showed a record, on the clock of `performance.now()`, by resource and key (`own-memory.ts`). */
  shownKeys: Map<string, number>;
  /** The records that the run has created, by resource and key, whatever became of them (`own-memory.ts`). */
  created: Set<string>;
  /** Those of them whose key stood in the body of the create (`own-memory.ts`). */
  sentKeys: Set<string>;
  /** The records that the run has asked to remove, by resource and key (`own-memory.ts`). */
  removed: Set<string>;
  /** The keys that each list has shown, by whatever filter (`own-memory.ts`). */
  listedKeys: Map<string, Set<string>>;
  /** The values of a list of them with which records were seen that were created with them (`own-memory.ts`). */
  keptChoices: Set<string>;
  /** The fields with one of a list of values in which the target was seen to move records on, by resource (`own-memory.ts`). */
  moving: Set<string>;
  /** The values that records have by themselves, which were created without them, and not changed since (`own-memory.ts`). */
  ownChoices: Set<string>;
  /** The states of records that lists have shown where nothing chooses among them, by resource (`own-memory.ts`). */
  listedStates: Set<string>;
  /** How many records each list has shown at most where nothing chooses among them. */
  longestWhole: Map<string, number>;
  /** The lists that were read to their end. */
  wholeLists: Set<string>;
  /** How many the run has removed. */
  removals: number;
}

/** A record of the run's own that nothing has changed since it was created. */
export interface OwnRecord {
  key: string | number | bigint;
  sent: Readonly<Record<string, unknown>>;
  /** The fields that an answer has shown as they were sent: the service keeps them so. */
  kept: Set<string>;
  /** When the answer to its creation was there, on the clock of `performance.now()`. */
  since: number;
}

/** `named`: where its names begin to count, so that those of a run with the same mark are others. */
export function createMemory(mark: string, named = 0): TargetMemory {
  return {
    refusedNames: new Map(),
    takenNames: new Set(),
    sentTexts: new Map(),
    mark,
    named,
    longest: new Map(),
    served: new Set(),
    found: new Set(),
    renamed: new Set(),
    taken: new Map(),
    own: new Map(),
    shownKeys: new Map(),
    created: new Set(),
    sentKeys: new Set(),
    removed: new Set(),
    listedKeys: new Map(),
    keptChoices: new Set(),
    moving: new Set(),
    ownChoices: new Set(),
    listedStates: new Set(),
    longestWhole: new Map(),
    wholeLists: new Set(),
    removals: 0,
  };
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** A text that stands in one record alone. */
export function nextName(memory: TargetMemory): string {
  const number = memory.named++;
  const counted = [26 * 26, 26, 1].map((each) => LETTERS[Math.floor(number / each) % 26]);
  return `${memory.mark}${counted.join('')}`;
}

/** So many letters after the mark tell 17,576 names of a run apart. */
export const COUNTED = 3;

/**
 * Where a run begins to count: tries at the same time and what earlier runs left behind have other names, though there are
 * but 676 marks. What follows is more than any run makes, so that its names are in the order in which it made them.
 */
export function drawStart(randomInt: (below: number) => number): number {
  return randomInt(20 * 26 ** 2);
}

/**
 * A mark for the names of one run. Small letters alone, and few of them: a service
 * may limit names in ways that are not shown (the gap `name-characters`), and names of hosts, mail boxes and pages are lowered.
 */
export function createMark(randomLetter: () => number): string {
  return `${NAME_PREFIX}${Array.from({ length: 2 }, () => LETTERS[randomLetter() % 26]).join('')}`;
}

/** By which a person knows the records that runs left behind. */
export const NAME_PREFIX = 'cf';

/** Notes which texts of the run's own the target took in a record, and which it refused to create one with. */
export function rememberTexts(
  { mark, takenNames, refusedNames }: TargetMemory,
  { text, creates }: { text: string; /** The operation, if it creates. */ creates: string | undefined },
  { body, status }: { body: unknown; status: number },
): void {
  const isSuccess = status >= 200 && status < 300;
  const isRefused = isSuccess ? isError(body) : status >= 400 && status < 500;
  // Found in the text, since what is refused need not be JSON.
  for (const unique of listOwnTexts(text, mark)) {
    if (isSuccess && !isRefused) takenNames.add(unique);
    else if (isRefused && creates !== undefined) refusedNames.set(unique, creates);
    // A name may be refused the second time because it was taken the first.
    if (takenNames.has(unique)) refusedNames.delete(unique);
  }
}

/** Notes that a request with a body goes out, so many times. */
export function noteSentTexts(body: string, { mark, sentTexts }: TargetMemory, times = 1): void {
  for (const text of listOwnTexts(body, mark)) sentTexts.set(text, (sentTexts.get(text) ?? 0) + times);
}

/** The texts of the run's own in a text. */
export function listOwnTexts(text: string, mark: string): string[] {
  return text.match(new RegExp(`${mark}[a-z]{${COUNTED}}`, 'g')) ?? [];
}

/** Whether a body has the fields of the contract's Error, and says what its status does not: that nothing was created. */
export function isError(body: unknown): boolean {
  if (Array.isArray(body) && body.length === 1) return isError(body[0]);
  return isRecord(body) && ['code', 'message', 'status'].every((field) => field in body) && !('id' in body);
}

/** Notes how long a list was: it is not cut at a length that another answer exceeds. */
export function rememberLength({ longest }: TargetMemory, operation: string, count: number): void {
  longest.set(operation, Math.max(count, longest.get(operation) ?? 0));
}
