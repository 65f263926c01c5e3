import express from 'express';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPetstoreApp, startPetstoreMock, type PetstoreMock } from '../../../src/index.js';
import { sendRaw } from '../../support/send.js';

const ORIGIN = 'http://page.test';
const KEY = 'Bearer petstore-dev-key';

let mock: PetstoreMock;
let without: PetstoreMock;

beforeAll(async () => {
  [mock, without] = await Promise.all([startPetstoreMock(), startPetstoreMock({ cors: false })]);
});

afterAll(() => Promise.all([mock.close(), without.close()]));

/** What a browser asks before it lets a page send a request. */
const preflight = (url: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, { method: 'OPTIONS', headers: { origin: ORIGIN, 'access-control-request-method': 'POST', ...headers } });

const varyOf = (response: Response): string[] => (response.headers.get('vary') ?? '').split(', ');

describe('a preflight', () => {
  test('is answered without a key, for the origin that asks', async () => {
    const response = await preflight(`${mock.url}/pets`);
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(varyOf(response)).toContain('Origin');
  });

  test('allows the headers that are asked for', async () => {
    const asked = { 'access-control-request-headers': 'authorization,content-type,x-trace' };
    const response = await preflight(`${mock.url}/pets`, asked);
    expect(response.headers.get('access-control-allow-headers')).toBe('authorization,content-type,x-trace');
    expect(varyOf(response)).toContain('Access-Control-Request-Headers');
  });

  test('allows methods that the contract does not have, so that a page gets to read the 405', async () => {
    const response = await preflight(`${mock.url}/pets`, { 'access-control-request-method': 'DELETE' });
    expect(response.headers.get('access-control-allow-methods')).toContain('DELETE');
  });

  test('gives leave to call a private address when it is asked for', async () => {
    const asked = { 'access-control-request-private-network': 'true' };
    const allowed = 'access-control-allow-private-network';
    expect((await preflight(`${mock.url}/pets`, asked)).headers.get(allowed)).toBe('true');
    expect((await preflight(`${mock.url}/pets`)).headers.get(allowed)).toBeNull();
  });

  test('is no request of the API, and is answered beside it too', async () => {
    await mock.requests.clear();
    await preflight(`${mock.url}/pets`);
    expect(await mock.requests.count()).toBe(0);
    expect((await preflight(new URL('/elsewhere', mock.url).href)).status).toBe(204);
  });

  test('gets the methods of the path alone when CORS is off', async () => {
    const response = await preflight(`${without.url}/pets`);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    expect(response.headers.get('allow')).toBe('GET, POST, HEAD, OPTIONS');
  });
});

test('an OPTIONS that announces no request is one of its own', async () => {
  const response = await fetch(`${mock.url}/pets`, { method: 'OPTIONS', headers: { origin: ORIGIN } });
  expect(response.headers.get('allow')).toBe('GET, POST, HEAD, OPTIONS');
  expect(response.headers.get('access-control-allow-origin')).toBe(ORIGIN);
});

describe('an answer', () => {
  test.each<[string, number, string, RequestInit]>([
    ['of the API', 200, '/v1/pets', { headers: { authorization: KEY } }],
    ['to a missing key', 401, '/v1/pets', {}],
    ['to a path that there is not', 404, '/v1/nothing', {}],
    ['that is forced', 503, '/v1/pets', { headers: { prefer: 'code=503' } }],
    ['beside the API', 404, '/elsewhere', {}],
  ])('%s can be read by the page that asked', async (_, status, path, init) => {
    const headers = { ...(init.headers as Record<string, string>), origin: ORIGIN };
    const response = await fetch(new URL(path, mock.url), { ...init, headers });
    expect(response.status).toBe(status);
    expect(response.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(response.headers.get('access-control-allow-credentials')).toBe('true');
    expect(varyOf(response)).toContain('Origin');
  });

  test('exposes by name what a page needs to read', async () => {
    const response = await fetch(`${mock.url}/pets`, { headers: { origin: ORIGIN } });
    const exposed = (response.headers.get('access-control-expose-headers') ?? '').split(',');
    expect(exposed).toEqual(
      expect.arrayContaining(['Location', 'Sunset', 'Link', 'WWW-Authenticate', 'Retry-After', 'Preference-Applied']),
    );
    expect(exposed).not.toContain('*');
  });

  test('without an origin says that it depends on one, and with CORS off nothing of origins', async () => {
    const own = (response: Response) =>
      [...response.headers.keys()].filter((name) => name.startsWith('access-control'));
    const plain = await fetch(`${mock.url}/pets`, { headers: { authorization: KEY } });
    expect([plain.headers.get('vary'), own(plain)]).toEqual(['Origin, Prefer, X-Petstore-World', []]);
    const off = await fetch(`${without.url}/pets`, { headers: { origin: ORIGIN, authorization: KEY } });
    expect([off.headers.get('vary'), own(off)]).toEqual(['Prefer, X-Petstore-World', []]);
  });

  test('to what is no HTTP can be read by any page', async () => {
    const answer = await sendRaw(Number(new URL(mock.url).port), 'GARBAGE\r\n\r\n', { holds: true });
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('Access-Control-Allow-Origin: *\r\n');
  });
});

test('what the app that it is mounted in put into Vary stays', async () => {
  const app = express().use((_request, response, next) => {
    response.vary('Accept-Encoding');
    next();
  });
  app.use('/api', createPetstoreApp());
  const { headers } = await request(app).get('/api/v1/pets').set('Origin', ORIGIN);
  expect(headers['vary']).toBe('Accept-Encoding, Origin, Prefer, X-Petstore-World');
});
