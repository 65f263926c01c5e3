import { expect, test } from 'vitest';
import { runConformance } from '../../../src/conformance/index.js';
import { describeThings, serveThings, type Guard, type Things } from '../support/guarded-things.js';

const ONLY = ['things/records/*', 'things/changes/*', 'things/refusals/*'];

/** The headlines of a run at the things behind a guard. */
async function judge(guard: Guard, description = ''): Promise<{ headlines: string[]; things: Things }> {
  const things = await serveThings(guard);
  const spec = describeThings({ schemes: {}, info: { title: 'Things', version: '1', description } });
  const { problems } = await runConformance({
    target: things.url,
    spec,
    apiKey: 'none',
    only: ONLY,
    settleMs: 0,
    timeoutMs: 120_000,
  });
  return { headlines: problems.map(({ headline }) => headline), things };
}

test('heads, queries and JSON of clients ride on each operation, and change nothing', async () => {
  const { headlines, things } = await judge(() => undefined);
  expect(headlines).toEqual([]);
  const of = (method: string): Things['calls'] => things.calls.filter((call) => call.method === method);
  for (const method of ['GET', 'PUT', 'POST']) {
    const agents = of(method).map(({ headers }) => headers['user-agent']?.split('/')[0]);
    expect(new Set(agents).size).toBeGreaterThan(4);
  }
  for (const method of ['PUT', 'POST']) {
    const texts = of(method).map(({ text }) => text);
    for (const form of [/^ \t\r\n/, /^\{"\\u00/, /:"\\u00/]) expect(texts.some((text) => form.test(text))).toBe(true);
  }
});

const FAULTS: Record<string, { guard: Guard; found: RegExp }> = {
  'JSON with white space is none to a replacement': {
    guard: ({ method, text }) =>
      method === 'PUT' && text.startsWith(' ') ? { status: 400, body: { message: 'no' } } : undefined,
    found: /^replaceThing returns 400 instead of 404/,
  },
  'field names in escapes are unknown to a create': {
    guard: ({ method, text }) =>
      method === 'POST' && text.startsWith(`{"\\u00`) ? { status: 400, body: { message: 'no' } } : undefined,
    found: /^createThing rejects with 400 what the contract allows/,
  },
  'a rejection of which a range is asked for is a part': {
    guard: ({ method, json, headers }) =>
      method === 'POST' && headers.range !== undefined && typeof json?.['name'] !== 'string'
        ? { status: 206, body: { message: 'part' } }
        : undefined,
    found: /^createThing /,
  },
};

test.each(Object.entries(FAULTS))('%s: it is found', async (_, { guard, found }) => {
  expect((await judge(guard)).headlines).toContainEqual(expect.stringMatching(found));
});

test.each([
  [
    'Cookie, Origin and Upgrade have no influence on a response.',
    [/^replaceThing rejects with 403 what the contract/, /^replaceThing returns 403 instead of 400/],
  ],
  ['Pages of any origin are served.', []],
  ['Origin is looked up in a list. Query parameters that are not named here are ignored.', []],
])('a change that a page of another site may not make is told where the contract says: %s', async (said, expected) => {
  const fromElsewhere: Guard = ({ method, headers }) =>
    method === 'PUT' && headers.origin !== undefined ? { status: 403, body: { message: 'no' } } : undefined;
  const { headlines } = await judge(fromElsewhere, said);
  expect(headlines).toEqual(expected.map((each) => expect.stringMatching(each)));
});
