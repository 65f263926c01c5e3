import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { AUTH_FORMS } from '../../src/conformance/model/scenario.js';
import type { RunResult } from '../../src/conformance/model/result.js';
import { runConformance } from '../../src/conformance/product/run-conformance.js';
import { packageFile } from '../../src/package-files.js';
import { reportFormats } from '../../src/report/index.js';
import type { MutantId } from '../mutation/mutants/index.js';
import { startMutationServer } from '../mutation/server/start-server.js';
import { makeExchange, makeFinding, makeDeviating, makeResult, makeScenario } from './results.js';

const schema = JSON.parse(readFileSync(packageFile('spec/conformance-result.schema.json'), 'utf8')) as object;
const ajv = new Ajv2020({ allErrors: true, strictRequired: false });
ajvFormats.default(ajv);
const validate = ajv.compile(schema);

function read(result: RunResult): unknown {
  return JSON.parse(reportFormats['json']?.write(result, { color: true, quiet: true }) ?? '');
}

function expectToFit(result: RunResult): void {
  validate(read(result));
  expect(validate.errors).toBeNull();
}

/** The schema with every object closed: a field that the schema does not name is found too. */
function close(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(close);
  if (typeof part !== 'object' || part === null) return part;
  const closed = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, close(value)]));
  const isOpen = 'type' in part && part.type === 'object' && !('additionalProperties' in part);
  return isOpen ? { ...closed, unevaluatedProperties: false } : closed;
}

const closed = new Ajv2020({ allErrors: true, strict: false });
ajvFormats.default(closed);
const validateClosed = closed.compile(close(schema) as object);

test.each([[], ['filter-ignored', 'get-text-id-500'], ['body-without-last-chunk']] as MutantId[][])(
  'the result of a run fits its schema: %s',
  async (...mutants) => {
    const server = await startMutationServer({ mutants: mutants.filter((mutant) => mutant !== undefined) });
    try {
      const result = await runConformance({ target: server.url, apiKey: server.apiKey, settleMs: 0 });
      expectToFit(result);
      validateClosed(read(result));
      expect(validateClosed.errors ?? []).toEqual([]);
    } finally {
      await server.close();
    }
  },
);

test('what is no result does not fit', () => {
  const sound = makeResult([makeDeviating('a/a', [makeFinding()])]);
  expectToFit(sound);
  for (const broken of [
    { ...sound, version: 1 },
    { ...sound, target: undefined },
    makeResult([makeScenario('no-slash', 'passed')]),
    makeResult([makeScenario('a/a', 'inconclusive')]),
    makeResult([makeScenario('a/a', 'observed')]),
    makeResult([makeScenario('a/a', 'failed' as never)]),
  ]) {
    expect(validate(read(broken as RunResult))).toBe(false);
  }
});

test('a result with known deviations fits', () => {
  const place = { file: 'known.yaml', line: 7, column: 9 };
  const line = { check: 'status', rule: 'expected', at: 'status', expected: '200', actual: '404', reason: 'r', place };
  const lines = [{ ...line, scenario: 'a/a', operation: 'listPets', expires: 'never' }];
  const finding = makeFinding({ baseline: { state: 'known', reason: 'r', expires: '2030-12-31', place } });
  const baseline = { file: 'known.yaml', known: lines, expired: lines, fixed: [], unseen: [] };
  validate(read(makeResult([{ ...makeDeviating('a/a', [finding]), verdict: 'known' }], { baseline })));
  expect(validate.errors).toBeNull();
});

test('the schema knows every way to present a key', () => {
  const text = JSON.stringify(schema);
  for (const form of Object.keys(AUTH_FORMS)) expect(text).toContain(`"${form}"`);
});

test('the report is the result, and ends in a line break', () => {
  const result = makeResult([makeScenario('a/a', 'passed')]);
  expect(read(result)).toEqual(result);
  expect(reportFormats['json']?.write(result, { color: false, quiet: false })).toMatch(/\}\n$/);
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
