import { expect, test } from 'vitest';
import { readDryRun } from '../../../src/conformance/product/dry-run.js';
import { planRun } from '../../../src/conformance/product/plan-run.js';
import { words } from '../../support/words.js';
import { DEPOT_TOKENS, STAFF_KEY } from './support/depot-server.js';
import { DEPOT_SPEC, judgeDepot, listReasons, SOME_TOKENS } from './support/judge-service.js';
import { judgeMock, testService, type Mutant } from './support/test-service.js';

/** One defect each, with the beginning of the scenarios of parcels that find it. */
const MUTANTS: readonly Mutant[] = [
  ['no-scope:list', 'refusals/scope[list-without', /^Scopes are not checked: findParcels .* lacks `parcels:read`$/],
  ['no-scope:get', 'refusals/scope[get-without', /^Scopes are not checked: readParcel .* `parcels:read` and/],
  ['no-scope:create', 'refusals/scope[create-without', /^Scopes are not checked: sendParcel .* `parcels:write`$/],
  [
    'no-scope:update',
    'refusals/scope-of-changes[update-without',
    /^Scopes are not checked: changeParcel .* or `parcels:write`$/,
  ],
  [
    'any-scope:update',
    'refusals/scope-of-changes[update-without-parcels:write]',
    /changeParcel serves .* `parcels:write`$/,
  ],
  [
    'no-scope:remove',
    'refusals/scope-of-changes[remove-without',
    /^Scopes are not checked: withdrawParcel .* `parcels:withdraw`$/,
  ],
  ['no-scopes', 'refusals/scope[list-without', /^Scopes are not checked: findParcels, .* and withdrawParcel/],
  [
    'scope-500:create',
    'refusals/scope[create-without',
    /^sendParcel fails with 500 with a token that lacks `parcels:write`$/,
  ],
  ['scope-409:list', 'refusals/scope[list-without', /^findParcels returns 409 instead of 403$/],
  // Parameters of the list and fields whose rules are not looked at.
  ['off:carrier.minLength', 'lists/parameter-rule[carrier-that-is-too-short]', /^findParcels accepts `carrier` "xx"/],
  ['off:carrier.maxLength', 'lists/parameter-rule[carrier-that-is-too-long]', /^findParcels accepts `carrier` "x{13}"/],
  ['off:postcode.pattern', 'lists/parameter-rule[postcode-', /^findParcels accepts `postcode` "~ no fit ~"/],
  ['off:owner.format', 'lists/parameter-rule[owner-', /^findParcels accepts `owner` "no-uuid"/],
  ['off:contact.format', 'lists/parameter-rule[contact-', /^findParcels accepts `contact` "nobody"/],
  ['off:label.format', 'lists/parameter-rule[label-', /^findParcels accepts `label` "no uri"/],
  ['off:scanner.format', 'lists/parameter-rule[scanner-', /^findParcels accepts `scanner` "no-address"/],
  ['off:state.enum', 'lists/parameter-rule[state-', /^findParcels accepts `state\/0` "no-such-value"/],
  ['off:day.format', 'lists/invalid-parameter[day-', /^findParcels accepts `day` "no-such-value"/],
  ['off:weight[gte].maximum', 'lists/invalid-parameter[weight[gte]-901]', /^findParcels accepts `weight\[gte\]` 901/],
  ['off:body.label', 'refusals/create[label-that-is-no-URI]', /accepts? `label` "no uri"/],
  ['off:body.scanner', 'refusals/create[scanner-that-is-no-IPv4-address]', /accepts? `scanner` "no-address"/],
];

testService('depot', {
  judge: judgeDepot,
  mutants: MUTANTS.map(([name, about, headline]) => [name, `parcels/${about}*`, headline]),
  // Nobody has the name of an unknown owner.
  variants: words`hides all-401 write-includes-read empty-is-none refuses-unknown-owners`,
  least: [100, 50],
});

test('the mock of a depot refuses and accepts what the runner expects of it', async () => {
  const result = await judgeMock({ spec: DEPOT_SPEC, apiKey: DEPOT_TOKENS.full, credentials: SOME_TOKENS });
  expect([result.problems.map(({ headline }) => headline), listReasons(result)]).toEqual([[], []]);
});

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
