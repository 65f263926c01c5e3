import { expect, test } from 'vitest';
import { parseSource } from '../../../src/contract/document/document.js';
import { createNotes, describeNotes } from '../../../src/contract/document/notes.js';
import { findResponse, readOperations } from '../../../src/contract/operations/operations.js';
import type { Operation } from '../../../src/contract/model.js';
import { shippedContract } from '../../support/shipped.js';

const RESPONSES = "responses: {'200': {description: ok}}";

function readNoting(paths: string, rest = ''): { operations: Operation[]; notes: string[] } {
  const document = parseSource(`paths:\n${paths}\n${rest}`, { code: 'unusable-contract', shownAs: 'a.yaml' });
  const notes = createNotes(document);
  return { operations: readOperations(document, notes), notes: describeNotes(notes.list(), Infinity) };
}

const read = (paths: string, rest = ''): Operation[] => readNoting(paths, rest).operations;

function operation(id: string): Operation {
  const found = shippedContract.operations.find((each) => each.id === id);
  if (found === undefined) throw new Error(`no operation ${id}`);
  return found;
}

test('the shipped contract has the three operations of the interface', () => {
  const told = shippedContract.operations.map(({ id, method, path }) => `${id} ${method} ${path}`);
  expect(told).toEqual(['listPets GET /pets', 'createPet POST /pets', 'getPet GET /pets/{petId}']);
});

test('every shipped operation needs credentials', () =>
  expect(shippedContract.operations.every(({ secured }) => secured)).toBe(true));

test('only getPet is deprecated, with its day and its successor', () => {
  expect(shippedContract.operations.map(({ deprecated }) => deprecated)).toEqual([false, false, true]);
  expect(operation('getPet')).toMatchObject({ sunset: '2030-12-05', successor: 'listPets' });
});

test('a parameter comes with its bounds and its default, also through a reference', () => {
  const [limit, status] = operation('listPets').parameters;
  expect(limit).toMatchObject({ name: 'limit', in: 'query', required: false });
  expect(limit?.schema).toMatchObject({ minimum: 1, maximum: 100, default: 20 });
  expect(status?.schema).toMatchObject({ enum: ['available', 'pending', 'sold'] });
  expect(status?.schemaPointer).toBe('/components/schemas/PetStatus');
});

test('the fields of a body are those of its schema', () => {
  expect(operation('createPet').requestBody).toMatchObject({ required: true });
  expect([...(operation('createPet').requestBody?.fields ?? [])]).toEqual(['name', 'categoryId', 'status']);
});

test('a response is found by its status, then its range, then default', () => {
  const [only] = read("  /a: {get: {responses: {'200': {}, 4xx: {}, '404': {}, default: {}}}}");
  const found = [200, 404, 409, 500].map((status) => findResponse(only as Operation, status)?.status);
  expect(found).toEqual(['200', '404', '4XX', 'default']);
});

test('a status that no response covers is found nowhere', () => {
  const [only] = read(`  /a: {get: {${RESPONSES}}}`);
  expect(findResponse(only as Operation, 201)).toBeUndefined();
});

test('an operation without an operationId goes by its method and path', () =>
  expect(read(`  /a: {get: {${RESPONSES}}}`)[0]?.id).toBe('GET /a'));

test("an operation's parameter replaces that of its path", () => {
  const [only] = read(`  /a:
    parameters:
      - {name: x, in: query, schema: {type: string}}
      - {name: x, in: header, schema: {type: string}}
    get:
      parameters:
        - {name: x, in: query, required: true, schema: {type: integer}}
      ${RESPONSES}`);
  expect(only?.parameters.map(({ in: place, required }) => `${place} ${required}`)).toEqual([
    'query true',
    'header false',
  ]);
});

const KEY = 'components: {securitySchemes: {key: {type: http, scheme: bearer}}}';

test.each([
  ['the document asks for credentials', '', `security: [{key: []}]\n${KEY}`, true],
  ['the operation asks for none', 'security: [], ', `security: [{key: []}]\n${KEY}`, false],
  ['the operation takes requests without them', 'security: [{key: []}, {}], ', KEY, false],
  ['the scheme is not declared', '', 'security: [{key: []}]', false],
  ['nobody says anything', '', '', false],
])('when %s', (_, own, global, secured) => {
  expect(read(`  /a: {get: {${own}${RESPONSES}}}`, global)[0]?.secured).toBe(secured);
});

