import { expect, test } from 'vitest';
import { formatCurl } from '../../../src/cli/mock/banner.js';
import { readSettings } from '../../../src/cli/mock/settings.js';
import { parseContract } from '../../support/parse-contract.js';

const settings = await readSettings([], {}, '1');

/** The line to try for a contract with these paths. */
function tryFor(paths: string, key?: number): string {
  const text = `openapi: 3.1.0\ninfo: { title: Team, version: 1.0.0 }\npaths:\n${paths}`;
  const contract = parseContract(text, { shownAs: 'team.yaml' });
  const records = { findValues: () => ({ id: key }), settle: (_: unknown, sent: unknown) => sent };
  return formatCurl('http://h', contract, { ...settings, ...(key === undefined ? {} : { records }) });
}

const ok = "responses: { '200': { description: Fine. } }";
const parameter = (name: string, place: string, schema: string): string =>
  `{ name: ${name}, in: ${place}, required: true, schema: ${schema} }`;
const id = parameter('id', 'path', '{ type: integer }');
const body = (schema: string): string =>
  `requestBody: { required: true, content: { application/json: { schema: ${schema} } } }`;

test.each<[string, string, string]>([
  [
    'a query that is required',
    `  /a: { get: { parameters: [${parameter('zip', 'query', '{ type: string, example: 10115 Berlin }')}], ${ok} } }`,
    "curl 'http://h/a?zip=10115%20Berlin'",
  ],
  [
    'a header field that is required',
    `  /a: { get: { parameters: [${parameter('X-Team', 'header', '{ type: string, enum: [blue] }')}], ${ok} } }`,
    "curl -H 'X-Team: blue' 'http://h/a'",
  ],
  [
    'a list that is required',
    `  /a: { get: { parameters: [${parameter('of', 'query', '{ type: array, items: { enum: [x, y] }, minItems: 2 }')}], ${ok} } }`,
    "curl 'http://h/a?of=x&of=y'",
  ],
  ['a key', `  /a/{id}: { get: { parameters: [${id}], ${ok} } }`, "curl 'http://h/a/7'"],
  [
    'a body, where there is no GET',
    `  /a: { post: { ${body("{ type: object, required: [n], properties: { n: { const: it's } } }")}, ${ok} } }`,
    String.raw`curl -X POST -H 'Content-Type: application/json' --data-raw '{"n":"it'\''s"}' 'http://h/a'`,
  ],
  [
    'a parent, before a key of its own',
    `  /a/{id}/b: { get: { parameters: [${id}], ${ok} } }\n  /a/{id}: { get: { parameters: [${id}], ${ok} } }`,
    "curl 'http://h/a/7/b'",
  ],
])('the line to try has %s', (_name, paths, line) => expect(tryFor(paths, 7)).toBe(line));

test('a key that no record has is what the schema allows', () =>
  expect(tryFor(`  /a/{id}: { get: { parameters: [${id}], ${ok} } }`)).toBe("curl 'http://h/a/1'"));

test('the easiest is chosen, wherever it stands', () => {
  const paths = [
    `  /a: { post: { ${body('{ type: object }')}, ${ok} } }`,
    `  /b/{id}: { get: { parameters: [${id}], ${ok} } }`,
    `  /c: { get: { parameters: [${parameter('q', 'query', '{ type: string }')}], ${ok} } }`,
    `  /d: { get: { ${ok} } }`,
  ];
  expect(tryFor(paths.join('\n'))).toBe("curl 'http://h/d'");
});
