import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPetstoreFetch } from '../../../src/index.js';
import { makeFile, makeFolder } from '../../support/folder.js';

function api(boat: object): string {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Boat' } } };
  const one = (status: string): object => ({ [status]: { description: 'One.', content } });
  const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }];
  return JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Boats', version: '1' },
    paths: {
      '/boats': { post: { operationId: 'addBoat', requestBody: { required: true, content }, responses: one('201') } },
      '/boats/{id}': { parameters, get: { responses: { ...one('200'), 404: { description: 'None.' } } } },
    },
    components: { schemas: { Boat: boat } },
  });
}

async function launch(boat: object): Promise<{ boat: unknown; notes: readonly string[] }> {
  const mock = createPetstoreFetch({ spec: makeFile('boats.json', api(boat)), prism: false });
  const headers = { 'Content-Type': 'application/json' };
  const answer = await mock.fetch('/boats', { method: 'POST', headers, body: '{"name":"Argo"}' });
  const [recorded] = await mock.requests.list({ operationId: 'addBoat' });
  return { boat: await answer.json(), notes: recorded?.notes ?? [] };
}

const BOAT = {
  type: 'object',
  required: ['name'],
  properties: { id: { type: 'integer', readOnly: true }, name: { type: 'string' } },
};

test('a default that its own schema refuses is none', async () => {
  const properties = { ...BOAT.properties, afloat: { type: 'boolean', default: 'false' } };
  const { boat, notes } = await launch({ ...BOAT, properties });
  expect([boat, notes]).toEqual([{ id: expect.any(Number) as number, name: 'Argo' }, []]);
});

test('a default that fits is filled in', async () => {
  const properties = { ...BOAT.properties, afloat: { type: 'boolean', default: false } };
  expect((await launch({ ...BOAT, properties })).boat).toMatchObject({ name: 'Argo', afloat: false });
});

test('what every boat has and a replacement need not name stays as it was; what it does name may be no value of a boat', async () => {
  const anchor = { type: 'object', required: ['kind'], properties: { kind: { type: 'string' } } };
  const mail = { type: 'string', format: 'email' };
  const properties = { ...BOAT.properties, anchor, mail };
  const boat = { ...BOAT, required: ['name', 'anchor'], properties };
  const sent = { type: 'object', required: ['name'], properties: { ...properties, mail: { type: 'string' } } };
  const spec = join(makeFolder(), 'boats.json');
  const document = JSON.parse(api(boat)) as { paths: Record<string, Record<string, object>> };
  const body = { required: true, content: { 'application/json': { schema: sent } } };
  const answer = { description: 'One.', content: { 'application/json': { schema: boat } } };
  document.paths['/boats/{id}'] = {
    ...document.paths['/boats/{id}'],
    put: { requestBody: body, responses: { 200: answer, 400: { description: 'No.' } } },
  };
  writeFileSync(spec, JSON.stringify(document));
  const mock = createPetstoreFetch({ spec, prism: false });
  const send = (method: string, path: string, json: object): Promise<Response> =>
    mock.fetch(path, { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(json) });
  const made = (await (await send('POST', '/boats', { name: 'Argo', anchor: { kind: 'stone' } })).json()) as {
    id: number;
  };
  const replaced = await send('PUT', `/boats/${made.id}`, { name: 'Beagle', mail: 'at sea' });
  expect([replaced.status, await replaced.json()]).toEqual([
    200,
    { id: made.id, name: 'Beagle', anchor: { kind: 'stone' }, mail: expect.stringMatching(/@/) as string },
  ]);
});
