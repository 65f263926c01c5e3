/** Records that the run created and that it leaves, of one kind. */
export interface LeftBehind {
  /** What one and several of them are called. */
  one: string;
  many: string;
  count: number;
  /** Why they are left, after a comma: `since the contract has no operation to remove one`. */
  why: string;
  /** Their keys as far as they are known, at most a hundred, and none that is a secret. */
  keys: string[];
  /** What texts in them contain that no others do; absent where the run has made none. */
  mark?: string;
}

/** What a run created of one kind, by what one and several are called. */
export interface CreatedOf {
  one: string;
  many: string;
  count: number;
}
