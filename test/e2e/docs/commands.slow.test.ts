import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { packageFile } from '../../../src/package-files.js';
import { startMutationServer } from '../../mutation/server/start-server.js';
import { blockUnder, createProject } from '../../support/readme.js';
import { environment, mockUrl, onFreePort, runShell, startCommand, untilServed } from '../../support/terminal.js';

const PAGE = 'docs/conformance.md';
const ASK = { PETSTORE_API_KEY: 'petstore-dev-key' };
const CONFORMANCE = 'npx petstore-conformance';
const STORE_ORDERS = 'npx petstore-mock --spec node_modules/petstore-mock/examples/store-orders/petstore.openapi.yaml';

// clone.slow.test.ts runs every command of the pages in a clone. Here some run where the package is installed, and more is asked of them.

test('the example contract is served as the page shows it', async () => {
  const { printed } = startCommand(STORE_ORDERS, createProject());
  const answer = await untilServed(mockUrl('/v1/store/inventory'));
  expect(await answer.json()).toEqual({ available: 7, pending: 2, sold: 3 });
  expect(printed()).toContain(blockUnder('docs/own-contract.md', 'Quick start', 'text'));
});

test('a file that shares defaults finds nothing wrong with the mock', async () => {
  const project = createProject({
    'only-sold.yaml': blockUnder('docs/scenarios.md', 'What a whole file shares', 'yaml'),
    'our-pets.yaml': blockUnder('docs/scenarios.md', 'A first scenario', 'yaml'),
  });
  startCommand('npx petstore-mock --log silent', project);
  await untilServed();
  const selection = '--scenarios only-sold.yaml --only only-sold/only-sold';
  const command = `${CONFORMANCE} --target http://127.0.0.1:4010/v1 ${selection}`;
  expect((await runShell(onFreePort(command), project, ASK)).stdout).toMatch(/1 passed · 0 deviated/);
});

test('the mock takes the profile of the page, and it can be compared with another', async () => {
  const profile = blockUnder(PAGE, 'Profiles', 'yaml');
  const project = createProject({
    'staging.profile.yaml': profile,
    'production.profile.yaml': profile.replace('255\n', '50\n'),
  });
  const { printed } = startCommand('npx petstore-mock --profile staging.profile.yaml', project);
  await untilServed();
  expect(printed()).toContain('list-order: oldest-first');
  const diff = 'diff staging.profile.yaml production.profile.yaml; echo exit $?';
  const { stdout } = await runShell(`${CONFORMANCE} ${diff}`, project);
  expect(stdout).toMatch(/name-length-limit {2}255 +50\n[^]*exit 1/);
});

test('the baseline of the page fits a service that ignores the filter', async () => {
  const project = createProject({ 'known.yaml': blockUnder(PAGE, 'Known deviations', 'yaml') });
  const server = await startMutationServer({ mutants: ['filter-ignored'] });
  const args = `--target ${server.url} --only 'pets/lists/filter-alone[status-sold]' --baseline known.yaml`;
  const env = { ...environment(), PETSTORE_API_KEY: server.apiKey };
  const { stdout } = await runShell(`${CONFORMANCE} ${args}`, project, env);
  await server.close();
  expect(stdout).toContain('0 deviated · 1 known');
});

test('the deviation that the README shows names a line of the contract, and what stands there', () => {
  const shown = blockUnder('README.md', 'A failing run', 'console');
  const [, place = '', text = ''] = /\S+\.yaml:(\d+) {2}(.+)/.exec(shown) ?? [];
  const lines = readFileSync(packageFile('spec/petstore.openapi.yaml'), 'utf8').split('\n');
  const parts = text.split(' · ');
  expect(parts.length).toBeGreaterThan(1);
  expect(lines.slice(Number(place) - 1, Number(place) - 1 + parts.length).map((line) => line.trim())).toEqual(parts);
});
