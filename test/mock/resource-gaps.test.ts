import { expect, test } from 'vitest';
import { loadContract } from '../../src/contract/contract.js';
import { listGapsOf } from '../../src/contract/gaps/gaps-of-contract.js';
import { packageFile } from '../../src/package-files.js';
import { createPetstoreFetch } from '../../src/testing/create-petstore-fetch.js';
import { gapEntries } from '../support/shipped.js';

const SPEC = packageFile('test/support/tickets.openapi.yaml');
const gaps = listGapsOf(loadContract(SPEC), gapEntries).asked.filter(({ of }) => of !== undefined);

/** What a client gets for a request: `POST /tickets` with a body, in few words. */
type Ask = (request: string, body?: unknown, headers?: Record<string, string | undefined>) => Promise<string>;
type Probe = (ask: Ask) => Promise<string>;

const ticket = { title: 'T', state: 'open' };
const one =
  (request: string, body?: unknown, headers?: Record<string, string | undefined>): Probe =>
  (ask) =>
    ask(request, body, headers);
const status =
  (...asked: Parameters<Ask>): Probe =>
  async (ask) =>
    (await ask(...asked)).slice(0, 3);
/** The last of several requests: of one that has no value its status. */
const last =
  (...all: Parameters<Ask>[]): Probe =>
  async (ask) => {
    let told = '';
    for (const each of all) told = await ask(...each);
    return told;
  };
const refused = { 'refused-400': '400', 'refused-422': '422' };
const accepted = { accepted: '201', 'refused-400': '400' };
const media = { 'refused-415': '415', 'refused-400': '400', accepted: '201' };
const ignored = { ...refused, ignored: '200 6 5 4' };
const bounds = { inclusive: '200 51', exclusive: '200 ', ignored: '200 51 6 5' };
const created = (more = ''): string => `201 {"id":51,"title":"T","state":"open"${more}}`;
const placed = (place: string): string => `200 {"id":51,"title":"T","state":"open","place":${place}}`;
const withPoints = ['POST /tickets', { ...ticket, points: 3 }] as Parameters<Ask>;
const withPlace = ['POST /tickets', { ...ticket, place: { room: 'a', floor: 2 } }] as Parameters<Ask>;
const gone = ['DELETE /tickets/1'] as Parameters<Ask>;
const sorts: Probe = async (ask) => `${await ask('GET /tickets?sort=id')}, ${await ask('GET /tickets?sort=state')}`;
const replacesUnknown: Probe = async (ask) => {
  const [told] = (await ask('PUT /tickets/90', ticket)).split(' ');
  return `${told}, then ${(await ask('GET /tickets?limit=2')).split(' ')[1]}`;
};
const plain = { 'content-type': 'text/plain' };

const LOCATION = { sent: '201 /api/tickets/51', absent: '201 null' };
const REPEATED = { 'refused-400': '400', first: '200 6 5', last: '200 6 5 4' };
const UNSORTED = '200 6 5 4, 200 6 5 4';
const SORTED = { ascending: '200 1 2 3, 200 6 5 4', descending: '200 6 5 4, 200 4 3 2', ignored: UNSORTED };
const absent = { 'not-found': '404', 'gone-410': '410' };
const unchanged = { 'not-found': '404, then 6', 'refused-400': '400, then 6', 'refused-409': '409, then 6' };
const REPLACED = { answered: '200, then 6', created: '200, then 90', ...unchanged };

/** Each gap with what tells its choices apart. The collection begins with the tickets 1 to 6, of which 1 to 4 are open. */
const CHOICES: Record<string, readonly [probe: Probe, answers: Record<string, string>]> = {
  'extra-fields': [
    one('POST /tickets', { ...ticket, more: 1 }),
    { dropped: created(), kept: created(',"more":1'), 'refused-400': '400' },
  ],
  'client-id': [one('POST /tickets', { ...ticket, id: 99 }), { ignored: created(), 'refused-400': '400' }],
  'empty-text': [status('POST /tickets', { ...ticket, title: '' }), accepted],
  'blank-text': [status('POST /tickets', { ...ticket, title: '  ' }), accepted],
  'negative-number': [status('POST /tickets', { ...ticket, points: -1 }), accepted],
  'wrong-media-type': [status('POST /tickets', ticket, plain), media],
  'missing-media-type': [status('POST /tickets', ticket, { 'content-type': undefined }), media],
  'malformed-json': [status('POST /tickets', '{"'), refused],
  'location-header': [one('POST /tickets', ticket, { 'x-show': 'location' }), LOCATION],
  'list-order': [one('GET /tickets?limit=2'), { 'newest-first': '200 6 5', 'oldest-first': '200 1 2' }],
  'short-pages': [one('GET /tickets'), { full: '200 6 5 4', shorter: '200 6 5' }],
  'limit-below-minimum': [one('GET /tickets?limit=1'), { ...ignored, clamped: '200 6 5' }],
  'limit-above-maximum': [one('GET /tickets?limit=6'), { ...ignored, clamped: '200 6 5 4 3 2' }],
  'limit-not-integer': [one('GET /tickets?limit=x'), ignored],
  'empty-limit': [one('GET /tickets?limit='), ignored],
  'unknown-filter': [one('GET /tickets?state=lost'), { ...ignored, 'empty-list': '200 ' }],
  'filter-case': [one('GET /tickets?state=Done'), { 'as-unknown': '400', matched: '200 6 5' }],
  'empty-filter': [one('GET /tickets?state='), { ...ignored, 'empty-list': '200 ' }],
  'repeated-parameters': [one('GET /tickets?limit=2&limit=3'), REPEATED],
  'lower-bound': [last(withPoints, ['GET /tickets?min_points=3']), bounds],
  'upper-bound': [last(withPoints, ['GET /tickets?max_points=3']), bounds],
  'sort-direction': [sorts, SORTED],
  'unknown-parameters': [status('GET /tickets?more=1'), { ignored: '200', 'refused-400': '400' }],
  'malformed-key': [status('GET /tickets/rex'), { ...refused, 'not-found': '404' }],
  'key-out-of-range': [status('GET /tickets/9223372036854775808'), { ...refused, 'not-found': '404' }],
  'update-gone': [last(gone, ['PATCH /tickets/1', { points: 1 }]), { ...absent, 'refused-409': '409' }],
  'remove-gone': [last(gone, gone), { ...absent, repeated: '204' }],
  'replace-unknown': [replacesUnknown, REPLACED],
  'unset-fields': [one('POST /tickets', ticket), { omitted: created(), 'as-null': created(',"ended":null') }],
  'invalid-status': [status('PUT /tickets/1', { ...ticket, points: 'many' }), refused],
  'nested-update': [
    last(withPlace, ['PATCH /tickets/51', { place: { floor: 3 } }]),
    { merged: placed('{"room":"a","floor":3}'), replaced: placed('{"floor":3}') },
  ],
  'left-out-fields': [
    last(
      ['POST /tickets', { ...ticket, points: 3 }],
      ['PUT /tickets/51', { ...ticket, title: 'U' }],
      ['GET /tickets/51'],
    ),
    {
      merged: '200 {"id":51,"title":"U","state":"open","points":3}',
      replaced: '200 {"id":51,"title":"U","state":"open"}',
    },
  ],
  'empty-update': [status('PATCH /tickets/1', {}), { accepted: '200', ...refused }],
};

