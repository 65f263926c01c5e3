import { expect, test } from 'vitest';
import { describeReference, describeSchema } from '../../../src/server/console/describe-mock.js';
import { parseContract } from '../../support/parse-contract.js';
import { shippedContract } from '../../support/shipped.js';
import { JSON_TYPE, startMock } from '../../support/started-mock.js';

const operationOf = (id: string): Parameters<typeof describeReference>[0] => {
  const found = shippedContract.operations.find((each) => each.id === id);
  if (found === undefined) throw new Error(`there is no ${id}`);
  return found;
};

test('an operation has its parameters, security, responses and header fields, each with its line', () => {
  const operation = operationOf('listPets');
  const { parameters, security, responses, path, excerpt, body } = describeReference(operation, shippedContract);
  expect([path, body]).toEqual(['/v1/pets', undefined]);
  const shown = parameters.map(({ name, in: place, required }) => `${place} ${name} ${required}`);
  expect(shown).toEqual(['query limit false', 'query status false']);
  expect(parameters[0]?.schema).toMatchObject({ types: ['integer'], limits: ['1 to 100'], default: '20' });
  expect(parameters[1]?.schema?.choices).toEqual(['available', 'pending', 'sold']);
  expect(security).toEqual([[{ name: 'apiKey', sent: 'Authorization: Bearer …', scopes: [] }]]);
  expect(responses.map(({ status }) => status)).toContain('200');
  expect(excerpt?.lines.join('\n')).toContain('operationId: listPets');
  for (const { line } of [...parameters, ...responses]) expect(line).toBeGreaterThan(1);
});

test('a body has its schema as a tree, and the examples of the contract', () => {
  const { body } = describeReference(operationOf('createPet'), shippedContract);
  const [content] = body?.contents ?? [];
  expect(content?.schema).toMatchObject({ name: 'NewPet', types: ['object'] });
  const fields = content?.schema?.below.map(({ name, required }) => `${name} ${required}`);
  expect(fields).toEqual(['name true', 'categoryId true', 'status false']);
  expect(content?.examples[0]?.text).toContain('"name":');
});

test('a schema without an end is cut, and what is below is there for the asking', async () => {
  const also = { oneOf: [{ type: 'string' }, { type: 'null' }] };
  const Node = { type: 'object', properties: { next: { $ref: '#/components/schemas/Node' }, also } };
  const contract = parseContract({ paths: {}, components: { schemas: { Node } } });
  let node = describeSchema(['/components/schemas/Node'], contract);
  for (let depth = 0; depth < 3; depth += 1) {
    expect(node).toMatchObject({ isCut: false });
    const kinds = node.below[1]?.schema.below.map(({ kind }) => kind) ?? [];
    expect(kinds).toEqual(depth < 2 ? ['alternative', 'alternative'] : []);
    const [next] = node.below;
    if (next === undefined) throw new Error('there is nothing below');
    node = next.schema;
  }
  expect(node).toMatchObject({ isCut: true, below: [] });
  expect(describeSchema(node.at, contract).below.map(({ name }) => name)).toEqual(['next', 'also']);
});

test('the page asks for an operation and for a schema by name', async () => {
  const mock = await startMock();
  const ask = async (path: string): Promise<[number, Record<string, unknown>]> => {
    const response = await fetch(`${mock.adminUrl}/console${path}`);
    return [response.status, (await response.json()) as Record<string, unknown>];
  };
  const getPet = { operationId: 'getPet', deprecated: true, sunset: '2030-12-05' };
  expect((await ask('/reference?of=getPet'))[1]).toMatchObject(getPet);
  expect((await ask('/reference?of=nothing'))[0]).toBe(404);
  expect((await ask('/schema?at=%2Fcomponents%2Fschemas%2FPet'))[1]).toMatchObject({ types: ['object'] });
  expect((await ask('/schema?at=%2Fnothing'))[0]).toBe(404);
});

test('a part of the world is reset, and nothing else; a part that there is not is refused', async () => {
  const mock = await startMock({ delay: 1, faults: [{ operationId: 'getPet', effect: { status: 500 } }] });
  const reset = async (of: string): Promise<number> => {
    const init = { method: 'POST', headers: JSON_TYPE, body: '{}' };
    return (await fetch(`${mock.adminUrl}/console/reset?of=${of}`, init)).status;
  };
  const state = async (): Promise<unknown[]> => [
    await mock.pets.count(),
    (await mock.faults.list()).length,
    (await mock.delay.get()).to,
    await mock.clock.isFrozen(),
    (await mock.profile.get()).choices['list-order'],
    await mock.requests.count(),
  ];
  const spoil = async (): Promise<void> => {
    await mock.pets.clear();
    await mock.faults.clear();
    await mock.delay.set(0);
    await mock.clock.freeze();
    await mock.profile.choose({ 'list-order': 'oldest-first' });
    await fetch(`${mock.url}/pets`);
  };
  await spoil();
  const spoiled = [0, 0, 0, true, 'oldest-first', 1];
  const begun = [1, 1, 1, false, 'newest-first', 0];
  for (const [index, part] of ['records', 'faults', 'delay', 'clock', 'profile', 'exchanges'].entries()) {
    expect(await state()).toEqual(spoiled);
    expect(await reset(part)).toBe(200);
    expect(await state()).toEqual(spoiled.with(index, begun[index] ?? 0));
    if (part === 'exchanges') break;
    await reset('exchanges');
    await spoil();
  }
  await spoil();
  expect(await reset('everything')).toBe(200);
  expect(await state()).toEqual(begun);
  expect(await reset('nothing')).toBe(409);
});
