import { expect, test } from 'vitest';
import { createPetstoreFetch } from '../../../src/index.js';
import type { World } from '../../../src/mock/world/world.js';
import { makeFile } from '../../support/folder.js';
import { content, keep, openPaths } from '../../support/open-paths.js';
import { yaml } from '../../support/yaml.js';
import { object, TEXT, type Schema } from '../../support/schemas.js';
import { ask } from '../../support/test-world.js';

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
const open = (choice: string): World => openPaths(TASKS, { choices: { 'unset-fields': choice } });

test('what was not sent is not there', () =>
  expect(ask(open('omitted'), 'POST /tasks', { body: '{"title":"Call"}' }).value).toEqual({ id: 1, title: 'Call' }));

test('with a profile, what may be null and was not sent is null, in every answer', () => {
  const world = open('as-null');
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

test('of one resource alone, where the profile says so', async () => {
  const document = { openapi: '3.1.0', info: { title: 'Loans', version: '1' }, paths: { ...LOANS, ...TASKS } };
  const spec = makeFile('loans.json', JSON.stringify(document));
  const mock = createPetstoreFetch({ spec, profile: { gaps: { 'loans.unset-fields': 'as-null' } }, count: 1 });
  const list = async (path: string): Promise<unknown> => (await mock.fetch(`${mock.url}${path}`)).json();
  expect(await list('/loans')).toMatchObject([{ closedAt: null }]);
  expect(JSON.stringify(await list('/tasks'))).not.toContain('null');
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
  const properties = {
    ...boat.properties,
    anchor: object({ kind: TEXT }, ['kind']),
    mail: { ...TEXT, format: 'email' },
  };
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
