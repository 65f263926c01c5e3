import { expect, test } from 'vitest';
import { describeCredentials } from '../../../../src/cli/mock/describe.js';
import { formatCurl } from '../../../../src/cli/mock/banner.js';
import { readSettings } from '../../../../src/cli/mock/settings.js';
import type { Contract } from '../../../../src/contract/contract.js';
import { shippedContract } from '../../../support/shipped.js';
import { parseContract } from '../../../support/parse-contract.js';

const SCHEMES: Record<string, string> = {
  bearer: '{ type: http, scheme: bearer }',
  other: '{ type: oauth2, flows: {} }',
  basic: '{ type: http, scheme: basic }',
  header: '{ type: apiKey, in: header, name: X-Api-Key }',
  query: '{ type: apiKey, in: query, name: api_key }',
  cookie: '{ type: apiKey, in: cookie, name: sid }',
};

function contractWith(security: string): Contract {
  const schemes = Object.entries(SCHEMES).map(([name, scheme]) => `    ${name}: ${scheme}`);
  return parseContract(
    `openapi: 3.1.0
info: { title: Team, version: 1.0.0 }
security: ${security}
paths: { /things: { get: { responses: { '200': { description: Fine. } } } } }
components:
  securitySchemes:
${schemes.join('\n')}
`,
    { shownAs: 'team.yaml' },
  );
}

const settings = await readSettings([], {}, '1');
const own = await readSettings(
  ['--api-key', 'my-key', '--credential', 'basic=rex:secret'],
  { PETSTORE_CREDENTIALS: 'never=read' },
  '1',
);

test('the petstore has one row, with the key', () =>
  expect(describeCredentials(shippedContract, settings)).toEqual([['key', 'petstore-dev-key (the default)']]));

test('other schemes have a row each, and no secret is told', () => {
  const contract = contractWith('[{ basic: [] }, { header: [], query: [] }]');
  expect(describeCredentials(contract, settings)).toEqual([
    ['key', 'petstore-dev-key (the default)'],
    ['auth', 'basic  Authorization: Basic <user:password in Base64>, the key as the user or as the password'],
    ['auth', 'header  X-Api-Key: <API_KEY>'],
    ['auth', 'query  api_key=<API_KEY> in the query'],
  ]);
  const told = describeCredentials(contract, own).flat().join('\n');
  expect(told).toContain('Basic <user:password in Base64>, the one you gave with --credential');
  expect(told).not.toMatch(/rex|secret|my-key/);
});

test('who asks for nothing is told so', () => {
  expect(describeCredentials(contractWith('[]'), settings)).toEqual([
    ['key', 'none: the contract requires no credentials'],
  ]);
});

test.each([
  ['[{ bearer: [] }]', "curl -H 'Authorization: Bearer petstore-dev-key' 'http://h/things'"],
  ['[{ basic: [] }]', "curl -u 'petstore-dev-key:' 'http://h/things'"],
  ['[{ header: [], cookie: [] }]', "curl -H 'X-Api-Key: petstore-dev-key' -b 'sid=petstore-dev-key' 'http://h/things'"],
  ['[{ query: [] }]', "curl 'http://h/things?api_key=petstore-dev-key'"],
  ['[{}, { header: [] }]', "curl -H 'X-Api-Key: petstore-dev-key' 'http://h/things'"],
  ['[]', "curl 'http://h/things'"],
  ['[{ bearer: [], other: [] }]', "curl -H 'Authorization: Bearer petstore-dev-key' 'http://h/things'"],
])('of %s the line to try is %s', (security, line) => {
  expect(formatCurl('http://h', contractWith(security), settings)).toBe(line);
});

test('keys of the user are variables in the line to try', () => {
  expect(formatCurl('http://h', contractWith('[{ query: [] }]'), own)).toBe(
    'curl "http://h/things?api_key=$PETSTORE_API_KEY"',
  );
  expect(formatCurl('http://h', contractWith('[{ basic: [] }]'), own)).toBe('curl -u "$BASIC" \'http://h/things\'');
});

test('the variable has one on each line, and a flag counts before it', async () => {
  const { credentials } = await readSettings([], { PETSTORE_CREDENTIALS: 'a=1,2\nb=x:y=z\n a=3' }, '1');
  expect(credentials).toEqual({ a: ['1,2', '3'], b: ['x:y=z'] });
  expect(own.credentials).toEqual({ basic: ['rex:secret'] });
});
