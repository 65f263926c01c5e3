import { closeSync, fdatasyncSync, fsyncSync, ftruncateSync, openSync, renameSync, writeSync } from 'node:fs';

/** A file that is appended to. What was written in part is cut off again. */
export class AppendedFile {
  #path: string;
  readonly #descriptor: number;
  readonly #syncs: boolean;
  length: number;

  constructor(path: string, length: number, syncs: boolean) {
    this.#path = path;
    this.#syncs = syncs;
    this.length = length;
    this.#descriptor = openSync(path, length === 0 ? 'w' : 'r+');
    // What a killed process wrote in part was never acknowledged.
    ftruncateSync(this.#descriptor, length);
  }

  append(text: string): void {
    const bytes = Buffer.from(text);
    try {
      for (let written = 0; written < bytes.length;)
        written += writeSync(this.#descriptor, bytes, written, bytes.length - written, this.length + written);
      if (this.#syncs) fdatasyncSync(this.#descriptor);
    } catch (error) {
      ftruncateSync(this.#descriptor, this.length);
      throw error;
    }
    this.length += bytes.length;
  }

  /** Whether a text could be appended now. */
  hasRoomFor(text: string): boolean {
    const { length } = this;
    try {
      this.append(text);
    } catch {
      return false;
    }
    this.length = length;
    ftruncateSync(this.#descriptor, length);
    return true;
  }

  rename(path: string): void {
    if (this.#syncs) fsyncSync(this.#descriptor);
    renameSync(this.#path, path);
    this.#path = path;
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

/** The name of a file is on the disk when its folder is; some systems do not open folders. */
export function syncFolder(folder: string): void {
  try {
    const descriptor = openSync(folder, 'r');
    fsyncSync(descriptor);
    closeSync(descriptor);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
  }
}

/** Why the system refused. */
export function tellCode(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}
