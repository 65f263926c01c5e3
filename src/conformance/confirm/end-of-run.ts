// One complete list of each resource is held against the ledger: it finds late rollbacks, and lists that lose records.
import type { Contract } from '../../contract/contract.js';
import { asObject, groupBy } from '../../contract/document/plain.js';
import { resolveAt } from '../../contract/document/references.js';
import { readProperties } from '../../contract/operations/properties.js';
import { saysExpires } from '../../contract/operations/said-in-words.js';
import { isNotFoundStatus, isSuccess, type Answered, type WireRequest } from '../model/exchange.js';
import type { RecordEntry, Visited, Look, RecordLedger } from '../ledger/record-ledger.js';
import type { Subject } from '../resources/resource-under-test.js';
import { pause } from '../http/send-politely.js';
import { askRole, type Asking, readList, type ReadList, type Confirming, type Patience } from './confirm.js';
import { isWithin, findUnsteady, SEVERAL, type Unsteady } from '../ledger/looks.js';

type LastLooking = Asking & { ledger: RecordLedger; patience: Patience };

export type Vanished = { entry: RecordEntry; isThere: boolean; page: { wire: WireRequest; answer: Answered } };

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
  if (list === undefined || create?.success.status === 202 || entries.length === 0) return [];
  if (expires(subject, run.ledger.contract)) return [];
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
  const { lost } = second;
  const spread = [0, Math.floor(lost.length / 2), lost.length - 1].flatMap((at) => lost[at] ?? []);
  const found: Vanished[] = [];
  for (const entry of lost.length <= MOST_FETCHED ? lost : spread) {
    const isThere = await isAtItsAddress(entry, run);
    if (isThere !== undefined && (!isThere || entry.wasListed === true))
      found.push({ entry, isThere, page: second.page });
  }
  return found;
}

async function waitFor(time: number, { patience, signal }: Pick<Watching, 'patience' | 'signal'>): Promise<void> {
  const wait = time + patience.mayNeedMs() - performance.now();
  if (wait > 0) await pause(wait + 1, signal);
}

function listToBeThere({ subject, scope }: Visited, ledger: RecordLedger): RecordEntry[] {
  const above = Object.values(scope).map(String);
  return ledger.listPresent().filter(({ id, subject: own, parameters, asCreated }) => {
    if (own !== subject || asCreated === undefined || ledger.endedBy(id) !== undefined) return false;
    const values = Object.values(parameters).map(String);
    return above.every((value, index) => value === values[index]) && !ledger.isGoneWithParent(own, parameters);
  });
}

function findLost(entries: readonly RecordEntry[], { listed, isWhole, page }: ReadList) {
  if (!isWhole || page === undefined) return undefined;
  const there = new Set(listed.map(({ entry }) => entry));
  const lost = entries.filter((entry) => !there.has(entry));
  return lost.length === 0 ? undefined : { lost, page };
}

function isForRetention(lost: readonly RecordEntry[], entries: readonly RecordEntry[]): boolean {
  const gone = new Set(lost);
  const firstKept = entries.findIndex((entry) => !gone.has(entry));
  return firstKept !== -1 && entries.slice(firstKept).every((entry) => !gone.has(entry));
}

async function isAtItsAddress({ subject, parameters }: RecordEntry, run: LastLooking): Promise<boolean | undefined> {
  const { get } = subject.roles;
  if (get === undefined) return true;
  const answer = await askRole(get, parameters, run);
  if (answer.kind === 'unanswered') return undefined;
  if (isNotFoundStatus(answer.status)) return false;
  return isSuccess(answer.status) ? true : undefined;
}

function expires({ resource, roles }: Subject, { document }: Contract): boolean {
  const record = resolveAt(document, resource.schemaPointer).value;
  const operations = [roles.create, roles.get, roles.list].flatMap((role) =>
    role === undefined ? [] : [asObject(resolveAt(document, role.operation.pointer).value)],
  );
  const texts = [asObject(record), ...operations].flatMap(({ summary, description }) => [summary, description]);
  const names = readProperties(document, resource.schemaPointer).map(({ name }) => name);
  return [...names, ...texts].some((text) => typeof text === 'string' && saysExpires(text));
}

type Watching = Pick<Confirming, 'ledger' | 'send' | 'signal'> & { patience: Patience };

const MORE_LOOKS = 24;

const MOST_RECORDS = 8;

const LAST_LOOKS = 4;

export const ENOUGH = 2;

