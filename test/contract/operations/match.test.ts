import { expect, test } from 'vitest';
import { parseSource } from '../../../src/contract/document/document.js';
import { createNotes } from '../../../src/contract/document/notes.js';
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
const match = createMatcher(readOperations(document, createNotes(document)));

function tell(method: string, path: string): unknown {
  const found = match(method, path);
  if (found.kind === 'operation') return [found.operation.id, found.pathValues];
  return found.kind === 'wrong-method' ? found.allowed : found.kind;
}

test('a path without parameters is found', () => expect(tell('GET', '/pets')).toEqual(['list', {}]));

test('the value of a path parameter is handed on as it was sent', () =>
  expect(tell('GET', '/pets/a%20b')).toEqual(['one', { id: 'a%20b' }]));

test('a concrete path comes before a templated one', () => expect(tell('GET', '/pets/mine')).toEqual(['mine', {}]));

test('the methods that a known path has are told', () => expect(tell('PUT', '/pets/7')).toEqual(['GET', 'DELETE']));

test.each(['/', '', '/pets/', '/pets//', '/pets/7/', '/pets/7/toys', '/Pets', 'pets', '/pets/7%2F8/x'])(
  'the path %j is unknown',
  (path) => {
    expect(tell('GET', path)).toBe('unknown-path');
  },
);

test('a method is compared as it is written', () => expect(tell('get', '/pets')).toEqual(['GET']));

const odd = parseSource(
  `paths:
  /a/{x}.json: {get: {operationId: json}}
  /a/{x}:stop: {post: {operationId: stop}}
  /a/{base}...{head}: {get: {operationId: compare}}
  /a/{x}: {get: {operationId: any}}
  /a/{x}/b: {get: {operationId: below}}
  /a/{other}/c: {get: {operationId: beside}}
  /tags/{arn}#keys: {delete: {operationId: untag}}
  /a b: {get: {operationId: space}}
  /a/{x}/list?q={query}&sort={sort}: {get: {operationId: sorted, parameters: [{name: query, in: path, required: true, schema: {type: integer}}]}}
  /a/{x?}/e: {get: {operationId: optional}}
  /send/#env/v1/{x}: {get: {operationId: inside}}
`,
  { code: 'unusable-contract', shownAs: 'a.yaml' },
);
const matchOdd = createMatcher(readOperations(odd, createNotes(odd)));

test.each([
  ['GET', '/a/7.json', 'json', { x: '7' }],
  ['POST', '/a/7:stop', 'stop', { x: '7' }],
  ['POST', '/a/7%3Astop', 'stop', { x: '7' }],
  ['GET', '/a/v1...v2', 'compare', { base: 'v1', head: 'v2' }],
  ['GET', '/a/7', 'any', { x: '7' }],
  ['GET', '/a/7.xml', 'any', { x: '7.xml' }],
  ['GET', '/a/7/b', 'below', { x: '7' }],
  ['GET', '/a/7/c', 'beside', { other: '7' }],
  ['DELETE', '/tags/7', 'untag', { arn: '7' }],
  ['GET', '/a%20b', 'space', {}],
  ['GET', '/a/7/list', 'sorted', { x: '7' }],
  ['GET', '/a/7/e', 'optional', { 'x?': '7' }],
  ['GET', '/send/%23env/v1/7', 'inside', { x: '7' }],
])('%s %s is %s', (method, path, id, values) => {
  expect(matchOdd(method, path)).toMatchObject({ kind: 'operation', operation: { id }, pathValues: values });
});

test('a path that is concrete in one template has the methods of another that it matches', () => {
  const both = parseSource(`paths:\n  /a/me: {post: {operationId: mine}}\n  /a/{id}: {patch: {operationId: any}}\n`, {
    code: 'unusable-contract',
    shownAs: 'a.yaml',
  });
  const matchBoth = createMatcher(readOperations(both, createNotes(both)));
  expect(matchBoth('POST', '/a/me')).toMatchObject({ operation: { id: 'mine' } });
  expect(matchBoth('PATCH', '/a/me')).toMatchObject({ operation: { id: 'any' }, pathValues: { id: 'me' } });
  expect(matchBoth('GET', '/a/me')).toMatchObject({ kind: 'wrong-method', allowed: ['POST'] });
});

const shared = parseSource(
  `paths:
  /#X-Target=List: {post: {operationId: list}}
  /#X-Target=Get: {post: {operationId: get}}
  /tags/{arn}#keys: {delete: {operationId: untag}}
  /tags/{arn}: {delete: {operationId: remove}}
`,
  { code: 'unusable-contract', shownAs: 'a.yaml' },
);
const matchShared = createMatcher(readOperations(shared, createNotes(shared)));

test.each([
  ['POST', '/', { headers: { 'x-target': 'Get' }, query: '' }, 'get'],
  ['POST', '/', { headers: { 'x-target': 'List' }, query: '' }, 'list'],
  ['POST', '/', { headers: {}, query: 'X-Target=Get' }, 'get'],
  ['POST', '/', { headers: {}, query: '' }, 'list'],
  ['POST', '/%23X-Target%3DGet', { headers: {}, query: '' }, 'get'],
  ['DELETE', '/tags/a', { headers: {}, query: 'keys=b' }, 'untag'],
  ['DELETE', '/tags/a', { headers: {}, query: '' }, 'remove'],
  ['DELETE', '/tags/a%23keys', { headers: {}, query: '' }, 'untag'],
  ['DELETE', '/tags/a%23b', { headers: {}, query: '' }, 'remove'],
])('of operations that only what follows # tells apart, %s %s with %j is %s', (method, path, sent, id) => {
  expect(matchShared(method, path, sent)).toMatchObject({ kind: 'operation', operation: { id } });
});

test('a query in a path makes query parameters of its names', () => {
  const notes = createNotes(odd);
  const sorted = readOperations(odd, notes).find(({ id }) => id === 'sorted');
  expect(sorted?.parameters.find(({ in: place }) => place === 'query')).toMatchObject({ name: 'q', required: false });
  expect(notes.list().map(({ message }) => message)).toContain(
    'the path /a/{x}/list?q={query}&sort={sort} has a query, which is not part of a path; q is a query parameter.',
  );
});

test('of operations that only a query in their path tells apart the one is meant whose names are sent', () => {
  const text = 'paths:\n  /a?export={file}: {get: {operationId: export}}\n  /a: {get: {operationId: all}}\n';
  const two = parseSource(text, { code: 'unusable-contract', shownAs: 'a.yaml' });
  const matchTwo = createMatcher(readOperations(two, createNotes(two)));
  const find = (query: string): unknown => matchTwo('GET', '/a', { query, headers: {} });
  expect(find('export=a.csv')).toMatchObject({ operation: { id: 'export' } });
  expect(find('')).toMatchObject({ operation: { id: 'all' } });
});
