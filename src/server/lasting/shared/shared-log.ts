import { setTimeout, setImmediate } from 'node:timers/promises';
import { printJson } from '../../../contract/document/json.js';
import { applyChanges, describeAll } from '../../../mock/persistence/apply-changes.js';
import type { Change, Changes } from '../../../mock/persistence/changes.js';
import type { Worlds } from '../../../mock/world/worlds.js';
import { CannotKeep, readChanges, writeWhole, cutChunks } from '../pass-in-turns.js';
import { EngineError, type Engine } from './engine.js';
import { CLAIM, DAMAGED, RELEASE, REPLACE_IMAGE, TURN, ANNOUNCE, BEGIN, STAY } from './scripts.js';
import { randomUUID, createHash } from 'node:crypto';
import type { World } from '../../../mock/world/world.js';
import { readPackageVersion } from '../../../package-files.js';

interface Recovering {
  engine: Engine;
  me: string;
  position: Position;
  worlds: Worlds;
  fingerprint: Fingerprint;
  others: readonly string[];
  isWanted: () => boolean;
}

const COUNTS_SECONDS = 10;
const SETTLE_MS = 3000;
/** So long a replica is waited for that was there before; on a busy machine one may stand still for seconds. */
const PATIENCE_MS = COUNTS_SECONDS * 1000;
const BETWEEN_MS = 100;
const numberOf = ({ epoch }: Position): number => (epoch === '' ? 0 : Number.parseInt(epoch, 10));

/** Waits until the engine goes on, or puts everything back if it knows most. Rejects with an `EngineError`. */
export async function recover(options: Recovering): Promise<Position | undefined> {
  const { engine, me, position, others, isWanted } = options;
  const keys = ['head', 'log', 'back'].map((name) => engine.key(name));
  while (isWanted()) {
    const known = others.filter((other) => other !== me);
    const args = [me, numberOf(position), position.seq, SETTLE_MS, PATIENCE_MS, ...known];
    const [told, run] = (await engine.run(ANNOUNCE, keys, args)) as string[];
    if (told === 'going') return undefined;
    if (told === 'put-back' && run !== undefined) {
      const put = await putBack(options, run, keys);
      if (put !== undefined) return put;
    }
    await setTimeout(BETWEEN_MS);
  }
  return undefined;
}

async function putBack(
  { engine, position, worlds, fingerprint }: Recovering,
  run: string,
  keys: readonly string[],
): Promise<Position | undefined> {
  const n = numberOf(position) + 1;
  const epoch = `${n}-${randomUUID().slice(0, 13)}`;
  const image = await writeImage(describeAll(worlds), engine.key(`image:${epoch}:${position.seq}`), engine);
  const head = {
    epoch,
    n,
    seq: position.seq,
    from: position.epoch === '' ? '-' : position.epoch,
    upto: position.seq,
    imageseq: position.seq,
    chunks: image.chunks,
    imagebytes: image.bytes,
    fingerprint: JSON.stringify(fingerprint),
  };
  const told = await engine.run(BEGIN, [...keys, image.key], [run, ...Object.entries(head).flat()]);
  return told === 'done' ? { epoch, seq: position.seq } : undefined;
}

export function keepMembers(engine: Engine, me: string, isQuiet: () => boolean) {
  /** When each was there last: an engine that has lost its data has forgotten the others before anybody notices. */
  const seen = new Map<string, number>();
  const key = engine.key('members');
  return {
    async stay(): Promise<void> {
      // While it is found out who is ahead, the members are those that there were before.
      if (engine.problem !== undefined || isQuiet()) return;
      try {
        const all = (await engine.run(STAY, [key], [me, COUNTS_SECONDS])) as string[];
        if (isQuiet()) return;
        for (const each of all) seen.set(each, performance.now());
      } catch {
        // Whether it can be reached is told elsewhere.
      }
    },
    async leave(): Promise<void> {
      if (engine.problem === undefined) await engine.call('ZREM', key, me).catch(() => {});
    },
    /** Those that were there in the last {@link COUNTS_SECONDS}. */
    list: (): string[] => {
      const since = performance.now() - COUNTS_SECONDS * 1000;
      return [...seen].flatMap(([id, at]) => (at >= since ? id : []));
    },
  };
}

