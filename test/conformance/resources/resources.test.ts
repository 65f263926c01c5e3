import { expect, test } from 'vitest';
import { loadContract, type Contract } from '../../../src/contract/contract.js';
import { parseContract } from '../../support/parse-contract.js';
import { readGapsOf, readSubjects } from '../../../src/conformance/resources/resource-under-test.js';
import { bindSubjects } from '../../../src/conformance/resources/instantiate-resources.js';
import { listInvented } from '../../../src/conformance/resources/contract-texts.js';
import { listInvalid } from '../../../src/conformance/resources/invalid-records.js';
import { loadRoleScenarios } from '../../../src/conformance/scenarios/load-scenarios.js';
import { checkScenario, checkTogether } from '../../../src/conformance/scenarios/check-scenario.js';
import { readContractValues } from '../../../src/conformance/http/template.js';
import { packageFile } from '../../../src/package-files.js';

const shop = loadContract(packageFile('test/conformance/resources/shop.openapi.yaml'));
const petstore = loadContract(packageFile('spec/petstore.openapi.yaml'));

test('the resources of a contract are its subjects, parents before what belongs to them', () => {
  const subjects = readSubjects(shop);
  expect(subjects.map(({ name }) => name)).toEqual(['customers', 'orders', 'notes']);
  expect(subjects[2]?.parent?.name).toBe('customers');
  expect(Object.keys(subjects[1]?.roles ?? {}).toSorted()).toEqual(['create', 'get', 'list', 'remove', 'replace']);
});

test('what one record needs is made before it: its parent, and the record that it refers to', () => {
  const { bindings, notes } = bindSubjects(shop);
  expect(notes).toEqual([]);
  expect(bindings.map(({ subject, dependsOn }) => [subject.name, dependsOn])).toEqual([
    ['customers', []],
    ['orders', ['customers/records/create']],
    ['notes', ['customers/records/create']],
  ]);
  expect(bindings[1]?.made.minimal['customerId']).toBe('$scenarios.customers/records/create.outputs.key');
  expect(bindings[2]?.scope).toEqual({ customerId: '$scenarios.customers/records/create.outputs.key' });
});

test('a record has a text of its own, everything that a client may give, and other values where there are some', () => {
  const made = bindSubjects(shop).bindings[0]?.made;
  expect(made?.minimal).toEqual({ name: '$unique', tier: 'basic' });
  expect(Object.keys(made?.full ?? {}).toSorted()).toEqual(['email', 'name', 'newsletter', 'points', 'tags', 'tier']);
  expect(made?.changed).toEqual(expect.arrayContaining(['name', 'tier', 'newsletter', 'points']));
  expect(made?.other['tier']).not.toBe(made?.full['tier']);
});

test('each invalid record breaks the contract in one field, and the contract itself says so', () => {
  const [customers] = bindSubjects(shop).bindings;
  if (customers === undefined) throw new Error('no customers');
  const ids = listInvalid({ ...customers, contract: shop }).map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining(['without-name', 'name-that-is-too-short', 'points-above-its-maximum']));
  // What the contract allows is no such record.
  expect(ids).not.toContain('without-email');
});

/** The responses of an operation, with a record in the first. */
const responds = (status: number, record: string): string =>
  `responses: { '${status}': { description: ok, content: { application/json: { schema: ${record} } } } }`;
const readCodes = (paths: string, beside = ''): Contract =>
  parseContract(`openapi: 3.1.0\ninfo: { title: t, version: '1' }\n${beside}paths:\n${paths}`, {
    shownAs: 'codes.yaml',
  });

test('a resource of which nothing can be made is read as it is, and said to be so', () => {
  const code = `{ type: object, required: [id, text], properties: { id: { type: integer }, text: { type: string, pattern: '^(?=a)b$' } } }`;
  const contract = readCodes(`
  /codes:
    get: { ${responds(200, `{ type: array, items: ${code} }`)} }
    post: { requestBody: { required: true, content: { application/json: { schema: ${code} } } }, ${responds(201, code)} }
  /codes/{codeId}:
    parameters: [{ name: codeId, in: path, required: true, schema: { type: integer } }]
    get: { ${responds(200, code)} }
`);
  const { bindings, notes, found } = bindSubjects(contract);
  expect(bindings.map(({ subject: { name, roles } }) => [name, Object.keys(roles)])).toEqual([
    ['codes', ['list', 'get']],
    ['operations', []],
  ]);
  expect(notes).toEqual([]);
  expect(found.join('\n')).toMatch(
    /^\/codes: no code that the contract allows could be made from it \(.*text.*\); an example there helps, or one in a file \(--records\)$/,
  );
});

