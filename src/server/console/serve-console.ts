import { type EntryIds, createEntryIds, serveFeed, describeCollections, listRecords } from './feed.js';
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import { listItems } from '../../contract/coverage.js';
import { printJson, parseJsonBytes } from '../../contract/document/json.js';
import type { Operation, ApiRequest } from '../../contract/model.js';
import { PetstoreMockError } from '../../errors.js';
import { listShippedPacks } from '../../mock/fixtures/load-fixtures.js';
import type { JournalEntry } from '../../mock/world/journal.js';
import { resetWorld, type World } from '../../mock/world/world.js';
import type { Worlds } from '../../mock/world/worlds.js';
import { guard, guardPage, rejectMessage, type AdminAccess, type Rejected } from '../admin/guard.js';
import { createFileNews, type FileNews } from '../moving.js';
import { answerOutside, respondRejected } from '../http/outside.js';
import { readBodyBytes, passRequest, findPlace } from '../http/middleware.js';
import { toExchange, showHeaders, writeHar } from '../handles/requests.js';
import { ADMIN_PATH, ASSETS_PATH } from '../world-names.js';
import {
  describeMock,
  writeExample,
  cutExcerpt,
  describeReference,
  describeSchema,
  KEY_VARIABLE,
} from './describe-mock.js';
import { mountPathOf, send, sendPage } from './serve-page.js';
import { toKey } from '../../mock/store/kept.js';
import type { CollectionsState, Starts } from '../../mock/store/collections.js';
import { findPlace as findCollection } from '../handles/records.js';
import { collectionsFull } from '../handles/create-handles.js';
import { asObject } from '../../contract/document/plain.js';
import { isWithin } from '../../contract/operations/match.js';
import { chooseCombination } from '../../contract/security.js';
import { keysFor } from '../../mock/request/credentials.js';
import { findOperation, longestBody } from '../../mock/request/read-request.js';
import { serveRequest } from '../../mock/handle-request.js';
import { PLACEHOLDER } from '../../redact/redactor.js';

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
    const answer = (body: unknown, status = 200, headers: Record<string, string> = {}): void =>
      send(request, response, { status, headers: { ...headers, ...JSON_TYPE }, text: printJson(body) });
    const refuse = ({ status, code, message, headers }: Rejected): void =>
      answer({ code, message, status }, status, headers);
    const rejected = rejectMessage(request) ?? (isPage ? guardPage : guard)(request, access);
    if (rejected !== undefined) return refuse(rejected);
    const mountPath = mountPathOf(request);
    if (isPage) {
      const about = { mountPath, needsToken: access.token !== undefined };
      return sendPage(request, response, { assets: `${mountPath}${ASSETS_PATH}`, program: 'admin', about });
    }
    const { pathname, searchParams: asked } = new URL(target, 'http://mock');
    const name = asked.get('world');
    // Looking at a world does not create it.
    const entry = name === null || worlds.has(name) ? worlds.enter(name ?? worlds.default.name) : undefined;
    if (entry === undefined || !('world' in entry)) return refuse(NO_WORLD);
    const { world } = entry;
    const operation = world.contract.operations.find(({ id }) => id === asked.get('of'));
    const call = { request, response, worlds, world, access, news, asked, mountPath, operation, answer, refuse };
    const [, , path = '', id, action] = pathname.split('/');
    const steps = [path, ...(id === undefined ? [] : ['id']), ...(action === undefined ? [] : [action])];
    const serve = CALLS[`${request.method} ${steps.join('/')}`];
    if (serve === undefined) return refuse(NOT_THERE);
    serve(call, Number(id));
  };
}

const JSON_TYPE = { 'Content-Type': 'application/json' };
const notFound = (message: string): Rejected => ({ status: 404, code: 'not_found', message });
const NOT_THERE = notFound('the console has nothing there');
const NO_OPERATION = notFound('the contract has no such operation');
const NO_WORLD = notFound('there is no such world');
const GONE = notFound('this exchange is no longer in the journal');
const NOT_KEPT: Rejected = {
  status: 409,
  code: 'not_kept',
  message: 'the body of this request was not stored, so it cannot be sent again',
};

const TOO_LONG: Rejected = { status: 413, code: 'body_too_large', message: 'this is too long to send from a page' };
const NOT_RECORDED = 'this target is no part of the API, but a page of the mock or of the app around it';

interface Call {
  request: IncomingMessage;
  response: ServerResponse;
  worlds: Worlds;
  world: World;
  access: AdminAccess;
  news: FileNews;
  asked: URLSearchParams;
  mountPath: string;
  operation: Operation | undefined;
  answer: (body: unknown) => void;
  refuse: (rejected: Rejected) => void;
}

