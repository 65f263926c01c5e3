import { expect, test } from 'vitest';
import { judgeResult } from '../../../src/cli/conformance/judge-result.js';
import { EXIT_DEVIATED, EXIT_UNAVAILABLE } from '../../../src/cli/terminal.js';
import type { RunResult } from '../../../src/conformance/model/result.js';
import { makeDeviating, makeFinding, makeResult, makeScenario } from '../../report/results.js';

const silence = makeFinding({ check: 'answered', rule: 'refused', at: 'response', expected: 'a', actual: 'none' });

const DEMANDS = { failOn: undefined, minCoverage: undefined, minConcluded: 0, writeBaseline: undefined };

type Baseline = NonNullable<RunResult['baseline']>;
const NONE: Baseline = { file: 'known.yaml', known: [], expired: [], fixed: [], unseen: [] };
const LINE = {
  scenario: 'a/a',
  check: 'status',
  rule: 'expected',
  at: 'status',
  reason: 'known',
  expires: '2020-02-02',
};
const ENTRIES = [{ ...LINE, place: { file: 'known.yaml', line: 3 } }] as unknown as Baseline['fixed'];

function judge(...[findings, more]: [(typeof silence)[], Partial<RunResult>?]): number {
  const scenarios = findings.map((finding, index) => makeDeviating(`list/${index}`, [finding]));
  return judgeResult(makeResult(scenarios, { targetLost: true, ...more }), DEMANDS).code;
}

test.each([
  [{ minCoverage: 90 }, '--min-coverage', /^contract coverage is \d+ %, below the 90 % of --min-coverage/],
  [{ failOn: 'inconclusive' as const }, '--fail-on inconclusive', /^1 scenario is inconclusive, which fails the run/],
  [{ minConcluded: 90 }, '--min-concluded', /^1 of 2 scenarios reached a conclusion: 50 %, below the 90 %/],
])('a run without a problem that %j fails says what fails it', (demands, failedBy, because) => {
  const scenarios = [makeScenario('a', 'passed'), makeScenario('b', 'inconclusive', { reason: 'nothing to see' })];
  const coverage = { covered: 1, total: 3, missing: [] };
  const why = expect.stringMatching(because);
  const result = makeResult(scenarios, { coverage });
  expect(judgeResult(result, { ...DEMANDS, ...demands })).toEqual({ code: EXIT_DEVIATED, why, failedBy });
});

test('a run that finds another choice than the profile has fails', () => {
  const drift = { profile: { file: 'p.yaml', target: 'http://a', date: '2026-01-01' }, notes: [] };
  const judgeDrift = (...changes: { id: string; before: string; now: string }[]): object =>
    judgeResult(makeResult([makeScenario('a', 'passed')], { drift: { ...drift, changes } }), DEMANDS);
  expect(judgeDrift({ id: 'head', before: 'answered', now: 'refused-405' })).toMatchObject({
    code: EXIT_DEVIATED,
    failedBy: '--profile',
  });
  expect(judgeDrift()).toEqual({ code: 0 });
});

test('a target that goes away during a run is unavailable, since the silence of its end is no defect of its own', () =>
  expect(judge([silence, silence])).toBe(EXIT_UNAVAILABLE));

test('whatever else was wrong counts: another problem, an answer that broke off, a baseline that is out of date', () => {
  expect([
    judge([silence, makeFinding()]),
    judge([{ ...silence, rule: 'incomplete' }]),
    judge([silence], { baseline: { ...NONE, fixed: ENTRIES } }),
    judge([silence], { targetLost: false }),
  ]).toEqual([EXIT_DEVIATED, EXIT_DEVIATED, EXIT_DEVIATED, EXIT_DEVIATED]);
});

test('a sound run whose baseline has what is fixed or has expired fails, also while it writes a baseline', () => {
  const sound = makeResult([makeScenario('a/a', 'passed')], { baseline: { ...NONE, fixed: ENTRIES } });
  const deviating = (baseline: Baseline): RunResult =>
    makeResult([makeDeviating('a/a', [makeFinding()])], { baseline });
  const writing = { ...DEMANDS, writeBaseline: 'known.yaml' };
  expect(judgeResult(sound, DEMANDS)).toMatchObject({ failedBy: 'an outdated entry of the baseline', code: 1 });
  expect(judgeResult(deviating(NONE), writing).code).toBe(0);
  expect(judgeResult(deviating({ ...NONE, expired: ENTRIES }), writing).code).toBe(EXIT_DEVIATED);
});
