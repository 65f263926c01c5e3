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
import { takeFingerprint, keepMembers, SharedLog } from './shared-log.js';
import { SharedJournal } from './shared-journal.js';
import { setTimeout } from 'node:timers/promises';

const STAY_MS = 1000;

/** Worlds that are those of all processes that name the same engine. Throws a `PetstoreMockError` for an unusable URL. */
export function makeShared(url: string, tell: (message: string) => void): Lasting {
  const address = readEngineAddress(url);
  const own = createTracking();
  const { changes } = own;
  const journal = new SharedJournal(changes);
  let joined: { gate: Gate; log: SharedLog } | undefined;
  return {
    tracking: journal.track(own),
    async attach(worlds) {
      // What there is at the start is not a change.
      changes.settle();
      joined = await join(worlds, { address, changes, journal, tell });
      worlds.gate = joined.gate;
    },
    get isContinued() {
      return joined?.log.isFounder === false;
    },
    replace() {
      throw new PetstoreMockError('bad-option', 'files cannot be followed where replicas share their data.');
    },
    close: async () => joined?.gate.close(),
  };
}

type Joining = { address: EngineAddress; changes: Changes; journal: SharedJournal; tell: (message: string) => void };

async function join(worlds: Worlds, joining: Joining): Promise<{ gate: Gate; log: SharedLog }> {
  const { address, changes, journal, tell } = joining;
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
    throw error instanceof CannotKeep ? new PetstoreMockError('unavailable', `${error.refusal.message}.`) : error;
  }
  journal.join({ engine, me, worlds });
  const close = async (): Promise<void> => {
    clearInterval(staying);
    journal.leave();
    await log.close();
    await members.leave();
    engine.close();
  };
  const gate = passBy(changes, passAmongOthers({ changes, log, journal, close }));
  const stay = (): void => {
    void members.stay();
    gate.pass(
      () => undefined,
      () => {},
    );
  };
  const staying = setInterval(stay, STAY_MS).unref();
  return { gate, log };
}

const RESERVE_MS = 250;
const MOST_RESERVED_MS = 30_000;
const BETWEEN_MS = 2;

type AmongOthers = { changes: Changes; log: SharedLog; journal: SharedJournal; close: () => Promise<void> };

/** A turn is done on the chance that nobody else changed anything, else taken back and done again, reserved. */
function passAmongOthers({ changes, log, journal, close }: AmongOthers): Keeper {
  /** Whether others were faster at the last attempt, so that an attempt on the chance would most likely be in vain. */
  let isContested = false;
  const catchUp = async (reserveMs: number): Promise<boolean> => {
    for (;;) {
      const { isReserved, isIncomplete, isKept, follow } = await log.exchange([], reserveMs);
      follow();
      if (!isIncomplete) return isReserved;
      if (isKept) await setTimeout(BETWEEN_MS);
    }
  };
  const waitFor = async (working: Promise<unknown> | undefined, reserveMs: number): Promise<void> => {
    if (working === undefined) return;
    const reserve = (): void => void log.exchange([], reserveMs).catch(() => {});
    const staying = reserveMs === 0 ? undefined : setInterval(reserve, reserveMs / 3);
    await working;
    clearInterval(staying);
  };
  const work = async (together: readonly Waiting[]): Promise<Passed<unknown>[]> => {
    const isAlone = together[0]?.isAlone === true;
    let isCurrent = false;
    let isReserved = false;
    // Whoever works alone may ask for the exchanges of all replicas.
    if (isAlone) await journal.pull();
    if (changes.isEmpty && (isAlone || isContested)) {
      isReserved = await catchUp(isContested && !isAlone ? RESERVE_MS : 0);
      isCurrent = true;
    }
    for (let lost = 0; ; lost++) {
      const outcomes = together.map(run);
      const reserveMs = Math.min(RESERVE_MS * 2 ** lost, MOST_RESERVED_MS);
      await waitFor(whenDone(together, outcomes), isReserved ? reserveMs : 0);
      const mark = changes.mark();
      const own = changes.list();
      if (own.length === 0 && isCurrent) {
        if (isReserved) log.release();
        isContested = false;
        changes.settle(mark);
        return outcomes;
      }
      const exchanged = await log.exchange(own, own.length === 0 ? 0 : reserveMs);
      if (exchanged.isKept) {
        isContested = lost > 0 || (isReserved && isContested);
        changes.settle(mark);
        return outcomes;
      }
      changes.undo();
      exchanged.follow();
      isCurrent = true;
      isReserved = exchanged.isIncomplete ? await catchUp(own.length === 0 ? 0 : reserveMs) : exchanged.isReserved;
    }
  };
  return {
    get problem() {
      return log.problem ?? log.difference;
    },
    close,
    async pass(together) {
      try {
        // What only is to be told changes nothing.
        if (changes.list().length === 0) changes.settle();
        if (together.length === 0 && changes.isEmpty) return [];
        const { problem } = log;
        if (problem !== undefined) throw new CannotKeep({ status: 503, message: problem });
        return await work(together);
      } catch (error) {
        return refuse(together, error, changes);
      }
    },
  };
}
