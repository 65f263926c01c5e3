import { DEFAULT_WORLD } from '../../mock/persistence/changes.js';
import { mapTexts } from '../../redact/redactor.js';
import type { RecordedExchange } from '../../mock/world/journal.js';
import { spellOut, spellOutJson, spellOutLines } from '../../redact/spell-out.js';
import { createStyle, shortenMiddle, wrapWords } from '../terminal.js';
import { afterAnswers } from '../../server/http/middleware.js';

export const LOG_FORMATS = ['pretty', 'json', 'silent'] as const;

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
    const second = Math.floor(exchange.time / 1000);
    if (second !== lastClock.second) lastClock = { second, text: new Date(exchange.time).toTimeString().slice(0, 8) };
    const time = lastClock.text;
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
    const fits = taken + url.length + 2 + reason.length <= terminal;
    const below = fits ? [] : wrapWords(reason, Math.max(terminal - INDENT.length, MIN_WIDTH));
    const line =
      reason === ''
        ? head
        : [fits ? `${head}  ${loud(reason)}` : head, ...below.map((each) => `${INDENT}${loud(each)}`)].join('\n');
    if (exchange.crash === undefined) return line;
    return `${line}\n${spellOutLines(redact(describeCrash(exchange.crash)))}`;
  };
}

const GAPS = 5 * 2;

/** What a client cannot influence. */
const OF_THE_CONTRACT = new Set(['event', 'time', 'operationId', 'atFault', 'part', 'rule', 'contract']);

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
  if (status === 0 || status >= 500) return 'red';
  return status < 400 ? 'green' : 'yellow';
}

/** The time of the last line, which the next one usually shares. */
let lastClock = { second: NaN, text: '' };

const describeCrash = (crash: unknown): string =>
  crash instanceof Error ? (crash.stack ?? crash.message) : 'something was thrown that is not an Error';

/** Writes the lines of a turn of the event loop together, after its responses: single writes take too long. */
export function createBatchedOutput(write: (text: string) => void): { add(line: string): void; flush(): void } {
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
