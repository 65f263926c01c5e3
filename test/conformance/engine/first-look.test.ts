// What a run says of its target before it begins, and of hosts to which the target leads.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { checkFirstLook, runConformance } from '../../../src/conformance/product/run-conformance.js';
import type { Run } from '../../../src/conformance/engine/run.js';
import { bareStep } from '../../../src/conformance/http/prepare-request.js';
import type { RunResult } from '../../../src/conformance/index.js';
import type { WireAnswer } from '../../../src/conformance/model/exchange.js';
import { PetstoreMockError } from '../../../src/errors.js';
import { writeRenamed } from '../../mutation/renamed/renamed-contract.js';
import { serveLocally } from '../../support/network/serve-locally.js';
import { parseContract } from '../../support/parse-contract.js';
import { describeThings, serve, serveThings, wantBearer, type Call, type Guard } from '../support/guarded-things.js';

type Answer = (path: string, request: IncomingMessage, response: ServerResponse) => void;

/** What a run at a path of a target says before it begins; `begins` when it finds the API. */
async function look(answer: Answer, path: string, spec?: string): Promise<{ said: string; requests: number }> {
  let requests = 0;
  const { url, close } = await serveLocally((request, response) => {
    requests += 1;
    return Promise.resolve(answer((request.url ?? '').split('?')[0] ?? '', request, response));
  });
  onTestFinished(close);
  const only = ['*/lists/filter-alone*'];
  try {
    await runConformance({
      target: `${url}${path}`,
      apiKey: 'Base-Url-Key-1',
      settleMs: 0,
      only,
      ...(spec && { spec }),
    });
    return { said: 'begins', requests };
  } catch (error) {
    if (!(error instanceof PetstoreMockError)) throw error;
    return { said: `${error.code}: ${error.message.replaceAll(/127\.0\.0\.1:\d+/g, 'host')}`, requests };
  }
}

const send =
  (status: number, headers: Record<string, string>, text = ''): Answer =>
  (_path, _request, response) =>
    void response.writeHead(status, headers).end(text);
const json = (status: number, body: unknown): Answer =>
  send(status, { 'content-type': 'application/json' }, JSON.stringify(body));
const notFound = json(404, { detail: 'Not Found' });
const contractError = (status: number): Answer => json(status, { code: 'no', message: 'no', status });
const redirect = (location: string): Answer => send(302, { location });
const page = send(200, { 'content-type': 'text/html' }, '<!doctype html><title>Shop</title>');

/** A store below `/v1`, and something else around it. */
const store =
  (around: Answer = notFound, list: Answer = json(200, []), pet: Answer = contractError(404)): Answer =>
  (asked, ...rest) =>
    (asked === '/v1/pets' ? list : asked.startsWith('/v1/pets/') ? pet : around)(asked, ...rest);

test.each<[string, string, Answer]>([
  ['the version segment is missing', '', store()],
  ['the version segment is missing, and errors are those of the contract', '', store(contractError(404))],
  ['it ends in the list itself', '/v1/pets', store()],
  ['it ends in the version twice', '/v1/v1', store()],
  ['it has a wrong prefix', '/wrong', store()],
  ['the list asks for another key there', '', store(notFound, contractError(401))],
  ['a page is around it', '', store(page)],
])('a base URL that is off is told with the address to try: %s', async (_, path, answer) => {
  const { said, requests } = await look(answer, path);
  expect(said).toBe(
    `wrong-target: http://host${path} is not the base URL of the API, which responds at http://host/v1; try --target http://host/v1.`,
  );
  expect(requests).toBeLessThanOrEqual(5);
});

test.each<[string, Answer, string]>([
  ['an HTML page', page, '200'],
  ['nothing', notFound, '404'],
  ['a redirect to a login', redirect('https://sso.example/login?back=secret'), '302 to https://sso.example/login'],
])('a target that is not the API, but %s, is told as such', async (_, answer, status) => {
  const { said, requests } = await look(answer, '/v1');
  expect(said).toBe(
    `wrong-target: the API is not at http://host/v1: listPets, getPet returned ${status}, ${status}; give the base URL to which the paths of the contract are appended.`,
  );
  expect(requests).toBeLessThanOrEqual(5);
});