test('alternatives that differ only in their scopes are one, and other combinations stay', () => {
  const schemes =
    'components: {securitySchemes: {a: {type: oauth2, flows: {}}, b: {type: apiKey, in: header, name: B}}}';
  const own = "security: [{a: ['read']}, {a: ['read', 'write']}, {b: [], a: []}, {a: [], b: []}, {b: []}]";
  const [only] = read(`  /a: {get: {${own}, ${RESPONSES}}}`, schemes);
  const named = only?.security.map((combination) => combination.map(({ name }) => name).toSorted());
  expect(named).toEqual([['a'], ['a', 'b'], ['b']]);
});

test('a media type is told without its parameters', () => {
  const [only] = read("  /a: {get: {responses: {'200': {content: {Application/JSON; charset=utf-8: {schema: {}}}}}}}");
  expect(only?.responses[0]?.content).toMatchObject([{ mediaType: 'application/json' }]);
});

test('the methods of a path that is a reference are read where they stand', () => {
  const [only] = read(`  /a: {$ref: '#/shared'}`, `shared: {get: {operationId: shared, ${RESPONSES}}}`);
  expect(only).toMatchObject({ id: 'shared', pointer: '/shared/get' });
});

const ID_PARAMETER = '{name: id, in: path, required: true, schema: {type: string}}';

test.each([
  [
    'two operations of one id',
    `  /a: {get: {operationId: x, ${RESPONSES}}}\n  /b: {get: {operationId: x, ${RESPONSES}}}`,
    /a\.yaml:3:14: two operations have the operationId x; the second is called GET \/b instead$/,
    ['x', 'GET /b'],
  ],
  [
    'a path parameter that is not declared',
    `  /a/{id}: {get: {operationId: x, ${RESPONSES}}}`,
    /a\.yaml:2:13: the path \/a\/\{id\} contains \{id\}, but no parameter declares it; any text is accepted$/,
    ['x id'],
  ],
  [
    'one that the path does not name',
    `  /a: {get: {operationId: x, ${RESPONSES}, parameters: [${ID_PARAMETER}]}}`,
    /a\.yaml:2:\d+: the path \/a does not contain \{id\}, so the parameter is ignored$/,
    ['x'],
  ],
  [
    'a parameter without a name',
    `  /a: {get: {operationId: x, ${RESPONSES}, parameters: [{in: query}]}}`,
    /a\.yaml:2:\d+: a parameter needs a name/,
    ['x'],
  ],
  [
    'a parameter in a strange place',
    `  /a: {get: {operationId: x, ${RESPONSES}, parameters: [{name: x, in: body}]}}`,
    /a parameter needs a name, and an `in`/,
    ['x'],
  ],
  [
    'a style that there is not',
    `  /a: {get: {operationId: x, ${RESPONSES}, parameters: [{name: y, in: query, style: simple, schema: {}}]}}`,
    /a\.yaml:2:\d+: the style simple is not allowed in query \(only form, .*\); it is read as form$/,
    ['x y'],
  ],
  [
    'a removal that is no day',
    `  /a: {get: {operationId: x, ${RESPONSES}, x-sunset: soon}}`,
    /a\.yaml:2:\d+: x-sunset must be a day such as 2030-12-05, not "soon"; it is ignored$/,
    ['x'],
  ],
  [
    'a removal on a day that no month has',
    `  /a: {get: {operationId: x, ${RESPONSES}, x-sunset: '2030-02-31'}}`,
    /not "2030-02-31"/,
    ['x'],
  ],
  [
    'a removal that is a number',
    `  /a: {get: {operationId: x, ${RESPONSES}, x-sunset: 20301205}}`,
    /not 20301205/,
    ['x'],
  ],
])('%s is noted with its place, and costs nothing else', (_, paths, note, told) => {
  const { operations, notes } = readNoting(paths);
  expect(notes).toEqual([expect.stringMatching(note)]);
  expect(operations.map(({ id, parameters }) => [id, ...parameters.map(({ name }) => name)].join(' '))).toEqual(told);
});

test('a parameter without a schema takes any text', () => {
  const [only] = read('  /a: {get: {parameters: [{name: x, in: query}]}}');
  expect(only?.parameters[0]).toMatchObject({ schemaPointer: undefined, shape: { types: [] } });
});
