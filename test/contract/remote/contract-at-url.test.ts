import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import type { LookupFunction } from 'node:net';
import { expect, test } from 'vitest';
import { runConformance } from '../../../src/conformance/product/run-conformance.js';
import { fetchContract, loadContract, prepareSpec } from '../../../src/contract/contract.js';
import type { Contract, UrlOptions } from '../../../src/contract/contract.js';
import { fetchDocument } from '../../../src/contract/remote/fetch-document.js';
import { startPetstoreMock } from '../../../src/server/start-petstore-mock.js';
import { type FetchOptions, createRemoteReader, type RemoteReader } from '../../../src/contract/remote/read-remote.js';
import { serve as serveUntilEnd } from '../../support/serve.js';
import { words } from '../../support/words.js';
import { Worker } from 'node:worker_threads';
import { bundleFiles } from '../../../src/contract/document/bundle.js';
import { parseSource, describeNotes } from '../../../src/contract/document/document.js';
import { makeFolder } from '../../support/folder.js';
import { documentOf } from '../support/documents.js';

type Asked = { url: string; headers: IncomingHttpHeaders };
type Served = { origin: string; port: number; asked: Asked[] };

/** Serves texts by path, or the same to all, until the test ends. */
async function serve(texts: Readonly<Record<string, string | RequestListener>> | RequestListener): Promise<Served> {
  const asked: Asked[] = [];
  const origin = await serveUntilEnd((request, response) => {
    const { url = '', headers } = request;
    asked.push({ url, headers });
    const found = typeof texts === 'function' ? texts : texts[url.replace(/\?.*/, '')];
    if (typeof found === 'function') found(request, response);
    else response.writeHead(found === undefined ? 404 : 200).end(found);
  });
  return { origin, port: Number(new URL(origin).port), asked };
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
  ['another document', '{"asyncapi": "3.0.0"}', /:1:1: this is an AsyncAPI document/],
  ['401', status(401), /the response is 401; .*https:\/\/user:password@host/],
  ['403', status(403), /the response is 403; .*save the document/],
  ['404', status(404), /the response is 404; .*\/openapi\.json/],
  ['a user', redirect('http://rex:secret@10.1.2.3/x'), /\/\[redacted\]@10\.1\.2\.3\/x, and a URL with a user/],
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

// A server on this machine stands for the network: what is refused must not reach it.

const LOOPBACK: FetchOptions = { allowedAddresses: ['127.0.0.1'] };

const urlsOf = (asked: Asked[]): string[] => asked.map(({ url }) => url);
const NOT_PUBLIC = { why: expect.stringMatching(/^is not fetched: its host is not a public one/) as string };
const fine: RequestListener = (_, response) => response.end('type: object\n');

/** Resolves every name to these addresses, and counts how often it is asked. */
function resolveTo(addresses: readonly string[]): { lookup: LookupFunction; times: () => number } {
  let times = 0;
  const lookup: LookupFunction = (_, options, callback) => {
    times += 1;
    const all = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    const [first] = all;
    if (options.all === true) callback(null, all);
    else callback(null, first?.address ?? '', first?.family ?? 4);
  };
  return { lookup, times: () => times };
}

test.each(words`
  http://127.0.0.1:PORT/ http://127.1:PORT/ http://0x7f000001:PORT/ http://2130706433:PORT/ http://0.0.0.0:PORT/
  http://localhost:PORT/ http://[::1]:PORT/ http://[::ffff:127.0.0.1]:PORT/ http://[::ffff:7f00:1]:PORT/
  http://[::]:PORT/ http://10.0.0.1:PORT/ http://172.16.0.1:PORT/ http://192.168.1.1:PORT/ http://100.64.0.1:PORT/
  http://169.254.169.254/latest/meta-data/ http://[fe80::1]/ http://[fd00::1]/ http://[64:ff9b::7f00:1]/
  https://127.0.0.1:PORT/ https://localhost:PORT/
`)('%s is asked nothing', async (url) => {
  const { port, asked } = await serve(fine);
  expect(await fetchDocument(url.replace('PORT', String(port)))).toEqual(NOT_PUBLIC);
  expect(asked).toEqual([]);
});

test.each([[['127.0.0.1']], [['93.184.215.14', '127.0.0.1']], [['::1']], [['10.1.2.3']]])(
  'a name that means %j is asked nothing',
  async (addresses) => {
    const { port, asked } = await serve(fine);
    const { lookup } = resolveTo(addresses);
    expect(await fetchDocument(`http://api.example:${port}/`, { lookup })).toEqual(NOT_PUBLIC);
    expect(asked).toEqual([]);
  },
);

test('the address that was judged is the one that is connected to: a name is looked up once', async () => {
  const { port, asked } = await serve(fine);
  const { lookup, times } = resolveTo(['127.0.0.1']);
  const url = `http://api.example:${port}/a`;
  expect(await fetchDocument(url, { ...LOOPBACK, lookup })).toEqual({ text: 'type: object\n' });
  expect([times(), urlsOf(asked)]).toEqual([1, ['/a']]);
});

test('a file is not asked for by a URL', async () =>
  expect(await fetchDocument('file:///etc/hostname')).toEqual({ why: 'is not fetched: only http and https URLs are' }));

test.each([
  ['file:///etc/hostname', /redirected to file:\/\/\/etc\/hostname, and only http and https URLs are$/],
  ['http://rex:secret@127.0.0.1/', /redirected to http:\/\/\[redacted\]@127.0.0.1\/, and a URL with a user/],
])('a redirect to %s is not followed', async (location, why) => {
  const { origin } = await serve(redirect(location));
  expect(await fetchDocument(origin, LOOPBACK)).toEqual({ why: expect.stringMatching(why) });
});

const TOO_SLOW = 'cannot be fetched: it takes longer than 0.2 seconds';
const gzip = { 'content-encoding': 'gzip' };

test.each<[RequestListener, FetchOptions, string]>([
  [(_, response) => response.writeHead(404).end('no'), {}, 'cannot be fetched: the response is 404'],
  [redirect('/'), {}, 'cannot be fetched: it is redirected more than 5 times'],
  [(_, response) => response.end('a'.repeat(2000)), { most: 1000 }, 'cannot be fetched: it is longer than 1000 bytes'],
  [(_, response) => response.write('a'), { timeout: 200 }, TOO_SLOW],
  [() => {}, { timeout: 200 }, TOO_SLOW],
  [
    (_, response) => response.writeHead(200, gzip).end('x'),
    {},
    'the response is encoded (gzip), which is not supported',
  ],
  [(_, response) => response.end(Buffer.from([0xff, 0xfe])), {}, 'cannot be read: it is not UTF-8'],
  [(request) => request.socket.destroy(), {}, 'cannot be fetched: ECONNRESET'],
])('a server that does %s is reported, read with %j: %s', async (answer, options, why) => {
  const { origin } = await serve(answer);
  expect(await fetchDocument(origin, { ...LOOPBACK, ...options })).toEqual({ why: expect.stringContaining(why) });
});

function bundle(reference: string, readRemote?: RemoteReader): { notes: string[]; schema: unknown } {
  const entry = parseSource(documentOf(`{ $ref: '${reference}' }`), { shownAs: 'api.yaml', code: 'unusable-contract' });
  const { document, notes } = bundleFiles(entry, 'api.yaml', { readRemote });
  const at = '/paths/~1things/post/requestBody/content/application~1json/schema';
  const { $ref = '' } = document.at(at) as { $ref?: string };
  return { notes: describeNotes(notes.list(), Infinity), schema: document.at(decodeURI($ref.slice(1))) };
}

test('what a URL names is not read without leave, and the note names the flag', () => {
  expect(bundle('https://example.com/thing.yaml#/Thing').notes).toEqual([
    'api.yaml:10:23: unresolved $ref https://example.com/thing.yaml#/Thing: it is a URL, and a $ref is not fetched over the network by default; save the document beside this file and refer to the copy, or pass --allow-remote-refs; treated as {}, and 1 more like it',
  ]);
});

test('what a remote document refers to is looked for where that document is', () => {
  const asked: string[] = [];
  const read: RemoteReader = (url) => {
    asked.push(url);
    if (url.endsWith('/a.yaml')) return { text: "Thing: { $ref: 'parts/b.yaml' }\nOther: { $ref: 'file:///etc/b' }\n" };
    return url.startsWith('https:') ? { text: 'type: string\n' } : { why: 'is not fetched: why' };
  };
  expect(bundle('https://example.com/v1/a.yaml#/Thing', read).notes).toEqual([]);
  expect(asked).toEqual(['https://example.com/v1/a.yaml', 'https://example.com/v1/parts/b.yaml']);
  expect(bundle('https://example.com/v1/a.yaml#/Other', read).notes).toEqual([
    expect.stringContaining('a.yaml:2:10: unresolved $ref file:///etc/b: it is not fetched: why'),
  ]);
});

test('a document that is none costs what refers to it', () => {
  const { notes } = bundle('https://rex:secret@example.com/a.yaml', () => ({ text: 'a: [1' }));
  expect(notes[0]).toContain(
    'unresolved $ref https://[redacted]@example.com/a.yaml: it refers to a file that cannot be read: https://[redacted]@example.com/a.yaml:',
  );
});

test('a program of its own fetches while the caller waits', async () => {
  const server = new Worker(
    `const { createServer } = require('node:http'); const { parentPort } = require('node:worker_threads');
     const server = createServer((request, response) => response.end('type: integer\\n'));
     server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`,
    { eval: true },
  );
  try {
    const port = await new Promise<number>((resolve) => server.once('message', resolve));
    const url = `http://127.0.0.1:${port}/thing.yaml`;
    const { notes, schema } = bundle(url, createRemoteReader({ allowedAddresses: ['127.0.0.1'] }));
    expect([notes, schema]).toEqual([[], { type: 'integer' }]);
    // A contract may be there itself, and whoever cannot wait for a promise reads it.
    const message = /^http:\/\/127\.0\.0\.1:\d+\/api\.yaml:1:1: this is not an OpenAPI/;
    expect(() => loadContract(`http://127.0.0.1:${port}/api.yaml`)).toThrow(message);
    // What a user allows leads to no address of this machine.
    const path = `${makeFolder({ 'api.yaml': documentOf(`{ $ref: '${url}' }`) })}/api.yaml`;
    const contract = loadContract(path, { allowRemoteRefs: true });
    contract.validate.compileAll();
    const told = describeNotes(contract.listNotes(), 9).join();
    expect(told).toContain(`${url}: it is not fetched: its host is not a public one`);
  } finally {
    await server.terminate();
  }
});
