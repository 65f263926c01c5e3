import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exec } from 'node:child_process';
import { afterEach, describe, expect, test } from 'vitest';
import type { RunResult } from '../../src/conformance/result.js';
import { echoing, record } from '../conformance/support/changes.js';
import { RUNNER, RunnerProgram, runRunner, type RunnerEnd } from '../conformance/support/runner-program.js';
import type { Change, Exchange } from '../support/opponent/behaviour.js';
import { startOpponent, startWith, type Opponent } from '../support/opponent/start-opponent.js';
import { makeSelfSignedCertificate } from '../support/hostile/self-signed-certificate.js';
import { startProgram } from '../support/run-program.js';

const KEY = 'Opponent-Key-7f3Qz';
const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function start(...changes: Change[]): Promise<Opponent & { log: Exchange[] }> {
  const log: Exchange[] = [];
  const opponent = await startWith([record(log), ...changes], KEY);
  closing.push(() => opponent.close());
  return Object.assign(Object.create(opponent) as Opponent, { log });
}

function ask(url: string, ...args: string[]): Promise<RunnerEnd> {
  return runRunner(['--target', url, ...args], { env: { PETSTORE_API_KEY: KEY } });
}

async function askForResult(url: string, ...args: string[]): Promise<RunnerEnd & { result: RunResult }> {
  const end = await ask(url, '--report', 'json', ...args);
  return { ...end, result: JSON.parse(end.stdout) as RunResult };
}

function makeFolder(files: Record<string, string> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-conformance-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const ADDRESS_OF_NOBODY = 'http://127.0.0.1:9/v1';

describe('against the mock as it is started by default', () => {
  test('nothing deviates and nothing is inconclusive', async () => {
    const mock = await startProgram();
    closing.push(() => mock.stop());
    const end = await runRunner(['--target', mock.url, '--report', 'json', '--fail-on', 'inconclusive'], {
      env: { PETSTORE_API_KEY: 'petstore-dev-key' },
    });
    const { summary } = JSON.parse(end.stdout) as RunResult;
    expect(summary).toMatchObject({ deviated: 0, inconclusive: 0 });
    expect(summary.passed).toBeGreaterThan(200);
    expect(summary.created).toBeLessThanOrEqual(40);
    expect(end.code).toBe(0);
  });
});

describe('the exit code', () => {
  test('is 0 when nothing deviates', async () => {
    const { url } = await start();
    expect(await ask(url, '--only', 'list/*')).toMatchObject({ code: 0 });
  });

  test('is 1 when something deviates, and the report says what and where', async () => {
    const opponent = await startOpponent({ faults: ['filter-ignored'] });
    closing.push(() => opponent.close());
    const { code, stdout } = await ask(opponent.url, '--only', 'status-filter/only');
    expect(code).toBe(1);
    expect(stdout).toContain('✗ status-filter/only[available]');
    expect(stdout).toMatch(/contract {3}spec\/petstore\.openapi\.yaml:\d+ {2}#\/paths\/~1pets\/get\/parameters\/1/);
    expect(stdout).toContain(`--again 'status-filter/only[available]'`);
    expect(stdout).toContain(`curl -H "Authorization: Bearer $PETSTORE_API_KEY"`);
  });

  test('is 1 with --fail-on inconclusive when something is', async () => {
    const { url } = await start(() => ({ seed: () => [] }));
    const selection = ['--read-only', '--only', 'list/*', '--only', 'limits/default'];
    expect((await ask(url, ...selection)).code).toBe(0);
    expect((await ask(url, ...selection, '--fail-on', 'inconclusive')).code).toBe(1);
  });

  test('is 2 when nothing was concluded, and one is told', async () => {
    const { url } = await start(() => ({ seed: () => [] }));
    const { code, stderr } = await ask(url, '--read-only', '--only', 'limits/default');
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('nothing was concluded') });
  });

  test('is 2 for a key that the target refuses on every operation', async () => {
    const { url, log } = await start();
    const { code, stderr, stdout } = await ask(url, '--api-key', 'Another-Key-1234');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('refuses the API key');
    expect(stderr).not.toContain('Another-Key');
    expect(log.length).toBe(2);
  });

  test('is 3 for a target that is not there', async () => {
    const { code, stderr } = await ask(ADDRESS_OF_NOBODY);
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: `petstore-conformance: ${ADDRESS_OF_NOBODY} cannot be tested: nothing listens there.\n`,
    });
  });

  test('is 3 for a host that nobody knows', async () => {
    const { code, stderr } = await ask('http://petstore.invalid/v1');
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('host name') });
  });
});

