import { describe, expect, test } from 'vitest';
import { reportFormats } from '../../src/report/index.js';
import { describeOpenEnd } from '../../src/conformance/checks/pages.js';
import type { RunResult } from '../../src/conformance/model/result.js';
import type { ReportOptions } from '../../src/report/report.js';
import { makeDeviating, makeFinding, makeResult, makeScenario } from './results.js';

const write = (result: RunResult, options: ReportOptions = { color: false, quiet: false }): string =>
  reportFormats['pretty']?.write(result, options) ?? '';

const atLength = { color: false, quiet: false, verbose: true };

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
  for (const format of ['json', 'html', 'markdown']) {
    const text = reportFormats[format]?.write(result, { color: false, quiet: false }) ?? '';
    expect(text.replaceAll(/&#34;|\\"/g, '"')).toContain(sentence);
  }
});

test('a quiet run that found nothing is one line', () => {
  const text = write(makeResult([makeScenario('list/complete', 'passed')]), { color: false, quiet: true });
  expect(text).toMatch(/^no problem in 1 scenario · 1 passed .*\n$/);
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
  const cut = makeFinding({
    check: 'record',
    rule: 'name',
    at: 'body/name',
    expected: `"${name}"`,
    actual: `"${'x'.repeat(90)}"`,
  });
  const others = ['a', 'b', 'c', 'd'].map((rule) => makeDeviating(rule, [makeFinding({ check: rule, rule })]));
  const text = write(makeResult([makeDeviating('create/name[long]', [cut]), ...others]));
  expect(text).toMatch(/expected …x+ end", found …x+"$/m);
});

describe('a report is as long as what it has to say', () => {
  const deviating = makeDeviating('list/case', [makeFinding({ expected: 'x'.repeat(400) })]);
  const rest = [1, 2, 3, 4, 5].map((index) =>
    makeScenario(`a/b-${index}`, 'inconclusive', { reason: `for want of a ${'pet'.repeat(index)}` }),
  );

  test.each([
    [0, 6],
    [1, 14],
    [4, 35],
    [5, 24],
    [10, 40],
    [20, 50],
    [300, 75],
  ])('%i problems take at most %i lines', (problems, most) => {
    const notes = ['a note', 'another', 'a third', 'a fourth', 'a fifth'];
    const result = makeResult(problems === 0 ? rest : [deviating, ...rest], { notes });
    result.problems = Array.from({ length: problems }, () => result.problems[0]).filter((each) => each !== undefined);
    result.summary.problems = problems;
    const lines = write(result).trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(most);
    const count = problems === 0 ? /^no problem in 5 scenarios/ : new RegExp(`^${problems} problems? `);
    expect(problems === 0 ? lines[0]?.replace('nothing was concluded of', 'no problem in') : lines[0]).toMatch(count);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(300);
  });
});

test('the command that shows a problem again is the one that was given', () => {
  const command = 'npx petstore-conformance --target staging --config ci.yaml';
  const text = write(makeResult([makeDeviating('a/a', [makeFinding()])], { command }));
  expect(text).toContain(`again      ${command} --again 'a/a'`);
});

test('of many problems, the last are named with an id that a shell takes as it is', () => {
  const scenarios = Array.from({ length: 12 }, (_, index) =>
    makeDeviating(`a/a[${index}]`, [makeFinding({ check: 'own', rule: `r${index}` })]),
  );
  expect(write(makeResult(scenarios)).match(/^✗ .* {2}--again 'a\/a\[\d+\]'$/gm)).toHaveLength(2);
});

test('gaps are a line, and shown when they are asked for', () => {
  const gap = {
    id: 'head',
    kind: 'choice',
    question: 'What is HEAD?',
    contract: { file: 'spec/petstore.openapi.yaml', line: 9, pointer: '' },
    answer: 'answered',
    meaning: 'm',
    evidence: 'HEAD /pets → 200',
  } as const;
  const result = makeResult([makeScenario('a/a', 'passed')], { gaps: [gap] });
  expect(write(result)).toContain('where the contract is silent: 1 of 1 gaps observed (--gaps shows them)');
  expect(write(result)).not.toContain('What is HEAD?');
  expect(write(result, { color: false, quiet: false, gaps: true })).toContain('head: answered  HEAD /pets → 200');
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

  test('but two problems are two', () => {
    const text = write(
      makeResult([makeDeviating('list/a', [makeFinding(), makeFinding({ rule: 'limit', at: 'body' })])]),
    );
    expect(text.match(/✗/g)).toHaveLength(2);
  });

  test('in two operations that break the same rule', () => {
    const text = write(
      makeResult([
        makeDeviating('a/a', [makeFinding()]),
        makeDeviating('a/b', [makeFinding()], { operationId: 'getPet' }),
      ]),
    );
    expect(text.match(/✗/g)).toHaveLength(1);
  });

  test('and information is no problem', () =>
    expect(write(makeResult([makeDeviating('a/a', [makeFinding({ severity: 'information' })])]))).not.toContain('✗'));
});

