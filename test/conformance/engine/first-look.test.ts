import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { checkFirstLook } from '../../../src/conformance/engine/probe.js';
import type { Run } from '../../../src/conformance/engine/run.js';
import { bareStep } from '../../../src/conformance/http/prepare-request.js';
import { runConformance, type RunResult } from '../../../src/conformance/index.js';
import type { WireAnswer } from '../../../src/conformance/model/exchange.js';
import { runConformance } from '../../../src/conformance/product/run-conformance.js';
import { PetstoreMockError } from '../../../src/errors.js';
import { writeRenamed } from '../../mutation/renamed/renamed-contract.js';
import { parseContract } from '../../support/parse-contract.js';
import { describeThings, type Guard, type Said, serve, serveThings, wantBearer } from '../support/guarded-things.js';

const KEY = 'Base-Url-Key-1';
let server: Server | undefined;
let requests = 0;

afterEach(async () => {
  await new Promise((resolve) => server?.close(resolve).closeAllConnections());
});

type Answer = (path: string, request: IncomingMessage, response: ServerResponse) => void;

async function serve(answer: Answer): Promise<string> {
  requests = 0;
  server = createServer((request, response) => {
    requests += 1;
    answer((request.url ?? '').split('?')[0] ?? '', request, response);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server?.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** What a run says before it begins; `begins` when it finds the API. */
async function look(target: string, spec?: string): Promise<string> {
  try {
    await runConformance({ target, apiKey: KEY, settleMs: 0, only: ['*/lists/filter-alone*'], ...(spec && { spec }) });
    return 'begins';
  } catch (error) {
    if (!(error instanceof PetstoreMockError)) throw error;
    return `${error.code}: ${error.message.replaceAll(/127\.0\.0\.1:\d+/g, 'host')}`;
  }
}

const json =
  (status: number, body: unknown): Answer =>
  (_path, _request, response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

const notFound = json(404, { detail: 'Not Found' });
const contractError = (status: number): Answer => json(status, { code: 'no', message: 'no', status });

/** A store below a path, and something else around it. */
function below(path: string, around: Answer = notFound, list: Answer = json(200, [])): Answer {
  return (asked, request, response) => {
    if (asked === `${path}/pets`) list(asked, request, response);
    else if (asked.startsWith(`${path}/pets/`)) contractError(404)(asked, request, response);
    else around(asked, request, response);
  };
}

const redirect =
  (location: string): Answer =>
  (_path, _request, response) =>
    void response.writeHead(302, { location }).end();

const page: Answer = (_path, _request, response) =>
  void response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Shop</title>');

describe('a base URL that is off is told with the address to try', () => {
  test.each<[string, string, Answer]>([
    ['the version segment is missing', '', below('/v1')],
    ['the version segment is missing, and errors are those of the contract', '', below('/v1', contractError(404))],
    ['it ends in the list itself', '/v1/pets', below('/v1')],
    ['it ends in the version twice', '/v1/v1', below('/v1')],
    ['it has a wrong prefix', '/wrong', below('/v1')],
    ['the list asks for another key there', '', below('/v1', notFound, contractError(401))],
    ['a page is around it', '', below('/v1', page)],
  ])('%s', async (_name, path, answer) => {
    const origin = await serve(answer);
    expect(await look(`${origin}${path}`)).toBe(
      `wrong-target: http://host${path} is not the base URL of the API, which responds at http://host/v1; try --target http://host/v1.`,
    );
    expect(requests).toBeLessThanOrEqual(5);
  });
});

test.each<[string, Answer, string]>([
  ['an HTML page', page, '200'],
  ['nothing', notFound, '404'],
  ['a redirect to a login', redirect('https://sso.example/login?back=secret'), '302 to https://sso.example/login'],
])('a target that is not the API, but %s, is told as such', async (_name, answer, status) => {
  const origin = await serve(answer);
  expect(await look(`${origin}/v1`)).toBe(
    `wrong-target: the API is not at http://host/v1: listPets, getPet returned ${status}, ${status}; give the base URL to which the paths of the contract are appended.`,
  );
  expect(requests).toBeLessThanOrEqual(5);
});

test('of a contract with other paths, the address to try has those', async () => {
  const spec = writeRenamed({ operationIds: 'kept' });
  const origin = await serve((path, request, response) =>
    (path === '/shop/v2/animals' ? json(200, []) : notFound)(path, request, response),
  );
  expect(await look(`${origin}/shop/v2/animals`, spec)).toContain(
    'which responds at http://host/shop/v2; try --target',
  );
});

test('a target that is not available is not judged', async () => {
  const origin = await serve(json(503, { message: 'later' }));
  expect(await look(`${origin}/v1`)).toBe(
    'target-unreachable: http://host/v1 cannot be tested: it responds with 503 to every request.',
  );
});

test('a target that drops the connection may want TLS', async () => {
  const origin = await serve((_path, request) => void request.socket.destroy());
  expect(await look(`${origin}/v1`)).toBe(
    'target-unreachable: http://host/v1 cannot be tested: the connection was closed before a response came (should the URL begin with https://?).',
  );
});

test.each([
  ['127.0.0.1:4010/v1', 'should it be http://127.0.0.1:4010/v1?'],
  ['localhost:4010/v1', 'should it be http://localhost:4010/v1?'],
  ['api.example.com/v1', 'should it be http://api.example.com/v1?'],
  ['user:secret@host/v1', 'give the base URL, such as http://127.0.0.1:4010/v1.'],
  ['petstore', 'give the base URL, such as http://127.0.0.1:4010/v1.'],
])('%s is no URL, which is told with what it may have been', async (target, said) => {
  expect(await look(target)).toContain('bad-option: the target is not a URL; ');
  await expect(runConformance({ target, apiKey: KEY })).rejects.toThrow(said);
});

describe('an API is taken for one, whatever is wrong with it', () => {
  test.each<[string, Answer]>([
    ['an empty list', below('/v1')],
    ['a list that fails', below('/v1', notFound, contractError(500))],
    ['a list without a body', below('/v1', notFound, (_path, _request, response) => void response.end())],
    ['a list that is not found while it is empty', below('/v1', contractError(404), contractError(404))],
    ['a list in an envelope', below('/v1', notFound, json(200, { items: [] }))],
    [
      'a list that is called HTML',
      below(
        '/v1',
        notFound,
        (_path, _request, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('[]'),
      ),
    ],
    [
      'a list that redirects, beside pets that do not',
      (path, request, response) =>
        (path === '/v1/pets' ? redirect('/v1/pets/') : json(200, { id: 1, name: 'Rex', categoryId: 1 }))(
          path,
          request,
          response,
        ),
    ],
  ])('%s', async (_name, answer) => {
    const origin = await serve(answer);
    expect(await look(`${origin}/v1`)).toBe('begins');
  });

  test('a list that refuses the key, beside pets that do not', async () => {
    const origin = await serve(below('/v1', notFound, contractError(401)));
    expect(await look(`${origin}/v1`)).toBe('begins');
  });
});

test('where every request is sent on to says the base URL that leads there', async () => {
  const moved: Answer = (path, _request, response) =>
    void response.writeHead(301, { location: `https://api.example.com/v2${path}` }).end();
  const target = await serve(moved);
  expect(await look(target)).toBe(
    'wrong-target: http://host redirects every request, for example to https://api.example.com/v2/pets; try --target https://api.example.com/v2.',
  );
});

test('a redirect that leads nowhere below a base URL is named', async () => {
  const moved: Answer = (_path, _request, response) => void response.writeHead(302, { location: '/login' }).end();
  expect(await look(await serve(moved))).toMatch(/ returned 302 to \/login/);
});

test.each<[string, (path: string) => string]>([
  ['to its own path with a slash', (path) => `${path}/`],
  ['the same by its whole address', (path) => `http://HOST${path}/`],
])('a redirect %s says what differs, and not that another target would help', async (_, to) => {
  const origin = await serve(
    (path, request, response) =>
      void response.writeHead(308, { location: to(path).replace('HOST', String(request.headers.host)) }).end(),
  );
  expect(await look(`${origin}/v1`)).toBe(
    'wrong-target: http://host/v1 redirects /pets, /pets/{petId} to /pets/, /pets/{petId}/: the paths of the contract lack a slash at the end that those of the service have; change one of them, no other --target helps.',
  );
});

const steps = ['listBoats', 'listTrips'].map((operationId) => bareStep({ id: 'probe', operationId }));

/** A first look at a target that answers everything with one status. */
function look(status: number): Promise<void> {
  const answer = { kind: 'answered', status, headers: {}, bytes: new Uint8Array() } as unknown as WireAnswer;
  const contract = parseContract('{ "openapi": "3.1.0", "info": { "title": "Boats", "version": "1" }, "paths": {} }', {
    shownAs: 'boats.json',
  });
  const keys = { apiKey: 'key', credentials: {}, tokens: [] };
  const run = { contract, prepareOptions: { basePath: '', keys } } as unknown as Run;
  return checkFirstLook(steps, answer, () => Promise.resolve(answer), { shownAs: 'http://localhost', run });
}

test('a target that has none of the paths is another one; one that has not implemented them is the API', async () => {
  await expect(look(404)).rejects.toThrow('the API is not at http://localhost: listBoats, listTrips');
  await expect(look(401)).rejects.toThrow('rejects the credentials');
  await expect(look(501)).resolves.toBeUndefined();
  await expect(look(200)).resolves.toBeUndefined();
});

const KEY = 'key-of-the-user-51';

/** A run against things behind a guard that leads elsewhere, and what came to that other host. */
async function run(
  lead: (other: string) => Guard,
  spec = describeThings(),
): Promise<{ result: RunResult; asked: number; host: string }> {
  let asked = 0;
  const other = await serve(() => {
    asked += 1;
    return { status: 200, body: [] };
  });
  const things = await serveThings(
    wantBearer((token) => token === KEY),
    lead(other),
  );
  const result = await runConformance({
    target: things.url,
    spec,
    apiKey: '',
    credentials: { bearer: KEY },
    settleMs: 0,
    only: ['things/records/*'],
  });
  return { result, asked, host: new URL(other).host };
}

const page = (more: Partial<Said>, body: object): Said => ({ status: 200, body, ...more });

test.each<[string, (other: string) => Guard]>([
  ['`next`', (other) => (call) => (isList(call) ? page({}, { items: [], next: `${other}/things?page=2` }) : undefined)],
  [
    '`next`',
    (other) => (call) => (isList(call) ? page({}, { items: [], _links: { next: { href: `${other}/x` } } }) : undefined),
  ],
  [
    'the `Link` to the next page',
    (other) => (call) => (isList(call) ? page({ headers: { link: `<${other}/x>; rel="next"` } }, []) : undefined),
  ],
  [
    '`Location`',
    (other) => (call) =>
      call.method === 'POST' && call.json
        ? { status: 201, body: { id: 1, name: 'x' }, headers: { location: `${other}/things/1` } }
        : undefined,
  ],
  [
    'a redirect',
    (other) => (call) => (isList(call) ? { status: 307, headers: { location: `${other}/things` } } : undefined),
  ],
])('%s to another host is told once, and never followed', async (way, lead) => {
  const { result, asked, host } = await run(lead);
  const notes = result.notes.filter((note) => note.includes(host));
  expect(notes).toEqual([expect.stringContaining(`${way} names another host, ${host}, as in a response of `)]);
  expect(asked).toBe(0);
});

test('another name of this machine is no other host', async () => {
  const { result } = await run(() => (call) => {
    const own = `http://localhost:${new URL(`http://${call.headers.host ?? ''}`).port}`;
    return isList(call) ? page({ headers: { link: `<${own}/things?page=2>; rel="next"` } }, []) : undefined;
  });
  expect(result.notes.join('\n')).not.toContain('another host');
});

test('a path that is redirected to itself with a slash is told once', async () => {
  const { result } = await run(
    () => (call) => (isList(call) ? { status: 308, headers: { location: '/things/' } } : undefined),
  );
  expect(result.notes.filter((note) => note.includes('redirects'))).toEqual([
    'the target redirects /things to /things/, which the contract does not have',
  ]);
});

function isList({ method, path }: { method: string; path: string }): boolean {
  return method === 'GET' && path === '/things';
}
