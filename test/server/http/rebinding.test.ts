import { expect, onTestFinished, test } from 'vitest';
import { startServer, type ServerOptions } from '../../../src/server/start-petstore-mock.js';
import { sendRaw } from '../../support/send.js';
import { AUTHORIZATION, createTestWorlds } from '../../support/test-world.js';

async function statusFor(path: string, host: string, options: Partial<ServerOptions>): Promise<string | undefined> {
  const server = await startServer(createTestWorlds(), { host: '127.0.0.1', port: 0, cors: true, ...options });
  onTestFinished(() => server.close(0));
  const line = host === '' ? '' : `Host: ${host}\r\n`;
  const answer = await sendRaw(
    server.port,
    `GET ${path} HTTP/1.${host === '' ? 0 : 1}\r\n${line}Authorization: ${AUTHORIZATION}\r\nConnection: close\r\n\r\n`,
  );
  return answer.split(' ')[1];
}

const REBOUND = 'attacker.example:4010';

test.each(['/v1/pets', '/', '/openapi.json', '/nothing', '/world/w/v1/pets'])(
  'without CORS, a host name that was rebound to this machine gets nothing of %s',
  async (path) => expect(await statusFor(path, REBOUND, { cors: false })).toBe('421'),
);

test.each(['localhost', 'LOCALHOST:4010', '127.0.0.1:4010', '127.9.9.9', '[::1]:4010', ''])(
  'the name %j is that of this machine',
  async (host) => expect(await statusFor('/v1/pets', host, { cors: false })).toBe('200'),
);

test('with CORS, any page may use the API, so any name is answered', async () =>
  expect(await statusFor('/v1/pets', REBOUND, {})).toBe('200'));

test('at an address that was chosen for others, other names are legitimate', async () =>
  expect(await statusFor('/v1/pets', 'mock.example', { cors: false, host: '0.0.0.0' })).toBe('200'));
