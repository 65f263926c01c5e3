import { describe, expect, test } from 'vitest';
import { describeOpenEnd } from '../../src/conformance/resources/paging.js';
import type { RunResult } from '../../src/conformance/model/result.js';
import type { ReportOptions } from '../../src/report/report-format.js';
import {
  makeCoverage,
  makeDeviating,
  makeFinding,
  makeProblems,
  makeResult,
  makeScenario,
  write as writeAs,
} from './results.js';

const write = (result: RunResult, options?: Partial<ReportOptions>): string => writeAs('pretty', result, options);
const atLength = { verbose: true };
const quiet = { quiet: true };

/** Scenarios without a conclusion, for a reason each. */
const open = (...reasons: string[]) =>
  reasons.map((reason, index) => makeScenario(`o/${index}`, 'inconclusive', { reason }));

test('a problem is told in six lines at most: what is wrong, where it shows, expected and found, the rule, and how to see it again', () => {
  const text = write(makeResult([makeDeviating('pets/lists/sold', [makeFinding()])]));
  expect(text).toBe(`1 problem in Petstore 1.0.0 at http://127.0.0.1:4010/v1

✗ The filter by \`status\` of listPets returns records that do not match
    where      listPets: 1 response, such as GET /pets?status=sold&limit=100 → 200
    expected   "sold", found "pending"
    contract   spec/petstore.openapi.yaml:57  #/paths/~1pets/get/parameters/1
    again      petstore-conformance --target 'http://127.0.0.1:4010/v1' --again 'pets/lists/sold'
               curl -H "Authorization: Bearer $PETSTORE_API_KEY" 'http://127.0.0.1:4010/v1/pets?status=sold&limit=100'

1 problem · 1 of 1 scenario deviates · 0 passed · 0 observed · 0 inconclusive · 3 pets created · contract coverage 100 % · 12 requests in 1.2 s
`);
});

