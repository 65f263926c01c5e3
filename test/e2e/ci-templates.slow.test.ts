import { validateAction } from '@action-validator/core';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { packageFile } from '../../src/package-files.js';
import { createPackedProject, deploy, DEPLOYMENTS, PACKAGE, runJob } from '../support/ci-project.js';
import { eventually } from '../support/eventually.js';
import { makeFolder } from '../support/folder.js';
import { findFreePort } from '../support/free-port.js';
import { serveJson } from '../support/network/serve-json.js';
import { createProject } from '../support/readme.js';

const KEY = 'a-key-of-the-service';

interface Action {
  inputs: Record<string, { default?: string }>;
  runs: { steps: { name: string; run?: string; env?: Record<string, string> }[] };
}

describe('the GitHub Action', () => {
  const text = readFileSync(packageFile('action.yml'), 'utf8');
  const { inputs, runs } = parse(text) as Action;

  /** Runs a step with these inputs in place of the defaults. */
  async function runStep(
    index: number,
    project: string,
    given: Record<string, string>,
    more: Record<string, string> = {},
  ) {
    const { run = '', env = {} } = runs.steps[index] ?? {};
    const fill = (value: string): string =>
      value.replace(
        /^\$\{\{ inputs\.([\w-]+) \}\}$/,
        (_, name: string) => ({ package: PACKAGE, ...given })[name] ?? inputs[name]?.default ?? '',
      );
    const filled = Object.entries(env).map(([name, value]) => [name, fill(value)]);
    return runJob(run, project, { ...Object.fromEntries(filled), ...more });
  }

  /** A service that notes what it is asked. */
  async function serveNoting(status: number): Promise<{ url: string; asked: string[] }> {
    const asked: string[] = [];
    const { url, close } = await serveJson(({ headers }) => {
      asked.push(`${String(headers['x-gateway'])} ${String(headers.authorization)}`);
      return { status, body: { code: 'x', message: 'x', status } };
    });
    onTestFinished(close);
    return { url, asked };
  }

  const JUDGING = runs.steps.findIndex(({ name }) => name.startsWith('Does it keep'));

  test('is one, as a validator of actions reads it', () => {
    expect(validateAction(text).errors).toEqual([]);
    expect(validateAction(text.replace('using: composite', 'using: magic')).errors).not.toEqual([]);
  });

  test('is pinned, and so are the images and actions of the examples', () => {
    const names = [
      'ci/github-actions.yaml',
      'ci/gitlab-ci.yaml',
      'container/Dockerfile',
      'container/shared/Dockerfile',
    ];
    const all = [text, ...names.map((name) => readFileSync(packageFile(`examples/${name}`), 'utf8'))].join('\n');
    const used = [...all.matchAll(/(?:uses|image|FROM):? (\S+)/g)].map(([, name = '']) => name);
    expect(used.length).toBeGreaterThan(4);
    expect(used.filter((name) => !/@[\da-f]{40}$|:\d+\.\d+\.\d+(?:-alpine)?$/.test(name))).toEqual([]);
  });

  test.each([
    ['read-only', 'True', 'read-only must be true or false.'],
    ['read-only', '1', 'read-only must be true or false.'],
    ['package', '', 'package must be a tarball'],
    ['package', 'petstore-mock@1', 'what others publish under its name is not run'],
  ])('fails on %s "%s", and sends nothing', async (name, value, message) => {
    const { url, asked } = await serveNoting(200);
    const end = await runStep(JUDGING, createProject(), { target: url, [name]: value });
    expect(end).toMatchObject({ code: 2, stdout: expect.stringContaining(message) });
    expect(asked).toEqual([]);
  });

  test('sends what a service needs, and takes what it was sent out of its log', async () => {
    const project = await createPackedProject({ 'mine.yaml': 'timeout: 9\n' });
    const { url, asked } = await serveNoting(401);
    const credentials = 'apiKey=s3cret-of-a-scheme\n';
    const more = { headers: 'X-Gateway: open, sesame\n', credentials, config: 'mine.yaml', 'max-requests': '20' };
    await runStep(1, project, { target: url, ...more });
    expect(new Set(asked)).toContain('open, sesame Bearer s3cret-of-a-scheme');
    writeFileSync(join(project, 'service.log'), `GET /pets ${KEY} s3cret-of-a-scheme open, sesame\n`);
    const kept = await runStep(2, project, { target: url, ...more, key: KEY }, { RUNNER_TEMP: project });
    expect(kept).toMatchObject({ code: 0 });
    expect(readFileSync(join(project, 'conformance-reports/service.log'), 'utf8')).toBe('GET /pets *** *** ***\n');
  });

  test('has no input in a script, where it could be run', () =>
    expect(runs.steps.map(({ run = '' }) => run).join('\n')).not.toContain('${{'));

  test.each(DEPLOYMENTS)('tests a service that runs: $isSound', async ({ isSound, code }) => {
    const project = await createPackedProject();
    const summary = join(makeFolder(), 'summary.md');
    const target = await deploy({ isSound, apiKey: KEY });
    const given = { target, key: KEY, 'read-only': 'true', 'max-requests': '250' };
    const end = await runStep(JUDGING, project, given, { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary });
    expect(end.code).toBe(code);
    expect(/^::error \S*title=/m.test(end.stdout)).toBe(!isSound);
    expect(readFileSync(summary, 'utf8')).toContain('### petstore-conformance: ');
    for (const kind of ['html', 'json', 'sarif'])
      expect(existsSync(join(project, 'conformance-reports', `conformance.${kind}`))).toBe(true);
  });

  test('starts a service, and waits until it answers', async () => {
    const project = await createPackedProject();
    const port = await findFreePort();
    const start = `echo $$ > service.pid; exec node node_modules/.bin/petstore-mock --port ${port}`;
    const given = { target: `http://127.0.0.1:${port}/v1`, start, 'max-requests': '60' };
    await runStep(0, project, given);
    onTestFinished(() => void process.kill(Number(readFileSync(join(project, 'service.pid'), 'utf8'))));
    await eventually(() => readFileSync(join(project, 'service.pid'), 'utf8'));
    const end = await runStep(1, project, given);
    expect(end).toMatchObject({ code: 0, stdout: expect.stringContaining('no problem') });
  });
});

