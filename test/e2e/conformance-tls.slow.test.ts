import { beforeAll, describe, expect, test } from 'vitest';
import type { RunResult } from '../../src/conformance/model/result.js';
import { closeLater, KEY, start } from '../conformance/support/ask.js';
import { makeFolder } from '../support/folder.js';
import { runRunner, type RunnerEnd } from '../conformance/support/runner-program.js';
import { hasOpenssl, makeCertificates, type Certificates } from '../support/network/certificates.js';
import { startTlsFront } from '../support/network/start-tls-front.js';
import { isMissing } from '../support/optional-tool.js';

const withoutOpenssl = isMissing({
  found: hasOpenssl(),
  name: 'openssl',
  howToGet: 'install it (on Debian: apt-get install openssl)',
});

describe.skipIf(withoutOpenssl)('a target with TLS', () => {
  let files: Certificates;

  beforeAll(() => {
    files = makeCertificates();
  });

  async function startTarget({ asksClient = false, host = 'localhost' } = {}): Promise<
    (args: string[], env?: Record<string, string>) => Promise<RunnerEnd>
  > {
    const { url } = await start();
    const front = await startTlsFront(url, files, { asksClient });
    closeLater(() => front.close());
    const target = `https://${host}:${front.port}/v1`;
    return (args, env) =>
      runRunner(['--target', target, '--only', 'pets/lists/at-start', '--only', 'pets/records/create', ...args], {
        env: { PETSTORE_API_KEY: KEY, ...env },
      });
  }

  test('is trusted when its authority is, by name and by address', async () => {
    expect(await (await startTarget())(['--ca', files.ca])).toMatchObject({ code: 0 });
    expect(await (await startTarget({ host: '127.0.0.1' }))(['--ca', files.ca])).toMatchObject({ code: 0 });
  });

  test.each([
    ['no authority', (): string[] => []],
    ['another authority', () => ['--ca', files.otherCa]],
  ])('is not trusted with %s, and the message says what to do', async (_, args) => {
    const { code, stderr } = await (await startTarget())(args());
    expect([code, stderr]).toEqual([3, expect.stringContaining('give the authority with --ca')]);
  });

  test('that asks for a certificate says so to those who have none', async () => {
    const { code, stderr } = await (await startTarget({ asksClient: true }))(['--ca', files.ca]);
    expect([code, stderr]).toEqual([3, expect.stringContaining('with --cert and --cert-key')]);
  });

  test('takes a client certificate, its key in a file of its own', async () => {
    const { cert, key } = files.client;
    const ask = await startTarget({ asksClient: true });
    expect(await ask(['--ca', files.ca, '--cert', cert, '--cert-key', key])).toMatchObject({ code: 0 });
  });

  test('is trusted blindly with --insecure, which the output and every report say', async () => {
    const ask = await startTarget();
    const { code, stdout, stderr } = await ask(['--insecure', '--report', 'json']);
    expect([code, stderr]).toEqual([0, expect.stringContaining('WARNING: certificates are not checked (--insecure)')]);
    expect((JSON.parse(stdout) as RunResult).notes).toEqual([expect.stringContaining('certificates were not checked')]);
    expect((await ask(['--insecure'])).stdout).toContain('! certificates were not checked (--insecure)');
  });

  const plain = makeFolder({ 'plain.txt': 'no certificate' });
});
