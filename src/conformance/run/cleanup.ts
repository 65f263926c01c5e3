// What a run does when it ends: it deletes the records that it created, where it may, and says which are left over.
import { wordsOf } from '../../contract/gaps/gaps.js';
import { listTemplateNames } from '../../contract/operations/match.js';
import { isSecretName } from '../../redact/secret-names.js';
import type { RecordEntry, Visited } from '../ledger/observations.js';
import type { RecordLedger } from '../ledger/record-ledger.js';
import type { LeftBehind } from '../model/left-behind.js';
import { isOfAbsence, isSuccess } from '../model/wire.js';
import type { Subject } from '../subjects/subject.js';
import { createHttpClient } from '../wire/http/http-client.js';
import type { Route } from '../wire/http/route.js';
import { createPoliteSend, pause, type Send } from '../wire/http/send-politely.js';
import { askRole, readTag, type Asking } from '../confirm/ask-role.js';
import { findOwn } from './find-records.js';
import { sendUntilServed } from './outages.js';
import type { Run } from './run.js';

interface Cleaning {
  target: URL;
  route: Route;
  timeoutMs: number;
  rate: number | undefined;
  /** Whether everything stays. */
  keep: boolean;
  /** Called for every request that goes out. */
  onSent: () => void;
}

/** What became of cleaning up. */
export interface CleanedUp {
  left: LeftBehind[];
  /** What went wrong with it. */
  notes: string[];
}

/** The longest that cleaning up may take, and what of it is left after an interrupt. */
const MOST_MS = 60_000;
const MOST_AFTER_STOP_MS = 10_000;

/** The longest that a list may show what was deleted, before it is said to be there. */
const SETTLING_MS = 1000;
const PAUSE_MS = 100;
/** How long a request that was cut off may take to be carried out. */
const LATE_MS = 300;

/**
 * Deletes what the run created, where it may, and lists what is left over. Whatever goes wrong is no reason to lose what the run
 * has found: it does not throw, and ends in time.
 */