describe('what was mistyped is told with what to do, without a stack trace', () => {
  const contract = join(import.meta.dirname, '../../package.json');
  test.each([
    [['--timout', '3'], 'there is no option --timout; did you mean --timeout?'],
    [['--readonly'], 'there is no option --readonly; did you mean --read-only?'],
    [['--timeout', 'soon'], '--timeout takes a number from 0, not soon.'],
    [['--timeout', '0'], '--timeout takes a number above 0.'],
    [['--rate', '-1'], '--rate takes a number from 0, not -1.'],
    [['--rate', '0'], '--rate takes a number above 0.'],
    [['--settle', '1e9'], '--settle takes a number from 0, not 1e9.'],
    [['--concurrency', '0'], '--concurrency takes a whole number from 1, not 0.'],
    [['--concurrency', '1.5'], '--concurrency takes a whole number from 1, not 1.5.'],
    [['--max-creates', 'ten'], '--max-creates takes a number from 0, not ten.'],
    [['--category-id', '1.5'], '--category-id takes an integer, not 1.5.'],
    [['--category-id', 'dogs'], '--category-id takes an integer, not dogs.'],
    [['--report', 'jsn'], 'there is no format jsn; did you mean json? Known are pretty, json, junit.'],
    [['--report', 'json,junit'], '--report names several formats; say with --report-dir where they go.'],
    [['--fail-on', 'inconclusiv'], '--fail-on takes inconclusive, not inconclusiv; did you mean inconclusive?'],
    [['--only', 'creat/minimal'], 'there is no scenario creat/minimal; did you mean create/minimal? --list shows them'],
    [['--skip', 'limit/*'], 'there is no scenario limit/*'],
    [['--again', 'get/listd'], 'there is no scenario get/listd; did you mean get/listed'],
    [['--only', 'list/empty', '--skip', 'list/*'], 'no scenario is left to run; look at --only and --skip.'],
    [['--header', 'X-Trace'], '--header is written "Name: value".'],
    [['--header', 'X: 日本'], 'a header field has characters that none can carry.'],
    [['--header', 'authorization: Bearer x'], "the Authorization field is the run's own"],
    [['--ca', contract], 'has no PEM certificates that can be read.'],
    [['--ca', '/no/such.pem'], '/no/such.pem'],
    [['--api-key-file', '/no/such.key'], '/no/such.key'],
    [['--api-key', 'a', '--api-key-file', 'b'], '--api-key and --api-key-file exclude each other.'],
    [['--api-key', 'a\nb'], 'the API key has characters that no header field can carry.'],
    [['--scenarios', '/no/such.yaml'], '/no/such.yaml'],
    [['--spec', contract], 'package.json'],
    [['--target', 'localhost:4010/v1'], 'the target is no URL; give the base URL, such as http://127.0.0.1:4010/v1.'],
    [['--target', 'ftp://127.0.0.1/v1'], 'the target is no URL'],
    [['--target', 'http://127.0.0.1/v1?a=b'], 'must have no query and no fragment.'],
    [['http://127.0.0.1/v1'], 'the base URL goes with --target.'],
    [['--rate'], "option '--rate <n>' argument missing."],
  ])('%j', async (args, message) => {
    const { code, stdout, stderr } = await ask(ADDRESS_OF_NOBODY, ...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  test('no target', async () => {
    const { code, stderr } = await runRunner(['--api-key', 'x']);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('there is no target') });
  });

  test('no key', async () => {
    const { code, stderr } = await runRunner(['--target', ADDRESS_OF_NOBODY]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('there is no API key') });
  });

  test('a key that stands where an option should is not repeated', async () => {
    const { stderr, stdout } = await ask(ADDRESS_OF_NOBODY, 'Misplaced-Key-9');
    expect(stdout + stderr).not.toContain('Misplaced-Key-9');
  });

  test('a mistake in a scenario file has file, line and column', async () => {
    const folder = makeFolder({ 'mine.yaml': OWN_SCENARIO.replace('operationId: listPets', 'operationId: listPet') });
    const { code, stderr } = await ask(ADDRESS_OF_NOBODY, '--scenarios', join(folder, 'mine.yaml'));
    expect(code).toBe(2);
    expect(stderr).toMatch(/mine\.yaml:\d+:\d+: mine\/own: .*no operation listPet; did you mean listPets\?/);
  });
});

const OWN_SCENARIO = `scenarios:
  - id: own
    title: our own
    basis: section 4.1
    dependsOn: [create/minimal]
    steps:
      - { id: list, operationId: listPets, parameters: { limit: 7 }, expect: { status: 200 } }
`;

