import { connect, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { KEY, Running, startProgram } from '../support/run-program.js';

function open(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => resolve(socket));
    socket.on('error', reject);
  });
}

describe.each(['SIGINT', 'SIGTERM'] as const)('%s', (signal) => {
  test('ends an idle program at once, with 0', async () => {
    const running = await startProgram();
    await fetch(`${running.url}/pets`, { headers: KEY });
    running.process.kill(signal);
    expect((await running.exited).code).toBe(0);
  });

  test('ends a program that still generates, which tells how far it is', async () => {
    const running = new Running(['--port', '0', '--count', '1000000']);
    await running.until(/generated \d+ of 1000000 pets; press Ctrl-C to stop\./, 'stderr');
    running.process.kill(signal);
    expect((await running.exited).stdout).toBe('');
  });

  test('lets an exchange under way end, and accepts no other', async () => {
    const running = await startProgram(['--delay', '600']);
    const answer = fetch(`${running.url}/pets?limit=1`, { headers: KEY });
    await new Promise((resolve) => setTimeout(resolve, 150));
    running.process.kill(signal);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await expect(fetch(`${running.url}/pets`)).rejects.toThrow('fetch failed');
    const response = await answer;
    expect({ status: response.status, length: ((await response.json()) as []).length }).toEqual({
      status: 200,
      length: 1,
    });
    expect((await running.exited).code).toBe(0);
  });

  test('a second one cuts what is under way, and one is told how', async () => {
    const running = await startProgram(['--delay', '60000']);
    const cut = fetch(`${running.url}/pets`, { headers: KEY }).catch((error: Error) => error.message);
    await new Promise((resolve) => setTimeout(resolve, 150));
    running.process.kill(signal);
    await running.until(
      /stops when 1 exchange has ended, in 5 s at most; the same signal again cuts it off\./,
      'stderr',
    );
    running.process.kill(signal);
    expect(await cut).toBe('fetch failed');
    expect((await running.exited).code).toBe(0);
  });
});

test('a signal that npm passes on a second time does not cut anything', async () => {
  const running = await startProgram(['--delay', '400']);
  const answer = fetch(`${running.url}/pets?limit=1`, { headers: KEY });
  await new Promise((resolve) => setTimeout(resolve, 150));
  running.process.kill('SIGINT');
  await new Promise((resolve) => setTimeout(resolve, 5));
  running.process.kill('SIGINT');
  expect((await answer).status).toBe(200);
  expect((await running.exited).code).toBe(0);
});

test('a connection on which nothing was asked does not hold up the end', async () => {
  const running = await startProgram();
  const socket = await open(running.url);
  running.process.kill('SIGTERM');
  expect((await running.exited).code).toBe(0);
  socket.destroy();
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
