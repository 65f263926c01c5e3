// Not the global, which tests may replace by a fake timer.
import { randomUUID, createHash } from 'node:crypto';
import { setTimeout, setImmediate } from 'node:timers/promises';
import { describeAll } from '../../../mock/persistence/apply-changes.js';
import type { Worlds } from '../../../mock/world/worlds.js';
import type { Engine } from './engine.js';
import { ANNOUNCE, BEGIN, STAY } from './scripts.js';
import { printJson } from '../../../contract/document/json.js';
import type { World } from '../../../mock/world/world.js';
import { readPackageVersion } from '../../../package-files.js';
import type { Change } from '../../../mock/persistence/changes.js';
import { cutChunks, readChanges } from '../written-changes.js';

interface Recovering {
  engine: Engine;
  me: string;
  position: Position;
  worlds: Worlds;
  fingerprint: Fingerprint;
  others: readonly string[];
  isWanted: () => boolean;
}

/** Who has said nothing for so long does not count. */
const COUNTS_SECONDS = 10;
const SETTLE_MS = 3000;
/** So long a replica is waited for that was there before; on a busy machine one may stand still for seconds. */
const PATIENCE_MS = COUNTS_SECONDS * 1000;
const BETWEEN_MS = 100;

/** Epochs are counted, so that the one that is ahead can be told. */
const numberOf = ({ epoch }: Position): number => (epoch === '' ? 0 : Number.parseInt(epoch, 10));

/**
 * After the engine was started anew, or lost what it held: waits until it goes on, or puts everything back if this replica knows
 * most. Returns the position of what it put back. Rejects with an `EngineError`.
 */
export async function recover(options: Recovering): Promise<Position | undefined> {
  const { engine, me, position, others, isWanted } = options;
  const keys = ['head', 'log', 'back'].map((name) => engine.key(name));
  while (isWanted()) {
    const known = others.filter((other) => other !== me);
    const args = [me, numberOf(position), position.seq, SETTLE_MS, PATIENCE_MS, ...known];
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

export function keepMembers(engine: Engine, me: string, isQuiet: () => boolean) {
  /** When each was there last: an engine that has lost its data has forgotten the others before anybody notices. */
  const seen = new Map<string, number>();
  const key = engine.key('members');
  return {
    /** Says that this one lives, and asks who else does. */
    async stay(): Promise<void> {
      // While it is found out who is ahead, the members are those that there were before.
      if (engine.problem !== undefined || isQuiet()) return;
      try {
        const all = (await engine.run(STAY, [key], [me, COUNTS_SECONDS])) as string[];
        if (isQuiet()) return;
        for (const each of all) seen.set(each, performance.now());
      } catch {
        // Whether it can be reached is told elsewhere.
      }
    },
    async leave(): Promise<void> {
      if (engine.problem === undefined) await engine.call('ZREM', key, me).catch(() => {});
    },
    /** Those that were there in the last {@link COUNTS_SECONDS}. */
    list: (): string[] => {
      const since = performance.now() - COUNTS_SECONDS * 1000;
      return [...seen].flatMap(([id, at]) => (at >= since ? id : []));
    },
  };
}

/** What a replica knows: up to which entry, in which epoch. */
export interface Position {
  /** Its identity; empty for a replica that knows nothing. */
  epoch: string;
  seq: number;
}

/** What all replicas of a mock must have in common, each part as a short text. */
export type Fingerprint = Readonly<Record<string, string>>;

export function takeFingerprint(world: World): Fingerprint {
  const { contract, startProfile, startDelay, clock, faults, collections } = world;
  return {
    'version of petstore-mock': readPackageVersion(),
    contract: `${contract.title} ${digest([contract.document.root, contract.corrections])}`,
    profile: digest([startProfile.choices, startProfile.values, startProfile.unknown, startProfile.seen]),
    delay: JSON.stringify(startDelay ?? 0),
    date: JSON.stringify(clock.start ?? 'today'),
    faults: digest(faults.save()),
    'max-pets': String(collections.capacity),
  };
}

const ADVICE =
  'All replicas must have the same version and settings. For an upgrade or another setting, stop all of them, and start all with another ?prefix=, or remove the keys of this one first. The shared state is not moved: GET /__admin/fixtures exports the records of a world before, and PUT /__admin/fixtures imports them afterwards';

/** Why a replica cannot share an engine with others, a sentence and what to do; `undefined` if it can. */
export function explainDifference(own: Fingerprint, others: Fingerprint, shown: string): string | undefined {
  const found = Object.keys(own).find((part) => own[part] !== others[part]);
  if (found === undefined) return undefined;
  const both = `there: ${others[found] ?? 'none'}, here: ${own[found]}`;
  return `this replica cannot use ${shown}: other replicas run, or ran, with another ${found} (${both}). ${ADVICE}`;
}

function digest(value: unknown): string {
  return createHash('sha256').update(printJson(value)).digest('hex').slice(0, 12);
}

const UNUSED_SECONDS = 120;
const REPLACED_SECONDS = 60;
const CHUNKS_AT_ONCE = 16;

type WrittenImage = Awaited<ReturnType<typeof writeImage>>;

/** Writes an image while the process serves. Rejects with an `EngineError`. */
export async function writeImage(all: Iterable<Change>, key: string, engine: Engine) {
  await engine.call('DEL', key);
  const image = { key, chunks: 0, bytes: 0 };
  for (const chunk of cutChunks(all)) {
    await engine.call('RPUSH', key, chunk);
    await engine.call('EXPIRE', key, UNUSED_SECONDS);
    image.chunks += 1;
    image.bytes += Buffer.byteLength(chunk);
    await setImmediate();
  }
  return image;
}

/** The changes of an image; `undefined` if it is not whole. Rejects with an `EngineError`. */
export async function readImage(
  { key, chunks }: Pick<WrittenImage, 'key' | 'chunks'>,
  engine: Engine,
): Promise<Change[] | undefined> {
  const all: Change[] = [];
  let count = 0;
  for (let at = 0; at < chunks; at += CHUNKS_AT_ONCE) {
    const texts = (await engine.call('LRANGE', key, at, at + CHUNKS_AT_ONCE - 1)) as string[];
    for (const text of texts) {
      const changes = readChanges(text);
      if (changes === undefined) return undefined;
      for (const change of changes) all.push(change);
      count += 1;
    }
  }
  return count === chunks ? all : undefined;
}

export async function leaveImage(key: string, engine: Engine): Promise<void> {
  await engine.call('EXPIRE', key, REPLACED_SECONDS);
}
