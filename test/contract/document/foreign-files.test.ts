import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadContract, type Contract } from '../../../src/contract/contract.js';
import { makeFolder } from '../../support/folder.js';
import { parseContract } from '../../support/parse-contract.js';
import { refusalOf } from '../support/refusal.js';

const folder = makeFolder();

const open = (text: string | Buffer): Contract => {
  const path = join(folder, 'file');
  writeFileSync(path, text);
  return loadContract(path, { shownAs: 'file' });
};
const refusal = (text: string): string => refusalOf(() => open(text)).message;

test.each<[name: string, ...texts: string[]]>([
  ['an AsyncAPI document', 'asyncapi: 3.0.0\ninfo: {title: a, version: 1}\nchannels: {}\n'],
  ['an Arazzo document', 'arazzo: 1.0.0\ninfo: {}\nsourceDescriptions: []\n'],
  ['an OpenAPI Overlay', 'overlay: 1.0.0\ninfo: {}\nactions: []\n'],
  ['a Swagger 1 document', '{"swaggerVersion": "1.2", "apis": []}'],
  ['a Postman collection', '{"info": {"schema": "https://schema.getpostman.com/json/collection/v2.1.0/a.json"}}'],
  ['a Postman collection', '{"collection": {"info": {"_postman_id": "1"}, "item": []}}'],
  ['an Insomnia export', '{"_type": "export", "__export_format": 4}', 'type: collection.insomnia.rest/5.0\nname: a\n'],
  ['a HAR file', '{"log": {"version": "1.2", "entries": []}}'],
  ['a GraphQL schema', '{"data": {"__schema": {"types": []}}}', 'type Query {\n  pets(first: Int): [Pet!]!\n}\n'],
  ['a GraphQL schema', '# Pets\nschema {\n  query: Query\n}\n', 'scalar Date\n\ntype Query\n{\n  a: Int\n}\n'],
  ['a GraphQL schema', '"""All pets."""\ninterface Node @key(fields: "id") {\n  id: ID!\n}\n'],
  ['a WSDL document', '<?xml version="1.0"?>\n<wsdl:definitions xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/"/>'],
  ['a WADL document', '<application xmlns="http://wadl.dev.java.net/2009/02"/>'],
  ['an OData document', '<edmx:Edmx Version="4.0"></edmx:Edmx>'],
  ['XML', '<?xml version="1.0"?>\n<a/>'],
  ['a web page (HTML)', '\n<!DOCTYPE html>\n<html><script>openapi: 3</script></html>'],
  ['a RAML document', '#%RAML 1.0\ntitle: a\n/pets:\n  get:\n'],
  ['an API Blueprint', 'FORMAT: 1A\n\n# Pets\n'],
  ['a Protocol Buffers file', '// pets\nsyntax = "proto3";\nmessage Pet {}\n'],
  ['a TypeSpec file', 'import "@typespec/http";\nusing Http;\n'],
  ['a JSON Schema', '{"$schema": "http://json-schema.org/schema"}', '{"type": "object", "properties": {"a": {}}}'],
  ['a package.json of npm', '{"name": "a", "version": "1.0.0", "dependencies": {}}'],
  ['a config of Swagger UI', '{"configUrl": "/v3/api-docs/swagger-config", "urls": [{"url": "/v3/api-docs/a"}]}'],
  ['a Kubernetes manifest', 'apiVersion: v1\nkind: Service\nmetadata: {name: a}\n'],
  ['a Compose file', 'services:\n  web: {image: a}\n'],
])('%s is named as what it is, with what to do', (name, ...texts) => {
  for (const text of texts) {
    const message = refusal(text);
    expect(message).toContain(`file:1:1: this is ${name}, not an OpenAPI document: `);
    expect(message).toMatch(/: [a-z][^:]{15,}\.$/);
  }
});

test('what is none of these keeps its own message', () => {
  expect(refusal('info: {title: a}\npaths: {}\nhost: a.example\n')).toContain('it has no `openapi` field');
  expect(refusal('type Query {')).not.toContain('valid YAML');
  expect(refusal('a: [')).toMatch(/^file:1:\d+: this is not valid YAML/);
  expect(refusal('')).toContain('the file is empty.');
});

const TEXT =
  'openapi: 3.0.3\ninfo: {title: Größe, version: 1}\npaths: {/a: {get: {description: "type Query {", responses: {200: {description: ok}}}}}\n';

test('a document in UTF-16 with a byte order mark is read, as is one in UTF-8 with one', () => {
  const utf16 = (): Buffer => Buffer.from(`\uFEFF${TEXT}`, 'utf16le');
  for (const bytes of [utf16(), utf16().swap16(), Buffer.from(`\uFEFF${TEXT}`)])
    expect(open(bytes).title).toBe('Größe');
});

