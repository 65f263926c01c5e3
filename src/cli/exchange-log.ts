import { styleText } from 'node:util';
import type { Exchange } from '../mock/journal.js';

export type LogFormat = 'pretty' | 'json' | 'silent';

/** Turns an exchange into the line that a person or a program reads. */
export type ExchangeFormatter = (exchange: Exchange) => string;

/** Styles a text, or leaves it as it is. */
type Style = (format: Parameters<typeof styleText>[0], text: string) => string;

/** One line an exchange, aligned, for people. */
export function createPrettyFormatter(options: { color: boolean }): ExchangeFormatter {
  const style: Style = options.color
    ? (format, text) => styleText(format, text, { validateStream: false })
    : (_, text) => text;
  return (exchange) => {
    const columns = [
      style('dim', formatTime(exchange.time)),
      exchange.method.padEnd(4),
      exchange.url,
      style(colorOf(exchange.status), String(exchange.status)),
      style('dim', `${exchange.duration.toFixed(1)} ms`),
      exchange.operationId ?? '-',
      ...explain(exchange, style),
    ];
    const crash = exchange.crash === undefined ? '' : `\n${describeCrash(exchange.crash)}`;
    return columns.join('  ') + crash;
  };
}

/** One JSON object a line (NDJSON). */
export const formatJsonExchange: ExchangeFormatter = ({ time, duration, crash, ...exchange }) =>
  JSON.stringify({
    event: 'exchange',
    time: new Date(time).toISOString(),
    durationMs: Number(duration.toFixed(3)),
    ...exchange,
    ...(crash === undefined ? {} : { crash: describeCrash(crash) }),
  });

function explain(exchange: Exchange, style: Style): string[] {
  const place = exchange.violations[0]?.contract;
  const where = place === undefined ? '' : ` (${place.file}:${place.line})`;
  const reason = exchange.reason === undefined ? [] : [`${exchange.reason}${where}`];
  const said = exchange.atFault === undefined ? reason : [`${exchange.atFault}: ${reason.join('')}`];
  const loud = exchange.atFault === 'mock' ? said.map((text) => style(['bold', 'red'], text)) : said;
  return [...loud, ...exchange.notes.map((note) => style('dim', note))];
}

function colorOf(status: number): 'green' | 'yellow' | 'red' {
  if (status < 400) return 'green';
  return status < 500 ? 'yellow' : 'red';
}

function formatTime(time: number): string {
  const date = new Date(time);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':');
}

function describeCrash(crash: unknown): string {
  return crash instanceof Error ? (crash.stack ?? crash.message) : 'something that is no Error was thrown';
}
