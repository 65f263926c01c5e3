import request from 'supertest';
import { expect, test } from 'vitest';
import { createPetstoreApp } from '../../src/index.js';
import { setUp } from '../../src/server/set-up.js';
import { changeSpec } from '../support/shipped.js';
import { makeFile } from '../support/folder.js';

const KEY = 'Bearer petstore-dev-key';

/** A file with the shipped contract, some of it changed. */
const writeSpec = (...changes: [from: string, to: string][]): string => makeFile('team.yaml', changeSpec(...changes));

const notesOf = (...changes: [from: string, to: string][]): readonly string[] =>
  setUp({ spec: writeSpec(...changes), fixtures: 'one' }).notes;

const ENUM = 'enum: [available, pending, sold]';
const REQUIRED = 'required: [name, categoryId]';
const STATUS_OF_NEW_PET = "        status:\n          $ref: '#/components/schemas/PetStatus'\n    Pet:";

test('pets of a shipped pack take statuses that the contract has', async () => {
  const app = createPetstoreApp({ spec: writeSpec([ENUM, 'enum: [open, closed]']) });
  const { body } = await request(app).get('/v1/pets?limit=100').set('Authorization', KEY).expect(200);
  const statuses = (body as { status?: string }[]).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set(['open', 'closed', undefined]));
  await request(app).get('/v1/pets?status=sold').set('Authorization', KEY).expect(400);
});

test('a field that the contract requires of a new pet is asked for, and pets have it', async () => {
  const breed = '        breed: { type: string, enum: [beagle, siamese] }\n';
  const app = createPetstoreApp({
    spec: writeSpec([REQUIRED, 'required: [name, categoryId, breed]'], [STATUS_OF_NEW_PET, breed + STATUS_OF_NEW_PET]),
  });
  const { body } = await request(app).get('/v1/pets').set('Authorization', KEY).expect(200);
  expect((body as { breed: string }[]).every((pet) => ['beagle', 'siamese'].includes(pet.breed))).toBe(true);
  const create = (pet: object): request.Test => request(app).post('/v1/pets').set('Authorization', KEY).send(pet);
  expect((await create({ name: 'Rex', categoryId: 1 })).body).toMatchObject({ message: 'body/breed is required' });
  expect((await create({ name: 'Rex', categoryId: 1, breed: 'beagle' })).body).toMatchObject({ breed: 'beagle' });
});

test.each<[string, [string, string][], RegExp]>([
  [
    'a parameter without effect',
    [['- name: limit', '- name: colour']],
    /^listPets: the query parameter colour is checked but has no effect/,
  ],
  [
    'a list that is an object',
    [['      type: array\n      description: A list', '      type: object\n      description: A list']],
    /^listPets is stateless: body must be an object.*team\.yaml:\d+/,
  ],
  [
    'credentials of another kind',
    [['      scheme: bearer', '      scheme: digest']],
    /the security scheme apiKey \(http digest\) cannot be checked/,
  ],
  [
    'errors of another shape',
    [['      required: [code, message, status]', '      required: [code, message, status, trace]\n      not: {}']],
    /^listPets: the mock cannot fill the body of its 401, 4XX, 5XX, whose schema is not an error body that it knows: body .* \(.*team\.yaml:\d+/,
  ],
  [
    'a pet for which there is no value',
    [
      [REQUIRED, 'required: [name, categoryId, tag]'],
      [STATUS_OF_NEW_PET, `        tag: { type: string, not: {} }\n${STATUS_OF_NEW_PET}`],
    ],
    /^pets start empty, since no valid pet could be generated: tag.*team\.yaml:\d+/,
  ],
])('%s is said at the start', (_, changes, note) => {
  expect(notesOf(...changes)).toContainEqual(expect.stringMatching(note));
});

test('credentials for a scheme that the contract does not have are refused, with those that it has', () => {
  expect(() => createPetstoreApp({ credentials: { apiKye: 'secret-key' } })).toThrow(
    'credentials are given for apiKye, but the contract has no such security scheme; it has apiKey; did you mean apiKey?',
  );
});
