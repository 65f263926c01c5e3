import request, { type Test } from 'supertest';
import { beforeEach, describe, expect, test } from 'vitest';
import { createPetstoreApp, type PetstoreApp } from '../../src/index.js';
import { findPreference } from '../../src/mock/response/prefer.js';
import { shippedContract } from '../support/shipped.js';

const KEY = 'Bearer petstore-dev-key';

let app: PetstoreApp;

beforeEach(() => {
  app = createPetstoreApp();
});

const OPERATIONS: Record<string, () => Test> = {
  listPets: () => request(app).get('/v1/pets'),
  createPet: () => request(app).post('/v1/pets').send({ name: 'Rex', categoryId: 1 }),
  getPet: () => request(app).get('/v1/pets/1'),
};

const force = (operation: string, prefer: string): Test =>
  (OPERATIONS[operation] as () => Test)().set('Authorization', KEY).set('Prefer', prefer);

const DOCUMENTED = shippedContract.operations.flatMap(({ id, responses }) =>
  responses.flatMap(({ status }) => {
    const codes = status.endsWith('XX') ? ['00', '18', '29', '03', '99'].map((end) => `${status[0]}${end}`) : [status];
    return codes.map((code) => [id, Number(code)] as const);
  }),
);

/** What stands at `status` of the body of success: of a pet, its availability. */
const exampleStatus = (id: string): string | undefined => (id === 'listPets' ? undefined : 'available');

test.each(DOCUMENTED)('%s can be made to answer %i, with a body that keeps the contract', async (id, code) => {
  const response = await force(id, `code=${code}`);
  expect(response.status).toBe(code);
  const applied = { 'preference-applied': `code=${code}`, vary: 'Origin, Prefer, X-Petstore-World' };
  expect(response.headers).toMatchObject(applied);
  const operation = shippedContract.operations.find((each) => each.id === id);
  const body = { value: response.body as unknown, text: response.text };
  const answered = { status: code, headers: { 'Content-Type': 'application/json' }, body };
  expect(shippedContract.validate.response(operation as never, answered)).toEqual([]);
  expect((response.body as { status: unknown }).status).toBe(code < 400 ? exampleStatus(id) : code);
});

describe('a forced answer', () => {
  test('is the example of the contract', async () => {
    const body = { code: 'not_found', message: 'no animal has the id 999', status: 404 };
    expect((await force('getPet', 'code=404')).body).toEqual(body);
  });

  test('of a range has a code that fits its status', async () => {
    expect((await force('listPets', 'code=503')).body).toMatchObject({ code: 'service_unavailable', status: 503 });
    expect((await force('listPets', 'code=429')).body).toMatchObject({ code: 'too_many_requests', status: 429 });
  });

  test('does nothing: a forced 201 creates no pet', async () => {
    expect((await force('createPet', 'code=201')).status).toBe(201);
    expect(await app.pets.count()).toBe(50);
  });

  test('needs no key and no valid request', async () =>
    expect((await request(app).get('/v1/pets?limit=0').set('Prefer', 'code=200')).status).toBe(200));

  test('walks the tail of every answer: the removal is announced, the exchange recorded', async () => {
    expect((await force('getPet', 'code=500')).headers['sunset']).toBe('Thu, 05 Dec 2030 00:00:00 GMT');
    expect(await app.requests.list()).toMatchObject([
      { operationId: 'getPet', status: 500, reason: 'forced by Prefer: code=500', atFault: undefined },
    ]);
  });

  test('has the header fields that its status cannot go without', async () => {
    expect((await force('listPets', 'code=401')).headers['www-authenticate']).toBe('Bearer realm="petstore"');
    expect((await force('listPets', 'code=405')).headers['allow']).toBe('POST, OPTIONS');
  });
});

const has = 'it has 200, 401, 404, 4XX (any from 400 to 499), 5XX (any from 500 to 599)';

test.each([
  ['code=302', `getPet cannot be forced: it has no response 302; ${has}`],
  ['code=abc', `getPet cannot be forced: Prefer: code=abc is not an HTTP status; ${has}`],
  ['code=100', `getPet cannot be forced: Prefer: code=100 is not an HTTP status; ${has}`],
])('a code that the contract does not have is refused with those it has: %s', async (prefer, message) => {
  const response = await force('getPet', prefer);
  expect(response.body).toEqual({ code: 'invalid_request', message, status: 400 });
  expect(response.headers['preference-applied']).toBeUndefined();
});

describe('a Prefer field', () => {
  test.each([
    'respond-async, code=404',
    'code=404, code=500',
    'code="404"',
    'other="a, code=500", code=404',
    '"nonsense", code=404',
  ])('of %s forces a 404', async (prefer) => expect((await force('getPet', prefer)).status).toBe(404));

  test.each(['return=minimal', 'codec=404', 'x="code=404"', 'wait=10; code=404', '"', '=404'])(
    'of %s is passed over',
    async (prefer) => expect((await force('getPet', prefer)).status).toBe(200),
  );

  test('is passed over where there is no operation', async () =>
    expect((await request(app).get('/v1/nothing').set('Prefer', 'code=200')).status).toBe(404));

  test('of megabytes of nonsense is read', () => {
    // Work that grew with the square of the length would outlast the test.
    expect(findPreference(`${'a;"'.repeat(500_000)}${' ;=,'.repeat(500_000)}`, 'code')).toBeUndefined();
  });
});
