// Operations without a resource, such as remote procedure calls, get what can be asked of any operation.
import { describe, expect, test } from 'vitest';
import { content } from '../../support/open-paths.js';
import { object, text } from './support/odd-resource.js';
import { describeShelf, serveShelf } from './support/shelf.js';
import { describePaths, fail, judgeStranger, listTold, type Serve } from './support/stranger.js';

const ERROR = content(object({ message: text }));
const SUM = { name: 'a', in: 'query', required: true, schema: { type: 'integer', example: 2 } };
const SEND = object({ to: text, text: { type: 'string', minLength: 1 }, urgent: { type: 'boolean' } }, ['to', 'text']);
const ACTIONS = describePaths(
  {
    '/actions/send': {
      post: {
        operationId: 'sendMessage',
        requestBody: { required: true, ...content(SEND) },
        responses: { 201: content(object({ id: text }, ['id'])), 400: ERROR, 401: ERROR },
      },
    },
    '/sum': {
      get: {
        operationId: 'sum',
        parameters: [SUM],
        responses: { 200: content(object({ sum: { type: 'integer' } }, ['sum'])), 400: ERROR, 401: ERROR },
      },
    },
    '/search': {
      post: {
        operationId: 'search',
        requestBody: { required: true, ...content(object({ words: text, most: { type: 'integer' } }, ['words'])) },
        responses: { 200: content(object({ hits: { type: 'integer' } }, ['hits'])), 400: ERROR, 401: ERROR },
      },
    },
    // What is added here would stay.
    '/invoices': { post: { requestBody: content(SEND), responses: { 201: { description: 'Added.' } } } },
    '/invoices/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: text, example: 'of somebody' }],
      get: { responses: { 200: content(object({ total: text })) } },
      post: { requestBody: content(SEND), responses: { 204: { description: 'Done.' } } },
    },
    '/cache/reset': {
      post: {
        requestBody: content(object({ all: { type: 'boolean' } })),
        responses: { 204: { description: 'Done.' } },
      },
    },
  },
  { components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } }, security: [{ token: [] }] },
);

type Body = Readonly<Record<string, unknown>>;
type Habits = {
  isOpen?: boolean;
  sent?: object;
  hits?: unknown;
  status?: number;
  sums?: RegExp;
  takes?: (body: Body) => boolean;
};

const isMessage = (body: Body): boolean =>
  typeof body['to'] === 'string' && typeof body['text'] === 'string' && body['text'] !== '' && isOff(body['urgent']);
const isOff = (value: unknown): boolean => value === undefined || typeof value === 'boolean';
const isSearch = ({ words, most = 1 }: Body): boolean => typeof words === 'string' && Number.isInteger(most);

function serveActions(calls: string[], habits: Habits = {}): Serve {
  const { isOpen, sent = { id: 'm1' }, hits = 3, status = 201, sums = /^-?\d+$/, takes = isMessage } = habits;
  return ({ method, path, query, headers, body }) => {
    const isKnown = headers['authorization'] === 'Bearer any';
    if (isKnown) calls.push(`${method} /${path.join('/')}`);
    if (!isKnown && isOpen !== true) return fail(401);
    const read = typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Body) : {};
    if (path.join('/') === 'actions/send' && method === 'POST') return takes(read) ? { status, body: sent } : fail(400);
    if (path.join('/') === 'sum' && method === 'GET')
      return sums.test(query.get('a') ?? '') ? { status: 200, body: { sum: 5 } } : fail(400);
    if (path.join('/') === 'search' && method === 'POST')
      return isSearch(read) ? { status: 200, body: { hits } } : fail(400);
    return fail(404);
  };
}

