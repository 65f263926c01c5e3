import type { RunEvent, RunListener } from '../../conformance/events.js';
import { spellOut } from '../../redact/spell-out.js';

interface Output {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}

/** Tells how far a run has come: one line that is renewed on a terminal, a line for what matters elsewhere. */
export function createProgress(output: Output, { quiet }: { quiet: boolean }): { onEvent: RunListener; end(): void } {
  if (quiet) return { onEvent: () => {}, end: () => {} };
  return output.isTTY === true ? createLiveLine(output) : createPlainLines(output);
}

function createLiveLine(output: Output): { onEvent: RunListener; end(): void } {
  const show = (text: string): void =>
    void output.write(`\r\u001B[K${spellOut(text).slice(0, (output.columns ?? 80) - 1)}`);
  let deviated = 0;
  return {
    onEvent(event) {
      if (event.type === 'scenarioFinished') {
        if (event.result.verdict === 'deviated') deviated += 1;
        show(
          `${event.done}/${event.of} scenarios${deviated === 0 ? '' : `, ${deviated} deviated`}  ${event.result.id}`,
        );
      }
      if (event.type === 'waiting') show(describeWait(event));
    },
    end: () => void output.write('\r\u001B[K'),
  };
}

function createPlainLines(output: Output): { onEvent: RunListener; end(): void } {
  let waits = 0;
  return {
    onEvent(event) {
      if (event.type === 'runStarted') output.write(`${event.scenarios} scenarios against ${event.target}\n`);
      if (event.type === 'scenarioFinished' && event.result.verdict === 'deviated')
        output.write(`deviated  ${event.result.id}\n`);
      if (event.type === 'waiting' && waits++ === 0) output.write(`${describeWait(event)}\n`);
    },
    end: () => {},
  };
}

function describeWait({ reason, ms }: RunEvent & { type: 'waiting' }): string {
  return spellOut(`waiting ${(ms / 1000).toFixed(1)} s: ${reason}`);
}
