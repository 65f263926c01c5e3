import { setImmediate } from 'node:timers';
import { PetstoreMockError } from '../../errors.js';
import { callAlone } from '../http/middleware.js';
import type { Change, Changes } from '../../mock/persistence/changes.js';
import type { Gate, GateRejection, Passed } from '../../mock/world/worlds.js';
import { crc32 } from 'node:zlib';
import { parseJsonWithin, printJson } from '../../contract/document/json.js';

// Not the global, which tests may replace by a fake timer: the mock must still answer.

export interface ChangeLog {
  /** Keeps changes, all or none of them. Throws a {@link CannotKeep}. */
  append(changes: readonly Change[]): Promise<void>;
  readonly problem: string | undefined;
  close(): Promise<void>;
}

export class CannotKeep extends Error {
  readonly refusal: GateRejection;

  constructor(refusal: GateRejection) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

export interface Waiting {
  work: () => unknown;
  done: (outcome: Passed<unknown>) => void;
  isAlone: boolean;
  bytes: number;
}

export interface Keeper {
  pass(together: readonly Waiting[]): Passed<unknown>[] | Promise<Passed<unknown>[]>;
  readonly problem: string | undefined;
  close(): Promise<void>;
}

const MOST_AT_ONCE = 64;

/** What is done together is in memory several times: as records, as responses, and as changes. */
const MOST_BYTES_AT_ONCE = 4 * 1024 * 1024;
const MOST_IN_A_ROW = 32;

/** Lets work pass: its changes are kept with one write, and then all of it is answered. */
export function passInTurns(changes: Changes, log: ChangeLog): Gate {
  const keep = async (together: readonly Waiting[], outcomes: Passed<unknown>[]): Promise<Passed<unknown>[]> => {
    const noted = changes.list();
    const mark = changes.mark();
    try {
      if (noted.length > 0) await log.append(noted);
      changes.settle(mark);
      return outcomes;
    } catch (error) {
      return refuse(together, error, changes);
    }
  };
  return passBy(changes, {
    get problem() {
      return log.problem;
    },
    close: () => log.close(),
    pass(together) {
      const outcomes = together.map(run);
      // Work of several turns is waited for, whether it fails or not.
      const waiting = whenDone(together, outcomes);
      if (waiting !== undefined) return waiting.then(() => keep(together, outcomes));
      if (changes.list().length > 0) return keep(together, outcomes);
      changes.settle();
      return outcomes;
    },
  });
}

/** Lets work pass: what waits at the end of a turn of the event loop is done together. */
export function passBy(changes: Changes, keeper: Keeper): Gate {
  let waiting: Waiting[] = [];
  let isBusy = false;
  let isScheduled = false;
  let whenIdle: (() => void) | undefined;
  const wake = (): void => {
    if (isBusy || isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      void passAll();
    });
  };
  const add = (each: Waiting): void => {
    waiting.push(each);
    wake();
  };
  const passAll = async (): Promise<void> => {
    if (isBusy) return;
    isBusy = true;
    for (let turn = 1; waiting.length > 0 || !changes.isEmpty; turn++) {
      // A caller in this process that goes on at once would let nobody else have a turn.
      if (turn % MOST_IN_A_ROW === 0) await new Promise<void>((resolve) => setImmediate(resolve));
      const together = waiting.slice(0, countTogether(waiting));
      waiting = waiting.slice(together.length);
      const passed = keeper.pass(together);
      const outcomes = passed instanceof Promise ? await passed : passed;
      together.forEach(({ done }, index) => callAlone(() => done(outcomes[index] as Passed<unknown>)));
    }
    isBusy = false;
    whenIdle?.();
  };
  changes.onFirst = wake;
  return {
    pass<Result>(work: () => Result, done: (outcome: Passed<Result>) => void, bytes = 0) {
      add({ work, done: done as Waiting['done'], isAlone: false, bytes });
    },
    passAlone: <Result>(work: () => Promise<Result>) =>
      new Promise<Result>((resolve, reject) => {
        const done = (outcome: Passed<Promise<Result>>): void => {
          if ('result' in outcome) outcome.result.then(resolve, reject);
          else reject(new PetstoreMockError('unavailable', `${outcome.rejected.message}.`));
        };
        add({ work, done: done as Waiting['done'], isAlone: true, bytes: 0 });
      }),
    get problem() {
      return keeper.problem;
    },
    async close() {
      const isAtWork = (): boolean => isBusy || isScheduled;
      while (isAtWork()) await new Promise<void>((resolve) => (whenIdle = resolve));
      await keeper.close();
    },
  };
}

