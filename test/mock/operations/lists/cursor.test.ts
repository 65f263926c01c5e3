import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPetstoreFetch } from '../../../../src/index.js';
import { makeFolder } from '../../../support/folder.js';

const API = `openapi: 3.0.3
info: { title: Boats, version: '1' }
paths:
  /boats:
    get:
      parameters: [{ name: nextToken, in: query, schema: { $ref: '#/components/schemas/Token' } }, { name: limit, in: query, schema: { type: integer } }]
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
                  nextToken: { $ref: '#/components/schemas/Token' }
        '400': { description: No. }
    post:
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Boat' } } } }
      responses: { '201': { description: One., content: { application/json: { schema: { $ref: '#/components/schemas/Boat' } } } } }
  /boats/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string, format: uuid } }]
    get:
      responses: { '200': { description: One., content: { application/json: { schema: { $ref: '#/components/schemas/Boat' } } } }, '404': { description: None. } }
components:
  schemas:
    Token: { type: string, pattern: 'PATTERN' }
    Boat: { type: object, required: [name], properties: { id: { type: string, format: uuid, readOnly: true }, name: { type: string } } }
`;

type Page = { boats: { id: string }[]; nextToken?: string };

const UUID = 'type: string, format: uuid';

function serve(pattern: string, key = UUID): (path: string) => Promise<{ status: number; page: Page; text: string }> {
  const spec = join(makeFolder({ 'boats.yaml': API.replace('PATTERN', pattern).replaceAll(UUID, key) }), 'boats.yaml');
  const mock = createPetstoreFetch({ spec, prism: false, count: 5 });
  return async (path) => {
    const response = await mock.fetch(path);
    const text = await response.text();
    return { status: response.status, page: JSON.parse(text) as Page, text };
  };
}

test.each<[string, string, RegExp, string?]>([
  ['any text', '.', /^[0-9a-f]{8}-/],
  ['base64 alone', '^[A-Za-z0-9+/=]+$', /^\w{48}$/],
  ['base64 without padding', '^[A-Z][A-Za-z0-9_]+$', /^\w\w$/, 'type: integer'],
  ['hexadecimal digits alone', '^[0-9a-f]+$', /^[0-9a-f]{72}$/],
  ['a mark somewhere', 'page:', /page:[0-9a-f]{8}-/],
])('a contract whose cursors are %s has its pages one after the other', async (_, pattern, form, key) => {
  const ask = serve(pattern, key);
  const seen: string[] = [];
  let { page } = await ask('/boats?limit=2');
  for (let count = 1; page.nextToken !== undefined && count < 5; count += 1) {
    expect(page.nextToken).toMatch(form);
    seen.push(...page.boats.map(({ id }) => id));
    ({ page } = await ask(`/boats?limit=2&nextToken=${encodeURIComponent(page.nextToken)}`));
  }
  seen.push(...page.boats.map(({ id }) => id));
  const { page: whole } = await ask('/boats');
  expect(seen).toEqual(whole.boats.map(({ id }) => id));
  expect(seen).toHaveLength(5);
});

test('a cursor that nobody gave is refused by its name', async () => {
  const { status, text } = await serve('^[A-Za-z0-9+/=]+$')('/boats?nextToken=abcd');
  expect([status, text]).toEqual([400, expect.stringContaining('query/nextToken is not a cursor of this list')]);
});
