import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WAYS_IN, type WayIn } from './ways-in.js';
import { words } from '../support/words.js';

const KEY = { Authorization: 'Bearer petstore-dev-key' };
const JSON_TYPE = { 'Content-Type': 'application/json' };

interface Asked extends RequestInit {
  path: string;
  headers?: Record<string, string>;
}

function post(body: string, headers: Record<string, string> = JSON_TYPE): Asked {
  return { path: '/pets', method: 'POST', body, headers: { ...KEY, ...headers } };
}

/** Requests of every kind; each is answered in the order in which it stands here. */
const REQUESTS: Readonly<Record<string, Asked>> = {
  'a list': { path: '/pets', headers: KEY },
  'a filtered list': { path: '/pets?status=sold&limit=100', headers: KEY },
  'a limit out of bounds': { path: '/pets?limit=101', headers: KEY },
  'no key': { path: '/pets' },
  'a wrong key': { path: '/pets', headers: { Authorization: 'Bearer another' } },
  'a new pet': post('{"name":"Rex","categoryId":1,"status":"sold"}'),
  'the largest category': post('{"name":"Rex","categoryId":9223372036854775807}'),
  'no JSON': post('{"name":'),
  'an empty body': post(''),
  'another media type': post('name=Rex', { 'Content-Type': 'application/x-www-form-urlencoded' }),
  'a body that is too long': post(`{"name":"${'x'.repeat(1_100_000)}"}`),
  'text beyond ASCII': post('{"name":"Мурка 🐈","categoryId":1}'),
  'one pet': { path: '/pets/52', headers: KEY },
  'no such pet': { path: '/pets/9999', headers: KEY },
  'a HEAD': { path: '/pets?limit=1', method: 'HEAD', headers: KEY },
  'an OPTIONS': { path: '/pets', method: 'OPTIONS' },
  'a method that there is not': { path: '/pets', method: 'DELETE', headers: KEY },
  'a path that there is not': { path: '/cats', headers: KEY },
  'a bad escape': { path: '/pets?status=%zz', headers: KEY },
  'an answer that is asked for': { path: '/pets', headers: { Prefer: 'code=503' } },
  'another media type wanted': { path: '/pets', headers: { ...KEY, Accept: 'text/html' } },
};

/** Header fields that an answer has whatever carries it. */
const HEADERS = words`Content-Type Content-Length Location Allow Sunset Link WWW-Authenticate Preference-Applied`;

async function answersOf(way: WayIn): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  const prefix = new URL(way.urlOf(way.petstore)).pathname;
  for (const [name, { path, ...init }] of Object.entries(REQUESTS)) {
    const response = await way.fetch(way.urlOf(way.petstore) + path, init);
    const headers = HEADERS.map((header) => response.headers.get(header)?.replaceAll(prefix, '/v1'));
    const text = (await response.text()).replaceAll(prefix, '/v1');
    // What stands in the answer's text counts in its length.
    const length = headers.indexOf(response.headers.get('Content-Length') ?? undefined);
    answers[name] = [response.status, ...headers.with(length, undefined), text];
  }
  return answers;
}

async function open(name: string): Promise<WayIn> {
  const way = await WAYS_IN[name]?.();
  if (way === undefined) throw new Error(`there is no way in ${name}`);
  return way;
}

describe('every way in answers as the port does', () => {
  let port: WayIn;
  let expected: Record<string, unknown>;

  beforeAll(async () => {
    port = await open('on a port');
    expected = await answersOf(port);
  });

  afterAll(() => port.close());

  test('and the port gives answers of every kind', () => {
    const statuses = Object.values(expected).map((answer) => (answer as [number])[0]);
    expect(new Set(statuses)).toEqual(new Set([200, 201, 204, 400, 401, 404, 405, 406, 413, 415, 503]));
  });

  test.each(Object.keys(WAYS_IN).slice(1))('%s', async (name) => {
    const way = await open(name);
    expect(await answersOf(way)).toEqual(expected);
    const seen = (await way.petstore.requests.list()).map(({ method, status, verdict }) => [method, status, verdict]);
    expect(seen).toEqual((await port.petstore.requests.list()).map((each) => [each.method, each.status, each.verdict]));
    await way.close();
  });
});