test('an exchange without an answer says why', () => {
  const { response: _, ...unanswered } = makeDeviating('list/a', [makeFinding()]).steps[0]?.exchanges[0] ?? {};
  const scenario = makeScenario('list/a', 'deviated', {
    steps: [{ id: 'list', exchanges: [{ ...unanswered, failure: 'no complete response within 400 ms' } as never] }],
  });
  expect(write(makeResult([scenario]))).toContain('→ no complete response within 400 ms');
});

test('what lacks the same is told together, with what would conclude it', () => {
  const reason = 'needs a pet in the collection';
  const text = write(makeResult(['a/a', 'a/b'].map((id) => makeScenario(id, 'inconclusive', { reason }))), atLength);
  expect(text).toContain(`? a/a, a/b\n    ${reason}`);
  const brief = write(makeResult(['a/a', 'a/b'].map((id) => makeScenario(id, 'inconclusive', { reason }))));
  expect(brief).toContain(`? 2 inconclusive: ${reason}\n`);
});

test('what helps, at the end of a reason, is not cut off', () => {
  // The longest that a run says.
  const open = describeOpenEnd(100, undefined, { status: 200, headers: {}, body: [] });
  const reason = `needs ${open}, so the record may be further back`;
  const brief = write(makeResult([makeScenario('a/a', 'inconclusive', { reason })]));
  expect(brief).toContain(`? 1 inconclusive: ${reason}\n`);
});

test('a run that concluded less than half does not read as one that found nothing, and tells what lacked first', () => {
  const reason = 'raise --max-creates';
  const open = [reason, `it depends on a/a: ${reason}`].map((each, index) =>
    makeScenario(`a/${index}`, 'inconclusive', { reason: each }),
  );
  const text = write(makeResult([makeScenario('a/b', 'passed'), ...open]));
  expect(text).toMatch(/^no problem, but no conclusion in 2 of 3 scenarios of /);
  expect(text).toContain(`? 2 inconclusive: ${reason}\n`);
});

test('quiet tells problems and the summary alone', () => {
  const result = makeResult(
    [makeDeviating('a/a', [makeFinding()]), makeScenario('a/b', 'inconclusive', { reason: 'x' })],
    { notes: ['a note'] },
  );
  const text = write(result, { color: false, quiet: true });
  expect(text).toContain('✗ The filter by `status`');
  expect(text).not.toMatch(/a\/b|a note/);
});

test('colours are there only when they are wanted', () => {
  const result = makeResult([makeDeviating('a/a', [makeFinding()])]);
  expect(write(result)).not.toContain('\u001B');
  expect(write(result, { color: true, quiet: false })).toContain('\u001B[31m✗');
});

test('an interrupted run says so', () =>
  expect(write(makeResult([], { interrupted: true }))).toMatch(/· interrupted · 0 passed/));

test('what no exchange exercised is named, with its line of the contract', () => {
  const contract = { file: 'spec/petstore.openapi.yaml', line: 72, pointer: '/paths/~1pets/get/responses/401' };
  const missing = [{ id: 'listPets answers 401', kind: 'status' as const, contract }];
  const result = makeResult([makeScenario('a/b', 'passed')], { coverage: { total: 4, covered: 3, missing } });
  const text = write(result, atLength);
  expect(text).toContain('not covered\n    listPets answers 401  spec/petstore.openapi.yaml:72\n');
  expect(write(result)).toContain('not covered: listPets answers 401\n');
  expect(text).toContain('contract coverage 75 %');
});

test('a value that was sent, though no response could be wrong, is not said to have been left out', () => {
  const contract = { file: 'spec/petstore.openapi.yaml', line: 60, pointer: '/components/parameters/Limit' };
  const missing = [{ id: 'listPets is sent query/limit = 100', kind: 'bound' as const, contract, sent: true as const }];
  const result = makeResult([makeScenario('a/b', 'passed')], { coverage: { total: 4, covered: 3, missing } });
  expect(write(result)).toContain('limit = 100 (sent, but no response could be checked for it)\n');
});
