import { describe, expect, test } from 'vitest';
import type { BaselineLine, Finding, RunResult } from '../../../src/conformance/model/result.js';
import { reportFormats } from '../../../src/report/index.js';
import { makeDeviating, makeFinding, makeResult } from '../results.js';

const place = { file: 'known.yaml', line: 7, column: 9 };

function known(state: 'known' | 'expired', more: Partial<Finding> = {}): Finding {
  const expires = state === 'known' ? '2999-12-31' : '2020-02-02';
  return makeFinding({ ...more, baseline: { state, reason: 'ticket 12', expires, place } });
}

function lineOf(scenario: string, expires: string): BaselineLine {
  return { scenario, check: 'records', rule: 'filter', at: 'body/*/status', reason: 'ticket 12', expires, place };
}

const write = (format: string, result: RunResult, quiet = false): string =>
  reportFormats[format]?.write(result, { color: false, quiet }) ?? '';

const toChange = makeResult([makeDeviating('a/a', [known('expired')])], {
  baseline: {
    file: 'known.yaml',
    known: [],
    expired: [lineOf('a/a', '2020-02-02')],
    fixed: [lineOf('b/b', 'never')],
    unseen: [],
  },
});

describe('what must be changed in the baseline is told with its line', () => {
  test.each<[string, (string | RegExp)[]]>([
    [
      'pretty',
      [/✗ known\.yaml:7:9 {2}expired on 2020-02-02/, /✗ known\.yaml:7:9 {2}no longer deviates; remove its entry: b\/b/],
    ],
    ['junit', [/<testsuite name="baseline" tests="2" failures="2"/, /<failure message="no longer deviates/]],
    ['markdown', ['<summary>baseline entries to change (2)</summary>']],
    [
      'github',
      [
        /^::error file=known\.yaml,line=7,title=the baseline must be changed%3A b\/b::no longer deviates/m,
        /^::error .*title=[^:]*::[^%]*%?0?A?.*a\/a:/m,
      ],
    ],
    ['sarif', [/"toolConfigurationNotifications": \[/, 'no longer deviates']],
  ])('%s', (format, texts) => {
    const text = write(format, toChange);
    for (const each of texts) expect(text).toMatch(each);
  });

  test('a run of which only that is wrong has no title that says all is well', () => {
    const { baseline } = toChange;
    if (baseline === undefined) throw new Error('there is no baseline');
    expect(write('markdown', makeResult([], { baseline }))).toContain('the baseline must be changed');
  });
});

test('a problem that is known in one scenario and new in another is a result of SARIF once, and not suppressed', () => {
  const result = makeResult([
    { ...makeDeviating('a/a', [known('known')]), verdict: 'known' },
    makeDeviating('a/b', [makeFinding()]),
  ]);
  const { runs } = JSON.parse(write('sarif', result)) as { runs: { results: object[] }[] };
  expect(runs[0]?.results).toHaveLength(1);
  expect(runs[0]?.results[0]).not.toHaveProperty('suppressions');
});

test('a scenario with a problem that is known and one that is not fails for the second alone', () => {
  const findings = [known('known'), makeFinding({ rule: 'other', actual: 'something new' })];
  const junit = write('junit', makeResult([makeDeviating('a/a', findings)]));
  expect(junit).toContain('something new');
  expect(junit).not.toContain('found &quot;pending&quot;');
});
