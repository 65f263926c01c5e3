import { parseJson } from '../../contract/document/json.js';
import type { RequestHeaders } from '../../contract/message.js';
import { PetstoreMockError } from '../../errors.js';
import { OMITTED_BODY, type JournalEntry } from '../../mock/world/journal.js';
import type { World } from '../../mock/world/world.js';
import { mapTexts, redactAll } from '../../redact/map-texts.js';
import { PLACEHOLDER } from '../../redact/redactor.js';
import { isSecretName } from '../../redact/secret-names.js';
import type { Exchange, RecordedMessage, RequestFilter, Requests } from '../petstore-world.js';
import { checkFilter } from './check-filter.js';

const DEFAULT_TIMEOUT_MS = 5000;

export function createRequests(find: () => World): Requests {
  return {
    list: async (filter = {}) => listExchanges(find(), checkFilter(filter)),
    count: async (filter = {}) => listEntries(find(), checkFilter(filter)).length,
    clear: async () => find().journal.clear(),
    waitFor: async (filter = {}, { count = 1, timeout = DEFAULT_TIMEOUT_MS, signal } = {}) =>
      waitFor(find(), checkFilter(filter), { count, timeout, signal }),
  };
}

function listExchanges(world: World, filter: RequestFilter): Exchange[] {
  return listEntries(world, filter).map((entry) => toExchange(entry, world));
}

/** Filters the stored entries, since preparing all of them for display would slow down a waiting test. */
function listEntries({ journal }: World, filter: RequestFilter): JournalEntry[] {
  return journal.entries().filter((entry) => fits(describeEntry(entry), filter));
}

type Described = Pick<Exchange, 'operationId' | 'method' | 'url' | 'status' | 'verdict' | 'deprecated' | 'faults'>;

function describeEntry({ exchange, operation }: JournalEntry): Described {
  return { ...exchange, verdict: exchange.atFault ?? 'ok', deprecated: operation?.deprecated ?? false };
}

/** Whether an exchange matches every field of a filter. */
export function fits(exchange: Described, { path, fault, ...same }: RequestFilter): boolean {
  if (path !== undefined && exchange.url.split('?')[0] !== path) return false;
  if (fault !== undefined && !exchange.faults.includes(fault)) return false;
  return Object.entries(same).every(
    ([name, value]) => value === undefined || exchange[name as keyof typeof same] === value,
  );
}

interface Wait {
  count: number;
  timeout: number;
  signal: AbortSignal | undefined;
}

function waitFor(world: World, filter: RequestFilter, { count, timeout, signal }: Wait): Promise<Exchange[]> {
  return new Promise((resolve, reject) => {
    const look = (): void => {
      const found = listEntries(world, filter);
      if (found.length < count) return;
      stop();
      resolve(found.map((entry) => toExchange(entry, world)));
    };
    const giveUp = (why: unknown): void => {
      stop();
      reject(why);
    };
    const abort = (): void => giveUp(signal?.reason);
    const timer = setTimeout(() => {
      giveUp(new PetstoreMockError('wait-timeout', describeWait(world, filter, { count, timeout })));
    }, timeout);
    const unwatch = world.journal.watch((entry) => {
      // Most exchanges do not match.
      if (fits(describeEntry(entry), filter)) look();
    });
    const stop = (): void => {
      clearTimeout(timer);
      unwatch();
      signal?.removeEventListener('abort', abort);
    };
    if (signal?.aborted === true) return abort();
    signal?.addEventListener('abort', abort);
    look();
  });
}

const MAX_TOLD = 5;

function describeWait(
  world: World,
  filter: RequestFilter,
  { count, timeout }: { count: number; timeout: number },
): string {
  const wanted = Object.entries(filter).map(([name, value]) => `${name} ${value}`);
  const all = listExchanges(world, {});
  const found = all.filter((exchange) => fits(exchange, filter)).length;
  const last = all.slice(-MAX_TOLD).map(({ method, url, status }) => `${method} ${url} ${status}`);
  return (
    `waited ${timeout} ms for ${count} request${count === 1 ? '' : 's'}${wanted.length === 0 ? '' : ` with ${wanted.join(', ')}`}, ` +
    `and saw ${found}. ${last.length === 0 ? 'Nothing was sent to this world.' : `The last ones: ${last.join('; ')}.`}`
  );
}

/** The parts of a violation that clients cannot influence. */
const OF_THE_CONTRACT: ReadonlySet<string> = new Set(['part', 'rule', 'contract']);

/** The message of a bug may quote the request. */
function describeCrash(crash: unknown, redact: World['redact']): unknown {
  if (!(crash instanceof Error) || redact(crash.stack ?? crash.message) === (crash.stack ?? crash.message))
    return crash;
  const told = new Error(redact(crash.message));
  told.stack = redact(crash.stack ?? '');
  return told;
}

/** An entry in the form that may be shown. */
export function toExchange(entry: JournalEntry, within: World): Exchange {
  const { exchange, operation, request, response } = entry;
  const { redact, contract } = within;
  const { world, method, url, reason, notes } = exchange;
  const pointer = operation?.pointer;
  return {
    ...exchange,
    ...mapTexts({ world, method, url, reason, notes }, redact),
    violations: exchange.violations.map((violation) => mapTexts(violation, redact, OF_THE_CONTRACT)),
    crash: describeCrash(exchange.crash, redact),
    verdict: exchange.atFault ?? 'ok',
    deprecated: operation?.deprecated ?? false,
    contract: pointer === undefined ? undefined : { ...contract.document.placeOf(pointer), pointer },
    request: {
      headers: showHeaders(request.headers, within),
      body: showBody(request.body === undefined ? undefined : Buffer.from(request.body).toString('utf8'), within),
      bodyOmitted: request.bodyLongerThan !== undefined,
    },
    response: showResponse(response, within),
  };
}

function showResponse({ headers, body, transport }: JournalEntry['response'], world: World): RecordedMessage {
  // The client received nothing.
  if (transport?.cut === 'reset') return { headers: {}, body: undefined, bodyOmitted: false };
  const omitted = body === OMITTED_BODY;
  return {
    headers: showHeaders(headers, world),
    body: omitted ? undefined : showBody(body?.text, world),
    bodyOmitted: omitted,
  };
}

/** Header fields in the form that may be shown. */
export function showHeaders(headers: RequestHeaders, { redact }: World): Record<string, string> {
  const shown = Object.entries(headers).flatMap(([name, value]): [string, string][] => {
    if (value === undefined) return [];
    const lower = name.toLowerCase();
    return [[redact(lower), isSecretName(lower) ? PLACEHOLDER : redact(value)]];
  });
  return Object.fromEntries(shown);
}

function showBody(text: string | undefined, { redact }: World): unknown {
  if (text === undefined || text === '') return undefined;
  const parsed = parseJson(text);
  return parsed.ok ? redactAll(parsed.value, redact) : redact(text);
}
