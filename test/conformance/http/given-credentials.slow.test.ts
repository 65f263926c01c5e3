import { expect, test } from 'vitest';
import type { ConformanceOptions } from '../../../src/conformance/model/options.js';
import type { RunResult } from '../../../src/conformance/model/result.js';
import { describeSchemes } from '../../../src/conformance/http/request-credentials.js';
import { object, text, type Schema } from '../resources/support/odd-resource.js';
import { describeShelf, serveShelf } from '../resources/support/shelf.js';
import { describePaths, fail, judgeStranger, listTold, type Asked } from '../resources/support/stranger.js';
import { id } from '../resources/support/strangers.js';
import { parseContract } from '../../support/parse-contract.js';

const BEARER = { type: 'http', scheme: 'bearer' };
const BASIC = { type: 'http', scheme: 'basic' };
const FIELD = { type: 'apiKey', in: 'header', name: 'Authorization' };
const KEY = 'a-key-that-nobody-guesses';

const refusals = { list: [401], get: [401, 404], create: [400, 401] };

function describeNotes(schemes: Schema, security?: object[]): Schema {
  const paths = describeShelf({ name: 'notes', record: object({ id, name: text }, ['name']), refusals });
  return describePaths(paths, { components: { securitySchemes: schemes }, ...(security && { security }) });
}

/** A service that wants credentials, whatever its document says. */
function judgeNotes(
  document: Schema,
  isRight: (asked: Asked) => boolean,
  options: Partial<ConformanceOptions>,
): Promise<RunResult> {
  const serve = serveShelf('notes', {
    refuse: ({ name }) => (typeof name === 'string' ? undefined : fail(400)),
    answer: (asked) => (isRight(asked) ? undefined : fail(401)),
  });
  const ofCredentials = document['security'] === undefined ? [] : ['notes/refusals/credentials*'];
  return judgeStranger(document, serve, ['notes/records/*', ...ofCredentials], options);
}

const isBearer = ({ headers }: Asked): boolean => headers['authorization'] === `Bearer ${KEY}`;

test('credentials that are given are sent where a document declares schemes and asks for none, and a note says so', async () => {
  const result = await judgeNotes(describeNotes({ Auth: BEARER }), isBearer, { apiKey: KEY });
  expect(listTold(result)).toEqual([]);
  expect(result.summary.inconclusive).toBe(0);
  expect(result.notes.join()).toContain('the given credentials are sent with every request');
  expect(JSON.stringify(result)).not.toContain(KEY);
});

test('of several such schemes, the one with credentials of its own is used', async () => {
  const document = describeNotes({ Other: { type: 'apiKey', in: 'query', name: 'token' }, Auth: FIELD });
  const result = await judgeNotes(document, isBearer, { apiKey: '', credentials: { Auth: `Bearer ${KEY}` } });
  expect(result.summary.passed).toBeGreaterThan(3);
});

test('credentials are sent everywhere to a target that asks for them where its document does not, though that asks for some elsewhere', async () => {
  const document = describeNotes({ Auth: BEARER });
  const { delete: remove } = (document['paths'] as Record<string, Record<string, Schema>>)['/notes/{id}'] as {
    delete: Schema;
  };
  remove['security'] = [{ Auth: [] }];
  const result = await judgeNotes(document, isBearer, { apiKey: KEY });
  expect(result.summary.passed).toBeGreaterThan(3);
  expect(result.notes.join()).toContain('asks for credentials where the contract does not, as for notes_list');
  await expect(judgeNotes(document, () => false, { apiKey: KEY })).rejects.toThrow('Auth is sent as');
});

test('a key in the query of every request is no condition of a failure', async () => {
  const document = describeNotes({ Auth: { type: 'apiKey', in: 'query', name: 'token' } });
  const isRight = ({ query, method }: Asked): boolean => query.get('token') === KEY && method !== 'POST';
  const told = listTold(await judgeNotes(document, isRight, { apiKey: KEY }));
  expect(told).toEqual([expect.stringMatching(/^notes_create/)]);
  expect(told.join()).not.toContain('token');
});

test('a key that nobody gave is sent to no service whose document asks for none', async () => {
  const sent: unknown[] = [];
  const look = ({ headers }: Asked): boolean => sent.push(headers['authorization']) > 0;
  const result = await judgeNotes(describeNotes({ Auth: BEARER }), look, { apiKey: KEY, isKeyGuessed: true });
  expect(new Set(sent)).toEqual(new Set([undefined]));
  expect(result.notes).toEqual([]);
});

test('a key that is of no use is named', async () => {
  const result = await judgeNotes(describePaths(describeNotes({})['paths'] as object), () => true, { apiKey: KEY });
  expect(result.notes.join()).toContain('no credentials were sent, since the contract requires none');
});

test.each([
  ['bearer', BEARER, `Bearer ${KEY}`],
  ['Basic', BASIC, `Basic ${Buffer.from(`rex:${KEY}`).toString('base64')}`],
  ['a field of its own', FIELD, `Token ${KEY}`],
])(
  'an Authorization field is what the document calls %s, and is left out and made wrong where that is due',
  async (_, scheme, field) => {
    const sent = new Set<unknown>();
    const isRight = ({ headers }: Asked): boolean =>
      sent.add(headers['authorization']) !== undefined && headers['authorization'] === field;
    const document = describeNotes({ Auth: scheme }, [{ Auth: [] }]);
    const result = await judgeNotes(document, isRight, { apiKey: '', headers: { authorization: field } });
    expect(listTold(result)).toEqual([]);
    expect(result.summary.passed).toBeGreaterThan(5);
    expect(sent.has(undefined)).toBe(true);
    expect(JSON.stringify(result)).not.toContain(KEY);
    const open = await judgeNotes(document, () => true, { apiKey: '', headers: { Authorization: field } });
    expect(listTold(open).join()).toMatch(/^The key is not checked/);
  },
);

test('each scheme that is asked for is told with the flag that gives it', () => {
  const schemes = { basicAuth: BASIC, unused: BEARER, key: { type: 'apiKey', in: 'header', name: 'X-Key' } };
  const contract = parseContract(describeNotes(schemes, [{ basicAuth: [] }, { key: [] }]), { shownAs: 'notes.json' });
  expect(describeSchemes(contract)).toBe(
    'basicAuth is sent as Authorization: Basic <user:password in Base64>: --credential basicAuth=<user:password>. key is sent as X-Key: <API_KEY>: PETSTORE_API_KEY, or --credential key=<key>.',
  );
});