test('the petstore has the scenarios of any contract', () => {
  const files = loadRoleScenarios(petstore).map(({ scenario }) => scenario.id.replace(/[^/]*$/, ''));
  const every = ['access', 'lists', 'records', 'refusals', 'requests', 'sequences', 'gaps', 'service'];
  expect([...new Set(files)].toSorted()).toEqual(every.map((file) => `pets/${file}/`).toSorted());
});

test('every scenario of a resource is one that the checks for scenario files pass', () => {
  const loaded = loadRoleScenarios(shop);
  const scenarios = loaded.map(({ scenario }) => scenario);
  expect(scenarios.length).toBeGreaterThan(130);
  const library = { scenarios, contract: shop, values: readContractValues(shop), gaps: readGapsOf(shop).known };
  // A file of a team has no second credential.
  const ofTeams = loaded.filter(({ scenario }) => !scenario.id.includes('/access/'));
  for (const each of ofTeams) checkScenario(each, library);
  checkTogether(scenarios);
});

test.each([
  ['application/xml', 'POST /codes takes application/xml, and a run sends only JSON and forms'],
  [undefined, 'the contract has no create'],
])('a resource that a run cannot create is said to be so: %s', (type, why) => {
  const record = `{ type: object, required: [id], properties: { id: { type: string }, name: { type: string } } }`;
  const post = `post: { operationId: POST /codes, requestBody: { content: { ${type ?? ''}: { schema: ${record} } } }, ${responds(201, record)} }`;
  const contract = readCodes(`
  /codes:
    ${type === undefined ? '{}' : post}
  /codes/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get: { ${responds(200, record)} }
    delete: { responses: { '204': { description: gone } } }
`);
  expect(bindSubjects(contract).notes).toEqual([`/codes: ${why}`]);
});

test('two schemes with the same scopes, asked for together, ask for a token without one of them once', () => {
  const record = `{ type: object, required: [id], properties: { id: { type: integer, readOnly: true }, name: { type: string } } }`;
  const security = 'security: [{ code: [codes], implicit: [codes] }]';
  const url = "'https://a.example'";
  const contract = readCodes(
    `
  /codes:
    post: { operationId: create, ${security}, requestBody: { content: { application/json: { schema: ${record} } } }, ${responds(201, record)} }
  /codes/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { operationId: get, ${security}, ${responds(200, record)} }
`,
    `components:
  securitySchemes:
    code: { type: oauth2, flows: { authorizationCode: { authorizationUrl: ${url}, tokenUrl: ${url}, scopes: { codes: c } } } }
    implicit: { type: oauth2, flows: { implicit: { authorizationUrl: ${url}, scopes: { codes: c } } } }
`,
  );
  const scenarios = loadRoleScenarios(contract).map(({ scenario }) => scenario);
  checkTogether(scenarios);
  expect(scenarios.filter(({ id }) => id.includes('/scope[')).map(({ id }) => id)).toEqual([
    'codes/refusals/scope[get-without-codes]',
    'codes/refusals/scope[create-without-codes]',
  ]);
});

const [customers, orders] = bindSubjects(shop).bindings;
if (customers === undefined || orders === undefined) throw new Error('no customers or orders');

test.each([
  [{ name: '$unique', tier: 'basic' }, ['name']],
  [{ tier: 'basic' }, []],
  [{ name: 'Rex', tier: 'basic' }, ['name']],
  [{ name: '$unique', tier: 'basic', tags: ['a'] }, ['name', 'tags']],
])('what a service may refuse of the customer %j is made up: %j', (record, fields) => {
  expect(listInvented(record, customers).fields.toSorted()).toEqual(fields);
});

test('a key of another record is made up, unless the run has made that record', () => {
  const { references } = listInvented({ customerId: orders.made.minimal['customerId'], quantity: 1 }, orders);
  expect(references).toEqual([]);
  const guessed = listInvented({ customerId: '3f2b8c4e-9d1a-4e7b-8c55-c0ffee0ddba1', quantity: 1 }, orders);
  expect(guessed).toEqual({ references: ['customerId'], choices: [], fields: ['customerId'] });
});
