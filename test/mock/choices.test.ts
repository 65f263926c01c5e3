import { expect, test } from 'vitest';
import type { World } from '../../src/mock/world/world.js';
import { shippedGaps } from '../support/shipped.js';
import {
  ask,
  AUTHORIZATION,
  createTestWorld,
  KEY,
  petsOf,
  threePets,
  type RequestOptions,
} from '../support/test-world.js';

/** What a world answers, in words short enough for a table. */
type Probe = (world: World) => string;

const post =
  (body: string | Uint8Array, headers: Record<string, string> = {}): Probe =>
  (world) => {
    const { status, body: sent } = ask(world, 'POST /v1/pets', { body, headers });
    return status === 201 ? `201 ${sent?.text}` : String(status);
  };
const list =
  (query: string): Probe =>
  (world) => {
    const { status, value } = ask(world, `GET /v1/pets?${query}`);
    return status === 200 ? `200 ${(value as { name: string }[]).map(({ name }) => name).join(' ')}` : String(status);
  };
const status =
  (...request: [target: string, options?: RequestOptions]): Probe =>
  (world) =>
    String(ask(world, ...request).status);
const header =
  (name: string, ...request: [target: string, options?: RequestOptions]): Probe =>
  (world) =>
    ask(world, ...request).headers[name] ?? 'absent';

const rex = '{"name":"Rex","categoryId":1}';
const withoutMedia = { body: Buffer.from(rex), headers: { authorization: AUTHORIZATION, 'content-type': undefined } };
const afterRemoval = Date.parse('2030-12-05T12:00:00Z');
const late = { now: () => afterRemoval, elapsed: () => 0 };

