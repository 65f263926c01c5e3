import { expect, test } from 'vitest';
import type { RunResult } from '../../src/conformance/model/result.js';
import { reportFormats } from '../../src/report/index.js';
import { makeDeviating, makeFinding, makeGap, makeResult, makeScenario } from './results.js';

function write(result: RunResult): string {
  return reportFormats['markdown']?.write(result, { color: true, quiet: false }) ?? '';
}

/** The text of a code element, as a reader sees it. */
function readCode(text: string): string {
  const bare = text.replace(/<\/?code>/g, '');
  return bare.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}

function readRows(text: string): string[][] {
  const lines = text.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) => line.slice(2, -2).split(' | ').map(readCode));
}

test('each problem is a row, told once, with the line of the contract', () => {
  const scenarios = ['a/a', 'a/b'].map((id) =>
    makeDeviating(id, [makeFinding(), makeFinding({ at: 'body/1/status' })]),
  );
  const text = write(makeResult(scenarios));
  expect(text).toMatch(/^### petstore-conformance: 1 problem\n/);
  expect(text).toContain('\n\n1 problem · 2 of 2 scenarios deviate · 0 passed · 0 observed');
  expect(readRows(text)).toEqual([
    [
      'The filter by `status` of listPets returns records that do not match',
      'GET /pets?status=sold&limit=100 → 200',
      '"sold"',
      '"pending" at body/0/status and 1 more',
      'spec/petstore.openapi.yaml:57',
    ],
  ]);
});

test('what shows a problem again is folded', () => {
  const text = write(makeResult([makeDeviating('pets/lists/sold', [makeFinding()])]));
  const [, folded = ''] = /<details>(.*?)<\/details>/s.exec(text) ?? [];
  expect(folded).toContain("again     petstore-conformance --target 'http://127.0.0.1:4010/v1'");
  expect(folded).toContain('curl -H "Authorization: Bearer $PETSTORE_API_KEY"');
  expect(folded).toContain('spec/petstore.openapi.yaml:57 /paths/~1pets/get/parameters/1');
});

test('what a target sends stays text in its cell', () => {
  const nasty = 'x | y `z` </code></pre></details><img src=x> @octocat #12 **b** $a$ https://evil.example\r\n\n# h';
  const scenario = makeDeviating('a/a', [makeFinding({ actual: nasty, expected: nasty })], {
    response: { status: 200, headers: {}, body: nasty },
  });
  const text = write(makeResult([scenario], { notes: [nasty] }));
  expect(readRows(text)[0]).toHaveLength(5);
  expect(readRows(text)[0]?.[2]).toBe(nasty.replace('\r', '\\u000d').replaceAll('\n', '\\u000a'));
  expect(text).not.toContain('<img');
  expect(text.match(/<\/details>/g)).toHaveLength(2);
  const outsidePre = text.replace(/<pre>.*?<\/pre>/gs, '');
  expect(outsidePre).not.toMatch(/@octocat|#12 |\*\*|https:|`/);
  expect(text.split('\n').filter((line) => line.startsWith('#'))).toHaveLength(1);
});

test('a thousand problems with long answers fit a comment, and it says how many are left out', () => {
  const long = '<&|'.repeat(400);
  const scenarios = Array.from({ length: 1000 }, (_, index) =>
    makeDeviating(`a/${index}`, [makeFinding({ check: 'own', rule: `r${index}`, expected: long, actual: long })], {
      response: { status: 200, headers: {}, body: long },
    }),
  );
  const open = scenarios.map(({ id }) => makeScenario(`${id}-open`, 'inconclusive', { reason: long }));
  const text = write(makeResult([...scenarios, ...open], { notes: Array.from({ length: 500 }, () => long) }));
  expect(text.length).toBeGreaterThan(30_000);
  expect(text.length).toBeLessThan(60_000);
  expect(text).toContain(`and ${1000 - readRows(text).length} more problems.`);
  expect(text.match(/<details>/g)?.length).toBe(text.match(/<\/details>/g)?.length);
});

test('what lacks the same is told in one line, in whatever step it was found', () => {
  const scenarios = ['get', 'list'].map((step) =>
    makeScenario(`pets/${step}`, 'inconclusive', { reason: `step ${step}: it needs a key` }),
  );
  expect(write(makeResult(scenarios))).toContain('- <code>2 scenarios, such as pets/get&#58; it needs a key</code>');
});

test('gaps, what is inconclusive and what was not covered are folded lists', () => {
  const pointer = '/paths/~1pets/get/responses/401';
  const contract = { file: 'spec/petstore.openapi.yaml', line: 72, pointer };
  const missing = [{ id: 'listPets answers 401', kind: 'status' as const, contract }];
  const scenarios = [makeScenario('o/b', 'inconclusive', { reason: 'more pets are needed' })];
  const text = readCode(
    write(makeResult(scenarios, { gaps: [makeGap()], coverage: { total: 4, covered: 3, missing } })),
  );
  expect(text).toContain('petstore-conformance: nothing was concluded of 1 scenario');
  expect(text).toContain('- Is HEAD answered? head: answered (HEAD /pets → 200)');
  expect(text).toContain('- o/b: more pets are needed');
  expect(text).toContain('- listPets answers 401 (spec/petstore.openapi.yaml:72)');
  expect(text).toContain('contract coverage 75 %');
});
