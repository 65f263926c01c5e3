import { expect, test } from 'vitest';
import { createStateless } from '../../../src/mock/response/from-contract.js';
import type { World } from '../../../src/mock/world/world.js';
import { ask, createTestWorld, outcome, type RequestOptions } from '../../support/test-world.js';
import { parseContract } from '../../support/parse-contract.js';

// What answers where Prism is not installed.

function worldOf(responses: string, { method = 'get', seed = 1 } = {}): World {
  const of = responses === '' ? '' : `      responses: ${responses}\n`;
  const text = `openapi: 3.1.0\ninfo: { title: T }\npaths:\n  /thing:\n    ${method}:\n      operationId: doThing\n${of}`;
  const contract = parseContract(text, { shownAs: 'thing.yaml' });
  const stateless = createStateless({ contract, stateful: {}, seed, specPath: undefined, prism: false });
  return createTestWorld({ contract, pets: [], stateless: stateless.handlers });
}

const answered = (content: string): string => `{ '200': { description: Fine., content: ${content} } }`;
const prefer = (wish: string): RequestOptions => ({ headers: { prefer: wish } });

const PET = `{ type: object, xml: { name: pet }, required: [id], properties: { id: { type: integer, xml: { attribute: true } },
  name: { type: string, example: 'Rex & "Tom"' },
  tags: { type: array, items: { type: string, xml: { name: tag } }, xml: { name: tags, wrapped: true } } } }`;
const PET_XML = '<pet id="1"><name>Rex &amp; "Tom"</name><tags><tag>cheetah</tag></tags></pet>';

test.each([
  ['application/json', PET, '{"id":1,"name":"Rex & \\"Tom\\"","tags":["cheetah"]}'],
  ['application/xml', PET, `<?xml version="1.0"?>${PET_XML}`],
  ['text/csv', `{ type: array, items: ${PET} }`, 'id,name,tags\r\n1,"Rex & ""Tom""","[""cheetah""]"'],
  ['text/event-stream', PET, 'data: {"id":1,"name":"Rex & \\"Tom\\"","tags":["cheetah"]}\n\n'],
  ['application/x-www-form-urlencoded', PET, 'id=1&name=Rex+%26+%22Tom%22&tags=%5B%22cheetah%22%5D'],
  ['text/plain', '{ type: string, maxLength: 3 }', 'str'],
  ['text/plain', '{ type: integer }', '1'],
  ['text/html', '{}', 'string'],
  ['image/png', '{}', 'string'],
])('%s of %s is written', (mediaType, schema, text) => {
  const { status, headers, body } = ask(worldOf(answered(`{ ${mediaType}: { schema: ${schema} } }`)), 'GET /thing');
  expect([status, headers['Content-Type'], body?.text]).toEqual([200, mediaType, text]);
});

test('a body of several parts has the boundary that its type names', () => {
  const { headers, body } = ask(worldOf(answered(`{ multipart/form-data: { schema: ${PET} } }`)), 'GET /thing');
  const boundary = /boundary=(.*)$/.exec(headers['Content-Type'] ?? '')?.[1] ?? '';
  expect(body?.text.split(`--${boundary}`)).toHaveLength(5);
});

test.each([
  ["{ '*/*': { schema: { type: object } } }", 'application/json'],
  ["{ 'image/*': { schema: { type: string } } }", 'image/png'],
  ["{ 'text/*': { schema: { type: string } } }", 'text/plain'],
  ['{ application/xml: {}, application/hal+json: { schema: { type: object } } }', 'application/hal+json'],
])('of %s is sent what can be', (content, mediaType) => {
  expect(ask(worldOf(answered(content)), 'GET /thing').headers['Content-Type']).toBe(mediaType);
});

test('header fields are there, those that are required whatever they are', () => {
  const described = `{ '200': { description: Fine., headers: { X-Rate: { required: true, schema: { type: integer, minimum: 3 } },
    X-Ids: { required: true, schema: { type: array, minItems: 2, items: { type: string } } },
    X-At: { schema: { type: string, format: date }, example: 2030-01-01 } } } }`;
  const { status, headers } = ask(worldOf(described), 'GET /thing');
  expect([status, headers]).toEqual([200, { 'X-Rate': '3', 'X-Ids': 'string,string', 'X-At': '2030-01-01' }]);
});

