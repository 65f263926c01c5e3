import { expect, test } from 'vitest';
import { bodyCheck } from '../../../src/conformance/judge/body.js';
import { loadContract } from '../../../src/contract/contract.js';
import { packageFile } from '../../../src/package-files.js';
import { makeContext } from '../support/check-context.js';

const contract = loadContract(packageFile('test/conformance/subjects/support/helpdesk.openapi.yaml'));
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
