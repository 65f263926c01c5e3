import type { ExchangeResult, Finding } from '../../conformance/model/result.js';
import { cut, summarizeAnswer } from '../summarize.js';
import { cutBody } from '../json/keep-evidence.js';
import { html, lines, type Markup } from './markup.js';

const MAX_BODY = 2000;
/** How much of a body is shown where the exchange is not what a problem shows. */
const MAX_SKETCH = 80;

/**
 * An exchange of a scenario: a line, and where something was found, that and the beginning of both bodies, to unfold. The
 * card of a problem has its exchange in full, the HAR report has all of them.
 */
export function writeExchange(exchange: ExchangeResult): Markup {
  const { request, response, durationMs, findings } = exchange;
  const key = request.auth === 'valid' ? undefined : html` <span class="tag">key: ${request.auth}</span>`;
  const line = html`<b class="method">${request.method}</b> <code>${cut(request.path, 500)}</code>${key}
    <span class="${classOfAnswer(exchange)}">${cut(summarizeAnswer(exchange), 200)}</span>
    <span class="quiet">${formatMs(durationMs)}</span>`;
  if (findings.length === 0) return html`<p class="exchange">${line}</p> `;
  return html`<details class="exchange">
    <summary>${line}</summary>
    <ul class="findings">
      ${writeSketch('sent', request.body)}${writeSketch('received', response?.body)}${findings.slice(0, MAX_FINDINGS).map(writeFinding)}${writeMore(findings.length)}
    </ul>
  </details> `;
}

function writeSketch(name: string, body = ''): Markup | undefined {
  return body === '' ? undefined : html`<li>${name} <code>${cutBody(body, MAX_SKETCH)}</code></li>`;
}

const MAX_FINDINGS = 8;

/** The request and its answer as they were on the wire, except for what is secret or too long. */
export function writeMessages({ request, response, failure }: ExchangeResult): Markup {
  const sent = formatMessage(`${request.method} ${request.path}`, request.headers, request.body);
  const answer =
    response === undefined
      ? (failure ?? 'no response')
      : formatMessage(String(response.status), response.headers, response.body);
  return html`<div class="sides">
    <figure>
      <figcaption>Request</figcaption>
      <pre>${lines(sent)}</pre>
    </figure>
    <figure>
      <figcaption>Response</figcaption>
      <pre>${lines(answer)}</pre>
    </figure>
  </div>`;
}

function formatMessage(start: string, headers: Readonly<Record<string, string>>, body = ''): string {
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `${cut([start, ...fields].join('\n'), MAX_BODY)}${body === '' ? '' : `\n\n${cutBody(body, MAX_BODY)}`}`;
}

function writeFinding({ severity, at, expected, actual }: Finding): Markup {
  const [sign, name] = severity === 'deviation' ? ['✗', 'deviated'] : ['i', 'observed'];
  return html`<li>
    <span class="sign ${name}" aria-hidden="true">${sign}</span> <code>${cut(at, 200)}</code>: expected
    ${cut(expected, 500)}, but found ${cut(actual, 500)}
  </li>`;
}

function writeMore(count: number): Markup | undefined {
  return count <= MAX_FINDINGS ? undefined : html`<li>and ${count - MAX_FINDINGS} more</li>`;
}

function classOfAnswer({ response, findings }: ExchangeResult): string {
  if (findings.some(({ severity }) => severity === 'deviation')) return 'status deviated';
  return response === undefined ? 'status inconclusive' : 'status';
}

function formatMs(ms: number): string {
  return ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`;
}
