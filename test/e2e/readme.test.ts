import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { loadContract } from '../../src/contract/contract.js';
import { packageFile } from '../../src/package-files.js';
import { startMutationServer } from '../mutation/server/start-server.js';
import { blockUnder, createProject, readBlocks, readShown } from '../support/readme.js';

const run = promisify(execFile);
const KEY = { authorization: 'Bearer petstore-dev-key' };
const children: ChildProcess[] = [];
let port = 0;

beforeEach(async () => {
  for (const program of ['petstore-mock', 'petstore-conformance']) {
    chmodSync(packageFile(`dist/cli/${program}.js`), 0o755);
  }
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  ({ port } = server.address() as AddressInfo);
  await new Promise((resolve) => server.close(resolve));
});

afterEach(async () => {
  for (const child of children.splice(0)) {
    const gone = new Promise((resolve) => child.once('close', resolve));
    process.kill(-(child.pid ?? 0), 'SIGTERM');
    await gone;
  }
});

/** The README says 4010; a port that may be in use is not one for a test. */
function onFreePort(text: string): string {
  return text.replaceAll('4010', String(port));
}

function environment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], HOME: process.env['HOME'], PETSTORE_MOCK_PORT: String(port) };
}

/** Starts a command that does not end, in a group of its own, and collects what it prints. */
function startCommand(command: string, cwd: string): { child: ChildProcess; printed: () => string } {
  const child = spawn('sh', ['-c', command], {
    cwd,
    env: environment(),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  // npm warns here of what is set on this machine.
  child.stderr.resume();
  return { child, printed: () => printed };
}

async function untilServed(url: string): Promise<Response> {
  return vi.waitFor(() => fetch(url, { headers: KEY }), { timeout: 15_000, interval: 50 });
}

function runShell(command: string, cwd: string): Promise<{ stdout: string }> {
  return run('sh', ['-c', command], { cwd, env: environment() });
}

const commands = readBlocks()
  .filter(({ language }) => language === 'sh')
  .flatMap(({ text }) => text.trim().split('\n'));

const PROFILE_COMMANDS = [
  'npx -p petstore-mock petstore-conformance --target http://127.0.0.1:4010/v1 --write-profile staging.profile.yaml',
  'npx petstore-mock --profile staging.profile.yaml',
  'npx -p petstore-mock petstore-conformance --target http://127.0.0.1:4010/v1 --profile staging.profile.yaml',
  'npx -p petstore-mock petstore-conformance diff staging.profile.yaml production.profile.yaml',
];

const SPEC_COMMAND = 'npx petstore-mock --spec node_modules/petstore-mock/examples/store-orders/petstore.openapi.yaml';

test('the sample document is served as the README shows it', async () => {
  const { printed } = startCommand(SPEC_COMMAND, createProject());
  const answer = await untilServed(`http://127.0.0.1:${port}/v1/store/inventory`);
  expect(await answer.json()).toEqual({ available: 7, pending: 2, sold: 3 });
  expect(printed()).toContain(blockUnder('A contract of your own', 'text'));
});

test('the README has no command that is not run here', () => {
  expect(commands).toEqual([
    'npm ci && npm start',
    'npm ci && npm test',
    'npx petstore-mock',
    'npx petstore-mock --fixtures ./pets.yaml --check',
    SPEC_COMMAND,
    'npx -p petstore-mock petstore-conformance --target http://127.0.0.1:4010/v1',
    'npx -p petstore-mock petstore-conformance --target http://127.0.0.1:4010/v1 --report pretty,html,junit --report-dir reports',
    'npx -p petstore-mock petstore-conformance --target http://127.0.0.1:4010/v1 --write-baseline known.yaml',
    'npx -p petstore-mock petstore-conformance --target http://127.0.0.1:4010/v1 --baseline known.yaml',
    'npx -p petstore-mock petstore-conformance --target local',
    "npx -p petstore-mock petstore-conformance --target http://127.0.0.1:4010/v1 --scenarios ./our-pets.yaml --only 'our-pets/*'",
    ...PROFILE_COMMANDS,
  ]);
  expect(new Set(readBlocks().map(({ language }) => language))).toEqual(
    new Set(['sh', 'console', 'text', 'yaml', 'js', 'dockerfile']),
  );
});

describe('two commands', () => {
  test('`npm start` has the mock answering', async () => {
    startCommand('npm start', packageFile('.'));
    expect((await untilServed(`http://127.0.0.1:${port}/v1/pets`)).status).toBe(200);
  });

  test('`npm test` is what runs now: it builds, then runs every test', () => {
    const { scripts } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    expect(scripts['test']).toBe('npm run build && vitest run');
    expect(readFileSync(packageFile('.ci/run'), 'utf8')).toContain('npm ci');
  });
});

test('everything that a terminal shows is what it shows', async () => {
  const project = createProject();
  const shown = readBlocks()
    .filter(({ language }) => language === 'console')
    .flatMap(readShown);
  const [first, ...others] = shown;
  expect(first?.command).toBe('npx petstore-mock');
  const server = startCommand(first?.command ?? '', project);
  await untilServed(`http://127.0.0.1:${port}/v1/nothing`);
  expect(server.printed().slice(0, onFreePort(first?.output ?? '').length)).toBe(onFreePort(first?.output ?? ''));
  for (const { command, output } of others) {
    const { stdout } = await runShell(onFreePort(command), project);
    // What curl prints has no line end of its own, and help has one too many.
    const expected = command.includes('--help') ? output : onFreePort(output);
    expect(stdout.trimEnd()).toBe(expected.trimEnd());
  }
  expect(others.length).toBeGreaterThanOrEqual(7);
});

test('the log has the lines that the README shows', async () => {
  const { printed } = startCommand('npx petstore-mock', createProject());
  const url = `http://127.0.0.1:${port}/v1/pets`;
  await untilServed(`${url}?limit=1`);
  const post = (body: string): Promise<Response> =>
    fetch(url, { method: 'POST', headers: { ...KEY, 'content-type': 'application/json' }, body });
  await post('{"name":"Rex","categoryId":1}');
  await post('{"name":"Rex"}');
  await fetch(url);
  const plain = (text: string): string => text.replaceAll(/\d\d:\d\d:\d\d/g, 'TIME').replaceAll(/\d+\.\d ms/g, 'MS');
  const [text = ''] = readBlocks().flatMap((block) => (block.language === 'text' ? [block.text] : []));
  await vi.waitFor(() => expect(plain(printed())).toContain(plain(text)));
});

test('the config file and the pack of pets are such', async () => {
  const [config = '', pack = ''] = readBlocks()
    .filter(({ heading }) => heading === 'Flags')
    .flatMap(({ language, text }) => (language === 'yaml' ? [text] : []));
  const project = createProject({ 'mock.yaml': config, 'keys.txt': 'a-key', 'pets.yaml': pack });
  const [, schema = ''] = /\$schema=\.\/node_modules\/petstore-mock\/(\S+)/.exec(config) ?? [];
  expect(readFileSync(packageFile(schema), 'utf8')).toContain('json-schema.org');
  expect((await runShell('npx petstore-mock --config mock.yaml --check', project)).stdout).toContain('edge-cases');
  expect((await runShell(commands.find((command) => command.includes('--check')) ?? '', project)).stdout).toContain(
    '21 pets',
  );
});

const EXAMPLES = [
  'Library',
  'A petstore that fails',
  'What was sent',
  'Another date, and ways back',
  'Many petstores on one port',
];

test.each(readBlocks().filter(({ heading, language }) => EXAMPLES.includes(heading) && language === 'js'))(
  'the example of the library runs and prints what it says',
  async ({ text }) => {
    const project = createProject({ 'example.js': text });
    const { stdout } = await run(process.execPath, ['example.js'], { cwd: project, env: environment() });
    const said = [...text.matchAll(/console\.log\(.*\); \/\/ (.*)/g)].map(([, output]) => output);
    expect(stdout.trim().split('\n')).toEqual(said);
  },
);

describe('testing a deployment', () => {
  const heading = 'Testing a deployment';
  const shown = commands.filter((command) => command.includes('petstore-conformance --target'));

  test.each(shown)('%s finds nothing wrong with the mock', { timeout: 60_000 }, async (command) => {
    const project = createProject({
      'our-pets.yaml': blockUnder('Scenarios of your own', 'yaml'),
      'known.yaml': 'known: []\n',
      ...(command.endsWith('local')
        ? { 'petstore-conformance.yaml': onFreePort(blockUnder('A config file', 'yaml')) }
        : {}),
      'staging.profile.yaml': 'gaps: {}\n',
    });
    startCommand('npx petstore-mock --log silent', project);
    await untilServed(`http://127.0.0.1:${port}/v1/pets`);
    const env = { ...environment(), PETSTORE_API_KEY: 'petstore-dev-key' };
    const { stdout } = await run('sh', ['-c', onFreePort(command)], { cwd: project, env });
    expect(stdout).toMatch(/[1-9]\d* passed · 0 deviated/);
  });

  test('the example of the library runs and prints what it says', { timeout: 60_000 }, async () => {
    const project = createProject({ 'example.js': blockUnder('In a test suite', 'js') });
    const { stdout } = await run(process.execPath, ['example.js'], { cwd: project, env: environment() });
    expect(stdout).toBe('0 0\n');
  });

  test('the profile that it shows is one that the mock takes and that can be laid beside another', async () => {
    const profile = blockUnder('Where the contract is silent', 'yaml');
    const project = createProject({
      'staging.profile.yaml': profile,
      'production.profile.yaml': profile.replace('255\n', '50\n'),
    });
    const [, serve = '', , diff = ''] = PROFILE_COMMANDS;
    const { printed } = startCommand(serve, project);
    await untilServed(`http://127.0.0.1:${port}/v1/pets`);
    expect(printed()).toContain('list-order: oldest-first');
    const { stdout } = await run('sh', ['-c', `${diff}; echo exit $?`], { cwd: project, env: environment() });
    expect(stdout).toMatch(/name-length-limit {2}255 +50\n[^]*exit 1/);
  });

  test('the known deviations that it shows are known of a service that ignores the filter', async () => {
    const project = createProject({ 'known.yaml': blockUnder('Known deviations', 'yaml') });
    const mutationServer = await startMutationServer({ mutants: ['filter-ignored'] });
    const args = `--target ${mutationServer.url} --only 'status-filter/only[sold]' --baseline known.yaml`;
    const env = { ...environment(), PETSTORE_API_KEY: mutationServer.apiKey };
    const { stdout } = await run('sh', ['-c', `npx petstore-conformance ${args}`], { cwd: project, env });
    await mutationServer.close();
    expect(stdout).toContain('0 deviated · 1 known');
  });

  test('what it shows of a deviation has the form of the pretty report, and the lines of the contract', () => {
    const [line = ''] = /\S+\.yaml:\d+ {2}\S+/.exec(blockUnder(heading, 'text')) ?? [];
    const [, place = '', pointer = ''] = /:(\d+) {2}#(\S+)/.exec(line) ?? [];
    const { document } = loadContract(packageFile('spec/petstore.openapi.yaml'));
    expect(document.placeOf(pointer).line).toBe(Number(place));
  });
});

describe('recipes', () => {
  test('Vite passes requests on to the mock', async () => {
    const config = onFreePort(blockUnder('Vite', 'js'));
    const project = createProject({ 'vite.config.js': config, 'index.html': '<title>page</title>' });
    startCommand('npx petstore-mock', project);
    await untilServed(`http://127.0.0.1:${port}/v1/pets`);
    const vite = startCommand(
      `${process.execPath} node_modules/vite/bin/vite.js --host 127.0.0.1 --port 0 --logLevel info`,
      project,
    );
    const [, page = ''] = await vi.waitFor(
      () =>
        /(http:\/\/127\.0\.0\.1:\d+)/.exec(withoutColours(vite.printed())) ?? Promise.reject(new Error(vite.printed())),
      { timeout: 15_000 },
    );
    const response = await fetch(`${page}/api/pets?limit=1`, { headers: KEY });
    expect([response.status, ((await response.json()) as []).length]).toEqual([200, 1]);
  });

  // No container engine is at hand here: what the image would run is run without one.
  test('Docker starts what listens for other machines, and stops it by a signal', async () => {
    const dockerfile = blockUnder('Docker', 'dockerfile');
    const { engines } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { engines: { node: string } };
    expect(Number(/^FROM node:(\d+)/m.exec(dockerfile)?.[1])).toBeGreaterThanOrEqual(
      Number(/\d+/.exec(engines.node)?.[0]),
    );
    expect(dockerfile).toContain('RUN npm install --global petstore-mock\n');
    expect(dockerfile).toContain('EXPOSE 4010\n');
    const [program = '', ...args] = JSON.parse(/^CMD (.*)$/m.exec(dockerfile)?.[1] ?? '') as string[];
    expect(program).toBe('petstore-mock');
    const { child, printed } = startCommand(`exec node_modules/.bin/petstore-mock ${args.join(' ')}`, createProject());
    await untilServed(`http://127.0.0.1:${port}/v1/pets`);
    expect(printed()).toContain('"event":"ready"');
    children.pop();
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
  });

  test('a CI job finds the mock ready', async () => {
    const { steps } = parse(onFreePort(blockUnder('CI', 'yaml'))) as { steps: { run: string }[] };
    const [install, start, wait, check] = steps.map((step) => step.run);
    expect([install, check]).toEqual(['npm ci', 'npm test']);
    const project = createProject();
    startCommand(`${start ?? ''} wait`, project);
    await runShell(wait ?? '', project);
    expect(readFileSync(`${project}/petstore-ready`, 'utf8')).toBe('{"status":"ok"}');
    expect(readFileSync(`${project}/petstore.log`, 'utf8')).toContain('"event":"ready"');
  });

  test('Playwright starts the mock and sees that it is ready', async () => {
    const config = onFreePort(blockUnder('Playwright', 'js'));
    const [, command = '', url = ''] = /command: '([^']+)', url: '([^']+)'/.exec(config) ?? [];
    startCommand(command, createProject());
    await untilServed(url);
    expect((await fetch(url)).status).toBe(200);
  });

  test('the vitest example passes', async () => {
    const project = createProject({ 'pets.test.js': blockUnder('vitest', 'js') });
    const { stdout } = await run(process.execPath, ['node_modules/vitest/vitest.mjs', 'run'], {
      cwd: project,
      env: environment(),
    });
    expect(withoutColours(stdout)).toMatch(/Tests +1 passed/);
  });
});

function withoutColours(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll(/\u001B\[\d+m/g, '');
}
