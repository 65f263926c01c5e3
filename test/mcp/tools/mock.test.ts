import { expect, onTestFinished, test } from 'vitest';
import { startPetstoreMock } from '../../../src/index.js';
import { connectClient } from '../support/connect-client.js';

const KEY = { Authorization: 'Bearer petstore-dev-key' };

test('a mock is started, and says where it is and which key it takes', async () => {
  const { call } = await connectClient();
  const { data, text } = await call('mock', { do: 'start', options: { count: 3 } });
  expect(data).toMatchObject({ mock: 'mock-1', key: 'petstore-dev-key', operations: 3, records: ['pets 3'] });
  expect(text).toContain(data.url);
  const response = await fetch(`${data.url}/pets`, { headers: KEY });
  expect(await response.json()).toHaveLength(3);
});

test('a mock of another contract serves that', async () => {
  const { call } = await connectClient();
  const { data } = await call('mock', { do: 'start', spec: 'examples/store-orders/petstore.openapi.yaml' });
  expect(data.records.join()).toContain('order');
});

test('a mock that runs already is found by its address, and steered there', async () => {
  const running = await startPetstoreMock({ count: 2 });
  onTestFinished(() => running.close());
  const { call } = await connectClient();
  const { data } = await call('mock', { do: 'find', url: running.url });
  expect(data).toMatchObject({ url: running.url, records: ['pets 2'] });
  expect(data.key).toBeUndefined();
  await call('mock', { do: 'fault', fault: { operationId: 'listPets', effect: { status: 503 } } });
  expect((await fetch(`${running.url}/pets`, { headers: KEY })).status).toBe(503);
});

test('a fault is planted, seen to strike, and cleared', async () => {
  const { call } = await connectClient();
  const { data } = await call('mock', { do: 'start' });
  const { text } = await call('mock', {
    do: 'fault',
    fault: { operationId: 'listPets', times: 1, effect: { status: 503 } },
  });
  expect(text).toContain('fault-1 is planted');
  expect((await fetch(`${data.url}/pets`, { headers: KEY })).status).toBe(503);
  expect((await call('mock', { do: 'show' })).text).toContain('fault-1 listPets 1 hits');
  expect((await call('mock', { do: 'clear-faults' })).text).not.toContain('fault-1');
});

test('a fault that could never strike is refused with everything that is wrong with it', async () => {
  const { call } = await connectClient();
  await call('mock', { do: 'start' });
  const { text, isError } = await call('mock', {
    do: 'fault',
    fault: { operationId: 'listPet', effect: { status: 200 } },
  });
  expect(isError).toBe(true);
  expect(text).toContain('effect.status must be a status from 400 to 599, not 200.');
});

test('the clock is set and moved on', async () => {
  const { call } = await connectClient();
  await call('mock', { do: 'start' });
  expect((await call('mock', { do: 'clock', date: '2030-12-04T00:00:00Z' })).data.now).toMatch(/^2030-12-04/);
  expect((await call('mock', { do: 'clock', date: '+86400' })).data.now).toMatch(/^2030-12-05/);
  expect((await call('mock', { do: 'clock', date: 'soon' })).text).toMatch(/^bad-date: /);
  expect((await call('mock', { do: 'clock' })).text).toMatch(/^bad-option: date is missing/);
});

test('choices of the profile are made, and unknown ones refused', async () => {
  const { call } = await connectClient();
  const { data } = await call('mock', { do: 'start' });
  await call('mock', { do: 'profile', choices: { 'list-order': 'oldest-first' } });
  const response = await fetch(`${data.url}/pets?limit=1`, { headers: KEY });
  expect(await response.json()).toMatchObject([{ id: 1 }]);
  expect((await call('mock', { do: 'profile', choices: { 'list-ordr': 'x' } })).text).toContain(
    'did you mean list-order?',
  );
  expect((await call('mock', { do: 'profile' })).text).toContain('choices is missing');
});

test('a reset restores records, faults, clock and requests', async () => {
  const { call } = await connectClient();
  const { data } = await call('mock', { do: 'start' });
  await fetch(`${data.url}/pets`, { headers: KEY });
  await call('mock', { do: 'fault', fault: { effect: { status: 503 } } });
  const after = (await call('mock', { do: 'reset' })).data;
  expect(after).toMatchObject({ records: ['pets 50'] });
  expect(after).not.toHaveProperty('faults');
  expect(after.requests).toBe(0);
});

test('a world has records and faults of its own', async () => {
  const { call } = await connectClient();
  await call('mock', { do: 'start' });
  const { data } = await call('mock', { do: 'fault', world: 'other', fault: { effect: { status: 503 } } });
  expect((await fetch(`${data.url}/pets`, { headers: KEY })).status).toBe(503);
  expect((await call('mock', { do: 'show' })).data).not.toHaveProperty('faults');
});

test('a stopped mock answers no more, and its name is gone', async () => {
  const { call } = await connectClient();
  const { data } = await call('mock', { do: 'start' });
  await call('mock', { do: 'stop' });
  await expect(fetch(`${data.url}/pets`)).rejects.toThrow('fetch failed');
  await call('mock', { do: 'start' });
  expect((await call('mock', { do: 'show', mock: 'mock-1' })).text).toContain('did you mean mock-2?');
});

test('there are at most eight mocks at a time', async () => {
  const { call } = await connectClient();
  for (let count = 0; count < 8; count += 1) await call('mock', { do: 'start', options: { fixtures: 'empty' } });
  expect((await call('mock', { do: 'start' })).text).toContain('there are 8 mocks; stop one of mock-1, mock-2');
});

test('a mock stops when its client is gone', async () => {
  const { call, close } = await connectClient();
  const { data } = await call('mock', { do: 'start' });
  await close();
  await expect(fetch(`${data.url}/pets`)).rejects.toThrow('fetch failed');
});