test.each([
  ["{ '404': {}, '204': { description: Done., content: { application/json: { schema: { type: object } } } } }", 204],
  ["{ '2XX': { description: Fine. } }", 200],
  ["{ '302': { description: Elsewhere. } }", 302],
  ['{ default: { description: Any. } }', 200],
  // An accepted request is no error, although errors alone are documented.
  ["{ '404': { description: None. } }", 200],
])('of %s the answer is %d, without a body', (responses, status) => {
  const answer = ask(worldOf(responses), 'GET /thing');
  expect([answer.status, answer.body]).toEqual([status, undefined]);
});

test.each(['', '{}', "{ '101': { description: Another protocol. } }"])('responses %j cannot be served', (responses) => {
  const told = '501 doThing cannot be served: the contract documents no response that HTTP can send';
  expect(outcome(ask(worldOf(responses), 'GET /thing'))).toBe(told);
});

test.each([
  ['head', answered('{ application/octet-stream: { schema: { type: string, format: binary } } }')],
  ['get', answered('{ image/png: { schema: { type: string, format: binary } } }')],
])('HEAD where the contract has %s %s is answered', (method, responses) => {
  expect(ask(worldOf(responses, { method }), 'HEAD /thing').status).toBe(200);
});

const N_E = '{ type: object, required: [n, e], properties: { n: { type: integer }, e: { enum: [a, b, c] } } }';
const many = answered(`{ application/json: { schema: ${N_E}, example: { n: 5, e: a } } }`);

test('Prefer: dynamic=true generates although there are examples, the same for the same request and seed', () => {
  const get = (target: string, seed: number): unknown =>
    ask(worldOf(many, { seed }), target, prefer('dynamic=true')).value;
  expect(ask(worldOf(many), 'GET /thing').value).toEqual({ n: 5, e: 'a' });
  expect(get('GET /thing', 1)).not.toEqual({ n: 5, e: 'a' });
  expect(get('GET /thing', 1)).toEqual(get('GET /thing', 1));
  expect(get('GET /thing?a=1', 1)).not.toEqual(get('GET /thing', 1));
  expect(get('GET /thing', 2)).not.toEqual(get('GET /thing', 1));
});

test('examples are picked by name, and one that there is not is refused with those that there are', () => {
  const examples = 'examples: { one: { value: 1 }, two: { value: 2 } }';
  const world = worldOf(answered(`{ application/json: { schema: { type: integer }, ${examples} } }`));
  expect(ask(world, 'GET /thing', prefer('example=two')).value).toBe(2);
  const told = '400 the response 200 of doThing has no example six; it has one, two';
  expect(outcome(ask(world, 'GET /thing', prefer('example=six')))).toBe(told);
  // Of another media type, too.
  const csv = worldOf(answered('{ text/csv: { examples: { one: { value: "a" }, two: { value: "b" } } } }'));
  expect(ask(csv, 'GET /thing', prefer('example=two')).body?.text).toBe('b');
  expect(outcome(ask(csv, 'GET /thing', prefer('example=six')))).toMatch(/it has one, two$/);
});

test('what a document leaves no value for is left out, and where it is required, its type is kept to', () => {
  const odd = `{ type: integer, enum: ['0 (None)', '1 (Blob)'] }`;
  const schema = `{ type: object, required: [kind], properties: { kind: ${odd}, other: ${odd}, all: { type: array, items: ${odd} } } }`;
  const { value } = ask(worldOf(answered(`{ application/json: { schema: ${schema} } }`)), 'GET /thing');
  expect(value).toEqual({ kind: 1, all: [] });
});

test('an example shows nothing that is write only', () => {
  const schema = '{ type: object, properties: { name: { type: string }, pin: { type: string, writeOnly: true } } }';
  const content = `{ application/json: { schema: ${schema}, example: { name: Rex, pin: '1234' } } }`;
  expect(ask(worldOf(answered(content)), 'GET /thing').value).toEqual({ name: 'Rex' });
  const inside = `{ type: object, properties: { pet: ${schema.slice(0, -1)}, example: { name: Rex, pin: '1234' } } } }`;
  const { value } = ask(worldOf(answered(`{ application/json: { schema: ${inside} } }`)), 'GET /thing');
  expect(value).toEqual({ pet: { name: 'Rex' } });
});

const ROWS = '{ type: array, items: { type: object, required: [a], properties: { a: { type: integer } } } }';

