import { expect, test } from 'vitest';
import { createPetstoreFetch } from '../../../../src/index.js';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

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
  const spec = join(mkdtempSync(join(tmpdir(), 'petstore-boats-')), 'boats.yaml');
  writeFileSync(spec, API);
  const mock = createPetstoreFetch({ spec, prism: false, count: 5 });
  const body = (await (await mock.fetch('/boats?per_page=2')).json()) as Record<string, unknown>;
  expect(body['boats']).toHaveLength(2);
  expect(body['meta']).toEqual({
    pagination: { page: 1, per_page: 2, previous_page: null, total_entries: 5, region: 'north' },
  });
});
