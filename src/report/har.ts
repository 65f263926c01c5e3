import { STATUS_CODES } from 'node:http';
import type { ExchangeResult, RunResult, ScenarioResult } from '../conformance/model/result.js';
import { readPackageVersion } from '../package-files.js';
import { spellOutJson } from '../redact/spell-out.js';
import { findHeader, urlOf } from './curl.js';
import { writeLines } from './json.js';
import { listLeft, type ReportFormat } from './report-format.js';
import { headline, summarize } from './summarize.js';

/** HAR 1.2, for tools that show traffic: every exchange once with its whole content, a page for each scenario; each in a line. */
export const harReport: ReportFormat = { name: 'har', file: 'conformance.har', write: writeHar };

function writeHar(result: RunResult): string {
  const scenarios = result.scenarios.filter(({ steps }) => steps.some(({ exchanges }) => exchanges.length > 0));
  const log = {
    version: '1.2',
    creator: { name: 'petstore-conformance', version: readPackageVersion() },
    pages: scenarios.map((scenario) => describePage(scenario, result)),
    entries: byTime(scenarios.flatMap((scenario) => listEntries(scenario, result))),
    comment: `${[headline(result), summarize(result), ...listLeft(result)].join('. ')}. Secrets are redacted, and bodies are cut after 16 KiB.`,
  };
  return `${spellOutJson(`{"log":${writeLines(log)}}`)}\n`;
}

/** Oldest first, as readers expect; scenarios run concurrently. */
function byTime<T extends { startedDateTime: string }>(entries: T[]): T[] {
  return entries.toSorted((a, b) => Date.parse(a.startedDateTime) - Date.parse(b.startedDateTime));
}

function describePage({ id, title, verdict, reason, steps }: ScenarioResult, { startedAt }: RunResult): object {
  const times = steps.flatMap(({ exchanges }) =>
    exchanges.map((each) => ({ startedDateTime: each.startedAt ?? startedAt })),
  );
  return {
    startedDateTime: byTime(times)[0]?.startedDateTime ?? startedAt,
    id,
    title: `${id}: ${title}`,
    pageTimings: {},
    comment: reason === undefined ? verdict : `${verdict}: ${reason}`,
  };
}

function listEntries({ id, steps }: ScenarioResult, result: RunResult): { startedDateTime: string }[] {
  return steps.flatMap(({ id: step, exchanges }) =>
    // An answer that serves several scenarios went over the wire for the first.
    exchanges
      .filter(({ shared }) => shared !== true)
      .map((exchange) => ({
        pageref: id,
        startedDateTime: exchange.startedAt ?? result.startedAt,
        time: exchange.durationMs,
        request: describeRequest(exchange, result.target),
        response: describeResponse(exchange),
        cache: {},
        timings: { send: 0, wait: exchange.durationMs, receive: 0 },
        comment: [
          `scenario ${id}, step ${step}`,
          ...(exchange.failure === undefined ? [] : [`no response: ${exchange.failure}`]),
          ...exchange.findings.map(
            ({ severity, check, at, expected, actual }) =>
              `${severity}: ${check}: expected ${expected}, actual ${actual} at ${at}`,
          ),
        ].join('\n'),
      })),
  );
}

function describeRequest({ request }: ExchangeResult, target: string): object {
  const { method, path, headers, body } = request;
  const query = path.includes('?') ? path.slice(path.indexOf('?') + 1) : '';
  // Some URLs are invalid on purpose, and redacted ones contain brackets (RFC 3986 section 3.3).
  const escaped = path.replace(/%(?![\dA-Fa-f]{2})|[^\w\-.~:/?@!$&'()*+,;=%]/gu, (char) =>
    Buffer.from(char).toString('hex').toUpperCase().replaceAll(/../g, '%$&'),
  );
  return {
    method,
    url: urlOf(target, { ...request, path: escaped }),
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: listFields(headers),
    queryString: [...new URLSearchParams(query)].map(([name, value]) => ({ name, value })),
    headersSize: -1,
    bodySize: body === undefined ? 0 : readLength(headers),
    ...(body === undefined ? {} : { postData: { mimeType: findHeader(headers, 'content-type') ?? '', text: body } }),
  };
}

/** Without an answer, its status is 0, as browsers have it. */
function describeResponse({ response }: ExchangeResult): object {
  const { status, headers, body } = response ?? { status: 0, headers: {}, body: '' };
  return {
    status,
    statusText: STATUS_CODES[status] ?? '',
    httpVersion: response === undefined ? '' : 'HTTP/1.1',
    cookies: [],
    headers: listFields(headers),
    content: { size: Buffer.byteLength(body), mimeType: findHeader(headers, 'content-type') ?? '', text: body },
    redirectURL: findHeader(headers, 'location') ?? '',
    headersSize: -1,
    bodySize: body === '' ? 0 : readLength(headers),
  };
}

function listFields(headers: Readonly<Record<string, string>>): { name: string; value: string }[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}

/** The number of bytes on the wire, which a redacted or shortened text does not show; -1 means unknown. */
function readLength(headers: Readonly<Record<string, string>>): number {
  const length = findHeader(headers, 'content-length') ?? '';
  return /^\d{1,15}$/.test(length) ? Number(length) : -1;
}