test('of a contract with other paths, the address to try has those', async () => {
  const spec = writeRenamed({ operationIds: 'kept' });
  const shop: Answer = (path, ...rest) => (path === '/shop/v2/animals' ? json(200, []) : notFound)(path, ...rest);
  const { said } = await look(shop, '/shop/v2/animals', spec);
  expect(said).toContain('which responds at http://host/shop/v2; try --target');
});

const CLOSED = 'the connection was closed before a response came (should the URL begin with https://?)';
const MOVED = 'redirects every request, for example to https://api.example.com/v2/pets; try --target';

test.each<[string, Answer, string, string]>([
  [
    'that is not available is not judged',
    json(503, { message: 'later' }),
    '/v1',
    'target-unreachable: http://host/v1 cannot be tested: it responds with 503 to every request.',
  ],
  [
    'that drops the connection may want TLS',
    (_path, request) => void request.socket.destroy(),
    '/v1',
    `target-unreachable: http://host/v1 cannot be tested: ${CLOSED}.`,
  ],
  [
    'that sends every request on says the base URL that leads there',
    (path, ...rest) => send(301, { location: `https://api.example.com/v2${path}` })(path, ...rest),
    '',
    `wrong-target: http://host ${MOVED} https://api.example.com/v2.`,
  ],
])('a target %s', async (_, answer, path, said) => expect((await look(answer, path)).said).toBe(said));

test('a redirect that leads nowhere below a base URL is named', async () =>
  expect((await look(redirect('/login'), '')).said).toMatch(/ returned 302 to \/login/));

test.each<[string, (path: string) => string]>([
  ['to its own path with a slash', (path) => `${path}/`],
  ['the same by its whole address', (path) => `http://HOST${path}/`],
])('a redirect %s says what differs, and not that another target would help', async (_, to) => {
  const answer: Answer = (path, request, ...rest) =>
    send(308, { location: to(path).replace('HOST', String(request.headers.host)) })(path, request, ...rest);
  expect((await look(answer, '/v1')).said).toBe(
    'wrong-target: http://host/v1 redirects /pets, /pets/{petId} to /pets/, /pets/{petId}/: the paths of the contract lack a slash at the end that those of the service have; change one of them, no other --target helps.',
  );
});

const pet = json(200, { id: 1, name: 'Rex', categoryId: 1 });

test.each<[string, Answer]>([
  ['an empty list', store()],
  ['a list that fails', store(notFound, contractError(500))],
  ['a list without a body', store(notFound, (_path, _request, response) => void response.end())],
  ['a list that is not found while it is empty', store(contractError(404), contractError(404))],
  ['a list in an envelope', store(notFound, json(200, { items: [] }))],
  ['a list that is called HTML', store(notFound, send(200, { 'content-type': 'text/html' }, '[]'))],
  ['a list that redirects, beside pets that do not', store(notFound, redirect('/v1/pets/'), pet)],
  ['a list that refuses the key, beside pets that do not', store(notFound, contractError(401))],
])('an API is taken for one, whatever is wrong with it: %s', async (_, answer) =>
  expect((await look(answer, '/v1')).said).toBe('begins'),
);

test.each([
  ['127.0.0.1:4010/v1', 'should it be http://127.0.0.1:4010/v1?'],
  ['api.example.com/v1', 'should it be http://api.example.com/v1?'],
  ['user:secret@host/v1', 'give the base URL, such as http://127.0.0.1:4010/v1.'],
  ['petstore', 'give the base URL, such as http://127.0.0.1:4010/v1.'],
])('%s is no URL, which is told with what it may have been', async (target, said) => {
  const message = expect.stringMatching(/^the target is not a URL; /) as string;
  await expect(runConformance({ target, apiKey: 'k' })).rejects.toMatchObject({ code: 'bad-option', message });
  await expect(runConformance({ target, apiKey: 'k' })).rejects.toThrow(said);
});