/** Every choice of every gap, with a request that tells it from the others. */
const CHOICES: Record<string, readonly [probe: Probe, answers: Record<string, string>, when?: 'late']> = {
  'status-omitted': [
    post(rex),
    {
      absent: '201 {"id":4,"name":"Rex","categoryId":1}',
      available: '201 {"id":4,"name":"Rex","categoryId":1,"status":"available"}',
      pending: '201 {"id":4,"name":"Rex","categoryId":1,"status":"pending"}',
      sold: '201 {"id":4,"name":"Rex","categoryId":1,"status":"sold"}',
    },
  ],
  'status-after-create': [
    (world) => {
      const at = Date.parse('2026-01-01T00:00:00Z');
      world.clock.freeze(at);
      ask(world, 'POST /v1/pets', { body: '{"name":"Max","categoryId":1,"status":"available"}' });
      const show = (): string => {
        const { status: seen } = ask(world, 'GET /v1/pets/4').value as { status: string };
        return `${seen} ${list(`status=${seen}`)(world).includes('Max')}`;
      };
      return [0, 249, 250, 500, 5000]
        .map((ms) => {
          world.clock.freeze(at + ms);
          return show();
        })
        .join(', ');
    },
    {
      stays: 'available true, available true, available true, available true, available true',
      'moves-by-itself': 'available true, available true, pending true, sold true, sold true',
    },
  ],
  'short-pages': [
    (world) => [list('limit=2')(world), list('limit=1')(world), list('limit=9')(world)].join(', '),
    { full: '200 Ida Tom, 200 Ida, 200 Ida Tom Rex', shorter: '200 Ida, 200 Ida, 200 Ida Tom Rex' },
  ],
  'extra-fields': [
    post('{"name":"Rex","categoryId":1,"color":"red"}'),
    {
      dropped: '201 {"id":4,"name":"Rex","categoryId":1}',
      kept: '201 {"id":4,"name":"Rex","categoryId":1,"color":"red"}',
      'refused-400': '400',
    },
  ],
  'client-id': [
    post('{"id":77,"name":"Rex","categoryId":1}'),
    { ignored: '201 {"id":4,"name":"Rex","categoryId":1}', 'refused-400': '400' },
  ],
  'empty-name': [
    post('{"name":"","categoryId":1}'),
    { accepted: '201 {"id":4,"name":"","categoryId":1}', 'refused-400': '400' },
  ],
  'blank-name': [
    post('{"name":" \\t ","categoryId":1}'),
    { accepted: '201 {"id":4,"name":" \\t ","categoryId":1}', 'refused-400': '400' },
  ],
  'unknown-category': [
    post('{"name":"Rex","categoryId":99}'),
    { accepted: '201 {"id":4,"name":"Rex","categoryId":99}', 'refused-400': '400' },
  ],
  'negative-category': [
    post('{"name":"Rex","categoryId":-1}'),
    { accepted: '201 {"id":4,"name":"Rex","categoryId":-1}', 'refused-400': '400' },
  ],
  'wrong-media-type': [
    status('POST /v1/pets', { body: rex, headers: { 'content-type': 'text/plain' } }),
    { 'refused-415': '415', 'refused-400': '400', accepted: '201' },
  ],
  'missing-media-type': [
    status('POST /v1/pets', withoutMedia),
    { 'refused-415': '415', 'refused-400': '400', accepted: '201' },
  ],
  'malformed-json': [post('{'), { 'refused-400': '400', 'refused-422': '422' }],
  'body-too-large': [
    status('POST /v1/pets', { bodyLongerThan: 10 }),
    // Where long bodies are read, one that is longer still is refused: test/server/body-length.test.ts.
    { 'refused-413': '413', 'refused-400': '400', accepted: '413' },
  ],
  'location-header': [header('Location', 'POST /v1/pets', { body: rex }), { sent: '/v1/pets/4', absent: 'absent' }],
  'list-order': [list(''), { 'newest-first': '200 Ida Tom Rex', 'oldest-first': '200 Rex Tom Ida' }],
  'limit-below-minimum': [
    list('limit=0'),
    { 'refused-400': '400', 'refused-422': '422', clamped: '200 Ida', ignored: '200 Ida Tom Rex' },
  ],
  'limit-above-maximum': [
    (world) => {
      for (let more = 0; more < 120; more++) petsOf(world).add({ name: 'Max', categoryId: 1 });
      const { status: code, value } = ask(world, 'GET /v1/pets?limit=101');
      return code === 200 ? `200 ${(value as unknown[]).length} pets` : String(code);
    },
    { 'refused-400': '400', 'refused-422': '422', clamped: '200 100 pets', ignored: '200 20 pets' },
  ],
  'limit-not-integer': [list('limit=1.5'), { 'refused-400': '400', 'refused-422': '422', ignored: '200 Ida Tom Rex' }],
  'empty-limit': [list('limit='), { 'refused-400': '400', 'refused-422': '422', ignored: '200 Ida Tom Rex' }],
  'unknown-status-filter': [
    list('status=lost'),
    { 'refused-400': '400', 'refused-422': '422', 'empty-list': '200 ', ignored: '200 Ida Tom Rex' },
  ],
  'empty-status-filter': [
    list('status='),
    { 'refused-400': '400', 'refused-422': '422', 'empty-list': '200 ', ignored: '200 Ida Tom Rex' },
  ],
  'status-filter-case': [list('status=SOLD'), { 'as-unknown': '400', matched: '200 Tom' }],
  'repeated-parameters': [list('limit=1&limit=2'), { 'refused-400': '400', first: '200 Ida', last: '200 Ida Tom' }],
  'unknown-parameters': [list('color=red'), { ignored: '200 Ida Tom Rex', 'refused-400': '400' }],
  'pet-id-not-integer': [
    status('GET /v1/pets/rex'),
    { 'not-found': '404', 'refused-400': '400', 'refused-422': '422' },
  ],
  'pet-id-out-of-range': [
    status('GET /v1/pets/9223372036854775808'),
    { 'not-found': '404', 'refused-400': '400', 'refused-422': '422' },
  ],
  'sunset-header': [header('Sunset', 'GET /v1/pets/1'), { sent: 'Thu, 05 Dec 2030 00:00:00 GMT', absent: 'absent' }],
  'successor-link': [
    header('Link', 'GET /v1/pets/1'),
    { sent: '</v1/pets>; rel="successor-version"', absent: 'absent' },
  ],
  'removal-hour': [status('GET /v1/pets/1'), { 'start-of-day': '410', 'end-of-day': '200' }, 'late'],
  'after-removal': [
    status('GET /v1/pets/1'),
    { 'gone-410': '410', 'not-found-404': '404', 'still-served': '200' },
    'late',
  ],
  'bearer-case': [
    status('GET /v1/pets', { headers: { authorization: `bEARER ${KEY}` } }),
    { 'any-case': '200', exact: '401' },
  ],
  'www-authenticate': [
    header('WWW-Authenticate', 'GET /v1/pets', { headers: { authorization: 'Bearer wrong' } }),
    {
      'names-error': 'Bearer realm="petstore", error="invalid_token"',
      same: 'Bearer realm="petstore"',
      absent: 'absent',
    },
  ],
  'unknown-path': [
    status('GET /v1/nothing', { headers: { authorization: '' } }),
    { 'not-found': '404', 'unauthorized-first': '401' },
  ],
  'wrong-method': [
    status('DELETE /v1/pets', { headers: { authorization: AUTHORIZATION } }),
    { 'refused-405': '405', 'not-found': '404' },
  ],
  head: [status('HEAD /v1/pets'), { answered: '200', 'refused-405': '405' }],
  unacceptable: [
    status('GET /v1/pets', { headers: { accept: 'text/html' } }),
    { 'refused-406': '406', ignored: '200' },
  ],
};

