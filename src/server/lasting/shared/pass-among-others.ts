// Not the global, which tests may replace by a fake timer.
import { clearInterval, setInterval } from 'node:timers';
import { setTimeout } from 'node:timers/promises';
import type { Changes } from '../../../mock/persistence/changes.js';
import type { Passed } from '../../../mock/world/worlds.js';
import { CannotKeep, refuse, run, whenDone, type Keeper, type Waiting } from '../pass-in-turns.js';
import type { SharedJournal } from './shared-journal.js';
import type { SharedLog } from './shared-log.js';

/** So long nobody else appends, doubled each time that it was too short. */
const RESERVE_MS = 250;
const MOST_RESERVED_MS = 30_000;
/** How often one asks again who waits for the reservation of another. */
const BETWEEN_MS = 2;

/**
 * Does the work of a turn where other processes have turns as well. It is done on the chance that nobody else changed
 * anything; if somebody did, it is taken back, what they did is made, and it is done again, with the next append reserved.
 */
export function passAmongOthers(options: AmongOthers): Keeper {
  return new KeepsAmongOthers(options);
}

export interface AmongOthers {
  changes: Changes;
  log: SharedLog;
  journal: SharedJournal;
  close: () => Promise<void>;
}

class KeepsAmongOthers implements Keeper {
  readonly #changes: Changes;
  readonly #log: SharedLog;
  readonly #journal: SharedJournal;
  readonly close: () => Promise<void>;
  /** Whether others were faster at the last attempt, so that an attempt on the chance would most likely be in vain. */
  #isContested = false;

  constructor({ changes, log, journal, close }: AmongOthers) {
    this.#changes = changes;
    this.#log = log;
    this.#journal = journal;
    this.close = close;
  }

  get problem(): string | undefined {
    return this.#log.problem ?? this.#log.difference;
  }

  async pass(together: readonly Waiting[]): Promise<Passed<unknown>[]> {
    try {
      // What only is to be told changes nothing.
      if (this.#changes.list().length === 0) this.#changes.settle();
      if (together.length === 0 && this.#changes.isEmpty) return [];
      const { problem } = this.#log;
      if (problem !== undefined) throw new CannotKeep({ status: 503, message: problem });
      return await this.#pass(together);
    } catch (error) {
      return refuse(together, error, this.#changes);
    }
  }

  async #pass(together: readonly Waiting[]): Promise<Passed<unknown>[]> {
    const isAlone = together[0]?.isAlone === true;
    let isCurrent = false;
    let isReserved = false;
    // Whoever works alone may ask for the exchanges of all replicas.
    if (isAlone) await this.#journal.pull();
    if (this.#changes.isEmpty && (isAlone || this.#isContested)) {
      isReserved = await this.#catchUp(this.#isContested && !isAlone ? RESERVE_MS : 0);
      isCurrent = true;
    }
    for (let lost = 0; ; lost++) {
      const outcomes = together.map(run);
      const reserveMs = Math.min(RESERVE_MS * 2 ** lost, MOST_RESERVED_MS);
      await this.#wait(whenDone(together, outcomes), isReserved ? reserveMs : 0);
      const mark = this.#changes.mark();
      const own = this.#changes.list();
      if (own.length === 0 && isCurrent) {
        if (isReserved) this.#log.release();
        this.#isContested = false;
        this.#changes.settle(mark);
        return outcomes;
      }
      const {
        isKept,
        isReserved: isNext,
        isIncomplete,
        follow,
      } = await this.#log.exchange(own, own.length === 0 ? 0 : reserveMs);
      if (isKept) {
        this.#isContested = lost > 0 || (isReserved && this.#isContested);
        this.#changes.settle(mark);
        return outcomes;
      }
      this.#changes.undo();
      follow();
      isCurrent = true;
      isReserved = isIncomplete ? await this.#catchUp(own.length === 0 ? 0 : reserveMs) : isNext;
    }
  }

  /** Makes everything that others did. Returns whether the next append is reserved. */
  async #catchUp(reserveMs: number): Promise<boolean> {
    for (;;) {
      const { isReserved, isIncomplete, isKept, follow } = await this.#log.exchange([], reserveMs);
      follow();
      if (!isIncomplete) return isReserved;
      if (isKept) await setTimeout(BETWEEN_MS);
    }
  }

  /** Waits for work of several turns; meanwhile the reservation stays. */
  async #wait(working: Promise<unknown> | undefined, reserveMs: number): Promise<void> {
    if (working === undefined) return;
    const staying =
      reserveMs === 0
        ? undefined
        : setInterval(() => void this.#log.exchange([], reserveMs).catch(() => {}), reserveMs / 3);
    await working;
    clearInterval(staying);
  }
}
