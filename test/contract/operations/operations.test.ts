import { expect, test } from 'vitest';
import { parseSource, createNotes, describeNotes } from '../../../src/contract/document/document.js';
import { findResponse, readOperations } from '../../../src/contract/operations/operations.js';
import type { Operation } from '../../../src/contract/model.js';
import { listProperties, findMarked } from '../../../src/contract/operations/properties.js';
import { parseContract } from '../../support/parse-contract.js';
import { yaml } from '../../support/yaml.js';

const RESPONSES = "responses: {'200': {description: ok}}";

function readNoting(paths: string, rest = ''): { operations: Operation[]; notes: string[] } {
  const document = parseSource(`paths:\n${paths}\n${rest}`, { code: 'unusable-contract', shownAs: 'a.yaml' });
  const notes = createNotes(document);
  return { operations: readOperations(document, notes), notes: describeNotes(notes.list(), Infinity) };
}

const read = (paths: string, rest = ''): Operation[] => readNoting(paths, rest).operations;

test('a response is found by its status, then its range, then default', () => {
  const [only] = read("  /a: {get: {responses: {'200': {}, 4xx: {}, '404': {}, default: {}}}}");
  const found = [200, 404, 409, 500].map((status) => findResponse(only as Operation, status)?.status);
  expect(found).toEqual(['200', '404', '4XX', 'default']);
  const [other] = read(`  /a: {get: {${RESPONSES}}}`);
  expect(findResponse(other as Operation, 201)).toBeUndefined();
});

test("an operation's parameter replaces that of its path", () => {
  const [only] = read(`  /a:
    parameters: [{name: x, in: query, schema: {type: string}}, {name: x, in: header, schema: {type: string}}]
    get: {parameters: [{name: x, in: query, required: true, schema: {type: integer}}], ${RESPONSES}}`);
  const told = only?.parameters.map(({ in: place, required }) => `${place} ${required}`);
  expect(told).toEqual(['query true', 'header false']);
});

const KEY = 'components: {securitySchemes: {key: {type: http, scheme: bearer}}}';

