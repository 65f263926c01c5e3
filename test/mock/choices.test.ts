import { expect, test } from 'vitest';
import type { World } from '../../src/mock/world/world.js';
import { shippedGaps } from '../support/shipped.js';
import { ask, AUTHORIZATION, createTestWorld, KEY, petsOf, type RequestOptions } from '../support/test-world.js';
import { content, inPath, inQuery, keep, openPaths } from '../support/open-paths.js';
import { NUMBER, object, TEXT } from '../support/schemas.js';
import { words } from '../support/words.js';

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

const ALL = '200 Ida Tom Rex';
const REFUSED = { 'refused-400': '400', 'refused-422': '422' };
const IGNORED = { ...REFUSED, ignored: ALL };
const MEDIA = { 'refused-415': '415', 'refused-400': '400', accepted: '201' };
const created = (more = '', name = 'Rex', category = 1): string =>
  `201 {"id":4,"name":"${name}","categoryId":${category}${more}}`;
const taken = (shown: string): Record<string, string> => ({ accepted: shown, 'refused-400': '400' });
const named = (name: string, category = 1): Probe => post(`{"name":"${name}","categoryId":${category}}`);

/** What a pet's status is at some milliseconds after its creation, and whether a list by that status has it. */
const watchStatus: Probe = (world) => {
  const at = Date.parse('2026-01-01T00:00:00Z');
  world.clock.freeze(at);
  ask(world, 'POST /v1/pets', { body: '{"name":"Max","categoryId":1,"status":"available"}' });
  const show = (ms: number): string => {
    world.clock.freeze(at + ms);
    const { status: seen } = ask(world, 'GET /v1/pets/4').value as { status: string };
    return `${seen} ${list(`status=${seen}`)(world).includes('Max')}`;
  };
  return [0, 249, 250, 500, 5000].map(show).join(', ');
};
const listTooMany: Probe = (world) => {
  for (let more = 0; more < 120; more++) petsOf(world).add({ name: 'Max', categoryId: 1 });
  const { status: code, value } = ask(world, 'GET /v1/pets?limit=101');
  return code === 200 ? `200 ${(value as unknown[]).length} pets` : String(code);
};
const shortPages: Probe = (world) => ['limit=2', 'limit=1', 'limit=9'].map((query) => list(query)(world)).join(', ');
const wrongType = { body: rex, headers: { 'content-type': 'text/plain' } };
const otherCase = { headers: { authorization: `bEARER ${KEY}` } };
const wrongKey = { headers: { authorization: 'Bearer wrong' } };
const ofStatus = (word: string): string => `,"status":"${word}"`;
const COLOR = ',"color":"red"';
const EXTRA = { dropped: created(), kept: created(COLOR), 'refused-400': '400' };
const REALM = 'Bearer realm="petstore"';
const CHALLENGES = { 'names-error': `${REALM}, error="invalid_token"`, same: REALM, absent: 'absent' };
const LONG = { 'refused-413': '413', 'refused-400': '400', accepted: '413' };
const LINK = '</v1/pets>; rel="successor-version"';
const NOT_ACCEPTED = { 'refused-406': '406', ignored: '200' };
const noKey = { headers: { authorization: '' } };
const STAYS = 'available true, available true, available true, available true, available true';
const MOVES = 'available true, available true, pending true, sold true, sold true';
const STATUSES = Object.fromEntries(words`available pending sold`.map((each) => [each, created(ofStatus(each))]));
const KEYS = { 'not-found': '404', ...REFUSED };
const GONE = { 'gone-410': '410', 'not-found-404': '404', 'still-served': '200' };

