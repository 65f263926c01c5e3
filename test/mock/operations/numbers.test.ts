// Numbers that no double holds, on their way through the mock: judged, kept, listed, changed and printed with all digits.
import { expect, test } from 'vitest';
import type { World } from '../../../src/mock/world/world.js';
import { ask, outcome } from '../../support/test-world.js';
import { content, inQuery, keep, openPaths } from '../../support/open-paths.js';
import { listOf, NUMBER, object, TEXT } from '../../support/schemas.js';

const HUGE = '1e400';
const FINE = '0.10000000000000000001';

const rules = { any: {}, list: { type: 'array' }, price: { type: 'number', multipleOf: 0.01 } };
const thing = object({ id: NUMBER, ...rules }, ['id']);
const MERGE = 'application/merge-patch+json';
const JSON_PATCH = 'application/json-patch+json';

function open(): World {
  const also = { 400: content(object({ message: TEXT })) };
  const paths = keep('/things/{id}', thing, 'list create get replace', { sent: object(rules), also });
  const sort = inQuery('sort', { type: 'string', enum: ['any', '-any'] });
  const parameters = [...['any', 'min_any'].map((name) => inQuery(name, { type: 'number' })), sort];
  const operations = content(listOf(object({}, ['op', 'path'])), JSON_PATCH);
  const requestBody = {
    content: { ...(content({ type: 'object' }, MERGE)['content'] as object), ...(operations['content'] as object) },
  };
  const patch = { requestBody, responses: { 200: content(thing), ...also } };
  const { '/things': all = {}, '/things/{id}': one } = paths;
  return openPaths({ '/things': { ...all, get: { ...all['get'], parameters } }, '/things/{id}': { ...one, patch } });
}

function create(text: string, world = open()): { told: string; printed: string | undefined } {
  const answer = ask(world, 'POST /things', { body: text });
  return { told: outcome(answer), printed: answer.body?.text };
}

function change(world: World, id: string, mediaType: string, body: string): string {
  const answer = ask(world, `PATCH /things/${id}`, { body, headers: { 'content-type': mediaType } });
  return `${answer.status} ${answer.body?.text}`;
}

const idOf = (printed: string | undefined): string => /"id":(\d+)/.exec(printed ?? '')?.[1] ?? 'none';

test.each([HUGE, '-1e400', '1e-400', FINE, '1e308', '9007199254740993.5'])(
  '%s comes back with its digits',
  (number) => {
    const world = open();
    const { told, printed } = create(`{"any":${number}}`, world);
    const shown = number === '1e308' ? '1e+308' : number;
    expect([told, printed]).toEqual(['201', expect.stringContaining(`"any":${shown}`)]);
    expect(ask(world, `GET /things/${idOf(printed)}`).body?.text).toBe(printed);
    expect(ask(world, 'GET /things').body?.text).toContain(printed);
  },
);

test.each(['0.075', '0.07000000000000000001', '1e-400'])('what is refused is told with its digits: %s', (price) =>
  expect(create(`{"price":${price}}`).told).toBe(`400 body/price must be a multiple of 0.01, but is ${price}`),
);

test.each([
  [MERGE, `{"any":${HUGE}}`],
  [MERGE, `{"any":{"deep":[${HUGE},${FINE}]}}`],
  [JSON_PATCH, `[{"op":"add","path":"/any","value":${HUGE}}]`],
  [JSON_PATCH, `[{"op":"test","path":"/any","value":2e400},{"op":"replace","path":"/any","value":${HUGE}}]`],
  [JSON_PATCH, `[{"op":"test","path":"/any","value":20.0e399},{"op":"copy","from":"/any","path":"/list"}]`],
])('a patch keeps numbers: %s %s', (mediaType, body) => {
  const world = open();
  const id = idOf(create('{"any":2e400}', world).printed);
  const told = change(world, id, mediaType, body);
  const shown = ask(world, `GET /things/${id}`).body?.text ?? '';
  expect(`${told} ${shown}`).not.toMatch(/isLossless|"1e400"|"2e400"|digits|null/);
  expect(shown).toContain('e400');
});

test('a patch takes 2e400 for no other value, and does not look into a number', () => {
  const world = open();
  const id = idOf(create('{"any":2e400}', world).printed);
  const equal = (value: string): string => `[{"op":"test","path":"/any","value":${value}}]`;
  for (const value of ['1e400', '2.00001e400', '{}', '"2e400"', '2e399'])
    expect(change(world, id, JSON_PATCH, equal(value))).toContain('cannot be applied');
  expect(change(world, id, JSON_PATCH, '[{"op":"add","path":"/any/digits","value":1}]')).not.toMatch(/^200/);
  expect(change(world, id, MERGE, '{"any":{"x":1}}')).toContain('"any":{"x":1}');
});

test('filters, bounds and orders take them for numbers', () => {
  const world = open();
  for (const any of ['1e400', '-1e400', '7', '1e-400', '9007199254740993', '0.10000000000000000001', '1e308'])
    create(`{"any":${any}}`, world);
  const list = (query: string): string[] => {
    const text = ask(world, `GET /things?${query}`).body?.text ?? '';
    return [...text.matchAll(/"any":([^,}]+)/g)].map(([, value = '']) => value);
  };
  expect(list('any=10e399')).toEqual(['1e400']);
  expect(list('any=0.100000000000000000010')).toEqual(['0.10000000000000000001']);
  expect(list('any=0.1')).toEqual([]);
  const order = ['-1e400', '1e-400', '0.10000000000000000001', '7', '9007199254740993', '1e+308', '1e400'];
  expect(list('sort=any')).toEqual(order);
  expect(list('sort=-any')).toEqual(order.toReversed());
  expect(list('min_any=1e308&sort=any')).toEqual(['1e+308', '1e400']);
});
