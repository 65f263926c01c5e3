// Not the global, which tests may replace by a fake timer.
import { randomUUID } from 'node:crypto';
import { clearInterval, setInterval } from 'node:timers';
import { PetstoreMockError } from '../../../errors.js';
import { createTracking } from '../../../mock/persistence/track-world.js';
import type { Changes } from '../../../mock/persistence/changes.js';
import type { Gate, Worlds, Passed } from '../../../mock/world/worlds.js';
import type { Lasting } from '../data-folder.js';
import { CannotKeep, passBy, refuse, run, whenDone, type Keeper, type Waiting } from '../pass-in-turns.js';
import { adviseOnEngine, readEngineAddress, type EngineAddress, connectEngine } from './engine.js';
import { takeFingerprint, keepMembers, type Members } from './recover.js';
import { SharedJournal } from './shared-journal.js';
import { SharedLog } from './shared-log.js';
import { setTimeout } from 'node:timers/promises';

/** Worlds that are those of all processes that name the same engine. Throws a `PetstoreMockError` for an unusable URL. */
export function makeShared(url: string, tell: (message: string) => void): Lasting {
  const address = readEngineAddress(url);
  const own = createTracking();
  const journal = new SharedJournal(own.changes);
  let joined: { gate: Gate; log: SharedLog } | undefined;
  return {
    tracking: journal.track(own),
    async attach(worlds) {
      joined = await join(worlds, { address, changes: own.changes, journal, tell });
      worlds.gate = joined.gate;
    },
    get isContinued() {
      return joined?.log.isFounder === false;
    },
    replace() {
      throw new PetstoreMockError('bad-option', 'files cannot be followed where replicas share their data.');
    },
    async close() {
      await joined?.gate.close();
    },
  };
}

interface Joining {
  address: EngineAddress;
  changes: Changes;
  journal: SharedJournal;
  tell: (message: string) => void;
}

async function join(
  worlds: Worlds,
  { address, changes, journal, tell }: Joining,
): Promise<{ gate: Gate; log: SharedLog }> {
  // What there is at the start is not a change.
  changes.settle();
  const fingerprint = takeFingerprint(worlds.default);
  const engine = await connectEngine(address, tell);
  const me = randomUUID();
  const members = keepMembers(engine, me, () => log.problem !== undefined);
  const mostBytes = 2 * worlds.default.memory.records.most;
  const log = new SharedLog({ engine, me, worlds, changes, fingerprint, listOthers: members.list, mostBytes, tell });
  try {
    for (const advice of await adviseOnEngine(engine)) tell(advice);
    await members.stay();
    await log.open();
  } catch (error) {
    engine.close();
    throw explain(error);
  }
  journal.join({ engine, me, worlds });
  const close = async (): Promise<void> => {
    stop();
    journal.leave();
    await log.close();
    await members.leave();
    engine.close();
  };
  const gate = passBy(changes, passAmongOthers({ changes, log, journal, close }));
  const stop = stayAlive(members, gate);
  return { gate, log };
}

const STAY_MS = 1000;

function stayAlive(members: Members, gate: Gate): () => void {
  const staying = setInterval(() => {
    void members.stay();
    gate.pass(
      () => undefined,
      () => {},
    );
  }, STAY_MS);
  staying.unref();
  return () => clearInterval(staying);
}

function explain(error: unknown): unknown {
  if (!(error instanceof CannotKeep)) return error;
  return new PetstoreMockError('unavailable', `${error.refusal.message}.`);
}

/** So long nobody else appends, doubled each time that it was too short. */
const RESERVE_MS = 250;
const MOST_RESERVED_MS = 30_000;
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

  async #catchUp(reserveMs: number): Promise<boolean> {
    for (;;) {
      const { isReserved, isIncomplete, isKept, follow } = await this.#log.exchange([], reserveMs);
      follow();
      if (!isIncomplete) return isReserved;
      if (isKept) await setTimeout(BETWEEN_MS);
    }
  }

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
