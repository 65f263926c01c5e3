import { expect, test } from 'vitest';
import { bodyCheck, contentTypeCheck } from '../../../src/conformance/checks/response.js';
import { loadContract } from '../../../src/contract/contract.js';
import { packageFile } from '../../../src/package-files.js';
import { parseContract } from '../../support/parse-contract.js';
import { makeContext } from '../support/check-context.js';

const contract = loadContract(packageFile('test/conformance/resources/support/helpdesk.openapi.yaml'));
const operation = contract.operations.find(({ id }) => id === 'agents.list');

test.each([
  ['12', []],
  ['many', ['type header/x-total-count']],
  [undefined, ['required header/x-total-count']],
])('a header field that the contract describes is judged by it: %s', (count, found) => {
  const context = makeContext({ body: [], headers: { 'x-total-count': count } });
  const outcomes = bodyCheck.run({ ...context, contract, sent: { ...context.sent, operation } });
  expect(outcomes.map((each) => ('needs' in each ? 'needs' : `${each.rule} ${each.at}`))).toEqual(found);
});

/** What is found in an answer whose schema has its record in `data`, which it does not require. */
function judgeWrapped(body: unknown): string[] {
  const user = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
  const schema = { type: 'object', properties: { data: user } };
  const responses = { 200: { description: 'ok', content: { 'application/json': { schema } } } };
  const paths = { '/me': { get: { operationId: 'getMe', responses } } };
  const wrapped = parseContract({ paths });
  const context = makeContext({ body });
  const outcomes = bodyCheck.run({
    ...context,
    contract: wrapped,
    sent: { ...context.sent, operation: wrapped.operations[0] },
  });
  return outcomes.map((each) => ('needs' in each ? 'needs' : `${each.rule} ${each.at}`));
}

test('a member that the contract has is no envelope, whatever is wrong in it', () => {
  expect(judgeWrapped({ data: { name: 7 } })).toEqual(['type body/data/name']);
  expect(judgeWrapped({ data: { name: 'Ann' } })).toEqual([]);
});

/** What is found in a body that is labelled so, of two that differ by a parameter and one for anything else. */
function judgeLabelled(type: string, body: unknown): string[] {
  const need = (name: string): object => ({ schema: { type: 'object', required: [name] } });
  const content = { 'application/*': need('any'), 'a/json; v=1': need('one'), 'a/json; v=2': need('two') };
  const responses = { 200: { description: 'ok', content } };
  const document = { openapi: '3.1.0', info: { title: 't', version: '1' }, paths: { '/me': { get: { responses } } } };
  const labelled = parseContract(document, { shownAs: 'labelled.json' });
  const context = makeContext({ body, headers: { 'content-type': type }, contract: labelled, operation: 'GET /me' });
  return [...contentTypeCheck.run(context), ...bodyCheck.run(context)].map((each) =>
    'needs' in each ? 'needs' : `${each.rule} ${each.at}`,
  );
}

test.each([
  ['application/json', { any: 1 }, []],
  ['application/json', { one: 1 }, ['required body/any']],
  ['A/JSON; V="2"', { two: 1 }, []],
  ['a/json; v=2', { one: 1 }, ['required body/two']],
  ['a/json; v=3', { one: 1 }, ['media-type header/content-type']],
  ['a/json', { one: 1 }, ['media-type header/content-type']],
])('a body of %s with %j is judged by the most specific key: %j', (type, body, found) => {
  expect(judgeLabelled(type, body)).toEqual(found);
});
