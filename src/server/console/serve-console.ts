import { type EntryIds, createEntryIds, serveFeed, describeCollections, listRecords } from './feed.js';
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import { listItems } from '../../contract/coverage.js';
import { printJson } from '../../contract/document/json.js';
import type { Gap } from '../../contract/gaps/gaps.js';
import { PetstoreMockError } from '../../errors.js';
import { createErrorResponse } from '../../mock/response/errors.js';
import { listShippedPacks } from '../../mock/fixtures/load-fixtures.js';
import type { JournalEntry } from '../../mock/world/journal.js';
import { resetWorld, type World } from '../../mock/world/world.js';
import type { Worlds } from '../../mock/world/worlds.js';
import { guard, guardPage, rejectMessage, type AdminAccess, type Rejected } from '../admin/guard.js';
import { createFileNews, type FileNews } from '../moving.js';
import { answerOutside } from '../http/outside.js';
import { readBodyBytes, type MountedRequest } from '../http/exchange.js';
import { toExchange, showHeaders, writeHar } from '../handles/requests.js';
import { ADMIN_PATH, ASSETS_PATH } from '../world-names.js';
import { describeMock, writeExample, cutExcerpt } from './describe-mock.js';
import { describeReference, describeSchema } from './describe-reference.js';
import { mountPathOf, send, sendPage } from './serve-page.js';
import { readDraft, sendDraft, serveAgain } from './send-draft.js';
import { toKey } from '../../mock/store/kept.js';
import type { CollectionsState, Starts } from '../../mock/store/collections.js';
import { findPlace } from '../handles/records.js';
import { collectionsFull } from '../handles/create-handles.js';

export const CONSOLE_PATH = `${ADMIN_PATH}/console/`;

/** For all worlds of the process, so that a page still finds its exchanges after the worlds are replaced. */
const entryIds = createEntryIds();

/** The page's own requests beside the admin API: only a page needs them, and they may change with it. */
export function createConsole(
  worlds: Worlds,
  access: AdminAccess,
  news: FileNews = createFileNews(),
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    const target = (request.url ?? '').slice(ADMIN_PATH.length);
    const isPage = !target.startsWith('/console/');
    const rejected = rejectMessage(request) ?? (isPage ? guardPage : guard)(request, access);
    if (rejected !== undefined) return refuse(request, response, rejected);
    if (isPage) return servePage(request, response, access);
    const { pathname, searchParams } = new URL(target, 'http://mock');
    const world = findWorld(worlds, searchParams.get('world'));
    if (world === undefined) return refuse(request, response, NO_WORLD);
    const call = { request, response, worlds, world, ids: entryIds, access, news, asked: searchParams };
    const [, , name = '', id, action] = pathname.split('/');
    const serve =
      CALLS[
        `${request.method} ${[name, ...(id === undefined ? [] : ['id']), ...(action === undefined ? [] : [action])].join('/')}`
      ];
    if (serve === undefined) return refuse(request, response, NOT_THERE);
    serve(call, Number(id));
  };
}

const NOT_THERE: Rejected = { status: 404, code: 'not_found', message: 'the console has nothing there' };
const NO_OPERATION: Rejected = { status: 404, code: 'not_found', message: 'the contract has no such operation' };
const NO_WORLD: Rejected = { status: 404, code: 'not_found', message: 'there is no such world' };
const GONE: Rejected = { status: 404, code: 'not_found', message: 'this exchange is no longer in the journal' };
const NOT_KEPT: Rejected = {
  status: 409,
  code: 'not_kept',
  message: 'the body of this request was not stored, so it cannot be sent again',
};

const TOO_LONG: Rejected = { status: 413, code: 'body_too_large', message: 'this is too long to send from a page' };
const NOT_RECORDED: Rejected = {
  status: 400,
  code: 'invalid_request',
  message: 'this target is no part of the API, but a page of the mock or of the app around it',
};

interface Call {
  request: MountedRequest;
  response: ServerResponse;
  worlds: Worlds;
  world: World;
  ids: EntryIds;
  access: AdminAccess;
  news: FileNews;
  asked: URLSearchParams;
}

