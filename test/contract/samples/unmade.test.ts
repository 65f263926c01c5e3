import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findUnmade, listDoubtful } from '../../../src/contract/samples/repair.js';
import { formatOutlook, readInitCommand } from '../../../src/cli/conformance/init.js';
import { listExampleNames } from '../../../src/contract/schemas/examples.js';
import { readDryRun } from '../../../src/conformance/product/plan-run.js';
import { setUp } from '../../../src/server/set-up.js';
import { makeFolder } from '../../support/folder.js';
import { parseContract } from '../../support/parse-contract.js';
import { yaml } from '../../support/yaml.js';

const IMPOSSIBLE = yaml<Record<string, object>>`
not: { type: string, not: { type: string } }
endless: { $ref: '#/components/schemas/Loop' }
parts that exclude each other: { allOf: [{ required: [b], properties: { b: {} } },
  { type: object, required: [a], properties: { a: {} }, additionalProperties: false }] }
contains: { type: array, maxItems: 1, contains: { const: 1 }, minContains: 2 }
`;

function document(schema: object, media: object = {}): string {
  const { components, paths } = yaml<{ components: object; paths: object }>`
components: { schemas: { Loop: { type: object, required: [loop], properties: { loop: { $ref: '#/components/schemas/Loop' } } },
  New: { type: object, required: [name], properties: { name: { type: string } } },
  Thing: { type: object, required: [id, name], properties: { id: { type: integer }, name: { type: string } } } } }
paths: { /things: { get: { operationId: listThings, responses: { 200: { description: Fine., content: {
      application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Thing' } } } } } } },
    post: { operationId: addThing, requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/New' } } } },
      responses: { 201: { description: Made., content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } } } } } } }
`;
  const responses = { 200: { description: 'Fine.', content: { 'application/json': { schema, ...media } } } };
  const all = { ...paths, '/report': { get: { operationId: 'getReport', responses } } };
  return JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: all, components }, null, 1);
}

const told = (schema: object, media: object = {}): string[] => {
  const contract = parseContract(document(schema, media), { shownAs: 'a.json' });
  return contract.operations.flatMap((each) => findUnmade(contract, each));
};

test.each(Object.entries(IMPOSSIBLE))(
  'of %s is said that no response can be made, by the start, --check and init',
  (_, schema) => {
    const spec = join(makeFolder(), 'report.json');
    writeFileSync(spec, document(schema));
    const note = /getReport: no response that the contract allows could be made: body.* \(.*report\.json:\d+/;
    expect(setUp({ spec }).notes).toContainEqual(expect.stringMatching(note));
    expect(setUp({ spec, checkAll: true }).notes).toContainEqual(expect.stringMatching(note));
    const command = readInitCommand(['--spec', spec, '--stdout']);
    expect(formatOutlook(readDryRun(command), command)).toMatch(note);
  },
);

test.each([
  ['a plain object', { type: 'object', properties: { a: { type: 'string', example: 'x' } } }],
  ['a list that may be empty', { type: 'array', items: { $ref: '#/components/schemas/Loop' } }],
  ['alternatives', { oneOf: [{ type: 'string' }, { type: 'integer' }] }],
])('%s is not tried at a start, and nothing is said of it', (_, schema) => {
  expect(listDoubtful(parseContract(document(schema), { shownAs: 'a.json' }), 12)).toEqual([]);
  expect(told(schema)).toEqual([]);
});

test('examples that break their schemas are told with their lines', () => {
  const schema = { type: 'object', properties: { n: { type: 'integer', example: 'one' } } };
  const note = expect.stringMatching(/^getReport: the example at a\.json:\d+:\d+ breaks its schema and is not sent$/);
  expect(told(schema, { examples: { bad: { value: 7 } } })).toEqual([note, note]);
});

test('an example in a file of its own is told, and is none that can be asked for by its name', () => {
  const media = { examples: { far: { externalValue: './far.json' } } };
  expect(told({ type: 'integer' }, media)).toEqual([
    expect.stringMatching(/^getReport: the example at a\.json:\d+:\d+ is in a file of its own \(externalValue\)/),
  ]);
  const contract = parseContract(document({ type: 'integer' }, media), { shownAs: 'a.json' });
  const rule = contract.operations.find(({ id }) => id === 'getReport')?.responses[0];
  expect(rule && listExampleNames(contract.document, rule)).toEqual([]);
});
