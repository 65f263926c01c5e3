import { beforeEach, describe, expect, test } from 'vitest';
import { startPetstoreMock, type AnswerOptions, type PetstoreMock, type PlantedAnswer } from '../../../src/index.js';
import { callAdmin } from '../../support/admin.js';
import { KEY, startMock } from '../../support/started-mock.js';

const GONE = { status: 404, body: { code: 'gone', message: 'adopted', status: 404 } } as const;
let mock: PetstoreMock;

beforeEach(async () => void (mock = await startMock()));

const get = (path = '/pets/1', url = mock.url): Promise<Response> => fetch(`${url}${path}`, { headers: KEY });

/** The admin API plants the same answer as the library. */
async function plant(answer: PlantedAnswer, options?: AnswerOptions): Promise<void> {
  const body = { ...options, operationId: 'getPet', effect: { answer } };
  const { status, value: told } = await callAdmin(mock.adminUrl, 'POST /faults', { body });
  if (status !== 201) throw new Error((told as { message: string }).message);
}

describe('planted by the admin API', () => {
  test('an answer of one’s own is sent once, word for word', async () => {
    await plant({ ...GONE, headers: { 'X-Why': 'a test' } }, { times: 1 });
    const response = await get();
    expect([response.status, response.headers.get('x-why'), await response.json()]).toEqual([404, 'a test', GONE.body]);
    expect([(await get()).status, (await get('/pets')).status]).toEqual([200, 200]);
  });

  test('without an end it is sent until it is removed, and numbers past a double stay exact', async () => {
    const body = { id: 9007199254740993n, name: 'Rex', categoryId: 9223372036854775807n };
    await plant({ body });
    const text = '{"id":9007199254740993,"name":"Rex","categoryId":9223372036854775807}';
    expect([await (await get()).text(), (await get('/pets/7')).status]).toEqual([text, 200]);
    await mock.reset();
    expect(await (await get()).text()).toContain('"id":1');
  });

  test.each<[string, PlantedAnswer, RegExp]>([
    ['a body', { body: { id: 1, categoryId: 1 } }, /body\/name is required \(spec\/petstore\.openapi\.yaml:\d+:\d+\)/],
    ['a status', { status: 302 }, /the status 302 is not documented for getPet.*\.yaml:\d+/],
    ['a type', { headers: { 'content-type': 'text/plain' }, body: 'Rex' }, /content-type must be application\/json/],
    ['no body', { status: 200 }, /the response 200 has no body/],
  ])('%s that breaks the contract is refused with the line, unless it says so', async (_what, answer, why) => {
    await expect(plant(answer)).rejects.toThrow(why);
    await expect(plant(answer)).rejects.toThrow('breaksContract: true');
    expect((await get()).status).toBe(200);
    await plant({ ...answer, breaksContract: true });
    expect((await fetch(`${mock.url}/pets/1`, { headers: KEY, redirect: 'manual' })).status).toBe(answer.status ?? 200);
    const [, last] = await mock.requests.list();
    expect(last).toMatchObject({ verdict: 'ok', reason: 'fault injection: fault-1', violations: [] });
    expect(last?.notes.join()).toMatch(/^breaks the contract on purpose: .*petstore\.openapi\.yaml/);
    await mock.assertNoViolations();
  });

  test.each<[PlantedAnswer, RegExp]>([
    [{ status: 700 }, /effect.*status/],
    [{ headers: { 'X-A': 'é☃' }, ...GONE }, /cannot be sent: the header field X-A holds U\+2603/],
    [{ status: 204, body: {}, breaksContract: true }, /a response with 204 has no body/],
    [{ ...GONE, body: 'a'.repeat(70_000), breaksContract: true }, /longer than 65536 characters/],
  ])('%j cannot be sent at all', async (answer, why) => await expect(plant(answer)).rejects.toThrow(why));

  test('after the operation has run, what it stored stays', async () => {
    await plant(GONE, { at: 'after', when: { path: '/pets/1' } });
    expect((await get()).status).toBe(404);
  });
});

test('the admin API tells each violation with its place', async () => {
  const body = { operationId: 'getPet', effect: { answer: { body: { id: 1, name: 7, categoryId: 1 } } } };
  const violations = [{ at: 'body/name', rule: 'type', contract: { line: expect.any(Number) } }];
  const told = { status: 400, value: { code: 'bad-fault', violations } };
  expect(await callAdmin(mock.adminUrl, 'POST /faults', { body })).toMatchObject(told);
});

test('the answer planted first is given until it is spent, and its handle removes it', async () => {
  const first = await mock.answer('getPet', GONE, { times: 1 });
  const second = await mock.answer('getPet', { body: { id: 5, name: 'Max', categoryId: 1 } });
  expect([(await get()).status, await (await get()).json()]).toEqual([404, { id: 5, name: 'Max', categoryId: 1 }]);
  const hits = (await mock.faults.list()).map((each) => `${each.id} ${each.hits}`);
  expect(hits).toEqual([`${first.id} 1`, `${second.id} 1`]);
  await second.remove();
  expect(await (await get()).json()).toMatchObject({ id: 1 });
});

test('a world of its own has answers of its own, and an answer is one of the faults of the start', async () => {
  const world = mock.world('w1');
  await world.answer('getPet', GONE);
  expect([(await get()).status, (await get('/pets/1', world.url)).status]).toEqual([200, 404]);
  const planted = (answer: PlantedAnswer) => ({ faults: [{ operationId: 'getPet', effect: { answer } }] });
  expect((await get('/pets/1', (await startMock(planted(GONE))).url)).status).toBe(404);
  await expect(startPetstoreMock(planted({ body: {} }))).rejects.toThrow('breaks the contract');
});

test('an answer names its operation, by its id or by method and path', async () => {
  await expect(mock.faults.add({ effect: { answer: GONE } })).rejects.toThrow('the fault must name the operation');
  await mock.faults.add({ when: { method: 'get', path: '/pets/1' }, effect: { answer: GONE } });
  expect([(await get()).status, (await get('/pets')).status]).toEqual([404, 200]);
});
