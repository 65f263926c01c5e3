import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { runConformance } from '../../../src/conformance/product/run-conformance.js';
import {
  loadContract,
  type Contract,
  fetchContract,
  prepareSpec,
  type UrlOptions,
} from '../../../src/contract/contract.js';
import { fetchDocument } from '../../../src/contract/remote/fetch-document.js';
import { startPetstoreMock } from '../../../src/server/start-petstore-mock.js';

const running: Server[] = [];

afterEach(() => {
  for (const server of running.splice(0)) server.close();
});

type Asked = { origin: string; asked: { url: string; headers: IncomingHttpHeaders }[] };

/** A server of this process, which gives texts by path. */
async function serve(texts: Readonly<Record<string, string | RequestListener>>): Promise<Asked> {
  const asked: Asked['asked'] = [];
  const server = createServer((request, response) => {
    const { url = '', headers } = request;
    asked.push({ url, headers });
    const found = texts[url.replace(/\?.*/, '')];
    if (typeof found === 'function') found(request, response);
    else response.writeHead(found === undefined ? 404 : 200).end(found);
  });
  running.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const status =
  (code: number): RequestListener =>
  (_, response) =>
    response.writeHead(code).end();
const redirect =
  (location: string): RequestListener =>
  (_, response) =>
    response.writeHead(302, { location }).end();

function documentWith(schema: string, servers = ''): string {
  return `openapi: 3.0.3
info: { title: Team API, version: '1' }
${servers}paths:
  /things:
    get:
      operationId: listThings
      responses:
        '200': { description: All., content: { application/json: { schema: ${schema} } } }
`;
}

const PLAIN = documentWith('{ type: array, items: { type: string } }');

const load = async (spec: string, options: UrlOptions = {}): Promise<Contract> =>
  loadContract(await prepareSpec({ ...options, spec }), options as Parameters<typeof loadContract>[1]);

function notesOf(contract: Contract): string[] {
  contract.validate.compileAll();
  return contract.listNotes().map(({ message }) => message);
}

test('a mock is started from a URL of the same process; references and servers are relative to where it is found', async () => {
  const { origin, asked } = await serve({
    '/docs': redirect('/api/v1/openapi.yaml'),
    '/api/v1/openapi.yaml': documentWith("{ $ref: 'parts/a.yaml#/List' }", 'servers: [{ url: ./v2 }]\n'),
    '/api/v1/parts/a.yaml': "List: { type: array, minItems: 2, items: { $ref: '../b.yaml' } }",
    '/api/v1/b.yaml': 'enum: [one]',
  });
  await using mock = await startPetstoreMock({ spec: `${origin}/docs`, prism: false });
  expect(mock.url).toMatch(/:\d+\/api\/v1\/v2$/);
  expect(await (await fetch(`${mock.url}/things`)).json()).toEqual(['one', 'one']);
  const urls = ['/docs', '/api/v1/openapi.yaml', '/api/v1/parts/a.yaml', '/api/v1/b.yaml'];
  expect(asked.map(({ url }) => url)).toEqual(urls);
});

test('a run reads its contract from the target itself', async () => {
  const { origin } = await serve({
    '/openapi.yaml': PLAIN,
    '/things': (_, response) => response.setHeader('content-type', 'application/json').end('[1]'),
  });
  const { problems } = await runConformance({ target: origin, spec: `${origin}/openapi.yaml`, apiKey: '' });
  expect(JSON.stringify(problems)).toContain('returns a list in which an item is a number');
});

test.each<[string, string | RequestListener, RegExp]>([
  ['a page', '<!DOCTYPE html><html></html>', /:1:1: this is a web page \(HTML\), .*\/v3\/api-docs\.$/],
  ['a page after a comment', '<!-- x -->\n<html></html>', /this is a web page/],
  ['another document', '{"asyncapi": "3.0.0"}', /:1:1: this is an AsyncAPI document/],
  ['no document', '{"detail": "no"}', /:1:1: this is not an OpenAPI 3 or Swagger 2.0 document/],
  ['a text that ends early', '{"openapi": "3.0.3", "info"', /:1:\d+: this is not valid YAML/],
  ['401', status(401), /the response is 401; .*https:\/\/user:password@host/],
  ['403', status(403), /the response is 403; .*save the document/],
  ['404', status(404), /the response is 404; .*\/openapi\.json/],
  [
    'a way with a user',
    redirect('http://rex:secret@10.1.2.3/x'),
    /\/\[redacted\]@10\.1\.2\.3\/x, and a URL with a user/,
  ],
  ['a way to the cloud', redirect('http://169.254.169.254/b'), /\/169\.254\.169\.254\/b, whose host is not a public/],
])('%s in place of a contract is reported with what to do', async (_, answer, message) => {
  const { origin } = await serve({ '/a': answer });
  await expect(load(`${origin}/a?token=s3cret`)).rejects.toThrow(message);
  await expect(load(`${origin}/a?token=s3cret`)).rejects.not.toThrow(/s3cret/);
});

test('nothing that listens, and what is no URL, are reported', async () => {
  const message = 'http://127.0.0.1:1/a cannot be fetched: nothing listens there';
  await expect(load('http://127.0.0.1:1/a')).rejects.toThrow(message);
  await expect(load('https://')).rejects.toThrow('https:// is not a URL.');
});

test('a private address is asked only with leave, and a redirect to another host never is', async () => {
  const url = 'http://10.255.255.1/a';
  const why = async (from: string, allowPrivate?: true): Promise<unknown> =>
    fetchDocument(from, { timeout: 200, isEntry: true, own: { url: from, ...(allowPrivate && { allowPrivate }) } });
  expect(await why(url)).toEqual({ why: expect.stringMatching(/--allow-private-hosts/) });
  expect(await why(url, true)).toEqual({ why: expect.stringMatching(/^cannot be fetched/) });
  const { origin } = await serve({ '/a': redirect(url) });
  expect(await why(`${origin}/a`, true)).toEqual({ why: expect.stringContaining('whose host is not a public one') });
});

test('user and password go to the origin of the document alone, and are shown nowhere', async () => {
  const other = await serve({ '/a': PLAIN });
  const { origin, asked } = await serve({
    '/a': documentWith("{ $ref: 'b.yaml' }"),
    '/b.yaml': 'type: array',
    '/moved': redirect(`${other.origin}/a`),
  });
  const withUser = (path: string): string => `${origin.replace('//', '//rex:s%40cret%zz@')}${path}`;
  const spec = await prepareSpec({ spec: withUser('/a') });
  expect(spec).toBe(`${origin}/a`);
  // Whoever goes on with it asks as before.
  await fetchContract(spec);
  await load(withUser('/moved'));
  const authorization = `Basic ${btoa('rex:s@cret%zz')}`;
  expect(asked.map(({ headers }) => headers.authorization)).toEqual(Array(5).fill(authorization));
  expect(other.asked.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  const hidden = /^http:\/\/\[redacted\]@127\.0\.0\.1:\d+\/none cannot be fetched/;
  await expect(load(withUser('/none'))).rejects.toThrow(hidden);
});

test('what is at another origin is fetched only with leave, and then from public addresses', async () => {
  const other = await serve({ '/a': 'type: array' });
  const { origin } = await serve({ '/a': documentWith(`{ $ref: '${other.origin}/a' }`) });
  expect(notesOf(await load(`${origin}/a`))).toEqual([expect.stringContaining('pass --allow-remote-refs to fetch it')]);
  const allowed = await load(`${origin}/a`, { allowRemoteRefs: true });
  expect(notesOf(allowed)).toEqual([expect.stringContaining('is not fetched: its host is not a public one')]);
  expect(other.asked).toEqual([]);
});

test('a reference that leads nowhere is noted without advice about the document', async () => {
  const { origin } = await serve({ '/a': documentWith("{ $ref: 'none.yaml' }") });
  expect(notesOf(await load(`${origin}/a`))).toEqual([
    expect.stringMatching(/cannot be fetched: the response is 404; treated as \{\}/),
  ]);
});

test('what has not changed is not sent again, and a change is noticed, also of a part', async () => {
  const etags =
    (text: () => string): RequestListener =>
    (request, response) => {
      const etag = `"${text().length}"`;
      if (request.headers['if-none-match'] === etag) response.writeHead(304).end();
      else response.setHeader('etag', etag).end(text());
    };
  let part = 'type: array';
  const { origin, asked } = await serve({ '/a': etags(() => documentWith("{ $ref: 'b' }")), '/b': etags(() => part) });
  expect(await fetchContract(`${origin}/a`)).toBe(true);
  expect(await fetchContract(`${origin}/a`)).toBe(false);
  part = 'type: object';
  expect(await fetchContract(`${origin}/a`)).toBe(true);
  const known = asked.map(({ headers }) => headers['if-none-match'] !== undefined);
  expect(known).toEqual([false, false, true, true, true, true]);
});
