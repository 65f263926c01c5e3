import { expect, test } from 'vitest';
import type { World } from '../../../src/mock/world/world.js';
import { ask } from '../../support/test-world.js';
import { content, fill, inHeader, keep, openPaths } from '../../support/open-paths.js';
import { listOf, NUMBER, object, TEXT, type Schema } from '../../support/schemas.js';
import { yaml } from '../../support/yaml.js';

const MERGE = 'application/merge-patch+json';
const JSON_PATCH = 'application/json-patch+json';
const PLAIN = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
const OBJECT = { type: 'object' };

const size = object({ width: NUMBER, height: NUMBER });
const SHELF = { name: TEXT, note: { type: ['string', 'null'] }, size, tags: listOf(TEXT) };
const shelf = object({ id: NUMBER, ...SHELF }, ['id', 'name']);
const RECORD = { id: 1, name: 'A', note: 'old', size: { width: 1, height: 2 }, tags: ['x'] };

/** A collection with one record, whose PATCH takes a body of this media type. */
function open(item: string, schema: Schema, record: Schema, patch: object): World {
  const paths = keep(item, schema);
  const get = { responses: { 200: { ...content(schema), headers: { ETag: { schema: TEXT } } } } };
  const world = openPaths({ ...paths, [item]: { ...paths[item], get, patch } });
  fill(world, item.split('/')[1] ?? '', [record]);
  return world;
}

function openShelves(mediaType: string, body: Schema = object(SHELF)): World {
  const refusals = [400, 409, 412, 413].map((status) => [status, { description: 'No.' }]);
  const responses = { 200: content(shelf), ...(Object.fromEntries(refusals) as object) };
  const patch = { parameters: [inHeader('If-Match')], requestBody: content(body, mediaType), responses };
  return open('/shelves/{id}', shelf, RECORD, patch);
}

function send(world: World, path: string, mediaType: string, body: unknown): { status: number; value: unknown } {
  const headers = { 'content-type': mediaType };
  const { status } = ask(world, `PATCH ${path}`, { body: JSON.stringify(body), headers });
  return { status, value: ask(world, `GET ${path}`).value };
}

const patch = (mediaType: string, body: unknown, schema?: Schema): { status: number; value: unknown } =>
  send(openShelves(mediaType, schema), '/shelves/1', mediaType, body);

test.each([
  [{ name: 'B' }, { ...RECORD, name: 'B' }],
  [{ size: { height: 5 } }, { ...RECORD, size: { width: 1, height: 5 } }],
  [{ tags: ['y'] }, { ...RECORD, tags: ['y'] }],
  [{ note: null }, { id: 1, name: 'A', size: RECORD.size, tags: ['x'] }],
  [{ id: 9 }, RECORD],
])('a merge patch (RFC 7396) of %j', (body, after) => {
  expect(patch(MERGE, body, OBJECT)).toEqual({ status: 200, value: after });
});

const light = { type: 'string', default: 'off' };
const dims = object({ unit: { type: 'string', default: 'mm' }, width: NUMBER }, ['unit']);
const NAMES = ['id', 'name', 'light', 'dims', 'note'];
const lamp = object({ id: NUMBER, name: TEXT, light, dims, note: SHELF.note, glow: light }, NAMES);
const LAMP = { id: 1, name: 'A', light: 'on', dims: { unit: 'cm', width: 1 }, note: 'x', glow: 'on' };

test.each([
  ['takes its default again', { light: null }, { ...LAMP, light: 'off' }],
  ['takes the default again of what a record need not have', { glow: null }, { ...LAMP, glow: 'off' }],
  ['takes the default again within an object', { dims: { unit: null } }, { ...LAMP, dims: { unit: 'mm', width: 1 } }],
  ['is null where a record may have it', { note: null }, { ...LAMP, note: null }],
  ['removes what a record need not have', { dims: { width: null } }, { ...LAMP, dims: { unit: 'cm' } }],
  ['is refused without a default', { name: null }, LAMP],
])('null in a merge patch, for what a record must have, %s', (_, body, after) => {
  const responses = { 200: content(lamp), 422: { description: 'No.' } };
  const world = open('/lamps/{id}', lamp, LAMP, { requestBody: content(OBJECT, MERGE), responses });
  expect(send(world, '/lamps/1', MERGE, body)).toEqual({ status: 'name' in body ? 422 : 200, value: after });
});

