// Not the globals, which tests may replace by fake timers.
import { clearInterval, setImmediate, setInterval } from 'node:timers';
import type { Changes } from '../../../mock/persistence/changes.js';
import type { Tracking } from '../../../mock/persistence/track-world.js';
import type { JournalEntry, RecordedExchange } from '../../../mock/world/journal.js';
import type { World } from '../../../mock/world/world.js';
import type { Worlds } from '../../../mock/world/worlds.js';
import type { Engine } from './engine.js';
import type { Contract } from '../../../contract/contract.js';
import { parseJson, printJson } from '../../../contract/document/json.js';
import type { ApiResponse, RequestHeaders } from '../../../contract/model.js';
import { PLACEHOLDER } from '../../../redact/redactor.js';
import { isSecretName } from '../../../redact/secret-names.js';

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
