/** One part of a run that several CI jobs share: the second of four is `{ index: 2, of: 4 }`. */
export interface Shard {
  /** From 1. */
  index: number;
  of: number;
}
