import { expect, test } from 'vitest';
import type { Finding, RunResult } from '../../src/conformance/model/result.js';
import { makeDeviating, makeFinding, makeResult, makeScenario, write } from './results.js';

interface SarifRun {
  invocations: { executionSuccessful: boolean }[];
  results: {
    message: { text: string };
    locations: { physicalLocation: { artifactLocation: { uri: string }; region: { startLine: number } } }[];
    partialFingerprints: Record<string, string>;
  }[];
}

function read(result: RunResult, folder?: string): SarifRun {
  const log = JSON.parse(write('sarif', result, { folder })) as { version: string; $schema: string; runs: SarifRun[] };
  expect(log).toEqual({
    version: '2.1.0',
    $schema: expect.stringMatching(/^https:.*sarif-2\.1\.0\.json$/),
    runs: [expect.anything()],
  });
  return log.runs[0] as SarifRun;
}

/** What a finding of one scenario, or of several, comes to. */
function readOne(finding: Partial<Finding>, id = 'a/a', folder?: string) {
  const [first] = read(makeResult([makeDeviating(id, [makeFinding(finding)])]), folder).results;
  const { artifactLocation, region } = first?.locations[0]?.physicalLocation ?? {};
  return {
    text: first?.message.text,
    prints: first?.partialFingerprints,
    uri: artifactLocation?.uri,
    line: region?.startLine,
  };
}

test('a problem is known again in another run, whatever is stored by then', () => {
  const { prints } = readOne({});
  expect(readOne({ at: 'body/7/status', actual: '"available"' }, 'a/b').prints).toEqual(prints);
  expect(readOne({ rule: 'limit', at: 'body' }).prints).not.toEqual(prints);
});

test('two wrong statuses of one operation are two results', () => {
  const wrong = (expected: string, actual: string) =>
    makeFinding({ check: 'status', rule: 'status', at: 'status', expected, actual });
  const scenarios = [makeDeviating('a/a', [wrong('200', '418')]), makeDeviating('a/b', [wrong('404', '409')])];
  expect(read(makeResult(scenarios)).results).toHaveLength(2);
});

test('what a target sends makes no link', () => {
  const { text } = readOne({ actual: '[click](https://evil.example)\n\u001B[2J' });
  expect(text).toContain(String.raw`[click\](https://evil.example)\u000a\u001b[2J`);
});

test('a run without problems has no results, and one that lost its target did not succeed', () => {
  const whole = read(makeResult([makeScenario('a/a', 'passed')]));
  expect(whole).toMatchObject({ results: [], invocations: [{ executionSuccessful: true }] });
  expect(read(makeResult([], { targetLost: true })).invocations[0]?.executionSuccessful).toBe(false);
});

test('a place in an installed package is named from node_modules on, since GitHub refuses a result without a place', () => {
  const uri = 'node_modules/petstore-mock/spec/petstore.openapi.yaml';
  for (const file of [uri, `/root/.npm/_npx/0123456789abcdef/${uri}`, `../../${uri}`]) {
    const read57 = readOne({ contract: { file, line: 57, pointer: '/paths' } });
    expect(read57).toMatchObject({ uri, line: 57, text: expect.stringContaining(`contract ${file}:57  #/paths`) });
  }
});

test.each([
  ['/srv/my api.yaml', undefined, 'file:///srv/my%20api.yaml'],
  ['spec/my api#2.yaml', undefined, 'spec/my%20api%232.yaml'],
  ['api.yaml', 'services/pets', 'services/pets/api.yaml'],
  ['../../spec/api.yaml', 'services/pets', 'spec/api.yaml'],
  ['https://example.org/api.yaml', 'services/pets', 'https://example.org/api.yaml'],
])('%s of a run in %s is a URI from the root of the repository', (file, folder, uri) => {
  expect(readOne({ contract: { file, pointer: '/paths' } }, 'a/a', folder)).toMatchObject({ uri, line: 1 });
});

test('two problems of one rule at one line are two alerts for GitHub, the same in each run', () => {
  const wrong = (actual: string) => makeFinding({ check: 'status', rule: 'status', at: 'status', actual });
  const prints = (id: string): (string | undefined)[] => {
    const other = makeDeviating(`${id}a`, [{ ...wrong('404'), expected: '200' }]);
    const { results } = read(makeResult([makeDeviating(id, [wrong('500')]), other]));
    return results.map(({ partialFingerprints }) => partialFingerprints['primaryLocationLineHash']);
  };
  expect(new Set(prints('a/a')).size).toBe(2);
  expect(prints('b/b')).toEqual(prints('a/a'));
});
