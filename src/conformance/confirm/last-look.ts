// The rule of the last look: at the end of a run, one complete list of each resource is held against the ledger. It finds what no
// scenario waits for: creates that are rolled back later, lists that lose records once there are many.
import type { Contract } from '../../contract/contract.js';
import { asObject } from '../../contract/document/plain.js';
import { resolveAt } from '../../contract/document/references.js';
import { readProperties } from '../../contract/operations/properties.js';
import { saysExpires } from '../../contract/operations/said-in-words.js';
import { isOfAbsence, isSuccess, type Answered, type WireRequest } from '../model/wire.js';
import type { RecordEntry, Visited } from '../ledger/observations.js';
import type { RecordLedger } from '../ledger/record-ledger.js';
import type { Subject } from '../resources/resource-under-test.js';
import { pause } from '../http/send-politely.js';
import { askRole, type Asking } from './ask-role.js';
import { readList, type ReadList } from './read-list.js';
import type { Patience } from './wait.js';

type LastLooking = Asking & { ledger: RecordLedger; patience: Patience };

/** A record of the run that nothing changed or deleted, and that a complete list lacks. */
export interface Vanished {
  entry: RecordEntry;
  /** Whether it is at its own address all the same, where it has one. */
  isThere: boolean;
  /** The first page of the list. */
  page: { wire: WireRequest; answer: Answered };
}

/** So many of the records that a list lacks are asked for at their own addresses. */
const MOST_FETCHED = 3;

/** What vanished of each list in which the run created records. It costs one reading of each, and what confirms a loss. */
export async function lookLast(run: LastLooking): Promise<Vanished[]> {
  const found: Vanished[] = [];
  for (const visited of run.ledger.visited.values()) {
    if (run.signal.aborted) return found;
    found.push(...(await lookAtList(visited, run)));
  }
  return found;
}

async function lookAtList(visited: Visited, run: LastLooking): Promise<Vanished[]> {
  const { subject } = visited;
  const { list, create } = subject.roles;
  const entries = listToBeThere(visited, run.ledger);
  // What was accepted to be created later, and what expires, may be gone by itself.
  if (list === undefined || create?.success.status === 202 || entries.length === 0) return [];
  if (expires(subject, run.ledger.contract)) return [];
  // A create that is rolled back later shows after a while.
  await waitFor(Math.min(...entries.map(({ createdAt = 0 }) => createdAt)), run);
  const before = await readList(visited, run);
  const first = findLost(entries, before);
  if (first === undefined) return [];
  await waitFor(Math.max(...first.lost.map(({ createdAt = 0 }) => createdAt)), run);
  const readings = [before, await readList(visited, run), await readList(visited, run)];
  // Pages of any length, or others that create and delete: nobody can say that it is complete.
  if (new Set(readings.map(({ listed }) => listed.length)).size > 1) return [];
  const second = findLost(first.lost, readings[2] ?? before);
  if (second === undefined || isForRetention(second.lost, entries)) return [];
  const found: Vanished[] = [];
  for (const entry of chooseSome(second.lost)) {
    const isThere = await isAtItsAddress(entry, run);
    // What a list leaves out on purpose, such as drafts, it has never shown.
    if (isThere !== undefined && (!isThere || entry.wasListed === true))
      found.push({ entry, isThere, page: second.page });
  }
  return found;
}

/** Waits until what was created at a time is older than the time that the target needs. */
async function waitFor(createdAt: number, { patience, signal }: LastLooking): Promise<void> {
  const wait = createdAt + patience.mayNeedMs() - performance.now();
  if (wait > 0) await pause(wait + 1, signal);
}

/** The records of a list that the run created, and that nothing can have changed since. */
function listToBeThere({ subject, scope }: Visited, ledger: RecordLedger): RecordEntry[] {
  const above = Object.values(scope).map(String);
  return ledger
    .listPresent()
    .filter(
      ({ id, subject: own, parameters, asCreated }) =>
        own === subject &&
        asCreated !== undefined &&
        ledger.endedBy(id) === undefined &&
        above.every((value, index) => value === String(Object.values(parameters)[index])) &&
        !ledger.isGoneWithParent(own, parameters),
    );
}

function findLost(
  entries: readonly RecordEntry[],
  { listed, isWhole, page }: ReadList,
): { lost: RecordEntry[]; page: Vanished['page'] } | undefined {
  if (!isWhole || page === undefined) return undefined;
  const there = new Set(listed.map(({ entry }) => entry));
  const lost = entries.filter((entry) => !there.has(entry));
  return lost.length === 0 ? undefined : { lost, page };
}

/** Whether a service may keep the newest records alone: all that are gone are older than all that are there. */
function isForRetention(lost: readonly RecordEntry[], entries: readonly RecordEntry[]): boolean {
  const gone = new Set(lost);
  const firstKept = entries.findIndex((entry) => !gone.has(entry));
  return firstKept !== -1 && entries.slice(firstKept).every((entry) => !gone.has(entry));
}

/** The first, the last, and one between them. */
function chooseSome(lost: readonly RecordEntry[]): RecordEntry[] {
  if (lost.length <= MOST_FETCHED) return [...lost];
  return [0, Math.floor(lost.length / 2), lost.length - 1].flatMap((index) => lost[index] ?? []);
}

/** `undefined` where nobody can tell. */
async function isAtItsAddress({ subject, parameters }: RecordEntry, run: LastLooking): Promise<boolean | undefined> {
  const { get } = subject.roles;
  if (get === undefined) return true;
  const answer = await askRole(get, parameters, run);
  if (answer.kind === 'unanswered') return undefined;
  if (isOfAbsence(answer.status)) return false;
  return isSuccess(answer.status) ? true : undefined;
}

/** Whether the contract says that its records end by themselves, in the name of a field or in words. */
function expires({ resource, roles }: Subject, { document }: Contract): boolean {
  const record = resolveAt(document, resource.schemaPointer).value;
  const operations = [roles.create, roles.get, roles.list].flatMap((role) =>
    role === undefined ? [] : [asObject(resolveAt(document, role.operation.pointer).value)],
  );
  const texts = [asObject(record), ...operations].flatMap(({ summary, description }) => [summary, description]);
  const names = readProperties(document, resource.schemaPointer).map(({ name }) => name);
  return [...names, ...texts].some((text) => typeof text === 'string' && saysExpires(text));
}
