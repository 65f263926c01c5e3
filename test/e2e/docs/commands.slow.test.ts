import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { packageFile } from '../../../src/package-files.js';
import { startMutationServer } from '../../mutation/server/start-server.js';
import { blockUnder, COMMANDS, createProject } from '../../support/readme.js';
import { environment, mockUrl, onFreePort, runShell, startCommand, untilServed } from '../../support/terminal.js';

const PAGE = 'docs/conformance.md';
const ASK = { PETSTORE_API_KEY: 'petstore-dev-key' };
const SPEC_COMMAND = 'npx petstore-mock --spec node_modules/petstore-mock/examples/store-orders/petstore.openapi.yaml';
const OWN = 'npx petstore-conformance --spec openapi.yaml --target https://staging.example/api';
const LIST_OWN = `${OWN} --list`;
const ONLY_OWN = `${OWN} --only 'orders/*'`;
const RUN_EXAMPLE = `npx petstore-conformance --spec node_modules/petstore-mock/examples/store-orders/petstore.openapi.yaml --target http://127.0.0.1:4010/v1 --only 'orders/*'`;
const HANDLERS_COMMAND = `${SPEC_COMMAND} --handlers handlers.mjs --check`;
const CONFORMANCE = 'npx petstore-conformance';
const SERVE_PROFILE = 'npx petstore-mock --profile staging.profile.yaml';
const DIFF = `${CONFORMANCE} diff staging.profile.yaml production.profile.yaml`;
const SHARD = `${CONFORMANCE} --target "$STAGING" --shard 2/4 --report json --report-dir part2`;
const MERGE = `${CONFORMANCE} merge part*/conformance.json --report pretty,html --report-dir all`;
const asked = COMMANDS.filter((command) => command.startsWith(`${CONFORMANCE} --target`) && command !== SHARD);

const INIT_OWN = `${CONFORMANCE} init --spec openapi.yaml`;
const GAPS_OWN = `${CONFORMANCE} gaps --spec openapi.yaml`;

test('the config file that a contract gets is one that the runner reads, and its gaps are listed', async () => {
  const spec = readFileSync(packageFile('test/conformance/subjects/shop.openapi.yaml'), 'utf8');
  const folder = createProject({ 'openapi.yaml': spec });
  const { stdout } = await runShell(INIT_OWN, folder);
  expect(stdout).toContain('wrote petstore-conformance.yaml, for Shop 1.0.0 (openapi.yaml)');
  const listed = await runShell(`${CONFORMANCE} --target local --list`, folder);
  expect(listed.stdout).toContain('orders/records/create');
  expect((await runShell(GAPS_OWN, folder)).stdout).toContain('orders.list-order');
});

test('the pages have no command that no test runs', () => {
  expect(COMMANDS.filter((command) => !asked.includes(command)).toSorted()).toEqual(
    [
      // test/mock/request/credentials.test.ts
      'PETSTORE_CREDENTIALS=basicAuth=rex:s3cret npx petstore-mock --spec openapi.yaml',
      'npx petstore-mock --spec openapi.yaml --credential basicAuth=rex:s3cret --credential partnerKey=k1',
      'npm ci && npm start',
      'npm ci && npm test',
      // test/e2e/lasting/, with another folder
      'npx petstore-mock --data ./petstore-data',
      // test/server/lasting/, with another engine
      'npm install ioredis',
      'npm install classic-level',
      "PETSTORE_MOCK_SHARED='redis://user:password@redis.example:6379/0?prefix=team-a' npx petstore-mock",
      // test/e2e/docs/options.test.ts
      'npx petstore-mock --fixtures ./pets.yaml --check',
      'npx petstore-mock --profile try.profile.yaml',
      SPEC_COMMAND,
      RUN_EXAMPLE,
      HANDLERS_COMMAND,
      // test/conformance/subjects/, against a service that answers
      INIT_OWN,
      GAPS_OWN,
      LIST_OWN,
      ONLY_OWN,
      SERVE_PROFILE,
      DIFF,
      SHARD,
      MERGE,
    ].toSorted(),
  );
  expect(asked).toHaveLength(8);
});

test('`npm start` starts the mock', async () => {
  startCommand('npm start', packageFile('.'));
  expect((await untilServed(mockUrl('/v1/pets'))).status).toBe(200);
});

test('`npm test` is what runs now: it builds first', () => {
  const { scripts } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  expect(scripts['test']).toMatch(/^node scripts\/build-if-old\.mjs && /);
  expect(readFileSync(packageFile('.ci/run'), 'utf8')).toContain('npm ci');
});

test('the example contract is served as the page shows it', async () => {
  const { printed } = startCommand(SPEC_COMMAND, createProject());
  const answer = await untilServed(mockUrl('/v1/store/inventory'));
  expect(await answer.json()).toEqual({ available: 7, pending: 2, sold: 3 });
  expect(printed()).toContain(blockUnder('docs/own-contract.md', 'Quick start', 'text'));
});

