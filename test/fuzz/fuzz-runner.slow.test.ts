import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runRunner } from '../conformance/support/runner-program.js';
import { makeFolder } from '../support/folder.js';
import { start } from '../support/started-program.js';
import { createDraws, FUZZ_ROUNDS, FUZZ_SEED } from './draws.js';
import { drawContract } from './draw-contract.js';
import { startHostileProxy } from './hostile-proxy.js';

const SECRET = 'a-key-that-nobody-shows';

/** Few runs give a target up before they have judged anything. */
let reported = 0;

test.each(Array.from({ length: FUZZ_ROUNDS }, (_, round) => FUZZ_SEED * 1000 + round))(
  'a run at a target whose answers are spoiled as drawn by %d ends with a report, and shows no key',
  async (seed) => {
    process.stdout.write(`fuzzing the runner with seed ${seed}\n`);
    const draws = createDraws(seed);
    const spec = seed % 2 === 0 ? [] : ['--spec', writeContract(seed)];
    const env = { PETSTORE_API_KEY: SECRET };
    const mock = await start([...spec, '--no-prism'], { env });
    const proxy = await startHostileProxy(new URL(mock.url).origin, draws.pick([0.02, 0.1, 0.4]), draws);
    onTestFinished(proxy.close);
    // One scenario at a time, so that the same requests meet the same draws.
    const limits = ['--max-requests', '150', '--timeout', '2', '--settle', '0.2', '--concurrency', '1'];
    const folder = makeFolder();
    const reports = ['--report', 'pretty,json,html,junit,markdown,sarif,har', '--report-dir', folder];
    const { code, stdout, stderr } = await runRunner(['--target', proxy.url, ...spec, ...limits, ...reports], { env });
    const files = FILES.filter((name) => existsSync(join(folder, name)));
    const shown = [stdout, stderr, ...files.map((name) => readFileSync(join(folder, name), 'utf8'))].join('\n');
    expect(code === null || code > 3 ? `${code} ${stderr}` : '').toBe('');
    expect(stdout + stderr).toMatch(/\S/);
    expect(shown).not.toContain(SECRET);
    if (code !== 0 && code !== 1) return;
    expect(files).toEqual(FILES);
    reported += 1;
  },
);

test('most of these runs judge something', () => expect(reported).toBeGreaterThan(FUZZ_ROUNDS / 2));

const FILES = ['html', 'json', 'md', 'sarif', 'har'].map((ending) => `conformance.${ending}`);

function writeContract(seed: number): string {
  const file = join(makeFolder(), 'drawn.openapi.json');
  writeFileSync(file, JSON.stringify(drawContract(createDraws(seed)).document));
  return file;
}
