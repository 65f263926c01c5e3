import { parseJson, printJson } from '../../contract/document/json.js';
import type { RequestHeaders } from '../../contract/model.js';
import { PetstoreMockError, formatPlace } from '../../errors.js';
import { OMITTED_BODY, type JournalEntry } from '../../mock/world/journal.js';
import type { World } from '../../mock/world/world.js';
import { mapTexts, redactAll, PLACEHOLDER, isSecretName } from '../../redact/redactor.js';
import type { Exchange, RecordedMessage, RequestFilter, Requests, CoverageReport } from '../petstore-world.js';
import { suggest } from '../../suggest.js';
import type { Violation } from '../../contract/schemas/violation.js';
import type { Contract } from '../../contract/contract.js';
import type { CoverageRecorder } from '../../contract/coverage.js';
import { STATUS_CODES } from 'node:http';
import { readPackageVersion } from '../../package-files.js';

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

const listExchanges = (world: World, filter: RequestFilter): Exchange[] =>
  listEntries(world, filter).map((entry) => toExchange(entry, world));

/** Filters the stored entries, since preparing all of them for display would slow down a waiting test. */
const listEntries = ({ journal }: World, filter: RequestFilter): JournalEntry[] =>
  journal.entries().filter((entry) => fits(describeEntry(entry), filter));

type Described = Pick<Exchange, 'operationId' | 'method' | 'url' | 'status' | 'verdict' | 'deprecated' | 'faults'>;

const describeEntry = ({ exchange, operation }: JournalEntry): Described => ({
  ...exchange,
  verdict: exchange.atFault ?? 'ok',
  deprecated: operation?.deprecated ?? false,
});

function fits(exchange: Described, { path, fault, ...same }: RequestFilter): boolean {
  if (path !== undefined && exchange.url.split('?')[0] !== path) return false;
  if (fault !== undefined && !exchange.faults.includes(fault)) return false;
  return Object.entries(same).every(
    ([name, value]) => value === undefined || exchange[name as keyof typeof same] === value,
  );
}

