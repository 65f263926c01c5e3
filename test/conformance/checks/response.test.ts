import { expect, test } from 'vitest';
import type { CheckFinding } from '../../../src/conformance/checks/check.js';
import {
  bodyCheck,
  contentTypeCheck,
  errorBodyCheck,
  extraFieldsCheck,
} from '../../../src/conformance/checks/response.js';
import { loadContract } from '../../../src/contract/contract.js';
import { packageFile } from '../../../src/package-files.js';
import { content } from '../../support/open-paths.js';
import { parseContract } from '../../support/parse-contract.js';
import { makeContext, tell } from '../support/check-context.js';

const helpdesk = loadContract(packageFile('test/conformance/resources/support/helpdesk.openapi.yaml'));

test.each([
  ['12', []],
  ['many', ['type header/x-total-count']],
  [undefined, ['required header/x-total-count']],
])('a header field that the contract describes is judged by it: %s', (count, found) => {
  const headers = { 'x-total-count': count };
  const context = makeContext({ body: [], headers, contract: helpdesk, operation: 'agents.list' });
  expect(tell(bodyCheck.run(context))).toEqual(found);
});

/** A contract with one operation, `getMe`. */
const describeMe = (responses: object): ReturnType<typeof parseContract> =>
  parseContract({ paths: { '/me': { get: { operationId: 'getMe', responses } } } });

test('a member that the contract has is no envelope, whatever is wrong in it', () => {
  const user = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
  const contract = describeMe({ 200: content({ type: 'object', properties: { data: user } }) });
  const judge = (body: object): string[] => tell(bodyCheck.run(makeContext({ body, contract, operation: 'getMe' })));
  expect(judge({ data: { name: 7 } })).toEqual(['type body/data/name']);
  expect(judge({ data: { name: 'Ann' } })).toEqual([]);
});

test.each([
  ['application/json', { any: 1 }, []],
  ['application/json', { one: 1 }, ['required body/any']],
  ['A/JSON; V="2"', { two: 1 }, []],
  ['a/json; v=2', { one: 1 }, ['required body/two']],
  ['a/json; v=3', { one: 1 }, ['media-type header/content-type']],
  ['a/json', { one: 1 }, ['media-type header/content-type']],
])('a body of %s with %j is judged by the most specific key: %j', (type, body, found) => {
  const need = (name: string): object => ({ schema: { type: 'object', required: [name] } });
  const types = { 'application/*': need('any'), 'a/json; v=1': need('one'), 'a/json; v=2': need('two') };
  const contract = describeMe({ 200: { description: 'ok', content: types } });
  const context = makeContext({ body, headers: { 'content-type': type }, contract, operation: 'getMe' });
  expect(tell([...contentTypeCheck.run(context), ...bodyCheck.run(context)])).toEqual(found);
});

test.each([
  ['text/plain', 'name must be a text, but is {"value":1}', []],
  ['application/json', 'Warning: x {"value":1}', ['type body']],
])('JSON that a text quotes is judged where an error is %s', (type, text, found) => {
  const contract = describeMe({ 400: content({ type: 'string' }, type) });
  const context = makeContext({ contract, operation: 'getMe', status: 400, text, headers: { 'content-type': type } });
  expect(tell(errorBodyCheck.run(context))).toEqual(found);
});

const tom = { id: 2, name: 'Tom', categoryId: 7 };
const findExtra = (body: unknown): CheckFinding[] => extraFieldsCheck.run(makeContext({ body })) as CheckFinding[];

test('a field of every record is told of the first records, with the number of the rest', () => {
  const found = findExtra(Array.from({ length: 1000 }, (_, id) => ({ ...tom, id, color: 'red', size: 1 })));
  const places = [0, 1, 2].flatMap((index) => ['color', 'size'].map((name) => `body/${index}/${name}`));
  expect(found.map(({ at }) => at)).toEqual(places);
  expect(found.map(({ more }) => more)).toEqual([undefined, undefined, undefined, undefined, 997, 997]);
});

test('of a hundred thousand fields some are told, and all are counted; a long name is cut', () => {
  const fields = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`f${index}`, 1]));
  const found = findExtra([{ ...tom, ...fields }]);
  expect(found.length).toBeLessThanOrEqual(100);
  expect(found.reduce((sum, { more = 0 }) => sum + 1 + more, 0)).toBe(100_000);
  const [long] = findExtra([{ ...tom, ['n'.repeat(100_000)]: 1 }]);
  expect(long?.rule).toMatch(/^n+…$/);
  expect(long?.at.length).toBeLessThan(100);
});
