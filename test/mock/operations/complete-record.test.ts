import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPetstoreFetch } from '../../../src/index.js';

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
  const spec = join(mkdtempSync(join(tmpdir(), 'petstore-boats-')), 'boats.json');
  writeFileSync(spec, api(boat));
  const mock = createPetstoreFetch({ spec, prism: false });
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
