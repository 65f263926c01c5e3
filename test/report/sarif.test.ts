import { expect, test } from 'vitest';
import type { RunResult } from '../../src/conformance/model/result.js';
import { runConformance } from '../../src/conformance/product/run-conformance.js';
import { reportFormats } from '../../src/report/index.js';
import { startMutationServer } from '../mutation/server/start-server.js';
import { makeDeviating, makeFinding, makeResult, makeScenario } from './results.js';

interface SarifResult {
  ruleId: string;
  ruleIndex: number;
  level: string;
  message: { text: string };
  locations: {
    physicalLocation: { artifactLocation: { uri: string }; region: { startLine: number } };
    logicalLocations?: { fullyQualifiedName: string }[];
  }[];
  partialFingerprints: Record<string, string>;
}

interface SarifRun {
  properties: { contractCoverage: object };
  tool: {
    driver: { name: string; rules: { id: string; shortDescription: { text: string }; help: { text: string } }[] };
  };
  invocations: { executionSuccessful: boolean; startTimeUtc: string; endTimeUtc: string }[];
  results: SarifResult[];
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
  checkStructure(run);
  return run;
}

/** What SARIF 2.1.0 asks of these properties: sections 3.14, 3.20, 3.27, 3.28, 3.30 and 3.49. */
function checkStructure({ tool, invocations, results }: SarifRun): void {
  const ids = tool.driver.rules.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { startTimeUtc, endTimeUtc } of invocations) {
    expect(startTimeUtc).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
    expect(endTimeUtc >= startTimeUtc).toBe(true);
  }
  for (const result of results) {
    expect(ids[result.ruleIndex]).toBe(result.ruleId);
    expect(['none', 'note', 'warning', 'error']).toContain(result.level);
    expect(result.message.text).not.toBe('');
    expect(result.locations).toHaveLength(1);
    for (const { physicalLocation } of result.locations) {
      expect(URL.canParse(physicalLocation.artifactLocation.uri, 'file:///')).toBe(true);
      expect(physicalLocation.artifactLocation.uri).not.toMatch(/[\s\\]/);
      expect(physicalLocation.region.startLine).toBeGreaterThanOrEqual(1);
    }
    for (const value of Object.values(result.partialFingerprints)) expect(value).toMatch(/^[0-9a-f]{16}$/);
  }
  const prints = results.map(({ partialFingerprints }) => JSON.stringify(partialFingerprints));
  expect(new Set(prints).size).toBe(prints.length);
}

test('each problem is a result at its line of the contract, and its check is a rule', () => {
  const scenarios = ['a/a', 'a/b'].map((id) =>
    makeDeviating(id, [makeFinding(), makeFinding({ check: 'record', rule: 'name', at: 'body/name' })]),
  );
  const { tool, results } = read(makeResult(scenarios));
  expect(tool.driver.rules.map(({ id }) => id)).toEqual(['records', 'record']);
  expect(results).toHaveLength(2);
  expect(results[0]?.locations).toEqual([
    {
      physicalLocation: { artifactLocation: { uri: 'spec/petstore.openapi.yaml' }, region: { startLine: 57 } },
      logicalLocations: [{ fullyQualifiedName: '#/paths/~1pets/get/parameters/1' }],
    },
  ]);
  expect(results[0]?.message.text).toContain('expected "sold"\nactual "pending" at body/0/status');
});

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

test('the run says how much of the contract it exercised, and what it never did', () => {
  const place = { file: 'spec/petstore.openapi.yaml', line: 72, pointer: '/paths/~1pets/get/responses/401' };
  const missing = [{ id: 'listPets answers 401', kind: 'status' as const, contract: place }];
  const { properties } = read(makeResult([], { coverage: { total: 3, covered: 2, missing } }));
  expect(properties.contractCoverage).toEqual({
    total: 3,
    covered: 2,
    percent: 66,
    neverExercised: [{ id: 'listPets answers 401', kind: 'status', ...place }],
  });
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

test('a message begins with what is wrong, and then has the scenario that shows it', () => {
  const { message } = read(makeResult([makeDeviating('a/a', [makeFinding()])])).results[0] ?? {};
  const [first, second] = message?.text.split('\n') ?? [];
  expect([first, second]).toEqual([
    'The filter by `status` of listPets returns records that do not match',
    'a/a: what a/a says',
  ]);
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

test('a message has what the contract states, and a command that shows the problem', () => {
  const result = makeResult([makeDeviating('a/a', [makeFinding()])]);
  const [problem] = result.problems;
  if (problem?.contract !== undefined) problem.contract.excerpt = '- name: status\n  in: query';
  expect(read(result).results[0]?.message.text.split('\n').slice(5)).toEqual([
    'contract spec/petstore.openapi.yaml:57  #/paths/~1pets/get/parameters/1',
    '  - name: status',
    '    in: query',
    "again petstore-conformance --target 'http://127.0.0.1:4010/v1' --again 'a/a'",
    `curl -H "Authorization: Bearer $PETSTORE_API_KEY" 'http://127.0.0.1:4010/v1/pets?status=sold&limit=100'`,
  ]);
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

test('each rule says in a sentence what it asks, and how to read its results', () => {
  const findings = ['status', 'own'].map((check) => makeFinding({ check, rule: check, at: 'status' }));
  const { rules } = read(makeResult([makeDeviating('a/a', findings)])).tool.driver;
  expect(rules.map(({ shortDescription }) => shortDescription.text).toSorted()).toEqual([
    'The check own of a scenario.',
    'The status is the one that the contract gives for the request.',
  ]);
  for (const { help } of rules) expect(help.text).toMatch(/^The .*\.\n\nThe message of a result says /);
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
