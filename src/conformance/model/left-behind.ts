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
  /** Their addresses below the target's URL, in the order of the keys; absent where the keys are secrets, or there is none. */
  addresses?: string[];
  /** Whether a DELETE at such an address removes one, as far as the contract says. */
  removable?: boolean;
  /** What texts in them contain that no others do; absent where the run has made none, or no list shows them. */
  mark?: string;
}

/** What a run created of one kind, by what one and several are called. */
export interface CreatedOf {
  one: string;
  many: string;
  count: number;
}
