import { randomUUID } from 'node:crypto';
// Not the global, which tests may replace by a fake timer.
import { setTimeout } from 'node:timers/promises';
import { describeAll } from '../../../mock/lasting/describe-all.js';
import type { Worlds } from '../../../mock/world/worlds.js';
import type { Engine } from './engine.js';
import type { Fingerprint } from './fingerprint.js';
import { writeImage } from './images.js';
import { COUNTS_SECONDS } from './members.js';
import { numberOf, type Position } from './position.js';
import { ANNOUNCE, BEGIN } from './scripts.js';

export interface Recovering {
  engine: Engine;
  me: string;
  position: Position;
  worlds: Worlds;
  fingerprint: Fingerprint;
  /** The replicas that were there before. */
  others: readonly string[];
  /** Whether to go on trying. */
  isWanted: () => boolean;
}

/** So long others are waited for that nobody knows of. */
const SETTLE_MS = 3000;
/** So long a replica is waited for that was there before; on a busy machine one may stand still for seconds. */
const PATIENCE_MS = COUNTS_SECONDS * 1000;
const BETWEEN_MS = 100;

/**
 * After the engine was started anew, or lost what it held: waits until it goes on, or puts everything back if this replica knows
 * most. Returns the position of what it put back. Rejects with an `EngineError`.
 */
export async function recover(options: Recovering): Promise<Position | undefined> {
  const { engine, me, position, others, isWanted } = options;
  const keys = ['head', 'log', 'back'].map((name) => engine.key(name));
  while (isWanted()) {
    const args = [
      me,
      numberOf(position),
      position.seq,
      SETTLE_MS,
      PATIENCE_MS,
      ...others.filter((other) => other !== me),
    ];
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
