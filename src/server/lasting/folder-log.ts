import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
// Not the global, which tests may replace by a fake timer.
import { setImmediate } from 'node:timers';
import { describeAll } from '../../mock/lasting/describe-all.js';
import type { Change } from '../../mock/world/changes.js';
import type { Worlds } from '../../mock/world/worlds.js';
import { AppendedFile, syncFolder, tellCode } from './appended-file.js';
import { CannotKeep, type ChangeLog } from './pass-in-turns.js';
import { writeLine, writeWhole } from './written-lines.js';

export interface FolderLogOptions {
  folder: string;
  /** Whether every write waits until the disk has it. */
  syncs: boolean;
  worlds: () => Worlds;
  /** The file that changes are added to, with its whole length; none in a folder that is new. */
  current: { number: number; length: number } | undefined;
  /** Called when the file cannot be rewritten. */
  tell: (message: string) => void;
}

/** A {@link ChangeLog} that can be told that the worlds are others. */
export interface FolderLog extends ChangeLog {
  /** Keeps everything that the worlds hold now, in place of what was kept. */
  rewrite(): void;
}

const NAME = /^state-(\d+)\.log$/;

/** The numbers of the files in a folder, the highest first. */
export function listFiles(folder: string): number[] {
  const found = readdirSync(folder).flatMap((name) => NAME.exec(name)?.[1] ?? []);
  return found.map(Number).sort((one, other) => other - one);
}

export function fileOf(folder: string, number: number): string {
  return join(folder, `state-${number}.log`);
}

/** A file is rewritten when changes have made it this long, and longer than what it began with. */
const LEAST_TO_REWRITE = 4 * 1024 * 1024;
const PIECE_LENGTH = 256 * 1024;

/** Appends the changes of each turn to a file, and now and then writes a new one that has what there is. */
export function openFolderLog(options: FolderLogOptions): FolderLog {
  return new LogInFolder(options);
}

class LogInFolder implements FolderLog {
  readonly #options: FolderLogOptions;
  #file: AppendedFile;
  #number: number;
  #startLength: number;
  /** The changes since a new file was begun, which go into both. */
  #since: string[] | undefined;
  /** Increases with each new file that is begun. */
  #attempt = 0;
  #failed: { line: string; problem: string } | undefined;

  constructor(options: FolderLogOptions) {
    this.#options = options;
    const { folder, current } = options;
    this.#number = current?.number ?? 0;
    this.#startLength = current?.length ?? 0;
    if (current === undefined) this.#file = this.#writeAtOnce();
    else this.#file = new AppendedFile(fileOf(folder, current.number), current.length, options.syncs);
    this.#removeOthers();
  }

  append(changes: readonly Change[]): void {
    const line = writeWhole(() => writeLine(changes));
    try {
      this.#file.append(line);
      this.#failed = undefined;
    } catch (error) {
      const problem = `${this.#options.folder} cannot be written (${tellCode(error)})`;
      this.#failed = { line, problem };
      throw new CannotKeep({ status: 507, message: problem });
    }
    this.#since?.push(line);
    if (this.#file.length - this.#startLength > Math.max(LEAST_TO_REWRITE, this.#startLength)) this.#beginNew();
  }

  /** Whoever is not sent requests while there is a problem would never find out that it has gone, so it is tried again. */
  get problem(): string | undefined {
    if (this.#failed !== undefined && this.#file.hasRoomFor(this.#failed.line)) this.#failed = undefined;
    return this.#failed?.problem;
  }

  rewrite(): void {
    this.#attempt += 1;
    this.#since = undefined;
    const before = this.#file;
    this.#file = this.#writeAtOnce();
    before.close();
    this.#removeOthers();
  }

  async close(): Promise<void> {
    this.#attempt += 1;
    this.#since = undefined;
    this.#file.close();
    this.#removeOthers();
  }

  #writeAtOnce(): AppendedFile {
    const file = this.#create();
    for (const piece of this.#describePieces()) file.append(piece);
    return this.#finish(file);
  }

  /** Writes a new file while the process serves others, and goes on there. */
  #beginNew(): void {
    if (this.#since !== undefined) return;
    this.#since = [];
    this.#attempt += 1;
    const attempt = this.#attempt;
    const pieces = this.#describePieces();
    let file: AppendedFile | undefined;
    const step = (): void => {
      if (attempt !== this.#attempt) return file?.close();
      try {
        file ??= this.#create();
        const { done, value } = pieces.next();
        if (done !== true) file.append(value);
        else return this.#goOnIn(file);
      } catch (error) {
        this.#since = undefined;
        this.#startLength = this.#file.length;
        file?.close();
        return this.#options.tell(
          `${this.#options.folder}: the data could not be rewritten (${tellCode(error)}), so the file grows on.`,
        );
      }
      setImmediate(step);
    };
    setImmediate(step);
  }

  #goOnIn(file: AppendedFile): void {
    for (const line of this.#since ?? []) file.append(line);
    this.#since = undefined;
    const before = this.#file;
    this.#file = this.#finish(file);
    before.close();
    this.#removeOthers();
  }

  /** What there is now, however late it is asked for: what changes meanwhile is added after it. */
  #describePieces(): Generator<string, undefined> {
    return writePieces(describeAll(this.#options.worlds()));
  }

  /** A file has its name once it is whole. */
  #create(): AppendedFile {
    return new AppendedFile(join(this.#options.folder, 'new.log'), 0, this.#options.syncs);
  }

  #finish(file: AppendedFile): AppendedFile {
    const { folder, syncs } = this.#options;
    this.#number += 1;
    file.rename(fileOf(folder, this.#number));
    if (syncs) syncFolder(folder);
    this.#startLength = file.length;
    return file;
  }

  #removeOthers(): void {
    const { folder } = this.#options;
    for (const number of listFiles(folder))
      if (number !== this.#number) rmSync(fileOf(folder, number), { force: true });
    rmSync(join(folder, 'new.log'), { force: true });
  }
}

function* writePieces(all: Iterable<Change>): Generator<string, undefined> {
  let piece = '';
  for (const change of all) {
    piece += writeLine([change]);
    if (piece.length < PIECE_LENGTH) continue;
    yield piece;
    piece = '';
  }
  yield piece;
  return undefined;
}
