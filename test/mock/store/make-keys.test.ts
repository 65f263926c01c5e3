import { expect, test } from 'vitest';
import type { World } from '../../../src/mock/world/world.js';
import { ask } from '../../support/test-world.js';
import { content, inPath, openPaths } from '../../support/open-paths.js';

type Schema = Record<string, unknown>;

const [text, integer] = [{ type: 'string' }, { type: 'integer' }];
const object = (properties: Schema): Schema => ({ type: 'object', properties, required: Object.keys(properties) });

const crew = { get: { parameters: [inPath('id')], responses: { 200: content(object({ name: text })) } } };

/** Boats, whose keys are texts, and trips, which refer to them. */
function boatsAnd(more: object, boatId: Schema): object {
  const boat = object({ id: text, name: text });
  const trip = object({ id: integer, note: text, boatId });
  return {
    '/boats': {
      get: { responses: { 200: content({ type: 'array', items: boat }) } },
      post: { requestBody: content(object({ name: text })), responses: { 201: content(boat) } },
    },
    '/boats/{id}': { get: { parameters: [inPath('id', 'string')], responses: { 200: content(boat) } } },
    '/trips': {
      get: { responses: { 200: content({ type: 'array', items: trip }) } },
      post: { requestBody: content(object({ note: text, boatId })), responses: { 201: content(trip) } },
    },
    '/trips/{tripId}': { get: { parameters: [inPath('tripId')], responses: { 200: content(trip) } } },
    ...more,
  };
}

const create = (world: World, path: string, record: Schema): Schema =>
  ask(world, `POST ${path}`, { body: JSON.stringify(record) }).value as Schema;

const keyOfBoat = (paths: object): unknown => create(openPaths(paths), '/boats', { name: 'Argo' })['id'];

test.each([
  ['any text', {}, text, /^boat-\d+$/],
  ['a text by a pattern, in what refers to it', {}, { ...text, pattern: '^BO[0-9a-f]{8}$' }, /^BO[0-9a-f]{8}$/],
  ['a number, in what refers to it', {}, integer, /^\d+$/],
  ['a number, in a path below it', { '/boats/{id}/crew': crew }, text, /^\d+$/],
])('a key may be %s', (_, more, boatId, form) => expect(keyOfBoat(boatsAnd(more, boatId))).toMatch(form));

test('what a record says of its parent is the key of that, as a number where it has numbers', () => {
  const visit = object({ id: integer, boatId: integer, note: text });
  const world = openPaths({
    ...boatsAnd({}, integer),
    '/visits/{visitId}': { get: { parameters: [inPath('visitId')], responses: { 200: content(visit) } } },
    '/boats/{id}/visits': {
      parameters: [inPath('id', 'string')],
      get: { responses: { 200: content({ type: 'array', items: visit }) } },
      post: { requestBody: content(object({ note: text })), responses: { 201: content(visit) } },
    },
  });
  const { id } = create(world, '/boats', { name: 'Argo' });
  expect(create(world, `/boats/${String(id)}/visits`, { note: 'Hello' })).toMatchObject({ boatId: Number(id) });
  expect(ask(world, `GET /boats/${String(id)}/visits`).value).toMatchObject([{ note: 'Hello' }]);
});

test.each([
  ['characters that repeat', '^cus_[0-9a-z]+$', {}],
  ['room for a few of them', '^cus_[0-9a-z]+$', { maxLength: 8 }],
  ['digits that repeat', '^[0-9]+$', {}],
  ['one of two words, and digits', '^(?:buyer|seller)-[0-9]+$', {}],
  ['a group that may be missing', '^[a-z](?:[a-z0-9-]*[a-z0-9])?$', { maxLength: 63 }],
  ['a group that repeats', '^[a-z]+(?:-[a-z]+)*$', {}],
  ['any characters', '^c-.+$', {}],
  ['a length', '^[0-9a-z]{24}$', {}],
  ['a least length', '^[0-9a-z]+$', { minLength: 30, maxLength: 30 }],
  ['a look ahead', '^(?=.*[A-Z])(?=.*[0-9])[0-9A-Za-z]{6,}$', {}],
])('keys by a pattern go on, and none comes twice: %s', (_, pattern, bounds) => {
  const id = { ...text, pattern, ...bounds, readOnly: true };
  const customer = object({ id, name: text });
  const world = openPaths(
    {
      '/customers': {
        get: { responses: { 200: content({ type: 'array', items: customer }) } },
        post: { requestBody: content(object({ name: text })), responses: { 201: content(customer) } },
      },
      '/customers/{id}': { get: { parameters: [inPath('id', 'string')], responses: { 200: content(customer) } } },
    },
    { others: 50 },
  );
  const seeds = (ask(world, 'GET /customers').value as Schema[]).map((each) => each['id']);
  const made = Array.from({ length: 300 }, () => create(world, '/customers', { name: 'Max' })['id']);
  expect(seeds).toHaveLength(50);
  expect(new Set([...seeds, ...made]).size).toBe(350);
  const keys = [...seeds, ...made].map(String);
  expect(keys.filter((key) => !new RegExp(pattern, 'u').test(key))).toEqual([]);
  // What means nothing looks like it.
  expect(keys.filter((key) => /\s|(.)\1{5}/u.test(key))).toEqual([]);
});