function read(text: string, shownAs = 'a.yaml') {
  const contract = parseContract(text, { shownAs });
  const notes = contract.listNotes().map(({ place, message }) => `${place.line}:${place.column} ${message}`);
  return { root: contract.document.root as Record<string, unknown>, title: contract.title, notes };
}

/** A document whose description is written in other ways, and its extension. */
const readLoose = (text: string) => read(`openapi: 3.0.3\ninfo:\n  title: t\n  version: '1'\n${text}paths: {}\n`);

const FURTHER_IN = /^\d+:\d+ .*at the indentation of its key/;
const NONE = /^$/;
const NOT_ONE = 'yes, off, 0123, 12:30:45, 2020-01-01, 0o17';

test.each([
  ['double quotes at its key', 'x-a:\n  b: "x\n  y"\n  c: 1\n', { b: 'x y', c: 1 }, /^6:\d+ .*at the indentation.*$/],
  ['single quotes at the column of its key', "x-a:\n  b: 'x\n  y\n\n  z'\n", { b: 'x y\nz' }, FURTHER_IN],
  ['a text in quotes left of its key', 'x-a:\n  b: "x\ny"\n  c: 1\n', { b: 'x y', c: 1 }, FURTHER_IN],
  ['a text in quotes in a list', 'x-a:\n- "x\n- y"\n- z\n', ['x - y', 'z'], FURTHER_IN],
  ['brackets at their key', 'x-a:\n  b: [1,\n  2]\n  c: {d: "x\n  y"}\n', { b: [1, 2], c: { d: 'x y' } }, FURTHER_IN],
  ['a comment without a space', 'x-a: "x"# y\n', 'x', NONE],
  ['a key twice', 'x-a:\n  b: 1\n  b: 2\n', { b: 2 }, /^7:3 a mapping has a key twice; the last one wins\.$/],
  ['a tag of a program', 'x-a: {b: !Ref c}\n', { b: 'c' }, /^5:10 the tag !Ref is unknown/],
  ['tags of YAML 1.1', 'x-a: [!!binary aGk=, !!timestamp 2020-01-01, !!str 12]\n', ['aGk=', '2020-01-01', '12'], /tag/],
  ['lines that end in a carriage return', 'x-a:\r  b: 1\r  c: 2\r', { b: 1, c: 2 }, NONE],
  ['two merge keys', 'x-m: &m {b: 1}\nx-n: &n {c: 2}\nx-a:\n  <<: *m\n  <<: *n\n', { b: 1, c: 2 }, NONE],
  ['what YAML 1.1 reads otherwise', `x-a: [${NOT_ONE}]\n`, ['yes', 'off', 123, '12:30:45', '2020-01-01', 15], NONE],
])('%s: it is read as other tools read it', (_, text, value, note) => {
  const { root, notes } = readLoose(text);
  expect(root['x-a']).toEqual(value);
  expect(notes.filter((each) => !each.includes('no operation')).join('\n')).toMatch(note);
});

test('the version that a YAML directive names changes no value', () => {
  const { root } = read(`%YAML 1.1\n---\n${TEXT}x-a: [yes, 2020-01-01, 12:30:45]\n`);
  expect(root['x-a']).toEqual(['yes', '2020-01-01', '12:30:45']);
});

test('of several documents, the one of OpenAPI is read, and a note says so', () => {
  const { title, notes } = read(`kind: Other\n---\n${TEXT}`);
  expect([title, ...notes]).toEqual(['Größe', expect.stringMatching(/^3:1 there are 2 YAML documents/)]);
});

test('a text without its second quotation mark is reported where it begins to be wrong', () => {
  const message = /^a\.yaml:6:\d+: this is not valid YAML: Missing closing/;
  expect(() => readLoose('x-a:\n  b: "x\n  c: 1\n  d: "y"\n')).toThrow(message);
});

test('a key that JSON has twice is noted at its line, one that is a value or in another object is not', () => {
  const json = `{"openapi": "3.0.3", "info": {"title": "\\"a\\": b", "version": "1"},\n "x-a": [{"b": 1.0000000000000000001}, {"b": "c:"}],\n "paths": {}, "x-b": {"c": 1,\n "c": 2}}`;
  const notes = (text: string): string[] => read(text, 'a.json').notes.filter((note) => note.includes('twice'));
  expect(notes(json)).toEqual([expect.stringMatching(/^4:2 /)]);
  expect(notes(json.replace('"c": 1,', ''))).toEqual([]);
});