describe('a call', () => {
  const judge = async (habits: Habits, may?: ('create' | 'update')[]) => {
    const calls: string[] = [];
    const more = may === undefined ? {} : { may };
    return { result: await judgeStranger(ACTIONS, serveActions(calls, habits), [], more), calls };
  };

  test.each<[string, Habits, RegExp]>([
    ['has a response that lacks what the contract requires', { sent: {} }, /^`id` .*sendMessage/],
    ['has a status that the contract does not have', { status: 200 }, /^sendMessage returns 200 instead of 201/],
    ['has a value of another type', { hits: 'three' }, /^`hits` .*search/],
    [
      'does not miss what is required',
      { takes: ({ to = 'a', ...body }) => isMessage({ ...body, to }) },
      /^sendMessage accepts .*`to`/,
    ],
    ['takes another type', { takes: ({ urgent: _, ...body }) => isMessage(body) }, /^sendMessage accepts .*`urgent`/],
    ['needs no credentials', { isOpen: true }, /without a key and with a wrong key$/],
  ])('that %s is told', async (_, habits, expected) => {
    const told = listTold((await judge(habits)).result);
    expect(told).toEqual([expect.stringMatching(expected)]);
  });

  test('that takes a parameter of another type, or none, is told', async () => {
    const { result } = await judge({ sums: /^/ });
    expect(listTold(result)).toEqual([expect.stringMatching(/^sum accepts .*`a`/)]);
    const deviating = result.scenarios.filter(({ verdict }) => verdict === 'deviated').map(({ id }) => id);
    expect(deviating).toContain('operations/refusals/parameter[sum-without-a]');
    expect(deviating).toContainEqual(expect.stringMatching(/^operations\/refusals\/parameter-rule\[sum-/));
  });

  test('of a sound service is not told, and nothing is called that is for everybody', async () => {
    const { result, calls } = await judge({});
    expect(listTold(result)).toEqual([]);
    const others = result.scenarios.filter(({ verdict }) => verdict !== 'passed').map(({ id }) => id);
    expect(others).toEqual(['operations/requests/other-answer[GET /invoices/{id}]', 'service/unknown-path']);
    expect(new Set(calls.filter((each) => each.startsWith('POST')))).toEqual(
      new Set(['POST /actions/send', 'POST /search']),
    );
  });

  test('that a service rejects for a reason of its own is not told', async () => {
    const { result } = await judge({ takes: () => false });
    expect(listTold(result)).toEqual([]);
  });

  test('is sent without consent only where it is said to look', async () => {
    const { result, calls } = await judge({}, ['create']);
    expect(listTold(result)).toEqual([]);
    expect(new Set(calls.filter((each) => each.startsWith('POST')))).toEqual(new Set(['POST /search']));
  });
});

const LIMIT = { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 9 } };

test.each([
  ['closed', []],
  [5, [expect.stringMatching(/^`state` .*closeOrder/)]],
])('what is done with a record of the run shows `state` %j', async (state, expected) => {
  const record = object({ id: { type: 'integer', readOnly: true }, name: text }, ['id', 'name']);
  const close = {
    operationId: 'closeOrder',
    responses: { 200: content(object({ state: text }, ['state'])), 404: ERROR },
  };
  const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }];
  const paths = {
    ...describeShelf({ name: 'orders', record, sent: object({ name: text }, ['name']), query: [LIMIT] }),
    '/orders/{id}/close': { parameters, post: close },
  };
  const closed: (string | undefined)[] = [];
  const shelf = serveShelf(
    'orders',
    {
      refuse: ({ name }) => (typeof name === 'string' ? undefined : fail(400)),
      answer: ({ method, path }, items) => {
        if (method !== 'POST' || path[2] !== 'close') return undefined;
        closed.push(path[1]);
        return items.some(({ id }) => String(id) === path[1]) ? { status: 200, body: { state } } : fail(404);
      },
    },
    [{ id: 1, name: 'of somebody else' }],
  );
  const result = await judgeStranger(describePaths(paths), shelf, ['orders/requests/action*']);
  expect(listTold(result)).toEqual(expected);
  expect(closed).toEqual([expect.stringMatching(/^1\d\d$/)]);
});
