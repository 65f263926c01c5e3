import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planRun } from '../../../src/conformance/product/plan-run.js';
import { runConformance } from '../../../src/conformance/product/run-conformance.js';
import { startPetstoreMock } from '../../../src/server/start-petstore-mock.js';
import { content, inPath } from '../../support/open-paths.js';
import { makeFolder } from '../../support/folder.js';
import { integer, object, resource, text } from './support/odd-resource.js';

const LINE = object({ id: integer, note: text, tenant: text, orderId: integer });

/** Orders of a tenant whom the contract lets nobody create, with lines of their own. */
function writeTenants(tenant: object): string {
  const orders = resource('orders');
  const parameters = [{ ...inPath('tenant'), schema: tenant }];
  const ofOrder = [...parameters, inPath('orderId')];
  const below = Object.entries(orders).map(([path, item]) => [`/tenants/{tenant}${path}`, { ...item, parameters }]);
  const lines = {
    '/tenants/{tenant}/orders/{orderId}/lines': {
      parameters: ofOrder,
      get: { responses: { 200: content({ type: 'array', items: LINE }) } },
      post: {
        requestBody: content(object({ note: text, tenant: text, orderId: integer })),
        responses: { 201: content(LINE) },
      },
    },
    '/tenants/{tenant}/orders/{orderId}/lines/{lineId}': {
      parameters: [...ofOrder, inPath('lineId')],
      get: { responses: { 200: content(LINE), 404: { description: 'None.' } } },
    },
  };
  const spec = join(makeFolder(), 'tenants.json');
  const paths = { ...Object.fromEntries(below), ...lines };
  writeFileSync(spec, JSON.stringify({ openapi: '3.1.0', info: { title: 'Tenants', version: '1' }, paths }));
  return spec;
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
    const { problems, scenarios } = await runConformance({
      target: mock.url,
      apiKey: 'any',
      spec,
      settleMs: 10,
      parameter: ['tenant=acme'],
      only: ['*/records/get', '*/records/unknown'],
    });
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
  const one = { 200: content(line), 404: { description: 'None.' } };
  const orders = resource('orders', {
    record: object({ id: text, name: text }),
    sent: object({ name: text }),
    key: text,
  });
  const below = Object.entries(orders).map(([path, item]) => [
    `/tenants/{tenant}${path}`,
    { ...item, parameters: parameters.slice(0, 1) },
  ]);
  const lines = {
    '/tenants/{tenant}/orders/{orderId}/lines': {
      parameters,
      post: { requestBody: content(line), responses: { 201: content(line) } },
    },
    '/tenants/{tenant}/orders/{orderId}/lines/{lineId}': {
      parameters: [...parameters, inPath('lineId')],
      get: { responses: one },
      put: { requestBody: content(line), responses: one },
    },
  };
  const spec = join(makeFolder(), 'lines.json');
  const paths = { ...Object.fromEntries(below), ...lines };
  writeFileSync(spec, JSON.stringify({ openapi: '3.1.0', info: { title: 'Lines', version: '1' }, paths }));
  const { scenarios } = planRun({ spec, parameter: ['tenant=acme'], only: ['lines/changes/replace-whole'] });
  const get = scenarios.find(({ id }) => id === 'lines/changes/replace-whole')?.steps.at(-1);
  expect(get?.expect?.record).toMatchObject({ dropped: ['title'] });
});
