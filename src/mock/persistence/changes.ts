import type { Int64 } from '../../contract/document/json.js';
import { type Key, StoredRecord, type Fields, weigh } from '../store/kept.js';
import type { CollectionState } from '../store/collection.js';
import type { WrittenFixtures } from '../fixtures/fixtures.js';
import type { SavedFaults } from '../faults/faults.js';
import type { DelayRange } from '../world/clock.js';

type WrittenState = { records: readonly Fields[]; next: Int64; gone?: readonly Key[] | undefined };

export interface WrittenPart extends WrittenState {
  of: string;
  within: readonly Key[];
}

type In = { in: string };

type CollectionChange =
  | (In & { do: 'open'; of: string; within: readonly Key[]; start: WrittenState; now?: WrittenState })
  | (In & { do: 'close' })
  | (In & { do: 'add'; record: Fields; next: Int64 })
  | (In & { do: 'place'; record: Fields; at: number })
  | (In & { do: 'change'; record: Fields })
  | (In & { do: 'remove'; key: Key })
  | (In & { do: 'restore'; to: WrittenState });

type WorldChange =
  | { do: 'enter' }
  | { do: 'drop' }
  | { do: 'start'; fixtures: WrittenFixtures }
  | { do: 'clock'; shift: number; frozen?: number | undefined; start?: number | undefined }
  | { do: 'delay'; delay?: DelayRange | undefined; start?: DelayRange | undefined }
  | { do: 'choose'; choices?: Readonly<Record<string, string>> | undefined }
  | { do: 'faults'; faults: SavedFaults }
  | { do: 'strike'; hits: readonly (readonly [id: string, hits: number, draws: number])[] }
  | { do: 'save'; name: string; state: readonly WrittenPart[] }
  | { do: 'forget'; name: string }
  | { do: 'clear' }
  | { do: 'repeats'; made: readonly (readonly [id: string, key: Key])[] }
  | { do: 'repeat'; id: string; key: Key };

/** One change of what a mock holds, as plain data: made again in the same order, changes lead to the same state. */
export type Change =
  | { do: 'begin' }
  /** The world's name; none for the default one. */
  | ({ world?: string | undefined } & (WorldChange | CollectionChange));

export type ChangeWithin = WorldChange | CollectionChange;
type ChangesMark = { noted: number; due: number };

/** The changes since the last ones that were kept; they can be taken back. Without persistence, nothing is noted. */
export class Changes {
  #noted: { change: Change; undo: () => void }[] = [];
  #due: (() => void)[] = [];
  #isQuiet = false;
  isSettling = false;
  onFirst: () => void = () => {};

  note(change: Change, undo: () => void): void {
    if (this.#isQuiet) return;
    this.#wake();
    this.#noted.push({ change, undo });
  }

  afterwards(callback: () => void): void {
    if (this.#isQuiet) return callback();
    this.#wake();
    this.#due.push(callback);
  }

  quietly<Result>(work: () => Result): Result {
    const before = this.#isQuiet;
    this.#isQuiet = true;
    try {
      return work();
    } finally {
      this.#isQuiet = before;
    }
  }

  get isEmpty(): boolean {
    return this.#noted.length === 0 && this.#due.length === 0;
  }

  list(): Change[] {
    return this.#noted.map(({ change }) => change);
  }

  mark(): ChangesMark {
    return { noted: this.#noted.length, due: this.#due.length };
  }

  /** What was noted is kept, up to a mark; all of it by default. */
  settle({ noted, due: last }: ChangesMark = this.mark()): void {
    const due = this.#due.splice(0, last);
    this.#noted.splice(0, noted);
    this.isSettling = true;
    for (const callback of due) this.quietly(callback);
    this.isSettling = false;
  }

  undo(): void {
    const noted = this.#noted;
    this.#noted = [];
    this.#due = [];
    this.quietly(() => {
      for (const { undo } of noted.toReversed()) undo();
    });
  }

  #wake(): void {
    if (this.isEmpty) this.onFirst();
  }
}

export interface WorldChanges {
  note(change: ChangeWithin, undo: () => void): void;
  afterwards(callback: () => void): void;
}

export const DEFAULT_WORLD = 'default';

export function changesOf(world: string, changes: Changes): WorldChanges {
  const name = nameInChanges(world);
  return {
    note: (change, undo) => changes.note(name === undefined ? change : { world: name, ...change }, undo),
    afterwards: (callback) => changes.afterwards(callback),
  };
}

export const nameInChanges = (world: string): string | undefined => (world === DEFAULT_WORLD ? undefined : world);

export function writeState({ records, nextKey, gone = [] }: CollectionState): WrittenState {
  const written = { records: records.map(({ record }) => record), next: nextKey };
  return gone.length === 0 ? written : { ...written, gone };
}

export function readState({ records, next, gone }: WrittenState): CollectionState {
  const stored = records.map((record) => new StoredRecord(record));
  const weight = records.reduce((sum, record) => sum + weigh(record), 0);
  return { records: stored, nextKey: next, weight, ...(gone === undefined ? {} : { gone }) };
}
