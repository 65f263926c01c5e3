import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { KEY, Running, startProgram } from '../support/run-program.js';

function open(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => resolve(socket));
    socket.on('error', reject);
  });
}

/** Asks for pets that take their time, and resolves once the program holds the request back. */
async function askSlowly(delay: number): Promise<{ running: Running; url: string; answer: Promise<Response> }> {
  const running = await startProgram(['--fault', `*:delay=${delay}`]);
  const answer = fetch(`${running.url}/pets?limit=1`, { headers: KEY });
  answer.catch(() => {});
  await eventually(async () => {
    const faults = await fetch(new URL('/__admin/faults', running.url));
    expect(await faults.text()).toMatch(/"hits":1/);
  });
  return { running, url: running.url, answer };
}

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s ends an idle program at once, with 0, whoever is connected',
  async (signal) => {
    const running = await startProgram();
    const socket = await open(running.url);
    await fetch(`${running.url}/pets`, { headers: KEY });
    running.process.kill(signal);
    expect((await running.exited).code).toBe(0);
    socket.destroy();
  },
);

test('SIGINT ends a program that still generates, which tells how far it is', async () => {
  const running = new Running(['--port', '0', '--count', '1000000']);
  await running.until(/generated \d+ of 1000000 pets; press Ctrl-C to stop\./, 'stderr');
  running.process.kill('SIGINT');
  expect((await running.exited).stdout).toBe('');
});

test('SIGTERM lets an exchange under way end, and accepts no other', async () => {
  const { running, url, answer } = await askSlowly(1000);
  running.process.kill('SIGTERM');
  await eventually(() => expect(fetch(`${url}/pets`)).rejects.toThrow('fetch failed'));
  const response = await answer;
  expect([response.status, ((await response.json()) as []).length]).toEqual([200, 1]);
  expect((await running.exited).code).toBe(0);
});

test('a second SIGINT cuts what is under way, and one is told how', async () => {
  const { running, answer } = await askSlowly(86_400_000);
  running.process.kill('SIGINT');
  await running.until(/stops when 1 exchange has ended, in 5 s at most; a second signal closes it at once\./, 'stderr');
  running.process.kill('SIGINT');
  await expect(answer).rejects.toThrow('fetch failed');
  expect((await running.exited).code).toBe(0);
});

const HALF_SENT = [
  'GET /v1/pe',
  'GET /v1/pets HTTP/1.1\r\nHost: x\r\n',
  'POST /v1/pets HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"name":',
  'POST /v1/pets HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"nam',
];

test.each([
  ['--drain', ['--drain', '0.5'], {}],
  ['PETSTORE_MOCK_DRAIN', [], { PETSTORE_MOCK_DRAIN: '0' }],
])('%s says how long requests that were sent by half hold up the end', async (_, args, env) => {
  const running = await startProgram(args, { env });
  const sockets = await Promise.all(HALF_SENT.map(() => open(running.url)));
  sockets.forEach((socket, index) => void socket.on('error', () => {}).write(HALF_SENT[index] ?? ''));
  await fetch(`${running.url}/pets`, { headers: KEY });
  running.process.kill('SIGTERM');
  expect((await running.exited).code).toBe(0);
  for (const socket of sockets) socket.destroy();
});
