import { expect, test } from 'vitest';
import { loadContract } from '../../../src/contract/contract.js';
import { inferResources } from '../../../src/contract/resources/infer-resources.js';
import { packageFile } from '../../../src/package-files.js';
import { summarize } from './support/summarize.js';
import { shippedContract } from '../../support/shipped.js';
import { loadCorrections } from '../../../src/contract/resources/candidates.js';
import { refusalOf } from '../support/refusal.js';
import { blockUnder } from '../../support/readme.js';
import { build, inferred, listOf, NUMBER, object, pair, PET, TEXT } from './support/build.js';
import { makeFile } from '../../support/folder.js';

// Documents as they are often written, rebuilt small, and all that is inferred of each.
test.each(['shelter', 'kennel', 'gallery', 'ferry', 'chores'])('what is inferred of the document %s', (name) => {
  const contract = loadContract(packageFile(`test/contract/resources/support/documents/${name}.yaml`));
  expect(contract.listNotes()).toEqual([]);
  expect(summarize(inferResources(contract))).toMatchSnapshot();
});

test('the pets of the contract that ships are a resource like any other', () => {
  const shipped = inferResources(shippedContract);
  expect(summarize(shipped)).toEqual([
    'pets (a pet) at /pets and /pets/{petId}, Pet; key id from {petId}, integer, given by service',
    '  list listPets: 200 list; status equals status; pages {"kind":"offset","limit":"limit"}',
    '  create createPet: 201 record',
    '  get getPet: 200 record',
  ]);
  expect(shipped.resources[0]?.schemaPointer).toBe('/components/schemas/Pet');
  expect(shipped.resources[0]?.operations[1]?.requestPointer).toContain('/post/requestBody/');
});

test('orders of a document of several files are a resource beside the pets', () => {
  const contract = loadContract(packageFile('examples/store-orders/petstore.openapi.yaml'));
  const lines = summarize(inferResources(contract));
  expect(lines.slice(lines.findIndex((line) => line.startsWith('orders')))).toEqual([
    'orders (a order) at /store/orders and /store/orders/{orderId}, Order; key id from {orderId}, integer, given by service; assigned: status',
    '  create createOrder: 201 record',
    '  get getOrder: 200 record',
    '  remove cancelOrder: 204 none',
  ]);
});

const WEATHER = object({ town: TEXT, degrees: NUMBER });
const OPERATIONS = {
  'GET /pets': { id: 'listPets', answers: listOf(PET) },
  'POST /pets': { id: 'createPet', takes: PET, answers: PET, status: 201 },
  'GET /pets/{petId}': { id: 'getPet', answers: PET },
  'PUT /reset/{petId}': { id: 'putBack', takes: PET, answers: PET },
  'GET /weather/{place}': { id: 'getWeather', answers: WEATHER },
  'PUT /weather/{place}': { id: 'putWeather', takes: WEATHER, answers: WEATHER },
  'GET /cats': { id: 'listCats', answers: object({ found: object({ cats: listOf(PET) }) }) },
  'GET /cat/by-number/{n}': { id: 'getCat', answers: object({ one: object({ cat: PET, vet: PET }) }) },
};

const write = (text: string): string => makeFile('resources.yaml', text);

function correct(text: string): string[] {
  const contract = build(OPERATIONS);
  return summarize(inferResources({ ...contract, corrections: loadCorrections(write(text)) }));
}

/** The message, with the place that it gives. */
function refusal(text: string): string {
  const { code, message } = refusalOf(() => correct(text));
  expect(code).toBe('unusable-resources');
  return message.replace(/^.*\/resources\.yaml/, '');
}

test('without a correction the pets are a resource, and what is not sure is none', () => {
  expect(inferred(OPERATIONS)).toEqual([
    'pets (a pet) at /pets and /pets/{petId}, schema; key id from {petId}, integer, given by either',
    '  list listPets: 200 list',
    '  create createPet: 201 record',
    '  get getPet: 200 record',
    '! /weather is stateless: it is not clear which property in the response of getWeather is the key of weather.',
  ]);
});

test('a file says what is no resource', () =>
  expect(correct('resources: { /pets: false }').join()).not.toContain('pets ('));

test('a file gives a resource its name and its key, and an operation its role, wherever its path is', () => {
  const operations = '{ createPet: false, putBack: replace }';
  const lines = correct(`resources: { /pets: { name: animals, key: name, operations: ${operations} } }`);
  expect(lines.slice(0, 4)).toEqual([
    'animals (a pet) at /pets and /pets/{petId}, schema; key name from {petId}, text, given by service',
    '  list listPets: 200 list',
    '  get getPet: 200 record',
    '  replace putBack: 200 record',
  ]);
});

test('a file makes a resource of what is not sure', () => {
  const weather =
    'weather (a weather) at /weather and /weather/{place}, schema; key town from {place}, text, given by service';
  expect(correct('resources: { /weather: { key: town } }')).toContain(weather);
});

