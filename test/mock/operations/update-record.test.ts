import { describe, expect, test } from 'vitest';
import type { World } from '../../../src/mock/world/world.js';
import { ask } from '../../support/test-world.js';
import { content, fill, inHeader, inPath, openPaths } from '../../support/open-paths.js';

const properties = {
  name: { type: 'string' },
  note: { type: ['string', 'null'] },
  size: { type: 'object', properties: { width: { type: 'integer' }, height: { type: 'integer' } } },
  tags: { type: 'array', items: { type: 'string' } },
};
const shelf = { type: 'object', required: ['id', 'name'], properties: { id: { type: 'integer' }, ...properties } };
const RECORD = { id: 1, name: 'A', note: 'old', size: { width: 1, height: 2 }, tags: ['x'] };

function open(mediaType: string, body: Record<string, unknown> = { type: 'object', properties }): World {
  const answers = {
    200: content(shelf),
    400: { description: 'No.' },
    409: { description: 'No.' },
    413: { description: 'Long.' },
    412: { description: 'Changed.' },
  };
  const get = { ...content(shelf), headers: { ETag: { schema: { type: 'string' } } } };
  const world = openPaths({
    '/shelves': { get: { responses: { 200: content({ type: 'array', items: shelf }) } } },
    '/shelves/{id}': {
      parameters: [inPath('id')],
      get: { responses: { 200: get } },
      patch: { parameters: [inHeader('If-Match')], requestBody: content(body, mediaType), responses: answers },
    },
  });
  fill(world, 'shelves', [RECORD]);
  return world;
}

function patch(mediaType: string, body: unknown, schema?: Record<string, unknown>): { status: number; value: unknown } {
  const world = open(mediaType, schema);
  const headers = { authorization: 'Bearer test-key', 'content-type': mediaType };
  const { status } = ask(world, 'PATCH /shelves/1', { body: JSON.stringify(body), headers });
  return { status, value: ask(world, 'GET /shelves/1').value };
}

describe('a merge patch (RFC 7396)', () => {
  test.each([
    [{ name: 'B' }, { ...RECORD, name: 'B' }],
    [{ size: { height: 5 } }, { ...RECORD, size: { width: 1, height: 5 } }],
    [{ tags: ['y'] }, { ...RECORD, tags: ['y'] }],
    [{ note: null }, { id: 1, name: 'A', size: RECORD.size, tags: ['x'] }],
    [{ id: 9 }, RECORD],
  ])('%j', (body, after) => {
    expect(patch('application/merge-patch+json', body, { type: 'object' })).toEqual({ status: 200, value: after });
  });
});

describe('null in a merge patch, for what a record must have', () => {
  const light = { type: 'string', default: 'off' };
  const dims = {
    type: 'object',
    required: ['unit'],
    properties: { unit: { type: 'string', default: 'mm' }, width: { type: 'integer' } },
  };
  const lamp = {
    type: 'object',
    required: ['id', 'name', 'light', 'dims', 'note'],
    properties: {
      id: { type: 'integer' },
      name: { type: 'string' },
      light,
      dims,
      note: { type: ['string', 'null'] },
      glow: light,
    },
  };
  const LAMP = { id: 1, name: 'A', light: 'on', dims: { unit: 'cm', width: 1 }, note: 'x', glow: 'on' };
  const change = (body: object): unknown => {
    const world = openPaths({
      '/lamps': { get: { responses: { 200: content({ type: 'array', items: lamp }) } } },
      '/lamps/{id}': {
        parameters: [inPath('id')],
        get: { responses: { 200: content(lamp) } },
        patch: {
          requestBody: content({ type: 'object' }, 'application/merge-patch+json'),
          responses: { 200: content(lamp), 422: { description: 'No.' } },
        },
      },
    });
    fill(world, 'lamps', [LAMP]);
    const headers = { authorization: 'Bearer test-key', 'content-type': 'application/merge-patch+json' };
    const { status } = ask(world, 'PATCH /lamps/1', { body: JSON.stringify(body), headers });
    return status === 200 ? ask(world, 'GET /lamps/1').value : status;
  };

  test.each([
    ['takes its default again', { light: null }, { ...LAMP, light: 'off' }],
    ['takes the default again of what a record need not have', { glow: null }, { ...LAMP, glow: 'off' }],
    ['takes the default again within an object', { dims: { unit: null } }, { ...LAMP, dims: { unit: 'mm', width: 1 } }],
    ['is null where a record may have it', { note: null }, { ...LAMP, note: null }],
    ['removes what a record need not have', { dims: { width: null } }, { ...LAMP, dims: { unit: 'cm' } }],
    ['is refused without a default', { name: null }, 422],
  ])('%s', (_, body, after) => expect(change(body)).toEqual(after));
});

