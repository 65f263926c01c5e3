import {
  leaveImage,
  readImage,
  writeImage,
  explainDifference,
  type Fingerprint,
  recover,
  type Position,
} from './recover.js';
import { setTimeout } from 'node:timers/promises';
import { printJson } from '../../../contract/document/json.js';
import { applyChanges, describeAll } from '../../../mock/persistence/apply-changes.js';
import type { Change, Changes } from '../../../mock/persistence/changes.js';
import type { Worlds } from '../../../mock/world/worlds.js';
import { CannotKeep } from '../pass-in-turns.js';
import { readChanges, writeWhole } from '../written-changes.js';
import { EngineError, type Engine } from './engine.js';
import { CLAIM, DAMAGED, RELEASE, REPLACE_IMAGE, TURN } from './scripts.js';

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
  /** Whether its changes are stored; if not, all that others did is to be made first. */
  isKept: boolean;
  /** Whether nobody else can append until this replica has, or the time of its reservation is over. */
  isReserved: boolean;
  /** Whether more of what others did is to be asked for, or another has reserved the next append. */
  isIncomplete: boolean;
  /** Makes what others did; the turn's own changes must have been taken back. */
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

  /** Why the others cannot be followed, which is asked again in each turn. */
  difference: string | undefined;

  /** Whether it began what is shared, and did not join it. */
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

  /** The engine has lost what it held, or was started anew. Nothing passes until it is known who knows most. */
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
      const put = await recover({
        engine,
        me,
        position: before,
        worlds: this.#worlds,
        fingerprint,
        others: listOthers(),
        isWanted: () => !this.#isClosed,
      });
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

  /** Begins with what all replicas begin with: this one knows nothing, other things, or too little. */
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

  /** Keeps the stream short. Where it is much too long, the next turn waits. */
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
    // What there is now, however late it is written.
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

// Not the global, which tests may replace by a fake timer.
