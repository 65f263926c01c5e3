import { DEFAULT_WORLD } from '../../mock/persistence/changes.js';
import { mapTexts } from '../../redact/map-texts.js';
import type { RecordedExchange } from '../../mock/world/journal.js';
import { spellOut, spellOutJson, spellOutLines } from '../../redact/spell-out.js';
import { createStyle, shortenMiddle, wrapWords } from '../terminal.js';
import { afterAnswers } from '../../server/http/exchange.js';

export const LOG_FORMATS = ['pretty', 'json', 'silent'] as const;

/** Formats an exchange for people or for programs. */
type ExchangeFormatter = (exchange: RecordedExchange) => string;

interface PrettyOptions {
  color: boolean;
  redact: (text: string) => string;
  /** How wide the terminal is at the moment; `undefined` if the output is not a terminal. */
  width: () => number | undefined;
}

const INDENT = ' '.repeat(10);
/** The minimum width of a URL, and of a line of reasons. */
const MIN_WIDTH = 16;

/** One aligned line per exchange, for people. On a narrow terminal the reason moves to its own lines. */
export function createPrettyFormatter({ color, redact, width }: PrettyOptions): ExchangeFormatter {
  const style = createStyle(color);
  const show = (text: string): string => spellOut(redact(text));
  return (exchange) => {
    const terminal = width() ?? Infinity;
    const time = formatTime(exchange.time);
    const method = show(exchange.method).padEnd(4);
    const status = exchange.status === 0 ? 'reset' : String(exchange.status);
    const took = `${exchange.duration.toFixed(1)} ms`;
    const operation = exchange.operationId ?? '-';
    const taken = time.length + method.length + status.length + took.length + operation.length + GAPS;
    // A URL that does not fit is shortened in the middle.
    const url = shortenMiddle(show(exchange.url), Math.max(terminal - taken, MIN_WIDTH));
    const before = `${style('dim', time)}  ${method}  ${url}`;
    const head = `${before}  ${style(colorOf(exchange.status), status)}  ${style('dim', took)}  ${operation}`;
    const reason = show(explain(exchange));
    const loud = (text: string): string => (exchange.atFault === 'mock' ? style(['bold', 'red'], text) : text);
    const line = addReason({ head, headWidth: taken + url.length, reason, loud, terminal });
    if (exchange.crash === undefined) return line;
    return `${line}\n${spellOutLines(redact(describeCrash(exchange.crash)))}`;
  };
}

/** Between six columns. */
const GAPS = 5 * 2;

interface ReasonLayout {
  head: string;
  headWidth: number;
  reason: string;
  loud: (text: string) => string;
  terminal: number;
}

function addReason({ head, headWidth, reason, loud, terminal }: ReasonLayout): string {
  if (reason === '') return head;
  if (headWidth + 2 + reason.length <= terminal) return `${head}  ${loud(reason)}`;
  const lines = wrapWords(reason, Math.max(terminal - INDENT.length, MIN_WIDTH));
  return [head, ...lines.map((line) => `${INDENT}${loud(line)}`)].join('\n');
}

/** What a client cannot influence. */
const OF_THE_CONTRACT: ReadonlySet<string> = new Set([
  'event',
  'time',
  'operationId',
  'atFault',
  'part',
  'rule',
  'contract',
]);

/** One JSON object per line (NDJSON). */
export function createJsonFormatter({ redact }: Pick<PrettyOptions, 'redact'>): ExchangeFormatter {
  return ({ time, duration, crash, ...exchange }) => {
    const event = {
      event: 'exchange',
      time: new Date(time).toISOString(),
      durationMs: Number(duration.toFixed(3)),
      ...exchange,
      ...(crash === undefined ? {} : { crash: describeCrash(crash) }),
    };
    return spellOutJson(JSON.stringify(mapTexts(event, redact, OF_THE_CONTRACT)));
  };
}

/** Who is at fault and why, and anything else worth knowing. */
function explain({ violations, reason, atFault, world, notes }: RecordedExchange): string {
  const place = violations[0]?.contract;
  const where = place === undefined ? '' : ` (${place.file}:${place.line})`;
  const why = reason === undefined ? '' : `${reason}${where}`;
  const blamed = atFault === undefined ? why : `${atFault}: ${why}`;
  // Most exchanges have nothing to explain.
  if (blamed === '' && notes.length === 0 && world === DEFAULT_WORLD) return '';
  return [world === DEFAULT_WORLD ? '' : `in world ${world}`, blamed, ...notes]
    .filter((text) => text !== '')
    .join('  ');
}

function colorOf(status: number): 'green' | 'yellow' | 'red' {
  if (status === 0) return 'red';
  if (status < 400) return 'green';
  return status < 500 ? 'yellow' : 'red';
}

/** The time of the last line, which the next one usually shares. */
let lastClock = { second: NaN, text: '' };

function formatTime(time: number): string {
  const second = Math.floor(time / 1000);
  if (second !== lastClock.second) lastClock = { second, text: formatClock(new Date(time)) };
  return lastClock.text;
}

function formatClock(date: Date): string {
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':');
}

function describeCrash(crash: unknown): string {
  return crash instanceof Error ? (crash.stack ?? crash.message) : 'something was thrown that is not an Error';
}

/** Lines on their way to an output, in the order in which they came. */
interface BatchedOutput {
  add(line: string): void;
  /** Writes all pending lines now. */
  flush(): void;
}

/**
 * Collects the lines of one turn of the event loop and writes them together: a
 * write for each exchange takes longer than the exchange. The answers of the turn
 * leave first.
 */
export function createBatchedOutput(write: (text: string) => void): BatchedOutput {
  let waiting = '';
  const flush = (): void => {
    if (waiting === '') return;
    const text = waiting;
    waiting = '';
    write(text);
  };
  return {
    add(line) {
      if (waiting === '') afterAnswers(flush);
      waiting += `${line}\n`;
    },
    flush,
  };
}
