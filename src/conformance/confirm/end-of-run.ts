// One complete list of each resource is held against the ledger: it finds late rollbacks, and lists that lose records.
import { readSegment } from '../http/read-response.js';
import { asObject, groupBy } from '../../contract/document/plain.js';
import { resolveAt } from '../../contract/document/references.js';
import { readProperties } from '../../contract/operations/properties.js';
import { saysExpires } from '../../contract/operations/said-in-words.js';
import { isNotFoundStatus, isSuccess } from '../model/exchange.js';
import type { RecordEntry, Visited, Look, RecordLedger } from '../ledger/record-ledger.js';
import { pause } from '../http/send-politely.js';
import { askRole, readList, type Asking, type ReadList, type Patience } from './confirm.js';

type Watching = Asking & { ledger: RecordLedger; patience: Patience };

export type Vanished = { entry: RecordEntry; page: NonNullable<ReadList['page']> };

export async function lookLast(run: Watching): Promise<Vanished[]> {
  const found: Vanished[] = [];
  for (const visited of run.ledger.visited.values()) {
    if (run.signal.aborted) return found;
    found.push(...(await lookAtList(visited, run)));
  }
  return found;
}

async function lookAtList(visited: Visited, run: Watching): Promise<Vanished[]> {
  const { subject, scope } = visited;
  const { resource, roles } = subject;
  const { list, create } = roles;
  const { ledger } = run;
  const above = Object.values(scope).map(String);
  const entries = ledger.listPresent().filter(({ id, subject: own, parameters, asCreated }) => {
    if (own !== subject || asCreated === undefined || ledger.endedBy(id) !== undefined) return false;
    const values = Object.values(parameters).map(String);
    return above.every((value, index) => value === values[index]) && !ledger.isGoneWithParent(own, parameters);
  });
  if (list === undefined || create?.success.status === 202 || entries.length === 0) return [];
  const { document } = ledger.contract;
  const record = resolveAt(document, resource.schemaPointer).value;
  const operations = [roles.create, roles.get, roles.list].flatMap((role) => role?.operation.pointer ?? []);
  const described = [record, ...operations.map((pointer) => resolveAt(document, pointer).value)].map(asObject);
  const texts = described.flatMap(({ summary, description }) => [summary, description]);
  const names = readProperties(document, resource.schemaPointer).map(({ name }) => name);
  if ([...names, ...texts].some((text) => typeof text === 'string' && saysExpires(text))) return [];
  await waitFor(Math.min(...entries.map(({ createdAt = 0 }) => createdAt)), run);
  const before = await readList(visited, run);
  const first = findLost(entries, before);
  if (first === undefined) return [];
  await waitFor(Math.max(...first.lost.map(({ createdAt = 0 }) => createdAt)), run);
  const readings = [before, await readList(visited, run), await readList(visited, run)];
  // Pages of any length, or others that create and delete: nobody can say that it is complete.
  if (new Set(readings.map(({ listed }) => listed.length)).size > 1) return [];
  const second = findLost(first.lost, readings[2] ?? before);
  if (second === undefined) return [];
  const { lost } = second;
  // A service may keep the newest records alone: all that are gone are older than all that are there.
  const firstKept = entries.findIndex((entry) => !lost.includes(entry));
  if (firstKept !== -1 && entries.slice(firstKept).every((entry) => !lost.includes(entry))) return [];
  const spread = [0, Math.floor(lost.length / 2), lost.length - 1].flatMap((at) => lost[at] ?? []);
  const found: Vanished[] = [];
  for (const entry of lost.length <= 3 ? lost : spread) {
    const { get } = subject.roles;
    const answer = get === undefined ? undefined : await askRole(get, entry.parameters, run);
    if (answer?.kind === 'unanswered') continue;
    const isGone = answer !== undefined && isNotFoundStatus(answer.status);
    const isThere = answer === undefined || isSuccess(answer.status);
    if (isGone || (isThere && entry.wasListed === true)) found.push({ entry, page: second.page });
  }
  return found;
}

async function waitFor(time: number, { patience, signal }: Pick<Watching, 'patience' | 'signal'>): Promise<void> {
  const wait = time + patience.mayNeedMs() - performance.now();
  if (wait > 0) await pause(wait + 1, signal);
}

