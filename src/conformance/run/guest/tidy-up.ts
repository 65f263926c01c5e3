import { createHttpClient } from '../../wire/http/http-client.js';
import type { Route } from '../../wire/http/route.js';
import { createPoliteSend, pause, type Send } from '../../wire/http/send-politely.js';
import { isOfAbsence } from '../../model/wire.js';
import type { LeftBehind } from '../../model/left-behind.js';
import { sendUntilServed } from '../outages.js';
import type { Run } from '../run.js';
import type { Subject } from '../../subjects/subject.js';
import { askRole, type Asking } from './ask-role.js';
import { findOwn } from './find-own.js';
import { isKnown, nameGuest, type Guest, type Guests, type Visited } from './guests.js';
import { describeLeaving, type Leaving } from './left-behind.js';
import { seeOff } from './see-off.js';

interface Tidying {
  target: URL;
  route: Route;
  timeoutMs: number;
  rate: number | undefined;
  /** Whether everything stays. */
  keep: boolean;
  /** Called for every request that goes out. */
  onSent: () => void;
}

/** What became of tidying up. */
export interface Tidied {
  left: LeftBehind[];
  /** What went wrong with it. */
  notes: string[];
}

/** The longest that tidying up may take, and what of it is left after an interrupt. */
const TIDYING_MS = 60_000;
const TIDYING_AFTER_STOP_MS = 10_000;

/** The longest that a list may show what was removed, before it is said to be there. */
const SETTLING_MS = 1000;
const PAUSE_MS = 100;
/** How long a request that was cut off may take to be carried out. */
const LATE_MS = 300;

/**
 * Removes what the run created, where it may, and tells what stays. Whatever goes wrong is no reason to lose what the run
 * has found: it does not throw, and ends in time.
 */
