// Not the global, which tests may replace by a fake timer.
import { join } from 'node:path';
import { clearTimeout, setImmediate, setTimeout } from 'node:timers';
import type { ClassicLevel } from 'classic-level';
import { PetstoreMockError } from '../../errors.js';
import { describeAll } from '../../mock/persistence/apply-changes.js';
import type { Change } from '../../mock/persistence/changes.js';
import type { Worlds } from '../../mock/world/worlds.js';
import { CannotKeep, type ChangeLog, cutChunks, seal, sealChanges, unsealChanges, checksum } from './pass-in-turns.js';
import { closeSync, fstatSync, openSync, readFileSync, writeSync } from 'node:fs';
import { uptime } from 'node:os';

export const DATABASE = 'level';
const SNAPSHOT = 'snapshot';
const partKey = (snapshot: number, part: number): string => `part/${pad(snapshot)}/${pad(part)}`;
const changeKey = (number: number): string => `change/${pad(number)}`;
const pad = (number: number): string => String(number).padStart(15, '0');

type Snapshot = { number: number; parts: number; upTo: number };
export type Stored = { snapshot: Snapshot | undefined; last: number; grown: number };

/** What is wrong with a database, a phrase: `the changes 7 to 9 are missing`. */
export class Damage extends Error {}

export type Level = ClassicLevel;

/** Opens the database of a folder; makes one only if there is none of it. Throws {@link Damage} for one that cannot be read. */
export async function openLevel(
  folder: string,
  { isNew, repairs }: { isNew: boolean; repairs: boolean },
): Promise<Level> {
  const Database = await loadLevel();
  const path = join(folder, DATABASE);
  const options = { createIfMissing: isNew, keyEncoding: 'utf8', valueEncoding: 'utf8' } as const;
  const open = async (): Promise<Level> => {
    const level = new Database(path, options);
    await level.open();
    return level;
  };
  try {
    if (repairs && !isNew) await Database.repair(path);
    return await open();
  } catch (error) {
    const cause = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
    if (cause.code === 'LEVEL_LOCKED')
      throw new PetstoreMockError(
        'data-in-use',
        `another mock uses the data in ${folder}; stop it, or name another folder with --data.`,
      );
    if (isNew) throw Object.assign(new Error(cause.message), { code: describeCause(cause) });
    throw new Damage(describeCause(cause));
  }
}

async function loadLevel(): Promise<typeof ClassicLevel> {
  try {
    return (await import('classic-level')).ClassicLevel;
  } catch {
    throw new PetstoreMockError(
      'bad-option',
      '--data needs the package classic-level; install it: npm install classic-level.',
    );
  }
}

/** Why the engine or the system rejected something: `No space left on device`. */
export function describeCause(error: unknown): string {
  const { code, message, cause } = error as NodeJS.ErrnoException;
  const said = cause instanceof Error ? cause.message : message;
  return said.includes(': ') ? said.slice(said.lastIndexOf(': ') + 2) : (code ?? said);
}

/** Reads batches of changes in order. Throws {@link Damage} for the first bad one; with `skips`, leaves it out. */
export async function readLevel(
  level: Level,
  each: (changes: readonly Change[]) => void,
  { skips = false } = {},
): Promise<Stored> {
  const found = await readSnapshot(level, skips);
  const read = (key: string, value: string): boolean => {
    const changes = unsealChanges(value, key);
    if (changes === undefined && !skips) throw new Damage(`${key} is damaged`);
    if (changes !== undefined) each(changes);
    return changes !== undefined;
  };
  if (found !== undefined) {
    let next = 0;
    const prefix = `part/${pad(found.number)}/`;
    for await (const [key, value] of level.iterator({ gte: prefix, lt: `${prefix}~` })) {
      if (key !== partKey(found.number, next) && !skips) break;
      read(key, value);
      next += 1;
    }
    if (next !== found.parts && !skips) throw new Damage(`part ${next + 1} of ${found.parts} is missing`);
  }
  let last = found?.upTo ?? 0;
  let grown = 0;
  for await (const [key, value] of level.iterator({ gt: changeKey(last), lt: 'change/~' })) {
    if (key !== changeKey(last + 1) && !skips) throw new Damage(`change ${last + 1} is missing`);
    read(key, value);
    last = Number(key.slice('change/'.length));
    grown += value.length;
  }
  return { snapshot: found, last, grown };
}

