import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planRun } from '../../../../src/conformance/product/plan-run.js';
import { bindSubjects } from '../../../../src/conformance/resources/instantiate-resources.js';
import { fillRecord } from '../../../../src/conformance/resources/fit-record.js';
import { PetstoreMockError } from '../../../../src/errors.js';
import { makeFolder } from '../../../support/folder.js';
import { blockUnder } from '../../../support/readme.js';

/** A collection of records with these fields and a key that the service assigns. */
function describeOwn(one: string, fields: Readonly<Record<string, string>>): string {
  const content = "content: { application/json: { schema: { $ref: '#/components/schemas/Own' } } }";
  const properties = Object.entries(fields).map(([name, schema]) => `\n        ${name}: { ${schema} }`);
  return `
openapi: 3.1.0
info: { title: t, version: '1' }
paths:
  /${one}s:
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Own' } } } } } } }
    post:
      requestBody: { required: true, ${content} }
      responses: { '201': { description: ok, ${content} }, '422': { description: no } }
  /${one}s/{${one}Id}:
    parameters: [{ name: ${one}Id, in: path, required: true, schema: { type: integer } }]
    get: { responses: { '200': { description: ok, ${content} } } }
components:
  schemas:
    Own:
      type: object
      required: [id, ${Object.keys(fields).join()}]
      properties:
        id: { type: integer, readOnly: true }${properties.join('')}
`;
}

/** No generator makes a text that fits this pattern. */
const PATTERN = "'^(?=.*7)(?=.*[A-F]$)[0-9]{4}-[A-F]{2}$'";
const CODES = describeOwn('code', { sku: `type: string, pattern: ${PATTERN}`, title: 'type: string' });
/** A sku needs two letters, two different digits and an even end: nothing that a generator would hit on. */
const ORDERS = describeOwn('order', {
  customerId: 'type: integer',
  sku: "type: string, pattern: '^(?=.*[02468].*[13579])[A-D]{2}-[0-9]{4}$|^(?=.*[13579].*[02468])[A-D]{2}-[0-9]{4}$'",
  currency: 'type: string, minLength: 3, maxLength: 3',
  label: 'type: string',
});

const GOOD = { id: 4, sku: '1702-AB', title: 'One {$unique}' };

function plan(records: unknown): ReturnType<typeof planRun> {
  const folder = makeFolder({ 'codes.yaml': CODES, 'records.yaml': JSON.stringify(records, null, 1) });
  return planRun({ spec: join(folder, 'codes.yaml'), records: join(folder, 'records.yaml') });
}

function messageOf(records: unknown): string {
  try {
    plan(records);
  } catch (error) {
    if (error instanceof PetstoreMockError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return 'no error';
}

test('records of the user are sent in place of what cannot be made up, without what the service assigns', () => {
  const { contract, notes } = plan({ records: { codes: [GOOD, { ...GOOD, sku: '7000-CF' }] } });
  expect(notes).toEqual([]);
  const made = bindSubjects(contract).bindings[0]?.made;
  expect(made?.full).toEqual({ sku: '1702-AB', title: 'One {$unique}' });
  expect(made?.other['sku']).toBe('7000-CF');
  expect(made?.changed).toEqual(['sku', 'title']);
});

test('what a service refuses of them makes a run inconclusive, and the reason names the line', () => {
  const { scenarios } = plan({ description: 'for the mock too', pets: [], records: { codes: [GOOD] } });
  const create = scenarios.find(({ id }) => id === 'codes/records/create');
  expect(create?.steps[0]?.invented?.needs).toMatch(/^a service that accepts the code of .*records\.yaml:\d+$/);
});

test.each([
  [
    { records: { codes: [{ ...GOOD, sku: 'no code' }] } },
    /^unusable-records: .*records\.yaml:4:\d+: .*rejects this code: .*sku/,
  ],
  [
    { records: { cods: [GOOD] } },
    /^unusable-records: .*records\.yaml:3:\d+: .*no collection of the contract is called cods.*codes/,
  ],
  [{ records: { codes: GOOD } }, /^unusable-records: .*records\.yaml:3:\d+: .*list of records/],
  [{ records: { codes: [7] } }, /^unusable-records: .*records\.yaml:\d:\d+: .*mapping/],
  [{ records: [] }, /^unusable-records: .*records\.yaml:2:\d+: .*mapping from collections/],
  [{ record: {}, records: {} }, /^unusable-records: .*records\.yaml:2:\d+: .*fixture pack/],
])('%j is refused, with file and line', (records, message) => expect(messageOf(records)).toMatch(message));

test('what a run fills in has to fit a pattern, not the word for it', () => {
  const code = CODES.replace(PATTERN, () => "'^[A-Z][0-9]{8}$'");
  const planWith = (sku: string): unknown => {
    const records = JSON.stringify({ records: { codes: [{ ...GOOD, sku }] } });
    const folder = makeFolder({ 'codes.yaml': code, 'records.yaml': records });
    return planRun({ spec: join(folder, 'codes.yaml'), records: join(folder, 'records.yaml') }).notes;
  };
  expect(planWith('A{$uniqueInteger}')).toEqual([]);
  expect(() => planWith('A{$unique}')).toThrow('sku');
});

test('it is filled in at any depth, and a number alone is a number', () => {
  const record = { a: { b: 'X{$unique}' }, c: ['{$unique}', 7n, null], n: '$uniqueInteger' };
  expect(fillRecord(record)).toEqual({ a: { b: 'Xcfabcde' }, c: ['cfabcde', 7n, null], n: 12_345_678 });
});

test.each([
  ['integer', ['fraction', 'letters']],
  ['[integer, string]', []],
])('a path of type %s is asked with %j behind a key', (type, asked) => {
  const codes = CODES.replace('schema: { type: integer }', `schema: { type: ${type} }`).replace(
    /(codeId, in: path[^\n]*\n    get: \{ responses: \{) /,
    "$1 '404': { description: none }, ",
  );
  const folder = makeFolder({ 'codes.yaml': codes, 'records.yaml': JSON.stringify({ records: { codes: [GOOD] } }) });
  const { ids } = planRun({ spec: join(folder, 'codes.yaml'), records: join(folder, 'records.yaml') });
  expect(ids.flatMap((id) => /^codes\/records\/odd-key\[(fraction|letters)\]$/.exec(id)?.[1] ?? [])).toEqual(asked);
});

test('those of the shipped contract are sent as those of any other', () => {
  const folder = makeFolder({ 'records.yaml': 'records: { pets: [{ name: "Rex {$unique}", categoryId: 7 }] }' });
  const { contract, notes } = planRun({ records: join(folder, 'records.yaml') });
  expect(notes).toEqual([]);
  expect(bindSubjects(contract).bindings[0]?.made.full).toEqual({ name: 'Rex {$unique}', categoryId: 7 });
});

test('the file in docs/own-contract.md is read, and its records are those of the run', () => {
  const records = blockUnder('docs/own-contract.md', 'Records of your own', 'yaml');
  const folder = makeFolder({ 'orders.yaml': ORDERS, 'records.yaml': records });
  const { contract, notes } = planRun({ spec: join(folder, 'orders.yaml'), records: join(folder, 'records.yaml') });
  expect(notes).toEqual([]);
  const made = bindSubjects(contract).bindings[0]?.made;
  expect(made?.full).toEqual({ customerId: 1, sku: 'AB-1207', currency: 'EUR', label: 'order {$unique}' });
  expect(made?.other).toMatchObject({ sku: 'CD-3381', currency: 'CHF', label: 'another {$unique}' });
});
