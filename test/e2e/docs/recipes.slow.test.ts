import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { packageFile } from '../../../src/package-files.js';
import { eventually } from '../../support/eventually.js';
import { blockUnder, createProject } from '../../support/readme.js';
import {
  endCommand,
  KEY,
  onFreePort,
  runShell,
  startCommand,
  untilServed,
  withoutColours,
} from '../../support/terminal.js';

const PAGE = 'docs/recipes.md';

test('Vite passes requests on to the mock', async () => {
  const config = onFreePort(blockUnder(PAGE, 'Vite', 'js'));
  const project = createProject({ 'vite.config.js': config, 'index.html': '<title>page</title>' });
  startCommand('npx petstore-mock', project);
  await untilServed();
  const command = `${process.execPath} node_modules/vite/bin/vite.js --host 127.0.0.1 --port 0 --logLevel info`;
  const vite = startCommand(command, project);
  const [, page = ''] = await eventually(() => {
    const found = /(http:\/\/127\.0\.0\.1:\d+)/.exec(withoutColours(vite.printed()));
    return found ?? Promise.reject(new Error(vite.printed()));
  });
  const response = await fetch(`${page}/api/pets?limit=1`, { headers: KEY });
  expect([response.status, ((await response.json()) as []).length]).toEqual([200, 1]);
});

// There is no container engine here, so the image's command runs without one.
test('Docker starts a mock that listens for other machines, and a signal stops it', async () => {
  const dockerfile = blockUnder(PAGE, 'Docker', 'dockerfile');
  const { engines } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { engines: { node: string } };
  const [, version] = /^FROM node:(\d+)/m.exec(dockerfile) ?? [];
  expect(Number(version)).toBeGreaterThanOrEqual(Number(/\d+/.exec(engines.node)?.[0]));
  expect(dockerfile).toContain('RUN npm install --global /tmp/petstore-mock.tgz\n');
  expect(dockerfile).toContain('EXPOSE 4010\n');
  const [program = '', ...args] = JSON.parse(/^CMD (.*)$/m.exec(dockerfile)?.[1] ?? '') as string[];
  expect(program).toBe('petstore-mock');
  const started = startCommand(`exec node_modules/.bin/petstore-mock ${args.join(' ')}`, createProject());
  await untilServed();
  expect(started.printed()).toContain('"event":"ready"');
  expect(await endCommand(started)).toBe(0);
});

test('a CI job finds the mock ready', async () => {
  const { steps } = parse(onFreePort(blockUnder(PAGE, 'CI', 'yaml'))) as { steps: { run: string }[] };
  const [install, start, wait, check] = steps.map((step) => step.run);
  expect([install, check]).toEqual(['npm ci', 'npm test']);
  const project = createProject();
  startCommand(`${start ?? ''} wait`, project);
  await runShell(wait ?? '', project);
  expect(readFileSync(`${project}/petstore-ready`, 'utf8')).toBe('{"status":"ok"}');
  expect(readFileSync(`${project}/petstore.log`, 'utf8')).toContain('"event":"ready"');
});

test('Playwright starts the mock and sees that it is ready', async () => {
  const config = onFreePort(blockUnder('docs/testing.md', 'Playwright', 'js'));
  const [, command = '', url = ''] = /command: '([^']+)', url: '([^']+)'/.exec(config) ?? [];
  startCommand(command, createProject());
  await untilServed(url);
  expect(await (await fetch(url)).json()).toEqual({ status: 'ok' });
});