test('what a problem kept from being judged takes one line more, in every other format too', () => {
  const result = makeResult([{ ...makeDeviating('pets/lists/sold', [makeFinding()]), blockedAt: 'list' }]);
  const sentence = 'because of this, "what pets/lists/sold says" could not be completed';
  expect(write(result)).toContain(`    hides      ${sentence}\n`);
  expect(write(result, atLength)).toContain(sentence);
  for (const format of ['json', 'html', 'markdown'])
    expect(writeAs(format, result).replaceAll(/&#34;|\\"/g, '"')).toContain(sentence);
});

test('quiet tells problems and the summary alone, and of a run that found nothing one line', () => {
  const scenarios = [makeDeviating('a/a', [makeFinding()]), ...open('x')];
  const text = write(makeResult(scenarios, { notes: ['a note'] }), quiet);
  expect(text).toContain('✗ The filter by `status`');
  expect(text).not.toMatch(/o\/0|a note/);
  expect(write(makeResult([makeScenario('a/a', 'passed')]), quiet)).toMatch(
    /^no problem in 1 scenario · 1 passed .*\n$/,
  );
});

test('the lines of the contract that state the rule take one line, and no problem more than six', () => {
  const long = { expected: 'x'.repeat(400), actual: 'y'.repeat(400) };
  for (const finding of [makeFinding(), makeFinding(long)]) {
    const result = makeResult([makeDeviating('pets/lists/sold', [finding])]);
    const [problem] = result.problems;
    if (problem?.contract !== undefined) problem.contract.excerpt = '- name: status\n  in: query\n  schema:';
    const [head, ...rows] = write(result).split('\n\n')[1]?.split('\n') ?? [];
    expect(head).toMatch(/^✗ /);
    expect(rows).toContain('    contract   spec/petstore.openapi.yaml:57  - name: status · in: query · schema:');
    expect(rows.length).toBeLessThanOrEqual(5);
  }
});

test('at length, with what was sent and the request to copy', () => {
  const text = write(makeResult([makeDeviating('pets/lists/sold', [makeFinding()])]), atLength);
  expect(text).toContain(`
    scenario   pets/lists/sold  what pets/lists/sold says
    sent       GET /pets?status=sold&limit=100 → 200, []
    expected   "sold"
    actual     "pending" at body/0/status
    contract   spec/petstore.openapi.yaml:57  #/paths/~1pets/get/parameters/1
    again      petstore-conformance --target 'http://127.0.0.1:4010/v1' --again 'pets/lists/sold'
               curl -H "Authorization: Bearer $PETSTORE_API_KEY" 'http://127.0.0.1:4010/v1/pets?status=sold&limit=100'
`);
});

test('expected and found differ on the page however far from their beginning they do, also in a line of a long report', () => {
  const name = `${'x'.repeat(90)} end`;
  const long = { expected: `"${name}"`, actual: `"${'x'.repeat(90)}"` };
  const cut = makeFinding({ check: 'record', rule: 'name', at: 'body/name', ...long });
  const others = ['a', 'b', 'c', 'd'].map((rule) => makeDeviating(rule, [makeFinding({ check: rule, rule })]));
  const text = write(makeResult([makeDeviating('create/name[long]', [cut]), ...others]));
  expect(text).toMatch(/expected …x+ end", found …x+"$/m);
});

describe('a report is as long as what it has to say', () => {
  const deviating = makeDeviating('list/case', [makeFinding({ expected: 'x'.repeat(400) })]);
  const rest = open(...[1, 2, 3, 4, 5].map((index) => `for want of a ${'pet'.repeat(index)}`));

  test.each([
    [0, 6],
    [4, 35],
    [5, 24],
    [10, 40],
    [300, 75],
  ])('%i problems take at most %i lines', (problems, most) => {
    const notes = ['a note', 'another', 'a third', 'a fourth', 'a fifth'];
    const result = makeResult(problems === 0 ? rest : [deviating, ...rest], { notes });
    result.problems = Array.from({ length: problems }, () => result.problems[0]).filter((each) => each !== undefined);
    result.summary.problems = problems;
    const lines = write(result).trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(most);
    const first = lines[0]?.replace('nothing was concluded of', '0 problems in');
    expect(first).toMatch(new RegExp(`^${problems} problems? `));
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(300);
  });
});

test('the command that shows a problem again is the one that was given', () => {
  const command = 'npx petstore-conformance --target staging --config ci.yaml';
  const text = write(makeResult([makeDeviating('a/a', [makeFinding()])], { command }));
  expect(text).toContain(`again      ${command} --again 'a/a'`);
});

test('of many problems, the last are named with an id that a shell takes as it is', () => {
  const text = write(makeResult(makeProblems(12, (index) => `a/a[${index}]`)));
  expect(text.match(/^✗ .* {2}--again 'a\/a\[\d+\]'$/gm)).toHaveLength(2);
});

describe('the same problem is told once', () => {
  test('in forty items of a list, with a count', () => {
    const findings = Array.from({ length: 40 }, (_, index) => makeFinding({ at: `body/${index}/status` }));
    const text = write(makeResult([makeDeviating('pets/lists/sold', findings)]), atLength);
    expect(text.match(/✗/g)).toHaveLength(1);
    expect(text).toContain('"pending" at body/0/status and 39 more');
  });

  test('in twelve scenarios, with the first of them', () => {
    const ids = Array.from({ length: 12 }, (_, index) => `list/case-${index}`);
    const text = write(makeResult(ids.map((id) => makeDeviating(id, [makeFinding()]))), atLength);
    expect(text.match(/✗/g)).toHaveLength(1);
    expect(text).toContain('scenario   list/case-0 ');
    expect(text).toContain('where      listPets: 12 responses in 12 scenarios');
    expect(text).toContain('also in    list/case-1, list/case-2, list/case-3 and 8 more');
  });

  test.each([
    ['but two problems are two', 2, makeDeviating('a/a', [makeFinding(), makeFinding({ rule: 'limit', at: 'body' })])],
    ['in two operations that break the same rule', 1, makeDeviating('a/b', [makeFinding()], { operationId: 'getPet' })],
    ['and information is no problem', 1, makeDeviating('a/b', [makeFinding({ severity: 'information' })])],
  ])('%s', (_, problems, other) => {
    const text = write(makeResult([makeDeviating('a/a', [makeFinding()]), other]));
    expect(text.match(/✗/g)).toHaveLength(problems);
  });
});

test('an exchange without an answer says why', () => {
  const { response: _, ...unanswered } = makeDeviating('list/a', [makeFinding()]).steps[0]?.exchanges[0] ?? {};
  const exchanges = [{ ...unanswered, failure: 'no complete response within 400 ms' } as never];
  const scenario = makeScenario('list/a', 'deviated', { steps: [{ id: 'list', exchanges }] });
  expect(write(makeResult([scenario]))).toContain('→ no complete response within 400 ms');
});

test('what lacks the same is told together, with what would conclude it', () => {
  const reason = 'needs a pet in the collection';
  const result = makeResult(open(reason, reason));
  expect(write(result, atLength)).toContain(`? o/0, o/1\n    ${reason}`);
  expect(write(result)).toContain(`? 2 inconclusive: ${reason}\n`);
});

test('what helps, at the end of a reason, is not cut off', () => {
  // The longest that a run says.
  const end = describeOpenEnd(100, undefined, { status: 200, headers: {}, body: [] });
  const reason = `needs ${end}, so the record may be further back`;
  expect(write(makeResult(open(reason)))).toContain(`? 1 inconclusive: ${reason}\n`);
});

test('a run that concluded less than half does not read as one that found nothing, and tells what lacked first', () => {
  const reason = 'raise --max-creates';
  const scenarios = open(reason, `it depends on o/0: ${reason}`);
  const text = write(makeResult([makeScenario('a/b', 'passed'), ...scenarios]));
  expect(text).toMatch(/^no problem, but no conclusion in 2 of 3 scenarios of /);
  expect(text).toContain(`? 2 inconclusive: ${reason}\n`);
});

test('colours are there only when they are wanted', () => {
  const result = makeResult([makeDeviating('a/a', [makeFinding()])]);
  expect(write(result)).not.toContain('\u001B');
  expect(write(result, { color: true })).toContain('\u001B[31m✗');
});

test('an interrupted run says so', () =>
  expect(write(makeResult([], { interrupted: true }))).toMatch(/· interrupted · 0 passed/));

test('what no exchange exercised is named, with its line of the contract', () => {
  const result = makeResult([makeScenario('a/b', 'passed')], { coverage: makeCoverage(4) });
  const text = write(result, atLength);
  expect(text).toContain('not covered\n    listPets answers 401  spec/petstore.openapi.yaml:72\n');
  expect(write(result)).toContain('not covered: listPets answers 401\n');
  expect(text).toContain('contract coverage 75 %');
});

test('a value that was sent, though no response could be wrong, is not said to have been left out', () => {
  const coverage = makeCoverage(4, 'listPets is sent query/limit = 100');
  const missing = coverage.missing.map((each) => ({ ...each, kind: 'bound' as const, sent: true as const }));
  const text = write(makeResult([makeScenario('a/b', 'passed')], { coverage: { ...coverage, missing } }));
  expect(text).toContain('limit = 100 (sent, but no response could be checked for it)\n');
});
