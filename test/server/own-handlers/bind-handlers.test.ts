import { describe, expect, test } from 'vitest';
import { createPetstoreFetch, type HandlerAnswer, type OwnHandler, type PetstoreFetch } from '../../../src/index.js';

const spec = 'examples/store-orders/petstore.openapi.yaml';
const headers = { authorization: 'Bearer petstore-dev-key', 'content-type': 'application/json' };

type Order = { id: number; petId: number; quantity: number; status: string };

const open = (handlers: Record<string, unknown>): PetstoreFetch =>
  createPetstoreFetch({ spec, prism: false, count: 3, handlers: handlers as Record<string, OwnHandler> });

type Answer = { status: number; type: string | null; body: Record<string, unknown> };

async function ask(mock: PetstoreFetch, target: string, body?: unknown): Promise<Answer> {
  const [method = '', path = ''] = target.split(' ');
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await mock.fetch(`/v1${path}`, { method, headers, ...sent });
  const text = await response.text();
  const type = response.headers.get('content-type');
  return { status: response.status, type, body: text === '' ? {} : (JSON.parse(text) as Answer['body']) };
}

describe('a handler of one’s own', () => {
  test('answers from the collections of the world that is asked', async () => {
    const getInventory: OwnHandler = ({ collection }) => ({ body: { available: collection('pets').count() } });
    const mock = open({ getInventory });
    await mock.world('other').pets.clear();
    const body = { available: 3 };
    expect(await ask(mock, 'GET /store/inventory')).toEqual({ status: 200, type: 'application/json', body });
    const other = await mock.world('other').fetch('/v1/store/inventory', { headers });
    expect(await other.json()).toEqual({ available: 0 });
  });

  test('changes records, and adds to what the mock answers', async () => {
    const mock = open({
      createOrder(call: Parameters<OwnHandler>[0]): HandlerAnswer {
        const { petId } = call.body as Order;
        const pets = call.collection<{ id: number; status: string }>('pets');
        if (pets.get(petId)?.status === 'sold') return call.refuse(409, 'the pet is sold');
        const answer = call.next();
        pets.update(petId, { status: 'sold' });
        return { ...answer, body: { ...(answer.body as Order), status: 'approved' } };
      },
    });
    const [pet] = await mock.pets.list();
    const petId = Number(pet?.id);
    await mock.pets.replace([{ ...pet, status: 'available' } as never]);
    const order = { petId, quantity: 9 };
    expect((await ask(mock, 'POST /store/orders', order)).body).toMatchObject({ ...order, status: 'approved' });
    expect((await mock.pets.get(petId))?.status).toBe('sold');
    const refused = await ask(mock, 'POST /store/orders', order);
    expect([refused.status, refused.body['message']]).toEqual([409, 'the pet is sold']);
  });

  test('gets a request that was accepted, and only that', async () => {
    const calls: Parameters<OwnHandler>[0][] = [];
    const mock = open({ getOrder: (call: Parameters<OwnHandler>[0]) => (calls.push(call), call.next()) });
    expect((await mock.fetch('/v1/store/orders/1')).status).toBe(401);
    expect((await ask(mock, 'GET /store/orders/0')).status).toBe(400);
    expect(calls).toEqual([]);
    await ask(mock, 'GET /store/orders/1');
    expect(calls[0]).toMatchObject({ operationId: 'getOrder', path: { orderId: 1 }, query: {}, body: undefined });
    expect(calls[0]?.headers['authorization']).toBe(headers.authorization);
  });
});

const fail = (): never => {
  throw new TypeError('no such shelf');
};

describe('what is wrong with a handler is told, and never sent', () => {
  test.each<[string, (call: Parameters<OwnHandler>[0]) => unknown, RegExp]>([
    ['throws', fail, /^the handler of getInventory threw: no such shelf \(bind-handlers\.test\.ts:\d+\)$/],
    ['returns nothing', () => undefined, /^the handler of getInventory returned nothing; return \{ status/],
    ['returns a text', () => 'three', /^the handler of getInventory returned no response; /],
    ['is async', async () => ({ body: {} }), /^the handler of getInventory returned a promise; handlers respond/],
    ['misspells a field', () => ({ bodi: {} }), /returned a response with the field bodi; /],
    ['has a status that is none', () => ({ status: 99 }), /returned the status 99; it must be a whole number/],
    ['has headers that are no texts', () => ({ headers: { 'X-A': 1 } }), /returned headers that are not all strings/],
    ['asks wrongly', ({ collection }) => collection('pats').list(), /there is no collection pats; did you mean pets/],
    ['adds wrongly', ({ collection }) => collection('pets').add({ name: 3 }), /threw: this pet breaks the contract/],
    ['is wrong', () => ({ body: { available: 'many' } }), /\(200\) breaks the contract: body\/available must be/],
  ])('one that %s', async (_, handler, reason) => {
    const mock = open({ getInventory: handler });
    const { status, body } = await ask(mock, 'GET /store/inventory');
    expect([status, body['message']]).toEqual([500, expect.stringMatching(reason)]);
    const [exchange] = await mock.violations();
    expect(exchange).toMatchObject({ atFault: 'mock', reason: expect.stringMatching(reason) });
  });

  test('one that keeps state breaks the contract, and is not answered for by the mock', async () => {
    const mock = open({ getOrder: (call: Parameters<OwnHandler>[0]) => ({ ...call.next(), body: { id: 'one' } }) });
    const { status, body } = await ask(mock, 'GET /store/orders/1');
    expect([status, body['message']]).toEqual([500, expect.stringContaining('(200) breaks the contract: body/')]);
  });

  test.each([
    [{ getInventry: () => ({}) }, 'the contract has no operation getInventry; did you mean getInventory?'],
    [{ getInventory: { body: {} } }, 'the handler of getInventory must be a function.'],
    [[() => ({})], 'the option handlers must be functions by operationId, not '],
  ])('before the mock starts: %j', (handlers, message) => expect(() => open(handlers as never)).toThrow(message));
});