export async function removeGuests(run: Run, tidying: Tidying): Promise<Tidied> {
  const notes: string[] = [];
  if (run.guests.visited.size === 0) return { left: [], notes };
  const { signal, close } = limitTidying(run.signal);
  const lingering = new Map<string, Guest>();
  const ended = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  try {
    await Promise.race([tidyUp(run, { ...tidying, signal, lingering }), ended]);
  } catch (error) {
    notes.push(`tidying up ended early: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    close();
  }
  return { left: [...listStaying(run, tidying.keep, true), ...describeLingering(lingering, run)], notes };
}

/** What is there of the run's own, as far as it is known. */
export function listStaying({ guests, may }: Run, keep: boolean, hasTidied = false): LeftBehind[] {
  const subjects = new Set([...[...guests.staying.values()].map(({ subject }) => subject), ...guests.keyless.keys()]);
  const left = [...subjects].map((subject): Leaving => {
    const own = [...guests.staying.values()].filter((guest) => guest.subject === subject);
    return {
      subject,
      guests: own,
      keyless: guests.keyless.get(subject) ?? 0,
      why: explain(subject, { keep, may, hasTidied, isNamed: own.length > 0 }),
    };
  });
  return left.map((each) => describeLeaving(each, guests.texts)).filter(({ count }) => count > 0);
}

function explain(
  { roles }: Subject,
  { keep, may, hasTidied, isNamed }: { keep: boolean; may: Run['may']; hasTidied: boolean; isNamed: boolean },
): string {
  if (roles.remove === undefined) return 'since the contract has no operation to remove one';
  if (keep) return 'as --keep asks';
  if (!may.includes('remove')) return 'since the run may not remove any (--may create,update,remove lets it)';
  if (!hasTidied) return 'since the run has not tidied up';
  if (!isNamed) return 'since no answer shows by which key to remove one';
  return 'since the target did not remove what it was asked to';
}

function describeLingering(lingering: ReadonlyMap<string, Guest>, { guests }: Run): LeftBehind[] {
  const subjects = new Set([...lingering.values()].map(({ subject }) => subject));
  const why = 'since the target still lists what it removed';
  return [...subjects].map((subject) => {
    const own = [...lingering.values()].filter((guest) => guest.subject === subject);
    return describeLeaving({ subject, guests: own, why }, guests.texts);
  });
}

/** Its own time: the run's signal may have ended the run. */
function limitTidying(stop: AbortSignal): { signal: AbortSignal; close: () => void } {
  const controller = new AbortController();
  const end = (): void => controller.abort('the time for tidying up was over');
  const timers = [setTimeout(end, TIDYING_MS)];
  const onStop = (): void => void timers.push(setTimeout(end, TIDYING_AFTER_STOP_MS));
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
  /** Sends what only looks: no more than the run may send. */ read: Send;
  guests: Guests;
  mayRemove: boolean;
  lingering: Map<string, Guest>;
};

async function tidyUp(
  run: Run,
  {
    target,
    route,
    timeoutMs,
    rate,
    keep,
    onSent,
    signal,
    lingering,
  }: Tidying & { signal: AbortSignal; lingering: Tools['lingering'] },
): Promise<void> {
  const { guests, may, prepareOptions } = run;
  const client = createHttpClient({ target, timeoutMs, route, signal });
  const polite = createPoliteSend({ client, rate, onWait: () => {}, onNote: () => {}, onSent, signal });
  const send = stopWhenSilent(sendUntilServed(polite, signal));
  const tools: Tools = {
    send,
    prepareOptions,
    guests,
    mayRemove: !keep && may.includes('remove'),
    read: run.limit.keep(send),
    lingering,
    signal,
  };
  // The last one first, since others may belong to it.
  for (const guest of [...guests.staying.values()].toReversed()) await seeOffIfAllowed(guest, tools);
  const { aborted } = run.signal;
  for (const visited of guests.visited.values()) {
    // Who ends a run does not wait for what changes nothing.
    if (!aborted || mayRemoveOf(visited.subject, tools)) await lookRound(visited, tools);
  }
  if (aborted) await lookLater(tools);
  for (const [name, guest] of guests.staying) if (isGoneWithParent(guest, guests)) guests.staying.delete(name);
  if (!aborted) await readLater(tools);
}

/** So many of those that stay are asked for again, before they are said to be there. */
const MOST_READ = 20;
const LATER_MS = 500;

/** What was not removed at once may be removed a little later, or gone by itself; what is asked for again is there. */
async function readLater(tools: Tools): Promise<void> {
  const { guests, lingering, signal } = tools;
  const rest = [...guests.staying, ...lingering].slice(0, MOST_READ);
  if (rest.length === 0) return;
  if (tools.mayRemove) await pause(LATER_MS, signal);
  for (const [name, guest] of rest) {
    const { get } = guest.subject.roles;
    if (signal.aborted) return;
    if (guests.staying.has(name)) await seeOffIfAllowed(guest, tools);
    if (get === undefined || !(guests.staying.has(name) || lingering.has(name))) continue;
    const answer = await askRole(get, guest.parameters, { ...tools, send: tools.read });
    if (answer.kind !== 'answered' || !isOfAbsence(answer.status)) continue;
    // A list may still show it for a while.
    guests.staying.delete(name);
    lingering.delete(name);
  }
}

/** What was under way when the run was stopped may come to be a little later, and nobody reads its answer. */
async function lookLater(tools: Tools): Promise<void> {
  const visited = [...tools.guests.visited.values()].filter(({ subject }) => mayRemoveOf(subject, tools));
  if (visited.length > 0) await pause(LATE_MS, tools.signal);
  for (const each of visited) await lookRound(each, tools);
}

function mayRemoveOf({ roles }: Subject, { mayRemove }: Tools): boolean {
  return mayRemove && roles.remove !== undefined;
}

/** After so many requests in a row without an answer, no further one is sent: the target has gone. */
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

async function seeOffIfAllowed(guest: Guest, { guests, mayRemove, ...asking }: Tools): Promise<void> {
  if (mayRemove) await seeOff(guest, guests, asking);
}

/** Whether a list still has records of the run's own: kept though they were refused, under another key, or under none that was shown. */
async function lookRound(visited: Visited, tools: Tools): Promise<void> {
  const { guests, signal } = tools;
  const { subject } = visited;
  if (subject.roles.list === undefined || isGoneWithParent({ subject, parameters: visited.scope }, guests, true))
    return;
  const since = performance.now();
  for (;;) {
    const found = await findOwn(visited, guests, {
      ...tools,
      send: mayRemoveOf(subject, tools) ? tools.send : tools.read,
    });
    const unknown = found.filter((guest) => !isKnown(guest, guests));
    const keyless = (guests.keyless.get(subject) ?? 0) - unknown.length;
    guests.keyless.set(subject, Math.max(0, keyless));
    for (const guest of unknown) {
      guests.staying.set(nameGuest(guest), guest);
      await seeOffIfAllowed(guest, tools);
    }
    const shown = found.filter((guest) => guests.removed.has(nameGuest(guest)));
    if (shown.length === 0 || signal.aborted) return;
    if (performance.now() - since > SETTLING_MS) {
      for (const guest of shown) tools.lingering.set(nameGuest(guest), guest);
      return;
    }
    await pause(PAUSE_MS, signal);
  }
}

/** What belongs to a record is gone with it. */
function isGoneWithParent({ subject, parameters }: Guest, { removed }: Guests, isScope = false): boolean {
  const values = Object.values(parameters);
  const above = isScope ? values : values.slice(0, -1);
  if (above.length === 0 || subject.parent === undefined) return false;
  const { parent } = subject;
  const names = [...parent.resource.scope, parent.resource.key.parameter];
  return removed.has(
    nameGuest({ subject: parent, parameters: Object.fromEntries(names.map((name, index) => [name, above[index]])) }),
  );
}