test('in plain JSON a property that may be null is null, and stays', () =>
  expect(patch('application/json', { note: null })).toEqual({ status: 200, value: { ...RECORD, note: null } }));

test('a patch that would break the contract is refused, and changes nothing', () => {
  const { status, value } = patch('application/merge-patch+json', { name: null }, { type: 'object' });
  expect([status >= 400, value]).toEqual([true, RECORD]);
});

describe('a JSON Patch (RFC 6902)', () => {
  const operations = { type: 'array', items: { type: 'object', required: ['op', 'path'] } };
  test('does what each operation says', () => {
    const body = [
      { op: 'replace', path: '/name', value: 'B' },
      { op: 'add', path: '/tags/-', value: 'y' },
      { op: 'remove', path: '/size/width' },
    ];
    const after = { ...RECORD, name: 'B', tags: ['x', 'y'], size: { height: 2 } };
    expect(patch('application/json-patch+json', body, operations)).toEqual({ status: 200, value: after });
  });

  test('of which one operation fails does nothing', () => {
    const body = [
      { op: 'replace', path: '/name', value: 'B' },
      { op: 'test', path: '/note', value: 'new' },
    ];
    expect(patch('application/json-patch+json', body, operations)).toEqual({ status: 409, value: RECORD });
  });

  const doubled = Array.from({ length: 60 }, (_, at) => ({ op: 'copy', from: '', path: `/c${at}` }));
  test.each([
    ['copies the record into itself again and again', doubled, 413],
    ['is none', [{ op: 'merge', path: '/name' }], 400],
    ['removes the record', [{ op: 'remove', path: '' }], 409],
    ['makes a text of the record', [{ op: 'replace', path: '', value: 'x' }], 409],
    ['removes what a record must have', [{ op: 'remove', path: '/name' }], 400],
    ['moves the record into itself', [{ op: 'move', from: '', path: '/name' }], 409],
    ['changes what every object has', [{ op: 'add', path: '/__proto__/x', value: 1 }], 409],
  ])('that %s changes nothing', (_, body, status) => {
    expect(patch('application/json-patch+json', body, operations)).toEqual({ status, value: RECORD });
  });

  test('may put another record in the place of the old one, which keeps its key', () => {
    const body = [{ op: 'replace', path: '', value: { name: 'C' } }];
    expect(patch('application/json-patch+json', body, operations)).toEqual({
      status: 200,
      value: { id: 1, name: 'C' },
    });
  });
});

describe('If-Match (RFC 9110 section 13.1.1)', () => {
  const send = (world: World, tag: string): number =>
    ask(world, 'PATCH /shelves/1', {
      body: '{"name":"B"}',
      headers: { authorization: 'Bearer test-key', 'content-type': 'application/json', 'if-match': tag },
    }).status;

  test('a change of what the client knows is made, and of what has changed since is not', () => {
    const world = open('application/json');
    const tag = String(ask(world, 'GET /shelves/1').headers['ETag']);
    expect(tag).toMatch(/^".+"$/);
    expect([send(world, '"other"'), send(world, tag), send(world, tag), send(world, '*')]).toEqual([
      412, 200, 412, 200,
    ]);
  });
});

describe('what a form writes in another style', () => {
  const form = { type: 'object', properties: { FriendlyName: { type: 'string' }, PageSize: { type: 'integer' } } };
  const sink = {
    type: 'object',
    required: ['sid'],
    properties: { sid: { type: 'string' }, friendly_name: { type: 'string' } },
  };
  const body = { ...content(form, 'application/x-www-form-urlencoded') };
  const world = openPaths({
    '/Sinks': {
      get: { responses: { 200: content({ type: 'array', items: sink }) } },
      post: { requestBody: body, responses: { 201: content(sink) } },
    },
    '/Sinks/{Sid}': {
      parameters: [inPath('Sid', 'string')],
      get: { responses: { 200: content(sink) } },
      post: { requestBody: body, responses: { 200: content(sink) } },
    },
  });
  const headers = { authorization: 'Bearer test-key', 'content-type': 'application/x-www-form-urlencoded' };

  test('is what the record has, when it is created and when it is changed', () => {
    const created = ask(world, 'POST /Sinks', { body: 'FriendlyName=One&PageSize=3', headers }).value as {
      sid: string;
    };
    expect(created).toEqual({ sid: created.sid, friendly_name: 'One' });
    ask(world, `POST /Sinks/${created.sid}`, { body: 'FriendlyName=Two', headers });
    expect(ask(world, `GET /Sinks/${created.sid}`).value).toEqual({ sid: created.sid, friendly_name: 'Two' });
  });
});
