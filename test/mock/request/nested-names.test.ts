import { expect, test } from 'vitest';
import { inQuery, openPaths } from '../../support/open-paths.js';
import { ask, outcome } from '../../support/test-world.js';

const FORM = 'application/x-www-form-urlencoded';
const fields = {
  type: 'object',
  properties: { o: { type: 'object' }, tags: { type: 'array', items: { type: 'string' } } },
};
const body = { content: { [FORM]: { schema: fields, encoding: { o: { style: 'deepObject', explode: true } } } } };
const done = () => ({ status: 204, headers: {}, body: undefined });
const seen: unknown[] = [];
const responses = { 204: { description: 'Done.' }, 400: { description: 'No.' } };
const parameter = { ...inQuery('o', { type: 'object' }), style: 'deepObject', explode: true };
const world = openPaths(
  { '/form': { post: { operationId: 'send', parameters: [parameter], requestBody: body, responses } } },
  { handlers: { send: (call) => (seen.push(call.body), done()) } },
);
const headers = { authorization: 'Bearer test-key', 'content-type': FORM };

test.each([64, 65, 100_000])('a field of a form that is nested %d deep has an answer', (depth) => {
  const told = outcome(ask(world, 'POST /form', { body: `o${'[a]'.repeat(depth)}=1`, headers }));
  expect(told).toMatch(depth > 64 ? /^400 body\/o is nested more than 64 levels deep/ : /^204/);
});

test('so has a parameter', () => {
  const told = outcome(ask(world, `POST /form?o${'[a]'.repeat(65)}=1`, { body: 'tags=x', headers }));
  expect(told).toMatch(/^400 query\/o is nested more than 64 levels deep/);
});

test('every name of a form, and every value of one, is read once', () => {
  seen.length = 0;
  const names = Array.from({ length: 1000 }, (_, index) => `k${index}=${index}`);
  const tags = Array.from({ length: 1000 }, (_, index) => `tags=${index}`);
  const items = Array.from({ length: 1000 }, (_, index) => `o[list${index}]=${index}`);
  ask(world, 'POST /form', { body: [...names, ...tags, ...items].join('&'), headers });
  const { o, tags: read, ...rest } = seen[0] as { o: object; tags: string[] };
  expect([Object.keys(o).length, read.length, Object.keys(rest).length]).toEqual([1000, 1000, 1000]);
});