test.each([
  ['the document asks for credentials', '', `security: [{key: []}]\n${KEY}`, true],
  ['the operation asks for none', 'security: [], ', `security: [{key: []}]\n${KEY}`, false],
  ['the operation takes requests without them', 'security: [{key: []}, {}], ', KEY, false],
  ['the scheme is not declared', '', 'security: [{key: []}]', false],
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

test('a media type is told without its parameters, and the methods of a path that is a reference where they stand', () => {
  const [typed] = read("  /a: {get: {responses: {'200': {content: {Application/JSON; charset=utf-8: {schema: {}}}}}}}");
  expect(typed?.responses[0]?.content).toMatchObject([{ mediaType: 'application/json' }]);
  const [shared] = read(`  /a: {$ref: '#/shared'}`, `shared: {get: {operationId: shared, ${RESPONSES}}}`);
  expect(shared).toMatchObject({ id: 'shared', pointer: '/shared/get' });
});

const given = (parameter: string, path = '/a'): string =>
  `  ${path}: {get: {operationId: x, ${RESPONSES}, parameters: [${parameter}]}}`;
const sunset = (day: string): string => `  /a: {get: {operationId: x, ${RESPONSES}, x-sunset: ${day}}}`;
const TWICE = `  /a: {get: {operationId: x, ${RESPONSES}}}\n  /b: {get: {operationId: x, ${RESPONSES}}}`;

test.each<[paths: string, note: RegExp, ...told: string[]]>([
  [TWICE, /a\.yaml:3:14: two operations have the operationId x; the second is called GET \/b instead$/, 'x', 'GET /b'],
  [given('', '/a/{id}'), /:2:13: the path \/a\/\{id\} contains \{id\}, but no parameter declares it; any/, 'x id'],
  [given('{name: id, in: path, schema: {}}'), /:2:\d+: the path \/a does not contain \{id\}, so the parameter is/, 'x'],
  [given('{in: query}'), /a\.yaml:2:\d+: a parameter needs a name/, 'x'],
  [given('{name: y, in: query, style: simple, schema: {}}'), /the style simple is not .*\(only form,.*as form$/, 'x y'],
  [sunset('soon'), /a\.yaml:2:\d+: x-sunset must be a day such as 2030-12-05, not "soon"; it is ignored$/, 'x'],
  [sunset("'2030-02-31'"), /not "2030-02-31"/, 'x'],
])('in %s, what is wrong is noted with its place, and costs nothing else', (paths, note, ...told) => {
  const { operations, notes } = readNoting(paths);
  expect(notes).toEqual([expect.stringMatching(note)]);
  expect(operations.map(({ id, parameters }) => [id, ...parameters.map(({ name }) => name)].join(' '))).toEqual(told);
});

test('a parameter without a schema takes any text, and an operation without an operationId goes by its path', () => {
  const [only] = read('  /a: {get: {parameters: [{name: x, in: query}]}}');
  expect(only).toMatchObject({ id: 'GET /a', parameters: [{ schemaPointer: undefined, shape: { types: [] } }] });
});

function propertiesOf(text: string): string[] {
  return [...listProperties(parseSource(text, { code: 'unusable-contract', shownAs: 'a.yaml' }), '/schema')];
}

test('properties are found through references, allOf, anyOf and oneOf', () => {
  const text = `
schema:
  properties: {a: {}}
  allOf: [{properties: {b: {}}}, {$ref: '#/other'}]
  anyOf: [{properties: {c: {}}}]
  oneOf: [{oneOf: [{properties: {d: {}}}]}]
other: {properties: {e: {}}}
`;
  expect(propertiesOf(text).sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('a schema that is made of itself ends', () =>
  expect(propertiesOf("schema: {properties: {a: {}}, allOf: [{$ref: '#/schema'}]}")).toEqual(['a']));

const contract = parseContract({
  paths: {},
  components: yaml`schemas:
  Plain: { type: object, properties: { name: {} } }
  User: { type: object, properties: { name: {}, password: { writeOnly: true }, token: { $ref: '#/components/schemas/Secret' } } }
  Secret: { writeOnly: true }
  Users: { type: array, items: { $ref: '#/components/schemas/User' } }
  ByName: { type: object, additionalProperties: { $ref: '#/components/schemas/User' } }
  Admin: { allOf: [{ $ref: '#/components/schemas/User' }, { type: object, properties: { level: { type: integer } } }] }
  Tree: { properties: { pin: { writeOnly: true }, parts: { type: array, items: { $ref: '#/components/schemas/Tree' } } } }
  Either: { oneOf: [{ properties: { kind: { const: a }, pin: { writeOnly: true } } }, { properties: { kind: { const: b } } }] }
  Any: { anyOf: [{ properties: { pin: { writeOnly: true } } }, { properties: { pin: {} } }] }`,
});

const listMarked = (schema: string, value: unknown): string[] =>
  findMarked(contract, `/components/schemas/${schema}`, value, 'writeOnly').map(({ at }) => at);

test.each<[string, unknown, string[]]>([
  ['Plain', { name: 'a', password: 'b' }, []],
  ['User', { name: 'a', password: 'b', token: 'c' }, ['/password', '/token']],
  ['User', 'no object', []],
  ['Users', [{ name: 'a' }, { password: 'b' }], ['/1/password']],
  ['Admin', { level: 1, password: 'b' }, ['/password']],
  ['Tree', { parts: [{ parts: [{ pin: 'b' }] }] }, ['/parts/0/parts/0/pin']],
  ['Either', { kind: 'a', pin: 'b' }, ['/pin']],
  ['Either', { kind: 'b', pin: 'b' }, []],
  ['Any', { pin: 'b' }, []],
])('what %s marks as write only is found in %j', (schema, value, places) => {
  expect(listMarked(schema, value)).toEqual(places);
});