/** Gaps of other kinds, with an answer to them and what it changes. */
const OTHERS: Record<string, [answer: unknown, probe: Probe, before: string, after: string]> = {
  'text-length-limit': [3, status('POST /tickets', { ...ticket, title: 'four' }), '201', '400'],
  'text-characters': [['markup'], status('POST /tickets', { ...ticket, title: '<b>' }), '201', '400'],
  'limit-forms': [['zeros'], one('GET /tickets?limit=02'), '400', '200 6 5'],
  'key-forms': [['zeros'], status('GET /tickets/01'), '404', '200'],
};
/** What the mock has nothing to do about. */
const NOTED = ['paging-headers', 'record-fields', 'second-key'];

test('every general gap is one of the tickets, and is played', () => {
  const played = [...Object.keys(CHOICES), ...Object.keys(OTHERS), ...NOTED].map((id) => `tickets.${id}`);
  expect(gaps.map(({ id }) => id).toSorted()).toEqual(played.toSorted());
});

test.each(gaps.filter(({ kind }) => kind === 'choice'))('every choice of $id is played', ({ id, choices }) => {
  const played = Object.keys(CHOICES[id.slice('tickets.'.length)]?.[1] ?? {});
  expect(played.toSorted()).toEqual(Object.keys(choices).toSorted());
});

const CASES = Object.entries(CHOICES).flatMap(([id, [probe, answers]]) =>
  Object.entries(answers).map(([choice, expected]) => ({ id, choice, probe, expected })),
);

test.each(CASES)('tickets.$id: $choice', async ({ id, choice, probe, expected }) => {
  expect(await probe(await open({ [`tickets.${id}`]: choice }))).toBe(expected);
});

test.each(gaps.filter(({ kind }) => kind === 'choice'))('the mock by itself does what $id says: $mock', async (gap) => {
  const [probe, answers = {}] = CHOICES[gap.id.slice('tickets.'.length)] ?? [];
  expect(await probe?.(await open({}))).toBe(answers[gap.mock]);
});

test.each(Object.entries(OTHERS))('tickets.%s', async (id, [answer, probe, before, after]) => {
  expect(await probe(await open({}))).toBe(before);
  expect(await probe(await openWith(`tickets.${id}`, answer))).toBe(after);
});

const shared = createPetstoreFetch({ spec: SPEC, prism: false });

/** One mock serves all choices, since to read the contract takes most of the time. */
async function open(choices: Record<string, string>): Promise<Ask> {
  await shared.reset();
  await shared.profile.reset();
  await shared.profile.choose(choices);
  return prepare(shared);
}

async function openWith(id: string, answer: unknown): Promise<Ask> {
  return prepare(createPetstoreFetch({ spec: SPEC, prism: false, profile: { gaps: { [id]: answer as string } } }));
}

async function prepare(mock: typeof shared): Promise<Ask> {
  const tickets = mock.collection('tickets');
  await tickets.clear();
  for (const id of [1, 2, 3, 4, 5, 6]) await tickets.add({ id, title: 'T', state: id < 5 ? 'open' : 'done' });
  return async (request, body, headers = {}) => {
    const [method = '', path = ''] = request.split(' ');
    const sent = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
    const all = { authorization: 'Bearer petstore-dev-key', 'content-type': 'application/json', ...headers };
    const fields = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const response = await mock.fetch(`http://127.0.0.1:4010/api${path}`, {
      method,
      headers: fields,
      ...(sent === undefined ? {} : { body: Buffer.from(sent) }),
    });
    const { 'x-show': show } = headers;
    if (show !== undefined) return `${response.status} ${response.headers.get(show)}`;
    if (!response.ok || response.status === 204) return String(response.status);
    const value = (await response.json()) as { id: number }[] | object;
    return `${response.status} ${Array.isArray(value) ? value.map(({ id }) => id).join(' ') : JSON.stringify(value)}`;
  };
}