const CALLS: Readonly<Record<string, (call: Call, id: number) => unknown>> = {
  'GET about': ({ answer, world, mountPath, access }) =>
    answer({ ...describeMock(world, { mountPath, admin: access }), packs: listShippedPacks() }),
  'GET gaps': showGaps,
  'GET example': ({ answer, world, operation }) =>
    answer(operation === undefined ? {} : writeExample(operation, world)),
  'GET reference': ({ answer, refuse, world, operation }) =>
    operation === undefined ? refuse(NO_OPERATION) : answer(describeReference(operation, world.contract)),
  'GET schema': ({ answer, refuse, world: { contract }, asked }) => {
    const at = asked.getAll('at').filter((pointer) => contract.document.at(pointer) !== undefined);
    return at.length === 0 ? refuse(NOT_THERE) : answer(describeSchema(at, contract));
  },
  'GET feed': ({ request, response, worlds, world, news }) =>
    serveFeed(request, response, { worlds, world: world.name, ids: entryIds, news }),
  'GET coverage': showCoverage,
  'GET collections': ({ answer, world }) => answer({ collections: describeCollections(world) }),
  'GET records': (call) => attempt(call, listRecords),
  'POST keep': (call) => attempt(call, keepForUndo),
  'POST reset': (call) => attempt(call, resetParts),
  'POST undo': (call) => attempt(call, undo),
  'GET search': ({ answer, world, asked }) => answer({ ids: searchEntries(world, entryIds, asked.get('text') ?? '') }),
  'GET har': ({ answer, world, asked }) => {
    const entries = pickEntries(world, entryIds, asked.get('ids') ?? '');
    answer(writeHar(entries.map((entry) => toExchange(entry, world))));
  },
  'POST send': sendWritten,
  'GET exchanges/id': (call, id) => withEntry(call, id, showEntry),
  'POST exchanges/id/again': (call, id) => withEntry(call, id, sendAgain),
};

function showGaps({ answer, world }: Call): void {
  const operations = new Map(world.contract.operations.map(({ pointer, id }) => [pointer, id]));
  const gaps = world.gaps.asked.map(({ id, kind, question, choices, mock, contract, resource }) => {
    const [, pointer = ''] = /^#(\/paths\/[^/]+\/[^/]+)/.exec(contract) ?? [];
    const group = operations.get(pointer) ?? resource ?? 'The whole service';
    return { id, kind, question, choices, mock, group };
  });
  answer({ gaps });
}

function showCoverage({ answer, world: { contract, coverage } }: Call): void {
  const { document } = contract;
  const seen = coverage.seen();
  const operations = contract.operations.map((operation) => {
    const items = listItems(document, operation).map(({ id, kind, pointer }) => ({
      id,
      kind,
      line: document.placeOf(pointer).line,
      seen: seen.has(id),
    }));
    return { id: operation.id, method: operation.method, path: operation.path, items };
  });
  answer({ file: document.file, operations });
}

async function attempt(
  { answer, refuse, world, worlds: { gate }, asked }: Call,
  work: (world: World, asked: URLSearchParams) => object,
): Promise<void> {
  try {
    const working = async (): Promise<object> => work(world, asked);
    answer(await (gate === undefined ? working() : gate.passAlone(working)));
  } catch (error) {
    if (!(error instanceof PetstoreMockError)) throw error;
    const { code, message } = error;
    refuse({ status: code === 'bad-collection' ? 404 : 409, code, message });
  }
}

function withEntry(call: Call, id: number, then: (entry: JournalEntry, call: Call) => void): void {
  const entry = entryIds.find(call.world, id);
  if (entry === undefined) return call.refuse(GONE);
  then(entry, call);
}

function showEntry(entry: JournalEntry, { answer, world }: Call): void {
  const { crash, ...exchange } = toExchange(entry, world);
  const excerpts = exchange.violations.map(({ contract }) => cutExcerpt(contract, world.contract) ?? null);
  const excerpt = exchange.contract && cutExcerpt(exchange.contract, world.contract);
  const bug = crash instanceof Error ? crash.message : undefined;
  answer({ ...exchange, path: entry.request.path, crash: bug, excerpts, excerpt });
}

