import { expect, test } from 'vitest';
import { KEY, startMock } from '../../support/started-mock.js';
import { connectClient } from '../support/connect-client.js';

test('a mock is started, and says where it is and which key it takes', async () => {
  const { call } = await connectClient();
  const { data, text } = await call('mock', { do: 'start', options: { count: 3 } });
  expect(data).toMatchObject({ mock: 'mock-1', key: 'petstore-dev-key', operations: 3, records: ['pets 3'] });
  expect(text).toContain(data.url);
  const response = await fetch(`${data.url}/pets`, { headers: KEY });
  expect(await response.json()).toHaveLength(3);
});

test('a mock that runs already is found by its address, and steered there', async () => {
  const running = await startMock({ count: 2 });
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
  const fault = { operationId: 'listPets', times: 1, effect: { status: 503 } };
  const { text } = await call('mock', { do: 'fault', fault });
  expect(text).toContain('fault-1 is planted');
  expect((await fetch(`${data.url}/pets`, { headers: KEY })).status).toBe(503);
  expect((await call('mock', { do: 'show' })).text).toContain('fault-1 listPets 1 hits');
  expect((await call('mock', { do: 'clear-faults' })).text).not.toContain('fault-1');
});

test('a fault that could never strike is rejected with everything that is wrong with it', async () => {
  const { call } = await connectClient();
  await call('mock', { do: 'start', spec: 'examples/store-orders/petstore.openapi.yaml' });
  const fault = { operationId: 'listPet', effect: { status: 200 } };
  const { text, isError } = await call('mock', { do: 'fault', fault });
  expect([isError, text.includes('effect.status must be a status from 400 to 599, not 200.')]).toEqual([true, true]);
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
  const wrong = await call('mock', { do: 'profile', choices: { 'list-ordr': 'x' } });
  expect(wrong.text).toContain('did you mean list-order?');
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

test('there are at most eight mocks at a time', async () => {
  const { call } = await connectClient();
  for (let count = 0; count < 8; count += 1) await call('mock', { do: 'start', options: { fixtures: 'empty' } });
  expect((await call('mock', { do: 'start' })).text).toContain('there are 8 mocks; stop one of mock-1, mock-2');
});

test('a mock that is stopped, or whose client is gone, answers no more, and its name is gone', async () => {
  const { call, close } = await connectClient();
  const urls = [(await call('mock', { do: 'start' })).data.url];
  await call('mock', { do: 'stop' });
  await expect(fetch(`${urls[0]}/pets`)).rejects.toThrow('fetch failed');
  urls.push((await call('mock', { do: 'start' })).data.url);
  expect((await call('mock', { do: 'show', mock: 'mock-1' })).text).toContain('did you mean mock-2?');
  await close();
  await expect(fetch(`${urls[1]}/pets`)).rejects.toThrow('fetch failed');
});
