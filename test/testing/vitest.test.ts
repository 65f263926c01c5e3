import { execFile } from 'node:child_process';
import { beforeAll, expect, test } from 'vitest';
import { createProject } from '../support/readme.js';
import { cleanEnvironment } from '../support/tarball.js';

let results: Record<string, string>;

/** Runs these files of tests in one vitest, in a project that has this package: what it reports of each test. */
beforeAll(async () => {
  const files = Object.entries({ isolated: ISOLATED, violations: VIOLATIONS, made: MADE });
  const project = createProject(
    Object.fromEntries(files.map(([name, text]) => [`${name}.test.js`, `${PREAMBLE}\n${text}`])),
  );
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--reporter', 'json', '--test-timeout', '200000'];
  const printed = await new Promise<string>((resolve) => {
    execFile(process.execPath, args, { cwd: project, env: cleanEnvironment() }, (_, stdout) => resolve(stdout));
  });
  const { testResults } = JSON.parse(printed) as { testResults: Report[] };
  const all = testResults.flatMap(({ assertionResults }) => assertionResults);
  results = Object.fromEntries(
    all.map(({ title, status, failureMessages = [] }) => [title, [status, ...failureMessages].join('\n')]),
  );
});

type Report = { assertionResults: { title: string; status: string; failureMessages?: string[] }[] };

const PREAMBLE = `
import { expect } from 'vitest';
import { createPetstoreTest, test } from 'petstore-mock/vitest';
const headers = { Authorization: 'Bearer petstore-dev-key' };
const ask = (petstore, path) => fetch(petstore.url + path, { headers });
`;

const ISOLATED = `
  const origins = new Set();
  let waiting = 0;
  let release;
  const allAreThere = new Promise((resolve) => (release = resolve));
  for (const name of ['A', 'B', 'C']) {
    test.concurrent(name, async ({ petstore, expect }) => {
      origins.add(new URL(petstore.url).origin);
      await petstore.pets.replace([{ name, categoryId: 1 }]);
      if (++waiting === 3) release();
      await allAreThere;
      expect(await (await ask(petstore, '/pets')).json()).toMatchObject([{ name }]);
      expect(await petstore.requests.count()).toBe(1);
    });
  }
  test('the next one', async ({ petstore }) => {
    origins.add(new URL(petstore.url).origin);
    expect([await petstore.pets.count(), await petstore.requests.count(), origins.size]).toEqual([50, 0, 1]);
  });`;

const VIOLATIONS = `
  test('forgets it', async ({ petstore }) => {
    expect((await fetch(new URL('/pets', petstore.url), { headers })).status).toBe(404);
  });
  test('forgets it in its world', async ({ petstore }) => {
    await fetch(petstore.url.replace('/v1', '/pets'), { headers });
  });
  test('sends it', async ({ petstore }) => {
    expect((await ask(petstore, '/pets?limit=101')).status).toBe(400);
  });
  test('means it', async ({ petstore }) => {
    petstore.allowViolations({ status: 404 });
    petstore.allowViolations({ status: 400 });
    await fetch(new URL('/pets', petstore.url), { headers });
    await ask(petstore, '/pets?limit=101');
  });
  test('means all', async ({ petstore }) => {
    petstore.allowViolations();
    expect((await ask(petstore, '/pets?limit=101')).status).toBe(400);
  });
  test('means something else', async ({ petstore }) => {
    petstore.allowViolations({ status: 401 });
    expect((await ask(petstore, '/pets?limit=101')).status).toBe(400);
  });
  test('comes after', async ({ petstore }) => {
    expect((await ask(petstore, '/pets')).status).toBe(200);
  });`;

const MADE = `
  createPetstoreTest({ fixtures: 'empty' })('no pets', async ({ petstore }) => {
    expect(await (await ask(petstore, '/pets')).json()).toEqual([]);
  });
  createPetstoreTest({ fixtures: 'emtpy' })('no such pack', async ({ petstore }) => {
    expect(petstore).toBeUndefined();
  });`;

test('each test has a petstore of its own on one port, also when they run at the same time', async () => {
  expect(results).toMatchObject({ A: 'passed', B: 'passed', C: 'passed', 'the next one': 'passed' });
});

test('what breaks the contract, or leaves the base path out, fails the test that sent it, unless it is meant', async () => {
  expect(results).toMatchObject({ 'means it': 'passed', 'means all': 'passed', 'comes after': 'passed' });
  expect(results['sends it']).toMatch(/^failed\n[^]*limit=101[^]*query\/limit[^]*petstore\.openapi\.yaml:\d+/);
  expect(results['means something else']).toMatch(/^failed\n/);
  expect(results['forgets it']).toMatch(
    /^failed\n[^]*GET \/pets → 404[^]*is outside the API; the API is at \/v1 \([^]*petstore\.openapi\.yaml:\d+[^]*fix: ask for \/v1\/pets[^]*the API of this test is at http:\/\/[^]*\/worlds\/test-1\/v1/,
  );
  expect(results['forgets it in its world']).toMatch(/^failed\n[^]*the API is at \/worlds\/test-2\/v1/);
});

test('a petstore is made as a suite wants it', async () => {
  expect(results['no pets']).toBe('passed');
  expect(results['no such pack']).toMatch(/^failed\n[^]*emtpy/);
});
