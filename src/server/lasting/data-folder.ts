import type { Acknowledged, Level, Stored } from './level-log.js';
import { readAcknowledged, Damage, DATABASE, describeCause, openLevel, readLevel, LevelLog } from './level-log.js';
import { existsSync, mkdirSync, readdirSync, statSync, readFileSync, rmSync } from 'node:fs';
import { dirname, resolve, join } from 'node:path';
import { formatPlace, PetstoreMockError } from '../../errors.js';
import { applyChanges } from '../../mock/persistence/apply-changes.js';
import type { Change, Changes } from '../../mock/persistence/changes.js';
import type { Worlds, Gate } from '../../mock/world/worlds.js';
import { keyOf } from '../../mock/store/kept.js';
import type { World } from '../../mock/world/world.js';
import { findProblem } from '../moving.js';
import { checksum, readChanges, passInTurns } from './pass-in-turns.js';
import { createTracking, type Tracking } from '../../mock/persistence/track-world.js';

type FolderOptions = { folder: string; syncs: boolean; repairs: boolean; tell: (message: string) => void };

/** Restores worlds from a folder and stores their changes there. Rejects for one in use, unusable or incomplete. */
export async function openDataFolder(
  worlds: () => Worlds,
  changes: Changes,
  options: FolderOptions,
): Promise<{ log: LevelLog; isContinued: boolean }> {
  const { folder, syncs, repairs, tell } = options;
  let level: Level | undefined;
  try {
    makeFolder(folder);
    const acknowledged = readAcknowledged(folder);
    if (acknowledged === 'newer')
      throw new PetstoreMockError(
        'unusable-data',
        `${folder} was written by a later version of petstore-mock; use that version, or name another folder with --data.`,
      );
    const isEarlier = listFiles(folder).length > 0;
    const files = readdirSync(folder);
    const isOfEarlier = (name: string): boolean =>
      NAME_OF_LOG.test(name) || /^(?:new\.log|in-use|turn-\d+)$/.test(name);
    const earlierFiles = isEarlier ? files.filter(isOfEarlier) : [];
    const isNew = acknowledged === 'none' && !files.includes(DATABASE);
    level = await openLevel(folder, { isNew: isNew || isEarlier, repairs });
    const apply = (all: readonly Change[]): void => applyStored(all, worlds(), changes, folder);
    const stored = await readLevel(level, apply, { skips: repairs });
    if (!isNew && !isEarlier) checkEnd(stored, acknowledged, options);
    const isMoved = isEarlier && stored.snapshot === undefined && stored.last === 0;
    const earlier = isMoved ? readEarlierFolder(folder) : { changes: [], isCut: false };
    for (const each of earlier.changes) apply(each);
    const unfit = changes.quietly(() => worlds().all().flatMap(dropIn));
    const log = new LevelLog({ folder, syncs, worlds, level, stored, tell });
    if (isMoved || repairs || unfit.length > 0 || stored.snapshot === undefined) await log.rewrite();
    for (const name of earlierFiles) rmSync(join(folder, name), { force: true });
    const all = worlds()
      .all()
      .flatMap((world) => world.collections.list());
    const size = all.reduce((sum, { collection }) => sum + collection.size, 0);
    const count = `${size} record${size === 1 ? '' : 's'}`;
    if (isMoved) tell(`${folder}: ${count} of the format of earlier versions moved to this one.`);
    if (repairs && !isNew) tell(`${folder}: repaired; ${count} could be read and are stored again.`);
    if (earlier.isCut)
      tell(
        `${folder}: an incomplete change was dropped: the mock was killed while it was written, before the response.`,
      );
    for (const message of unfit) tell(`${folder}: ${message}`);
    return { log, isContinued: !isNew || isMoved };
  } catch (error) {
    await level?.close();
    throw explain(error, folder);
  }
}

/** One after the other: Node 20 never returns from making the folders above one that the system rejects, as in `/proc`. */
function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
  const above = dirname(resolve(folder));
  if (!existsSync(above)) makeFolder(above);
  mkdirSync(folder);
}

