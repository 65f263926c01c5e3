import { expect, test } from 'vitest';
import { runConformance } from '../../src/conformance/product/run-conformance.js';
import { startPetstoreMock } from '../../src/server/start-petstore-mock.js';
import { makeFolder } from '../support/folder.js';

const TEXT = '{ type: string }';
const object = (properties: string, required = ''): string =>
  `{ type: object, ${required === '' ? '' : `required: [${required}], `}properties: { ${properties} } }`;

/** A contract of things, whose errors all have this schema. */
function documentOf(schema: string, mediaType = 'application/json'): string {
  const json = (of: string): string => `{ description: Fine., content: { application/json: { schema: ${of} } } }`;
  const thing = "{ $ref: '#/components/schemas/Thing' }";
  const body = `requestBody: { required: true, content: { application/json: { schema: ${thing} } } }`;
  const error = `default: { description: Bad., content: { ${mediaType}: { schema: ${schema} } } }`;
  return `openapi: 3.0.3
info: { title: Things, version: '1' }
security: [{ key: [] }]
paths:
  /things:
    get: { operationId: listThings, responses: { '200': ${json(`{ type: array, items: ${thing} }`)}, ${error} } }
    post: { operationId: createThing, ${body}, responses: { '201': ${json(thing)}, ${error} } }
  /things/{thingId}:
    parameters: [{ name: thingId, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getThing, responses: { '200': ${json(thing)}, ${error} } }
    delete: { operationId: deleteThing, responses: { '204': { description: Gone. }, ${error} } }
components:
  securitySchemes: { key: { type: http, scheme: bearer } }
  schemas:
    Thing: { type: object, required: [name], properties: { id: { type: integer, readOnly: true }, name: { type: string, minLength: 1, maxLength: 20 } } }
`;
}

test.each<[string, string, string?]>([
  ['a message alone', object(`message: ${TEXT}`)],
  [
    'an envelope',
    `{ type: object, required: [error], properties: { error: ${object(`code: ${TEXT}, message: ${TEXT}`, 'code')} } }`,
  ],
  [
    'problem details',
    object(`type: ${TEXT}, title: ${TEXT}, status: { type: integer }, detail: ${TEXT}`),
    'application/problem+json',
  ],
  ['a list', `{ type: array, minItems: 1, items: ${object(`text: ${TEXT}`, 'text')} }`],
  ['a text', TEXT, 'text/plain'],
])('a strict run at the mock itself is clean where errors are %s', async (_, schema, mediaType) => {
  const spec = `${makeFolder({ 'api.yaml': documentOf(schema, mediaType) })}/api.yaml`;
  await using mock = await startPetstoreMock({ spec, prism: false });
  const only = ['things/refusals/*'];
  const asked = { target: mock.url, spec, apiKey: 'petstore-dev-key', strict: true, only };
  const { problems, summary } = await runConformance(asked);
  expect(problems).toEqual([]);
  expect(summary.passed).toBeGreaterThan(10);
});