/** Repeats the original request, including its credentials, which the page never sees. */
function sendAgain({ request: sent }: JournalEntry, { answer, refuse, response, world, worlds }: Call): void {
  if (sent.bodyLongerThan !== undefined || sent.bodyHadNoRoom === true) return refuse(NOT_KEPT);
  const stop = world.journal.watch((entry) => {
    if (entry.request !== sent) return;
    stop();
    answer({ id: entryIds.of(entry) });
  });
  response.once('close', stop);
  // A request that was outside the API is sent outside it again.
  if (world.contract.bases.isServed(sent.path)) serveAgain(sent, world, worlds);
  else answerOutside(sent, worlds);
}

const MOST_OF_DRAFT = 32 * 1024 * 1024;

function sendWritten({ answer, refuse, request, response, world, worlds, mountPath }: Call): void {
  const limits = { most: MOST_OF_DRAFT, pool: world.memory.bodies };
  const rejectAs = (message: string): void => refuse({ status: 400, code: 'invalid_request', message });
  readBodyBytes(request, limits, ({ body }) => {
    if (body === undefined) return refuse(TOO_LONG);
    const draft = readDraft(body);
    if (typeof draft === 'string') return rejectAs(draft);
    const like = draft.like === undefined ? undefined : entryIds.find(world, draft.like);
    const sending = { worlds, mountPath, host: request.headers.host ?? '', like };
    const stop = sendDraft(draft, sending, ({ entry, world: { name } }) =>
      answer({ id: entryIds.of(entry), world: name, phrase: STATUS_CODES[entry.response.status] ?? '' }),
    );
    if (stop === undefined) rejectAs(NOT_RECORDED);
    else response.once('close', stop);
  });
}

/** The exchanges in whose shown text, header fields and bodies included, something stands. */
export function searchEntries(world: World, ids: EntryIds, text: string): number[] {
  const wanted = simplify(text);
  return world.journal
    .entries()
    .filter((entry) => listTexts(entry, world).some((each) => simplify(each).includes(wanted)))
    .map((entry) => ids.of(entry));
}

const simplify = (text: string): string => text.replaceAll(/\s*([[\]{}:,])\s*/g, '$1').toLowerCase();

/** Redacted, so that nobody finds a secret letter by letter. What is sent with escapes is found without them, too. */
function listTexts({ exchange, request, response }: JournalEntry, world: World): string[] {
  const { method, url, reason = '' } = exchange;
  const sent = request.body === undefined ? '' : Buffer.from(request.body).toString('utf8');
  // Of an answer whose connection was reset, the client received nothing.
  const parts = response.transport?.cut === 'reset' ? [] : [response.headers, response.body?.text ?? ''];
  return [`${method} ${url}`, reason, request.headers, sent, ...parts].map((part) => {
    if (typeof part === 'string')
      return world.redact(
        part.replaceAll(/\\u([\dA-Fa-f]{4})/g, (_all, code: string) => String.fromCodePoint(Number.parseInt(code, 16))),
      );
    const fields = Object.entries(showHeaders(part, world));
    return fields.map(([name, value]) => `${name}: ${value}`).join('\n');
  });
}

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
  const { collections, snapshots } = world;
  const { records, starts } = before;
  const [collection, name] = [asked.get('collection'), asked.get('snapshot')];
  if (collection !== null) {
    const { kept: of, within } = findCollection(world, collection, asked.getAll('within'));
    const key = toKey(asked.get('key') ?? '', of.key);
    if (key === undefined || !collections.putBack(records, of, within, key))
      throw impossible(`a ${of.singular} with this key exists again, or the store is full`);
  } else if (name !== null) {
    const state = before.snapshots.get(name);
    if (state === undefined || snapshots.has(name)) throw impossible(`a snapshot ${name} exists again`);
    if (!snapshots.save(name, state)) throw impossible('there is no room for the snapshot');
  } else {
    if (!collections.fits(records)) throw collectionsFull(collections, records);
    if (collections.starts !== starts) collections.begin(starts);
    collections.restore(records);
  }
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

const impossible = (why: string): PetstoreMockError =>
  new PetstoreMockError('bad-snapshot', `this cannot be undone: ${why}.`);

export interface WrittenRequest {
  method: string;
  target: string;
  headers: Record<string, string>;
  body: Uint8Array | undefined;
  like: number | undefined;
}

const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/;
const TARGET = /^\/[!-~]*$/;
// oxlint-disable-next-line no-control-regex -- what a field may not contain (RFC 9110 section 5.5)
const CONTROLS = /[\u0000-\u0008\u000A-\u001F\u007F]/;