test('a file says which operation creates, though its body is not like a record', () => {
  const adopt = { id: 'adopt', takes: WEATHER, answers: object({ one: object({ cat: PET }) }) };
  const contract = build({ ...OPERATIONS, 'POST /cats': adopt });
  const text = `resources: { /cats: { item: "/cat/by-number/{n}", key: id, members: { record: one.cat, list: [found, cats] }, operations: { adopt: create } } }`;
  expect(summarize(inferResources({ ...contract, corrections: loadCorrections(write(text)) }))).toContain(
    '  create adopt: 200 record; in member one.cat',
  );
});

test('a file says where items and records are', () => {
  const members = '{ record: one.cat, list: [found, cats] }';
  const lines = correct(`resources: { /cats: { item: "/cat/by-number/{n}", key: id, members: ${members} } }`);
  expect(lines.filter((line) => /cat/i.test(line)).slice(0, 3)).toEqual([
    'cats (a cat) at /cats and /cat/by-number/{n}, cat; key id from {n}, integer, given by service',
    '  list listCats: 200 list; in member found.cats',
    '  get getCat: 200 record; in member one.cat',
  ]);
});

const NO_MAPPING = 'must be false, or a mapping of what the collection is, but is';
const NO_RECORD =
  'have no record with a key; name the property with `key`, and the place of the record with `members`.';
const OF_PETS = (operations: string): string => `resources: { /pets: { operations: { ${operations} } } }`;

test.each([
  ['resources: 7', ':1:1: `resources` must be an object, but is 7.'],
  ['resources: { /pets: true }', `:1:14: \`/pets\` ${NO_MAPPING} true.`],
  ['resources:\n  /pets:\n    kee: id', ':3:5: there is no `kee` here; did you mean key?'],
  ['API_TOKEN=hunter2', ':1:1: the file must be an object, but is a text.'],
  ['resources: { API_TOKEN: hunter2 }', `:1:14: \`API_TOKEN\` ${NO_MAPPING} a text.`],
  ['resources: { /pets: { key: "" } }', ':1:23: `key` must be a text that is not empty, but is "".'],
  ['resources: { /pest: { key: id } }', ':1:14: the contract has no collection at /pest; did you mean /pets?'],
  ['resources: { /pets: { key: size } }', ':1:23: the response of /pets/{petId} has no property size that could be'],
  ['resources: { /weather: {} }', `:1:14: the responses of /weather and /weather/{place} ${NO_RECORD}`],
  ['resources: { /pets: { parent: shops } }', ':1:23: the collection cannot belong to shops: its path names none.'],
  [OF_PETS('lisPets: list'), ':1:37: the contract has no operation lisPets; did you mean listPets?'],
  [OF_PETS('listPets: find'), ':1:37: `listPets` must be one of'],
  [OF_PETS('getWeather: list'), ':1:37: getWeather cannot list pets: its request or response is not such a record.'],
  ['resources: { /cats: { item: "/cat/{n}" } }', ':1:23: the contract has no path /cat/{n}'],
  ['resources: { /cats: { item: /pets } }', ':1:23: /pets has no parameter to name an item.'],
  ['gaps: {}', ':1:1: this is a profile, not a file of resources.'],
  ['', ':1:1: the file is empty.'],
])('%j is refused, with its place', (text, message) => expect(refusal(text)).toContain(message));

test('the contract itself says the same in a path item, and a file precedes it', () => {
  const towns = { 'x-petstore-resource': { key: 'town', name: 'towns' } };
  const contract = build(OPERATIONS, { '/weather/{place}': towns, '/pets': { 'x-petstore-resource': false } });
  expect(summarize(inferResources(contract))[0]).toContain('towns (a weather) at /weather');
  const corrections = loadCorrections(write('resources: { /pets: {} }'));
  expect(summarize(inferResources({ ...contract, corrections })).join()).toContain('pets (a pet) at /pets');
});

test('what a path item says wrongly is refused, with its place in the contract', () => {
  const contract = build(OPERATIONS, { '/pets': { 'x-petstore-resource': { key: 7 } } });
  expect(() => inferResources(contract)).toThrow(/^built\.json:\d+:\d+: `key` must be .*, but is 7\.$/);
});

test('the file that the docs show says what it means', () => {
  const order = object({ number: NUMBER, total: NUMBER });
  const orders = object({ data: object({ items: listOf(order) }) });
  const contract = build({
    ...pair('/search', '/search/{id}', PET),
    'GET /orders': { id: 'listOrders', answers: orders },
    'POST /orders': { id: 'importOrders', takes: order, answers: order },
    'GET /order/by-number/{number}': { id: 'getOrder', answers: object({ data: order }) },
    'GET /find/orders': { id: 'findOrders', answers: orders },
  });
  const corrections = loadCorrections(write(blockUnder('docs/own-contract.md', 'Correct what was inferred', 'yaml')));
  expect(summarize(inferResources({ ...contract, corrections }))).toEqual([
    'orders (a order) at /orders and /order/by-number/{number}, data; key number from {number}, integer, given by service',
    '  list listOrders: 200 list; in member data.items',
    '  get getOrder: 200 record; in member data',
    '  list findOrders: 200 list; in member data.items',
  ]);
});
