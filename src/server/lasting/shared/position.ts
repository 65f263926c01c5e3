/** What a replica knows: up to which entry, in which epoch. */
export interface Position {
  /** Its identity; empty for a replica that knows nothing. */
  epoch: string;
  seq: number;
}

/** Epochs are counted, so that the one that is ahead can be told. */
export function numberOf({ epoch }: Position): number {
  return epoch === '' ? 0 : Number.parseInt(epoch, 10);
}
