import type { RunEvent, RunListener } from '../../conformance/model/options.js';
import { spellOut } from '../../redact/spell-out.js';

type Output = { isTTY?: boolean; columns?: number; write(text: string): unknown };
type Progress = { onEvent: RunListener; end(): void };

/** Shows the progress of a run: on a terminal one line that is rewritten, elsewhere an occasional line; with `verbose`, every scenario. */
export function createProgress(
  output: Output,
  { quiet, verbose }: { quiet: boolean; verbose: boolean },
  now: () => number = () => performance.now(),
): Progress {
  if (quiet) return { onEvent: () => {}, end: () => {} };
  if (verbose)
    return {
      onEvent(event) {
        if (event.type === 'runStarted') output.write(`${describeStart(event)}\n`);
        if (event.type === 'scenarioFinished') output.write(`${event.result.verdict.padEnd(12)}  ${event.result.id}\n`);
        if (event.type === 'waiting') output.write(`${describeWait(event)}\n`);
      },
      end: () => {},
    };
  return output.isTTY === true ? createLiveLine(output, now) : createPlainLines(output, now);
}

function createLiveLine(output: Output, now: () => number): Progress {
  const show = (text: string): void =>
    void output.write(`\r\u001B[K${spellOut(text).slice(0, (output.columns ?? 80) - 1)}`);
  const count = createCount();
  const started = now();
  return {
    onEvent(event) {
      if (event.type === 'runStarted') show(describeStart(event));
      if (event.type === 'scenarioFinished')
        show(`${count(event)}${estimateRest(event, now() - started)}  ${event.result.id}`);
      if (event.type === 'waiting') show(describeWait(event));
    },
    end: () => void output.write('\r\u001B[K'),
  };
}

/** When the first line is written if lines cannot be rewritten; the time doubles for each further line. */
const FIRST_LINE_MS = 10_000;

function createPlainLines(output: Output, now: () => number): Progress {
  const count = createCount();
  const started = now();
  let next = FIRST_LINE_MS;
  return {
    onEvent(event) {
      // A long wait is announced when it begins.
      if (event.type === 'runStarted' && event.requests >= MANY) output.write(`${describeStart(event)}\n`);
      const passed = now() - started + (event.type === 'waiting' ? event.ms : 0);
      const text = event.type === 'waiting' ? describeWait(event) : `${count(event)}${estimateRest(event, passed)}`;
      if (text === '' || passed < next) return;
      output.write(`${Math.round((now() - started) / 1000)} s: ${text}\n`);
      while (next <= passed) next *= 2;
    },
    end: () => {},
  };
}

/** A run of so many requests says so beforehand, also in a log. */
const MANY = 2000;

const describeStart = ({ scenarios, requests, target }: RunEvent & { type: 'runStarted' }): string =>
  `${scenarios} scenarios, about ${requests} requests, against ${target}`;

function createCount(): (event: RunEvent) => string {
  let deviated = 0;
  return (event) => {
    if (event.type !== 'scenarioFinished') return '';
    if (event.result.verdict === 'deviated') deviated += 1;
    const deviating = deviated === 0 ? '' : `, ${deviated} deviating`;
    return `${event.done} of ${event.of} scenarios${deviating}`;
  };
}

/** Of fewer, how long they took says little of the others: those that wait come first. */
const SHARE_THAT_TELLS = 1 / 4;

function estimateRest(event: RunEvent, passedMs: number): string {
  if (event.type !== 'scenarioFinished' || passedMs < FIRST_LINE_MS || event.done >= event.of) return '';
  if (event.done < event.of * SHARE_THAT_TELLS) return '';
  const seconds = (passedMs / 1000 / event.done) * (event.of - event.done);
  return seconds < 90 ? `, about ${Math.ceil(seconds)} s left` : `, about ${Math.round(seconds / 60)} min left`;
}

const describeWait = ({ reason, ms }: RunEvent & { type: 'waiting' }): string =>
  spellOut(`waiting ${(ms / 1000).toFixed(1)} s: ${reason}`);
