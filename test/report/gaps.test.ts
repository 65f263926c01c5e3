import { describe, expect, test } from 'vitest';
import type { DriftResult, RunResult } from '../../src/conformance/model/result.js';
import { formatDiff } from '../../src/report/profile-diff.js';
import { reportFormats } from '../../src/report/index.js';
import { makeGap, makeResult, makeScenario } from './results.js';

const seen = makeGap({ answer: 'other', evidence: 'HEAD /pets → 418' });
const unseen = makeGap({
  id: 'after-removal',
  question: 'And then?',
  answer: 'not-observed',
  evidence: 'served until 2030',
});
const list = makeGap({ id: 'pet-fields', kind: 'observation', question: 'Which fields?', answer: ['a', 'b'] });
const drift: DriftResult = {
  profile: { file: 'staging.yaml', target: 'https://staging.example/v1', date: '2026-01-02' },
  changes: [{ id: 'head', before: 'answered', now: 'other' }],
  notes: [{ id: 'pet-fields', before: [], now: ['a', 'b'] }],
};
const observed = makeScenario('gaps/head', 'observed', {
  gap: { id: 'head', choice: 'other', evidence: 'HEAD /pets → 418' },
});
const result = makeResult([observed], { gaps: [seen, unseen, list], drift });

/** A report as a reader sees it. */
function write(format: string, from: RunResult = result, quiet = false): string {
  const text = reportFormats[format]?.write(from, { color: false, quiet, gaps: true }) ?? '';
  return text
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll('%0A', '\n')
    .replace(/<\/?(code|b)\b[^>]*>/g, '');
}

describe.each(['pretty', 'json', 'junit', 'markdown', 'github', 'sarif', 'html'])('%s', (format) => {
  test('tells of a gap its question, its answer and what shows it', () => {
    const text = write(format);
    for (const part of ['Is HEAD answered?', 'other', 'HEAD /pets → 418', 'Which fields?'])
      expect(text).toContain(part);
  });

  test('tells a change since the profile, naming both sides and the profile', () => {
    const text = write(format);
    for (const part of ['head', 'answered', 'staging.yaml', '2026-01-02']) expect(text).toContain(part);
  });
});

test('what was not observed says why', () =>
  expect(write('pretty')).toContain('    And then?\n        after-removal: not-observed  served until 2030'));

test('pretty tells changes even when it is quiet, and no change only when it is not', () => {
  const same = makeResult([], { gaps: [seen], drift: { ...drift, changes: [], notes: [] } });
  expect(write('pretty', result, true)).toContain('≠ head: answered, now other');
  expect(write('pretty', result, true)).not.toContain('pet-fields');
  expect(write('pretty', same)).toContain('nothing has changed since staging.yaml');
  expect(write('pretty', same, true)).not.toContain('nothing has changed');
});

test('the summary counts changes', () => expect(write('pretty')).toContain(' · 1 change since the profile · '));

test('JUnit fails a case for each change', () => {
  expect(write('junit')).toMatch(
    /<testsuite name="drift" tests="1" failures="1"[^]*<testcase classname="drift" name="head"/,
  );
});

test('an annotation is an error for each change', () => {
  expect(write('github')).toMatch(
    /^::error file=spec\/petstore\.openapi\.yaml,line=1,title=drift at head::head: answered, now other$/m,
  );
});

test('two profiles with long answers are compared in blocks, not in columns that leave the screen', () => {
  const side = { file: 'a.yaml', gaps: {} };
  const long = `HTTP 201 ${'x'.repeat(120)}`;
  const changes = [{ id: 'head', before: long, now: 'other' }];
  const lines = formatDiff({ before: side, now: { ...side, file: 'b.yaml' }, changes, notes: [], same: 3 }).split('\n');
  expect(lines).toContain('    head');
  expect(lines).toContain(`        before  ${long}`);
  expect(lines).toContain('        now     other');
  expect(formatDiff({ before: side, now: side, changes: drift.changes, notes: [], same: 3 })).toMatch(
    /^ {10}before {4}now\n {4}head {2}answered {2}other$/m,
  );
});