/** Every choice of every gap, with a request that tells it from the others. */
const CHOICES: Record<string, readonly [probe: Probe, answers: Record<string, string>, when?: 'late']> = {
  'status-omitted': [post(rex), { absent: created(), ...STATUSES }],
  'status-after-create': [watchStatus, { stays: STAYS, 'moves-by-itself': MOVES }],
  'short-pages': [shortPages, { full: `200 Ida Tom, 200 Ida, ${ALL}`, shorter: `200 Ida, 200 Ida, ${ALL}` }],
  'extra-fields': [post(`${rex.slice(0, -1)}${COLOR}}`), EXTRA],
  'client-id': [post('{"id":77,"name":"Rex","categoryId":1}'), { ignored: created(), 'refused-400': '400' }],
  'empty-name': [named(''), taken(created('', ''))],
  'blank-name': [named(String.raw` \t `), taken(created('', String.raw` \t `))],
  'unknown-category': [named('Rex', 99), taken(created('', 'Rex', 99))],
  'negative-category': [named('Rex', -1), taken(created('', 'Rex', -1))],
  'wrong-media-type': [status('POST /v1/pets', wrongType), MEDIA],
  'missing-media-type': [status('POST /v1/pets', withoutMedia), MEDIA],
  'malformed-json': [post('{'), REFUSED],
  // Where long bodies are read, one that is longer still is refused: test/server/http/closing.test.ts.
  'body-too-large': [status('POST /v1/pets', { bodyLongerThan: 10 }), LONG],
  'location-header': [header('Location', 'POST /v1/pets', { body: rex }), { sent: '/v1/pets/4', absent: 'absent' }],
  'list-order': [list(''), { 'newest-first': ALL, 'oldest-first': '200 Rex Tom Ida' }],
  'limit-below-minimum': [list('limit=0'), { ...IGNORED, clamped: '200 Ida' }],
  'limit-above-maximum': [listTooMany, { ...REFUSED, clamped: '200 100 pets', ignored: '200 20 pets' }],
  'limit-not-integer': [list('limit=1.5'), IGNORED],
  'empty-limit': [list('limit='), IGNORED],
  'unknown-status-filter': [list('status=lost'), { ...IGNORED, 'empty-list': '200 ' }],
  'empty-status-filter': [list('status='), { ...IGNORED, 'empty-list': '200 ' }],
  'status-filter-case': [list('status=SOLD'), { 'as-unknown': '400', matched: '200 Tom' }],
  'repeated-parameters': [list('limit=1&limit=2'), { 'refused-400': '400', first: '200 Ida', last: '200 Ida Tom' }],
  'unknown-parameters': [list('color=red'), { ignored: ALL, 'refused-400': '400' }],
  'pet-id-not-integer': [status('GET /v1/pets/rex'), KEYS],
  'pet-id-out-of-range': [status('GET /v1/pets/9223372036854775808'), KEYS],
  'sunset-header': [header('Sunset', 'GET /v1/pets/1'), { sent: 'Thu, 05 Dec 2030 00:00:00 GMT', absent: 'absent' }],
  'successor-link': [header('Link', 'GET /v1/pets/1'), { sent: LINK, absent: 'absent' }],
  'removal-hour': [status('GET /v1/pets/1'), { 'start-of-day': '410', 'end-of-day': '200' }, 'late'],
  'after-removal': [status('GET /v1/pets/1'), GONE, 'late'],
  'bearer-case': [status('GET /v1/pets', otherCase), { 'any-case': '200', exact: '401' }],
  'www-authenticate': [header('WWW-Authenticate', 'GET /v1/pets', wrongKey), CHALLENGES],
  'unknown-path': [status('GET /v1/no', noKey), { 'not-found': '404', 'unauthorized-first': '401' }],
  'wrong-method': [status('DELETE /v1/pets'), { 'refused-405': '405', 'not-found': '404' }],
  head: [status('HEAD /v1/pets'), { answered: '200', 'refused-405': '405' }],
  unacceptable: [status('GET /v1/pets', { headers: { accept: 'text/html' } }), NOT_ACCEPTED],
};

const rows = Object.entries(CHOICES).flatMap(([gap, [, answers]]) =>
  Object.entries(answers).map(([choice, answer]) => [gap, choice, answer] as const),
);

test.each(rows)('%s: %s answers %s', (gap, choice, answer) => {
  const [probe, , when] = CHOICES[gap] as (typeof CHOICES)[string];
  const world = createTestWorld({ choices: { [gap]: choice }, ...(when === undefined ? {} : { clock: late }) });
  expect(probe(world)).toBe(answer);
});

test('every choice that the mock can be given is acted on here', () => {
  const shipped = shippedGaps.flatMap(({ id, choices }) => Object.keys(choices).map((choice) => `${id} ${choice}`));
  expect(rows.map(([gap, choice]) => `${gap} ${choice}`).sort()).toEqual(shipped.sort());
});

