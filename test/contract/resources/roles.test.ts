import { expect, test } from 'vitest';
import { inferred, listOf, NUMBER, object, PET, TEXT, type Described } from './support/build.js';

const NEW_PET = object({ name: TEXT, status: TEXT });
/** The pets, with other operations beside them. */
const withPets = (operations: Record<string, Described>): string[] =>
  inferred({ 'GET /pets': { answers: listOf(PET) }, 'GET /pets/{petId}': { answers: PET }, ...operations });

const BY_STATUS = { query: { status: TEXT }, answers: listOf(PET) };
const THINGS = object({ user: TEXT, password: TEXT });
const BOTH = object({ pet: NEW_PET, owner: object({ id: NUMBER }) }, ['pet', 'owner']);
const PATCHES = listOf(object({ op: TEXT, path: TEXT }));
const FIXED = object({ id: { ...NUMBER, readOnly: true }, name: TEXT });
const MANY = { takes: listOf(NEW_PET), answers: listOf(PET), status: 201 };
const EITHER = { takes: { oneOf: [listOf(NEW_PET), NEW_PET] }, answers: listOf(PET), status: 201 };
const IN_MEMBER = { takes: object({ pet: NEW_PET }), answers: object({ pet: PET }) };

test.each<[place: string, described: Described, line: string]>([
  ['POST /pets', { takes: NEW_PET, answers: PET, status: 201 }, 'create POST /pets: 201 record'],
  ['POST /pets', { takes: NEW_PET, status: 202 }, 'create POST /pets: 202 none'],
  ['POST /pets', { takes: NEW_PET, answers: object({ id: NUMBER }) }, 'create POST /pets: 200 other'],
  ['POST /pets', IN_MEMBER, 'create POST /pets: 200 record; in member pet; takes it in pet'],
  ['POST /pets', MANY, 'create POST /pets: 201 list; takes several'],
  ['POST /pets', { answers: PET, status: 201 }, 'create POST /pets: 201 record'],
  ['POST /pets', { takes: object({ pet: NEW_PET, notify: TEXT }) }, 'create POST /pets: 204 none; takes it in pet'],
  // What must be sent beside a member is no part of an envelope.
  ['POST /pets', { takes: BOTH, answers: PET, status: 201 }, 'create POST /pets: 201 record'],
  ['POST /pets', EITHER, 'create POST /pets: 201 other'],
  ['PUT /pets/{petId}', { takes: NEW_PET, status: 201 }, 'replace PUT /pets/{petId}: 201 none; creates'],
  ['PUT /pets/{petId}', { takes: NEW_PET, answers: PET }, 'replace PUT /pets/{petId}: 200 record'],
  ['PATCH /pets/{petId}', { takes: NEW_PET, answers: PET }, 'update PATCH /pets/{petId}: 200 record'],
  ['PATCH /pets/{petId}', { takes: PATCHES, answers: PET }, 'update PATCH /pets/{petId}: 200 record; a JSON Patch'],
  ['POST /pets/{petId}', { takes: object({ Name: TEXT }), answers: PET }, 'update POST /pets/{petId}: 200 record'],
  ['POST /pets/{petId}', { query: { name: TEXT } }, 'update POST /pets/{petId}: 204 none; query name gives name'],
  ['DELETE /pets/{petId}', {}, 'remove DELETE /pets/{petId}: 204 none'],
  ['DELETE /pets/{petId}', { answers: PET }, 'remove DELETE /pets/{petId}: 200 record'],
  ['PUT /pets', { takes: PET, answers: PET }, 'replace PUT /pets: 200 record; key in the body'],
  ['POST /pets/batch', { takes: listOf(NEW_PET) }, 'create POST /pets/batch: 204 none; takes several'],
  ['POST /pets/create', { takes: NEW_PET, answers: PET }, 'create POST /pets/create: 200 record'],
  ['GET /pets/findByStatus', BY_STATUS, 'list GET /pets/findByStatus: 200 list; status equals status'],
])('%s with %j', (place, described, line) => expect(withPets({ [place]: described })).toContain(`  ${line}`));

const UNLIKE = 'its request body is not like a record of pets';
const NO_KEY = 'it is unclear which record it changes: its body has no key';
const WHICH = 'it is unclear which records of /pets it lists';

test.each<[place: string, described: Described, why: string]>([
  ['POST /pets', { takes: object({ query: TEXT }), answers: listOf(PET) }, 'it returns a list, as a search does'],
  ['POST /pets', { takes: THINGS, answers: object({ token: TEXT }) }, UNLIKE],
  ['PUT /pets/{petId}', { takes: object({ colour: TEXT, weight: NUMBER }) }, UNLIKE],
  ['PUT /pets/{petId}', { query: { name: TEXT } }, UNLIKE],
  ['PUT /pets', { takes: NEW_PET }, NO_KEY],
  ['PATCH /pets', { takes: FIXED }, NO_KEY],
  ['DELETE /pets', {}, 'it is unclear whether it removes all records or only some'],
  ['GET /pets/mine', { answers: listOf(PET) }, WHICH],
  ['GET /pets/findByColour', { query: { colour: TEXT }, answers: listOf(PET) }, WHICH],
])('%s with %j is not sure, which is noted', (place, described, why) => {
  const lines = withPets({ [place]: described });
  expect(lines).toContain(`  ! ${place} is stateless: ${why}.`);
  expect(lines.filter((line) => line.includes(place))).toHaveLength(1);
});

test('a POST on a record beside a PUT that takes something else is none of its updates, such as a restore', () => {
  const put = { 'PUT /pets/{petId}': { takes: NEW_PET, answers: PET } };
  const restore = { takes: object({ name: TEXT }), answers: PET, status: 201 };
  const lines = withPets({ ...put, 'POST /pets/{petId}': restore });
  expect(lines.filter((line) => line.includes('POST'))).toEqual([
    '  ! POST /pets/{petId} is stateless: it does not do the same as PUT /pets/{petId}, and its effect is unclear.',
  ]);
});

test('what is another record, or none, is left alone', () => {
  const others = {
    'GET /pets/statistics': { answers: object({ sold: NUMBER }) },
    'POST /pets/{petId}/photo': { takes: { type: 'string', format: 'binary' } },
    'GET /pets/{petId}/photo': { answers: { type: 'string' } },
  };
  expect(withPets(others)).toEqual(withPets({}));
});