test('in plain JSON a property that may be null is null, and stays', () =>
  expect(patch(PLAIN, { note: null })).toEqual({ status: 200, value: { ...RECORD, note: null } }));

test('a patch that would break the contract is refused, and changes nothing', () =>
  expect(patch(MERGE, { name: null }, OBJECT)).toEqual({ status: 409, value: RECORD }));

const rename = { op: 'replace', path: '/name', value: 'B' };
const addTag = { op: 'add', path: '/tags/-', value: 'y' };
const CHANGED = { ...RECORD, name: 'B', tags: ['x', 'y'], size: { height: 2 } };
const doubled = Array.from({ length: 60 }, (_, at) => ({ op: 'copy', from: '', path: `/c${at}` }));

test.each([
  ['does what each operation says', [rename, addTag, { op: 'remove', path: '/size/width' }], 200, CHANGED],
  ['keeps the key', [{ op: 'replace', path: '', value: { name: 'C' } }], 200, { id: 1, name: 'C' }],
  ['of which one operation fails does nothing', [rename, { op: 'test', path: '/note', value: 'new' }], 409, RECORD],
  ['that copies the record into itself again and again changes nothing', doubled, 413, RECORD],
  ['that is none changes nothing', [{ op: 'merge', path: '/name' }], 400, RECORD],
  ['that makes a text of the record changes nothing', [{ op: 'replace', path: '', value: 'x' }], 409, RECORD],
  ['that removes what a record must have changes nothing', [{ op: 'remove', path: '/name' }], 400, RECORD],
])('a JSON Patch (RFC 6902) %s', (_, body, status, value) => {
  expect(patch(JSON_PATCH, body, listOf(object({}, ['op', 'path'])))).toEqual({ status, value });
});

test('If-Match (RFC 9110 section 13.1.1): a change is made of what the client knows, and not of what has changed since', () => {
  const world = openShelves(PLAIN);
  const tag = String(ask(world, 'GET /shelves/1').headers['ETag']);
  expect(tag).toMatch(/^".+"$/);
  const change = (match: string): number =>
    ask(world, 'PATCH /shelves/1', { body: '{"name":"B"}', headers: { 'if-match': match } }).status;
  expect([change('"other"'), change(tag), change(tag), change('*')]).toEqual([412, 200, 412, 200]);
});

test('what a form writes in another style is what the record has, when it is created and when it is changed', () => {
  const sink = object({ sid: TEXT, friendly_name: TEXT }, ['sid']);
  const requestBody = content(object({ FriendlyName: TEXT, PageSize: NUMBER }), FORM);
  const { '/Sinks': all, '/Sinks/{Sid}': one } = keep('/Sinks/{Sid}', sink, 'list get', { key: 'string' });
  const world = openPaths({
    '/Sinks': { ...all, post: { requestBody, responses: { 201: content(sink) } } },
    '/Sinks/{Sid}': { ...one, post: { requestBody, responses: { 200: content(sink) } } },
  });
  const headers = { 'content-type': FORM };
  const created = ask(world, 'POST /Sinks', { body: 'FriendlyName=One&PageSize=3', headers }).value as { sid: string };
  expect(created).toEqual({ sid: created.sid, friendly_name: 'One' });
  ask(world, `POST /Sinks/${created.sid}`, { body: 'FriendlyName=Two', headers });
  expect(ask(world, `GET /Sinks/${created.sid}`).value).toEqual({ sid: created.sid, friendly_name: 'Two' });
});

