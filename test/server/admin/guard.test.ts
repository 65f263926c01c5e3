import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import express from 'express';
import request from 'supertest';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createPetstoreApp, startPetstoreMock, type PetstoreMock } from '../../../src/index.js';
import { setUp } from '../../../src/server/set-up.js';
import { callAdmin, type AdminAnswer } from '../../support/admin.js';
import { eventually } from '../../support/eventually.js';
import { makeFile } from '../../support/folder.js';
import { content } from '../../support/open-paths.js';
import { KEY, startMock } from '../../support/started-mock.js';

const TOKEN = 's3cret-of-the-admin';
const WITH_TOKEN = { Authorization: `Bearer ${TOKEN}` };

const reset = (mock: PetstoreMock, headers: Record<string, string> = {}): Promise<AdminAnswer> =>
  callAdmin(mock.adminUrl, 'POST /reset', { headers });

const health = (mock: PetstoreMock, headers: Record<string, string> = {}): Promise<AdminAnswer> =>
  callAdmin(mock.adminUrl, 'GET /health', { headers });

describe('on a loopback address without a token', () => {
  test.each([
    ['localhost', 204],
    ['[::1]:80', 204],
    ['evil.example', 403],
    ['localhost.evil.example:4010', 403],
    ['10.0.0.1', 403],
  ])('the host %s, maybe after DNS rebinding, gets %i', async (host, status) => {
    const mock = await startMock();
    const answer = await reset(mock, { Host: host });
    expect(answer).toMatchObject({ status, ...(status === 403 ? { value: { code: 'forbidden', status } } : {}) });
    expect((await health(mock, { Host: host })).status).toBe(200);
  });

  test.each([
    ['another origin', { Origin: 'https://evil.example' }],
    ['a page without an origin of its own', { Origin: 'null' }],
    ['another site', { 'Sec-Fetch-Site': 'cross-site' }],
  ])('%s is rejected, and gets no CORS headers', async (_, headers) => {
    const answer = await reset(await startMock(), headers);
    expect(answer.status).toBe(403);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test('a preflight of another origin is not granted, and its own origin is answered', async () => {
    const mock = await startMock();
    const headers = { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' };
    const answer = await callAdmin(mock.adminUrl, 'OPTIONS /reset', { headers, broken: true });
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([403, undefined]);
    const { origin } = new URL(mock.adminUrl);
    expect((await reset(mock, { Origin: origin, 'Sec-Fetch-Site': 'same-origin' })).status).toBe(204);
  });

  test('what a form posts is rejected, and so is a post without a body and a type', async () => {
    const mock = await startMock();
    await mock.pets.clear();
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x'])
      expect((await reset(mock, { 'content-type': type })).status).toBe(415);
    expect((await fetch(`${mock.adminUrl}/reset`, { method: 'POST' })).status).toBe(415);
    expect(await mock.pets.count()).toBe(0);
  });
});

describe('with a token', () => {
  test('what carries it is answered, whatever the host, but for another origin', async () => {
    const mock = await startMock({ adminToken: TOKEN });
    expect((await reset(mock, { ...WITH_TOKEN, Host: 'mock.internal' })).status).toBe(204);
    expect((await reset(mock, { ...WITH_TOKEN, Origin: 'https://evil.example' })).status).toBe(403);
  });

  test.each([
    ['without one', {}, 'Bearer realm="petstore-mock admin"'],
    ['with another', { Authorization: 'Bearer other' }, 'Bearer realm="petstore-mock admin", error="invalid_token"'],
    ["with the API's key", { Authorization: 'Bearer petstore-dev-key' }, expect.stringContaining('invalid_token')],
  ])('a call %s is rejected', async (_, headers, challenge) => {
    const mock = await startMock({ adminToken: TOKEN });
    const answer = await reset(mock, headers);
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, challenge]);
    expect(JSON.stringify(answer)).not.toContain(TOKEN);
    expect((await health(mock)).status).toBe(200);
  });

  test('it is never shown in an error', async () => {
    const error = await startPetstoreMock({ adminToken: 'two words' }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'bad-option' });
    expect(String(error)).not.toContain('two words');
  });
});

test('on an address that other machines reach, only health answers, unless there is a token', async () => {
  const open = await startMock({ host: '0.0.0.0' });
  const message = expect.stringContaining('PETSTORE_MOCK_ADMIN_TOKEN');
  expect(await reset(open)).toMatchObject({ status: 403, value: { message } });
  expect((await health(open)).status).toBe(200);
  const mock = await startMock({ host: '0.0.0.0', adminToken: TOKEN });
  expect([(await reset(mock)).status, (await reset(mock, WITH_TOKEN)).status]).toEqual([401, 204]);
});

