import { expect, test } from 'vitest';
import { runConformance, type ConformanceOptions } from '../../../src/conformance/index.js';
import { planRun } from '../../../src/conformance/product/plan-run.js';
import { startPetstoreMock } from '../../../src/index.js';
import { makeFile } from '../../support/folder.js';
import { closeLater } from '../support/ask.js';
import { readFileSync } from 'node:fs';
import { packageFile } from '../../../src/package-files.js';

const PETSTORE = readFileSync(packageFile('spec/petstore.openapi.yaml'), 'utf8');

/** The petstore's document with another security scheme. */
function specWith(scheme: string, security = '  - apiKey: []\n'): string {
  const own = scheme.includes('description')
    ? /^ +type: http\n +scheme: bearer\n +description: .*\n/m
    : '      type: http\n      scheme: bearer\n';
  const text = PETSTORE.replace(own, `      ${scheme}\n`).replace(
    'security:\n  - apiKey: []\n',
    security === '' ? 'security: []\n' : `security:\n${security}`,
  );
  return makeFile('team.yaml', text);
}

const IN_HEADER = 'type: apiKey\n      in: header\n      name: X-Api-Key';
const only = ['pets/refusals/credential*', 'pets/records/create'];

async function run(served: string, options: Partial<ConformanceOptions>): ReturnType<typeof runConformance> {
  const mock = await startPetstoreMock({ spec: served, credentials: { apiKey: 'rex:s3cret-word' }, prism: false });
  closeLater(() => mock.close());
  return runConformance({ target: mock.url, apiKey: 'unused-key', settleMs: 0, only, ...options });
}

test.each([
  ['a key in a header field', IN_HEADER],
  ['Basic', 'type: http\n      scheme: basic'],
  ['a key in the query', 'type: apiKey\n      in: query\n      name: key'],
])('a target that asks for %s is tested with it, and nothing of it is told', async (_, scheme) => {
  const spec = specWith(scheme);
  const result = await run(spec, { spec, credentials: { apiKey: 'rex:s3cret-word' } });
  expect(result.scenarios.filter(({ verdict }) => verdict === 'deviated').map(({ id }) => id)).toEqual([]);
  expect(result.summary.passed).toBeGreaterThan(20);
  expect(JSON.stringify(result)).not.toMatch(
    new RegExp(`s3cret-word|${Buffer.from('rex:s3cret-word').toString('base64')}`),
  );
});

test('a target that takes a bearer token where the contract wants a header field does not pass', async () => {
  const spec = specWith(IN_HEADER);
  const served = specWith('type: http\n      scheme: bearer');
  await expect(run(served, { spec, credentials: { apiKey: 'rex:s3cret-word' } })).rejects.toThrow(
    'rejects the credentials for every operation that was tried; give valid ones. apiKey is sent as X-Api-Key: ',
  );
});

test('of what the contract does not secure no 401 is demanded', () => {
  const { scenarios } = planRun({ spec: specWith('type: http\n      scheme: bearer', '') });
  expect(scenarios.filter(({ id }) => id.includes('/refusals/credential'))).toEqual([]);
  expect(scenarios.length).toBeGreaterThan(100);
});

const ACTION = `openapi: 3.1.0\ninfo: { title: T, version: 1.0.0 }\npaths: { /a: { post: { responses: { '200': { description: Fine. } } } } }\n`;

test('a document of which no scenario can be run is rejected with the reason and what would help', () => {
  const spec = makeFile('other.yaml', ACTION);
  expect(() => planRun({ spec })).toThrow(
    /there is nothing to test: no scenario that was selected applies to .*other\.yaml \(they test collections of records, and none can be inferred from its paths and schemas; --resources can name them\)\. Scenarios of your own can test it: give them with --scenarios\./,
  );
});

test('an operation without a resource that asks for credentials is tested without them', () => {
  const secured = `${ACTION}security: [{ key: [] }]\ncomponents: { securitySchemes: { key: { type: http, scheme: bearer } } }\n`;
  expect(planRun({ spec: makeFile('other.yaml', secured) }).scenarios.length).toBeGreaterThan(0);
});

test('credentials for a scheme that the contract does not have are refused', () => {
  expect(() => planRun({ credentials: { basicAuth: 'a:b' } })).toThrow(
    'the contract has no such security scheme; it has apiKey',
  );
});

test('a word before an API key in the Authorization field is no wrong key', async () => {
  const scheme = 'type: apiKey\n      in: header\n      name: Authorization\n      description: The key alone';
  const names: Record<string, string> = { listPets: 'browse', createPet: 'add', getPet: 'read' };
  const text = readFileSync(specWith(scheme), 'utf8');
  const spec = makeFile(
    'team.yaml',
    text.replaceAll(/\b(?:listPets|createPet|getPet)\b/g, (own) => names[own] ?? own),
  );
  const asked = ['*/records/*', '*/refusals/credential-forms*'];
  const { scenarios } = await run(spec, { spec, credentials: { apiKey: 'rex:s3cret-word' }, only: asked });
  const forms = scenarios.filter(({ id }) => id.includes('/credential-forms['));
  expect(forms.filter(({ verdict }) => verdict !== 'passed')).toEqual([]);
  expect(forms.length).toBeGreaterThan(8);
  const sent = forms.flatMap(({ steps }) => steps.flatMap((step) => step.exchanges)).map(({ request }) => request.auth);
  expect(sent).toContain('firstOfTwo');
  expect(sent).not.toContain('lastOfTwo');
});
