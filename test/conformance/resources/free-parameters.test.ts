import { expect, test } from 'vitest';
import { planRun } from '../../../src/conformance/product/plan-run.js';
import { runConformance } from '../../../src/conformance/product/run-conformance.js';
import { startPetstoreMock } from '../../../src/server/start-petstore-mock.js';
import { content, inPath } from '../../support/open-paths.js';
import { makeFile } from '../../support/folder.js';
import { creates, failure, integer, lists, object, resource, takes, text } from './support/odd-resource.js';

const write = (paths: object): string =>
  makeFile('paths.json', JSON.stringify({ openapi: '3.1.0', info: { title: 'Paths', version: '1' }, paths }));

/** Orders of a tenant whom the contract lets nobody create. */
const ordersOf = (tenant: object, orders = resource('orders')): object => {
  const parameters = [{ ...inPath('tenant'), schema: tenant }];
  const below = Object.entries(orders).map(([path, item]) => [`/tenants/{tenant}${path}`, { ...item, parameters }]);
  return Object.fromEntries(below) as object;
};
const LINES = '/tenants/{tenant}/orders/{orderId}/lines';

/** With lines of their own. */
function writeTenants(tenant: object): string {
  const line = object({ id: integer, note: text, tenant: text, orderId: integer });
  const parameters = [{ ...inPath('tenant'), schema: tenant }, inPath('orderId')];
  const create = creates(object({ note: text, tenant: text, orderId: integer }), line);
  return write({
    ...ordersOf(tenant),
    [LINES]: { parameters, get: lists(line), post: create },
    [`${LINES}/{lineId}`]: {
      parameters: [...parameters, inPath('lineId')],
      get: { responses: { 200: content(line), 404: { description: 'None.' } } },
    },
  });
}

test('what a path needs and no record has is given, or stated as the only choice; without it nothing is asked there', () => {
  const open = writeTenants({ ...text, example: 'acme' });
  expect(() => planRun({ spec: open })).toThrow(
    'it needs the path parameter tenant; --parameter tenant=<value> sets it',
  );
  expect(() => planRun({ spec: open, parameter: ['tenent=acme'] })).toThrow('did you mean tenant?');
  expect(planRun({ spec: writeTenants({ enum: ['eu', 'us'] }) }).scenarios.length).toBeGreaterThan(20);
});

test('a run sends the value in every path, below the records that it creates too', async () => {
  const spec = writeTenants(text);
  const mock = await startPetstoreMock({ spec, prism: false, count: 3 });
  try {
    const given = { target: mock.url, apiKey: 'any', spec, settleMs: 10, parameter: ['tenant=acme'] };
    const { problems, scenarios } = await runConformance({ ...given, only: ['*/records/get', '*/records/unknown'] });
    expect(problems.map(({ headline }) => headline)).toEqual([]);
    const passed = scenarios.filter(({ verdict }) => verdict === 'passed').map(({ id }) => id);
    expect(passed).toEqual(expect.arrayContaining(['orders/records/get', 'lines/records/get']));
    // The first look is at the root.
    const asked = (await mock.requests.list()).filter(({ url }) => url !== '/');
    const line = asked.find(({ method, url }) => method === 'POST' && url.endsWith('/lines'));
    expect(line?.request.body).toMatchObject({ tenant: 'acme', orderId: Number(line?.url.split('/')[4]) });
    expect(asked.filter(({ url }) => !url.startsWith('/tenants/acme/orders'))).toEqual([]);
  } finally {
    await mock.close();
  }
});

test('a replacement that does not name what its path says need not remove it', () => {
  const parameters = [inPath('tenant', 'string'), inPath('orderId', 'string')];
  const line = object({ id: integer, note: text, title: text, orderId: text }, ['note']);
  const none = { 404: { description: 'None.' } };
  const order = { record: object({ id: text, name: text }), sent: object({ name: text }), key: text };
  const spec = write({
    ...ordersOf(text, resource('orders', order)),
    [LINES]: { parameters, post: creates(line, line) },
    [`${LINES}/{lineId}`]: {
      parameters: [...parameters, inPath('lineId')],
      get: { responses: { 200: content(line), ...none } },
      put: takes(line, line, none),
    },
  });
  const { scenarios } = planRun({ spec, parameter: ['tenant=acme'], only: ['lines/changes/replace-whole'] });
  const get = scenarios.find(({ id }) => id === 'lines/changes/replace-whole')?.steps.at(-1);
  expect(get?.expect?.record).toMatchObject({ dropped: ['title'] });
});

test('where a PUT need not create, the reason says what shows that it does', () => {
  const limit = object({ id: integer, name: text });
  const one = {
    parameters: [inPath('limitId')],
    get: { responses: { 200: content(limit), 404: failure } },
    put: takes(object({ name: text }), limit),
  };
  const { scenarios } = planRun({ spec: write({ '/limits': { get: lists(limit) }, '/limits/{limitId}': one }) });
  const create = scenarios.find(({ id }) => id === 'limits/records/create');
  expect(create?.steps.map(({ assume }) => assume?.otherwise)).toContain(
    'it needs a service that creates a limit by a PUT to an unused key; or a POST in the contract, or a PUT with 201 and without 404',
  );
  const atNewKey = create?.steps.filter(({ isAtNewKey }) => isAtNewKey).map(({ operationId }) => operationId);
  expect(atNewKey).toContain('PUT /limits/{limitId}');
});
