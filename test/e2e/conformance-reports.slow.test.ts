import { exec } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageFile } from '../../src/package-files.js';
import { reportFormats } from '../../src/report/index.js';
import { ask, KEY, start } from '../conformance/support/ask.js';
import { makeFolder } from '../support/folder.js';
import { RUNNER, runRunner } from '../conformance/support/runner-program.js';

describe('the reports', () => {
  test('every format that has a file is written, and none of them shows the key', async () => {
    const { url } = await start();
    const folder = makeFolder();
    const names = Object.keys(reportFormats).join(',');
    const { code, stdout } = await ask(
      url,
      '--only',
      'pets/refusals/credential*',
      '--report',
      names,
      '--report-dir',
      folder,
    );
    expect(code).toBe(0);
    const files = Object.values(reportFormats).flatMap(({ file }) => file ?? []);
    expect(readdirSync(folder).toSorted()).toEqual(files.toSorted());
    for (const text of [stdout, ...files.map((file) => readFileSync(join(folder, file), 'utf8'))]) {
      expect(text).not.toBe('');
      expect(text).not.toContain(KEY);
    }
  });

  test('docs/conformance.md names every format with its file, and --help every format', async () => {
    const page = readFileSync(packageFile('docs/conformance.md'), 'utf8');
    const help = (await runRunner(['--help', 'all'])).stdout;
    for (const { name, file } of Object.values(reportFormats)) {
      const row = page.split('\n').find((line) => line.startsWith(`| \`${name}\` `));
      expect(row).toContain(file === undefined ? 'goes to stdout' : `\`${file}\``);
      expect(help).toMatch(new RegExp(`\\b${name}\\b`));
    }
  });

  test('a message about what was wrong is no command to the log of a CI job', async () => {
    const { code, stderr } = await ask('http://127.0.0.1:9/v1', '--report', '##[error]x');
    expect(code).toBe(2);
    expect(stderr).toContain(String.raw`there is no format \u0023#[error]x`);
    expect((await ask('http://127.0.0.1:9/v1', '--only', '\n::error::x')).stderr).not.toMatch(/^\s*::/m);
  });

  test.each([
    [[], { FORCE_COLOR: '1' }, true],
    [['--no-color'], { FORCE_COLOR: '1' }, false],
    [[], { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
    [[], {}, false],
  ] as [string[], Record<string, string>, boolean][])('%j with %j is coloured: %s', async (args, env, colored) => {
    const { url } = await start();
    const { stdout } = await runRunner(['--target', url, '--api-key', KEY, '--only', 'pets/lists/at-start', ...args], {
      env,
    });
    expect(stdout.includes('\u001B[')).toBe(colored);
  });

  test('a reader that hangs up after a line does no harm', async () => {
    const command = `"${process.execPath}" "${RUNNER}" --list | head -1`;
    const output = await new Promise((resolve) => exec(command, (_, stdout, stderr) => resolve({ stdout, stderr })));
    expect(output).toEqual({ stdout: expect.stringMatching(/^petstore\/key-before-body.*\n$/), stderr: '' });
  });
});