test('an admin API that is off answers health alone', async () => {
  const mock = await startMock({ admin: false });
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

test('a caller that leaves ends its wait', async () => {
  const mock = await startMock();
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
test('a call that is only for a world that is there makes none', async () => {
  const mock = await startMock();
  const there = { 'If-Match': '*' };
  const listFaults = (query: string, headers = {}) => callAdmin(mock.adminUrl, `GET /faults${query}`, { headers });
  const message = 'there is no world w1; a call without If-Match creates it';
  expect(await listFaults('?world=w1', there)).toMatchObject({
    status: 412,
    value: { code: 'no_such_world', message },
  });
  const headers = { ...there, 'X-Petstore-World': 'w1' };
  const added = await callAdmin(mock.adminUrl, 'POST /faults', { body: { effect: { status: 503 } }, headers });
  expect(added.status).toBe(412);
  expect(await mock.worlds()).toEqual(['default']);
  expect((await listFaults('', there)).value).toEqual([]);
  expect((await listFaults('?world=w1')).value).toEqual([]);
  expect((await listFaults('?world=w1', there)).status).toBe(200);
  const tagged = { headers: { 'If-Match': '"1"' }, broken: true };
  expect((await callAdmin(mock.adminUrl, 'GET /faults', tagged)).status).toBe(400);
});

const put = (mock: PetstoreMock, fields: string): Promise<AdminAnswer> => {
  const body = { pack: `generate: [{ categoryId: 1, ${fields} }]` };
  return callAdmin(mock.adminUrl, 'PUT /fixtures', { body, broken: true });
};

const PET_NAME = "name: '{{animal.petName}}'";

test.each([
  [`count: 1000000000, ${PET_NAME}`, 507, 'the pack has 1000000000 pets, but the store only holds 1000000.'],
  ["count: 1, name: '{{string.alpha(100000000)}}'", 400, 'string.alpha generates 100000000 at once'],
])('%s in a pack is rejected before anything is generated', async (fields, status, message) => {
  const mock = await startMock();
  expect(await put(mock, fields)).toMatchObject({ status, value: { message: expect.stringContaining(message) } });
  expect(await mock.pets.count()).toBe(1);
});

test('others are served while a large pack is generated', async () => {
  const mock = await startMock();
  const generating = mock.useFixtures('large');
  const served = fetch(`${mock.url}/pets?limit=1`, { headers: KEY }).then(() => 'served');
  expect(await Promise.race([generating.then(() => 'generated'), served])).toBe('served');
  await generating;
});

/** The status that comes although the body never ends. */
function beginToSend(mock: PetstoreMock, path: string, method: string): Promise<number | undefined> {
  const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
  return new Promise((resolve, reject) => {
    const sent = httpRequest(`${mock.adminUrl}${path}`, { method, headers }, (response) => {
      resolve(response.statusCode);
      sent.destroy();
    });
    sent.on('error', reject).write('{');
  });
}

test.each([
  ['POST /health', {}, 405],
  // Health with another method is guarded as all the rest.
  ['POST /health', { adminToken: TOKEN }, 401],
  ['GET /health', {}, 200],
  ['DELETE /pets', {}, 204],
])('%s with %j is answered without its body being waited for: %i', async (call, options, status) => {
  const [method = '', path = ''] = call.split(' ');
  expect(await beginToSend(await startMock(options), path, method)).toBe(status);
});

test('only packs and lists of pets may be long', async () => {
  const mock = await startMock();
  const body = { name: 'a'.repeat(2 * 1024 * 1024), categoryId: 1 };
  expect((await callAdmin(mock.adminUrl, 'POST /pets', { body })).status).toBe(413);
  expect((await callAdmin(mock.adminUrl, 'PUT /pets', { body: [body] })).status).toBe(200);
});

test.each([
  [false, 200],
  [true, 404],
])(
  'a contract with paths of the admin API, which is on: %s, is told of it, and gets %i there',
  async (admin, status) => {
    const paths = { '/__admin/mappings': { get: { responses: { 200: content({ type: 'object' }) } } } };
    const spec = makeFile(
      'stub.json',
      JSON.stringify({ openapi: '3.1.0', info: { title: 'Stub', version: '1' }, paths }),
    );
    const mock = await startMock({ spec, admin, prism: false });
    expect(setUp({ spec, prism: false }).notes).toContainEqual(expect.stringContaining('--no-admin'));
    expect((await fetch(`${mock.url}/__admin/mappings`)).status).toBe(status);
  },
);
