import { expect, test } from 'vitest';
import { parseSource } from '../../../src/contract/document/document.js';
import { createMatcher } from '../../../src/contract/operations/match.js';
import { readOperations } from '../../../src/contract/operations/operations.js';

const ID = 'parameters: [{name: id, in: path, required: true, schema: {type: string}}]';
const document = parseSource(
  `paths:
  /pets/{id}: {get: {operationId: one, ${ID}}, delete: {operationId: drop, ${ID}}}
  /pets: {get: {operationId: list}}
  /pets/mine: {get: {operationId: mine}}
`,
  { code: 'unusable-contract', shownAs: 'a.yaml' },
);
const match = createMatcher(readOperations(document));

function tell(method: string, path: string): unknown {
  const found = match(method, path);
  if (found.kind === 'operation') return [found.operation.id, found.pathValues];
  return found.kind === 'wrong-method' ? found.allowed : found.kind;
}

test('a path without parameters is found', () => {
  expect(tell('GET', '/pets')).toEqual(['list', {}]);
});

test('the value of a path parameter is handed on as it was sent', () => {
  expect(tell('GET', '/pets/a%20b')).toEqual(['one', { id: 'a%20b' }]);
});

test('a concrete path comes before a templated one', () => {
  expect(tell('GET', '/pets/mine')).toEqual(['mine', {}]);
});

test('the methods that a known path has are told', () => {
  expect(tell('PUT', '/pets/7')).toEqual(['GET', 'DELETE']);
});

test.each(['/', '', '/pets/', '/pets//', '/pets/7/', '/pets/7/toys', '/Pets', 'pets', '/pets/7%2F8/x'])(
  'the path %j is unknown',
  (path) => {
    expect(tell('GET', path)).toBe('unknown-path');
  },
);

test('a method is compared as it is written', () => {
  expect(tell('get', '/pets')).toEqual(['GET']);
});
