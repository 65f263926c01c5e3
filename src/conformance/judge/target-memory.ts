import { keyOfJson, sameJson } from '../../contract/document/same-json.js';
import { asList, completePet, isPet, type ReceivedPet } from './pets.js';

/** What a run has learned of its target so far. */
export interface TargetMemory {
  /** The pets that the run created by what the contract allows, as the target answered, in the order of their creation. */
  created: ReceivedPet[];
  /** Every id seen in an answer, by its `keyOfJson`, with the time of the first, on the clock of `performance.now()`. */
  seenIds: Map<unknown, number>;
  /** The ids in the answers to all creations, those too that the contract refuses, by their `keyOfJson`. */
  answeredIds: Set<unknown>;
  /** How many times a pet of this name was sent to be created, by name. */
  sentNames: Map<string, number>;
  /** What is unique in texts that the target refused, and never took, to create a record with, by the operation that creates. */
  refusedNames: Map<string, string>;
  /** What is unique in texts of records that were created, or changed. */
  takenNames: Set<string>;
  /** Text that is part of the name of every pet of this run and of no other. */
  mark: string;
  /** A category that a new pet can have. */
  category: { id: unknown; /** How it is known to exist. */ source: 'given' | 'seen' | 'guessed' };
  /** Another category that a list shows, where there is one: so that a service which mixes them up is seen. */
  otherCategory: unknown;
  /** How many pets whose creation was accepted are in no list, as far as was waited for them. */
  nowhere: number;
  /** The number of the next name. */
  named: number;
  /** How many pets the target created for the run, allowed or not. */
  creations: number;
  /** How many of them only let limits be tried. */
  filled: number;
  /** How many pets the longest page showed last, by the `keyOfJson` of the status asked for; `undefined` for the whole list. */
  listed: Map<unknown, number>;
  /** The status in the answer to its creation of each pet, by its `keyOfJson`. */
  statuses: Map<unknown, { status: unknown }>;
  /** The statuses with which created pets were read again as they were created. */
  keptStatuses: Set<unknown>;
  /** Of statuses with which no created pet was seen again: whether even a prompt read shows another. */
  neverKept: Map<unknown, Promise<boolean>>;
  /** The status that an answer showed last of each pet without being asked for it, by its `keyOfJson`. */
  shownStatuses: Map<unknown, unknown>;
  /** The pets whose status was seen to move by itself, by their `keyOfJson`. */
  moved: Set<unknown>;
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
  /** The keys of records that answers have shown, by resource and key (`own-memory.ts`). */
  shownKeys: Set<string>;
  /** The values of a list of them with which records were seen that were created with them (`own-memory.ts`). */
  keptChoices: Set<string>;
  /** The values that records have by themselves, which were created without them, and not changed since (`own-memory.ts`). */
  ownChoices: Set<string>;
  /** How many records each list has shown at most where nothing chooses among them. */
  longestWhole: Map<string, number>;
  /** How many the run has removed. */
  removals: number;
  /** Whether the target was seen to give a page that is shorter than its limit while there are more pets. */
  hasShortPages: boolean;
  /** The limit that gets the longest page, where the target refuses the largest that the contract allows. */
  servedLimit: number | undefined;
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
    created: [],
    answeredIds: new Set(),
    seenIds: new Map(),
    sentNames: new Map(),
    refusedNames: new Map(),
    takenNames: new Set(),
    mark,
    category: { id: 1, source: 'guessed' },
    otherCategory: undefined,
    nowhere: 0,
    named,
    creations: 0,
    filled: 0,
    listed: new Map(),
    statuses: new Map(),
    keptStatuses: new Set(),
    neverKept: new Map(),
    shownStatuses: new Map(),
    moved: new Set(),
    longest: new Map(),
    served: new Set(),
    found: new Set(),
    renamed: new Set(),
    taken: new Map(),
    own: new Map(),
    shownKeys: new Set(),
    keptChoices: new Set(),
    ownChoices: new Set(),
    longestWhole: new Map(),
    removals: 0,
    hasShortPages: false,
    servedLimit: undefined,
  };
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** A text that stands in the name of one pet alone. */
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

/** By which a person knows the pets that runs left behind. */
export const NAME_PREFIX = 'cf';

/** Notes a pet that is about to be sent, before anyone can see it. */
export function rememberSending(memory: TargetMemory, sent: unknown): void {
  if (!isPet(sent) || typeof sent['name'] !== 'string') return;
  memory.sentNames.set(sent['name'], (memory.sentNames.get(sent['name']) ?? 0) + 1);
}