test.each([
  [404, 'the API is not at http://localhost: listBoats, listTrips'],
  [401, 'rejects the credentials'],
  [501, 'it is the API'],
  [200, 'it is the API'],
])(
  'a target that answers everything with %i is another one, or the API, also where nothing is implemented',
  async (status, why) => {
    const steps = ['listBoats', 'listTrips'].map((operationId) => bareStep({ id: 'probe', operationId }));
    const answer = { kind: 'answered', status, headers: {}, bytes: new Uint8Array() } as unknown as WireAnswer;
    const contract = parseContract({ info: { title: 'Boats', version: '1' }, paths: {} });
    const keys = { apiKey: 'key', credentials: {}, tokens: [] };
    const run = { contract, prepareOptions: { basePath: '', keys } } as unknown as Run;
    const looking = checkFirstLook(steps, answer, () => Promise.resolve(answer), { shownAs: 'http://localhost', run });
    expect(await looking.then(() => 'it is the API', String)).toContain(why);
  },
);

describe('a target that leads to another host', () => {
  const KEY = 'key-of-the-user-51';
  const isList = ({ method, path }: Call): boolean => method === 'GET' && path === '/things';
  const listing =
    (body: unknown, headers: Record<string, string> = {}, status = 200): Guard =>
    (call) =>
      isList(call) ? { status, body, headers } : undefined;

  /** A run against things behind a guard that leads elsewhere, and what came to that other host. */
  async function run(lead: (other: string) => Guard): Promise<{ result: RunResult; asked: number; host: string }> {
    let asked = 0;
    const other = await serve(() => {
      asked += 1;
      return { status: 200, body: [] };
    });
    const { url: target } = await serveThings(
      wantBearer((token) => token === KEY),
      lead(other),
    );
    const options = { apiKey: '', credentials: { bearer: KEY }, settleMs: 0, only: ['things/records/*'] };
    const result = await runConformance({ target, spec: describeThings(), ...options });
    return { result, asked, host: new URL(other).host };
  }

  const locating =
    (other: string): Guard =>
    ({ method, json: sent }) => {
      const headers = { location: `${other}/things/1` };
      return method === 'POST' && sent ? { status: 201, body: { id: 1, name: 'x' }, headers } : undefined;
    };

  test.each<[string, (other: string) => Guard]>([
    ['`next`', (other) => listing({ items: [], next: `${other}/things?page=2` })],
    ['`next`', (other) => listing({ items: [], _links: { next: { href: `${other}/x` } } })],
    ['the `Link` to the next page', (other) => listing([], { link: `<${other}/x>; rel="next"` })],
    ['`Location`', locating],
    ['a redirect', (other) => listing(undefined, { location: `${other}/things` }, 307)],
  ])('by %s is told so once, and never followed', async (way, lead) => {
    const { result, asked, host } = await run(lead);
    const notes = result.notes.filter((note) => note.includes(host));
    expect(notes).toEqual([expect.stringContaining(`${way} names another host, ${host}, as in a response of `)]);
    expect(asked).toBe(0);
  });

  test('by another name of this machine leads to none', async () => {
    const { result } = await run(() => (call) => {
      const { port } = new URL(`http://${call.headers.host ?? ''}`);
      return listing([], { link: `<http://localhost:${port}/things?page=2>; rel="next"` })(call);
    });
    expect(result.notes.join('\n')).not.toContain('another host');
  });

  test('or redirects a path to itself with a slash is told so once', async () => {
    const { result } = await run(() => listing(undefined, { location: '/things/' }, 308));
    expect(result.notes.filter((note) => note.includes('redirects'))).toEqual([
      'the target redirects /things to /things/, which the contract does not have',
    ]);
  });
});