export async function cleanUp(run: Run, cleaning: Cleaning): Promise<CleanedUp> {
  const notes: string[] = [];
  if (run.ledger.visited.size === 0) return { left: [], notes };
  const { signal, close } = limitTime(run.signal);
  const lingering = new Set<RecordEntry>();
  const ended = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  try {
    await Promise.race([deleteAll(run, { ...cleaning, signal, lingering }), ended]);
  } catch (error) {
    notes.push(`the cleanup ended early: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    close();
  }
  return { left: [...listLeftovers(run, cleaning.keep, true), ...describeLingering(lingering, run)], notes };
}

/** What is there of the run's own, as far as it is known. */
export function listLeftovers({ ledger, may }: Run, keep: boolean, hasCleanedUp = false): LeftBehind[] {
  const present = ledger.listPresent();
  const keyless = ledger.countKeyless();
  const subjects = new Set([...present.map(({ subject }) => subject), ...keyless.keys()]);
  const left = [...subjects].map((subject) => {
    const entries = present.filter((entry) => entry.subject === subject);
    const why = explain(subject, { keep, may, hasCleanedUp, isNamed: entries.length > 0 });
    return describeLeftovers({ subject, why, entries, keyless: keyless.get(subject) ?? 0 }, ledger);
  });
  return left.filter(({ count }) => count > 0);
}

function explain(
  { roles }: Subject,
  { keep, may, hasCleanedUp, isNamed }: { keep: boolean; may: Run['may']; hasCleanedUp: boolean; isNamed: boolean },
): string {
  if (roles.remove === undefined) return 'since the contract has no operation to remove one';
  if (keep) return 'as --keep asks';
  if (!may.includes('remove')) return 'since the run may not remove any (--may create,update,remove allows it)';
  if (!hasCleanedUp) return 'since the run has not cleaned up';
  if (!isNamed) return 'since no response shows the key by which to remove one';
  return 'since the target did not remove what the run deleted';
}

function describeLingering(lingering: ReadonlySet<RecordEntry>, { ledger }: Run): LeftBehind[] {
  const subjects = new Set([...lingering].map(({ subject }) => subject));
  const why = 'since the target still lists what the run deleted';
  return [...subjects].map((subject) => {
    const entries = [...lingering].filter((entry) => entry.subject === subject);
    return describeLeftovers({ subject, entries, why, keyless: 0 }, ledger);
  });
}

/** So many keys are named; what the records are called tells the others. */
const MOST_KEYS = 100;

/** Records of one resource that the run leaves, and why; `keyless`: how many besides, whose keys no response has shown. */
function describeLeftovers(
  {
    subject,
    why,
    entries,
    keyless,
  }: { subject: Subject; why: string; entries: readonly RecordEntry[]; keyless: number },
  { texts }: RecordLedger,
): LeftBehind {
  const { key } = subject.resource;
  const { record: one, records: many } = wordsOf(subject.resource);
  // The key of a token is the token.
  const isSecret = isSecretName(key.property) || isSecretName(key.parameter);
  const addresses = isSecret ? [] : entries.slice(0, MOST_KEYS).flatMap((entry) => findAddress(entry) ?? []);
  const keys = entries.map(({ parameters }) => Object.values(parameters).map(String).join('/'));
  return {
    one,
    many,
    count: entries.length + keyless,
    why,
    keys: isSecret ? [] : keys.slice(0, MOST_KEYS),
    ...(addresses.length === 0 ? {} : { addresses, removable: subject.roles.remove !== undefined }),
    // Where there is no list, there is nothing to look through.
    ...(texts.isUsed(subject.name) && subject.roles.list !== undefined ? { mark: texts.mark } : {}),
  };
}

/** The path of a record; none where its operations are at an address of their own. */
function findAddress({ subject: { roles }, parameters }: RecordEntry): string | undefined {
  const operation = (roles.remove ?? roles.get ?? roles.replace ?? roles.update)?.operation;
  const values = Object.values(parameters);
  if (operation === undefined || operation.server !== undefined) return undefined;
  const names = listTemplateNames(operation.path);
  if (names.length !== values.length) return undefined;
  return names.reduce((path, name, index) => {
    const value = Object.hasOwn(parameters, name) ? parameters[name] : values[index];
    return path.replaceAll(`{${name}}`, () => encodeURIComponent(String(value)));
  }, operation.path);
}

/** Its own time: the run's signal may have ended the run. */
function limitTime(stop: AbortSignal): { signal: AbortSignal; close: () => void } {
  const controller = new AbortController();
  const end = (): void => controller.abort('the time for the cleanup was over');
  const timers = [setTimeout(end, MOST_MS)];
  const onStop = (): void => void timers.push(setTimeout(end, MOST_AFTER_STOP_MS));
  if (stop.aborted) onStop();
  else stop.addEventListener('abort', onStop, { once: true });
  const close = (): void => {
    stop.removeEventListener('abort', onStop);
    for (const timer of timers) clearTimeout(timer);
    controller.abort('the run has ended');
  };
  return { signal: controller.signal, close };
}

type Tools = Asking & {
  /** Sends what only looks: no more than the run may send. */
  read: Send;
  ledger: RecordLedger;
  mayDelete: boolean;
  /** What the target lists although it said that it deleted it. */
  lingering: Set<RecordEntry>;
};

async function deleteAll(
  run: Run,
  { target, route, timeoutMs, rate, keep, onSent, ...own }: Cleaning & Pick<Tools, 'signal' | 'lingering'>,
): Promise<void> {
  const { ledger, may, prepareOptions } = run;
  const { signal } = own;
  const client = createHttpClient({ target, timeoutMs, route, signal });
  const polite = createPoliteSend({ client, rate, onWait: () => {}, onNote: () => {}, onSent, signal });
  const send = stopWhenSilent(run.follow(sendUntilServed(polite, signal)));
  const mayDelete = !keep && may.includes('remove');
  const tools: Tools = { ...own, send, prepareOptions, ledger, mayDelete, read: run.limit.keep(send) };
  // The last one first, since others may belong to it.
  if (mayDelete) for (const entry of ledger.listPresent().toReversed()) await deleteRecord(entry, ledger, tools);
  const { aborted } = run.signal;
  for (const visited of ledger.visited.values()) {
    // Who ends a run does not wait for what changes nothing.
    if (!aborted || mayDeleteOf(visited.subject, tools)) await deleteListed(visited, tools);
  }
  if (aborted) await deleteLate(tools);
  for (const entry of ledger.listPresent())
    if (ledger.isGoneWithParent(entry.subject, entry.parameters)) ledger.noteDeleted(entry);
  if (!aborted) await readLater(tools);
}

/** So many of those that are left over are asked for again, before they are said to be there. */
const MOST_READ = 20;
const LATER_MS = 500;

/** What was not deleted at once may be deleted a little later, or gone by itself; what is asked for again is there. */
async function readLater(tools: Tools): Promise<void> {
  const { ledger, lingering, signal, mayDelete, read } = tools;
  // Where nothing deletes them, what was created is there.
  const asked = ledger.listPresent().filter(({ subject }) => mayDeleteOf(subject, tools));
  const rest = [...asked, ...lingering].slice(0, MOST_READ);
  if (rest.length === 0) return;
  if (mayDelete) await pause(LATER_MS, signal);
  for (const entry of rest) {
    const { get } = entry.subject.roles;
    if (signal.aborted) return;
    if (mayDelete && entry.state === 'present') await deleteRecord(entry, ledger, tools);
    if (get === undefined || !(entry.state === 'present' || lingering.has(entry))) continue;
    const answer = await askRole(get, entry.parameters, { ...tools, send: read });
    if (answer.kind !== 'answered' || !isOfAbsence(answer.status)) continue;
    // A list may still show it for a while.
    ledger.noteDeleted(entry);
    lingering.delete(entry);
  }
}

/** Deletes a record of the run's own, where the contract has an operation for it. */
export async function deleteRecord(entry: RecordEntry, ledger: RecordLedger, asking: Asking): Promise<void> {
  const { remove } = entry.subject.roles;
  if (remove === undefined || asking.signal.aborted) return;
  const answer = await askRole(remove, entry.parameters, asking, await readTag(entry, asking));
  // Records that belonged to a deleted one may be gone with it, and one that was renamed has another key.
  if (answer.kind === 'answered' && (isSuccess(answer.status) || isOfAbsence(answer.status))) ledger.noteDeleted(entry);
}

/** What was under way when the run was stopped may come to be a little later, and nobody reads its response. */
async function deleteLate(tools: Tools): Promise<void> {
  const visited = [...tools.ledger.visited.values()].filter(({ subject }) => mayDeleteOf(subject, tools));
  if (visited.length > 0) await pause(LATE_MS, tools.signal);
  for (const each of visited) await deleteListed(each, tools);
}

function mayDeleteOf({ roles }: Subject, { mayDelete }: Tools): boolean {
  return mayDelete && roles.remove !== undefined;
}

/** After so many requests in a row without a response, no further one is sent: the target has gone. */
const MOST_SILENT = 3;

function stopWhenSilent(send: Send): Send {
  let silent = 0;
  return async (request) => {
    if (silent >= MOST_SILENT) return { kind: 'unanswered', reason: 'interrupted', detail: 'gone', durationMs: 0 };
    const answer = await send(request);
    silent = answer.kind === 'unanswered' ? silent + 1 : 0;
    return answer;
  };
}

/** Deletes what a list still has of the run's own: stored though it was rejected, under another key, or under none that was shown. */
async function deleteListed(visited: Visited, tools: Tools): Promise<void> {
  const { ledger, signal, mayDelete, read, send } = tools;
  const { subject, scope } = visited;
  if (subject.roles.list === undefined || ledger.isGoneWithParent(subject, scope, true)) return;
  const since = performance.now();
  for (;;) {
    const asking = { ...tools, send: mayDeleteOf(subject, tools) ? send : read };
    const found = await findOwn(visited, ledger, asking);
    const unknown = found.filter(({ state }) => state === undefined);
    for (const entry of unknown) {
      ledger.noteKeyFound(entry);
      ledger.notePresent(entry);
      if (mayDelete) await deleteRecord(entry, ledger, tools);
    }
    const deleted = found.filter(({ id }) => ledger.wasDeleted(id));
    if (deleted.length === 0 || signal.aborted) return;
    if (performance.now() - since > SETTLING_MS) {
      for (const entry of deleted) tools.lingering.add(entry);
      return;
    }
    await pause(PAUSE_MS, signal);
  }
}
