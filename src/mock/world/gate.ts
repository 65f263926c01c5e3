/**
 * Where requests wait until what they changed is kept. Worlds that live as long as their process have no gate.
 */
export interface Gate {
  /**
   * Does work in one piece, which must not answer anyone by itself. Calls back once its changes are kept, and with `undefined` and the reason if they cannot be, in which case nothing has changed.
   * `bytes` is the size of what it works on: little of that is done together.
   */
  pass<Result>(work: () => Result, done: (outcome: Passed<Result>) => void, bytes?: number): void;
  /** The same for work that takes several turns; nothing else passes meanwhile. Rejects with a `PetstoreMockError` (`unavailable`). */
  passAlone<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Why nothing passes at present, a sentence without a full stop; `undefined` if things do. */
  readonly problem: string | undefined;
  /** Waits for what is under way, and frees what it holds. */
  close(): Promise<void>;
}

export type Passed<Result> = { result: Result } | { refused: GateRefusal };

/** Why a request did not pass. */
export interface GateRefusal {
  status: 500 | 503 | 507;
  /** A sentence without a full stop. */
  message: string;
}