test('the run of the quick start ends as the page shows it', async () => {
  const project = createProject();
  startCommand(`${SPEC_COMMAND} --log silent`, project);
  await untilServed();
  const { stdout } = await runShell(onFreePort(RUN_EXAMPLE), project, ASK);
  // How many, how long, and which text of its own a run has, is another thing each time.
  const plain = (text: string): string => text.replaceAll(/[\d.]+/g, 'N').replaceAll(/\bcf\w+/g, 'TEXT');
  expect(plain(stdout)).toBe(plain(blockUnder('docs/own-contract.md', 'Quick start', 'output')));
});

test('the handlers that the page shows pass their check', async () => {
  const handlers = blockUnder('docs/own-contract.md', 'Your own handlers', 'js');
  const { stdout } = await runShell(HANDLERS_COMMAND, createProject({ 'handlers.mjs': handlers }));
  expect(stdout).toContain('getInventory');
});

test('the mock takes the profile of docs/gaps.md', async () => {
  const profile = blockUnder('docs/gaps.md', 'What the contract leaves open', 'yaml');
  const { printed } = startCommand(
    'npx petstore-mock --profile try.profile.yaml',
    createProject({ 'try.profile.yaml': profile }),
  );
  await untilServed();
  expect(printed()).toContain('list-order: oldest-first');
});

test.each(asked)('%s finds nothing wrong with the mock', async (command) => {
  const project = createProject({
    'our-pets.yaml': blockUnder('docs/scenarios.md', 'Writing scenarios', 'yaml'),
    'known.yaml': 'known: []\n',
    ...(command.endsWith('local')
      ? { 'petstore-conformance.yaml': onFreePort(blockUnder('docs/options.md', 'Config file of the runner', 'yaml')) }
      : {}),
    'staging.profile.yaml': 'gaps: {}\n',
  });
  startCommand('npx petstore-mock --log silent', project);
  await untilServed();
  expect((await runShell(onFreePort(command), project, ASK)).stdout).toMatch(/[1-9]\d* passed · 0 deviated/);
});

test('four parts of a run are merged into one', async () => {
  const project = createProject();
  startCommand('npx petstore-mock --log silent', project);
  await untilServed();
  const env = { ...ASK, STAGING: onFreePort('http://127.0.0.1:4010/v1') };
  for (const part of [1, 2, 3, 4]) {
    const command = SHARD.replace('2/4', `${part}/4`).replace('part2', `part${part}`);
    await runShell(command, project, env);
  }
  expect((await runShell(MERGE, project)).stdout).toMatch(/no problem in \d+ scenarios · [1-9]\d+ passed · 0 deviated/);
});

test('a file that shares defaults finds nothing wrong with the mock', async () => {
  const project = createProject({
    'only-sold.yaml': blockUnder('docs/scenarios.md', 'What a whole file shares', 'yaml'),
  });
  startCommand('npx petstore-mock --log silent', project);
  await untilServed();
  const command =
    'npx petstore-conformance --target http://127.0.0.1:4010/v1 --scenarios only-sold.yaml --only only-sold/only-sold';
  expect((await runShell(onFreePort(command), project, ASK)).stdout).toMatch(/1 passed · 0 deviated/);
});

test('the mock takes the profile of the page, and it can be compared with another', async () => {
  const profile = blockUnder(PAGE, 'Profiles', 'yaml');
  const project = createProject({
    'staging.profile.yaml': profile,
    'production.profile.yaml': profile.replace('255\n', '50\n'),
  });
  const { printed } = startCommand(SERVE_PROFILE, project);
  await untilServed();
  expect(printed()).toContain('list-order: oldest-first');
  const { stdout } = await runShell(`${DIFF}; echo exit $?`, project);
  expect(stdout).toMatch(/name-length-limit {2}255 +50\n[^]*exit 1/);
});

describe('deviations', () => {
  test('the baseline of the page fits a service that ignores the filter', async () => {
    const project = createProject({ 'known.yaml': blockUnder(PAGE, 'Known deviations', 'yaml') });
    const server = await startMutationServer({ mutants: ['filter-ignored'] });
    const args = `--target ${server.url} --only 'pets/lists/filter-alone[status-sold]' --baseline known.yaml`;
    const { stdout } = await runShell(`npx petstore-conformance ${args}`, project, {
      ...environment(),
      PETSTORE_API_KEY: server.apiKey,
    });
    await server.close();
    expect(stdout).toContain('0 deviated · 1 known');
  });

  test('the deviation that the README shows names a line of the contract, and what stands there', () => {
    const shown = blockUnder('README.md', 'A conformance run', 'text');
    const [, place = '', text = ''] = /\S+\.yaml:(\d+) {2}(.+)/.exec(shown) ?? [];
    const lines = readFileSync(packageFile('spec/petstore.openapi.yaml'), 'utf8').split('\n');
    const parts = text.split(' · ');
    expect(parts.length).toBeGreaterThan(1);
    expect(lines.slice(Number(place) - 1, Number(place) - 1 + parts.length).map((line) => line.trim())).toEqual(parts);
  });
});