/** Notes what an answer shows: ids that exist, a pet that was created, a name that was refused. */
export function remember(memory: TargetMemory, seen: { body: unknown; status: number; creation?: SentCreation }): void {
  if (seen.creation !== undefined) rememberCreation(memory, seen.creation, seen);
  const pets = asList(seen.body) ?? (isPet(seen.body) ? [seen.body] : []);
  if (seen.status >= 400) return;
  const now = performance.now();
  for (const { id, status } of pets) {
    if (id === undefined) continue;
    const key = keyOfJson(id);
    rememberStatus(memory, key, { status, isCreation: seen.creation !== undefined });
    rememberId(memory, id, now);
  }
}

/** An id that an answer shows. All that one answer shows was there at one time. */
export function rememberId(memory: TargetMemory, id: unknown, now: number = performance.now()): void {
  const key = keyOfJson(id);
  if (memory.seenIds.size < MOST_IDS && !memory.seenIds.has(key)) memory.seenIds.set(key, now);
}

/** A target that gives its records other ids in every answer must not fill the memory. */
const MOST_IDS = 100_000;

function rememberStatus(
  memory: TargetMemory,
  key: unknown,
  { status, isCreation }: { status: unknown; isCreation: boolean },
): void {
  const created = memory.statuses.get(key);
  if (isCreation && created === undefined) memory.statuses.set(key, { status });
  if (!isCreation && created !== undefined && created.status === status) memory.keptStatuses.add(status);
}

/** What was sent to create a pet. */
export interface SentCreation {
  json: unknown;
  /** Whether the contract refuses it: what then came of it, nobody can say what to expect of. */
  isInvalid: boolean;
}

/** Whether a category that was guessed is what a pet was sent with. */
function isOfGuess({ category }: TargetMemory, sent: unknown): boolean {
  return category.source === 'guessed' && isPet(sent) && sameJson(sent['categoryId'], category.id);
}

function rememberCreation(
  memory: TargetMemory,
  { json, isInvalid }: SentCreation,
  { body, status }: { body: unknown; status: number },
): void {
  const isCreated = status >= 200 && status < 300 && !isError(body);
  if (isCreated) memory.creations += 1;
  if (isCreated && isPet(body)) memory.answeredIds.add(keyOfJson(body['id']));
  if (isCreated && isOfGuess(memory, json)) memory.category.source = 'seen';
  // What the answer leaves out is as it was sent.
  if (isCreated && !isInvalid && isPet(body)) memory.created.push(completePet(body, json));
}

/** Notes which texts of the run's own the target took in a record, and which it refused to create one with. */
export function rememberTexts(
  { mark, takenNames, refusedNames }: TargetMemory,
  { text, creates }: { text: string; /** The operation, if it creates. */ creates: string | undefined },
  { body, status }: { body: unknown; status: number },
): void {
  const isSuccess = status >= 200 && status < 300;
  const isRefused = isSuccess ? isError(body) : status >= 400 && status < 500;
  // Found in the text, since what is refused need not be JSON.
  for (const unique of text.match(new RegExp(`${mark}[a-z]{${COUNTED}}`, 'g')) ?? []) {
    if (isSuccess && !isRefused) takenNames.add(unique);
    else if (isRefused && creates !== undefined) refusedNames.set(unique, creates);
    // A name may be refused the second time because it was taken the first.
    if (takenNames.has(unique)) refusedNames.delete(unique);
  }
}

/** Notes a pet whose creation did not say which it is. What it should be is what was sent, whatever a list shows. */
export function rememberFound(memory: TargetMemory, { id, status }: ReceivedPet, sent: ReceivedPet): ReceivedPet {
  const isChosen = sent['status'] === undefined && status !== undefined;
  const pet = completePet({ id, ...(isChosen ? { status } : {}) }, sent);
  memory.created.push(pet);
  rememberStatus(memory, keyOfJson(id), { status: pet['status'], isCreation: true });
  return pet;
}

/** Whether a body has the fields of the contract's Error, and says what its status does not: that nothing was created. */
export function isError(body: unknown): boolean {
  if (Array.isArray(body) && body.length === 1) return isError(body[0]);
  return isPet(body) && ['code', 'message', 'status'].every((field) => field in body) && !('id' in body);
}

/** Notes how long a list was: it is not cut at a length that another answer exceeds. */
export function rememberLength({ longest }: TargetMemory, operation: string, count: number): void {
  longest.set(operation, Math.max(count, longest.get(operation) ?? 0));
}
