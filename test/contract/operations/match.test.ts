import { expect, test } from 'vitest';
import { parseSource, createNotes } from '../../../src/contract/document/document.js';
import { createMatcher } from '../../../src/contract/operations/match.js';
import { readOperations } from '../../../src/contract/operations/operations.js';
import { words } from '../../support/words.js';

type Sent = Parameters<ReturnType<typeof createMatcher>>[2];

/** Looks for operations at these paths, each with its methods and their operationIds. */
function open(paths: string) {
  const document = parseSource(`paths:\n${paths}`, { code: 'unusable-contract', shownAs: 'a.yaml' });
  const notes = createNotes(document);
  const operations = readOperations(document, notes);
  const matcher = createMatcher(operations);
  return { operations, notes, match: (method: string, path: string, sent?: Sent) => matcher(method, path, sent) };
}

const { match } = open(`
  /pets/{id}: {get: {operationId: one}, delete: {operationId: drop}}
  /pets: {get: {operationId: list}}
  /pets/mine: {get: {operationId: mine}}
`);

function tell(method: string, path: string): unknown {
  const found = match(method, path);
  if (found.kind === 'operation') return [found.operation.id, found.pathValues];
  return found.kind === 'wrong-method' ? found.allowed : found.kind;
}

test.each([
  // As it was sent.
  ['GET', '/pets/a%20b', ['one', { id: 'a%20b' }]],
  // A concrete path comes before a templated one.
  ['GET', '/pets/mine', ['mine', {}]],
  ['PUT', '/pets/7', ['GET', 'DELETE']],
  // A method is compared as it is written.
  ['get', '/pets', ['GET']],
])('%s %s leads to %j', (method, path, found) => expect(tell(method, path)).toEqual(found));

test.each(['', ...words`/ /pets/ /pets// /pets/7/ /pets/7/toys /Pets pets /pets/7%2F8/x`])(
  'the path %j is unknown',
  (path) => expect(tell('GET', path)).toBe('unknown-path'),
);

const odd = open(`
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
`);

test.each([
  ['GET', '/a/7.json', 'json', { x: '7' }],
  ['POST', '/a/7:stop', 'stop', { x: '7' }],
  ['POST', '/a/7%3Astop', 'stop', { x: '7' }],
  ['GET', '/a/v1...v2', 'compare', { base: 'v1', head: 'v2' }],
  ['GET', '/a/7.xml', 'any', { x: '7.xml' }],
  ['GET', '/a/7/c', 'beside', { other: '7' }],
  ['GET', '/a%20b', 'space', {}],
  ['GET', '/a/7/list', 'sorted', { x: '7' }],
  ['GET', '/a/7/e', 'optional', { 'x?': '7' }],
  ['GET', '/send/%23env/v1/7', 'inside', { x: '7' }],
])('%s %s is %s', (method, path, id, values) => {
  expect(odd.match(method, path)).toMatchObject({ kind: 'operation', operation: { id }, pathValues: values });
});

test('a path that is concrete in one template has the methods of another that it matches', () => {
  const both = open('  /a/me: {post: {operationId: mine}}\n  /a/{id}: {patch: {operationId: any}}\n');
  expect(both.match('POST', '/a/me')).toMatchObject({ operation: { id: 'mine' } });
  expect(both.match('PATCH', '/a/me')).toMatchObject({ operation: { id: 'any' }, pathValues: { id: 'me' } });
  expect(both.match('GET', '/a/me')).toMatchObject({ kind: 'wrong-method', allowed: ['POST'] });
});

const shared = open(`
  /#X-Target=List: {post: {operationId: list}}
  /#X-Target=Get: {post: {operationId: get}}
  /tags/{arn}#keys: {delete: {operationId: untag}}
  /tags/{arn}: {delete: {operationId: remove}}
  /a?export={file}: {get: {operationId: export}}
  /a: {get: {operationId: all}}
`);

const SENT = { headers: {}, query: '' };

test.each([
  ['POST', '/', { headers: { 'x-target': 'Get' }, query: '' }, 'get'],
  ['POST', '/', { headers: {}, query: 'X-Target=Get' }, 'get'],
  ['POST', '/', SENT, 'list'],
  ['POST', '/%23X-Target%3DGet', SENT, 'get'],
  ['DELETE', '/tags/a', { headers: {}, query: 'keys=b' }, 'untag'],
  ['DELETE', '/tags/a', SENT, 'remove'],
  ['DELETE', '/tags/a%23keys', SENT, 'untag'],
  ['DELETE', '/tags/a%23b', SENT, 'remove'],
  ['GET', '/a', { headers: {}, query: 'export=a.csv' }, 'export'],
])('of operations that only what follows # or ? tells apart, %s %s with %j is %s', (method, path, sent, id) => {
  expect(shared.match(method, path, sent)).toMatchObject({ kind: 'operation', operation: { id } });
});

test('a query in a path makes query parameters of its names', () => {
  const sorted = odd.operations.find(({ id }) => id === 'sorted');
  expect(sorted?.parameters.find(({ in: place }) => place === 'query')).toMatchObject({ name: 'q', required: false });
  expect(odd.notes.list().map(({ message }) => message)).toContain(
    'the path /a/{x}/list?q={query}&sort={sort} has a query, which is not part of a path; q is a query parameter.',
  );
});
