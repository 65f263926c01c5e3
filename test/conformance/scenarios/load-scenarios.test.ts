import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keywords } from '../../../src/conformance/checks/index.js';
import { loadScenarios } from '../../../src/conformance/scenarios/load-scenarios.js';
import type { Scenario } from '../../../src/conformance/model/scenario.js';
import { PetstoreMockError } from '../../../src/errors.js';
import { packageFile } from '../../../src/package-files.js';
import { makeFile, makeFolder } from '../../support/folder.js';
import { shippedContract } from '../../support/shipped.js';

const BASIS = "basis: '#/paths/~1pets/get'";

const SOUND = `scenarios:
  - id: first
    title: a list of {$case.id}
    basis: '#/paths/~1pets/get'
    cases: [{ id: sold, limit: 3 }, { id: pending, limit: 4 }]
    steps:
      - id: list
        operationId: listPets
        parameters: { limit: $case.limit }
        expect: { status: 200, headers: { Vary: { type: string } }, body: { minItems: 1 } }
        outputs: { petId: $response.body#/0/id }
        retryFrom: list
  - id: second
    title: a pet
    basis: '#/paths/~1pets~1{petId}/get'
    dependsOn: [mine/first]
    after: ['mine/f*']
    steps:
      - { id: create, operationId: createPet, requestBody: { json: { name: '{$unique}', categoryId: 1 } }, expect: { status: 201 } }
      - { id: fetch, operationId: getPet, parameters: { petId: $steps.create.response.body#/id }, expect: { status: 200 } }
`;

const load = (text: string): Scenario[] => loadScenarios([makeFile('mine.yaml', text)], shippedContract);

test('what a file shares holds where a scenario and a step say nothing else', () => {
  const [first, second] = load(`defaults:
  after: [mine/b]
  parameters: { listPets: { limit: 7 } }
scenarios:
  - id: a
    title: t
    ${BASIS}
    steps:
      - { id: shared, operationId: listPets, parameters: { status: sold }, expect: { status: 200 } }
      - { id: own, operationId: listPets, parameters: { limit: 3 }, expect: { status: 200 } }
      - { id: left-out, operationId: listPets, parameters: { limit: ~ }, expect: { status: 200 } }
      - { id: query, operationId: listPets, query: limit=9, expect: { status: 200 } }
  - { id: b, title: t, ${BASIS}, after: [], steps: [{ id: a, operationId: getPet, parameters: { petId: 1 }, expect: { status: 200 } }] }
`);
  expect([first?.after, second?.after]).toEqual([['mine/b'], []]);
  const sent = first?.steps.map(({ parameters }) => parameters);
  expect(sent).toEqual([{ limit: 7, status: 'sold' }, { limit: 3 }, {}, {}]);
  expect(second?.steps[0]?.parameters).toEqual({ petId: 1 });
});

test('what is left open is asked last', () => {
  const isOpen = loadScenarios([packageFile('scenarios')], shippedContract).map(({ gap }) => gap !== undefined);
  expect(isOpen).toEqual(isOpen.toSorted((a, b) => Number(a) - Number(b)));
});

/** The mistake that a change of the sound file makes: code, then line, column and message. */
function findMistake(from: string, to: string): string {
  if (!SOUND.includes(from)) throw new Error(`the file has no ${from}`);
  try {
    load(SOUND.replace(from, to));
  } catch (error) {
    if (!(error instanceof PetstoreMockError)) throw error;
    return `${error.code} ${error.message.replace(/^.*mine\.yaml:/, '')}`;
  }
  return 'no mistake';
}

test('a table becomes one scenario for each row, and a scenario without one is one; what a step leaves out has its default', () => {
  const loaded = load(SOUND.replace('categoryId: 1', 'categoryId: 9223372036854775807'));
  expect(loaded.map(({ id, title, basis }) => [id, title, basis])).toEqual([
    ['mine/first[sold]', 'a list of sold', '#/paths/~1pets/get'],
    ['mine/first[pending]', 'a list of pending', '#/paths/~1pets/get'],
    ['mine/second', 'a pet', '#/paths/~1pets~1{petId}/get'],
  ]);
  const step = loaded[2]?.steps[0];
  expect(step).toMatchObject({ auth: 'valid', parameters: {}, headers: {}, outputs: {} });
  // Digits of any length are kept.
  expect(step?.requestBody?.json).toMatchObject({ categoryId: 9223372036854775807n });
});

test('a folder is read file by file, in the order of their names', () => {
  const [a, b] = ['a', 'b'].map((name) => SOUND.replaceAll('mine/', `${name}/`)) as [string, string];
  const folder = makeFolder({ 'b.yaml': b, 'a.yaml': a, 'notes.txt': 'no scenarios' });
  const ids = loadScenarios([folder], shippedContract).map(({ id }) => id);
  expect(ids.map((id) => id.split('/')[0])).toEqual(['a', 'a', 'a', 'b', 'b', 'b']);
});

