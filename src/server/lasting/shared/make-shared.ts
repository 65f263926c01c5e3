import { randomUUID } from 'node:crypto';
// Not the globals, which tests may replace by fake timers.
import { clearInterval, setInterval, setImmediate } from 'node:timers';
import { PetstoreMockError } from '../../../errors.js';
import { createTracking, type Tracking } from '../../../mock/persistence/track-world.js';
import type { Changes } from '../../../mock/persistence/changes.js';
import type { Gate, Worlds, Passed } from '../../../mock/world/worlds.js';
import type { Lasting } from '../data-folder.js';
import { CannotKeep, passBy, refuse, run, whenDone, type Keeper, type Waiting } from '../pass-in-turns.js';
import { adviseOnEngine, readEngineAddress, type EngineAddress, connectEngine, type Engine } from './engine.js';
import { takeFingerprint, keepMembers, SharedLog } from './shared-log.js';
import { setTimeout } from 'node:timers/promises';
import type { JournalEntry, RecordedExchange } from '../../../mock/world/journal.js';
import type { World } from '../../../mock/world/world.js';
import type { Contract } from '../../../contract/contract.js';
import { parseJson, printJson } from '../../../contract/document/json.js';
import type { ApiResponse, RequestHeaders } from '../../../contract/model.js';
import { PLACEHOLDER, isSecretName } from '../../../redact/redactor.js';

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

/** Appends exchanges. KEYS: the stream of each. ARGV: the most for each stream, the time for which they stay, each exchange. */
const APPEND = `
for at, key in ipairs(KEYS) do
  redis.call('XADD', key, 'MAXLEN', '~', ARGV[1], '*', 'e', ARGV[at + 2])
  redis.call('PEXPIRE', key, ARGV[2])
end
return 1
`;

const MOST_ENTRIES = 1000;
const LEAST_ENTRIES = 10;
const STAYS_MS = 24 * 60 * 60 * 1000;
const MOST_WAITING = 2000;
const MOST_AT_ONCE = 200;
const LOOK_MS = 200;

type Joined = { engine: Engine; me: string; worlds: Worlds };

/** The exchanges of all replicas, a stream for each world; they may come late, and none is waited for. */
export class SharedJournal {
  readonly #changes: Changes;
  #joined: Joined | undefined;
  #waiting: { world: World; entry: JournalEntry }[] = [];
  #isWriting = false;
  #meanBytes = 2000;
  #watchers = 0;
  #looking: NodeJS.Timeout | undefined;
  #isPulling: Promise<void> | undefined;
  readonly #addHere = new WeakMap<World, (entry: JournalEntry) => void>();
  readonly #read = new WeakMap<World, string>();

  constructor(changes: Changes) {
    this.#changes = changes;
  }

  join(joined: Joined): void {
    this.#joined = joined;
  }

