import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runConformance, type ConformanceOptions, type RunResult } from '../../../src/conformance/index.js';
import { inPath } from '../../support/open-paths.js';
import { listTold } from '../support/ask.js';
import { BEARER, describeThings, reject, serveThings, wantBearer, type Guard } from '../support/guarded-things.js';

const KEY = 'key-of-the-user-51';
const only = ['things/records/create', 'things/refusals/credential*'];

const run = async (target: string, options: Partial<ConformanceOptions>): Promise<RunResult> =>
  runConformance({ target, apiKey: '', settleMs: 0, only, ...options });

const TOKEN = `token ${KEY}`;
const isTokenLet: Guard = ({ headers }) => (headers.authorization === TOKEN ? undefined : reject('token'));
const isKeyLet = wantBearer((token) => token === KEY);
const READER = { type: 'apiKey', in: 'header', name: 'X-Reader' };
const HUB = {
  token: { type: 'apiKey', in: 'header', name: 'Authorization' },
  oauth2: { type: 'oauth2', flows: { password: { tokenUrl: '/token', scopes: {} } } },
};
const UNUSED = 'none of these operations accepts `token`; they ask for `oauth2`';

test('a credential that no operation asks for is named, and sent where the target takes it', async () => {
  const things = await serveThings(isTokenLet);
  const spec = describeThings({ schemes: HUB, security: [{ oauth2: [] }] });
  const result = await run(things.url, { spec, credentials: { token: TOKEN } });
  expect(result.notes.join('\n')).toContain(UNUSED);
  expect(listTold(result)).toEqual([]);
  expect(result.summary.created).toBeGreaterThan(0);
});

test('a credential that no operation asks for, and that the target does not take, is why it rejects all', async () => {
  const things = await serveThings(wantBearer((token) => token === 'another'));
  const spec = describeThings({ schemes: HUB, security: [{ oauth2: [] }] });
  await expect(run(things.url, { spec, credentials: { token: KEY } })).rejects.toMatchObject({
    code: 'key-refused',
    message: expect.stringContaining(`N${UNUSED.slice(1)}`) as string,
  });
});

test('an operation that asks for a credential which was not given accuses nobody', async () => {
  const isAdmin: Guard = ({ method, headers }) =>
    method === 'DELETE' && headers['x-admin'] === undefined ? reject() : undefined;
  const things = await serveThings(isKeyLet, isAdmin);
  const schemes = { ...BEARER, admin: { ...READER, name: 'X-Admin' } };
  const error = { description: 'No.' };
  const responses = { 200: error, 401: error, 404: error };
  const audit = { operationId: 'audit', security: [{ admin: [] }], parameters: [inPath('id')], responses };
  const paths = { '/things/{id}/audit': { get: audit } };
  const spec = describeThings({ schemes, security: [{ bearer: [] }], paths });
  const result = await run(things.url, { spec, credentials: { bearer: KEY }, only: ['*'], maxRequests: 150 });
  expect(listTold(result).filter((text) => text.includes('audit'))).toEqual([]);
  const audited = things.calls.filter(({ path }) => path.endsWith('/audit'));
  expect(audited.map(({ headers }) => headers.authorization)).not.toContain('Bearer ');
});

test('where the target demands what the document forgets, the given credential is sent, and that is the defect', async () => {
  const things = await serveThings(isKeyLet);
  const open = describeThings({ security: [] });
  // The document secures the writes alone.
  const spec = describeThings({ security: [{ bearer: [] }], ...forget('get') });
  for (const each of [open, spec]) {
    const result = await run(things.url, { spec: each, credentials: { bearer: KEY }, only: ['things/records/*'] });
    const found = listTold(result).join('\n');
    expect(found).toMatch(/credentials/);
    expect(found).toMatch(/listThings|getThing/);
    expect(result.problems.every(({ cause }) => cause.check === 'unasked-credentials')).toBe(true);
    expect(result.summary.created).toBeGreaterThan(0);
  }
});

test('of several given credentials, all are sent where the document forgets which one is asked for', async () => {
  const isLet: Guard = ({ method, headers }) =>
    method === 'GET' && headers['x-reader'] !== 'reader-of-52'
      ? { status: 403, body: { message: 'forbidden' } }
      : undefined;
  const things = await serveThings(isLet, (call) => (call.method === 'GET' ? undefined : isKeyLet(call)));
  const schemes = { ...BEARER, reader: READER };
  const spec = describeThings({ schemes, security: [{ bearer: [] }], ...forget('get') });
  const credentials = { bearer: KEY, reader: 'reader-of-52' };
  const result = await run(things.url, { spec, credentials, only: ['things/records/*'] });
  expect(result.problems.map(({ cause }) => cause.check)).toEqual(['unasked-credentials']);
  expect(result.scenarios.filter(({ verdict }) => verdict === 'inconclusive')).toEqual([]);
  expect(JSON.stringify(result)).not.toContain('reader-of-52');
});

test('a target that takes no more than one credential at once gets one', async () => {
  const isOne: Guard = (call) =>
    call.headers['x-reader'] !== undefined && call.headers.authorization !== undefined
      ? { status: 400, body: { message: 'more than one method' } }
      : isKeyLet(call);
  const things = await serveThings(isOne);
  const spec = describeThings({ schemes: { reader: READER, ...BEARER }, security: [] });
  const credentials = { bearer: KEY, reader: 'reader-of-52' };
  const result = await run(things.url, { spec, credentials, only: ['things/records/*'] });
  expect(new Set(result.problems.map(({ cause }) => cause.check))).toEqual(new Set(['unasked-credentials']));
  expect(result.notes.join('\n')).toContain('that of `bearer` alone is sent there');
  expect(result.scenarios.filter(({ verdict }) => verdict === 'inconclusive')).toEqual([]);
});

/** The paths of the things, in which operations of this method say that they ask for nothing. */
function forget(method: string): { paths: Record<string, unknown> } {
  const { paths } = JSON.parse(readFileSync(describeThings(), 'utf8')) as {
    paths: Record<string, Record<string, object>>;
  };
  const changed = Object.entries(paths).map(([path, item]) => [
    path,
    { ...item, [method]: { ...item[method], security: [] } },
  ]);
  return { paths: Object.fromEntries(changed) as Record<string, unknown> };
}

test.each<[string, Partial<ConformanceOptions>]>([
  ['a header field', { headers: { Authorization: TOKEN } }],
  ['a credential', { credentials: { token: TOKEN } }],
])('a document without any scheme takes %s', async (_, options) => {
  const things = await serveThings(isTokenLet);
  const spec = describeThings({ schemes: {} });
  const result = await run(things.url, { spec, only: ['things/records/create'], ...options });
  expect(listTold(result)).toEqual([]);
  expect(result.summary.created).toBeGreaterThan(0);
  expect(JSON.stringify(result)).not.toContain(KEY);
});