export type Position = { epoch: string; seq: number };

/** What all replicas of a mock must have in common, each part as a short text. */
export type Fingerprint = Readonly<Record<string, string>>;

export function takeFingerprint(world: World): Fingerprint {
  const { contract, startProfile, startDelay, clock, faults, collections } = world;
  return {
    'version of petstore-mock': readPackageVersion(),
    contract: `${contract.title} ${digest([contract.document.root, contract.corrections])}`,
    profile: digest([startProfile.choices, startProfile.values, startProfile.unknown, startProfile.seen]),
    delay: JSON.stringify(startDelay ?? 0),
    date: JSON.stringify(clock.start ?? 'today'),
    faults: digest(faults.save()),
    'max-pets': String(collections.capacity),
  };
}

const ADVICE =
  'All replicas must have the same version and settings. For an upgrade or another setting, stop all of them, and start all with another ?prefix=, or remove the keys of this one first. The shared state is not moved: GET /__admin/fixtures exports the records of a world before, and PUT /__admin/fixtures imports them afterwards';

/** Why a replica cannot share an engine with others, a sentence and what to do; `undefined` if it can. */
export function explainDifference(own: Fingerprint, others: Fingerprint, shown: string): string | undefined {
  const found = Object.keys(own).find((part) => own[part] !== others[part]);
  if (found === undefined) return undefined;
  const both = `there: ${others[found] ?? 'none'}, here: ${own[found]}`;
  return `this replica cannot use ${shown}: other replicas run, or ran, with another ${found} (${both}). ${ADVICE}`;
}

const digest = (value: unknown): string => createHash('sha256').update(printJson(value)).digest('hex').slice(0, 12);
const UNUSED_SECONDS = 120;
const REPLACED_SECONDS = 60;
const CHUNKS_AT_ONCE = 16;

type WrittenImage = Awaited<ReturnType<typeof writeImage>>;

/** Writes an image while the process serves. Rejects with an `EngineError`. */
export async function writeImage(all: Iterable<Change>, key: string, engine: Engine) {
  await engine.call('DEL', key);
  const image = { key, chunks: 0, bytes: 0 };
  for (const chunk of cutChunks(all)) {
    await engine.call('RPUSH', key, chunk);
    await engine.call('EXPIRE', key, UNUSED_SECONDS);
    image.chunks += 1;
    image.bytes += Buffer.byteLength(chunk);
    await setImmediate();
  }
  return image;
}

/** The changes of an image; `undefined` if it is not whole. Rejects with an `EngineError`. */
export async function readImage(
  { key, chunks }: Pick<WrittenImage, 'key' | 'chunks'>,
  engine: Engine,
): Promise<Change[] | undefined> {
  const all: Change[] = [];
  let count = 0;
  for (let at = 0; at < chunks; at += CHUNKS_AT_ONCE) {
    const texts = (await engine.call('LRANGE', key, at, at + CHUNKS_AT_ONCE - 1)) as string[];
    for (const text of texts) {
      const changes = readChanges(text);
      if (changes === undefined) return undefined;
      for (const change of changes) all.push(change);
      count += 1;
    }
  }
  return count === chunks ? all : undefined;
}

export async function leaveImage(key: string, engine: Engine): Promise<void> {
  await engine.call('EXPIRE', key, REPLACED_SECONDS);
}

interface SharedLogOptions {
  engine: Engine;
  me: string;
  worlds: Worlds;
  changes: Changes;
  fingerprint: Fingerprint;
  listOthers: () => readonly string[];
  /** The largest size that all changes may have beside the image, in bytes. */
  mostBytes: number;
  tell: (message: string) => void;
}

const NOWHERE: Position = { epoch: '', seq: 0 };
const ENTRIES_AT_ONCE = 500;
const LEAST_BYTES = 4 * 1024 * 1024;
const WRITING_MS = 60_000;

