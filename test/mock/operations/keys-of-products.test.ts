// Where keys come from and are shown in the contracts of well-known products, each in its smallest form.
import { expect, test } from 'vitest';
import type { World } from '../../../src/mock/world/world.js';
import { content, inPath, openPaths } from '../../support/open-paths.js';
import { ask } from '../../support/test-world.js';

const text = { type: 'string' };
const done = { description: 'Done.' };
const object = (properties: Record<string, object>, required: string[] = []): Record<string, unknown> => ({
  type: 'object',
  properties,
  required,
});

/** What each request gives: `201 {"name":"a"}`. */
function run(world: World, ...requests: (readonly [target: string, body?: unknown])[]): string[] {
  return requests.map(([target, body]) => {
    const response = ask(world, target, body === undefined ? {} : { body: JSON.stringify(body) });
    return `${response.status} ${response.body?.text ?? ''}`.trim();
  });
}

test('the name in the body of a create is the key, also at a path beside the items and in another spelling (Docker)', () => {
  const volume = object({ Name: text, Driver: text }, ['Name']);
  const world = openPaths({
    '/volumes': { get: { responses: { 200: content(object({ Volumes: { type: 'array', items: volume } })) } } },
    '/volumes/create': {
      post: { requestBody: content(object({ name: text, driver: text })), responses: { 201: content(volume) } },
    },
    '/volumes/{name}': {
      parameters: [inPath('name', 'string')],
      get: { responses: { 200: content(volume), 404: done } },
      delete: { responses: { 204: done, 404: done } },
    },
  });
  const [created, got, removed, gone] = run(
    world,
    ['POST /volumes/create', { name: 'vol1' }],
    ['GET /volumes/vol1'],
    ['DELETE /volumes/vol1'],
    ['GET /volumes/vol1'],
  );
  expect(JSON.parse(created?.slice(4) ?? '')).toMatchObject({ Name: 'vol1' });
  expect(got).toBe(created?.replace('201', '200'));
  expect([removed, gone?.slice(0, 3)]).toEqual(['204', '404']);
});

test('the response to a create shows the key in a member that is called like the path parameter (Alertmanager)', () => {
  const silence = object({ id: text, comment: text }, ['id', 'comment']);
  const world = openPaths({
    '/silences': {
      get: { responses: { 200: content({ type: 'array', items: silence }) } },
      post: {
        requestBody: content(object({ comment: text }, ['comment'])),
        responses: { 200: content(object({ silenceID: text })) },
      },
    },
    '/silence/{silenceID}': {
      parameters: [inPath('silenceID', 'string')],
      get: { responses: { 200: content(silence) } },
    },
  });
  const [created] = run(world, ['POST /silences', { comment: 'Quiet' }]);
  const { silenceID } = JSON.parse(created?.slice(4) ?? '') as { silenceID: string };
  expect(run(world, [`GET /silence/${silenceID}`])).toEqual([`200 {"id":"${silenceID}","comment":"Quiet"}`]);
});

const user = object({ name: text, admin: { type: 'boolean' } }, ['name']);
const itemOf = (methods: Record<string, unknown>): Record<string, Record<string, unknown>> => ({
  '/users': { get: { responses: { 200: content({ type: 'array', items: user }) } } },
  '/users/{name}': {
    parameters: [inPath('name', 'string')],
    get: { responses: { 200: content(user), 404: done } },
    ...methods,
  },
});

test('a POST at the path of an item creates it where the contract has 201 and says so (JupyterHub)', () => {
  const post = { summary: 'Create a single user', responses: { 201: content(user), 409: done } };
  const world = openPaths(itemOf({ post }));
  expect(run(world, ['POST /users/ada'], ['POST /users/ada'], ['GET /users/ada'])).toEqual([
    '201 {"name":"ada"}',
    expect.stringMatching(/^409 /),
    '200 {"name":"ada"}',
  ]);
  const notify = { summary: 'Notify a user', responses: { 201: content(user), 404: done } };
  expect(run(openPaths(itemOf({ post: notify })), ['POST /users/ada'], ['GET /users/ada'])[1]).toMatch(/^404/);
});

test.each([
  ['409', { 409: done }, {}, 201],
  ['neither 404 nor another create', {}, {}, 201],
  ['404', { 404: done }, {}, 404],
  ['another create beside it', {}, { post: { requestBody: content(user), responses: { 201: content(user) } } }, 404],
])('a POST with 201 at the path of an item and %s, whatever it is called', (_, others, collection, status) => {
  const post = { requestBody: content(user), responses: { 201: content(user), ...others } };
  const paths = itemOf({ post, put: { requestBody: content(user), responses: { 200: content(user), 404: done } } });
  Object.assign(paths['/users'] ?? {}, collection);
  const [posted, got] = run(openPaths(paths), ['POST /users/ada', { name: 'ada', admin: true }], ['GET /users/ada']);
  expect([posted?.slice(0, 3), got?.slice(0, 3)]).toEqual([String(status), status === 201 ? '200' : '404']);
  expect(got?.includes('"admin":true')).toBe(status === 201);
});

test.each([
  ['204 without content', { 201: done, 204: done }, ['201', '204']],
  ['204 and 201 with content', { 201: content(user), 204: done }, ['201 {"name":"ada","admin":true}', '204']],
  ['200 and 201 without content', { 200: content(user), 201: done }, ['201', '200 {"name":"ada","admin":true}']],
])('a PUT creates with 201, and replaces with another status (%s)', (_, responses, answers) => {
  const world = openPaths(itemOf({ put: { requestBody: content(user), responses } }));
  const put = ['PUT /users/ada', { name: 'ada', admin: true }] as const;
  expect(run(world, put, put)).toEqual(answers);
  expect(run(world, ['GET /users/ada'])).toEqual(['200 {"name":"ada","admin":true}']);
});