  leave(): void {
    this.#joined = undefined;
    clearInterval(this.#looking);
  }

  track({ changes, track }: Tracking): Tracking {
    return { changes, track: (world) => track(this.#share(world)) };
  }

  #share(world: World): World {
    const { journal } = world;
    const inner = {
      add: journal.add.bind(journal),
      clear: journal.clear.bind(journal),
      release: journal.release.bind(journal),
      watch: journal.watch.bind(journal),
    };
    this.#addHere.set(world, inner.add);
    const leaving = (leave: () => void) => (): void => {
      leave();
      // Whoever made the change ends the stream; the others only hear of it.
      if (this.#changes.isSettling) this.#forget(world);
    };
    const shared: Partial<typeof inner> = {
      add: (entry) => {
        inner.add(entry);
        this.#write(world, entry);
      },
      clear: leaving(inner.clear),
      release: leaving(inner.release),
      watch: (callback) => {
        this.#watch(1);
        const stop = inner.watch(callback);
        let isWatched = true;
        return () => {
          if (isWatched) this.#watch(-1);
          isWatched = false;
          stop();
        };
      },
    };
    Object.assign(journal, shared);
    return world;
  }

  pull(): Promise<void> {
    this.#isPulling ??= this.#pull().finally(() => (this.#isPulling = undefined));
    return this.#isPulling;
  }

  async #pull(): Promise<void> {
    const joined = this.#joined;
    if (joined === undefined || joined.engine.problem !== undefined) return;
    const { engine, me, worlds } = joined;
    for (;;) {
      const byKey = new Map(worlds.all().map((world) => [engine.key(`journal:${world.name}`), world]));
      const from = [...byKey.values()].map((world) => this.#read.get(world) ?? '0-0');
      const args = ['COUNT', MOST_AT_ONCE, 'STREAMS', ...byKey.keys(), ...from];
      const found = (await engine.call('XREAD', ...args).catch(() => null)) as Found | null;
      if (found === null) return;
      let most = 0;
      for (const [key, entries] of found) {
        const world = byKey.get(key);
        most = Math.max(most, entries.length);
        for (const [id, [, text]] of world === undefined ? [] : entries) this.#take(world as World, { id, text, me });
      }
      if (most < MOST_AT_ONCE) return;
    }
  }

  #take(world: World, { id, text, me }: { id: string; text: string; me: string }): void {
    this.#read.set(world, id);
    const entry = readEntry(text, me, world.contract);
    if (entry !== undefined) this.#addHere.get(world)?.(entry);
  }

  #write(world: World, entry: JournalEntry): void {
    if (this.#joined === undefined) return;
    this.#waiting.push({ world, entry });
    if (this.#waiting.length > MOST_WAITING) this.#waiting.splice(0, MOST_WAITING / 2);
    if (this.#isWriting) return;
    this.#isWriting = true;
    setImmediate(() => void this.#writeAll().finally(() => (this.#isWriting = false)));
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0 && this.#joined !== undefined) {
      const { engine, me, worlds } = this.#joined;
      const together = this.#waiting.splice(0, MOST_AT_ONCE);
      if (engine.problem !== undefined) continue;
      const texts = together.map(({ world, entry }) => writeEntry(entry, me, world));
      const bytes = texts.reduce((sum, { length }) => sum + length, 0) / texts.length;
      this.#meanBytes = 0.9 * this.#meanBytes + 0.1 * bytes;
      const share = worlds.default.memory.journals.most / worlds.names().length;
      const most = Math.max(LEAST_ENTRIES, Math.min(MOST_ENTRIES, Math.floor(share / this.#meanBytes)));
      const keys = together.map(({ world }) => engine.key(`journal:${world.name}`));
      await engine.run(APPEND, keys, [most, STAYS_MS, ...texts]).catch(() => {});
    }
  }

  #forget({ name }: World): void {
    const { engine } = this.#joined ?? {};
    engine?.call('DEL', engine.key(`journal:${name}`)).catch(() => {});
  }

  #watch(more: number): void {
    this.#watchers += more;
    if (this.#watchers === 0) clearInterval(this.#looking);
    else if (this.#watchers === 1 && more === 1) {
      void this.pull();
      this.#looking = setInterval(() => void this.pull(), LOOK_MS).unref();
    }
  }
}

type Found = [key: string, entries: [id: string, fields: [name: string, text: string]][]][];

interface Written {
  by: string;
  exchange: RecordedExchange;
  request: Omit<JournalEntry['request'], 'body'> & { body?: string };
  response: Omit<ApiResponse, 'body'> & { text?: string };
}

/** An entry of the journal as text for other processes. It has no keys: what left this process could be read by anyone who reads the engine. */
function writeEntry({ exchange, request, response }: JournalEntry, by: string, { redact }: World): string {
  const { body, ...asked } = request;
  const { body: answered, ...status } = response;
  const { crash, ...told } = exchange;
  const written: Written = {
    by,
    exchange: { ...told, url: redact(told.url), crash: crash instanceof Error ? redact(crash.message) : undefined },
    request: {
      ...asked,
      path: redact(asked.path),
      query: redact(asked.query),
      headers: hide(asked.headers, redact),
      ...(body === undefined ? {} : { body: redact(Buffer.from(body).toString('latin1')) }),
    },
    response: {
      ...status,
      headers: hide(status.headers, redact) as ApiResponse['headers'],
      ...(answered === undefined ? {} : { text: redact(answered.text) }),
    },
  };
  return printJson(written);
}

function readEntry(text: string, me: string, contract: Contract): JournalEntry | undefined {
  const parsed = parseJson(text);
  if (!parsed.ok) return undefined;
  const { by, exchange, request, response } = parsed.value as Written;
  if (by === me) return undefined;
  const { body, ...asked } = request;
  const { text: answered, ...status } = response;
  const value = answered === undefined ? undefined : parseJson(answered);
  return {
    exchange,
    operation: contract.operations.find(({ id }) => id === exchange.operationId),
    request: { ...asked, body: body === undefined ? undefined : Buffer.from(body, 'latin1') },
    response: {
      ...status,
      body: answered === undefined ? undefined : { value: value?.ok === true ? value.value : answered, text: answered },
    },
  };
}

function hide(headers: RequestHeaders, redact: (text: string) => string): RequestHeaders {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      value === undefined ? undefined : isSecretName(name) ? PLACEHOLDER : redact(value),
    ]),
  );
}