const CALLS: Readonly<Record<string, (call: Call, id: number) => unknown>> = {
  'GET about': describe,
  'GET gaps': showGaps,
  'GET example': ({ request, response, world, asked }) => answer(request, response, showExample(world, asked)),
  'GET reference': ({ request, response, world: { contract }, asked }) => {
    const operation = contract.operations.find(({ id }) => id === asked.get('of'));
    if (operation === undefined) return refuse(request, response, NO_OPERATION);
    answer(request, response, describeReference(operation, contract));
  },
  'GET schema': ({ request, response, world: { contract }, asked }) => {
    const at = asked.getAll('at').filter((pointer) => contract.document.at(pointer) !== undefined);
    if (at.length === 0) return refuse(request, response, NOT_THERE);
    answer(request, response, describeSchema(at, contract));
  },
  'GET feed': ({ request, response, worlds, world, ids, news }) =>
    serveFeed(request, response, { worlds, world: world.name, ids, news }),
  'GET coverage': showCoverage,
  'GET collections': ({ request, response, world }) =>
    answer(request, response, { collections: describeCollections(world) }),
  'GET records': (call) => attempt(call, listRecords),
  'POST keep': (call) => attempt(call, keepForUndo),
  'POST reset': (call) => attempt(call, resetParts),
  'POST undo': (call) => attempt(call, undo),
  'GET search': ({ request, response, world, ids, asked }) =>
    answer(request, response, { ids: searchEntries(world, ids, asked.get('text') ?? '') }),
  'GET har': ({ request, response, world, ids, asked }) => {
    const entries = pickEntries(world, ids, asked.get('ids') ?? '');
    answer(request, response, writeHar(entries.map((entry) => toExchange(entry, world))));
  },
  'POST send': sendWritten,
  'GET exchanges/id': (call, id) => withEntry(call, id, showEntry),
  'POST exchanges/id/again': (call, id) => withEntry(call, id, sendAgain),
};

function findWorld(worlds: Worlds, name: string | null): World | undefined {
  if (name === null) return worlds.default;
  if (!worlds.has(name)) return undefined;
  const entry = worlds.enter(name);
  return 'world' in entry ? entry.world : undefined;
}

function servePage(request: MountedRequest, response: ServerResponse, { token }: AdminAccess): void {
  const mountPath = mountPathOf(request);
  const about = { mountPath, needsToken: token !== undefined };
  sendPage(request, response, { assets: `${mountPath}${ASSETS_PATH}`, program: 'admin', about });
}

function describe({ request, response, world, access }: Call): void {
  const told = describeMock(world, { mountPath: mountPathOf(request), admin: access });
  answer(request, response, { ...told, packs: listShippedPacks() });
}

/** Large documents have thousands, which only one panel needs. */
function showGaps({ request, response, world }: Call): void {
  const operations = new Map(world.contract.operations.map(({ pointer, id }) => [pointer, id]));
  const gaps = world.gaps.asked.map((gap) => {
    const { id, kind, question, choices, mock } = gap;
    return { id, kind, question, choices, mock, group: groupOf(gap, operations) };
  });
  answer(request, response, { gaps });
}

/** The operation that a gap is about, else its resource, else the service. `operations` are ids by JSON Pointer. */
function groupOf({ contract, resource }: Gap, operations: ReadonlyMap<string, string>): string {
  const [, pointer = ''] = /^#(\/paths\/[^/]+\/[^/]+)/.exec(contract) ?? [];
  return operations.get(pointer) ?? resource ?? 'The whole service';
}

function showExample(world: World, asked: URLSearchParams): object {
  const operation = world.contract.operations.find(({ id }) => id === asked.get('of'));
  return operation === undefined ? {} : writeExample(operation, world);
}

function showCoverage({ request, response, world }: Call): void {
  const { contract } = world;
  const seen = world.coverage.seen();
  const operations = contract.operations.map((operation) => ({
    id: operation.id,
    method: operation.method,
    path: operation.path,
    items: listItems(contract.document, operation).map(({ id, kind, pointer }) => {
      const { line } = contract.document.placeOf(pointer);
      return { id, kind, line, seen: seen.has(id) };
    }),
  }));
  answer(request, response, { file: contract.document.file, operations });
}

async function attempt(
  { request, response, world, worlds, asked }: Call,
  work: (world: World, asked: URLSearchParams) => object,
): Promise<void> {
  try {
    const working = async (): Promise<object> => work(world, asked);
    answer(request, response, await (worlds.gate === undefined ? working() : worlds.gate.passAlone(working)));
  } catch (error) {
    if (!(error instanceof PetstoreMockError)) throw error;
    refuse(request, response, {
      status: error.code === 'bad-collection' ? 404 : 409,
      code: error.code,
      message: error.message,
    });
  }
}

