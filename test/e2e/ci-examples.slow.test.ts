import { validateWorkflow } from '@action-validator/core';
import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { packageFile } from '../../src/package-files.js';
import { closeLater, KEY } from '../conformance/support/ask.js';
import { startMutationServer } from '../mutation/server/start-server.js';
import { createProject as createPlainProject } from '../support/readme.js';
import { packTarball } from '../support/tarball.js';

let tarball: string;
beforeAll(async () => {
  tarball = await packTarball();
});

/** A project with the tarball of the package. */
function createProject(files?: Record<string, string>): string {
  const project = createPlainProject(files);
  mkdirSync(join(project, 'vendor'));
  copyFileSync(tarball, join(project, 'vendor/petstore-mock.tgz'));
  return project;
}

function readExample(name: string): string {
  return readFileSync(packageFile(`examples/${name}`), 'utf8');
}

/** A deployment that is sound, or one that ignores the filter. */
async function deploy({ isSound }: { isSound: boolean }): Promise<string> {
  const server = await startMutationServer({ mutants: isSound ? [] : ['filter-ignored'], apiKey: KEY });
  closeLater(() => server.close());
  return server.url;
}

interface End {
  code: number;
  stdout: string;
}

/** As a CI runner does: in a shell that stops at the first failure, and nothing in the environment but what it gives. */
function runShell(script: string, cwd: string, env: Record<string, string>): Promise<End> {
  const inherited = {
    PATH: process.env['PATH'] ?? '',
    HOME: process.env['HOME'] ?? '',
    npm_config_prefer_offline: 'true',
  };
  return new Promise((resolve) => {
    execFile('bash', ['-e', '-c', script], { cwd, env: { ...inherited, ...env } }, (error, stdout) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout }),
    );
  });
}

const DEPLOYMENTS = [
  { isSound: true, code: 0 },
  { isSound: false, code: 1 },
];

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
    expect(step?.env).toEqual({
      STAGING_URL: '${{ vars.STAGING_URL }}',
      PETSTORE_API_KEY: '${{ secrets.STAGING_KEY }}',
    });
    const project = createProject();
    const summary = join(mkdtempSync(join(tmpdir(), 'petstore-summary-')), 'summary.md');
    const end = await runShell(step?.run ?? '', project, {
      STAGING_URL: await deploy({ isSound }),
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

describe('the GitLab job', () => {
  test.each(DEPLOYMENTS)('runs as written: $isSound', async ({ isSound, code }) => {
    const { conformance } = parse(readExample('ci/gitlab-ci.yaml')) as {
      conformance: { image: string; script: string[]; artifacts: { paths: string[]; reports: { junit: string } } };
    };
    const project = createProject();
    const env = { STAGING_URL: await deploy({ isSound }), PETSTORE_API_KEY: KEY, CI: 'true', GITLAB_CI: 'true' };
    expect(await runShell(conformance.script.join('\n'), project, env)).toMatchObject({ code });
    for (const path of [...conformance.artifacts.paths, conformance.artifacts.reports.junit])
      expect(existsSync(join(project, path))).toBe(true);
  });
});

describe('the vitest suite', () => {
  const name = 'petstore.conformance.test.js';

  test.each(DEPLOYMENTS)('has a test for each scenario: $isSound', async ({ isSound, code }) => {
    const project = createProject({ [name]: readExample(`conformance-vitest/${name}`) });
    const env = { PETSTORE_URL: await deploy({ isSound }), PETSTORE_API_KEY: KEY, NO_COLOR: '1' };
    const end = await runShell('node node_modules/vitest/vitest.mjs run --reporter=json 2>/dev/null', project, env);
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
});
