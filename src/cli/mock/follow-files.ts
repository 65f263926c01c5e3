import { statSync } from 'node:fs';
import type { Contract } from '../../contract/contract.js';
import { readText, rejectEndless, describeNotes } from '../../contract/document/document.js';
import { isWebUrl } from '../../contract/remote/read-remote.js';
import { listShippedPacks } from '../../mock/fixtures/load-fixtures.js';
import type { Settings } from './settings.js';
import type { Moved } from '../../server/moving.js';
import { PetstoreMockError, type ErrorCode } from '../../errors.js';
import { setUp, type SetUp, type SetUpOptions } from '../../server/set-up.js';
import type { OPTIONS } from './options.js';

const LOOK_EVERY_MS = 50;
/** A document of hundreds of files is checked half as often: 500 files take 2 % of a core then. */
const MANY = 200;
/** How soon to check again whether a changed file has been written completely. */
const SETTLE_MS = 20;
/** A file that is missing or empty for this long stays so; saving a file takes less. */
const GONE_AFTER_MS = 1000;

interface Followed {
  /** The content last reported; `undefined` if the file did not exist. */
  told: string | undefined;
  mark: string;
  /** Since when the reported content may be out of date; `undefined` if it is not. */
  since: number | undefined;
}

/**
 * Calls back with the files whose content has changed and has been written completely, which means that two checks in a
 * row find the same. Files are checked by name, so that an editor's atomic save, a rename, a changed link, and a change
 * in a mounted or shared folder are all noticed. Watching folders (tried: chokidar 5) reports a change after 2 ms
 * instead of 50 and costs nothing while nothing changes, but misses the last two cases (links that Kubernetes swaps,
 * folders of WSL and of networks): the mock would silently serve an old file. `bench/watch.mjs` measures how long a
 * change takes.
 */
export function followFiles(
  onChange: (paths: string[]) => void,
  seen: SeenFiles = new Map(),
): { follow: (paths: readonly string[]) => void } {
  const files = new Map<string, Followed>();
  let timer: ReturnType<typeof setInterval> | undefined;
  const look = (): void => {
    const now = performance.now();
    const settled = [...files].filter(([path, file]) => lookAt(path, file, now));
    const changed = settled.filter(([path, file]) => {
      const text = read(path);
      const isOther = text !== file.told;
      file.told = text;
      return isOther;
    });
    if ([...files.values()].some(({ since }) => since === now)) setTimeout(look, SETTLE_MS).unref();
    if (changed.length > 0) onChange(changed.map(([path]) => path));
  };
  return {
    follow(all) {
      const paths = all.filter((path) => !isWebUrl(path));
      for (const path of files.keys()) if (!paths.includes(path)) files.delete(path);
      for (const path of paths) if (!files.has(path)) files.set(path, seen.get(path) ?? begin(path));
      seen.clear();
      clearInterval(timer);
      if (files.size > 0) timer = setInterval(look, files.size > MANY ? 2 * LOOK_EVERY_MS : LOOK_EVERY_MS).unref();
    },
  };
}

/** The state of files before they were read, so that a change during the start is noticed. */
export type SeenFiles = Map<string, Followed>;

export const noteFiles = (paths: readonly string[]): SeenFiles => new Map(paths.map((path) => [path, begin(path)]));

function begin(path: string): Followed {
  // Metadata first: a change between the two reads is then noticed by the next check.
  const mark = markOf(path);
  return { told: read(path), mark, since: undefined };
}

function lookAt(path: string, file: Followed, now: number): boolean {
  const mark = markOf(path);
  if (mark !== file.mark) {
    Object.assign(file, { mark, since: now });
    return false;
  }
  if (file.since === undefined || ((mark === GONE || mark.startsWith('0 ')) && now - file.since < GONE_AFTER_MS))
    return false;
  file.since = undefined;
  return true;
}

const GONE = '';

function markOf(path: string): string {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
    return `${size} ${ino} ${mtimeNs} ${ctimeNs}`;
  } catch {
    return GONE;
  }
}

/** What a program would not read at its start is as good as missing: a pipe may be silent, and a device has no end. */
function read(path: string): string | undefined {
  try {
    rejectEndless(path);
    return readText(path);
  } catch {
    return undefined;
  }
}

/** The files that settings name. */
export function listNamed({ spec, fixtures, profile, config, resources, apiKeyFile, handlersFile }: Settings) {
  const own = fixtures === undefined || listShippedPacks().includes(fixtures) ? undefined : fixtures;
  return [spec, own, profile, config, resources, apiKeyFile, handlersFile].filter((path) => path !== undefined);
}

/** The files that a mock was made from, including missing ones. */
export function listFollowed(settings: Settings, { document }: Contract): string[] {
  const parts = settings.spec === undefined ? [] : (document.listParts?.() ?? []);
  return [...new Set([...listNamed(settings), ...parts.map(({ file }) => file)])];
}

const OF_THE_START = ['port', 'host', 'admin', 'adminToken', 'cors', 'log', 'drain', 'watch'] as const;
const MOST_NAMED = 3;

/** Sentences: which files are loaded, and how many records are kept. */
export function describeChange(files: readonly string[], { kept, dropped }: Moved): string {
  const created = kept + dropped.length;
  const records = created === 0 ? '' : ` ${kept} of ${created} created records are kept.`;
  return `${files.join(', ')} changed and is loaded.${records}`;
}

type Change = { first: Settings; settings: Settings; before: Contract; contract: Contract };

/** A sentence for each thing that is not as before, or not as the files say. */
export function describeLosses({ dropped, lost }: Moved, { first, settings, before, contract }: Change): string[] {
  const startOnly = OF_THE_START.filter((name) => first[name] !== settings[name]);
  const known = new Set(before.listNotes().map(({ message }) => message));
  const odd = contract.listNotes().filter(({ message }) => !known.has(message));
  return [
    ...limit(
      dropped.map(({ record, why }) => `${record} is dropped: ${why}.`),
      'records are dropped',
    ),
    ...limit(
      lost.map((text) => `${text}.`),
      'changes',
    ),
    ...limit(
      describeNotes(odd, Infinity).map((text) => `${text}.`),
      'notes; --check lists them all',
    ),
    ...(startOnly.length === 0 ? [] : [`A change of ${startOnly.join(', ')} takes effect only after a restart.`]),
  ];
}

function limit(sentences: readonly string[], others: string): string[] {
  const rest = sentences.length - MOST_NAMED;
  return rest <= 0 ? [...sentences] : [...sentences.slice(0, MOST_NAMED), `${rest} more ${others}.`];
}

/** The option at fault if an error names no file. */
const AT_FAULT: Partial<Record<ErrorCode, keyof typeof OPTIONS>> = {
  'bad-fault': 'fault',
  'unusable-fixtures': 'fixtures',
};

/** {@link setUp} from settings. An error about handlers names their file, one about a setting from the config file its line. */
export function setUpFrom(
  settings: Settings,
  more: Pick<SetUpOptions, 'onProgress' | 'onExchange' | 'tracking' | 'checkAll'> = {},
): SetUp {
  try {
    return setUp({ ...settings, ...more });
  } catch (error) {
    if (!(error instanceof PetstoreMockError) || error.place !== undefined) throw error;
    if (error.code === 'bad-handler' && settings.handlersFile !== undefined)
      throw new PetstoreMockError(error.code, error.message, { file: settings.handlersFile });
    const option = AT_FAULT[error.code];
    const where = option === undefined ? undefined : settings.placeInConfig(option);
    throw where === undefined ? error : new PetstoreMockError(error.code, `${where}: ${error.message}`);
  }
}
