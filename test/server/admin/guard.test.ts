import { once } from 'node:events';
import { connect } from 'node:net';
import express from 'express';
import request from 'supertest';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createPetstoreApp, startPetstoreMock, type PetstoreMock } from '../../../src/index.js';
import { callAdmin, type AdminAnswer } from '../../support/admin.js';
import { eventually } from '../../support/eventually.js';

const TOKEN = 's3cret-of-the-admin';
const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function start(options?: Parameters<typeof startPetstoreMock>[0]): Promise<PetstoreMock> {
  const mock = await startPetstoreMock(options);
  open.push(mock);
  return mock;
}

const reset = (mock: PetstoreMock, headers: Record<string, string> = {}): Promise<AdminAnswer> =>
  callAdmin(mock.adminUrl, 'POST /reset', { headers });

const health = (mock: PetstoreMock, headers: Record<string, string> = {}): Promise<AdminAnswer> =>
  callAdmin(mock.adminUrl, 'GET /health', { headers });

describe('on a loopback address without a token', () => {
  test.each(['localhost', '127.0.0.1:4010', '127.9.9.9', '[::1]:80'])('the host %s is answered', async (host) => {
    expect((await reset(await start(), { Host: host })).status).toBe(204);
  });

  test.each(['evil.example', 'localhost.evil.example:4010', '127.0.0.1.evil.example', '10.0.0.1'])(
    'the host %s, as after DNS rebinding, is refused',
    async (host) => {
      const mock = await start();
      const answer = await reset(mock, { Host: host });
      expect(answer).toMatchObject({ status: 403, value: { code: 'forbidden', status: 403 } });
      expect((await health(mock, { Host: host })).status).toBe(200);
    },
  );

  test.each([
    ['another origin', { Origin: 'https://evil.example' }],
    ['another port of this machine', { Origin: 'http://127.0.0.1:3000' }],
    ['a page without an origin of its own', { Origin: 'null' }],
    ['another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['another port, as a browser tells it', { 'Sec-Fetch-Site': 'same-site' }],
  ])('%s is refused, and gets no CORS headers', async (_, headers) => {
    const answer = await reset(await start(), headers);
    expect(answer.status).toBe(403);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test('a preflight of another origin is not granted', async () => {
    const mock = await start();
    const headers = { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' };
    const answer = await callAdmin(mock.adminUrl, 'OPTIONS /reset', { headers, broken: true });
    expect(answer.status).toBe(403);
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });

  test('its own origin is answered', async () => {
    const mock = await start();
    const origin = new URL(mock.adminUrl).origin;
    expect((await reset(mock, { Origin: origin, 'Sec-Fetch-Site': 'same-origin' })).status).toBe(204);
  });

  test.each(['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x'])(
    'what a form posts as %s is refused',
    async (type) => {
      const mock = await start();
      await mock.pets.clear();
      expect((await reset(mock, { 'content-type': type })).status).toBe(415);
      expect(await mock.pets.count()).toBe(0);
    },
  );

  test('a post without a body and a type is refused', async () => {
    const mock = await start();
    expect((await fetch(`${mock.adminUrl}/reset`, { method: 'POST' })).status).toBe(415);
  });
});

describe('with a token', () => {
  test('what carries it is answered, whatever the host', async () => {
    const mock = await start({ adminToken: TOKEN });
    expect((await reset(mock, { Authorization: `Bearer ${TOKEN}`, Host: 'mock.internal' })).status).toBe(204);
  });

  test.each([
    ['without one', {}, 'Bearer realm="petstore-mock admin"'],
    ['with another', { Authorization: 'Bearer other' }, 'Bearer realm="petstore-mock admin", error="invalid_token"'],
    ["with the API's key", { Authorization: 'Bearer petstore-dev-key' }, expect.stringContaining('invalid_token')],
  ])('a call %s is refused', async (_, headers, challenge) => {
    const mock = await start({ adminToken: TOKEN });
    const answer = await reset(mock, headers);
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, challenge]);
    expect(JSON.stringify(answer)).not.toContain(TOKEN);
    expect((await health(mock)).status).toBe(200);
  });

  test('another origin is refused even so', async () => {
    const mock = await start({ adminToken: TOKEN });
    const headers = { Authorization: `Bearer ${TOKEN}`, Origin: 'https://evil.example' };
    expect((await reset(mock, headers)).status).toBe(403);
  });

  test('it is never shown in an error', async () => {
    const error = await startPetstoreMock({ adminToken: 'two words' }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'bad-option' });
    expect(String(error)).not.toContain('two words');
  });
});

describe('on an address that other machines reach', () => {
  test('without a token only health answers', async () => {
    const mock = await start({ host: '0.0.0.0' });
    expect(await reset(mock)).toMatchObject({
      status: 403,
      value: { message: expect.stringContaining('PETSTORE_MOCK_ADMIN_TOKEN') },
    });
    expect((await health(mock)).status).toBe(200);
  });

  test('with a token it answers to who sends it', async () => {
    const mock = await start({ host: '0.0.0.0', adminToken: TOKEN });
    expect((await reset(mock)).status).toBe(401);
    expect((await reset(mock, { Authorization: `Bearer ${TOKEN}` })).status).toBe(204);
  });
});

test('an admin API that is off answers health alone', async () => {
  const mock = await start({ admin: false });
  expect([(await reset(mock)).status, (await health(mock)).status]).toEqual([404, 200]);
});

describe('mounted in an app', () => {
  test('there is none without a token', async () => {
    expect((await request(express().use('/api', createPetstoreApp())).get('/api/__admin/pets')).status).toBe(404);
    expect((await request(createPetstoreApp()).get('/__admin/pets')).status).toBe(404);
  });

  test('with a token it is below the prefix', async () => {
    const app = express().use('/api', createPetstoreApp({ adminToken: TOKEN }));
    const statusOf = async (path: string, key = ''): Promise<number> =>
      (await request(app).get(path).set('Authorization', key)).status;
    expect(await statusOf('/api/__admin/pets')).toBe(401);
    expect(await statusOf('/api/__admin/worlds', `Bearer ${TOKEN}`)).toBe(200);
    expect(await statusOf('/api/__administrator', `Bearer ${TOKEN}`)).toBe(404);
  });
});

test('the API itself is untouched by these guards', async () => {
  const mock = await start();
  const headers = { Authorization: 'Bearer petstore-dev-key', Origin: 'https://evil.example' };
  expect((await fetch(`${mock.url}/pets`, { headers })).status).toBe(200);
});

test('a caller that leaves ends its wait', async () => {
  const mock = await start();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { port, host } = new URL(mock.url);
  const asked = ['health', 'requests/wait?timeout=600000'].map(
    (path) => `GET /__admin/${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
  );
  const socket = connect(Number(port), '127.0.0.1', () => socket.write(asked.join('')));
  // What was sent with the request that is answered has arrived.
  await once(socket, 'data');
  await eventually(() => expect(vi.getTimerCount()).toBe(1));
  socket.destroy();
  await eventually(() => expect(vi.getTimerCount()).toBe(0));
});
