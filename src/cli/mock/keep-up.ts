import { PetstoreMockError } from '../../errors.js';
import type { FileNews } from '../../server/file-news.js';
import { moveState, type Moved } from '../../server/move-state.js';
import type { SetUp } from '../../server/set-up.js';
import { followFiles, listFollowed } from './follow-files.js';
import type { Settings } from './settings.js';

export interface KeepingUp {
  settings: Settings;
  ready: SetUp;
  /** Reads the settings anew, since the config file is one of those that are followed. */
  read: () => Promise<Settings>;
  /** Makes other worlds from them. */
  make: (settings: Settings) => SetUp;
  /** Puts them in the place of those that are there. */
  serve: (ready: SetUp) => void;
  news: FileNews;
  tell: (event: FileEvent) => void;
}

/** What became of a change. */
export type FileEvent = { files: string[]; message: string } & ({ loaded: true; moved: Moved } | { loaded: false });

/** What only a start can change. */
const OF_THE_START = ['port', 'host', 'admin', 'adminToken', 'cors', 'log'] as const;

/**
 * Has the mock follow its files: what can be used is served, with what clients have created; what cannot be is told, and the
 * last that could stays. What is returned ends it.
 */
export function keepUp({ settings: first, ready: start, read, make, serve, news, tell }: KeepingUp): () => void {
  let ready = start;
  const load = async (files: string[]): Promise<void> => {
    try {
      const settings = await read();
      const next = make(settings);
      const moved = moveState(ready.worlds, next.worlds);
      ready = next;
      serve(next);
      following.follow(listFollowed(settings, next.contract));
      const message = `${describe(files, moved)}${describeStart(first, settings)}`;
      Object.assign(news, { revision: news.revision + 1, changed: message, problem: undefined });
      tell({ files, message, loaded: true, moved });
    } catch (error) {
      if (!(error instanceof PetstoreMockError)) throw error;
      const message = `${error.message} What was loaded before is still served.`;
      news.problem = message;
      tell({ files, message, loaded: false });
    }
  };
  let queue = Promise.resolve();
  const following = followFiles((files) => {
    queue = queue.then(() => load(files));
  });
  following.follow(listFollowed(first, start.contract));
  return () => following.follow([]);
}

const MOST_NAMED = 5;

function describe(files: readonly string[], { kept, dropped }: Moved): string {
  const created = kept + dropped.length;
  const named = dropped.slice(0, MOST_NAMED).join(', ') + (dropped.length > MOST_NAMED ? ', ...' : '');
  const lost = dropped.length === 0 ? '' : `; the contract does not allow ${named} any more`;
  const records = created === 0 ? '' : ` ${kept} of ${created} records that clients created are kept${lost}.`;
  return `${files.join(', ')} changed and is loaded.${records}`;
}

function describeStart(before: Settings, now: Settings): string {
  const changed = OF_THE_START.filter((name) => before[name] !== now[name]);
  return changed.length === 0 ? '' : ` A change of ${changed.join(', ')} needs a new start.`;
}