const rows = Object.entries(CHOICES).flatMap(([gap, [, answers]]) =>
  Object.entries(answers).map(([choice, answer]) => [gap, choice, answer] as const),
);

test.each(rows)('%s: %s answers %s', (gap, choice, answer) => {
  const [probe, , when] = CHOICES[gap] as (typeof CHOICES)[string];
  const world = createTestWorld({
    pets: threePets,
    choices: { [gap]: choice },
    ...(when === undefined ? {} : { clock: late }),
  });
  expect(probe(world)).toBe(answer);
});

test('every choice that the mock can be given is acted on here', () => {
  const shipped = shippedGaps.flatMap(({ id, choices }) => Object.keys(choices).map((choice) => `${id} ${choice}`));
  expect(rows.map(([gap, choice]) => `${gap} ${choice}`).sort()).toEqual(shipped.sort());
});

test('a choice that does not decide a request leaves it as it is', () => {
  const world = createTestWorld({
    choices: {
      'limit-below-minimum': 'clamped',
      'limit-above-maximum': 'clamped',
      'unknown-status-filter': 'empty-list',
    },
  });
  expect(list('limit=101')(world)).toBe('200 Ida Tom Rex');
  expect(list('limit=0&status=lost')(world)).toBe('200 ');
  expect(list('limit=x&status=lost')(world)).toBe('400');
});

test('a limit past every integer that a program can hold is clamped too', () => {
  expect(list(`limit=1${'0'.repeat(400)}`)(createTestWorld({ choices: { 'limit-above-maximum': 'clamped' } }))).toBe(
    '200 Ida Tom Rex',
  );
});

const FORMS = [
  ['fraction', '2.0'],
  ['exponent', '2e0'],
  ['plus', '%2B2'],
  ['zeros', '002'],
  ['space', '%202'],
] as const;

test.each(FORMS)('where a profile has seen integers read with %s, %s is one', (form, text) => {
  const world = createTestWorld({ pets: threePets, seen: { 'limit-forms': [form], 'pet-id-forms': [form] } });
  expect(list(`limit=${text}`)(world)).toBe('200 Ida Tom');
  expect(status(`GET /v1/pets/${text}`)(world)).toBe('200');
});

test.each(FORMS)('of a form with %s that no profile has seen read, %s is no integer', (form, text) => {
  const others = FORMS.map(([each]) => each).filter((each) => each !== form);
  const world = createTestWorld({ pets: threePets, seen: { 'limit-forms': others, 'pet-id-forms': others } });
  expect(list(`limit=${text}`)(world)).toBe('400');
  expect(status(`GET /v1/pets/${text}`)(world)).toBe('404');
});

test('of several gaps in one request, one that refuses is enough', () => {
  const world = createTestWorld({
    choices: { 'limit-below-minimum': 'refused-422', 'unknown-status-filter': 'ignored' },
  });
  expect(list('limit=0&status=lost')(world)).toBe('422');
});

test('an unknown path asks for a key first and then says that it is unknown', () => {
  const world = createTestWorld({ choices: { 'unknown-path': 'unauthorized-first' } });
  expect(ask(world, 'GET /v1/nothing').status).toBe(404);
});
