import { expect, test } from 'vitest';
import type { RunResult } from '../../src/conformance/model/result.js';
import { reportFormats } from '../../src/report/index.js';
import { makeDeviating, makeFinding, makeGap, makeResult, makeScenario } from './results.js';

const write = (result: RunResult): string =>
  reportFormats['markdown']?.write(result, { color: true, quiet: false }) ?? '';

/** The text of a code element, as a reader sees it. */
const readCode = (text: string): string =>
  text.replace(/<\/?code>/g, '').replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));

function readRows(text: string): string[][] {
  const lines = text.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) => line.slice(2, -2).split(' | ').map(readCode));
}

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
  const contract = { file: 'spec/petstore.openapi.yaml', line: 72, pointer: '/paths/~1pets/get/responses/401' };
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
