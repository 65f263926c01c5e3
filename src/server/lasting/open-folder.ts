import { mkdirSync, readFileSync } from 'node:fs';
import { formatPlace, PetstoreMockError } from '../../errors.js';
import { applyChanges } from '../../mock/lasting/apply-change.js';
import type { Changes } from '../../mock/world/changes.js';
import type { Worlds } from '../../mock/world/worlds.js';
import { dropUnfit } from './drop-unfit.js';
import { fileOf, listFiles, openFolderLog, type FolderLog } from './folder-log.js';
import { lockFolder } from './lock-folder.js';
import { readLine } from './written-lines.js';

export interface FolderOptions {
  folder: string;
  /** Whether every write waits until the disk has it. */
  syncs: boolean;
  tell: (message: string) => void;
}

/** A folder with what worlds hold. */
export interface LastingFolder {
  log: FolderLog;
  /** Whether the worlds are those of an earlier start. */
  isContinued: boolean;
}

/**
 * Gives worlds what a folder holds, and keeps there what changes from now on. Rejects with a `PetstoreMockError` for a
 * folder that is in use, or that cannot be used.
 */
export async function openFolder(
  worlds: () => Worlds,
  changes: Changes,
  { folder, syncs, tell }: FolderOptions,
): Promise<LastingFolder> {
  const unlock = await orExplain(folder, async () => {
    mkdirSync(folder, { recursive: true });
    return lockFolder(folder);
  });
  try {
    return await orExplain(folder, async () => {
      const [number] = listFiles(folder);
      const current =
        number === undefined ? undefined : { number, length: load(fileOf(folder, number), worlds(), changes) };
      const unfit = dropUnfit(worlds(), changes);
      const log = openFolderLog({ folder, syncs, worlds, current, tell });
      if (unfit.length > 0) log.rewrite();
      for (const message of unfit) tell(`${folder}: ${message}`);
      return { log: unlockAtEnd(log, unlock), isContinued: current !== undefined };
    });
  } catch (error) {
    await unlock();
    throw error;
  }
}

function unlockAtEnd(log: FolderLog, unlock: () => Promise<void>): FolderLog {
  const close = log.close.bind(log);
  log.close = async () => {
    await close();
    await unlock();
  };
  return log;
}

const NEWLINE = 10;

/** Makes the changes in a file; returns how long what is whole of it is. */
function load(path: string, worlds: Worlds, changes: Changes): number {
  const bytes = readFileSync(path);
  let length = 0;
  for (let line = 1; ; line++) {
    const end = bytes.indexOf(NEWLINE, length);
    const made = end === -1 ? undefined : readLine(bytes.subarray(length, end));
    if (made === undefined) {
      // The last line may be one that a killed process was writing; any other was whole once.
      if (end === -1 || end === bytes.length - 1) break;
      const message =
        'this line was damaged after it was written; restore the file from a copy, or remove its folder to start anew.';
      throw new PetstoreMockError('unusable-data', message, { file: path, line });
    }
    applyChanges(made, worlds, changes);
    length = end + 1;
  }
  return length;
}

async function orExplain<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof PetstoreMockError || code === undefined) throw error;
    throw new PetstoreMockError(
      'unusable-data',
      `${formatPlace({ file: folder })} cannot keep data (${code}); name a folder that can be written with --data.`,
    );
  }
}
