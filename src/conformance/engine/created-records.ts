import { wordsOf } from '../../contract/gaps/gaps.js';
import { listTemplateNames } from '../../contract/operations/match.js';
import { isSecretName } from '../../redact/redactor.js';
import { readCreatedKey, type RecordEntry, type Visited, type RecordLedger } from '../ledger/record-ledger.js';
import { readPathKey, followPointer, isNotFoundStatus, isSuccess } from '../model/exchange.js';
import type { WireAnswer, SentRequest } from '../model/exchange.js';
import { splitTarget } from '../http/prepare-request.js';
import type { LeftBehind } from '../model/result.js';
import { recordAt, type Subject } from '../resources/resource-under-test.js';
import { pause, type Send } from '../http/send-politely.js';
import { askRole, readTag, readList, type Asking } from '../confirm/confirm.js';
import type { Run } from './run.js';
import { asObject, groupBy } from '../../contract/document/plain.js';
import {
  findRoles,
  readKey,
  readKeyOfSent,
  readSentRecord,
  readShownKey,
  withoutKey,
} from '../ledger/shown-records.js';
import type { MarkedField } from '../ledger/shown-records.js';
import { readLocationKey } from '../http/read-response.js';
import type { ResponseRecord } from '../http/template.js';

const MOST_MS = 60_000; // The longest that cleaning up may take, and what of it is left after an interrupt.
const MOST_AFTER_STOP_MS = 10_000;
const SETTLING_MS = 1000; // The longest that a list may show what was deleted, before it is said to be there.