describe('the key', () => {
  test.each([
    ['--api-key', (): [string[], Record<string, string>] => [['--api-key', KEY], {}]],
    ['--api-key-file', () => [['--api-key-file', join(makeFolder({ key: `${KEY}\n` }), 'key')], {}]],
    ['PETSTORE_API_KEY', () => [[], { PETSTORE_API_KEY: KEY }]],
    ['--api-key before PETSTORE_API_KEY', () => [['--api-key', KEY], { PETSTORE_API_KEY: 'not-this-one' }]],
  ] as [string, () => [string[], Record<string, string>]][])('is taken from %s', async (_, make) => {
    const { url } = await start();
    const [args, env] = make();
    expect((await runRunner(['--target', url, '--only', 'list/*', ...args], { env })).code).toBe(0);
  });

  const sent = [KEY, 'Opponent-Key-7f3Q', 'oPPONENT-kEY', 'Pqqpofou-Lfz'];

  test.each(['pretty', 'json', 'junit'])('is in no %s report of a target that echoes it', async (format) => {
    const { url } = await start(echoing);
    const { code, stdout, stderr } = await ask(url, '--report', format, '--only', 'authentication/*', '--strict');
    expect(code).toBe(1);
    for (const text of sent) expect(stdout + stderr).not.toContain(text);
  });

  test('is in no report when it has characters that JSON or a URL writes otherwise', async () => {
    const key = 'Odd "Key\\ with/ 100%&é';
    const opponent = await startWith([
      echoing,
      () => ({ hasValidKey: ({ headers }) => headers.authorization === `Bearer ${key}` }),
    ]);
    closing.push(() => opponent.close());
    const end = await runRunner(['--target', opponent.url, '--report', 'json', '--only', 'list/every-time'], {
      env: { PETSTORE_API_KEY: key },
    });
    expect(end.code).toBe(1);
    expect(end.stdout).not.toMatch(/Odd |Key\\/);
  });

  test('is in no message about a target that refuses it', async () => {
    const { url } = await start(echoing, () => ({ hasValidKey: () => false }));
    const { code, stdout, stderr } = await ask(url);
    expect(code).toBe(2);
    expect(stdout + stderr).not.toContain(KEY);
  });

  test('nor is a secret of --header', async () => {
    const secret = 'Cookie-Secret-42';
    const { url, log } = await start((base) => ({
      printError: (refusal, exchange) => ({
        ...base.printError(refusal, exchange),
        message: String(exchange.headers['cookie']),
      }),
    }));
    const { stdout, stderr } = await ask(url, '--header', `Cookie: ${secret}`, '--report', 'json', '--only', 'get/*');
    expect(log[0]?.headers.cookie).toBe(secret);
    expect(stdout + stderr).not.toContain(secret);
  });

  test('nor is a password in the URL', async () => {
    const { url } = await start();
    const { stdout, stderr } = await ask(url.replace('//', '//user:Pass-Word-1@'), '--only', 'list/*');
    expect(stdout).toContain('passed');
    expect(stdout + stderr).not.toContain('Pass-Word-1');
  });
});

