import { expect, test } from 'vitest';
import type { RunResult } from '../../src/conformance/model/result.js';
import { runConformance } from '../../src/conformance/product/run-conformance.js';
import { reportFormats } from '../../src/report/index.js';
import { startMutationServer } from '../mutation/server/start-server.js';
import { makeDeviating, makeFinding, makeResult, makeScenario } from './results.js';

interface SarifRun {
  tool: { driver: { rules: { id: string }[] } };
  invocations: { executionSuccessful: boolean }[];
  results: {
    message: { text: string };
    locations: { physicalLocation: { artifactLocation: { uri: string }; region: { startLine: number } } }[];
    partialFingerprints: Record<string, string>;
  }[];
}

function read(result: RunResult): SarifRun {
  const text = reportFormats['sarif']?.write(result, { color: true, quiet: false }) ?? '';
  const log = JSON.parse(text) as { version: string; $schema: string; runs: SarifRun[] };
  expect(log.version).toBe('2.1.0');
  expect(log.$schema).toMatch(/^https:.*sarif-2\.1\.0\.json$/);
  expect(Object.keys(log).toSorted()).toEqual(['$schema', 'runs', 'version']);
  expect(log.runs).toHaveLength(1);
  const [run] = log.runs;
  if (run === undefined) throw new Error('there is no run');
  return run;
}

test('a problem is known again in another run, whatever is stored by then', () => {
  const first = read(makeResult([makeDeviating('a/a', [makeFinding()])])).results[0];
  const finding = makeFinding({ at: 'body/7/status', actual: '"available"' });
  const second = read(makeResult([makeDeviating('a/b', [finding])], { target: 'https://other.example/v1' })).results[0];
  const other = read(makeResult([makeDeviating('a/a', [makeFinding({ rule: 'limit', at: 'body' })])])).results[0];
  expect(second?.partialFingerprints).toEqual(first?.partialFingerprints);
  expect(other?.partialFingerprints).not.toEqual(first?.partialFingerprints);
});

test('two wrong statuses of one operation are two results', () => {
  const wrong = (expected: string, actual: string) =>
    makeFinding({ check: 'status', rule: 'status', at: 'status', expected, actual });
  const scenarios = [makeDeviating('a/a', [wrong('200', '418')]), makeDeviating('a/b', [wrong('404', '409')])];
  expect(read(makeResult(scenarios)).results).toHaveLength(2);
});

test('a contract by an absolute path or with a space in its name has a URI', () => {
  const at = (file: string) => {
    const finding = makeFinding({ contract: { file, pointer: '/paths' } });
    return read(makeResult([makeDeviating('a/a', [finding])])).results[0]?.locations[0]?.physicalLocation;
  };
  expect(at('/srv/my api.yaml')?.artifactLocation.uri).toBe('file:///srv/my%20api.yaml');
  expect(at('spec/my api#2.yaml')).toEqual({
    artifactLocation: { uri: 'spec/my%20api%232.yaml' },
    region: { startLine: 1 },
  });
});

test('what a target sends makes no link', () => {
  const finding = makeFinding({ actual: '[click](https://evil.example)\n\u001B[2J' });
  const { message } = read(makeResult([makeDeviating('a/a', [finding])])).results[0] ?? {};
  expect(message?.text).toContain(String.raw`[click\](https://evil.example)\u000a\u001b[2J`);
});

test('a run without problems has no results, and one that lost its target did not succeed', () => {
  const whole = read(makeResult([makeScenario('a/a', 'passed')]));
  expect(whole.results).toEqual([]);
  expect(whole.invocations[0]?.executionSuccessful).toBe(true);
  expect(read(makeResult([], { targetLost: true })).invocations[0]?.executionSuccessful).toBe(false);
});

test('two runs against a problemy service come to the same fingerprints', async () => {
  const server = await startMutationServer({ mutants: ['filter-ignored'] });
  const run = async (): Promise<string[]> => {
    const options = { target: server.url, apiKey: server.apiKey, settleMs: 0, only: ['pets/lists/filter-alone*'] };
    const { results } = read(await runConformance(options));
    return results.map(({ partialFingerprints }) => partialFingerprints['petstoreProblem/v2'] ?? '').toSorted();
  };
  try {
    const first = await run();
    expect(first.length).toBeGreaterThan(0);
    expect(await run()).toEqual(first);
  } finally {
    await server.close();
  }
});

test('a place in an installed package is named from node_modules on, since GitHub refuses a result without a place', () => {
  const name = 'node_modules/petstore-mock/spec/petstore.openapi.yaml';
  for (const file of [name, `/root/.npm/_npx/0123456789abcdef/${name}`, `../../${name}`]) {
    const finding = makeFinding({ contract: { file, line: 57, pointer: '/paths' } });
    const [problem] = read(makeResult([makeDeviating('a/a', [finding])])).results;
    expect(problem?.locations[0]?.physicalLocation).toEqual({
      artifactLocation: { uri: name },
      region: { startLine: 57 },
    });
    expect(problem?.message.text).toContain(`contract ${file}:57  #/paths`);
  }
});

test('files are named from the root of the repository, wherever in it the run was', () => {
  const uriOf = (file: string, folder?: string): string | undefined => {
    const scenario = makeDeviating('a/a', [makeFinding({ contract: { file, pointer: '/paths' } })]);
    const text = reportFormats['sarif']?.write(makeResult([scenario]), { color: false, quiet: false, folder }) ?? '';
    const { runs } = JSON.parse(text) as { runs: SarifRun[] };
    return runs[0]?.results[0]?.locations[0]?.physicalLocation.artifactLocation.uri;
  };
  expect(uriOf('api.yaml', 'services/pets')).toBe('services/pets/api.yaml');
  expect(uriOf('../../spec/api.yaml', 'services/pets')).toBe('spec/api.yaml');
  expect(uriOf('/srv/api.yaml', 'services/pets')).toBe('file:///srv/api.yaml');
  expect(uriOf('https://example.org/api.yaml', 'services/pets')).toBe('https://example.org/api.yaml');
});

test('two problems of one rule at one line are two alerts for GitHub, the same in each run', () => {
  const wrong = (actual: string) => makeFinding({ check: 'status', rule: 'status', at: 'status', actual });
  const prints = (id: string): (string | undefined)[] =>
    read(
      makeResult([makeDeviating(id, [wrong('500')]), makeDeviating(`${id}a`, [{ ...wrong('404'), expected: '200' }])]),
    ).results.map(({ partialFingerprints }) => partialFingerprints['primaryLocationLineHash']);
  expect(new Set(prints('a/a')).size).toBe(2);
  expect(prints('b/b')).toEqual(prints('a/a'));
});
