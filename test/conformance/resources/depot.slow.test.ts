// A depot whose tokens have scopes, and whose list has many parameters with rules of their own.
import { expect, test } from 'vitest';
import type { RunResult } from '../../../src/conformance/index.js';
import { readDryRun, planRun } from '../../../src/conformance/product/plan-run.js';
import { words } from '../../support/words.js';
import { DEPOT_SPEC, listReasons } from './support/judge-service.js';
import { object, type Schema } from './support/odd-resource.js';
import { serveShelf } from './support/shelf.js';
import { fail, judgeStranger, type Answer, type Asked, type Item, type Serve } from './support/stranger.js';
import { createFit, readContract } from './support/strangers.js';
import { judgeMock, testService, type Mutant } from './support/test-service.js';

const STAFF_KEY = 'depot-staff-key-of-the-run';
const TOKENS = {
  full: 'depot-token-with-all-scopes',
  none: 'depot-token-without-any-scope',
  reader: 'depot-token-that-may-read',
  writer: 'depot-token-that-may-write',
} as const;
const CREDENTIALS = {
  oauth: TOKENS.full,
  'oauth[]': TOKENS.none,
  'oauth[parcels:read]': TOKENS.reader,
  'oauth[parcels:write]': TOKENS.writer,
  staffKey: STAFF_KEY,
};
const SCOPES: Readonly<Record<string, readonly string[]>> = {
  [TOKENS.full]: ['read', 'write', 'withdraw'],
  [TOKENS.none]: [],
  [TOKENS.reader]: ['read'],
  [TOKENS.writer]: ['write'],
};
/** The scopes that each operation asks for; any list suffices. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  list: ['read'],
  create: ['write'],
  get: ['read', 'write'],
  update: ['read write'],
  remove: ['withdraw'],
};
const ROLES: Readonly<Record<string, string>> = { POST: 'create', PATCH: 'update', DELETE: 'remove' };

type Has = (change: string) => boolean;

/** Who is unknown gets 401, and who may not gets 403. */
function rejectToken(has: Has, { method, path, headers }: Asked): Answer | undefined {
  const role = ROLES[method] ?? (path[1] === undefined ? 'list' : 'get');
  if (role === 'list' && headers['x-staff-key'] === STAFF_KEY) return undefined;
  const own = SCOPES[/^Bearer (\S+)$/i.exec(String(headers['authorization']))?.[1] ?? ''];
  if (own === undefined) return fail(401);
  const scopes = has('write-includes-read') && own.includes('write') ? [...own, 'read'] : own;
  const suffices = NEEDED[role]?.some((needed) => needed.split(' ').every((scope) => scopes.includes(scope)));
  const isOpen = has(`no-scope:${role}`) || (has(`any-scope:${role}`) && scopes.length > 0) || has('no-scopes');
  if (suffices === true || isOpen) return undefined;
  for (const status of [409, 500]) if (has(`scope-${status}:${role}`)) return fail(status);
  if (has('hides') && role !== 'list' && role !== 'create') return fail(404);
  return fail(has('all-401') ? 401 : 403);
}

/** A schema without the rules that a change says are not looked at: `off:postcode.pattern`. */
function look(has: Has, name: string, { items, ...schema }: Schema): Schema {
  const drop = (each: object): Schema =>
    Object.fromEntries(Object.entries(each).filter(([rule]) => !has(`off:${name}.${rule}`)));
  return { ...drop(schema), ...(items === undefined ? {} : { items: drop(items as Schema) }) };
}

/** A parameter as a value of its type; what is none stays a text. */
function read(text: string, { type }: Schema): unknown {
  if (type === 'array') return text.split(',');
  if (type === 'boolean') return text === 'true' || (text === 'false' ? false : text);
  return type === 'string' || text === '' || Number.isNaN(Number(text)) ? text : Number(text);
}

function serveDepot(has: Has): Serve {
  const { paths, components } = readContract('depot');
  const { parameters = [] } = paths['/parcels']?.['get'] ?? {};
  const rules = new Map(
    (parameters as { name: string; schema: Schema }[]).map(({ name, schema }) => {
      const fit = createFit({ record: object({ value: look(has, name, schema) }) });
      return [name, (text: string) => fit({ value: read(text, schema) }, { method: 'GET' })];
    }),
  );
  const { properties, ...parcel } = components.schemas['NewParcel'] ?? {};
  const looked = Object.entries(properties as Record<string, Schema>).map(([name, schema]) => [
    name,
    look(has, `body.${name}`, schema),
  ]);
  const fit = createFit({ record: { ...parcel, properties: Object.fromEntries(looked) as Schema } });
  const old = [1, 2, 3, 4, 5, 6].map((id): Item => ({ id, carrier: `Old ${id}`, state: 'waiting', weight: id }));
  const answer = (asked: Asked): Answer | undefined =>
    rejectToken(has, asked) ?? (['GET', 'POST', 'PATCH', 'DELETE'].includes(asked.method) ? undefined : fail(405));
  const isWrong = ([name, text]: [string, string]): boolean => {
    if (text === '' && has('empty-is-none')) return false;
    return (name === 'owner' && has('refuses-unknown-owners')) || rules.get(name)?.(text) !== undefined;
  };
  const list = (items: Item[], { query }: Asked): Answer => {
    if ([...query].some(isWrong)) return fail(400);
    const [limit, offset] = [Number(query.get('limit') ?? 20), Number(query.get('offset') ?? 0)];
    const [carrier, fragile] = [query.get('carrier'), query.get('fragile')];
    const states = query.getAll('state').flatMap((each) => each.split(','));
    const found = items
      .filter((each) => carrier === null || each['carrier'] === carrier)
      .filter(({ state }) => states.length === 0 || states.includes(String(state)))
      .filter((each) => fragile === null || (each['fragile'] === true) === (fragile === 'true'));
    return { status: 200, body: found.toReversed().slice(offset, offset + limit) };
  };
  const refuse = (body: Item, asked: Asked): Answer | undefined => {
    const wrong = fit(body, asked);
    if (wrong === undefined && asked.method === 'POST') body['state'] ??= 'waiting';
    return wrong;
  };
  return serveShelf('parcels', { answer, list, refuse }, old);
}

const judgeDepot = (changes: readonly string[] = [], only: readonly string[] = []): Promise<RunResult> => {
  const serve = serveDepot((name) => changes.includes(name));
  const given = { apiKey: TOKENS.full, credentials: CREDENTIALS, settleMs: 30 };
  return judgeStranger(readContract('depot'), serve, only, given);
};

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
  ['off:body.label.format', 'refusals/create[label-that-is-no-URI]', /accepts? `label` "no uri"/],
  ['off:body.scanner.format', 'refusals/create[scanner-that-is-no-IPv4-address]', /accepts? `scanner` "no-address"/],
];

testService('depot', {
  judge: judgeDepot,
  mutants: MUTANTS.map(([name, about, headline]) => [name, `parcels/${about}*`, headline]),
  // Nobody has the name of an unknown owner.
  variants: words`hides all-401 write-includes-read empty-is-none refuses-unknown-owners`,
  least: [100, 50],
});

test('the mock of a depot refuses and accepts what the runner expects of it', async () => {
  const result = await judgeMock({ spec: DEPOT_SPEC, apiKey: TOKENS.full, credentials: CREDENTIALS });
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
  expect([...Object.values(TOKENS), STAFF_KEY].filter((token) => text.includes(token))).toEqual([]);
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