describe('what is sent', () => {
  test('--read-only sends no POST', async () => {
    const { url, log } = await start();
    const { code } = await ask(url, '--read-only');
    expect(code).toBe(0);
    expect(log.length).toBeGreaterThan(100);
    expect(new Set(log.map(({ method }) => method))).toEqual(new Set(['GET', 'HEAD']));
  });

  test.each(['0', '1', '3', '7'])('--max-creates %s is kept to', async (most) => {
    const log: Exchange[] = [];
    const { url } = await start((base) => ({
      createAnimal: (animal, exchange) => {
        log.push(exchange);
        return base.createAnimal(animal, exchange);
      },
    }));
    const { result } = await askForResult(url, '--max-creates', most, '--only', 'create/*', '--concurrency', '8');
    expect(log.length).toBe(Number(most));
    expect(result.summary.created).toBe(Number(most));
    expect(result.scenarios.find(({ verdict }) => verdict === 'inconclusive')?.reason).toMatch(
      /--max-creates|create\/minimal/,
    );
  });

  test.each(['--list', '--dry-run'])('%s sends nothing, and needs neither target nor key', async (flag) => {
    const { code, stdout, stderr } = await runRunner([flag]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('create/minimal');
    const { url, log } = await start();
    expect((await ask(url, flag)).code).toBe(0);
    expect(log).toEqual([]);
  });

  test('--header is in every request', async () => {
    const { url, log } = await start();
    await ask(url, '--header', 'X-Trace: 7', '--only', 'list/*');
    expect(log.every(({ headers }) => headers['x-trace'] === '7')).toBe(true);
  });

  test('--rate keeps requests apart', async () => {
    const { url } = await start();
    const started = performance.now();
    const { result } = await askForResult(
      url,
      '--rate',
      '20',
      '--only',
      'list/every-time[first]',
      '--only',
      'list/every-time[second]',
    );
    expect(performance.now() - started).toBeGreaterThanOrEqual(((result.summary.requests - 1) * 1000) / 20);
  });
});

describe('the selection', () => {
  async function list(...args: string[]): Promise<string[]> {
    const { stdout } = await runRunner(['--list', ...args]);
    return (
      stdout
        .split('\n\n')[0]
        ?.split('\n')
        .map((line) => line.split(/ {2,}/)[0] ?? '') ?? []
    );
  }

  test('--only takes an id, a table and a glob', async () => {
    expect(await list('--only', 'list/empty[sold]')).toEqual(['list/empty[sold]']);
    expect(await list('--only', 'list/empty')).toHaveLength(3);
    expect(await list('--only', 'list/*')).toHaveLength(8);
  });

  test('--only runs what a scenario depends on', async () => {
    expect(await list('--only', 'create/alike')).toEqual(['create/minimal', 'create/alike']);
  });

  test('--again runs one with what it depends on', async () => {
    const { url } = await start();
    const { result } = await askForResult(url, '--again', 'get/neighbours');
    expect(result.scenarios.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['create/minimal', 'passed'],
      ['get/neighbours', 'passed'],
    ]);
  });

  test('--skip leaves out', async () => {
    const ids = await list('--skip', 'limits/*', '--skip', 'list/empty');
    expect(ids.filter((id) => id.startsWith('limits/') || id.startsWith('list/empty'))).toEqual([]);
    expect(ids).toContain('list/every-time[first]');
  });

  test('--scenarios adds scenarios, which may build on those that ship', async () => {
    const { url } = await start();
    const { result } = await askForResult(
      url,
      '--scenarios',
      makeFolder({ 'mine.yaml': OWN_SCENARIO }),
      '--only',
      'mine/*',
    );
    expect(result.scenarios.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['create/minimal', 'passed'],
      ['mine/own', 'passed'],
    ]);
  });

  test('--bail stops at the first deviation', async () => {
    const opponent = await startOpponent({ faults: ['list-id-as-text'] });
    closing.push(() => opponent.close());
    const { code, result } = await askForResult(opponent.url, '--bail', '--only', 'list/*', '--concurrency', '1');
    expect(code).toBe(1);
    expect(result.summary).toMatchObject({ deviated: 1, skipped: 7 });
  });
});

describe('the reports', () => {
  test('--report-dir takes those that are files, and pretty stays on stdout', async () => {
    const { url } = await start();
    const folder = join(makeFolder(), 'a', 'b');
    const { code, stdout } = await ask(
      url,
      '--only',
      'list/*',
      '--report',
      'pretty,json',
      '--report',
      'junit',
      '--report-dir',
      folder,
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\d+ passed · 0 deviated/m);
    expect(stdout).not.toContain('{');
    expect((JSON.parse(readFileSync(join(folder, 'conformance.json'), 'utf8')) as RunResult).version).toBe(1);
    expect(readFileSync(join(folder, 'conformance-junit.xml'), 'utf8')).toMatch(/^<\?xml/);
  });

  test('--report json alone goes to stdout, and to a file with --report-dir', async () => {
    const { url } = await start();
    const folder = makeFolder();
    const { stdout } = await ask(url, '--only', 'list/*', '--report', 'json', '--report-dir', folder);
    expect(stdout).toBe('');
    expect(existsSync(join(folder, 'conformance.json'))).toBe(true);
    expect((await askForResult(url, '--only', 'list/*')).result.summary.deviated).toBe(0);
  });

  test('a folder that cannot be written is a usage error', async () => {
    const { url } = await start();
    const inFile = join(makeFolder({ file: '' }), 'file');
    const { code, stderr } = await ask(url, '--only', 'list/*', '--report', 'json', '--report-dir', inFile);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('cannot write') });
  });

  test('--quiet leaves the summary alone', async () => {
    const { url } = await start();
    const { stdout, stderr } = await ask(url, '--quiet', '--only', 'open-points/head');
    expect({ lines: stdout.trim().split('\n').length, stderr }).toEqual({ lines: 1, stderr: '' });
  });

  test.each([
    [[], { FORCE_COLOR: '1' }, true],
    [['--no-color'], { FORCE_COLOR: '1' }, false],
    [[], { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
    [[], {}, false],
  ] as [string[], Record<string, string>, boolean][])('%j with %j is coloured: %s', async (args, env, colored) => {
    const { url } = await start();
    const { stdout } = await runRunner(['--target', url, '--api-key', KEY, '--only', 'list/*', ...args], { env });
    expect(stdout.includes('\u001B[')).toBe(colored);
  });

  test('a reader that hangs up after a line does no harm', async () => {
    const command = `"${process.execPath}" "${RUNNER}" --list | head -1`;
    const output = await new Promise((resolve) => exec(command, (_, stdout, stderr) => resolve({ stdout, stderr })));
    expect(output).toEqual({ stdout: expect.stringMatching(/^authentication\/.*\n$/), stderr: '' });
  });
});

