import { describe, expect, test } from 'vitest';
import type { RunResult } from '../../src/conformance/model/result.js';
import { reportFormats } from '../../src/report/index.js';
import { judgeHtml } from '../support/judges/judge-html.js';
import { makeDeviating, makeExchange, makeFinding, makeResult, makeScenario } from './results.js';

function write(result: RunResult): string {
  return reportFormats['html']?.write(result, { color: true, quiet: false }) ?? '';
}

/** The text between two tags, as a reader sees it. */
function read(markup: string): string {
  return markup
    .replace(/<[^>]*>/g, '')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function section(page: string, id: string): string {
  return new RegExp(`<section id="${id}".*?</section>`, 's').exec(page)?.[0] ?? '';
}

const contract = { file: 'spec/petstore.openapi.yaml', line: 72, pointer: '/paths/~1pets/get/responses/401' };

test('a problem has expected and actual side by side, its line of the contract, and what shows it again', () => {
  const findings = [makeFinding(), makeFinding({ at: 'body/1/status' })];
  const page = write(makeResult([makeDeviating('a/a', findings), makeDeviating('a/b', findings)]));
  const text = read(section(page, 'problems'));
  expect(text).toMatch(
    /^Problems 1 The filter by `status` .* 2 responses in 2 scenarios The filter by `status` .* GET \/pets\?status=sold&limit=100 200/,
  );
  expect(text).toContain('Expected "sold" Actual "pending"');
  expect(text).toContain('at body/0/status and 1 more place');
  expect(text).toContain('contract spec/petstore.openapi.yaml:57 #/paths/~1pets/get/parameters/1');
  expect(text).toContain('scenario a/a what a/a says');
  expect(text).toContain('also in a/b');
  expect(text).toContain("petstore-conformance --target 'http://127.0.0.1:4010/v1' --again 'a/a'");
  expect(text).toContain('curl -H "Authorization: Bearer $PETSTORE_API_KEY"');
  expect(page).toContain('<title>1 problem in 2 scenarios · petstore-conformance</title>');
});

test('every scenario is there under its file, with its verdict and a line for each exchange, to unfold what was found', () => {
  const exchanges = [makeExchange(), makeExchange({ findings: [makeFinding({ severity: 'information' })] })];
  const steps = [{ id: 'list', exchanges }];
  const page = write(
    makeResult([
      makeScenario('list/one', 'passed', { steps }),
      makeScenario('list/two', 'skipped', { reason: 'there are pets' }),
      makeScenario('limits/one', 'inconclusive', { reason: 'more pets are needed' }),
    ]),
  );
  const scenarios = section(page, 'scenarios');
  const rows = [...scenarios.matchAll(/<details class="scenario">\s*<summary>(.*?)<\/summary>/gs)];
  expect(rows.map(([, row = '']) => read(row))).toEqual([
    '✓ what list/one says list/one passed',
    '– what list/two says list/two skipped',
    '? what limits/one says limits/one inconclusive',
  ]);
  expect([...scenarios.matchAll(/<h3>(.*?)<\/h3>/g)].map(([, name]) => name)).toEqual(['list', 'limits']);
  expect(scenarios.match(/ class="exchange">/g)).toHaveLength(2);
  expect(scenarios.match(/<details class="exchange">/g)).toHaveLength(1);
  expect(read(scenarios)).toContain('GET /pets?status=sold&limit=100 200 1.5 ms');
  expect(read(scenarios)).toContain('received [] i body/0/status: expected');
  expect(read(section(page, 'inconclusive'))).toContain('more pets are needed limits/one');
});

test('coverage and notes have a section each', () => {
  const missing = [{ id: 'listPets answers 401', kind: 'status' as const, contract }];
  const coverage = { total: 3, covered: 2, missing };
  const page = write(makeResult([], { coverage, notes: ['the target dropped two connections'] }));
  expect(read(section(page, 'coverage'))).toBe(
    'Contract coverage 66 % 66 % 2 of 3 parts of the contract are covered. Not covered status listPets answers 401 spec/petstore.openapi.yaml:72',
  );
  expect(read(section(page, 'notes'))).toBe('Notes 1 the target dropped two connections');
});

test('a gap has its question, what was seen and the evidence; what was not seen is folded', () => {
  const gap = {
    kind: 'choice' as const,
    contract: { file: 'spec/petstore.openapi.yaml', line: 29, pointer: '/paths/~1pets/get' },
  };
  const gaps = [
    { ...gap, id: 'limit', question: 'And a limit of 0?', answer: 'clamped', meaning: 'it is raised', evidence: '200' },
    { ...gap, id: 'codes', question: 'Which codes?', answer: ['a', 'b'], meaning: 'as seen', evidence: '400 and 404' },
    { ...gap, id: 'head', question: 'And HEAD?', answer: 'not-observed', meaning: 'not seen', evidence: 'was skipped' },
  ];
  const [seen = '', unseen = ''] = section(write(makeResult([], { gaps })), 'gaps').split('<details');
  expect(read(seen)).toBe(
    'Gaps: what the contract leaves open 2 of 3 seen And a limit of 0? limit clamped: it is raised 200 Which codes? codes a, b: as seen 400 and 404',
  );
  expect(read(`<${unseen}`)).toBe('Not observed 1 And HEAD? head not seen was skipped');
});

test('what has changed since a profile is told with both sides', () => {
  const drift = {
    profile: { file: 'staging.profile.yaml', target: 'https://staging.example/v1', date: '2030-01-01' },
    changes: [{ id: 'limit-out-of-bounds', before: 'clamped', now: 'refused-400' }],
    notes: [{ id: 'head', before: 'answered', now: 'not-observed' }],
  };
  const page = write(makeResult([makeScenario('a/a', 'passed')], { drift }));
  expect(page).toContain('<h1>The target differs from its profile</h1>');
  expect(read(section(page, 'drift'))).toBe(
    'Changes since the profile 1 Against staging.profile.yaml (https://staging.example/v1, 2030-01-01). limit-out-of-bounds clamped → refused-400 Notes head answered → not-observed',
  );
});

test('a known deviation stands apart, with its reason; a line of the baseline that must go is named', () => {
  const place = { file: 'known.yaml', line: 7 };
  const known = { state: 'known' as const, reason: 'ticket 12', expires: '2030-12-31', place };
  const line = { scenario: 'a/b', check: 'records', rule: 'filter', at: 'body', reason: 'x', expires: 'never', place };
  const baseline = { file: 'known.yaml', known: [], expired: [], fixed: [line], unseen: [] };
  const scenario = { ...makeDeviating('a/a', [makeFinding({ baseline: known })]), verdict: 'known' as const };
  const page = write(makeResult([scenario], { baseline }));
  expect(page).toContain('<h1>The baseline must be changed</h1>');
  expect(read(section(page, 'problems'))).toMatch(/^Problems 0 /);
  expect(read(section(page, 'known'))).toBe(
    'Known deviations 1 As known.yaml has them. To change in the baseline no longer deviates; remove its entry: a/b (records, filter, at body) known.yaml:7 Accepted a/a expected "sold", found "pending" at body/0/status known until 2030-12-31: ticket 12 (known.yaml:7)',
  );
});

describe('the page says what it is worth', () => {
  test.each([
    [makeResult([makeScenario('a/a', 'passed')]), 'No deviation'],
    [makeResult([makeScenario('a/a', 'skipped', { reason: 'x' })]), 'The run reached no conclusion'],
    [makeResult([makeScenario('a/a', 'passed')], { interrupted: true }), 'The run did not complete'],
    [makeResult([makeScenario('a/a', 'passed')], { targetLost: true }), 'The run did not complete'],
  ])('%#', (result, title) => {
    const page = write(result);
    expect(/<h1>(.*?)<\/h1>/.exec(page)?.[1]).toBe(title);
    expect(page.includes('class="alert"')).toBe(result.interrupted || result.targetLost);
  });
});

test('what a target sends stays text, wherever it stands', async () => {
  const nasty =
    '"\'><script>alert(1)</script><img src=x onerror=alert(2)></pre></details></section>&lt;b&gt; <!-- \u202E\u0000\r\n::error::x\n<style>*{display:none}</style>';
  const finding = makeFinding({ actual: nasty, expected: nasty, at: nasty, contract: { file: nasty, pointer: nasty } });
  const exchange = {
    request: { ...makeExchange().request, path: nasty, body: nasty, headers: { [nasty]: nasty } },
    response: { status: 200, headers: { [nasty]: nasty }, body: nasty },
  };
  const scenario = { ...makeDeviating('a/a', [finding], exchange), title: nasty };
  const open = makeScenario('a/b', 'inconclusive', { reason: nasty });
  const seen = makeScenario('a/c', 'observed', { gap: { id: nasty, choice: nasty, evidence: nasty } });
  const more = { target: nasty, contract: { title: nasty, version: nasty, file: nasty }, notes: [nasty] };
  const missing = [{ id: nasty, kind: 'status' as const, contract: { ...contract, file: nasty } }];
  const page = write(makeResult([scenario, open, seen], { ...more, coverage: { total: 2, covered: 1, missing } }));
  expect(page).not.toMatch(/<(script|img|!--)/);
  expect(page.match(/<style/g)).toHaveLength(1);
  expect(page).not.toMatch(/^\s*::/m);
  for (const hidden of ['\u202E', '\u0000', '\r']) expect(page).not.toContain(hidden);
  expect(read(page)).toContain('<script>alert(1)</script><img src=x onerror=alert(2)>');
  expect((await judgeHtml(page)).filter((complaint) => !complaint.includes('long-title'))).toEqual([]);
});

test('the page runs nothing and asks nobody: its policy allows its own style sheet and nothing else', () => {
  const page = write(makeResult([makeDeviating('a/a', [makeFinding()])]));
  const [, policy] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page) ?? [];
  expect(read(policy ?? '')).toMatch(
    /^default-src 'none'; style-src 'sha256-[\w+/=]+'; base-uri 'none'; form-action 'none'$/,
  );
  expect(page).not.toMatch(/\s(?:src|srcset|style|on\w+)=|@import|url\(/);
  expect([...page.matchAll(/\shref="([^"]*)"/g)].every(([, href = '']) => href.startsWith('#'))).toBe(true);
});

test('a huge run has a page of bounded size that says what was left out, and keeps what deviates', () => {
  const body = '<'.repeat(16_000);
  const exchanges = Array.from({ length: 20 }, () => makeExchange({ response: { status: 200, headers: {}, body } }));
  const passed = Array.from({ length: 3000 }, (_, index) =>
    makeScenario(`p/${index}`, 'passed', { steps: [{ id: 'list', exchanges }] }),
  );
  const problemy = Array.from({ length: 2000 }, (_, index) =>
    makeDeviating(`z/${index}`, [makeFinding({ check: 'own', rule: `r${index}`, actual: body, expected: body })]),
  );
  const page = write(makeResult([...passed, ...problemy], { notes: Array.from({ length: 3000 }, () => body) }));
  expect(page.length).toBeLessThan(2_500_000);
  expect(page.length).toBeLessThan(8_000_000);
  expect(read(section(page, 'problems'))).toMatch(/and \d+ more problems, which the JSON report has\.$/);
  const scenarios = section(page, 'scenarios');
  expect(read(scenarios)).toContain('20 exchanges, left out to keep this page small');
  const rows = scenarios.split('<details class="scenario">');
  const problemyRow = rows.find((row) => row.includes('>z/0<'));
  expect(problemyRow).toContain('class="exchange"');
});