function findLost(entries: readonly RecordEntry[], { listed, isWhole, page }: ReadList) {
  if (!isWhole || page === undefined) return undefined;
  const there = new Set(listed.map(({ entry }) => entry));
  const lost = entries.filter((entry) => !there.has(entry));
  return lost.length === 0 ? undefined : { lost, page };
}

const MOST_RECORDS = 8;
const LAST_LOOKS = 4;

export const ENOUGH = 2;

export async function recheckFlaky(run: Watching): Promise<Unsteady[]> {
  const settledMs = run.patience.mayNeedMs();
  const countFirm = (operationId: string): number =>
    findUnsteady(run.ledger, run.patience.mayNeedMs()).find((each) => each.operationId === operationId)?.firm.length ??
    0;
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
  const doubtful = findUnsteady(run.ledger, settledMs).map(({ operationId }) => operationId);
  for (const operationId of new Set([...doubtful, ...listEmptied(run.ledger.looks)])) {
    for (let round = 0; round < 2 && countFirm(operationId) < ENOUGH; round++) {
      await lookAtOld(operationId, run);
      if (countFirm(operationId) === 0) break;
    }
  }
  return findUnsteady(run.ledger, settledMs);
}

function listEmptied(looks: readonly Look[]): string[] {
  const whole = looks.filter(({ kind, wire }) => kind === 'list' && !/=(?:0|-\d+)(?:&|$)/.test(wire.target));
  return [...groupBy(whole, ({ of }) => of).values()].flatMap((group) => {
    const emptied = group.find((look) => look.shows.length === 0);
    const isFull = ({ shows, answeredAt }: Look) => shows.length >= SEVERAL && answeredAt <= (emptied?.sentAt ?? 0);
    return emptied !== undefined && group.some(isFull) ? [emptied.operationId] : [];
  });
}

async function lookAtOld(operationId: string, run: Watching): Promise<void> {
  const { ledger, patience } = run;
  const looks = ledger.looks.filter((each) => each.operationId === operationId);
  const wrong = findUnsteady({ looks, touches: ledger.touches }, patience.mayNeedMs()).flatMap((each) => each.wrong);
  const doubtful = new Set(wrong.map(({ request }) => request));
  const groups = [...groupBy(looks, ({ request }) => request)].toSorted(
    ([one], [other]) => Number(doubtful.has(other)) - Number(doubtful.has(one)),
  );
  const isList = looks[0]?.kind === 'list';
  const isGone = ({ kind, path, answeredAt }: Look): boolean =>
    kind === 'record' && ledger.touches.some((touch) => touch.answeredAt > answeredAt && touch.path.startsWith(path));
  const chosen = groups
    .map(([, group]) => group.reduce((fullest, each) => (each.shows.length >= fullest.shows.length ? each : fullest)))
    .filter((look) => look.shows.length > 0 && !isGone(look))
    .slice(0, isList ? 1 : MOST_RECORDS);
  const shown = chosen.flatMap(({ shows }) => shows);
  const times = shown.map(({ createdAt, shownAt, foundAt }) => createdAt ?? shownAt ?? foundAt ?? 0);
  const last = times.reduce((most, time) => Math.max(most, time), 0);
  if (chosen.length > 0) await waitFor(last, run);
  for (let index = 0; index < 24 && !run.signal.aborted; index++) {
    const look = chosen[index % chosen.length];
    if (look !== undefined) await run.send(look.wire);
  }
  for (const { request, shows, wire } of chosen) {
    const isLacking = (): boolean =>
      (run.ledger.looks.findLast((each) => each.request === request)?.shows.length ?? shows.length) < shows.length;
    for (let tries = 0; tries < LAST_LOOKS && isLacking() && !run.signal.aborted; tries++) await run.send(wire);
  }
}

export type Unsteady = Pick<Look, 'operationId' | 'kind'> & Omit<Found, 'isCut' | 'isMixed'>;

type Facts = Pick<RecordLedger, 'looks' | 'touches'>;

