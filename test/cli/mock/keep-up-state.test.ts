import { expect, test } from 'vitest';
import { contract, MORE, useWatched } from '../support/watched-mock.js';

const on = useWatched();

const post = (path: string, body: object): Promise<Response> =>
  on.admin(path, { method: 'POST', body: JSON.stringify(body) });
const read = async (path: string): Promise<unknown> => (await on.admin(path)).json();

test('snapshots stay, with the records that the new contract allows', async () => {
  on.write('api.yaml', contract(20));
  await on.start('--spec', on.file('api.yaml'), '--fixtures', 'empty');
  await on.create('Rex');
  await on.create('Bartholomew');
  await on.admin('/snapshots/before', { method: 'PUT', body: '{}' });
  await on.admin('/pets', { method: 'DELETE' });
  on.write('api.yaml', contract(5));
  await on.waitForEvents(1);
  expect(await read('/snapshots')).toEqual({ snapshots: ['before'] });
  expect(on.news.lost).toMatch(/^The snapshot before lacks 1 of its pets: name must .*api\.yaml:\d+/);
  await post('/snapshots/before/restore', {});
  expect(await on.listNames()).toEqual(['Rex']);
});

test('a fault that no longer fits is told, and the others stay with their hits', async () => {
  on.write('api.yaml', contract(20, MORE));
  await on.start('--spec', on.file('api.yaml'), '--fixtures', 'empty');
  await post('/faults', { operationId: 'getHealth', effect: { status: 503 } });
  await post('/faults', { operationId: 'listPets', effect: { status: 503 }, times: 2 });
  await on.ask('/pets');
  on.write('api.yaml', contract(20));
  await on.waitForEvents(1);
  expect(on.news.lost).toMatch(/^The fault fault-1 was dropped: .*getHealth.*api\.yaml:\d+/);
  expect(await read('/faults')).toMatchObject([{ id: 'fault-2', hits: 1 }]);
  await post('/faults', { effect: { status: 504 } });
  expect(await read('/faults')).toMatchObject([{ id: 'fault-2' }, { id: 'fault-3' }]);
});

test('faults, clock and delay of the config are followed, and what was planted beside them stays', async () => {
  on.write('mock.yaml', 'fixtures: empty\nfault: "listPets:503"\nnow: 2030-01-01\n');
  await on.start('--config', on.file('mock.yaml'));
  await post('/faults', { operationId: 'getPet', effect: { status: 504 } });
  on.write('mock.yaml', 'fixtures: empty\nfault: "createPet:500"\nnow: 2031-01-01\ndelay: 3\n');
  await on.waitForEvents(1);
  expect(await read('/faults')).toMatchObject([{ operationId: 'createPet' }, { operationId: 'getPet' }]);
  expect(await read('/clock')).toMatchObject({ now: expect.stringMatching(/^2031-01-01/) });
  expect(on.news.lost).toMatch(/^The clock starts anew, at 2031-01-01/);
});

test('what clients set stays where the config says what it said', async () => {
  on.write('mock.yaml', 'fixtures: empty\nfault: "listPets:503"\nnow: 2030-01-01\n');
  await on.start('--config', on.file('mock.yaml'));
  await on.admin('/faults', { method: 'DELETE' });
  await post('/clock/set', { date: '2040-01-01' });
  on.write('mock.yaml', 'fixtures: empty\nfault: "listPets:503"\nnow: 2030-01-01\nmax-pets: 10\n');
  await on.waitForEvents(1);
  expect(await read('/faults')).toEqual([]);
  expect(await read('/clock')).toMatchObject({ now: expect.stringMatching(/^2040-01-01/) });
  expect(on.news.lost).toBeUndefined();
});

test('a choice that a client made stays, but where the profile says something else now', async () => {
  const profile = (order: string): string => `gaps:\n  list-order: ${order}\n`;
  on.write('team.yaml', profile('newest-first'));
  await on.start('--profile', on.file('team.yaml'), '--fixtures', 'empty');
  const choose = (choices: object): Promise<Response> =>
    on.admin('/profile', { method: 'PATCH', body: JSON.stringify({ choices }) });
  await choose({ 'status-omitted': 'sold' });
  on.write('team.yaml', `# The same.\n${profile('newest-first')}`);
  await on.waitForEvents(1);
  expect(await read('/profile')).toMatchObject({ choices: { 'status-omitted': 'sold' } });
  on.write('team.yaml', profile('oldest-first'));
  await on.waitForEvents(2);
  expect(await read('/profile')).toMatchObject({ choices: { 'status-omitted': 'sold', 'list-order': 'oldest-first' } });
});

test('a fault of the config that the contract does not have is told with its line', async () => {
  on.write('mock.yaml', 'fixtures: empty\n');
  await on.start('--config', on.file('mock.yaml'));
  on.write('mock.yaml', 'fixtures: empty\nfault: "listPats:503"\n');
  await on.waitForEvents(1);
  expect(on.events[0]).toMatchObject({ loaded: false, message: expect.stringMatching(/mock\.yaml:2.*listPats/) });
});