function withEntry(call: Call, id: number, then: (entry: JournalEntry, call: Call) => void): void {
  const entry = call.ids.find(call.world, id);
  if (entry === undefined) return refuse(call.request, call.response, GONE);
  then(entry, call);
}

function showEntry(entry: JournalEntry, { request, response, world }: Call): void {
  const { crash, ...exchange } = toExchange(entry, world);
  const excerpts = exchange.violations.map(({ contract }) => cutExcerpt(contract, world.contract) ?? null);
  const place = exchange.contract === undefined ? undefined : cutExcerpt(exchange.contract, world.contract);
  const bug = crash instanceof Error ? crash.message : undefined;
  answer(request, response, { ...exchange, path: entry.request.path, crash: bug, excerpts, excerpt: place });
}

/** Repeats the original request, including its credentials, which the page never sees. */
function sendAgain({ request: sent }: JournalEntry, { request, response, world, worlds, ids }: Call): void {
  if (sent.bodyLongerThan !== undefined || sent.bodyHadNoRoom === true) return refuse(request, response, NOT_KEPT);
  const stop = world.journal.watch((entry) => {
    if (entry.request !== sent) return;
    stop();
    answer(request, response, { id: ids.of(entry) });
  });
  response.once('close', stop);
  // A request that was outside the API is sent outside it again.
  if (world.contract.bases.isServed(sent.path)) serveAgain(sent, world, worlds);
  else answerOutside(sent, worlds);
}

/** The body of a draft may be escaped, which makes it longer. */
const MOST_OF_DRAFT = 32 * 1024 * 1024;

function sendWritten({ request, response, world, worlds, ids }: Call): void {
  const limits = { most: MOST_OF_DRAFT, pool: world.memory.bodies };
  readBodyBytes(request, limits, ({ body }) => {
    if (body === undefined) return refuse(request, response, TOO_LONG);
    const draft = readDraft(body);
    if (typeof draft === 'string')
      return refuse(request, response, { status: 400, code: 'invalid_request', message: draft });
    const like = draft.like === undefined ? undefined : ids.find(world, draft.like);
    const sending = { worlds, mountPath: mountPathOf(request), host: request.headers.host ?? '', like };
    const stop = sendDraft(draft, sending, ({ entry, world: { name } }) => {
      const phrase = STATUS_CODES[entry.response.status] ?? '';
      answer(request, response, { id: ids.of(entry), world: name, phrase });
    });
    if (stop === undefined) refuse(request, response, NOT_RECORDED);
    else response.once('close', stop);
  });
}

function answer(request: MountedRequest, response: ServerResponse, body: unknown): void {
  send(request, response, { headers: { 'Content-Type': 'application/json' }, text: printJson(body) });
}

function refuse(request: MountedRequest, response: ServerResponse, rejected: Rejected): void {
  const { status, code, message, headers } = rejected;
  const { body } = createErrorResponse(status, message);
  const text = body === undefined ? '' : printJson({ code, message, status });
  send(request, response, { status, headers: { ...headers, 'Content-Type': 'application/json' }, text });
}

/** The exchanges in whose shown text, header fields and bodies included, something stands. */
export function searchEntries(world: World, ids: EntryIds, text: string): number[] {
  const wanted = simplify(text);
  return world.journal
    .entries()
    .filter((entry) => listTexts(entry, world).some((each) => simplify(each).includes(wanted)))
    .map((entry) => ids.of(entry));
}

/** Without the spaces around punctuation, so that JSON is found as it was sent and as it is shown. */
function simplify(text: string): string {
  return text.replaceAll(/\s*([[\]{}:,])\s*/g, '$1').toLowerCase();
}

/** Redacted, so that nobody finds a secret letter by letter. What is sent with escapes is found without them, too. */
function listTexts({ exchange, request, response }: JournalEntry, world: World): string[] {
  const { method, url, reason = '' } = exchange;
  const sent = request.body === undefined ? '' : Buffer.from(request.body).toString('utf8');
  // Of an answer whose connection was reset, the client received nothing.
  const parts = response.transport?.cut === 'reset' ? [] : [response.headers, response.body?.text ?? ''];
  return [`${method} ${url}`, reason, request.headers, sent, ...parts].map((part) => {
    if (typeof part === 'string') return world.redact(part.includes('\\u') ? readEscapes(part) : part);
    const fields = Object.entries(showHeaders(part, world));
    return fields.map(([name, value]) => `${name}: ${value}`).join('\n');
  });
}