test('a file in a folder whose name begins like that of the shipped ones is one of its own, named as it was given', () => {
  const folder = `${packageFile('scenarios')}-mine-${process.pid}`;
  mkdirSync(folder);
  try {
    writeFileSync(join(folder, 'mine.yaml'), SOUND.replace('operationId: getPet', 'operationId: getPets'));
    expect(() => loadScenarios([folder], shippedContract)).toThrow(`${join(folder, 'mine.yaml')}:`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a folder without scenario files, a file that is not there and an empty one are mistakes', () => {
  expect(() => loadScenarios([makeFolder()], shippedContract)).toThrow(/has no scenario files \(\*\.yaml\)/);
  expect(() => loadScenarios(['/no/such.yaml'], shippedContract)).toThrow(/\/no\/such\.yaml/);
  expect(() => load('')).toThrow(PetstoreMockError);
});

const ID = '$steps.create.response.body#/id';
const OK = 'expect: { status: 200 } }';
const AFTER = "after: ['mine/f*']";
const OUTCOME =
  '{ id: head, operationId: listPets, outcomes: [{ choice: answered, given: [{ of: $response.status, is: { type: intger } }] }] }';

test.each([
  ['title: a pet', 'titel: a pet', /there is no `titel` here; did you mean title\?/],
  ['operationId: getPet', 'operationID: getPet', /there is no `operationID` here; did you mean operationId\?/],
  [
    'operationId: getPet',
    'operationId: getPets',
    /: mine\/second: step fetch: the contract has no operation getPets; /,
  ],
  ['[mine/first]', '[mine/frist]', /there is no scenario mine\/frist; did you mean mine\/first\?/],
  ['$steps.create', '$steps.creat', /step fetch: there is no earlier step creat; did you mean create\?/],
  ['$steps.create', '$step.create', /\/id is not a known reference; to write a plain \$, write \$\$/],
  [ID, '$scenarios.mine/first.outputs.petId', /mine\/first is a table, so it has no single output petId/],
  [ID, '$scenarios.mine/other.outputs.petId', /needs mine\/other under `dependsOn`/],
  ['$case.limit', '$case.limt', /the case has no `limt`; did you mean limit\?/],
  ['limit: 3', 'limit: $case.id', /the case has \$case\.id, a reference that a case cannot have/],
  ['retryFrom: list', 'retryFrom: lst', /`retryFrom` names lst, which is neither this step nor an earlier one/],
  [OK, 'expect: { status: 200 }, retryFrom: create }', /`retryFrom` would repeat create, which creates a record\./],
  ['body: { minItems: 1 }', 'body: { type: arry }', /step list: `expect.body`: it is not a JSON Schema/],
  ['Vary: { type: string }', 'Vary: { type: strng }', /step list: `expect.headers.Vary`: it is not a JSON Schema/],
  [OK, 'expect: { stauts: 200 } }', /there is no `stauts` here; did you mean status\?/],
  [
    `${AFTER}\n    steps:`,
    `gap: head\n    steps:\n      - ${OUTCOME}`,
    /`outcomes`\.given\.0\.is: it is not a JSON Schema/,
  ],
  [OK, 'outcomes: [{ status: 200 }] }', /is missing|must/],
  [BASIS, 'basis: because', /`basis` must be a pointer into the contract/],
  [BASIS, 'basis: RFC 9110 article 7', /the basis RFC 9110 article 7 does not exist; it must be a pointer/],
  [`    ${BASIS}\n`, '', /`basis` is missing. It says where the rule stands/],
  [BASIS, "basis: '#/paths/~1pet/get'", /the contract at #\/paths has no \/pet; did you mean \/pets\?/],
  [BASIS, 'basis: RFC 9110 section 15.5.5', /no mistake/],
  [BASIS, 'basis: https://example.com/rules#7', /no mistake/],
  ['{ limit: $case.limit }', '{ limt: $case.limit }', /no parameter `limt`; did you mean limit\? .* use `query`/],
  ['{ limit: $case.limit }', '{ limit: [$case.limit] }', /`limit` must be one value, but is \["\$case\.limit"\]/],
  ['parameters: { petId: $steps.create.response.body#/id }, ', '', /the path of getPet needs the parameter `petId`/],
  ['limit: 3 }', 'limit: 3, colour: red }', /the case has `colour`, which nothing refers to/],
  ['a list of {$case.id}', 'a list of {$case.name}', /the case has no `name`/],
  ['dependsOn: [mine/first]', 'dependsOn: [mine/second]', /it depends on itself/],
  [AFTER, 'gap: heads', /there is no gap heads; did you mean head\?/],
  [AFTER, 'gap: head', /no step has `outcomes` or a `search` that would show anything about head/],
  [ID, '$steps.create.outputs.petId', /step create has no output petId\./],
  [ID, '$response.body#/id', /is only known after the response, but `parameters` is sent/],
  [ID, '$each#/id', /is an item of the list in `each`, and the step has none/],
  [ID, '$contract#/paths/~1pet', /the contract has nothing at #\/paths\/~1pet/],
  ["json: { name: '{$unique}', categoryId: 1 }", 'mediaType: text/plain', /one of `json`, `text` and `base64`/],
  ['expect: { status: 201 }', 'assume: { otherwise: x }', /`assume` checks nothing/],
  ['body: { minItems: 1 }', 'body: { properties: { id: { const: 1 } } }', /`properties` is about objects/],
  ['{ id: pending, limit: 4 }', '{ id: sold, limit: 4 }', /there are two scenarios with the id mine\/first\[sold\]/],
  ['{ id: fetch,', '{ id: create,', /there are two steps with the id create/],
  [AFTER, "after: ['mine/s*']", /no mistake/],
  ['cases: [', 'after: [mine/second]\n    cases: [', /waits for itself through `dependsOn` or `after`/],
  ['scenarios:', 'scenarios: [}', /\d+:\d+: /],
  ['scenarios:', 'scenario:', /scenario/],
])('a mistake is told with line, column and what to do: %s → %s', (from, to, mistake) => {
  const message = findMistake(from, to);
  expect(message).toMatch(mistake);
  expect(message).toMatch(/^unusable-scenario \d+:\d+: |^no mistake$/);
});

test('the schema of scenario files and the checks have the same keywords', () => {
  const schema = JSON.parse(readFileSync(packageFile('scenarios/scenario.schema.json'), 'utf8')) as {
    $defs: { expectation: { properties: object } };
  };
  expect(Object.keys(schema.$defs.expectation.properties).sort()).toEqual(Object.keys(keywords).sort());
});
