import { describe, expect, test } from 'vitest';
import { ADDRESS_OF_NOBODY, ask, closeLater, KEY, start } from '../conformance/support/ask.js';
import { echoing } from '../conformance/support/changes.js';
import { runRunner } from '../conformance/support/runner-program.js';
import { startMutationServer, startWith } from '../mutation/server/start-server.js';

/** As much of a HAR as is looked at. */
interface HarLog {
  version: string;
  entries: { request: { headers: object[] }; response: { content: { text: string } } }[];
}

describe('what was mistyped is told with what to do, without a stack trace', () => {
  test('with exit code 2, on stderr alone', async () => {
    const { code, stdout, stderr } = await ask(ADDRESS_OF_NOBODY, '--timout', '3');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe('petstore-conformance: there is no option --timout; did you mean --timeout?\n');
  });

  test('no key', async () => {
    const server = await startMutationServer();
    closeLater(() => server.close());
    // This machine, by a name that the program does not take for it.
    const { code, stderr } = await runRunner(['--target', server.url.replace('127.0.0.1', '0.0.0.0')]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('there is no API key') });
  });

  test('no key for a target on this machine that does not take the default one of the mock', async () => {
    const server = await startMutationServer();
    try {
      const { code, stderr } = await runRunner(['--target', server.url]);
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: expect.stringMatching(/there is no API key; .* default key is rejected/),
      });
    } finally {
      await server.close();
    }
  });
});

describe('the key', () => {
  const sent = [KEY, 'Mutation-Key-7f3Q', 'mUTATION-kEY', 'Nvubujpo-Lfz'];

  test.each(['pretty', 'json', 'junit'])('is in no %s report of a target that echoes it', async (format) => {
    const { url } = await start(echoing);
    const { code, stdout, stderr } = await ask(
      url,
      '--report',
      format,
      '--only',
      'pets/refusals/credential*',
      '--strict',
    );
    expect(code).toBe(1);
    for (const text of sent) expect(stdout + stderr).not.toContain(text);
  });

  test('is in no report when it has characters that JSON or a URL writes otherwise', async () => {
    const key = 'Odd "Key\\ with/ 100%&é';
    const server = await startWith([
      echoing,
      // The key is sent as UTF-8, and Node reads each byte of a header field as a letter.
      () => ({
        hasValidKey: ({ headers }) => headers.authorization === Buffer.from(`Bearer ${key}`).toString('latin1'),
      }),
    ]);
    closeLater(() => server.close());
    const end = await runRunner(['--target', server.url, '--report', 'json', '--only', 'pets/lists/at-start'], {
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

  test('a header field that is called like a secret and says nothing takes nothing else out', async () => {
    const { url } = await start();
    const { stdout } = await ask(url, '--header', 'X-Auth-Mode: 1', '--report', 'har', '--only', 'pets/lists/at-start');
    const { log } = JSON.parse(stdout) as { log: HarLog };
    const [entry] = log.entries;
    expect(log.version).toBe('1.2');
    expect(entry?.request.headers).toContainEqual({ name: 'X-Auth-Mode', value: '[redacted]' });
    expect(entry?.response.content.text).toMatch(/"categoryId":1\b/);
  });
});

test('--help is one screen, --help all names every option, and --version the version', async () => {
  const short = await runRunner(['--help']);
  expect(short).toMatchObject({ code: 0, stderr: '' });
  expect(short.stdout.split('\n').length).toBeLessThanOrEqual(40);
  for (const word of ['init', 'gaps', 'diff', 'merge', '--target', '--spec', '--help all', 'Examples:'])
    expect(short.stdout).toContain(word);
  const help = await runRunner(['--help', 'all']);
  expect(help).toMatchObject({ code: 0, stderr: '' });
  for (const flag of ['--target', '--api-key-file', '--max-creates', '--again', '--report-dir', '--ca', '--settle'])
    expect(help.stdout).toContain(flag);
  expect((await runRunner(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});
