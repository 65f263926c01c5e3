// Not the global, which tests may replace by a fake timer: the mock must still answer.
import { setImmediate } from 'node:timers';
import { PetstoreMockError } from '../../errors.js';
import type { Change, Changes } from '../../mock/world/changes.js';
import type { Gate, GateRefusal, Passed, PassingHints } from '../../mock/world/gate.js';

/** Where changes are kept. */
export interface ChangeLog {
  /**
   * Keeps changes, all or none of them. `'behind'` if others were faster: nothing is kept then, and {@link catchUp} makes their changes.
   * Throws a {@link CannotKeep}.
   */
  append(changes: readonly Change[]): 'kept' | Promise<'kept' | 'behind'>;
  /** Makes the changes of others; `undefined` if there are no others. Throws a {@link CannotKeep}. */
  catchUp?: () => Promise<void>;
  /** What is done while work takes long. */
  stayAlive?: () => void;
  readonly problem: string | undefined;
  close(): Promise<void>;
}

/** Why changes cannot be kept at present. */
export class CannotKeep extends Error {
  readonly refusal: GateRefusal;

  constructor(refusal: GateRefusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

interface Waiting {
  work: () => unknown;
  done: (outcome: Passed<unknown>) => void;
  looks: boolean;
  isAlone: boolean;
}

/** More at once would let the others wait for long. */
const MOST_AT_ONCE = 64;

const MOST_IN_A_ROW = 32;

/**
 * Lets work pass: what waits at the end of a turn of the event loop is done together, its changes are kept with one
 * write, and then all of it is answered.
 */
export function passInTurns(changes: Changes, log: ChangeLog): Gate {
  const turns = new Turns(changes, log);
  changes.onFirst = () => turns.wake();
  return {
    pass<Result>(work: () => Result, done: (outcome: Passed<Result>) => void, { looks = false }: PassingHints = {}) {
      turns.add({ work, done: done as Waiting['done'], looks, isAlone: false });
    },
    passAlone: <Result>(work: () => Promise<Result>) =>
      new Promise<Result>((resolve, reject) => {
        const done = (outcome: Passed<Promise<Result>>): void => {
          if ('result' in outcome) outcome.result.then(resolve, reject);
          else reject(new PetstoreMockError('unavailable', `${outcome.refused.message}.`));
        };
        turns.add({ work, done: done as Waiting['done'], looks: false, isAlone: true });
      }),
    get problem() {
      return log.problem;
    },
    close: () => turns.close(),
  };
}

class Turns {
  readonly #changes: Changes;
  readonly #log: ChangeLog;
  #waiting: Waiting[] = [];
  #isBusy = false;
  #isScheduled = false;
  #whenIdle: (() => void) | undefined;

  constructor(changes: Changes, log: ChangeLog) {
    this.#changes = changes;
    this.#log = log;
  }

  add(waiting: Waiting): void {
    this.#waiting.push(waiting);
    this.wake();
  }

  wake(): void {
    if (this.#isBusy || this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      void this.#passAll();
    });
  }

  async close(): Promise<void> {
    while (this.#isBusy || this.#isScheduled) await new Promise<void>((resolve) => (this.#whenIdle = resolve));
    await this.#log.close();
  }

  async #passAll(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    for (let turn = 1; this.#waiting.length > 0 || !this.#changes.isEmpty; turn++) {
      // A caller in this process that goes on at once would let nobody else have a turn.
      if (turn % MOST_IN_A_ROW === 0) await new Promise<void>((resolve) => setImmediate(resolve));
      const together = this.#takeTurn();
      const passed = this.#passTogether(together);
      // Without others there is nothing to wait for.
      const outcomes = passed instanceof Promise ? await passed : passed;
      together.forEach(({ done }, index) => answerAlone(() => done(outcomes[index] as Passed<unknown>)));
    }
    this.#isBusy = false;
    this.#whenIdle?.();
  }

  /** What waits, up to the first that is done alone. */
  #takeTurn(): Waiting[] {
    const alone = this.#waiting.findIndex(({ isAlone }) => isAlone);
    const most = alone === 0 ? 1 : Math.min(MOST_AT_ONCE, alone === -1 ? Infinity : alone);
    return this.#waiting.splice(0, most);
  }

  #passTogether(together: readonly Waiting[]): Passed<unknown>[] | Promise<Passed<unknown>[]> {
    const { catchUp } = this.#log;
    if (catchUp !== undefined || together[0]?.isAlone === true) return this.#passWithOthers(together);
    const outcomes = together.map(run);
    try {
      const changes = this.#changes.list();
      if (changes.length > 0) void this.#log.append(changes);
      this.#changes.settle();
      return outcomes;
    } catch (error) {
      return this.#refuse(together, error);
    }
  }

  async #passWithOthers(together: readonly Waiting[]): Promise<Passed<unknown>[]> {
    const { catchUp } = this.#log;
    // What was done before this turn stays undone if others were faster; whoever did it finds out and does it again.
    let isFresh = catchUp === undefined;
    try {
      if (catchUp !== undefined && together.every(({ looks }) => looks) && this.#changes.isEmpty) {
        await catchUp();
        isFresh = true;
      }
      for (;;) {
        const outcomes = together.map(run);
        if (together[0]?.isAlone === true) await this.#watch(outcomes[0]);
        const changes = this.#changes.list();
        if ((changes.length === 0 && isFresh) || (await this.#log.append(changes)) === 'kept') {
          this.#changes.settle();
          return outcomes;
        }
        this.#changes.undo();
        await catchUp?.();
        isFresh = true;
      }
    } catch (error) {
      return this.#refuse(together, error);
    }
  }

  /** Waits for work of several turns, whether it fails or not. */
  async #watch(outcome: Passed<unknown> | undefined): Promise<void> {
    if (outcome === undefined || !('result' in outcome)) return;
    const staying = setInterval(() => this.#log.stayAlive?.(), STAY_ALIVE_MS);
    await Promise.allSettled([outcome.result]);
    clearInterval(staying);
  }

  #refuse(together: readonly Waiting[], error: unknown): Passed<unknown>[] {
    this.#changes.undo();
    if (!(error instanceof CannotKeep)) throw error;
    return together.map(() => ({ refused: error.refusal }));
  }
}

const STAY_ALIVE_MS = 200;

/** Work answers for its own failures, so an error is a bug; it must not take the others with it. */
function run({ work }: Waiting): Passed<unknown> {
  try {
    return { result: work() };
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
    return { refused: { status: 500, message: 'the mock failed to answer; this is a bug of the mock' } };
  }
}

/** A failing callback does not affect the others; its error is thrown after them, so that the bug is not hidden. */
function answerAlone(callback: () => void): void {
  try {
    callback();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