/** Deletes what the run created, where it may. It does not throw, and ends in time: what the run has found must not be lost. */
export async function cleanUp(run: Run, open: (until: AbortSignal) => Send) {
  const notes: string[] = [];
  const none: LeftBehind[] = [];
  if (run.ledger.visited.size === 0) return { left: none, notes };
  const stop = new AbortController();
  const end = (): void => stop.abort('the time for the cleanup was over');
  const timers = [setTimeout(end, MOST_MS)];
  const onStop = (): void => void timers.push(setTimeout(end, MOST_AFTER_STOP_MS));
  if (run.signal.aborted) onStop();
  else run.signal.addEventListener('abort', onStop, { once: true });
  const ended = new Promise<void>((resolve) => stop.signal.addEventListener('abort', () => resolve(), { once: true }));
  const lingering = new Set<RecordEntry>();
  try {
    await Promise.race([deleteAll(run, open(stop.signal), stop.signal, lingering), ended]);
  } catch (error) {
    notes.push(`the cleanup ended early: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    run.signal.removeEventListener('abort', onStop);
    for (const timer of timers) clearTimeout(timer);
    stop.abort('the run has ended');
  }
  const why = 'since the target still lists what the run deleted';
  const listed = [...groupBy([...lingering], ({ subject }) => subject)].map(([subject, entries]) =>
    describeLeftovers(subject, { entries, why, keyless: 0 }, run.ledger),
  );
  return { left: [...listLeftovers(run, true), ...listed], notes };
}

export function listLeftovers(run: Run, hasCleanedUp = false): LeftBehind[] {
  const { ledger, may, keeps, credentials, isNever, prepareOptions } = run;
  const present = ledger.listPresent();
  const keyless = ledger.countKeyless();
  const explain = ({ roles: { remove } }: Subject, isNamed: boolean): string => {
    if (remove === undefined) return 'since the contract has no operation to remove one';
    const expired = credentials.whyExpired();
    if (expired !== undefined) return `since ${expired}`;
    const { method, path } = remove.operation;
    if (isNever({ method, target: `${prepareOptions.basePath}${path}` }))
      return `since ${method} ${path} is never to be sent (--never)`;
    if (keeps) return 'as --keep asks';
    if (!may.includes('remove')) return 'since the run may not remove any (--may create,update,remove allows it)';
    if (!hasCleanedUp) return 'since the run has not cleaned up';
    if (!isNamed) return 'since no response shows the key by which to remove one';
    return 'since the target did not remove what the run deleted';
  };
  const left = [...new Set([...present.map(({ subject }) => subject), ...keyless.keys()])].map((subject) => {
    const entries = present.filter((entry) => entry.subject === subject);
    const why = explain(subject, entries.length > 0);
    return describeLeftovers(subject, { why, entries, keyless: keyless.get(subject) ?? 0 }, ledger);
  });
  return left.filter(({ count }) => count > 0);
}

const MOST_KEYS = 100;

type Left = { why: string; entries: readonly RecordEntry[]; keyless: number };

function describeLeftovers(subject: Subject, { why, entries, keyless }: Left, { texts }: RecordLedger): LeftBehind {
  const { key } = subject.resource;
  const { record: one, records: many } = wordsOf(subject.resource);
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
    ...(texts.isUsed(subject.name) && subject.roles.list !== undefined ? { mark: texts.mark } : {}),
  };
}

function findAddress({ subject: { roles }, parameters }: RecordEntry): string | undefined {
  const operation = (roles.remove ?? roles.get ?? roles.replace ?? roles.update)?.operation;
  const values = Object.values(parameters);
  const names = listTemplateNames(operation?.path ?? '');
  if (operation === undefined || operation.server !== undefined || names.length !== values.length) return undefined;
  return names.reduce((path, name, index) => {
    const value = Object.hasOwn(parameters, name) ? parameters[name] : values[index];
    return path.replaceAll(`{${name}}`, () => encodeURIComponent(String(value)));
  }, operation.path);
}

type Tools = Asking & { read: Send; ledger: RecordLedger; mayDelete: boolean; lingering: Set<RecordEntry> };

async function deleteAll(run: Run, send: Send, signal: AbortSignal, lingering: Set<RecordEntry>): Promise<void> {
  const { ledger, may, keeps, prepareOptions } = run;
  const mayDelete = !keeps && may.includes('remove');
  const read = run.limit.keep(send);
  const tools: Tools = { signal, lingering, send, prepareOptions, ledger, mayDelete, read };
  if (mayDelete) for (const entry of ledger.listPresent().toReversed()) await deleteRecord(entry, ledger, tools);
  const { aborted } = run.signal;
  for (const visited of ledger.visited.values())
    if (!aborted || mayDeleteOf(visited.subject, tools)) await deleteListed(visited, tools);
  // What was under way when the run was stopped may come to be a little later, and nobody reads its response.
  const late = aborted ? [...ledger.visited.values()].filter(({ subject }) => mayDeleteOf(subject, tools)) : [];
  if (late.length > 0) await pause(300, signal);
  for (const visited of late) await deleteListed(visited, tools);
  for (const entry of ledger.listPresent())
    if (ledger.isGoneWithParent(entry.subject, entry.parameters)) ledger.noteDeleted(entry);
  if (!aborted) await readLater(tools);
}

async function readLater(tools: Tools): Promise<void> {
  const { ledger, lingering, signal, mayDelete, read } = tools;
  const asked = ledger.listPresent().filter(({ subject }) => mayDeleteOf(subject, tools));
  const rest = [...asked, ...lingering].slice(0, 20);
  if (rest.length === 0) return;
  if (mayDelete) await pause(500, signal);
  for (const entry of rest) {
    const { get } = entry.subject.roles;
    if (signal.aborted) return;
    if (mayDelete && entry.state === 'present') await deleteRecord(entry, ledger, tools);
    if (get === undefined || !(entry.state === 'present' || lingering.has(entry))) continue;
    const answer = await askRole(get, entry.parameters, { ...tools, send: read });
    if (answer.kind !== 'answered' || !isNotFoundStatus(answer.status)) continue;
    ledger.noteDeleted(entry);
    lingering.delete(entry);
  }
}

export async function deleteRecord(entry: RecordEntry, ledger: RecordLedger, asking: Asking): Promise<void> {
  const { remove } = entry.subject.roles;
  if (remove === undefined || asking.signal.aborted) return;
  const answer = await askRole(remove, entry.parameters, asking, await readTag(entry, asking));
  if (answer.kind === 'answered' && (isSuccess(answer.status) || isNotFoundStatus(answer.status)))
    ledger.noteDeleted(entry);
}

const mayDeleteOf = ({ roles }: Subject, { mayDelete }: Tools): boolean => mayDelete && roles.remove !== undefined;

async function deleteListed(visited: Visited, tools: Tools): Promise<void> {
  const { ledger, signal, mayDelete, read, send } = tools;
  const { subject, scope } = visited;
  if (subject.roles.list === undefined || ledger.isGoneWithParent(subject, scope, true)) return;
  const since = performance.now();
  for (;;) {
    const asking = { ...tools, send: mayDeleteOf(subject, tools) ? send : read };
    const { listed } = await readList(visited, { ...asking, ledger });
    const found = listed.filter(({ entry, record }) => ledger.isWrittenByRun(entry, record)).map(({ entry }) => entry);
    const unknown = found.filter(({ state }) => state === undefined);
    for (const entry of unknown) {
      ledger.noteKeyFound(entry);
      ledger.notePresent(entry);
      if (mayDelete) await deleteRecord(entry, ledger, tools);
    }
    const deleted = found.filter(({ id }) => ledger.find(id)?.state === 'deleted');
    if (deleted.length === 0 || signal.aborted) return;
    if (performance.now() - since > SETTLING_MS) {
      for (const entry of deleted) tools.lingering.add(entry);
      return;
    }
    await pause(100, signal);
  }
}

const LOOK_PAUSE_MS = 50;

type Gained = { key: unknown; record?: object; at: string | undefined };

async function findGained(sent: SentRequest, { answer, value }: Responded, run: Run): Promise<Gained | undefined> {
  if (answer.kind === 'unanswered' || !isSuccess(answer.status) || sent.violations.length > 0) return undefined;
  const { ledger, contract, signal } = run;
  const subject = findRoles(sent, contract).find(({ role }) => role === 'create')?.subject;
  const create = subject?.roles.create;
  if (subject === undefined || create === undefined) return undefined;
  if (subject.resource.key.givenBy === 'client' || subject.putsNew !== undefined) return undefined;
  if (readLocationKey(answer.headers['location']) !== undefined) return undefined;
  const texts = ledger.texts.listMarked(readSentRecord(sent, create));
  const nameText = ({ name, text }: MarkedField): string => JSON.stringify([name, text.trim().toLowerCase()]);
  const names = new Set(texts.map(nameText));
  const shows = (record: object): boolean => ledger.texts.listMarked(record).some((own) => names.has(nameText(own)));
  const key = readKeyOfSent(value, subject, shows);
  if (key !== undefined && readKey(value, create, subject) !== undefined) return { key, at: undefined };
  if (key !== undefined) {
    const at = recordAt(create);
    const shown = at === undefined ? undefined : asObject(followPointer(value, at));
    return { key, record: { ...shown, [subject.resource.key.property]: key }, at };
  }
  if (readShownKey(value, subject) !== undefined) return undefined;
  const visited = { subject, scope: withoutKey(sent.path, subject) };
  const since = performance.now();
  const mayLookAgain = (look: number): boolean =>
    look < 3 || (answer.status === 202 && run.patience.allows(since, LOOK_PAUSE_MS * 2 ** look));
  for (let look = 0; mayLookAgain(look) && texts.length > 0 && !signal.aborted; look++) {
    if (look > 0) await pause(LOOK_PAUSE_MS * 2 ** look, signal);
    const { listed } = await readList(visited, run);
    const [found, ...others] = listed.filter(({ entry, record }) => entry.state === undefined && shows(record));
    if (others.length > 0) return undefined;
    if (found === undefined) continue;
    ledger.notePresent(found.entry);
    ledger.noteKeyFound(found.entry);
    const how = 'the run finds its records in the list, by their texts';
    run.note(`${create.operation.id} returns no key of the created record; ${how}`);
    return { key: found.entry.id.key, record: found.record, at: recordAt(create) };
  }
  return undefined;
}

type Responded = { answer: WireAnswer; value: unknown };

export async function showGained(response: ResponseRecord, sent: SentRequest, answered: Responded, run: Run) {
  const gained = await findGained(sent, answered, run);
  if (gained === undefined) return;
  const { key, record, at } = gained;
  response.headers = { ...response.headers, location: encodeURIComponent(String(key)) };
  if (at === undefined) return;
  const members = at.split('/').slice(1);
  response.body = members.reduceRight<unknown>((inside, name) => ({ [name]: inside }), record);
}

// A 202 says that a request was accepted, not that it was carried out (RFC 9110 section 15.3.3): a run waits until it was.

const ACCEPTED = 202;

/** POST -> 202 { id: 7 }; GET /things/7 -> 404, 404, 200: done after the third. Otherwise returns what is needed. */
export async function awaitAccepted(sent: SentRequest, answer: WireAnswer, response: ResponseRecord, run: Run) {
  if (answer.kind !== 'answered' || answer.status !== ACCEPTED || sent.violations.length > 0) return [];
  const found = findOnItsWay(sent, response, run);
  if (found === undefined) return [];
  const { entry, isToBeThere } = found;
  const { get, list } = entry.subject.roles;
  const isDone = async (): Promise<boolean> => {
    const fetched = get === undefined ? undefined : await askRole(get, entry.parameters, run);
    if (fetched !== undefined) return fetched.kind === 'unanswered' || isNotFoundStatus(fetched.status) !== isToBeThere;
    if (list === undefined) return true;
    const scope = withoutKey(entry.parameters, entry.subject);
    const { listed } = await readList({ subject: entry.subject, scope }, run);
    return listed.some((each) => each.entry === entry) === isToBeThere;
  };
  const since = performance.now();
  let pauseMs = 50;
  for (let round = 1, isLast = false; ; round++) {
    if (await isDone()) {
      if (round > 1) run.patience.settled(performance.now() - since);
      return [];
    }
    if (isLast || run.signal.aborted) {
      const after = `${((performance.now() - since) / 1000).toFixed(1)} s after ${sent.operation?.id ?? 'the request'}`;
      const needs = `a record that is there ${after} was answered with 202; --settle waits longer`;
      return isToBeThere ? [{ needs }] : [];
    }
    isLast = !run.patience.allows(since, pauseMs);
    await pause(isLast ? Math.max(0, since + run.patience.mayNeedMs() - performance.now()) : pauseMs, run.signal);
    pauseMs = Math.min(2 * pauseMs, 400);
  }
}

/** A 202 may name where to ask how far it is: POST /things -> 202, Location: /jobs/7, and there is no thing 7. */
export function withoutMonitor(answer: WireAnswer, sent: SentRequest, { contract, prepareOptions }: Run): WireAnswer {
  if (answer.kind !== 'answered' || answer.status !== ACCEPTED || answer.headers['location'] === undefined)
    return answer;
  const { location, ...headers } = answer.headers;
  const path = location.replace(/[?#].*$/s, '').replace(/^(?:[a-z][a-z\d+.-]*:)?\/\/[^/]*/i, '');
  const { rest } = splitTarget({ method: 'GET', target: path }, prepareOptions);
  const match = contract.match('GET', path.startsWith(prepareOptions.basePath) ? rest : path);
  const roles = findRoles(sent, contract);
  const isOfRecord =
    match.kind === 'operation'
      ? roles.some(({ subject }) => subject.roles.get?.operation.id === match.operation.id)
      : path.replace(/\/[^/]*\/?$/, '') === sent.target?.replace(/[?].*$/s, '');
  return isOfRecord || !path.includes('/') ? answer : { ...answer, headers };
}

function findOnItsWay(sent: SentRequest, response: ResponseRecord, { contract, ledger }: Run) {
  const { body, headers } = response;
  for (const { subject, role } of findRoles(sent, contract)) {
    const asked = role === 'remove' ? readPathKey(Object.values(sent.path).at(-1)) : undefined;
    if (asked !== undefined) return { entry: ledger.entryOf(subject, sent.path, asked), isToBeThere: false };
    if (role !== 'create') continue;
    const key = readCreatedKey(subject, { ...sent, json: undefined }, { value: body, location: headers['location'] });
    if (key === undefined) return undefined;
    return { entry: ledger.entryBelow(subject, withoutKey(sent.path, subject), key), isToBeThere: true };
  }
  return undefined;
}