function countTogether(waiting: readonly Waiting[]): number {
  const alone = waiting.findIndex(({ isAlone }) => isAlone);
  const most = alone === 0 ? 1 : Math.min(MOST_AT_ONCE, alone === -1 ? Infinity : alone);
  let bytes = 0;
  const end = waiting.findIndex((each) => (bytes += each.bytes) > MOST_BYTES_AT_ONCE);
  return end === -1 ? most : Math.min(most, Math.max(1, end));
}

/** Takes a turn's changes back; its work is refused if they could not be kept. Throws what is a bug. */
export function refuse(together: readonly Waiting[], error: unknown, changes: Changes): Passed<unknown>[] {
  changes.undo();
  if (!(error instanceof CannotKeep)) throw error;
  return together.map(() => ({ rejected: error.refusal }));
}

export function whenDone(together: readonly Waiting[], [first]: Passed<unknown>[]): Promise<unknown> | undefined {
  const isLong = together[0]?.isAlone === true && first !== undefined && 'result' in first;
  return isLong ? Promise.allSettled([first.result]) : undefined;
}

/** Work answers for its own failures, so an error is a bug; it must not take the others with it. */
export function run({ work }: Waiting): Passed<unknown> {
  try {
    return { result: work() };
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
    return { rejected: { status: 500, message: 'the mock failed to respond; this is a bug of the mock' } };
  }
}

/** Changes as JSON behind a checksum of it and of the place where it is stored. Throws a {@link CannotKeep} if that is too long. */
export const sealChanges = (changes: readonly Change[], place: string): string => seal(() => printJson(changes), place);

export function seal(write: () => string, place: string): string {
  return writeWhole(() => {
    const text = write();
    return `${checksum(place + text)} ${text}`;
  });
}

export function unsealChanges(sealed: string, place: string): Change[] | undefined {
  const text = sealed.slice(CHECKSUM_LENGTH + 1);
  return sealed.slice(0, CHECKSUM_LENGTH) === checksum(place + text) ? readChanges(text) : undefined;
}

const MOST_BYTES = 200 * 1024 * 1024;

/** What is to be stored as one text. Throws a {@link CannotKeep} if it is too long. */
export function writeWhole(write: () => string): string {
  const tooMuch = new CannotKeep({ status: 507, message: 'the change is too large to be stored' });
  try {
    const text = write();
    if (Buffer.byteLength(text) > MOST_BYTES) throw tooMuch;
    return text;
  } catch (error) {
    throw error instanceof RangeError ? tooMuch : error;
  }
}

export function readChanges(text: string): Change[] | undefined {
  const parsed = parseJsonWithin(text, MOST_DEPTH);
  return parsed.ok && Array.isArray(parsed.value) ? (parsed.value as Change[]) : undefined;
}

const MOST_DEPTH = 1000;
const CHECKSUM_LENGTH = 8;
export const checksum = (text: string): string => crc32(text).toString(16).padStart(CHECKSUM_LENGTH, '0');
const CHUNK_LENGTH = 256 * 1024;

/** Changes as JSON, in texts of about so many characters, each made when it is asked for. */
export function* cutChunks(all: Iterable<Change>): Generator<string> {
  let texts: string[] = [];
  let length = 0;
  for (const change of all) {
    const text = printJson(change);
    texts.push(text);
    length += text.length;
    if (length < CHUNK_LENGTH) continue;
    yield `[${texts.join(',')}]`;
    [texts, length] = [[], 0];
  }
  if (texts.length > 0) yield `[${texts.join(',')}]`;
}
