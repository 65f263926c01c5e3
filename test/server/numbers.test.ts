// Numbers that no double holds, on each way in and out of the mock beside the API itself.
import { expect, test } from 'vitest';
import { makeFile } from '../support/folder.js';
import { content, inPath } from '../support/open-paths.js';
import { startMock } from '../support/started-mock.js';
import { words } from '../support/words.js';

const numbers = {
  any: { type: 'number', minimum: -1e300 },
  price: { type: 'number', multipleOf: 0.01 },
  box: { type: 'object' },
};
const thing = { type: 'object', required: ['id'], properties: { id: { type: 'integer' }, ...numbers } };
const input = { type: 'object', properties: numbers };
const form = { 'application/json': { schema: input }, 'application/x-www-form-urlencoded': { schema: input } };
const DIGITS = '0.10000000000000000001';

const far = { value: { most: '@1e400', fine: '@0.10000000000000000001' } };
const limits = { 'application/json': { schema: { type: 'object' }, examples: { far } } };
const paths = {
  '/things': {
    get: { responses: { 200: content({ type: 'array', items: thing }) } },
    post: {
      requestBody: { required: true, content: form },
      responses: { 201: content(thing), 400: content({ type: 'object' }) },
    },
  },
  '/things/{id}': { parameters: [inPath('id')], get: { responses: { 200: content(thing) } } },
  '/limits': { get: { responses: { 200: { description: 'Fine.', content: limits } } } },
};

type Ask = (call: string, body?: string, headers?: Record<string, string>) => Promise<string>;

/** `status text` of what a mock of these paths answers. */
async function start(): Promise<{ ask: Ask; admin: Ask }> {
  const text = JSON.stringify({ openapi: '3.1.0', info: { title: 'Things', version: '1' }, paths });
  // What no JSON.stringify writes.
  const spec = makeFile('things.json', text.replaceAll(/"@([^"]+)"/g, '$1'));
  const mock = await startMock({ spec, prism: false, count: 0 });
  const at =
    (base: string): Ask =>
    async (call, body, headers = { 'content-type': 'application/json' }) => {
      const [method = '', path = ''] = call.split(' ');
      const answer = await fetch(`${base}${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
      return `${answer.status} ${await answer.text()}`;
    };
  return { ask: at(mock.url), admin: at(mock.adminUrl) };
}

test('the admin API, journal, snapshots and faults keep every digit', async () => {
  const { ask, admin } = await start();
  expect(await admin('POST /collections/things', `{"any":1e400,"price":28.83}`)).toMatch(/^201 .*"any":1e400/);
  const created = await ask('POST /things', `{"any":${DIGITS},"box":{"deep":[1e-400]}}`);
  expect(created).toContain(`"any":${DIGITS},"box":{"deep":[1e-400]}`);
  expect(await ask('POST /things', '{"box":1e400}')).toContain('body/box must be an object, but is 1e400');
  expect(await admin('GET /collections/things')).toContain('1e400');
  const journal = await admin('GET /requests');
  for (const part of ['1e400', DIGITS]) expect(journal).toContain(part);
  expect(journal).not.toContain('isLossless');
  const list = await ask('GET /things');
  const pack = (await admin('GET /fixtures')).slice(4);
  for (const part of ['1e400', DIGITS]) expect(pack).toContain(part);
  for (const [save, restore] of [
    [() => admin('PUT /snapshots/one', '{}'), () => admin('POST /snapshots/one/restore', '{}')],
    [() => admin('GET /fixtures'), () => admin('PUT /fixtures', pack)],
  ] as const) {
    await save();
    await admin('DELETE /collections/things');
    expect(await ask('GET /things')).toBe('200 []');
    expect(await restore()).toMatch(/^204/);
    expect(await ask('GET /things')).toBe(list);
  }
  const fault = '{"operationId":"listThings","effect":{"status":503,"body":{"most":1e400}}}';
  expect(await admin('POST /faults', fault)).not.toMatch(/^500|isLossless/);
});

test('a form, and an example that is asked for, have every digit too', async () => {
  const { ask } = await start();
  const urlencoded = { 'content-type': 'application/x-www-form-urlencoded' };
  expect(await ask('POST /things', 'any=1e400&price=0.07', urlencoded)).toMatch(/^201 .*"any":1e400,"price":0.07/);
  expect(await ask('POST /things', 'price=0.075', urlencoded)).toContain('a multiple of 0.01, but is 0.075');
  expect(await ask('GET /limits', undefined, { prefer: 'example=far' })).toBe(`200 {"most":1e400,"fine":${DIGITS}}`);
});

test('none of them is answered with 500, wherever it stands in a request of any kind', async () => {
  const { ask, admin } = await start();
  const bodies = ['1e400', '[1e400]', '{"id":1e400}', '{"any":{"a":1e400}}', '{"box":{"a":1e400}}', '{"price":1e400}'];
  const calls = words`/collections/things /faults /fixtures /delay /clock /profile /worlds /violations/assert`;
  const targets = calls.flatMap((path) => ['POST', 'PUT', 'PATCH'].map((method) => `${method} ${path}`));
  const answers = await Promise.all([
    ask('GET /things/1e400'),
    ...bodies.map((body) => ask('POST /things', body)),
    ...bodies.flatMap((body) => targets.map((target) => admin(target, body))),
  ]);
  expect(answers.filter((each) => /^5|isLossless|\[Function|=>/.test(each))).toEqual([]);
});

test('the contract is shown with every digit, as JSON and as YAML', async () => {
  const { ask } = await start();
  for (const name of ['openapi.json', 'openapi.yaml']) {
    const text = await ask(`GET /../${name}`);
    expect([/most"?: ?1e400/.test(text), new RegExp(`fine"?: ?${DIGITS}`).test(text)]).toEqual([true, true]);
  }
});
