import { expect, test } from 'vitest';
import { createPetstoreFetch } from '../../../../src/index.js';
import { makeFile } from '../../../support/folder.js';

const API = `openapi: 3.0.3
info: { title: Boats, version: '1' }
paths:
  /boats:
    get:
      parameters: [{ name: page, in: query, schema: { type: integer } }, { name: per_page, in: query, schema: { type: integer } }]
      responses:
        '200':
          description: A page.
          content:
            application/json:
              schema:
                type: object
                required: [boats]
                properties:
                  boats: { type: array, items: { $ref: '#/components/schemas/Boat' } }
                  meta:
                    type: object
                    required: [pagination]
                    properties:
                      pagination:
                        type: object
                        required: [page, per_page, previous_page, total_entries, region]
                        properties:
                          page: { type: integer }
                          per_page: { type: integer }
                          previous_page: { type: number, nullable: true, example: 2 }
                          total_entries: { type: integer }
                          region: { type: string, example: north }
    post:
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Boat' } } } }
      responses: { '201': { description: One., content: { application/json: { schema: { $ref: '#/components/schemas/Boat' } } } } }
  /boats/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get:
      responses: { '200': { description: One., content: { application/json: { schema: { $ref: '#/components/schemas/Boat' } } } }, '404': { description: None. } }
components:
  schemas:
    Boat: { type: object, required: [name], properties: { id: { type: integer, readOnly: true }, name: { type: string } } }
`;

test('an object around what is known of a page has what it must have beside it, and null for what nobody knows', async () => {
  const mock = createPetstoreFetch({ spec: makeFile('boats.yaml', API), prism: false, count: 5 });
  const body = (await (await mock.fetch('/boats?per_page=2')).json()) as Record<string, unknown>;
  expect(body['boats']).toHaveLength(2);
  expect(body['meta']).toEqual({
    pagination: { page: 1, per_page: 2, previous_page: null, total_entries: 5, region: 'north' },
  });
});

const PAGED = {
  openapi: '3.0.3',
  info: { title: 'Kites', version: '1' },
  security: [{ key: [] }],
  paths: {
    '/kites': {
      get: {
        parameters: ['page', 'per_page'].map((name) => ({ name, in: 'query', schema: { type: 'integer' } })),
        responses: answer({
          type: 'object',
          required: ['kites', 'pages'],
          properties: {
            kites: { type: 'array', items: { $ref: '#/components/schemas/Kite' } },
            pages: { type: 'integer', minimum: 1 },
            next: { type: 'string' },
          },
        }),
      },
    },
    '/kites/{id}': {
      get: {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        responses: answer({ $ref: '#/components/schemas/Kite' }),
      },
    },
  },
  components: {
    schemas: { Kite: { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } } } },
    securitySchemes: { key: { type: 'apiKey', in: 'query', name: 'client_id' } },
  },
};

function answer(schema: object): object {
  return { 200: { description: 'Done.', content: { 'application/json': { schema } } } };
}

async function listKites(count: number): Promise<Record<string, unknown>> {
  const spec = makeFile('kites.json', JSON.stringify(PAGED));
  const mock = createPetstoreFetch({ spec, prism: false, count, apiKey: 'a-secret' });
  const response = await mock.fetch('/kites?per_page=2&client_id=a-secret');
  return (await response.json()) as Record<string, unknown>;
}

test('the address of the next page has no credentials in it', async () => {
  expect((await listKites(5)).next).toMatch(/\/kites\?per_page=2&page=2$/);
});

test('an empty list has as many pages as the contract allows at least', async () =>
  expect(await listKites(0)).toEqual({ kites: [], pages: 1 }));

test('a page is no larger than its envelope can state, although the parameter allows more', async () => {
  const spec = makeFile(
    'boats.yaml',
    API.replace('per_page: { type: integer }', 'per_page: { type: integer, maximum: 3 }'),
  );
  const mock = createPetstoreFetch({ spec, prism: false, count: 5 });
  const read = async (page: number): Promise<Record<string, unknown>> =>
    (await (await mock.fetch(`/boats?per_page=300&page=${page}`)).json()) as Record<string, unknown>;
  const first = await read(1);
  expect(first['boats']).toHaveLength(3);
  expect(first['meta']).toMatchObject({ pagination: { per_page: 3, total_entries: 5 } });
  expect((await read(2))['boats']).toHaveLength(2);
});
