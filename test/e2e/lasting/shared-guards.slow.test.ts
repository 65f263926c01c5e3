import { expect, test } from 'vitest';
import { startEngine } from '../../server/lasting/support/redis.js';
import { join, create, send } from '../../server/lasting/support/replicas.js';
import { findFreePort } from '../../support/free-port.js';
import { lacksOpenssl, makeCertificates } from '../../support/network/certificates.js';
import { runProgram } from '../../support/run-program.js';
import { start } from '../../support/started-program.js';
import { startReplica } from './support/programs.js';

const PASSWORD = 's3cret-w0rd';

test.skipIf(lacksOpenssl())(
  'TLS: the engine is known by the authority that signed for it, by name and by address, and no other is spoken to',
  async () => {
    const { ca, server } = makeCertificates();
    const port = await findFreePort();
    const own = { 'tls-port': `${port}`, 'tls-cert-file': server.cert, 'tls-key-file': server.key };
    const options = {
      ...own,
      'tls-ca-cert-file': ca,
      'tls-auth-clients': 'no',
      requirepass: PASSWORD,
      appendonly: 'yes',
    };
    await startEngine(...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]));
    const urlAt = (host: string): string => `rediss://:${PASSWORD}@${host}:${port}/0`;
    const env = { NODE_EXTRA_CA_CERTS: ca };
    for (const host of ['localhost', '127.0.0.1']) {
      expect((await start(['--log', 'json', '--shared', urlAt(host)], { env })).stderr).toBe('');
    }
    const untrusted = await runProgram(['--log', 'json', '--port', '0', '--shared', urlAt('localhost')]);
    expect(untrusted).toEqual({
      code: 2,
      stdout: '',
      stderr: `petstore-mock: redis at localhost:${port}/0 cannot be used: its certificate is rejected (SELF_SIGNED_CERT_IN_CHAIN); NODE_EXTRA_CA_CERTS can name your own authority.\n`,
    });
  },
);

test('what follows from an engine that may drop keys, and keeps no file, is said at the start', async () => {
  const engine = await startEngine('--maxmemory', '100mb', '--maxmemory-policy', 'allkeys-lru');
  const one = await startReplica(engine);
  const about = `petstore-mock: ${engine.shown}`;
  await one.until(/noeviction\.\n/, 'stderr');
  expect(one.stderr).toBe(
    `${about} has no append-only file (appendonly no): if it is killed while no replica runs, changes since its last snapshot are lost. Set appendonly yes to store them.
${about} may drop what replicas share when its memory is full (maxmemory-policy allkeys-lru). Set maxmemory-policy noeviction.
`,
  );
});

/** What makes a program believe that it is another day. */
const anotherDay = (days: number): string => `
const Here = Date;
globalThis.Date = class extends Here {
  constructor(...given) { if (given.length === 0) super(Date.now()); else super(...given); }
  static now() { return Here.now() + ${days} * 86_400_000; }
};`;

test('replicas whose clocks are days apart are one mock all the same', async () => {
  const engine = await startEngine();
  const one = await join(engine, { fixtures: 'empty' });
  const others = await Promise.all(
    [1, -1].map((days) => {
      const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(anotherDay(days))}`;
      return start(['--log', 'json', '--shared', engine.url, '--fixtures', 'empty'], { env: { NODE_OPTIONS } });
    }),
  );
  expect(others.map(({ stdout }) => new Date((JSON.parse(stdout) as { time: string }).time).getTime())).toEqual([
    expect.closeTo(Date.now() + 86_400_000, -8),
    expect.closeTo(Date.now() - 86_400_000, -8),
  ]);
  const mocks = [one, ...others.map(({ url }) => ({ url }) as typeof one)];
  for (let round = 0; round < 4; round++)
    for (const [index, mock] of mocks.entries())
      expect(await create(mock, `pet ${round} ${index}`)).toMatchObject({
        status: 201,
        body: { id: 3 * round + index + 1 },
      });
  const lists = await Promise.all(mocks.map((mock) => send(mock, 'GET', '/pets')));
  for (const { body } of lists) expect(body).toEqual(lists[0]?.body);
});
