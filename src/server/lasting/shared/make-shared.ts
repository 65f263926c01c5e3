import { randomUUID } from 'node:crypto';
// Not the global, which tests may replace by a fake timer.
import { clearInterval, setInterval } from 'node:timers';
import { PetstoreMockError } from '../../../errors.js';
import { createTracking } from '../../../mock/persistence/track-world.js';
import type { Changes } from '../../../mock/persistence/changes.js';
import type { Gate, Worlds } from '../../../mock/world/worlds.js';
import type { Lasting } from '../make-lasting.js';
import { CannotKeep, passBy } from '../pass-in-turns.js';
import { adviseOnEngine, readEngineAddress, type EngineAddress, connectEngine } from './engine.js';
import { takeFingerprint, keepMembers, type Members } from './recover.js';
import { passAmongOthers } from './pass-among-others.js';
import { SharedJournal } from './shared-journal.js';
import { SharedLog } from './shared-log.js';

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

/** How often a replica says that it lives, and looks what others did. */
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
