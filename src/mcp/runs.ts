import type { RunResult } from '../conformance/model/result.js';
import { PetstoreMockError } from '../errors.js';

/** So many results are kept for `explain` and `gaps`. */
const MOST_KEPT = 5;
/** So many runs go on at a time. */
const MOST_AT_ONCE = 3;

/** A run of the suite that a tool started. */
export interface KnownRun {
  name: string;
  result: RunResult;
}

/** The latest runs of the suite. */
export interface Runs {
  /** The named one, or the latest. Throws `bad-option` if there is none. */
  find(name?: string): KnownRun;
  /** Runs a suite under a name of its own. Throws `bad-option` if too many are under way. */
  add(run: () => Promise<RunResult>): Promise<KnownRun>;
}

export function createRuns(): Runs {
  const kept: KnownRun[] = [];
  let count = 0;
  let underWay = 0;
  return {
    find(name) {
      const found = name === undefined ? kept.at(-1) : kept.find((each) => each.name === name);
      if (found !== undefined) return found;
      const there = kept.length === 0 ? 'there is none yet; call conformance first' : `there are ${listNames(kept)}`;
      throw new PetstoreMockError('bad-option', `there is no run${name === undefined ? '' : ` ${name}`}: ${there}.`);
    },
    async add(run) {
      if (underWay >= MOST_AT_ONCE)
        throw new PetstoreMockError(
          'bad-option',
          `${MOST_AT_ONCE} runs are under way; wait for one of them, or cancel it.`,
        );
      underWay += 1;
      try {
        const result = await run();
        count += 1;
        const known = { name: `run-${count}`, result };
        kept.push(known);
        if (kept.length > MOST_KEPT) kept.shift();
        return known;
      } finally {
        underWay -= 1;
      }
    },
  };
}

function listNames(runs: readonly KnownRun[]): string {
  return runs.map(({ name }) => name).join(', ');
}
