import { beforeAll, describe, expect, test } from 'vitest';
import type { RunResult } from '../../src/conformance/model/result.js';
import { closeLater, KEY, start } from '../conformance/support/ask.js';
import { type RunnerEnd, runRunner } from '../conformance/support/runner-program.js';
import { type Certificates, lacksOpenssl, makeCertificates } from '../support/network/certificates.js';
import { type Proxy, startProxy } from '../support/network/start-proxy.js';
import { startTlsFront } from '../support/network/start-tls-front.js';

async function openProxy(options?: Parameters<typeof startProxy>[0]): Promise<Proxy> {
  const proxy = await startProxy(options);
  closeLater(() => proxy.close());
  return proxy;
}

function ask(target: string, env: Record<string, string>, ...args: string[]): Promise<RunnerEnd> {
  const only = ['--only', 'pets/lists/at-start', '--only', 'pets/records/create'];
  return runRunner(['--target', target, ...only, ...args], { env: { PETSTORE_API_KEY: KEY, ...env } });
}

const ADDRESS_OF_NO_PROXY = 'http://127.0.0.1:9';
const at = ({ port }: Proxy): string => `http://127.0.0.1:${port}`;

describe('a target without TLS', () => {
  test.each(['HTTP_PROXY', 'all_proxy'])('is asked by the proxy of %s', async (name) => {
    const { url, log } = await start();
    const proxy = await openProxy();
    const { code, stdout } = await ask(url, { [name]: at(proxy) }, '--report', 'json');
    expect(code).toBe(0);
    expect(proxy.log).toContain(`POST ${url}/pets`);
    expect(proxy.log).toHaveLength(log.length);
    const note = `every request went through the proxy ${at(proxy)}`;
    expect((JSON.parse(stdout) as RunResult).notes).toContain(note);
  });

  test('is asked as the request stands, whatever dots and slashes its path has', async () => {
    const { url } = await start();
    const proxy = await openProxy();
    await ask(url, { HTTP_PROXY: at(proxy) }, '--only', 'pets/requests/*', '--only', 'pets/service/*');
    for (const line of proxy.log) expect(line).toMatch(/^[A-Z]+ http:\/\/127\.0\.0\.1:\d+\/v1/);
  });

  test.each([{ HTTP_PROXY: ADDRESS_OF_NO_PROXY, NO_PROXY: '127.0.0.1' }, { HTTPS_PROXY: ADDRESS_OF_NO_PROXY }])(
    'is asked directly where %j says so',
    async (env) => expect(await ask((await start()).url, env)).toMatchObject({ code: 0 }),
  );

  test('a proxy gets its credentials, and no output shows them', async () => {
    const { url } = await start();
    const proxy = await openProxy({ password: 'pass/word' });
    const env = { HTTP_PROXY: `http://ann:pass%2Fword@127.0.0.1:${proxy.port}` };
    const { code, stdout, stderr } = await ask(url, env, '--report', 'json');
    expect(code).toBe(0);
    expect(new Set(proxy.credentials)).toEqual(new Set([`Basic ${Buffer.from('ann:pass/word').toString('base64')}`]));
    for (const secret of ['pass/word', 'pass%2Fword', Buffer.from('ann:pass/word').toString('base64')])
      expect(stdout + stderr).not.toContain(secret);
  });

  test('a proxy without a scheme is an HTTP proxy', async () => {
    const { url } = await start();
    const proxy = await openProxy();
    expect(await ask(url, { HTTP_PROXY: `127.0.0.1:${proxy.port}` })).toMatchObject({ code: 0 });
    expect(proxy.log.length).toBeGreaterThan(0);
  });
});

