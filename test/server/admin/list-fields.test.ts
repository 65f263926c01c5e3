import { expect, test } from 'vitest';
import { listFields } from '../../../src/server/admin/describe-operation.js';
import { parseContract } from '../../support/parse-contract.js';

function listOf(schemas: Record<string, object>): ReturnType<typeof listFields> {
  const info = { title: 't', version: '1' };
  return listFields(parseContract({ info, paths: {}, components: { schemas } }).document, '/components/schemas/Root');
}

test('fields are those of every alternative and of items, but none that only answers have', () => {
  const fields = listOf({
    Root: {
      required: ['kind'],
      properties: { id: { type: 'integer', readOnly: true }, kind: { enum: ['a', 'b'], description: 'Which.' } },
      oneOf: [{ $ref: '#/components/schemas/One' }, { properties: { 'a/b': { const: 1 } } }],
    },
    One: { properties: { list: { type: 'array', items: { properties: { n: { type: 'integer' } } } } } },
  });
  expect(fields.map(({ pointer }) => pointer)).toEqual(['/kind', '/list', '/a~1b', '/list/*', '/list/*/n']);
  expect(fields[0]).toMatchObject({ required: true, choices: ['a', 'b'], description: 'Which.' });
  expect(fields[2]).toMatchObject({ required: false, choices: [1] });
});

test('schemas that lead to each other by many ways end', () => {
  const names = Array.from({ length: 40 }, (_, index) => `S${index}`);
  const all = names.map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const each = names.map((name) => [name, { anyOf: all, properties: { [name]: { anyOf: all } } }]);
  const fields = listOf({ Root: { anyOf: all }, ...(Object.fromEntries(each) as Record<string, object>) });
  expect(fields.length).toBeGreaterThanOrEqual(names.length);
  expect(fields.length).toBeLessThanOrEqual(300);
});