test.each(DEPLOYMENTS)('the GitLab component runs as written: $isSound', async ({ isSound, code }) => {
  const text = readFileSync(packageFile('templates/conformance.yml'), 'utf8');
  const [head, job] = text.split('\n---\n');
  const { inputs } = (parse(head ?? '') as { spec: { inputs: Record<string, { default?: string }> } }).spec;
  const given: Record<string, string> = { target: await deploy({ isSound, apiKey: KEY }), package: PACKAGE };
  const filled = (job ?? '').replaceAll(/\$\[\[ inputs\.(\w+) \]\]/g, (_, name: string) => {
    expect(Object.keys(inputs)).toContain(name);
    return JSON.stringify(given[name] ?? inputs[name]?.default ?? '').slice(1, -1);
  });
  expect(parseAllDocuments(text).flatMap(({ errors }) => errors)).toEqual([]);
  const { conformance } = parse(filled) as {
    conformance: {
      script: string[];
      variables: Record<string, string | null>;
      artifacts: { reports: { junit: string } };
    };
  };
  const project = await createPackedProject();
  const own = Object.entries(conformance.variables).map(([name, value]) => [name, value ?? '']);
  const env = { ...Object.fromEntries(own), PETSTORE_API_KEY: KEY, CI: 'true', GITLAB_CI: 'true' };
  expect(await runJob(conformance.script.join('\n'), project, env)).toMatchObject({ code });
  expect(existsSync(join(project, conformance.artifacts.reports.junit))).toBe(true);
});

test('the hook of pre-commit checks the document that a project names', async () => {
  const [hook] = parse(readFileSync(packageFile('.pre-commit-hooks.yaml'), 'utf8')) as {
    entry: string;
    args: string[];
  }[];
  expect(hook).toMatchObject({ id: 'petstore-mock-check', language: 'node', pass_filenames: false });
  const spec = readFileSync(packageFile('spec/petstore.openapi.yaml'), 'utf8');
  const noted = 'openapi: 3.1.0\ninfo: { title: t, version: "1" }\npaths: {}\n';
  const broken = 'openapi: 3.1.0\npaths: 7\ninfo: [';
  const project = await createPackedProject({ 'openapi.yaml': spec, 'noted.yaml': noted, 'broken.yaml': broken });
  const check = (args: string[]): Promise<{ code: number }> =>
    runJob(`PATH="$PWD/node_modules/.bin:$PATH" ${hook?.entry ?? ''} ${args.join(' ')}`, project, {});
  expect(await check(hook?.args ?? [])).toMatchObject({ code: 0, stdout: expect.stringContaining('pets') });
  expect(await check(['--spec', 'broken.yaml'])).toMatchObject({ code: 2 });
  expect(await check(['--spec', 'noted.yaml'])).toMatchObject({ code: 1, stdout: expect.stringContaining('note ') });
});