export function readDraft(bytes: Uint8Array): WrittenRequest | string {
  const parsed = parseJsonBytes(bytes);
  if (!parsed.ok) return `body: ${parsed.problem.message}`;
  const { method, target, headers, body, base64, like } = asObject(parsed.value);
  if (typeof method !== 'string' || !TOKEN.test(method)) return 'the method is one word, such as GET';
  if (typeof target !== 'string' || !TARGET.test(target))
    return 'the target begins with / and has no spaces; other characters are percent-encoded, a space as %20';
  const fields = Object.entries(asObject(headers));
  for (const [name, value] of fields) {
    if (!TOKEN.test(name)) return `${name} is not the name of a header field`;
    if (typeof value !== 'string' || CONTROLS.test(value)) return `the header field ${name} is one line of text`;
  }
  return {
    method: method.toUpperCase(),
    target,
    headers: Object.fromEntries(fields) as Record<string, string>,
    body:
      typeof base64 === 'string'
        ? Buffer.from(base64, 'base64')
        : typeof body === 'string'
          ? Buffer.from(body)
          : undefined,
    like: typeof like === 'number' ? like : undefined,
  };
}

type Sending = { worlds: Worlds; mountPath: string; host: string; like: JournalEntry | undefined };
export type Came = { entry: JournalEntry; world: World };

/** Sends a draft as the server takes any request. Returns how to stop waiting; `undefined` if it leaves no trace. */
export function sendDraft(
  draft: WrittenRequest,
  sending: Sending,
  done: (came: Came) => void,
): (() => void) | undefined {
  const { worlds, mountPath } = sending;
  // The app around the mock answers what is not below it.
  if (mountPath !== '' && !isWithin(mountPath, draft.target.split('?')[0] ?? '')) return undefined;
  const { method, target, headers, body: bytes } = draft;
  const [path = '', ...query] = target.split('?');
  const fields: Record<string, string> = { host: sending.host };
  for (const [name, value] of Object.entries(headers)) {
    const known = value === PLACEHOLDER ? sending.like?.request.headers[name.toLowerCase()] : undefined;
    // Node gives each byte of a field as a character.
    fields[name.toLowerCase()] = known ?? Buffer.from(value).toString('latin1');
  }
  if (bytes !== undefined) fields['content-length'] = String(bytes.length);
  const below = path.slice(mountPath.length);
  const request = { method, path: below, mountPath, query: query.join('?'), headers: fields, body: bytes };
  const place = findPlace(request.path, request.headers, worlds);
  const world = place !== undefined && 'world' in place.entry ? place.entry.world : worlds.default;
  if (place !== undefined) Object.assign(request, { path: place.path, mountPath: `${mountPath}${place.prefix}` });
  fillKey(request, world);
  const most = longestBody(world.profile);
  if (request.body !== undefined && request.body.length > most)
    Object.assign(request, { body: undefined, bodyLongerThan: most });
  let isAnswered = false;
  const stops = worlds.names().flatMap((name) => {
    const entered = worlds.enter(name);
    if (!('world' in entered)) return [];
    return entered.world.journal.watch((entry) => {
      if (entry.request !== request) return;
      isAnswered = true;
      stop();
      done({ entry, world: entered.world });
    });
  });
  const stop = (): void => stops.forEach((each) => each());
  if (place === undefined) answerOutside(request, worlds);
  else if ('rejected' in place.entry) respondRejected(request, place.entry.rejected, worlds);
  else serveAgain(request, world, worlds);
  if (isAnswered || place !== undefined) return stop;
  stop();
  return undefined;
}

function fillKey(request: ApiRequest, world: World): void {
  const match = findOperation(request, world);
  if (match.kind !== 'operation') return;
  const [scheme] = chooseCombination(match.operation.security, () => true);
  const [key] = scheme === undefined ? [] : keysFor(world.credentials, scheme);
  if (key === undefined) return;
  const bytes = Buffer.from(key);
  const headers = Object.entries(request.headers).map(([name, value]) => [
    name,
    value?.replaceAll(KEY_VARIABLE, () => bytes.toString('latin1')),
  ]);
  const query = request.query
    .replaceAll(encodeURIComponent(KEY_VARIABLE), KEY_VARIABLE)
    .replaceAll(KEY_VARIABLE, () => encodeURIComponent(bytes.toString()));
  Object.assign(request, { headers: Object.fromEntries(headers), query });
}

/** Serves a request as the server would, and tells nobody but the journal. */
export function serveAgain(request: ApiRequest, world: World, worlds: Worlds): void {
  if (worlds.gate === undefined) return serveRequest(request, world, () => {});
  passRequest(request, worlds, { started: world.clock.elapsed(), world: world.name, done: () => {} });
}