test('a choice that does not decide a request leaves it as it is', () => {
  const clamped = { 'limit-below-minimum': 'clamped', 'limit-above-maximum': 'clamped' };
  const world = createTestWorld({ choices: { ...clamped, 'unknown-status-filter': 'empty-list' } });
  expect(list('limit=101')(world)).toBe('200 Ida Tom Rex');
  expect(list('limit=0&status=lost')(world)).toBe('200 ');
  expect(list('limit=x&status=lost')(world)).toBe('400');
  // Past every integer that a program can hold.
  expect(list(`limit=1${'0'.repeat(400)}`)(world)).toBe('200 Ida Tom Rex');
});

const FORMS = Object.entries({ fraction: '2.0', exponent: '2e0', plus: '%2B2', zeros: '002', space: '%202' });

test.each(FORMS)('integers with %s are read where a profile has seen them read, and nowhere else: %s', (form, text) => {
  const others = FORMS.map(([each]) => each).filter((each) => each !== form);
  const told = [[form], others].map((seen) => {
    const world = createTestWorld({ seen: { 'limit-forms': seen, 'pet-id-forms': seen } });
    return [list(`limit=${text}`)(world), status(`GET /v1/pets/${text}`)(world)];
  });
  expect(told.join()).toBe('200 Ida Tom,200,400,404');
});

test('an unknown path asks for a key first and then says that it is unknown', () => {
  const world = createTestWorld({ choices: { 'unknown-path': 'unauthorized-first' } });
  expect(ask(world, 'GET /v1/nothing').status).toBe(404);
});

const INT64 = { ...NUMBER, format: 'int64' };
const book = object({ isbn: INT64, shelf: { ...TEXT, enum: ['low', 'high'] } }, ['isbn', 'shelf']);

/** A library whose names are not those of the petstore. */
function openLibrary(choices: Record<string, string>, { also = {}, seen = {} } = {}): World {
  const { '/books': all, '/books/{isbn}': one = {} } = keep('/books/{isbn}', book, 'list create get');
  const parameters = [
    inQuery('pageSize', { ...NUMBER, minimum: 1, maximum: 2, default: 2 }),
    inQuery('pageNumber', NUMBER),
    inQuery('shelf', { ...TEXT, enum: ['low', 'high'] }),
  ];
  const isbn = { ...inPath('isbn'), schema: INT64 };
  const get = { responses: { 200: content(book), ...also } };
  const paths = { '/books': { ...all, parameters }, '/books/{isbn}': { ...one, parameters: [isbn], get } };
  return openPaths(paths, { others: 3, choices, seen });
}

test.each([
  ['limit-above-maximum', 'clamped', '/books?pageSize=9', 200, 2],
  ['limit-below-minimum', 'clamped', '/books?pageSize=0', 200, 1],
  ['unknown-status-filter', 'empty-list', '/books?shelf=middle', 200, 0],
  ['status-filter-case', 'matched', '/books?shelf=LOW', 200, 2],
  ['pet-id-out-of-range', 'not-found', '/books/9223372036854775808', 404, undefined],
  // What has another role is refused as the contract says.
  ['limit-not-integer', 'ignored', '/books?pageNumber=two', 400, undefined],
])(
  'a gap is about what a parameter does, whatever it is called: %s: %s, of %s',
  (gap, choice, target, code, length) => {
    const answer = ask(openLibrary({ [gap]: choice }), `GET ${target}`);
    expect([answer.status, Array.isArray(answer.value) ? answer.value.length : undefined]).toEqual([code, length]);
  },
);

test('a contract that says how it refuses an invalid key is not asked for a choice', () => {
  const also = { 400: { description: 'No key.' }, 404: { description: 'No book.' } };
  expect(ask(openLibrary({ 'pet-id-not-integer': 'not-found' }, { also }), 'GET /books/one').status).toBe(400);
});

test('forms of integers that a target was seen to read are read of any page size and any key', () => {
  const seen = { 'limit-forms': ['exponent'], 'pet-id-forms': ['zeros'] };
  expect(ask(openLibrary({}), 'GET /books?pageSize=1e0').status).toBe(400);
  expect(ask(openLibrary({}, { seen }), 'GET /books?pageSize=1e0').value).toHaveLength(1);
  expect(ask(openLibrary({}, { seen }), 'GET /books/01').value).toMatchObject({ isbn: 1 });
});