async function readSnapshot(level: Level, skips: boolean): Promise<Snapshot | undefined> {
  const text = await level.get(SNAPSHOT);
  if (text === undefined) {
    const [first] = await level.keys({ limit: 1 }).all();
    if (first === undefined || first === changeKey(1)) return undefined;
    if (!skips) throw new Damage('the entry of the snapshot is missing');
    const [newest] = await level.keys({ gte: 'part/', lt: 'part/~', reverse: true, limit: 1 }).all();
    return newest === undefined ? undefined : { number: Number(newest.split('/')[1]), parts: 0, upTo: 0 };
  }
  const [snapshot] = (unsealChanges(text, SNAPSHOT) ?? []) as unknown as Snapshot[];
  if (snapshot === undefined) throw new Damage('the entry of the snapshot is damaged');
  return snapshot;
}

/** A snapshot is made when the changes after the last one are this long, in characters, and longer than it is. */
const LEAST_TO_REWRITE = 4 * 1024 * 1024;
const FLUSH_MS = 1000;

interface LevelLogOptions {
  folder: string;
  syncs: boolean;
  worlds: () => Worlds;
  level: Level;
  stored: Stored;
  tell: (message: string) => void;
}

/** Stores the changes of each turn in a database, and now and then a snapshot in their place. */
export class LevelLog implements ChangeLog {
  readonly #options: LevelLogOptions;
  readonly #acknowledged: AcknowledgedFile;
  #level: Level;
  #snapshot: Snapshot | undefined;
  #snapshotLength = 0;
  #last: number;
  #flushed = 0;
  #grown: number;
  #failed: string | undefined;
  #reopening: Promise<boolean> | undefined;
  #flushing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #attempt = 0;
  #making: Promise<void> | undefined;
  #appending: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: LevelLogOptions) {
    this.#options = options;
    this.#level = options.level;
    const { snapshot, last, grown } = options.stored;
    this.#snapshot = snapshot;
    this.#last = last;
    this.#grown = grown;
    this.#acknowledged = new AcknowledgedFile(options.folder);
    this.#acknowledge();
  }

  async append(changes: readonly Change[]): Promise<void> {
    const key = changeKey(this.#last + 1);
    const value = sealChanges(changes, key);
    if (this.#failed !== undefined && !(await this.#reopen())) throw this.#cannot();
    try {
      this.#appending = this.#level.put(key, value, { sync: this.#options.syncs });
      await this.#appending;
    } catch (error) {
      this.#failed = describeCause(error);
      throw this.#cannot();
    } finally {
      this.#appending = undefined;
    }
    this.#last += 1;
    this.#grown += value.length;
    if (this.#options.syncs) this.#flushed = this.#last;
    else this.#timer ??= setTimeout(() => void this.#flush(), FLUSH_MS).unref();
    this.#acknowledge();
    const isLong = this.#grown > Math.max(LEAST_TO_REWRITE, this.#snapshotLength);
    if (isLong && this.#making === undefined) void this.rewrite();
  }

  #acknowledge(): void {
    this.#acknowledged.write(this.#last, this.#flushed);
  }

  #cannot(): CannotKeep {
    return new CannotKeep({ status: 507, message: this.#problem ?? '' });
  }

  get #problem(): string | undefined {
    return this.#failed === undefined ? undefined : `${this.#options.folder} cannot be written (${this.#failed})`;
  }

  /** Whoever is not sent requests while there is a problem would never find out that it has gone, so it is tried again. */
  get problem(): string | undefined {
    const problem = this.#problem;
    if (problem !== undefined) void this.#reopen();
    return problem;
  }

  /** A failed write may break the end of the database's log, and with it what follows: opening it anew mends that. */
  #reopen(): Promise<boolean> {
    this.#reopening ??= this.#openAnew()
      .then(
        () => (this.#failed = undefined),
        (error: unknown) => (this.#failed = describeCause(error)),
      )
      .then((failed) => failed === undefined)
      .finally(() => (this.#reopening = undefined));
    return this.#reopening;
  }

  async #openAnew(): Promise<void> {
    await this.#level.close();
    this.#level = await openLevel(this.#options.folder, { isNew: false, repairs: false });
    // What a client was told did not happen may be there all the same.
    await this.#level.clear({ gt: changeKey(this.#last), lt: 'change/~' });
    await this.#level.put('probe', '', { sync: true });
    await this.#level.del('probe');
  }

  async #flush(): Promise<void> {
    this.#timer = undefined;
    if (this.#failed !== undefined) return;
    const upTo = this.#last;
    this.#flushing = this.#level
      .put('flush', '', { sync: true })
      .then(() => {
        this.#flushed = Math.max(this.#flushed, upTo);
        this.#acknowledge();
      })
      .catch((error: unknown) => {
        this.#failed = describeCause(error);
      });
    await this.#flushing;
  }

  rewrite(): Promise<void> {
    const attempt = (this.#attempt += 1);
    const parts = cutChunks(describeAll(this.#options.worlds()));
    const [last, grown] = [this.#last, this.#grown];
    // A change that is being stored now is part of what there is.
    const upTo = this.#appending?.then(
      () => last + 1,
      () => last,
    );
    const before = this.#making;
    this.#making = (async () => {
      await before;
      await this.#makeSnapshot(parts, { attempt, upTo: (await upTo) ?? last, grown });
    })()
      .catch((error: unknown) => {
        if (this.#isClosed) return;
        this.#snapshotLength = this.#grown;
        const { folder, tell } = this.#options;
        tell(`${folder}: no snapshot could be made (${describeCause(error)}), so the folder keeps growing.`);
      })
      .finally(() => {
        if (attempt === this.#attempt) this.#making = undefined;
      });
    return this.#making;
  }

  async #makeSnapshot(
    all: Iterable<string>,
    { attempt, upTo, grown }: { attempt: number; upTo: number; grown: number },
  ): Promise<void> {
    const number = (this.#snapshot?.number ?? 0) + 1;
    await this.#level.clear({ gte: `part/${pad(number)}`, lt: 'part/~' });
    let parts = 0;
    let length = 0;
    for (const part of all) {
      if (attempt !== this.#attempt) return;
      const key = partKey(number, parts);
      const value = seal(() => part, key);
      await this.#level.put(key, value);
      parts += 1;
      length += value.length;
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    const snapshot = { number, parts, upTo };
    await this.#level.put(SNAPSHOT, sealChanges([snapshot] as unknown as Change[], SNAPSHOT), { sync: true });
    this.#snapshot = snapshot;
    this.#snapshotLength = length;
    this.#grown -= grown;
    await this.#level.clear({ gte: 'change/', lte: changeKey(upTo) });
    await this.#level.clear({ gte: 'part/', lt: `part/${pad(number)}` });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#attempt += 1;
    clearTimeout(this.#timer);
    await this.#making;
    await this.#reopening;
    await this.#flushing;
    await this.#flush();
    await this.#level.close();
    this.#acknowledged.close();
  }
}

/** How far clients were told that their changes are stored. The database alone cannot tell a lost end from one that never was. */
export type Acknowledged = { last: number; flushed: number; isBeforeBoot: boolean };

const NAME = 'acknowledged';
const FORMAT = 1;
const LENGTH = 64;

/** The file of a folder, which is overwritten in place: 64 bytes, less than a disk writes at once. */
class AcknowledgedFile {
  readonly #descriptor: number;

  constructor(folder: string) {
    const path = join(folder, NAME);
    this.#descriptor = openSync(path, readFile(path) === undefined ? 'w+' : 'r+');
  }

  write(last: number, flushed: number): void {
    const text = `${FORMAT} ${last} ${flushed}`.padEnd(LENGTH - 10);
    writeSync(this.#descriptor, `${text} ${checksum(text)}\n`, 0, 'latin1');
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

/** What the file of a folder says; `none` if there is no file, `newer` if a later version wrote it, `damaged` if it was. */
export function readAcknowledged(folder: string): Acknowledged | 'none' | 'newer' | 'damaged' {
  const found = readFile(join(folder, NAME));
  if (found === undefined) return 'none';
  const { text, writtenAt } = found;
  const head = text.slice(0, LENGTH - 10);
  if (text !== `${head} ${checksum(head)}\n`) return 'damaged';
  const [format = 0, last = 0, flushed = 0] = head.trim().split(' ').map(Number);
  if (format > FORMAT) return 'newer';
  return { last, flushed, isBeforeBoot: writtenAt < Date.now() - uptime() * 1000 };
}

function readFile(path: string): { text: string; writtenAt: number } | undefined {
  try {
    const descriptor = openSync(path, 'r');
    try {
      return { text: readFileSync(descriptor, 'latin1'), writtenAt: fstatSync(descriptor).mtimeMs };
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
