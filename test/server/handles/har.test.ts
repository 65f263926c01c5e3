import { onTestFinished, expect, test } from 'vitest';
import { startPetstoreMock, type ListeningOptions, type PetstoreMock } from '../../../src/index.js';

async function start(options?: ListeningOptions): Promise<PetstoreMock> {
  const mock = await startPetstoreMock({ fixtures: 'one', ...options });
  onTestFinished(() => mock.close());
  return mock;
}

type Har = { log: { version: string; creator: { name: string }; entries: Record<string, Record<string, unknown>>[] } };

async function readHar(mock: PetstoreMock, query = ''): Promise<{ text: string; har: Har }> {
  const text = await (await fetch(`${mock.adminUrl}/requests/har${query}`)).text();
  return { text, har: JSON.parse(text) as Har };
}

const post = (mock: PetstoreMock, body: string, headers = {}): Promise<Response> =>
  fetch(`${mock.url}/pets?api_key=sesame-42&limit=1&limit=2`, {
    method: 'POST',
    headers: { Authorization: 'Bearer petstore-dev-key', 'Content-Type': 'application/json', ...headers },
    body,
  });

test('an archive has what HAR 1.2 asks for of each exchange', async () => {
  const mock = await start();
  await post(mock, '{"name":"Zoë","categoryId":1}');
  const { har } = await readHar(mock);
  expect(har.log).toMatchObject({ version: '1.2', creator: { name: 'petstore-mock' } });
  const [entry] = har.log.entries;
  const text = '{"name":"Zoë","categoryId":1}';
  expect(entry).toEqual({
    startedDateTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    time: expect.any(Number),
    cache: {},
    timings: { send: 0, wait: entry?.['time'], receive: 0 },
    request: {
      method: 'POST',
      url: `${mock.url}/pets?api_key=[redacted]&limit=1&limit=2`,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: expect.arrayContaining([{ name: 'content-type', value: 'application/json' }]),
      queryString: [
        { name: 'api_key', value: '[redacted]' },
        { name: 'limit', value: '1' },
        { name: 'limit', value: '2' },
      ],
      headersSize: -1,
      bodySize: Buffer.byteLength(text),
      postData: { mimeType: 'application/json', text },
    },
    response: {
      status: 201,
      statusText: 'Created',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: expect.arrayContaining([{ name: 'location', value: '/v1/pets/2' }]),
      content: { size: 37, mimeType: 'application/json', text: '{"id":2,"name":"Zoë","categoryId":1}' },
      redirectURL: '/v1/pets/2',
      headersSize: -1,
      bodySize: 37,
    },
  });
});

test('an archive has no secrets', async () => {
  const mock = await start({ apiKey: 'the-key-of-a-user' });
  const secrets = { Authorization: 'Bearer the-key-of-a-user', Cookie: 'session=oatmeal', 'X-Api-Key': 'pumpernickel' };
  await post(mock, '{"name":"the-key-of-a-user","categoryId":1}', secrets);
  const { text, har } = await readHar(mock);
  expect(har.log.entries).toHaveLength(1);
  expect(text).not.toMatch(/the-key-of-a-user|oatmeal|pumpernickel|sesame-42/);
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

test('an archive has only what the filter lets through, and the reason of a refusal', async () => {
  const mock = await start();
  await post(mock, '{"name":"Rex","categoryId":1}');
  await post(mock, '{"name":"Rex"}');
  const { har } = await readHar(mock, '?verdict=client');
  expect(har.log.entries).toMatchObject([{ comment: 'body/categoryId is required' }]);
});
