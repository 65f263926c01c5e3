import { expect, test } from 'vitest';
import type { World } from '../../../src/mock/world/world.js';
import { content, keep, openPaths } from '../../support/open-paths.js';
import { listOf, object, TEXT, YES } from '../../support/schemas.js';
import { ask } from '../../support/test-world.js';

const key = 'string';
const done = { description: 'Done.' };
const byKey = (record: object): Record<string, unknown> => ({ type: 'object', additionalProperties: record });

/** What each request gives: `201 {"name":"a"}`. */
function run(world: World, ...requests: (readonly [target: string, body?: unknown])[]): string[] {
  return requests.map(([target, body]) => {
    const response = ask(world, target, body === undefined ? {} : { body: JSON.stringify(body) });
    return `${response.status} ${response.body?.text ?? ''}`.trim();
  });
}
const valueOf = (told: string | undefined): Record<string, string> =>
  JSON.parse(told?.slice(4) ?? '') as Record<string, string>;

test('the name in the body of a create is the key, also at a path beside the items and in another spelling (Docker)', () => {
  const volume = object({ Name: TEXT, Driver: TEXT }, ['Name']);
  const create = { requestBody: content(object({ name: TEXT, driver: TEXT })), responses: { 201: content(volume) } };
  const list = object({ Volumes: listOf(volume) });
  const paths = keep('/volumes/{name}', volume, 'list get remove', { key, list, also: { 404: done } });
  const world = openPaths({ ...paths, '/volumes/create': { post: create } });
  const created = run(world, ['POST /volumes/create', { name: 'vol1' }])[0];
  const later = run(world, ['GET /volumes/vol1'], ['DELETE /volumes/vol1'], ['GET /volumes/vol1']);
  expect(valueOf(created)).toMatchObject({ Name: 'vol1' });
  expect(later).toEqual([created?.replace('201', '200'), '204', expect.stringMatching(/^404/)]);
});

test('the response to a create shows the key in a member that is called like the path parameter (Alertmanager)', () => {
  const silence = object({ id: TEXT, comment: TEXT }, ['id', 'comment']);
  const shown = { 200: content(object({ silenceID: TEXT })) };
  const post = { requestBody: content(object({ comment: TEXT }, ['comment'])), responses: shown };
  const paths = keep('/silences/{silenceID}', silence, 'list get', { key });
  const { '/silences/{silenceID}': one = {}, '/silences': all } = paths;
  const world = openPaths({ '/silences': { ...all, post }, '/silence/{silenceID}': one });
  const { silenceID } = valueOf(run(world, ['POST /silences', { comment: 'Quiet' }])[0]);
  expect(run(world, [`GET /silence/${silenceID}`])).toEqual([`200 {"id":"${silenceID}","comment":"Quiet"}`]);
});

const user = object({ name: TEXT, admin: YES }, ['name']);
const createUser = { requestBody: content(user), responses: { 201: content(user) } };
const postUser = { summary: 'Create', responses: { 201: content(user) } };
/** Users, with more methods at their items and at the list. */
function users(methods: object, collection: object = {}): World {
  const { '/users': all, '/users/{name}': one } = keep('/users/{name}', user, 'list get', { key, also: { 404: done } });
  return openPaths({ '/users': { ...all, ...collection }, '/users/{name}': { ...one, ...methods } });
}
const ADA = ['PUT /users/ada', { name: 'ada', admin: true }] as const;

test('a POST at the path of an item creates it where the contract has 201 and says so (JupyterHub)', () => {
  const post = { summary: 'Create a single user', responses: { 201: content(user), 409: done } };
  const all = run(users({ post }), ['POST /users/ada'], ['POST /users/ada'], ['GET /users/ada']);
  expect(all).toEqual(['201 {"name":"ada"}', expect.stringMatching(/^409 /), '200 {"name":"ada"}']);
  const notify = { summary: 'Notify a user', responses: { 201: content(user), 404: done } };
  expect(run(users({ post: notify }), ['POST /users/ada'], ['GET /users/ada'])[1]).toMatch(/^404/);
});

test.each([
  ['409', { 409: done }, {}, 201],
  ['neither 404 nor another create', {}, {}, 201],
  ['404', { 404: done }, {}, 404],
  ['another create beside it', {}, { post: createUser }, 404],
])('a POST with 201 at the path of an item and %s, whatever it is called', (_, others, collection, status) => {
  const post = { ...createUser, responses: { 201: content(user), ...others } };
  const put = { requestBody: content(user), responses: { 200: content(user), 404: done } };
  const [posted, got] = run(users({ post, put }, collection), ['POST /users/ada', ADA[1]], ['GET /users/ada']);
  expect([posted?.slice(0, 3), got?.slice(0, 3)]).toEqual([String(status), status === 201 ? '200' : '404']);
  expect(got?.includes('"admin":true')).toBe(status === 201);
});

