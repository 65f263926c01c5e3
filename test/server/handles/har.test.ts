import { expect, test } from 'vitest';
import type { PetstoreMock } from '../../../src/index.js';
import { createPet, startMock as start } from '../../support/started-mock.js';

type Har = { log: { version: string; creator: { name: string }; entries: Record<string, Record<string, unknown>>[] } };

async function readHar(mock: PetstoreMock, query = ''): Promise<{ text: string; har: Har }> {
  const text = await (await fetch(`${mock.adminUrl}/requests/har${query}`)).text();
  return { text, har: JSON.parse(text) as Har };
}

const post = (mock: PetstoreMock, body: string, headers = {}): Promise<Response> =>
  createPet(mock, body, { headers }, QUERY);

const QUERY = '?api_key=sesame-42&limit=1&limit=2';

test('an archive has what HAR 1.2 asks for of each exchange', async () => {
  const mock = await start();
  await post(mock, '{"name":"Zoë","categoryId":1}');
  const { har } = await readHar(mock);
  expect(har.log).toMatchObject({ version: '1.2', creator: { name: 'petstore-mock' } });
  const [entry] = har.log.entries;
  const text = '{"name":"Zoë","categoryId":1}';
  const message = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1 };
  const has = (name: string, value: string): unknown => expect.arrayContaining([{ name, value }]);
  const pair = (name: string, value: string): object => ({ name, value });
  expect(entry).toEqual({
    startedDateTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    time: expect.any(Number),
    cache: {},
    timings: { send: 0, wait: entry?.['time'], receive: 0 },
    request: {
      ...message,
      method: 'POST',
      url: `${mock.url}/pets?api_key=[redacted]&limit=1&limit=2`,
      headers: has('content-type', 'application/json'),
      queryString: [pair('api_key', '[redacted]'), pair('limit', '1'), pair('limit', '2')],
      bodySize: Buffer.byteLength(text),
      postData: { mimeType: 'application/json', text },
    },
    response: {
      ...message,
      status: 201,
      statusText: 'Created',
      headers: has('location', '/v1/pets/2'),
      content: { size: 37, mimeType: 'application/json', text: '{"id":2,"name":"Zoë","categoryId":1}' },
      redirectURL: '/v1/pets/2',
      bodySize: 37,
    },
  });
});

test('a connection that was reset has the status 0, and a body that was not kept none', async () => {
  const mock = await start();
  await mock.faults.add({ operationId: 'createPet', effect: { reset: true }, times: 1 });
  await post(mock, '{}').catch(() => undefined);
  const long = JSON.stringify({ name: 'x'.repeat(70_000), categoryId: 1 });
  await post(mock, long);
  const { har } = await readHar(mock);
  expect(har.log.entries).toMatchObject([
    { response: { status: 0, content: { size: 0 }, headers: [] } },
    { request: { bodySize: long.length } },
  ]);
  expect(har.log.entries[1]?.['request']).not.toHaveProperty('postData');
});