/** Asks again where something was there and then not: by now, all that the run created is older than the target needs. */
export async function recheckFlaky(run: Watching): Promise<Unsteady[]> {
  const settledMs = run.patience.mayNeedMs();
  const countFirm = (operationId: string): number =>
    findUnsteady(run.ledger, run.patience.mayNeedMs()).find((each) => each.operationId === operationId)?.firm.length ??
    0;
  await lookForLost(run);
  const doubtful = findUnsteady(run.ledger, settledMs).map(({ operationId }) => operationId);
  for (const operationId of new Set([...doubtful, ...listEmptied(run.ledger.looks)])) {
    for (let round = 0; round < 2 && countFirm(operationId) < ENOUGH; round++) {
      await lookAtOld(operationId, run);
      if (countFirm(operationId) === 0) break;
    }
  }
  return findUnsteady(run.ledger, settledMs);
}

const OF_NONE = /=(?:0|-\d+)(?:&|$)/;

function listEmptied(looks: readonly Look[]): string[] {
  const whole = looks.filter(({ kind, wire }) => kind === 'list' && !OF_NONE.test(wire.target));
  return [...groupBy(whole, ({ of }) => of).values()].flatMap((group) => {
    const emptied = group.find((look) => look.shows.length === 0);
    const isFull = ({ shows, answeredAt }: Look) => shows.length >= SEVERAL && answeredAt <= (emptied?.sentAt ?? 0);
    return emptied !== undefined && group.some(isFull) ? [emptied.operationId] : [];
  });
}

async function lookForLost(run: Watching): Promise<void> {
  const { looks, touches } = run.ledger;
  const isLost = (look: Look): boolean =>
    typeof look.of !== 'string' &&
    look.shows.length === 0 &&
    look.sentAt > (look.of.createdAt ?? Number.POSITIVE_INFINITY) &&
    !touches.some(({ path }) => isWithin(look.path, path));
  const lost = groupBy(looks.filter(isLost), ({ request }) => request);
  for (const group of [...lost.values()].slice(0, MOST_RECORDS)) {
    const { request, answeredAt, wire } = group.at(-1) as Look;
    const isSeen = (): boolean =>
      looks.some((each) => each.request === request && each.sentAt >= answeredAt && each.shows.length > 0);
    for (let tries = 0; tries < LAST_LOOKS && !isSeen() && !run.signal.aborted; tries++) await run.send(wire);
  }
}

async function lookAtOld(operationId: string, run: Watching): Promise<void> {
  const chosen = chooseLooks(operationId, run);
  const shown = chosen.flatMap(({ shows }) => shows);
  const times = shown.map(({ createdAt, shownAt, foundAt }) => createdAt ?? shownAt ?? foundAt ?? 0);
  const last = times.reduce((most, time) => Math.max(most, time), 0);
  if (chosen.length > 0) await waitFor(last, run);
  for (let index = 0; index < MORE_LOOKS && !run.signal.aborted; index++) {
    const look = chosen[index % chosen.length];
    if (look !== undefined) await run.send(look.wire);
  }
  for (const { request, shows, wire } of chosen) {
    const isLacking = (): boolean =>
      (run.ledger.looks.findLast((each) => each.request === request)?.shows.length ?? shows.length) < shows.length;
    for (let tries = 0; tries < LAST_LOOKS && isLacking() && !run.signal.aborted; tries++) await run.send(wire);
  }
}

function chooseLooks(operationId: string, { ledger, patience }: Watching): Look[] {
  const looks = ledger.looks.filter((each) => each.operationId === operationId);
  const wrong = findUnsteady({ looks, touches: ledger.touches }, patience.mayNeedMs()).flatMap((each) => each.wrong);
  const doubtful = new Set(wrong.map(({ request }) => request));
  const groups = [...groupBy(looks, ({ request }) => request)].toSorted(
    ([one], [other]) => Number(doubtful.has(other)) - Number(doubtful.has(one)),
  );
  const isList = looks[0]?.kind === 'list';
  const isGone = ({ kind, path, answeredAt }: Look): boolean =>
    kind === 'record' && ledger.touches.some((touch) => touch.answeredAt > answeredAt && touch.path.startsWith(path));
  return groups
    .map(([, group]) => group.reduce((fullest, each) => (each.shows.length >= fullest.shows.length ? each : fullest)))
    .filter((look) => look.shows.length > 0 && !isGone(look))
    .slice(0, isList ? 1 : MOST_RECORDS);
}