const { task, loan, boat } = yaml<Record<'task' | 'loan' | 'boat', Schema & { properties: Schema }>>`
task: { type: object, required: [id, title], properties: { id: { type: integer, readOnly: true }, title: { type: string },
  due: { type: [string, 'null'], format: date }, parent: { anyOf: [{ type: integer }, { type: 'null' }] },
  secret: { type: [string, 'null'], writeOnly: true }, note: { type: string } } }
# What has not happened yet has no time.
loan: { type: object, required: [id, reader], properties: { id: { type: integer, readOnly: true }, reader: { type: string },
  closedAt: { type: [string, 'null'], format: date-time }, cancelledAt: { type: string, format: date-time } } }
boat: { type: object, required: [name], properties: { id: { type: integer, readOnly: true }, name: { type: string } } }
`;
const TASKS = keep('/tasks/{id}', task, 'list create get replace');
const LOANS = keep('/loans/{id}', loan, 'list create get');
const openTasks = (choice: string): World => openPaths(TASKS, { choices: { 'unset-fields': choice } });

test('with a profile, what may be null and was not sent is null, in every answer', () => {
  const world = openTasks('as-null');
  const made = ask(world, 'POST /tasks', { body: '{"title":"Call","parent":7}' });
  expect(made.value).toEqual({ id: 1, title: 'Call', parent: 7, due: null });
  expect(ask(world, 'GET /tasks/1').value).toEqual(made.value);
  expect(ask(world, 'GET /tasks').value).toEqual([made.value]);
  const put = ask(world, 'PUT /tasks/1', { body: '{"title":"Write","due":"2026-01-02"}' });
  expect(put.value).toEqual({ id: 1, title: 'Write', parent: null, due: '2026-01-02' });
});

test('the records of the start follow the profile that the mock starts with', () => {
  const start = (choice: string): Schema[] =>
    ask(openPaths(LOANS, { choices: { 'unset-fields': choice }, others: 3 }), 'GET /loans').value as Schema[];
  const [omitted, asNull] = [start('omitted'), start('as-null')];
  expect(omitted).toHaveLength(3);
  expect(omitted.every((each) => !Object.hasOwn(each, 'closedAt'))).toBe(true);
  expect(asNull).toEqual(omitted.map((each) => Object.assign(each, { closedAt: null })));
});

test.each([
  ['false', 'of another type is none', {}],
  [false, 'that fits is filled in', { afloat: false }],
])('the default %j of a truth value %s', (value, _, filled) => {
  const properties = { ...boat.properties, afloat: { type: 'boolean', default: value } };
  const world = openPaths(keep('/boats/{id}', { ...boat, properties }, 'create get'));
  const notes: string[] = [];
  world.onExchange = (exchange) => notes.push(...exchange.notes);
  expect(ask(world, 'POST /boats', { body: '{"name":"Argo"}' }).value).toEqual({ id: 1, name: 'Argo', ...filled });
  expect(notes).toEqual([]);
});

test('what every boat has and a replacement need not name stays as it was; what it does name may be no value of a boat', () => {
  const anchor = object({ kind: TEXT }, ['kind']);
  const properties = { ...boat.properties, anchor, mail: { ...TEXT, format: 'email' } };
  const whole = { ...boat, required: ['name', 'anchor'], properties };
  const sent = { ...boat, properties: { ...properties, mail: TEXT } };
  const paths = keep('/boats/{id}', whole, 'create get');
  const put = { requestBody: content(sent), responses: { 200: content(whole), 400: { description: 'No.' } } };
  const world = openPaths({ ...paths, '/boats/{id}': { ...paths['/boats/{id}'], put } });
  ask(world, 'POST /boats', { body: '{"name":"Argo","anchor":{"kind":"stone"}}' });
  const { status, value } = ask(world, 'PUT /boats/1', { body: '{"name":"Beagle","mail":"at sea"}' });
  const mail = expect.stringMatching(/@/) as string;
  expect([status, value]).toEqual([200, { id: 1, name: 'Beagle', anchor: { kind: 'stone' }, mail }]);
});
