import type { StoredRecord } from './stored-record.js';

type ByValue = Map<unknown, StoredRecord[]>;

const NONE: readonly never[] = Object.freeze([]);

/** Records by the values of their properties. The first use of an index builds it; from then on it is maintained. */
export class RecordIndex {
  readonly #all: () => readonly StoredRecord[];
  readonly #byProperty = new Map<string, ByValue>();

  constructor(all: () => readonly StoredRecord[]) {
    this.#all = all;
  }

  /** In the order of the collection. */
  find(property: string, value: unknown): readonly StoredRecord[] {
    return this.#indexOf(property).get(value) ?? NONE;
  }

  add(stored: StoredRecord): void {
    for (const [property, index] of this.#byProperty) push(index, stored.record[property], stored);
  }

  remove(stored: StoredRecord): void {
    for (const [property, index] of this.#byProperty) {
      const value = stored.record[property];
      const peers = index.get(value) ?? [];
      peers.splice(peers.lastIndexOf(stored), 1);
      if (peers.length === 0) index.delete(value);
    }
  }

  change(before: StoredRecord, after: StoredRecord): void {
    for (const [property, index] of this.#byProperty) {
      const peers = index.get(before.record[property]);
      // Only the whole collection shows its place among the records with its new value.
      if (peers === undefined || before.record[property] !== after.record[property]) this.#byProperty.delete(property);
      else peers[peers.lastIndexOf(before)] = after;
    }
  }

  clear(): void {
    this.#byProperty.clear();
  }

  #indexOf(property: string): ByValue {
    const known = this.#byProperty.get(property);
    if (known !== undefined) return known;
    const made: ByValue = new Map();
    for (const stored of this.#all()) push(made, stored.record[property], stored);
    this.#byProperty.set(property, made);
    return made;
  }
}

function push(index: ByValue, value: unknown, stored: StoredRecord): void {
  // A record without the property is in no list of the index.
  if (value === undefined) return;
  const peers = index.get(value);
  if (peers === undefined) index.set(value, [stored]);
  else peers.push(stored);
}