describe('a proxy that cannot be used is told, and not taken for the target', () => {
  test('it asks for credentials', async () => {
    const { url } = await start();
    const proxy = await openProxy({ password: 'secret-word' });
    const { code, stderr } = await ask(url, { HTTP_PROXY: `http://ann:wrong-word@127.0.0.1:${proxy.port}` });
    expect([code, stderr]).toEqual([3, expect.stringContaining(`the proxy ${at(proxy)} returns 407`)]);
    expect(stderr).not.toContain('wrong-word');
  });

  test.each([502, 407])('it answers a tunnel with %i', async (answer) => {
    const { code, stderr } = await ask('https://localhost:9/v1', { HTTPS_PROXY: at(await openProxy({ answer })) });
    expect([code, stderr]).toEqual([3, expect.stringContaining(`returns ${answer}`)]);
  });

  test.each(['http://localhost:9/v1', 'https://localhost:9/v1'])('nothing listens there: %s', async (target) => {
    const { code, stderr } = await ask(target, { ALL_PROXY: ADDRESS_OF_NO_PROXY });
    const told = 'the proxy http://127.0.0.1:9 cannot be used: nothing listens there';
    expect([code, stderr]).toEqual([3, expect.stringContaining(told)]);
  });

  test.each(['socks5://ann:s3cret@127.0.0.1:9', 'http://ann:%zz@127.0.0.1:9'])('its URL is %s', async (url) => {
    const { code, stderr } = await ask('http://localhost:9/v1', { HTTP_PROXY: url });
    expect([code, stderr]).toEqual([2, expect.stringContaining('the proxy cannot be used')]);
    expect(stderr).not.toMatch(/s3cret|%zz/);
  });
});

describe.skipIf(lacksOpenssl())('a target with TLS', () => {
  let files: Certificates;

  beforeAll(() => void (files = makeCertificates()));

  test.each([
    ['HTTPS_PROXY', 'localhost', false],
    ['https_proxy', '127.0.0.1', true],
  ])('is reached through a tunnel of %s, as %s', async (name, host, asksClient) => {
    const { url } = await start();
    const front = await startTlsFront(url, files, { asksClient });
    closeLater(() => front.close());
    const proxy = await openProxy({ password: 'pass' });
    const env = { [name]: `http://ann:pass@127.0.0.1:${proxy.port}` };
    const own = asksClient ? ['--cert', files.client.cert, '--cert-key', files.client.key] : [];
    const { code, stderr } = await ask(`https://${host}:${front.port}/v1`, env, '--ca', files.ca, ...own);
    expect([code, stderr]).toEqual([0, expect.anything()]);
    expect(new Set(proxy.log)).toEqual(new Set([`CONNECT ${host}:${front.port}`]));
    const untrusted = await ask(`https://${host}:${front.port}/v1`, env, '--ca', files.otherCa);
    expect([untrusted.code, untrusted.stderr]).toEqual([3, expect.stringContaining('with --ca')]);
  });

  async function startTarget({ asksClient = false, host = 'localhost' } = {}): Promise<
    (...args: string[]) => Promise<RunnerEnd>
  > {
    const front = await startTlsFront((await start()).url, files, { asksClient });
    closeLater(() => front.close());
    return (...args) => ask(`https://${host}:${front.port}/v1`, {}, ...args);
  }

  test('is trusted when its authority is, by name and by address', async () => {
    expect(await (await startTarget())('--ca', files.ca)).toMatchObject({ code: 0 });
    expect(await (await startTarget({ host: '127.0.0.1' }))('--ca', files.ca)).toMatchObject({ code: 0 });
  });

  test('is not trusted with no or another authority, and the message says what to do', async () => {
    const reach = await startTarget();
    for (const { code, stderr } of [await reach(), await reach('--ca', files.otherCa)])
      expect([code, stderr]).toEqual([3, expect.stringContaining('give the authority with --ca')]);
  });

  test('that asks for a certificate says so to those who have none, and takes it, its key in a file of its own', async () => {
    const { cert, key } = files.client;
    const reach = await startTarget({ asksClient: true });
    const { code, stderr } = await reach('--ca', files.ca);
    expect([code, stderr]).toEqual([3, expect.stringContaining('with --cert and --cert-key')]);
    expect(await reach('--ca', files.ca, '--cert', cert, '--cert-key', key)).toMatchObject({ code: 0 });
  });

  test('is trusted blindly with --insecure, which the output and every report say', async () => {
    const reach = await startTarget();
    const { code, stdout, stderr } = await reach('--insecure', '--report', 'json');
    expect([code, stderr]).toEqual([0, expect.stringContaining('WARNING: certificates are not checked (--insecure)')]);
    expect((JSON.parse(stdout) as RunResult).notes).toEqual([expect.stringContaining('certificates were not checked')]);
    expect((await reach('--insecure')).stdout).toContain('! certificates were not checked (--insecure)');
  });
});