test.each([
  ['204 without content', { 201: done, 204: done }, ['201', '204']],
  ['204 and 201 with content', { 201: content(user), 204: done }, ['201 {"name":"ada","admin":true}', '204']],
  ['200 and 201 without content', { 200: content(user), 201: done }, ['201', '200 {"name":"ada","admin":true}']],
])('a PUT creates with 201, and replaces with another status (%s)', (_, responses, answers) => {
  const world = users({ put: { requestBody: content(user), responses } });
  expect(run(world, ADA, ADA)).toEqual(answers);
  expect(run(world, ['GET /users/ada'])).toEqual(['200 {"name":"ada","admin":true}']);
});

test.each([
  ['Create or update a user', '200'],
  ['Creates the user if it does not exist', '200'],
  ['Replace a user', '404'],
])('a PUT that is described as "%s" gives %s for a key that is not there (Typesense)', (summary, status) => {
  const requestBody = content(object({ admin: YES }));
  const world = users({ put: { summary, requestBody, responses: { 200: content(user), 404: done } } });
  const told = run(world, ['PUT /users/ada', { admin: true }], ['GET /users/ada']);
  expect(told.map((each) => each.slice(0, 3))).toEqual([status, status]);
});

test('a JSON Patch is applied, whatever media type the contract gives it (Hydra)', () => {
  const operation = object({ op: TEXT, path: TEXT, value: {} }, ['op', 'path']);
  const patch = { requestBody: content(listOf(operation)), responses: { 200: content(user) } };
  const change = [{ op: 'add', path: '/admin', value: true }];
  const told = run(
    users({ post: postUser, patch }),
    ['POST /users/ada'],
    ['PATCH /users/ada', change],
    ['GET /users/ada'],
  );
  expect(told.slice(1)).toEqual(['200 {"name":"ada","admin":true}', '200 {"name":"ada","admin":true}']);
});

test('a PATCH whose response is described as a part of the record shows that part of it (Typesense)', () => {
  const part = { ...object({ admin: YES }, ['admin']), example: { admin: false } };
  const patch = { requestBody: content(part), responses: { 200: content(part) } };
  const told = run(users({ post: postUser, patch }), ['POST /users/ada'], ['PATCH /users/ada', { admin: true }]);
  expect(told[1]).toBe('200 {"admin":true}');
});

test('a list may have records by their keys, which the records need not show (Signal K)', () => {
  const waypoint = object({ name: TEXT }, ['name']);
  const state = { 200: content(object({ state: TEXT })) };
  const created = { 201: content(object({ state: TEXT, id: TEXT }, ['id'])) };
  const list = byKey({ allOf: [waypoint] });
  const { '/waypoints': all, '/waypoints/{id}': one } = keep('/waypoints/{id}', waypoint, 'list get', { key, list });
  const put = { requestBody: content(waypoint), responses: state };
  const world = openPaths({
    '/waypoints': { ...all, post: { requestBody: content(waypoint), responses: created } },
    '/waypoints/{id}': { ...one, put, delete: { responses: state } },
  });
  const { id = '' } = valueOf(run(world, ['POST /waypoints', { name: 'Home' }])[0]);
  expect(ask(world, 'GET /waypoints').value).toMatchObject({ [id]: { name: 'Home' } });
  expect(run(world, [`GET /waypoints/${id}`])).toEqual(['200 {"name":"Home"}']);
  const changed = run(world, [`PUT /waypoints/${id}`, { name: 'Harbour' }], [`GET /waypoints/${id}`]);
  expect(changed[1]).toBe('200 {"name":"Harbour"}');
  run(world, [`DELETE /waypoints/${id}`]);
  expect(ask(world, 'GET /waypoints').value).not.toHaveProperty(id);
});

test('records by their keys may allow no key in them, and be created by PUT', () => {
  const flag = { ...object({ on: YES, note: TEXT }, ['on']), additionalProperties: false };
  const paths = keep('/flags/{key}', flag, 'list get remove', { key, list: byKey(flag), also: { 404: done } });
  const put = { requestBody: content(flag), responses: { 200: content(flag), 201: content(flag) } };
  const world = openPaths({ ...paths, '/flags/{key}': { ...paths['/flags/{key}'], put } });
  const told = run(world, ['PUT /flags/dark', { on: true, note: 'n' }], ['PUT /flags/dark', { on: false }]);
  expect(told).toEqual(['201 {"on":true,"note":"n"}', '200 {"on":false}']);
  const got = run(world, ['GET /flags/dark'], ['GET /flags/other']);
  expect(got).toEqual(['200 {"on":false}', expect.stringMatching(/^404/)]);
  expect(ask(world, 'GET /flags').value).toEqual({ dark: { on: false } });
  run(world, ['DELETE /flags/dark']);
  expect(ask(world, 'GET /flags').value).toEqual({});
});

test('records by their keys are those with a key, too', () => {
  const list = object({ users: byKey(user) });
  const world = openPaths(keep('/users/{name}', user, 'list create get', { key, list }));
  run(world, ['POST /users', { name: 'ada' }]);
  expect(ask(world, 'GET /users').value).toMatchObject({ users: { ada: { name: 'ada' } } });
});
