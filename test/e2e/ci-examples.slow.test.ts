import { validateWorkflow } from '@action-validator/core';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { packageFile } from '../../src/package-files.js';
import { KEY } from '../conformance/support/ask.js';
import { createPackedProject, deploy, DEPLOYMENTS, runJob } from '../support/ci-project.js';
import { makeFolder } from '../support/folder.js';

const readExample = (name: string): string => readFileSync(packageFile(`examples/${name}`), 'utf8');

describe('the GitHub Actions workflow', () => {
  const text = readExample('ci/github-actions.yaml');

  test('is one, as a validator of workflows reads it', () => {
    expect(validateWorkflow(text).errors).toEqual([]);
    expect(validateWorkflow(text.replace('runs-on', 'run-on')).errors).not.toEqual([]);
  });

  test.each(DEPLOYMENTS)('runs as written: $isSound', async ({ isSound, code }) => {
    const { jobs } = parse(text) as {
      jobs: { staging: { steps: { run?: string; env?: Record<string, string>; with?: { path?: string } }[] } };
    };
    const { steps } = jobs.staging;
    const step = steps.find(({ run }) => run !== undefined);
    const { STAGING_URL, PETSTORE_API_KEY } = step?.env ?? {};
    expect([STAGING_URL, PETSTORE_API_KEY]).toEqual(['${{ vars.STAGING_URL }}', '${{ secrets.STAGING_KEY }}']);
    const project = await createPackedProject();
    const summary = join(makeFolder(), 'summary.md');
    const end = await runJob(step?.run ?? '', project, {
      STAGING_URL: await deploy({ isSound, apiKey: KEY }),
      PETSTORE_API_KEY: KEY,
      GITHUB_ACTIONS: 'true',
      GITHUB_STEP_SUMMARY: summary,
    });
    expect(end.code).toBe(code);
    expect(/^::error \S*title=.*spec\/petstore\.openapi\.yaml:\d+/m.test(end.stdout)).toBe(!isSound);
    expect(readFileSync(summary, 'utf8')).toContain('### petstore-conformance: ');
    const folder = steps.find((each) => each.with?.path !== undefined)?.with?.path ?? '';
    for (const file of ['conformance.html', 'conformance.sarif'])
      expect(existsSync(join(project, folder, file))).toBe(true);
  });
});

test.each(DEPLOYMENTS)('the GitLab job runs as written: $isSound', async ({ isSound, code }) => {
  const { conformance } = parse(readExample('ci/gitlab-ci.yaml')) as {
    conformance: { image: string; script: string[]; artifacts: { paths: string[]; reports: { junit: string } } };
  };
  const project = await createPackedProject();
  const env = {
    STAGING_URL: await deploy({ isSound, apiKey: KEY }),
    PETSTORE_API_KEY: KEY,
    CI: 'true',
    GITLAB_CI: 'true',
  };
  expect(await runJob(conformance.script.join('\n'), project, env)).toMatchObject({ code });
  for (const path of [...conformance.artifacts.paths, conformance.artifacts.reports.junit])
    expect(existsSync(join(project, path))).toBe(true);
});

const name = 'petstore.conformance.test.js';

test.each(DEPLOYMENTS)('the vitest suite has a test for each scenario: $isSound', async ({ isSound, code }) => {
  const project = await createPackedProject({ [name]: readExample(`conformance-vitest/${name}`) });
  const env = { PETSTORE_URL: await deploy({ isSound, apiKey: KEY }), PETSTORE_API_KEY: KEY, NO_COLOR: '1' };
  const end = await runJob('node node_modules/vitest/vitest.mjs run --reporter=json 2>/dev/null', project, env);
  expect(end.code).toBe(code);
  const report = JSON.parse(end.stdout) as {
    numPassedTests: number;
    numTotalTests: number;
    testResults: { assertionResults: { title: string; status: string; failureMessages: string[] }[] }[];
  };
  expect(report.numPassedTests).toBeGreaterThan(150);
  const results = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  const found = results.find(({ title }) =>
    title.startsWith('pets/lists/filter-alone[status-sold]: a list filtered by status=sold alone'),
  );
  expect(found?.status).toBe(isSound ? 'passed' : 'failed');
  expect(found?.failureMessages.join('').includes('expected "sold", but found')).toBe(!isSound);
});