type Wait = { count: number; timeout: number; signal: AbortSignal | undefined };

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
      const wanted = Object.entries(filter).map(([name, value]) => `${name} ${value}`);
      const last = listExchanges(world, {}).slice(-MAX_TOLD);
      const told = last.map(({ method, url, status }) => `${method} ${url} ${status}`).join('; ');
      const asked = `${count} request${count === 1 ? '' : 's'}${wanted.length === 0 ? '' : ` with ${wanted.join(', ')}`}`;
      const seen = told === '' ? 'Nothing was sent to this world.' : `The last ones: ${told}.`;
      const message = `waited ${timeout} ms for ${asked}, and saw ${listEntries(world, filter).length}. ${seen}`;
      giveUp(new PetstoreMockError('wait-timeout', message));
    }, timeout);
    const unwatch = world.journal.watch((entry) => {
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
const OF_THE_CONTRACT: ReadonlySet<string> = new Set(['part', 'rule', 'contract']);

export function toExchange(entry: JournalEntry, within: World): Exchange {
  const { exchange, operation, request, response } = entry;
  const { redact, contract } = within;
  const { world, method, url, reason, notes } = exchange;
  const pointer = operation?.pointer;
  let { crash } = exchange;
  // The message of a bug may quote the request.
  if (crash instanceof Error && redact(crash.stack ?? crash.message) !== (crash.stack ?? crash.message))
    crash = Object.assign(new Error(redact(crash.message)), { stack: redact(crash.stack ?? '') });
  const isOmitted = response.body === OMITTED_BODY;
  return {
    ...exchange,
    ...mapTexts({ world, method, url, reason, notes }, redact),
    violations: exchange.violations.map((violation) => mapTexts(violation, redact, OF_THE_CONTRACT)),
    crash,
    verdict: exchange.atFault ?? 'ok',
    deprecated: operation?.deprecated ?? false,
    contract: pointer === undefined ? undefined : { ...contract.document.placeOf(pointer), pointer },
    request: {
      headers: showHeaders(request.headers, within),
      body: showBody(request.body === undefined ? undefined : Buffer.from(request.body).toString('utf8'), within),
      bodyOmitted: request.bodyLongerThan !== undefined,
    },
    // Where the connection was reset, the client received nothing.
    response:
      response.transport?.cut === 'reset'
        ? { headers: {}, body: undefined, bodyOmitted: false }
        : {
            headers: showHeaders(response.headers, within),
            body: isOmitted ? undefined : showBody(response.body?.text, within),
            bodyOmitted: isOmitted,
          },
  };
}

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

type Named = keyof RequestFilter;

export const NAMES: readonly Named[] = ['operationId', 'method', 'path', 'status', 'verdict', 'deprecated', 'fault'];

/** Throws a {@link PetstoreMockError} (`bad-option`) for a name that no request could have, so that a typo cannot make a test pass. */
export function checkFilter(filter: RequestFilter): RequestFilter {
  const stranger = Object.keys(filter).find((name) => !NAMES.some((each) => each === name));
  if (stranger === undefined) return filter;
  throw badOption(
    `requests have no ${stranger}${suggest(stranger, NAMES)} You can filter them by ${NAMES.join(', ')}.`,
  );
}

const badOption = (message: string): PetstoreMockError => new PetstoreMockError('bad-option', message);
const MAX_VIOLATIONS_TOLD = 20;

/** Throws a {@link PetstoreMockError} (`violations`) unless every faulty exchange is allowed. */
export function refuseViolations(
  exchanges: readonly Exchange[],
  { allow, total }: { allow: RequestFilter | readonly RequestFilter[]; total: number },
): void {
  const allowed = [allow].flat().map(checkFilter);
  const broken = exchanges.filter((exchange) => !allowed.some((filter) => fits(exchange, filter)));
  // An exchange that is not kept cannot match the allowed ones.
  const unkept = total - exchanges.length;
  if (broken.length > 0 || unkept > 0) throw new PetstoreMockError('violations', describeViolations(broken, unkept));
}

function describeViolations(broken: readonly Exchange[], unkept: number): string {
  const count = broken.length + unkept;
  const rest = count - Math.min(broken.length, MAX_VIOLATIONS_TOLD);
  return [
    `${count} ${count === 1 ? 'exchange' : 'exchanges'} broke the contract.`,
    ...broken.slice(0, MAX_VIOLATIONS_TOLD).map((exchange, index) => describeExchange(exchange, index + 1)),
    ...(rest === 0 ? [] : [`and ${rest} more.`]),
  ].join('\n\n');
}

function describeExchange(exchange: Exchange, number: number): string {
  const { method, url, status, operationId, atFault, violations } = exchange;
  const side = atFault === 'mock' ? 'the mock is at fault' : 'the client is at fault';
  const head = `${number}. ${method} ${url} → ${status}${operationId === undefined ? '' : ` (${operationId})`}, ${side}`;
  const findings =
    violations.length > 0
      ? violations.flatMap((each) => [
          `${each.message} (${formatPlace(each.contract)})`,
          `fix: ${tellMend(exchange, each) ?? ''}`,
        ])
      : describeReason(exchange);
  return [head, ...findings.map((line) => `   ${line}`)].join('\n');
}

/** What to do about a violation, or about a refusal that is none of a schema; `undefined` if that is not known. */
export function tellMend({ atFault, status }: Exchange, violation?: Violation): string | undefined {
  if (atFault === 'mock') return MOCK_MEND;
  if (violation === undefined) return STATUS_MENDS[status];
  const { rule, at, expected, actual } = violation;
  return MENDS[rule]?.(violation) ?? `make ${at} ${expected}, not ${actual}`;
}

const MOCK_MEND = 'check the source of this response: a handler, the fixtures or an example in the contract';

const MENDS: Readonly<Record<string, (violation: Violation) => string>> = {
  required: ({ at }) => `send ${at}`,
  additionalProperties: ({ at }) => `leave ${at} out`,
  servers: ({ expected }) => `ask for ${expected}`,
};

function describeReason(exchange: Exchange): string[] {
  const { reason, contract } = exchange;
  const place = contract === undefined ? '' : ` (${formatPlace(contract)})`;
  const mend = tellMend(exchange);
  return [`${reason ?? 'the response says why'}${place}`, ...(mend === undefined ? [] : [`fix: ${mend}`])];
}

const STATUS_MENDS: Readonly<Record<number, string>> = {
  400: 'send what the operation describes there; what cannot be read cannot be validated',
  401: 'send Authorization: Bearer <API_KEY>; if the test omits it on purpose, allow { status: 401 }',
  404: 'use a path of the contract',
  405: 'use a method of this path',
  406: 'accept application/json',
  410: 'use the operation that replaces it',
  413: 'send a shorter body',
  415: 'send the body with Content-Type: application/json',
};

/** The report of a recorder. Throws a {@link PetstoreMockError} (`low-coverage`) below a threshold in percent. */
export function reportCoverage(recorder: CoverageRecorder, contract: Contract, threshold?: number): CoverageReport {
  const { total, covered, missing } = recorder.summarize();
  const percent = Math.floor((100 * covered) / Math.max(total, 1));
  const never = missing.map(({ id, kind, pointer }) => ({
    id,
    kind,
    contract: { ...contract.document.placeOf(pointer), pointer },
  }));
  const report = { total, covered, percent, missing: never, text: describe({ total, covered, percent }, never) };
  checkThreshold(report, threshold);
  return report;
}

/** Throws a {@link PetstoreMockError} (`low-coverage`) for a report below a threshold. */
export function checkThreshold(report: CoverageReport, threshold: number | undefined): void {
  if (threshold === undefined) return;
  if (typeof threshold !== 'number' || !(threshold >= 0 && threshold <= 100))
    throw badOption(`a threshold must be a percentage from 0 to 100, not ${String(threshold)}.`);
  if (100 * report.covered >= threshold * report.total) return;
  throw new PetstoreMockError('low-coverage', `${report.text}\nAt least ${threshold} % were required.`);
}

function describe(counts: Pick<CoverageReport, 'total' | 'covered' | 'percent'>, missing: CoverageReport['missing']) {
  const head = `${counts.covered} of ${counts.total} parts of the contract were exercised, ${counts.percent} %.`;
  if (missing.length === 0) return head;
  const width = Math.max(...missing.map(({ id }) => id.length));
  const lines = missing.map(({ id, contract }) => `  ${id.padEnd(width)}  ${formatPlace(contract)}`);
  return [head, 'Not covered:', ...lines].join('\n');
}

/** Exchanges as an HTTP Archive (HAR 1.2), as they are shown: without secrets, so without cookies. */
export function writeHar(exchanges: readonly Exchange[]): object {
  const creator = { name: 'petstore-mock', version: readPackageVersion() };
  return { log: { version: '1.2', creator, entries: exchanges.map(writeEntry) } };
}

function writeEntry(exchange: Exchange): object {
  const { time, duration, reason, status } = exchange;
  const comment = reason ?? (status === 0 ? 'a fault reset the connection' : undefined);
  const { method, url, request } = exchange;
  const { headers } = request;
  const text = textOf(request);
  const mimeType = headers['content-type'] ?? '';
  const query = new URLSearchParams(url.split('?').slice(1).join('?'));
  return {
    startedDateTime: new Date(time).toISOString(),
    time: duration,
    request: {
      method,
      url: `http://${headers['host'] ?? 'localhost'}${url}`,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: toPairs(Object.entries(headers)),
      queryString: toPairs(query),
      headersSize: UNKNOWN,
      bodySize: sizeOf(request, text),
      ...(text === undefined ? {} : { postData: { mimeType, text } }),
    },
    response: writeResponse(exchange),
    cache: {},
    timings: { send: 0, wait: duration, receive: 0 },
    ...(comment === undefined ? {} : { comment }),
  };
}

const UNKNOWN = -1;
const toPairs = (entries: Iterable<[string, string]>) => Array.from(entries, ([name, value]) => ({ name, value }));

function writeResponse({ status, response }: Exchange): object {
  const { headers } = response;
  const text = textOf(response);
  const size = sizeOf(response, text);
  const mimeType = headers['content-type'] ?? '';
  return {
    status,
    statusText: STATUS_CODES[status] ?? '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: toPairs(Object.entries(headers)),
    content: {
      size,
      mimeType,
      ...(text === undefined ? {} : { text }),
      ...(response.bodyOmitted ? { comment: 'too long to be stored' } : {}),
    },
    redirectURL: headers['location'] ?? '',
    headersSize: UNKNOWN,
    bodySize: size,
  };
}

const textOf = ({ body }: RecordedMessage): string | undefined =>
  body === undefined || typeof body === 'string' ? body : printJson(body);

const sizeOf = ({ headers, bodyOmitted }: RecordedMessage, text = ''): number =>
  bodyOmitted ? Number(headers['content-length'] ?? UNKNOWN) : Buffer.byteLength(text);
