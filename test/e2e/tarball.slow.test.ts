import { execFile, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { words } from '../support/words.js';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** `npm test` built already; what another script of npm's left in the environment is not handed on. */
const env = Object.fromEntries(
  Object.entries({ ...process.env, NO_UPDATE_NOTIFIER: '1' }).filter(([name]) => !name.startsWith('npm_')),
);

describe('the tarball', () => {
  let tarball: string;
  let folder: string;

  beforeAll(async () => {
    const packed = mkdtempSync(join(tmpdir(), 'petstore-mock-pack-'));
    await run('npm', ['pack', '--ignore-scripts', '--pack-destination', packed], { cwd: ROOT, env });
    tarball = join(packed, readdirSync(packed)[0] ?? '');
    folder = mkdtempSync(join(tmpdir(), 'petstore-mock-empty-'));
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
    await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', tarball], { cwd: folder, env });
  });

  test('holds what users need and nothing else', () => {
    const listed = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).trim().split('\n');
    const parts = new Set(listed.map((path) => path.split('/')[1]));
    for (const part of ['dist', 'spec', 'fixtures', 'docs', 'README.md', 'LICENSE', 'CHANGELOG.md', 'package.json']) {
      expect(parts).toContain(part);
    }
    for (const part of ['src', 'test', 'bench', 'node_modules', '.ci']) expect(parts).not.toContain(part);
    expect(listed).toContain('package/spec/petstore-mock.config.schema.json');
    expect(listed).toContain('package/spec/profile.schema.json');
  });

  test('runs as a program from an empty folder', async () => {
    // In a group of its own, as a terminal has it: npx does not pass a signal on.
    const args = ['petstore-mock', '--port', '0', '--log', 'json'];
    const program = spawn('npx', args, { cwd: folder, env, detached: true });
    const ready = await new Promise<string>((resolve, reject) => {
      program.stdout.setEncoding('utf8').once('data', resolve);
      program.once('exit', (code) => reject(new Error(`it ended with ${code}`)));
    });
    const { url } = JSON.parse(ready) as { url: string };
    const response = await fetch(`${url}/pets?limit=1`, { headers: { authorization: 'Bearer petstore-dev-key' } });
    expect(response.status).toBe(200);
    program.removeAllListeners('exit');
    const exited = new Promise((resolve) => program.once('exit', resolve));
    process.kill(-(program.pid ?? 0), 'SIGTERM');
    await exited;
  });

  test('runs with npx from the tarball itself', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'petstore-mock-npx-'));
    const args = ['--yes', '--prefer-offline', `--package=${tarball}`, 'petstore-mock', '--check'];
    expect((await run('npx', args, { cwd: elsewhere, env })).stdout).toContain('Petstore 1.0.0, 3 operations');
  });

  /** What a module prints that is run in the folder. */
  const runModule = async (code: string): Promise<string> =>
    (await run(process.execPath, ['--input-type=module', '-e', code], { cwd: folder, env })).stdout;

  test('answers what keeps no state from the contract alone', async () => {
    const printed = await runModule(`import { startPetstoreMock } from 'petstore-mock';
      const mock = await startPetstoreMock({ spec: 'node_modules/petstore-mock/examples/store-orders/petstore.openapi.yaml' });
      const headers = { authorization: 'Bearer petstore-dev-key' };
      const answer = await fetch(mock.url + '/store/inventory', { headers });
      console.log(answer.status, JSON.stringify(await answer.json()));
      await mock.close();`);
    expect(printed).toMatch(/^200 \{/);
  });

  test('is imported as a library, and shows its schemas to those who import them', async () => {
    const printed = await runModule(`
      import { startPetstoreMock, createPetstoreApp } from 'petstore-mock';
      const mock = await startPetstoreMock({ fixtures: 'one' });
      const headers = { authorization: 'Bearer petstore-dev-key' };
      console.log(await (await fetch(mock.url + '/pets', { headers })).text(), typeof createPetstoreApp({}));
      console.log(import.meta.resolve('petstore-mock/spec/petstore-mock.config.schema.json'));
      await mock.close();`);
    const [pets, schema] = printed.split('\n');
    expect(pets).toBe('[{"id":1,"name":"Rex","categoryId":1,"status":"available"}] function');
    expect(schema).toContain('spec/petstore-mock.config.schema.json');
  });

  test('has types that a project with @types/node compiles against', async () => {
    mkdirSync(join(folder, 'node_modules/@types'), { recursive: true });
    const use = `import { startPetstoreMock, createPetstoreApp, type Pet } from 'petstore-mock';
const mock = await startPetstoreMock({ port: 0 });
const pets: readonly Readonly<Pet>[] = await mock.pets.list({ status: 'sold' });
console.log(pets.length, createPetstoreApp);\n`;
    writeFileSync(join(folder, 'use.ts'), use);
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    const types = join(ROOT, 'node_modules/@types');
    // Without skipLibCheck: our declarations must stand by themselves.
    const flags = words`--noEmit --strict --module nodenext --target es2023 --lib es2023,esnext.disposable`;
    const args = [compiler, ...flags, '--types', 'node', '--typeRoots', types, 'use.ts'];
    const { stdout } = await run(process.execPath, args, { cwd: folder, env });
    expect(stdout).toBe('');
  });
});
