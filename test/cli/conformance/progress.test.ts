import { expect, test } from 'vitest';
import { createProgress } from '../../../src/cli/conformance/progress.js';
import type { RunEvent } from '../../../src/conformance/model/options.js';
import { makeScenario } from '../../report/results.js';

const finished = (id: string, done: number, verdict: 'passed' | 'deviated' = 'passed'): RunEvent => ({
  type: 'scenarioFinished',
  result: makeScenario(id, verdict),
  done,
  of: 9,
});
const started: RunEvent = { type: 'runStarted', target: 'http://127.0.0.1:4010/v1', scenarios: 9, requests: 40 };
const waiting: RunEvent = { type: 'waiting', reason: 'the target asks to', ms: 2500 };

type Told = [second: number, event: RunEvent];
const at = (second: number, event: RunEvent): Told => [second, event];

type Shown = { isTTY?: boolean; columns?: number; quiet?: boolean; verbose?: boolean };

/** What is written for events, each at its second. */
function show(events: readonly Told[], { quiet = false, verbose = false, ...output }: Shown = {}): string {
  let [written, second] = ['', 0];
  const write = (text: string): void => void (written += text);
  const progress = createProgress({ ...output, write }, { quiet, verbose }, () => second * 1000);
  for (const [when, event] of events) {
    second = when;
    progress.onEvent(event);
  }
  progress.end();
  return written;
}

test('a terminal has one line, which is written over, cut to its width and cleared', () => {
  const run = [
    at(0, started),
    at(1, finished('pets/refusals/malformed', 1)),
    at(1, finished('pets/lists/limit[1]', 2, 'deviated')),
  ];
  const shown = ['1 of 9 scenarios  pets/refusals/malform', '2 of 9 scenarios, 1 deviating  pets/lis'];
  const written = ['', '9 scenarios, about 40 requests, against', ...shown, ''];
  expect(show(run, { isTTY: true, columns: 40 }).split('\r\u001B[K')).toEqual(written);
});

test('what is no terminal has a line after ten seconds, and then each time twice as late', () => {
  const run = Array.from({ length: 50 }, (_, second) => at(second, finished('a/b', second)));
  expect(show([at(0, started), ...run])).toBe(
    '10 s: 10 of 9 scenarios\n20 s: 20 of 9 scenarios\n40 s: 40 of 9 scenarios\n',
  );
});

test('from ten seconds on, both say how long the rest may take, once more than a few scenarios tell it', () => {
  const run = [at(0, started), at(12, finished('a/b', 3)), at(300, finished('a/c', 6)), at(400, finished('a/d', 9))];
  expect(show(run)).toBe(
    '12 s: 3 of 9 scenarios, about 24 s left\n300 s: 6 of 9 scenarios, about 3 min left\n400 s: 9 of 9 scenarios\n',
  );
  expect(show(run, { isTTY: true })).toContain('6 of 9 scenarios, about 3 min left  a/c');
  expect(show([at(0, started), at(12, finished('a/b', 2))])).toBe('12 s: 2 of 9 scenarios\n');
});

test('a long wait is told when it begins', () => {
  expect(show([at(8, waiting)])).toBe('8 s: waiting 2.5 s: the target asks to\n');
  expect(show([at(1, waiting)])).toBe('');
});

test('verbose has a line for each scenario, and quiet none at all', () => {
  const run = [at(0, started), at(0, waiting), at(0, finished('a/b', 1, 'deviated'))];
  expect(show(run, { verbose: true })).toBe(
    '9 scenarios, about 40 requests, against http://127.0.0.1:4010/v1\nwaiting 2.5 s: the target asks to\ndeviated      a/b\n',
  );
  expect(show(run, { quiet: true, isTTY: true })).toBe('');
});

test('a reason cannot steer the terminal', () =>
  expect(show([at(0, { ...waiting, reason: '\u001B[2J' })], { isTTY: true })).not.toContain('\u001B[2J'));

test('a run of thousands of requests says so beforehand, in a log too', () => {
  const many: RunEvent = { type: 'runStarted', target: 'http://h/v1', scenarios: 900, requests: 2600 };
  expect(show([at(0, many)])).toBe('900 scenarios, about 2600 requests, against http://h/v1\n');
  expect(show([at(0, started)])).toBe('');
});