describe('waiting and ending', () => {
  test('--wait-for-target waits until it is there', async () => {
    const { port, close } = await reservePort();
    await close();
    const ending = ask(`http://127.0.0.1:${port}/v1`, '--wait-for-target', '15', '--only', 'list/every-time[first]');
    await new Promise((resolve) => setTimeout(resolve, 700));
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
    }).listen(port, '127.0.0.1');
    closing.push(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));
    expect((await ending).code).toBe(0);
  });

  test('--wait-for-target gives up, and says how long it waited', async () => {
    const { code, stderr } = await ask(ADDRESS_OF_NOBODY, '--wait-for-target', '0.5');
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: expect.stringContaining('nothing listens there, after waiting 0.5 s.'),
    });
  });

  test('an interruption ends with a report of what was done, and 130', async () => {
    let answered = 0;
    const hanging = new Promise<undefined>(() => {});
    const { url } = await start(() => ({ intercept: () => (answered++ < 8 ? undefined : hanging) }));
    const runner = new RunnerProgram([
      '--target',
      url,
      '--api-key',
      KEY,
      '--report',
      'json',
      '--only',
      'list/*',
      '--concurrency',
      '1',
    ]);
    while (answered < 9) await new Promise((resolve) => setTimeout(resolve, 20));
    const interruptedAt = performance.now();
    runner.process.kill('SIGINT');
    const { code, stdout } = await runner.ended;
    expect(performance.now() - interruptedAt).toBeLessThan(5000);
    expect(code).toBe(130);
    const { interrupted, summary } = JSON.parse(stdout) as RunResult;
    expect({ interrupted, deviated: summary.deviated }).toEqual({ interrupted: true, deviated: 0 });
    expect(summary.passed).toBeGreaterThan(0);
    expect(summary.inconclusive).toBeGreaterThan(0);
  });

  test('an interruption while the target is waited for ends with 130 too', async () => {
    const runner = new RunnerProgram(['--target', ADDRESS_OF_NOBODY, '--api-key', KEY, '--wait-for-target', '60']);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    runner.process.kill('SIGINT');
    const { code, stderr } = await runner.ended;
    expect({ code, stderr }).toEqual({ code: 130, stderr: expect.stringContaining('interrupted') });
  });
});

describe('a target whose certificate nobody vouches for', () => {
  async function startTls(): Promise<{ url: string; certificate: string }> {
    const certificate = makeSelfSignedCertificate();
    const server = createTlsServer(certificate, (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    closing.push(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));
    const { port } = server.address() as AddressInfo;
    const file = join(makeFolder({ 'ca.pem': certificate.cert }), 'ca.pem');
    return { url: `https://localhost:${port}/v1`, certificate: file };
  }

  test('cannot be reached', async () => {
    const { url } = await startTls();
    const { code, stderr } = await ask(url);
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: expect.stringMatching(/could not be secured \(\w*SELF_SIGNED/),
    });
  });

  test('is tested with --ca', async () => {
    const { url, certificate } = await startTls();
    expect(await ask(url, '--ca', certificate, '--only', 'list/*')).toMatchObject({ code: 0 });
  });
});

test('--help names every option, and --version the version', async () => {
  const help = await runRunner(['--help']);
  expect(help).toMatchObject({ code: 0, stderr: '' });
  for (const flag of ['--target', '--api-key-file', '--max-creates', '--again', '--report-dir', '--ca', '--settle'])
    expect(help.stdout).toContain(flag);
  expect((await runRunner(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

async function reservePort(): Promise<{ port: number; close: () => Promise<unknown> }> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return { port, close: () => new Promise((resolve) => server.close(resolve)) };
}