interface Exchanged {
  isKept: boolean;
  /** Whether nobody else can append until this replica has, or the time of its reservation is over. */
  isReserved: boolean;
  /** Whether more of what others did is to be asked for, or another has reserved the next append. */
  isIncomplete: boolean;
  follow: () => void;
}

export class SharedLog {
  readonly #options: SharedLogOptions;
  #position = NOWHERE;
  #recovering: Promise<void> | undefined;
  #problem: string | undefined;
  #isWriting = false;
  #isOpen = false;
  #isClosed = false;
  #worlds: Worlds;
  #loaded = '';

  constructor(options: SharedLogOptions) {
    this.#options = options;
    this.#worlds = options.worlds;
  }

  get problem(): string | undefined {
    return this.#options.engine.problem ?? this.#problem;
  }

  difference: string | undefined;

  isFounder = false;

  /** Joins what is shared, or begins it. Rejects with a {@link CannotKeep}. */
  async open(): Promise<void> {
    for (;;) {
      const { isIncomplete, follow } = await this.exchange([], 0);
      follow();
      if (!isIncomplete) break;
      await this.#recovering;
    }
    this.#isOpen = true;
  }

  /** Appends a turn's changes, or asks for those of others. Rejects with a {@link CannotKeep}. */
  async exchange(own: readonly Change[], reserveMs: number): Promise<Exchanged> {
    const { engine, me } = this.#options;
    const text = own.length === 0 ? '' : writeWhole(() => printJson(own));
    const { epoch, seq } = this.#position;
    const keys = [engine.key('head'), engine.key('log')];
    const args = [epoch, seq, text, me, reserveMs, ENTRIES_AT_ONCE];
    const reply = (await this.#ask(() => engine.run(TURN, keys, args))) as [string, ...unknown[]];
    const [told, nowEpoch, last, reserved, ...rest] = reply as [string, string, number, number, ...string[]];
    if (told === 'lost') return this.#lose();
    if (told === 'other' || told === 'image') return this.#load();
    this.difference = undefined;
    this.#position = { epoch: nowEpoch, seq };
    const common = { isReserved: reserved === 1, follow: () => {} };
    if (told === 'busy') return { ...common, isKept: false, isIncomplete: true };
    if (told === 'current') return { ...common, isKept: true, isIncomplete: reserveMs > 0 && reserved !== 1 };
    if (told === 'behind') {
      const follow = (): void => {
        for (const each of rest) applyChanges(readChanges(each) ?? [], this.#worlds, this.#options.changes);
        this.#position = { epoch: nowEpoch, seq: seq + rest.length };
      };
      const isIncomplete = (reserveMs > 0 && reserved !== 1) || seq + rest.length < last;
      return { ...common, isKept: false, isIncomplete, follow };
    }
    this.#position.seq = last;
    await this.#rewriteIfDue(Number(rest[0]), Number(rest[1]));
    return { ...common, isKept: true, isIncomplete: false };
  }

  release(): void {
    const { engine, me } = this.#options;
    engine.run(RELEASE, [engine.key('head')], [me]).catch(() => {});
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#recovering;
    while (this.#isWriting && this.#options.engine.problem === undefined) await setTimeout(10);
  }

  async #ask<Result>(question: () => Promise<Result>): Promise<Result> {
    const { engine } = this.#options;
    try {
      return await question();
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      if (error.word === 'OOM')
        throw new CannotKeep({ status: 507, message: `${engine.shown} has no memory for more: ${error.message}` });
      const problem = error.word === undefined ? `cannot be reached (${error.message})` : `refuses: ${error.message}`;
      throw new CannotKeep({ status: 503, message: engine.problem ?? `${engine.shown} ${problem}` });
    }
  }

  #lose(): Exchanged {
    const { engine, tell } = this.#options;
    this.#problem = `${engine.shown} was started anew or lost its data; the replicas are finding out which of them is furthest ahead`;
    if (this.#isOpen) tell(`${this.#problem}.`);
    this.#recovering ??= this.#recover().finally(() => {
      this.#recovering = undefined;
      this.#problem = undefined;
    });
    if (!this.#isOpen) return { isKept: false, isReserved: false, isIncomplete: true, follow: () => {} };
    throw new CannotKeep({ status: 503, message: this.#problem });
  }

  async #recover(): Promise<void> {
    const { engine, me, fingerprint, listOthers, tell } = this.#options;
    // What was read at the start may have holes.
    const before = this.#isOpen ? this.#position : NOWHERE;
    try {
      const asked = { engine, me, position: before, worlds: this.#worlds, fingerprint };
      const put = await recover({ ...asked, others: listOthers(), isWanted: () => !this.#isClosed });
      if (put === undefined) return;
      this.#position = put;
      this.isFounder = before.epoch === '';
      if (!this.isFounder) tell(`this replica was furthest ahead, and put the data back into ${engine.shown}.`);
    } catch (error) {
      // The next turn finds out how things stand.
      if (!(error instanceof EngineError)) throw error;
      if (!this.#isOpen && error.word !== undefined)
        throw new CannotKeep({ status: 503, message: `${engine.shown} cannot be used: ${error.message}` });
    }
  }

  async #load(): Promise<Exchanged> {
    const { engine, changes, tell, fingerprint } = this.#options;
    const names = ['epoch', 'image', 'imageseq', 'chunks', 'fingerprint'];
    const head = (await this.#ask(() => engine.call('HMGET', engine.key('head'), ...names))) as string[];
    const [epoch = '', key = '', seq = '0', chunks = '0', written = '{}'] = head;
    const incomplete = { isKept: false, isReserved: false, isIncomplete: true };
    if (epoch === null || key === null) return { ...incomplete, follow: () => {} };
    const before = this.difference;
    this.difference = explainDifference(fingerprint, JSON.parse(written) as Fingerprint, engine.shown);
    if (this.difference !== undefined) {
      if (this.#isOpen && before === undefined) tell(`${this.difference}.`);
      throw new CannotKeep({ status: 503, message: this.difference });
    }
    const image = await this.#ask(() => readImage({ key, chunks: Number(chunks) }, engine));
    const place = `${key} ${seq}`;
    if (image === undefined || this.#loaded === place) {
      const isSame = (await this.#ask(() => engine.call('HGET', engine.key('head'), 'image'))) === key;
      if (isSame) await this.#ask(() => engine.run(DAMAGED, [engine.key('head')], [epoch, key, seq]));
      this.#loaded = '';
      return { ...incomplete, follow: () => {} };
    }
    const isOther =
      this.#position.epoch !== '' && Number.parseInt(epoch, 10) !== Number.parseInt(this.#position.epoch, 10);
    if (isOther) tell(`${engine.shown} has another history than this replica, which follows it from now on.`);
    const follow = (): void => {
      applyChanges(image, this.#worlds, changes);
      this.#position = { epoch, seq: Number(seq) };
      this.#loaded = place;
    };
    return { ...incomplete, follow };
  }

  async #rewriteIfDue(bytes: number, imageBytes: number): Promise<void> {
    const { mostBytes } = this.#options;
    this.#loaded = '';
    if (this.#isWriting || this.#isClosed || bytes < Math.min(Math.max(LEAST_BYTES, imageBytes), mostBytes)) return;
    this.#isWriting = true;
    const writing = this.#rewrite(bytes).finally(() => (this.#isWriting = false));
    if (bytes > mostBytes) await writing;
  }

  async #rewrite(bytes: number): Promise<void> {
    const { engine, me } = this.#options;
    const { epoch, seq } = this.#position;
    const all = describeAll(this.#worlds);
    try {
      if ((await engine.run(CLAIM, [engine.key('head')], [epoch, me, WRITING_MS])) !== 1) return;
      const image = await writeImage(all, engine.key(`image:${epoch}:${seq}`), engine);
      const keys = [engine.key('head'), engine.key('log'), image.key];
      const args = [epoch, seq, image.chunks, bytes, image.bytes, me];
      const before = (await engine.run(REPLACE_IMAGE, keys, args)) as string;
      if (before !== '') await leaveImage(before, engine);
    } catch (error) {
      // The stream grows on; a later turn tries again.
      if (!(error instanceof EngineError)) throw error;
    }
  }
}
