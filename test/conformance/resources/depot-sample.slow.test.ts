import { expect, test } from 'vitest';
import { readDryRun } from '../../../src/conformance/product/dry-run.js';
import { planRun } from '../../../src/conformance/product/plan-run.js';
import { DEPOT_TOKENS, STAFF_KEY } from './support/depot-server.js';
import { DEPOT_SPEC, judgeDepot } from './support/judge-service.js';

const ONLY_SCOPES = ['parcels/refusals/scope*'];

test('a token that lacks a scope is sent where one is given, and no token is told', async () => {
  const result = await judgeDepot([], ONLY_SCOPES);
  const asked = result.scenarios.filter(({ id }) => id.includes('/scope'));
  expect(asked.map(({ id, verdict }) => [id.slice('parcels/refusals/'.length), verdict])).toEqual([
    ['scope[list-without-parcels:read]', 'passed'],
    ['scope[get-without-parcels:read-and-parcels:write]', 'passed'],
    ['scope[create-without-parcels:write]', 'passed'],
    ['scope-of-changes[update-without-parcels:read]', 'passed'],
    ['scope-of-changes[update-without-parcels:write]', 'passed'],
    ['scope-of-changes[remove-without-parcels:withdraw]', 'passed'],
  ]);
  const text = JSON.stringify(result);
  expect([...Object.values(DEPOT_TOKENS), STAFF_KEY].filter((token) => text.includes(token))).toEqual([]);
});

test('a token that may write is not sent to show that reading needs a scope, since writing may include it', () => {
  const planned = (...scopes: string[]): string[] =>
    planRun({ spec: DEPOT_SPEC, credentials: Object.fromEntries(scopes.map((each) => [`oauth[${each}]`, 'x'])) })
      .scenarios.map(({ id }) => id)
      .filter((id) => id.includes('/scope'));
  expect(planned('parcels:write')).toEqual([]);
  expect(planned('parcels:read')).toEqual([
    'parcels/refusals/scope[create-without-parcels:write]',
    'parcels/refusals/scope-of-changes[update-without-parcels:write]',
    'parcels/refusals/scope-of-changes[remove-without-parcels:withdraw]',
  ]);
});

test('without such tokens scopes are not asked for, and the plan says what would help', () => {
  const { scenarios, notes } = planRun({ spec: DEPOT_SPEC });
  expect(scenarios.filter(({ id }) => id.includes('/scope'))).toEqual([]);
  expect(notes.join()).toContain("--credential 'oauth[<its scopes>]=<token>'");
  expect(readDryRun({ spec: DEPOT_SPEC }).untested).toContainEqual({
    path: 'scopes',
    why: 'nothing tests whether parcels:read, parcels:write, parcels:withdraw are required',
    help: expect.stringContaining("credentials: { 'oauth[<its scopes>]': { env: ... } }") as string,
  });
});

test('a service that refuses a value that the contract allows shows nothing by refusing another', async () => {
  const { problems, scenarios } = await judgeDepot(['refuses-unknown-owners'], ['parcels/lists/parameter-rule*']);
  expect(problems).toEqual([]);
  expect(scenarios.find(({ id }) => id.includes('[owner-'))).toMatchObject({
    verdict: 'inconclusive',
    reason: expect.stringContaining('add an example of it to the contract') as string,
  });
});
