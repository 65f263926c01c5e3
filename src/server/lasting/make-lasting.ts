import { createTracking, type Tracking } from '../../mock/persistence/track-world.js';
import type { Gate, Worlds } from '../../mock/world/worlds.js';
import { openDataFolder } from './data-folder.js';
import { passInTurns } from './pass-in-turns.js';

export interface LastingOptions {
  data: string;
  dataSync?: boolean | undefined;
  /** Whether to go on with what can be read of a damaged folder. Default: `false`. */
  dataRepair?: boolean | undefined;
  /** Called with news that no request asks for. Default: not called. */
  tell?: ((message: string) => void) | undefined;
}

/** What makes worlds outlast the process. */
export interface Lasting {
  tracking: Tracking;
  /** Gives new worlds what was kept, and keeps what changes. Rejects with a `PetstoreMockError` if that is impossible. */
  attach(worlds: Worlds): Promise<void>;
  /** Whether what was kept is from an earlier start. */
  readonly isContinued: boolean;
  /** Keeps other worlds from now on. */
  replace(worlds: Worlds): void;
  close(): Promise<void>;
}

/** Worlds whose content is kept in a folder. */
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