function readEscapes(text: string): string {
  return text.replaceAll(/\\u([\da-f]{4})/gi, (_all, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));
}

/** The exchanges with these numbers, as a page names them: `3-17,20`. Those that have left the journal are left out. */
export function pickEntries(world: World, ids: EntryIds, ranges: string): JournalEntry[] {
  const wanted = ranges.split(',').map((range) => {
    const [from, to = from] = range.split('-').map(Number);
    return { from: from ?? NaN, to: to ?? NaN };
  });
  return world.journal.entries().filter((entry) => {
    const id = ids.of(entry);
    return wanted.some(({ from, to }) => id >= from && id <= to);
  });
}

interface Before {
  id: number;
  starts: Starts;
  records: CollectionsState;
  snapshots: ReadonlyMap<string, CollectionsState>;
}

const kept = new WeakMap<World, Before>();
let last = 0;

/** Remembers what there is, so that the next thing done can be undone. Returns the id to undo it by. */
export function keepForUndo(world: World): object {
  const { collections, snapshots } = world;
  const named = snapshots.names().map((name) => [name, snapshots.get(name) ?? []] as const);
  // Collections that nobody has used yet are part of what there is.
  for (const each of collections.kept) if (each.scope.length === 0) collections.open(each);
  last += 1;
  kept.set(world, { id: last, starts: collections.starts, records: collections.state(), snapshots: new Map(named) });
  return { id: last };
}

/** Goes back to what there was: for one record, for one snapshot, or for all records and what they begin with. Throws a `PetstoreMockError` if that is impossible. */
export function undo(world: World, asked: URLSearchParams): object {
  const before = kept.get(world);
  if (before === undefined || String(before.id) !== asked.get('id'))
    throw impossible('something else has changed since, or the mock was restarted');
  const [collection, snapshot] = [asked.get('collection'), asked.get('snapshot')];
  if (collection !== null) putRecordBack(world, before, { collection, asked });
  else if (snapshot !== null) putSnapshotBack(world, before, snapshot);
  else putAllBack(world, before);
  kept.delete(world);
  return {};
}

const RESETS: Readonly<Record<string, (world: World) => void>> = {
  records({ collections, repeats }) {
    collections.reset();
    repeats.clear();
  },
  faults: ({ faults }) => faults.reset(),
  delay: (world) => void (world.delay = world.startDelay),
  clock: ({ clock }) => clock.reset(),
  profile: (world) => void (world.profile = world.startProfile),
  exchanges: ({ journal }) => journal.clear(),
  everything(world) {
    resetWorld(world);
    world.profile = world.startProfile;
  },
};

/** Makes a part of a world what it was at the start, and leaves everything else. Default: its records. */
export function resetParts(world: World, asked: URLSearchParams): object {
  const part = asked.get('of') ?? 'records';
  const reset = Object.hasOwn(RESETS, part) ? RESETS[part] : undefined;
  if (reset === undefined)
    throw new PetstoreMockError(
      'bad-option',
      `there is no ${part} to reset; there are ${Object.keys(RESETS).join(', ')}.`,
    );
  reset(world);
  return {};
}

function putAllBack({ collections }: World, { starts, records }: Before): void {
  if (!collections.fits(records)) throw collectionsFull(collections, records);
  if (collections.starts !== starts) collections.begin(starts);
  collections.restore(records);
}

function putRecordBack(
  world: World,
  { records }: Before,
  { collection, asked }: { collection: string; asked: URLSearchParams },
): void {
  const { kept: of, within } = findPlace(world, collection, asked.getAll('within'));
  const key = toKey(asked.get('key') ?? '', of.key);
  if (key === undefined || !world.collections.putBack(records, of, within, key))
    throw impossible(`a ${of.singular} with this key exists again, or the store is full`);
}

function putSnapshotBack({ snapshots }: World, before: Before, name: string): void {
  const state = before.snapshots.get(name);
  if (state === undefined || snapshots.has(name)) throw impossible(`a snapshot ${name} exists again`);
  if (!snapshots.save(name, state)) throw impossible('there is no room for the snapshot');
}

function impossible(why: string): PetstoreMockError {
  return new PetstoreMockError('bad-snapshot', `this cannot be undone: ${why}.`);
}
