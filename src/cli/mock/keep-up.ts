import { type Contract, fetchContract } from '../../contract/contract.js';
import { rejectEndless } from '../../contract/document/document.js';
import { hidePassword, isWebUrl } from '../../contract/remote/read-remote.js';
import { formatPlace, PetstoreMockError } from '../../errors.js';
import { type FileNews, moveState, type Moved } from '../../server/moving.js';
import type { SetUp } from '../../server/set-up.js';
import type { SeenFiles } from './follow-files.js';
import { describeChange, describeLosses, followFiles, listFollowed, listNamed } from './follow-files.js';
import type { Settings } from './settings.js';
import type { Listening } from '../../server/http/listen.js';
import type { WorkProgress } from '../../mock/fixtures/fixtures.js';

export interface KeepingUp {
  settings: Settings;
  ready: SetUp;
  seen?: SeenFiles;
  read: () => Promise<Settings>;
  make: (settings: Settings) => SetUp;
  serve: (ready: SetUp) => void;
  news: FileNews;
  /** Does what is no change of what the mock holds. Default: it is done as it is. */
  quietly?: <Result>(work: () => Result) => Result;
  tell: (event: FileEvent) => void;
  /** How often a contract at a URL is asked for, in milliseconds. Default: 3 seconds. */
  pollMs?: number;
}

const POLL_MS = 3000;

export type FileEvent = { files: string[]; message: string } & ({ loaded: true; moved: Moved } | { loaded: false });

/** Follows files: serves usable content and keeps the last usable one otherwise. Returns how to stop. */
export function keepUp(given: KeepingUp): () => void {
  const { settings: first, ready: start, seen, read, make, serve, news } = given;
  const { quietly = (work) => work(), tell, pollMs = POLL_MS } = given;
  let good = { settings: first, ready: start };
  /** Files that are followed although they cannot be used yet. */
  let inVain: string[] = [];
  const complain = (files: string[], problem: string): void => {
    const message = `${problem} The previous version is still served.`;
    news.problem = message;
    tell({ files, message, loaded: false });
  };
  const load = async (files: string[]): Promise<void> => {
    try {
      inVain = [];
      for (const path of listNamed(good.settings)) rejectEndless(path);
      const settings = await read();
      inVain = listNamed(settings);
      for (const path of inVain) rejectEndless(path);
      const ready = quietly(() => make(settings));
      inVain = listFollowed(settings, ready.contract);
      refuseMissingParts(ready.contract, good.ready.contract);
      const moved = quietly(() => moveState(good.ready.worlds, ready.worlds));
      const losses = describeLosses(moved, { first, settings, before: good.ready.contract, contract: ready.contract });
      good = { settings, ready };
      serve(ready);
      const message = [describeChange(files, moved), ...losses].join(' ');
      const lost = losses.length === 0 ? undefined : losses.join(' ');
      Object.assign(news, { revision: news.revision + 1, changed: message, lost, problem: undefined });
      tell({ files, message, loaded: true, moved });
      inVain = [];
    } catch (error) {
      if (!(error instanceof PetstoreMockError)) throw error;
      inVain = [...inVain, ...(error.place === undefined ? [] : [error.place.file])];
      complain(files, error.message);
    }
    following.follow([...new Set([...listFollowed(good.settings, good.ready.contract), ...inVain])]);
  };
  let queue = Promise.resolve();
  const following = followFiles((files) => (queue = queue.then(() => load(files))), seen);
  following.follow(listFollowed(first, start.contract));
  const stopPolling = pollContract({
    ofNow: () => good.settings,
    everyMs: pollMs,
    onChange: (url) => (queue = queue.then(() => load([url]))),
    onProblem: (url, problem) => complain([url], problem),
  });
  return () => {
    following.follow([]);
    stopPolling();
  };
}

interface Polling {
  ofNow: () => Settings;
  everyMs: number;
  onChange: (url: string) => Promise<void>;
  onProblem: (url: string, problem: string) => void;
}

function pollContract({ ofNow, everyMs, onChange, onProblem }: Polling): () => void {
  let isAsking = false;
  let problem: string | undefined;
  const poll = async (): Promise<void> => {
    const settings = ofNow();
    const { spec } = settings;
    if (isAsking || spec === undefined || !isWebUrl(spec)) return;
    isAsking = true;
    const shown = hidePassword(spec);
    try {
      const isChanged = await fetchContract(spec, settings);
      if (isChanged || problem !== undefined) await onChange(shown);
      problem = undefined;
    } catch (error) {
      if (!(error instanceof PetstoreMockError)) throw error;
      if (error.message !== problem) onProblem(shown, error.message);
      problem = error.message;
    } finally {
      isAsking = false;
    }
  };
  const timer = setInterval(() => void poll(), everyMs).unref();
  return () => clearInterval(timer);
}

/** While someone edits a file, an unreadable reference would allow more than anyone has written. */
function refuseMissingParts({ document }: Contract, { document: before }: Contract): void {
  const known = new Set(before.listParts?.().flatMap(({ file, problem }) => (problem === undefined ? [] : [file])));
  const broken = document.listParts?.().find(({ file, problem }) => problem !== undefined && !known.has(file));
  if (broken === undefined) return;
  const message = `${formatPlace({ file: broken.file })}: a reference ${broken.problem}.`;
  throw new PetstoreMockError('unusable-contract', message);
}

/** npm repeats a Ctrl-C that the terminal has already sent; two within this time count as one. */
const SAME_SIGNAL_MS = 50;
/** When a stop takes longer than this, the user wants to know why. */
const PATIENCE_MS = 300;

export interface Stopping {
  /** How long exchanges under way may still take. */
  drainSeconds: number;
  /** Called when a stop takes its time. */
  tell: (message: string) => void;
  lastWords: () => unknown;
}

/** The first signal stops accepting, a second one cuts off what is under way. Ends the process with 0. */
export function stopOnSignals(server: Listening, { drainSeconds, tell, lastWords }: Stopping): void {
  let stoppedAt: number | undefined;
  const stop = (): void => {
    if (stoppedAt !== undefined) {
      if (performance.now() - stoppedAt > SAME_SIGNAL_MS) server.closeNow();
      return;
    }
    stoppedAt = performance.now();
    const waiting = setTimeout(() => {
      const count = server.openConnections;
      const [open, them] = count === 1 ? ['exchange has', 'it'] : ['exchanges have', 'them'];
      const how = `in ${drainSeconds} s at most; a second signal closes ${them} at once.`;
      tell(`stops when ${count} ${open} ended, ${how}`);
    }, PATIENCE_MS);
    void server.close(drainSeconds).then(async () => {
      clearTimeout(waiting);
      await lastWords();
      process.exit(0);
    });
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
}

/** Generating fewer pets than this is not worth a message. */
const EVERY_MS = 1000;

/** Reports the progress of a long generation once a second. */
export function createProgressTeller(
  tell: (message: string) => void,
  now: () => number,
): (progress: WorkProgress) => void {
  let last = now();
  return ({ made, total }) => {
    if (now() - last < EVERY_MS) return;
    last = now();
    tell(`generated ${made} of ${total} pets; press Ctrl-C to stop.`);
  };
}
