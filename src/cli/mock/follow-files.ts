import { readFileSync, statSync } from 'node:fs';
import type { Contract } from '../../contract/contract.js';
import { listShippedPacks } from '../../mock/fixtures/load-fixtures.js';
import type { Settings } from './settings.js';

const LOOK_EVERY_MS = 50;
/** A document of hundreds of files is looked at half as often: 500 of them take 2 % of a core then. */
const MANY = 200;
/** What was written is looked at again so soon, whether it is whole. */
const SETTLE_MS = 20;
/** What is missing or empty for this long is; whoever is saving it is done sooner. */
const GONE_AFTER_MS = 1000;

/** Follows files until it is told of others. */
export interface Following {
  follow(paths: readonly string[]): void;
}

interface Followed {
  /** The content that was told last; `undefined` of a file that is not there. */
  told: string | undefined;
  /** What the file system says of it, to see that something was written. */
  mark: string;
  /** Since when what was told may be old; `undefined` where it is not. */
  since: number | undefined;
}

/**
 * Calls back with the files whose content has changed, once they are written: what two looks in a row find alike. They are
 * looked at by name. That sees an editor's atomic save, a rename, a swapped link and a change on a mounted or shared folder
 * alike. Watchers of folders (tried: chokidar 5) are told in 2 instead of 50 ms and cost nothing while nothing changes, but
 * hear nothing of the last two (links that Kubernetes swaps, folders of WSL and of networks): the mock would serve an old file
 * and say nothing. `bench/watch.mjs` measures how long a change takes.
 */
export function followFiles(onChange: (paths: string[]) => void, seen: SeenFiles = new Map()): Following {
  const files = new Map<string, Followed>();
  let timer: ReturnType<typeof setInterval> | undefined;
  const look = (): void => {
    const now = performance.now();
    const settled = [...files].filter(([path, file]) => lookAt(path, file, now));
    const changed = settled.filter(([path, file]) => isOther(path, file));
    if ([...files.values()].some(({ since }) => since === now)) setTimeout(look, SETTLE_MS).unref();
    if (changed.length > 0) onChange(changed.map(([path]) => path));
  };
  return {
    follow(paths) {
      for (const path of files.keys()) if (!paths.includes(path)) files.delete(path);
      for (const path of paths) if (!files.has(path)) files.set(path, seen.get(path) ?? begin(path));
      seen.clear();
      clearInterval(timer);
      if (files.size > 0) timer = setInterval(look, files.size > MANY ? 2 * LOOK_EVERY_MS : LOOK_EVERY_MS).unref();
    },
  };
}

/** Files as they were before they were read, so that what is written while a mock starts is not taken for what it has read. */
export type SeenFiles = Map<string, Followed>;

export function noteFiles(paths: readonly string[]): SeenFiles {
  return new Map(paths.map((path) => [path, begin(path)]));
}

function begin(path: string): Followed {
  // The mark first: what is written between the two is seen at the next look.
  const mark = markOf(path);
  return { told: read(path), mark, since: undefined };
}

/** Whether something was written to it, and no more is being written. */
function lookAt(path: string, file: Followed, now: number): boolean {
  const mark = markOf(path);
  if (mark !== file.mark) {
    Object.assign(file, { mark, since: now });
    return false;
  }
  if (file.since === undefined || (isNothing(mark) && now - file.since < GONE_AFTER_MS)) return false;
  file.since = undefined;
  return true;
}

function isOther(path: string, file: Followed): boolean {
  const text = read(path);
  if (text === file.told) return false;
  file.told = text;
  return true;
}

const GONE = '';

/** Whether the file is not there, or empty. */
function isNothing(mark: string): boolean {
  return mark === GONE || mark.startsWith('0 ');
}

function markOf(path: string): string {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
    return `${size} ${ino} ${mtimeNs} ${ctimeNs}`;
  } catch {
    return GONE;
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** The files that settings name. */
export function listNamed({
  spec,
  fixtures,
  profile,
  config,
  resources,
  apiKeyFile,
  handlersFile,
}: Settings): string[] {
  const own = fixtures === undefined || listShippedPacks().includes(fixtures) ? undefined : fixtures;
  return [spec, own, profile, config, resources, apiKeyFile, handlersFile].filter((path) => path !== undefined);
}

/** The files that a mock was made from: those that the settings name, and those that the contract refers to, also in vain. */
export function listFollowed(settings: Settings, { document }: Contract): string[] {
  const parts = settings.spec === undefined ? [] : (document.listParts?.() ?? []);
  return [...new Set([...listNamed(settings), ...parts.map(({ file }) => file)])];
}