/** There before and after, and not in between: GET -> 200, 404, 200. A new record may be late for `settledMs`. */
export function findUnsteady(facts: Facts, settledMs: number): Unsteady[] {
  return [...groupBy(facts.looks, ({ operationId }) => operationId)].flatMap(([operationId, looks]) => {
    const { kind } = looks[0] as Look;
    const find = kind === 'record' ? findUnsteadyFetches : findUnsteadyLists;
    const groups = [...groupBy(looks, ({ request }) => request).values()];
    const inTime = (one: Look, other: Look): number => one.sentAt - other.sentAt;
    const found = groups.map((group) => find(group.toSorted(inTime), facts, settledMs));
    const wrong = found.flatMap((each) => each.wrong);
    if (wrong.length === 0) return [];
    const isCut = found.some((each) => each.isCut === true);
    const isMixed = found.some((each) => each.isMixed === true);
    const isFirm = ({ shows }: Look): boolean => kind === 'record' || (!isMixed && (!isCut || shows.length > 0));
    const firm = found.flatMap((each) => each.firm.filter(isFirm));
    return [{ operationId, kind, wrong, firm, of: found.reduce((sum, each) => sum + each.of, 0) }];
  });
}

type Found = { wrong: Look[]; firm: Look[]; of: number; isCut?: boolean; isMixed?: boolean };

function firstAt({ createdAt, shownAt, foundAt }: RecordEntry): number | undefined {
  return createdAt ?? (shownAt === undefined ? foundAt : Math.min(shownAt, foundAt ?? shownAt));
}

function findUnsteadyFetches(group: readonly Look[], { touches }: Facts, settledMs: number): Found {
  const wrong: Look[] = [];
  const firm: Look[] = [];
  const [first] = group;
  const birth = first === undefined || typeof first.of === 'string' ? undefined : firstAt(first.of);
  for (const look of group) {
    if (birth === undefined || look.shows.length > 0 || look.sentAt < birth) continue;
    const before = group.findLast((each) => each.answeredAt <= look.sentAt && each.shows.length > 0);
    const after = group.find((each) => each.sentAt >= look.answeredAt && each.shows.length > 0);
    const since = before?.answeredAt ?? birth;
    if (after === undefined) continue;
    const between = touches.filter(({ sentAt, answeredAt }) => answeredAt >= since && sentAt <= after.sentAt);
    if (between.some(({ path }) => isWithin(look.path, path))) continue;
    wrong.push(look);
    if (before !== undefined && look.sentAt - birth > settledMs) firm.push(look);
  }
  return { wrong, firm, of: group.filter(({ shows }) => shows.length > 0).length + wrong.length };
}

export const SEVERAL = 3;

function findUnsteadyLists(group: readonly Look[], { touches }: Facts, settledMs: number): Found {
  const longest = Math.max(...group.map(({ shows }) => shows.length));
  const touched = new Set(touches.flatMap(({ path }) => path.split('/').map(readSegment)));
  const isMixed = group.some(({ shows }, index) => {
    const before = group[index - 1]?.shows ?? [];
    const [here, there] = [new Set(shows), new Set(before)];
    const common = before.filter((each) => here.has(each));
    return shows.filter((each) => there.has(each)).some((each, at) => each !== common[at]);
  });
  const found: Found = { wrong: [], firm: [], of: group.length, isMixed };
  for (const look of group) {
    if (look.shows.length >= longest) continue;
    const has = new Set(look.shows);
    const isMore = ({ shows }: Look): boolean => shows.some((each) => !has.has(each));
    const before = group.findLast((each) => each.answeredAt <= look.sentAt && isMore(each));
    const after = group.find((each) => each.sentAt >= look.answeredAt && isMore(each));
    if (before === undefined || after === undefined) continue;
    const again = new Set(after.shows);
    const lacks = before.shows.filter((each) => again.has(each) && !has.has(each) && !touched.has(String(each.id.key)));
    if (lacks.length === 0) continue;
    // A list goes on after what it lacks; a short page ends before it.
    const goesOn = (lacked: RecordEntry): boolean =>
      [before, after].every((other) =>
        other.shows.slice(other.shows.indexOf(lacked) + 1).some((each) => has.has(each)),
      );
    if (look.shows.length > 0 && !lacks.some(goesOn)) {
      found.isCut = true;
      continue;
    }
    found.wrong.push(look);
    const isOld = (each: RecordEntry): boolean => look.sentAt - (firstAt(each) ?? 0) > settledMs;
    const others = lacks.filter(({ createdAt }) => createdAt === undefined);
    if (others.length >= SEVERAL || lacks.some(isOld)) found.firm.push(look);
  }
  return found;
}

export function isWithin(path: string, other: string): boolean {
  return `${path}/`.startsWith(`${other}/`) || other.startsWith(`${path}/`);
}