function applyStored(all: readonly Change[], worlds: Worlds, changes: Changes, folder: string): void {
  try {
    applyChanges(all, worlds, changes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new PetstoreMockError(
      'unusable-data',
      `${folder} has a change that this version does not know; use the version that wrote it, or name another folder with --data.`,
    );
  }
}

function checkEnd(
  { last, snapshot }: Stored,
  acknowledged: Acknowledged | 'none' | 'damaged',
  { folder, repairs, tell }: FolderOptions,
): void {
  if (repairs) return;
  // A process that was killed at its first start had nothing yet.
  if (acknowledged === 'none' && snapshot === undefined && last === 0) return;
  if (typeof acknowledged === 'string')
    throw new Damage(acknowledged === 'none' ? 'the file acknowledged is missing' : 'the file acknowledged is damaged');
  const missing = acknowledged.last - last;
  if (missing <= 0) return;
  // What the disk did not have yet is gone with the power.
  if (!acknowledged.isBeforeBoot || last < acknowledged.flushed)
    throw new Damage(`the last ${missing === 1 ? 'change is' : `${missing} changes are`} missing`);
  tell(
    `${folder}: the last ${missing === 1 ? 'change' : `${missing} changes`} before the machine stopped did not reach its disk; --data-sync waits for that.`,
  );
}

function explain(error: unknown, folder: string): unknown {
  if (error instanceof PetstoreMockError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  // The engine opened the database and cannot read it, as a table that is empty.
  const isUnreadable = code?.startsWith('LEVEL') === true;
  if (error instanceof Damage || isUnreadable)
    return new PetstoreMockError(
      'unusable-data',
      `${folder} was damaged: ${isUnreadable ? describeCause(error) : message}. Restore it from a copy; or start with --data-repair, which keeps what is readable.`,
    );
  if (code === undefined) return error;
  return new PetstoreMockError(
    'unusable-data',
    `${formatPlace({ file: folder })} cannot store data (${code}); name a writable folder with --data.`,
  );
}

function dropIn({ name: world, collections, contract }: World): string[] {
  return collections.list().flatMap(({ kept, within, collection }) => {
    const { records } = collection.state();
    const unfit = records.flatMap(({ record }) => {
      const problem = findProblem(record, kept, contract);
      return problem === undefined ? [] : [{ key: keyOf(record, collection.key), problem }];
    });
    for (const { key } of unfit) if (key !== undefined) collections.remove(kept, within, key);
    const [first] = unfit;
    return first === undefined
      ? []
      : [
          `of the world ${world}, ${unfit.length} of ${records.length} stored ${kept.name} were dropped, since the contract does not allow them: ${first.problem}.`,
        ];
  });
}

const NAME_OF_LOG = /^state-(\d+)\.log$/;
const NEWLINE = 10;

/** Reads the newest file that has anything: the next one was begun empty. Throws for a damaged line. */
function readEarlierFolder(folder: string): { changes: Change[][]; isCut: boolean } {
  const paths = listFiles(folder).map((name) => join(folder, name));
  const files = paths.map((path) => ({ path, bytes: readFileSync(path) }));
  const { path, bytes } = files.find((file) => file.bytes.length > 0) ?? { path: folder, bytes: Buffer.alloc(0) };
  const changes: Change[][] = [];
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(NEWLINE, start);
    if (end === -1) return { changes, isCut: true };
    const line = bytes.toString('utf8', start, end);
    const text = line.slice(9);
    const read = line.slice(0, 8) === checksum(text) ? readChanges(text) : undefined;
    if (read === undefined) {
      const message =
        'this line was damaged after it was written; restore the file from a copy, or remove its folder to start anew.';
      throw new PetstoreMockError('unusable-data', message, { file: path, line: changes.length + 1 });
    }
    changes.push(read);
    start = end + 1;
  }
  return { changes, isCut: false };
}

function listFiles(folder: string): string[] {
  const numberOf = (name: string): number => Number(NAME_OF_LOG.exec(name)?.[1]);
  return readdirSync(folder)
    .filter((name) => NAME_OF_LOG.test(name))
    .sort((one, other) => numberOf(other) - numberOf(one));
}

export interface LastingOptions {
  data: string;
  dataSync?: boolean | undefined;
  /** Whether to go on with what can be read of a damaged folder. Default: `false`. */
  dataRepair?: boolean | undefined;
  /** Called with news that no request asks for. Default: not called. */
  tell?: ((message: string) => void) | undefined;
}

export interface Lasting {
  tracking: Tracking;
  /** Gives new worlds what was kept, and keeps what changes. Rejects with a `PetstoreMockError` if that is impossible. */
  attach(worlds: Worlds): Promise<void>;
  readonly isContinued: boolean;
  replace(worlds: Worlds): void;
  close(): Promise<void>;
}

export function makeLasting({ data, dataSync = false, dataRepair = false, tell = () => {} }: LastingOptions): Lasting {
  const tracking = createTracking();
  const { changes } = tracking;
  let kept: { gate: Gate; rewrite: () => void; worlds: Worlds } | undefined;
  let isContinued = false;
  return {
    tracking,
    async attach(worlds) {
      // What there is at the start is not a change.
      changes.settle();
      const folder = { folder: data, syncs: dataSync, repairs: dataRepair, tell };
      const opened = await openDataFolder(() => kept?.worlds ?? worlds, changes, folder);
      isContinued = opened.isContinued;
      const gate = passInTurns(changes, opened.log);
      kept = { gate, rewrite: () => void opened.log.rewrite(), worlds };
      worlds.gate = gate;
    },
    get isContinued() {
      return isContinued;
    },
    replace(worlds) {
      if (kept === undefined) return;
      changes.settle();
      kept.worlds = worlds;
      worlds.gate = kept.gate;
      kept.rewrite();
    },
    async close() {
      await kept?.gate.close();
    },
  };
}
