import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chooseStated } from '../../../src/conformance/http/prepare-request.js';
import { loadContract } from '../../../src/contract/contract.js';
import { readDryRun, planRun } from '../../../src/conformance/product/plan-run.js';
import { packageFile } from '../../../src/package-files.js';
import { makeFolder } from '../../support/folder.js';

const library = readFileSync(packageFile('test/conformance/resources/support/library.openapi.yaml'), 'utf8');
const free = library.replace('schema: { type: string, enum: [north, south] }', 'schema: { type: string }');
const spec = join(makeFolder({ 'library.yaml': free }), 'library.yaml');

const countOfLoans = (options: Parameters<typeof planRun>[0]): number =>
  planRun(options).scenarios.filter(({ id }) => id.startsWith('loans/')).length;

test('what needs a header field of which the contract shows no value is not asked, and a note says what helps', () => {
  const { notes } = planRun({ spec });
  expect(countOfLoans({ spec })).toBe(0);
  expect(notes.join()).toContain('it needs the header field X-Branch; set it with --parameter X-Branch=<value>');
});

test('a value that is given, as a parameter or as a header field of every request, is enough', () => {
  expect(countOfLoans({ spec, parameter: ['x-branch=north'] })).toBeGreaterThan(40);
  expect(countOfLoans({ spec, headers: { 'X-Branch': 'north' } })).toBeGreaterThan(40);
});

test('a parameter that the contract does not have is refused, with what may have been meant', () => {
  expect(() => planRun({ spec, parameter: ['X-Brunch=north'] })).toThrow(
    /parameter X-Brunch, which no operation of .* has; did you mean X-Branch\?/,
  );
});

test('`init` says which operations a value would help', () => {
  expect(readDryRun({ spec }).untested).toContainEqual({
    path: 'POST /members/{memberId}/loans',
    why: 'it needs the header parameter X-Branch',
    help: "a value (`parameter: ['X-Branch=...']` in the config file)",
  });
});

test.each([
  ['{ type: string, enum: [north, south], default: south }', 'south'],
  ['{ type: string, enum: [north, south], default: north, example: south }', 'south'],
  ['{ allOf: [{ type: string, enum: [north, south] }, { example: south }] }', 'south'],
  ['{ type: string, enum: [north, south], example: west }', 'north'],
])('of %s is sent what the contract shows: %s', (schema, value) => {
  const text = library.replace('schema: { type: string, enum: [north, south] }', `schema: ${schema}`);
  const contract = loadContract(join(makeFolder({ 'library.yaml': text }), 'library.yaml'));
  const parameter = contract.operations.flatMap(({ parameters }) => parameters).find(({ name }) => name === 'X-Branch');
  expect(parameter && chooseStated(parameter, contract)).toBe(value);
});