test.each([
  ['application/xml', '<a><b>1</b></a>'],
  ['text/csv', 'a;b\n1;2\n'],
  ['application/x-ndjson', '{"a":1}\n{"a":2}\n'],
  ['text/event-stream', 'event: made\ndata: {"a":1}\n\n'],
])('an example of %s in text is sent as it stands', (mediaType, text) => {
  const example = JSON.stringify(text);
  for (const shown of [
    `example: ${example}, schema: ${ROWS}`,
    `examples: { one: { value: ${example} } }, schema: ${ROWS}`,
    `schema: { example: ${example}, type: object, required: [a] }`,
  ]) {
    const { status, body } = ask(worldOf(answered(`{ ${mediaType}: { ${shown} } }`)), 'GET /thing');
    expect([status, body?.text]).toEqual([200, text]);
  }
});

test('a form in parts has the boundary of its example', () => {
  const text = '--mark\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--mark--\r\n';
  const world = worldOf(answered(`{ multipart/form-data: { schema: ${PET}, example: ${JSON.stringify(text)} } }`));
  const { headers, body } = ask(world, 'GET /thing');
  expect([headers['Content-Type'], body?.text]).toEqual(['multipart/form-data; boundary=mark', text]);
});

test('a text that its schema of a text refuses is not sent, and the log has the line', () => {
  const world = worldOf(answered('{ text/plain: { schema: { type: string, maxLength: 6 }, example: too long } }'));
  expect(ask(world, 'GET /thing').body?.text).toBe('string');
  const note = 'the example at thing.yaml:7:114 breaks its schema and is not sent';
  expect(world.journal.entries()[0]?.exchange.notes).toEqual([note]);
});

// An XML document, and below it the schema of which it is written.
const XML = String.raw`
<s:r xmlns:s="urn:s" s:id="1"><s:t>x</s:t></s:r>
  { type: object, required: [id, t], xml: { name: r, prefix: s, namespace: 'urn:s' }, properties: {
    id: { const: 1, xml: { attribute: true, prefix: s } }, t: { const: x, xml: { prefix: s, namespace: 'urn:s' } } } }
<r xmlns:a="urn:a" a:id="1"><b:t xmlns:b="urn:b">x</b:t></r>
  { type: object, required: [id, t], xml: { name: r }, properties: {
    id: { const: 1, xml: { attribute: true, prefix: a, namespace: 'urn:a' } }, t: { const: x, xml: { prefix: b, namespace: 'urn:b' } } } }
<r xmlns="urn:a"/>
  { type: object, maxProperties: 0, xml: { name: r, namespace: 'urn:a' } }
<r><p:as xmlns:p="urn:p"><p:a>1</p:a></p:as><bs><bs>2</bs></bs><d>3</d></r>
  { type: object, required: [a, b, c], xml: { name: r }, properties: {
    a: { type: array, minItems: 1, xml: { wrapped: true, name: as, prefix: p, namespace: 'urn:p' }, items: { const: 1, xml: { name: a, prefix: p } } },
    b: { type: array, minItems: 1, items: { const: 2 }, xml: { wrapped: true, name: bs } },
    c: { type: array, minItems: 1, items: { const: 3, xml: { name: d } } } } }
<ns><n>1</n><n>1</n></ns>
  { type: array, minItems: 2, items: { const: 1, xml: { name: n } }, xml: { name: ns } }
<t>x</t>
  { type: string, const: x, xml: { name: t } }
<r a="1"><c>2</c></r>
  { allOf: [{ type: object, xml: { name: r }, required: [a], properties: { a: { const: 1, xml: { attribute: true } } } },
    { type: object, required: [b], properties: { b: { const: 2, xml: { name: c } } } }] }
<r a="1"/>
  { oneOf: [{ type: object, xml: { name: q }, required: [z], properties: { z: { const: 1 } }, not: {} },
    { type: object, xml: { name: r }, required: [a], properties: { a: { const: 1, xml: { attribute: true } } } }] }
<r a="1">x<![CDATA[y]]></r>
  { type: object, required: [a, b, c], xml: { name: r }, properties: { a: { const: 1, xml: { nodeType: attribute } },
    b: { const: x, xml: { nodeType: text } }, c: { const: y, xml: { nodeType: cdata } } } }
`;

test.each(
  XML.trim()
    .split(/\n(?=<)/)
    .map((row) => row.split('\n')),
)('XML is written as the schema names its parts: %s', (xml, ...schema) => {
  const content = `{ application/xml: { schema: ${schema.join('\n')} } }`;
  const { status, body } = ask(worldOf(answered(content)), 'GET /thing');
  expect([status, body?.text]).toEqual([200, `<?xml version="1.0"?>${xml}`]);
});
