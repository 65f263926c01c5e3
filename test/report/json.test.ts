import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { AUTH_FORMS } from '../../src/conformance/model/scenario.js';
import type { RunResult } from '../../src/conformance/model/result.js';
import { packageFile } from '../../src/package-files.js';
import { judgeClosedResult, judgeResult } from '../support/judges/judge-json.js';
import { runGolden } from './golden-run.js';
import { makeExchange, makeFinding, makeDeviating, makeResult, makeScenario, write as writeAs } from './results.js';

const write = (result: RunResult): string => writeAs('json', result, { color: true, quiet: true });
const read = (result: RunResult): unknown => JSON.parse(write(result));

// Whole runs are tried by json.slow.test.ts.
test('the result of a run fits its schema, and has no field that the schema does not name', async () => {
  expect(judgeClosedResult(write(await runGolden()))).toEqual([]);
});

test('what is no result does not fit', () => {
  const sound = makeResult([makeDeviating('a/a', [makeFinding()])]);
  expect(judgeResult(write(sound))).toEqual([]);
  for (const broken of [
    { ...sound, version: 1 },
    { ...sound, target: undefined },
    makeResult([makeScenario('no-slash', 'passed')]),
    makeResult([makeScenario('a/a', 'inconclusive')]),
    makeResult([makeScenario('a/a', 'observed')]),
    makeResult([makeScenario('a/a', 'failed' as never)]),
  ]) {
    expect(judgeResult(write(broken as RunResult))).not.toEqual([]);
  }
});

test('a result with known deviations fits', () => {
  const place = { file: 'known.yaml', line: 7, column: 9 };
  const line = { check: 'status', rule: 'expected', at: 'status', expected: '200', actual: '404', reason: 'r', place };
  const lines = [{ ...line, scenario: 'a/a', operation: 'listPets', expires: 'never' }];
  const finding = makeFinding({ baseline: { state: 'known', reason: 'r', expires: '2030-12-31', place } });
  const baseline = { file: 'known.yaml', known: lines, expired: lines, fixed: [], unseen: [] };
  const result = makeResult([{ ...makeDeviating('a/a', [finding]), verdict: 'known' }], { baseline });
  expect(judgeResult(write(result))).toEqual([]);
});

test('the schema knows every way to present a key', () => {
  const text = readFileSync(packageFile('spec/conformance-result.schema.json'), 'utf8');
  for (const form of Object.keys(AUTH_FORMS)) expect(text).toContain(`"${form}"`);
});

test('evidence stands once: findings that are alike are joined, and only the first says where its rule is', () => {
  const findings = [0, 1, 2].map((index) => makeFinding({ at: `body/${index}/status` }));
  const scenarios = ['a/a', 'a/b', 'a/c'].map((id) => makeDeviating(id, findings));
  const { scenarios: written } = read(makeResult(scenarios)) as RunResult;
  const [shown, first, second] = written.map(({ steps }) => steps[0]?.exchanges[0]?.findings ?? []);
  expect(shown).toHaveLength(3);
  expect(first).toMatchObject([{ at: 'body/0/status', more: 2, contract: { line: 57 } }]);
  expect(second).toMatchObject([{ at: 'body/0/status', more: 2 }]);
  for (const name of ['contract', 'expected', 'actual']) expect(second?.[0]).not.toHaveProperty(name);
});

test('what differs from the first finding of its kind is said', () => {
  const findings = ['"pending"', '"pending"', '"lost"'].map((actual) => [makeFinding({ actual })]);
  const scenarios = findings.map((each, index) => makeDeviating(`a/${index}`, each));
  const { scenarios: written } = read(makeResult([makeDeviating('a/a', [makeFinding()]), ...scenarios])) as RunResult;
  const told = written.map(({ steps }) => steps[0]?.exchanges[0]?.findings[0]?.actual);
  expect(told.slice(-2)).toEqual([undefined, '"lost"']);
});

test('an exchange in which nothing deviates is what was sent and the status of the answer', () => {
  const exchange = makeExchange({ findings: [] });
  const steps = [{ id: 'list', exchanges: [exchange] }];
  const { scenarios } = read(makeResult([makeScenario('a/a', 'passed', { steps })])) as RunResult;
  const { method, path } = exchange.request;
  const sound = { operationId: exchange.operationId, request: { method, path }, response: { status: 200 } };
  expect(scenarios[0]?.steps[0]?.exchanges).toEqual([sound]);
});
