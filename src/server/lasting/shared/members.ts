import type { Engine } from './engine.js';
import { STAY } from './scripts.js';

/** Who shares the engine, so that nobody is forgotten when it has lost its data. */
export interface Members {
  /** Says that this one lives, and asks who else does. */
  stay(): Promise<void>;
  leave(): Promise<void>;
  /** Those that lived when it was last asked. */
  list: () => readonly string[];
}

/** Who has said nothing for so long does not count. */
export const COUNTS_SECONDS = 10;

export function keepMembers(engine: Engine, me: string, isQuiet: () => boolean): Members {
  let known: string[] = [];
  const key = engine.key('members');
  return {
    async stay() {
      // While it is found out who is ahead, the members are those that there were before.
      if (engine.problem !== undefined || isQuiet()) return;
      try {
        const all = (await engine.run(STAY, [key], [me, COUNTS_SECONDS])) as string[];
        if (!isQuiet()) known = all;
      } catch {
        // Whether it can be reached is told elsewhere.
      }
    },
    async leave() {
      if (engine.problem === undefined) await engine.call('ZREM', key, me).catch(() => {});
    },
    list: () => known,
  };
}