test.each([
  ['Create or update a user', 200],
  ['Creates the user if it does not exist', 200],
  ['Upsert', 200],
  ['Replace a user', 404],
])('a PUT that is described as "%s" gives %i for a key that is not there (Typesense)', (summary, status) => {
  const put = { summary, requestBody: content(object({ admin: { type: 'boolean' } })) };
  const world = openPaths(itemOf({ put: { ...put, responses: { 200: content(user), 404: done } } }));
  const [put1, got] = run(world, ['PUT /users/ada', { admin: true }], ['GET /users/ada']);
  expect([put1?.slice(0, 3), got?.slice(0, 3)]).toEqual([String(status), String(status)]);
});

test('a JSON Patch is applied, whatever media type the contract gives it (Hydra)', () => {
  const operation = object({ op: text, path: text, value: {} }, ['op', 'path']);
  const patch = { requestBody: content({ type: 'array', items: operation }), responses: { 200: content(user) } };
  const post = { summary: 'Create', responses: { 201: content(user) } };
  const world = openPaths(itemOf({ post, patch }));
  const change = [{ op: 'add', path: '/admin', value: true }];
  expect(run(world, ['POST /users/ada'], ['PATCH /users/ada', change], ['GET /users/ada']).slice(1)).toEqual([
    '200 {"name":"ada","admin":true}',
    '200 {"name":"ada","admin":true}',
  ]);
});

test('a PATCH whose response is described as a part of the record shows that part of it (Typesense)', () => {
  const part = { ...object({ admin: { type: 'boolean' } }, ['admin']), example: { admin: false } };
  const patch = { requestBody: content(part), responses: { 200: content(part) } };
  const world = openPaths(itemOf({ post: { summary: 'Create', responses: { 201: content(user) } }, patch }));
  expect(run(world, ['POST /users/ada'], ['PATCH /users/ada', { admin: true }])[1]).toBe('200 {"admin":true}');
});

test('a list may have records by their keys, which the records need not show (Signal K)', () => {
  const waypoint = object({ name: text }, ['name']);
  const world = openPaths({
    '/waypoints': {
      get: { responses: { 200: content({ type: 'object', additionalProperties: { allOf: [waypoint] } }) } },
      post: { requestBody: content(waypoint), responses: { 201: content(object({ state: text, id: text }, ['id'])) } },
    },
    '/waypoints/{id}': {
      parameters: [inPath('id', 'string')],
      get: { responses: { 200: content(waypoint), 404: done } },
      put: { requestBody: content(waypoint), responses: { 200: content(object({ state: text })) } },
      delete: { responses: { 200: content(object({ state: text })) } },
    },
  });
  const [created] = run(world, ['POST /waypoints', { name: 'Home' }]);
  const { id } = JSON.parse(created?.slice(4) ?? '') as { id: string };
  expect(ask(world, 'GET /waypoints').value).toMatchObject({ [id]: { name: 'Home' } });
  expect(run(world, [`GET /waypoints/${id}`])).toEqual(['200 {"name":"Home"}']);
  expect(run(world, [`PUT /waypoints/${id}`, { name: 'Harbour' }], [`GET /waypoints/${id}`])[1]).toBe(
    '200 {"name":"Harbour"}',
  );
  run(world, [`DELETE /waypoints/${id}`]);
  expect(ask(world, 'GET /waypoints').value).not.toHaveProperty(id);
});

test('records by their keys may allow no key in them, and be created by PUT', () => {
  const flag = { ...object({ on: { type: 'boolean' }, note: text }, ['on']), additionalProperties: false };
  const world = openPaths({
    '/flags': { get: { responses: { 200: content({ type: 'object', additionalProperties: flag }) } } },
    '/flags/{key}': {
      parameters: [inPath('key', 'string')],
      get: { responses: { 200: content(flag), 404: done } },
      put: { requestBody: content(flag), responses: { 200: content(flag), 201: content(flag) } },
      delete: { responses: { 204: done, 404: done } },
    },
  });
  expect(run(world, ['PUT /flags/dark', { on: true, note: 'n' }], ['PUT /flags/dark', { on: false }])).toEqual([
    '201 {"on":true,"note":"n"}',
    '200 {"on":false}',
  ]);
  expect(run(world, ['GET /flags/dark'], ['GET /flags/other'])).toEqual([
    '200 {"on":false}',
    expect.stringMatching(/^404/),
  ]);
  expect(ask(world, 'GET /flags').value).toEqual({ dark: { on: false } });
  run(world, ['DELETE /flags/dark']);
  expect(ask(world, 'GET /flags').value).toEqual({});
});

test('records by their keys are those with a key, too', () => {
  const world = openPaths({
    '/users': {
      get: { responses: { 200: content(object({ users: { type: 'object', additionalProperties: user } })) } },
      post: { requestBody: content(user), responses: { 201: content(user) } },
    },
    '/users/{name}': { parameters: [inPath('name', 'string')], get: { responses: { 200: content(user) } } },
  });
  run(world, ['POST /users', { name: 'ada' }]);
  expect(ask(world, 'GET /users').value).toMatchObject({ users: { ada: { name: 'ada' } } });
});
