import { expect, test } from 'vitest';
import { runConformance, type RunResult } from '../../../src/conformance/index.js';
import { describeThings, serve, serveThings, wantBearer, type Guard, type Said } from '../support/guarded-things.js';

const KEY = 'key-of-the-user-51';

/** A run against things behind a guard that leads elsewhere, and what came to that other host. */
async function run(
  lead: (other: string) => Guard,
  spec = describeThings(),
): Promise<{ result: RunResult; asked: number; host: string }> {
  let asked = 0;
  const other = await serve(() => {
    asked += 1;
    return { status: 200, body: [] };
  });
  const things = await serveThings(
    wantBearer((token) => token === KEY),
    lead(other),
  );
  const result = await runConformance({
    target: things.url,
    spec,
    apiKey: '',
    credentials: { bearer: KEY },
    settleMs: 0,
    only: ['things/records/*'],
  });
  return { result, asked, host: new URL(other).host };
}

const page = (more: Partial<Said>, body: object): Said => ({ status: 200, body, ...more });

test.each<[string, (other: string) => Guard]>([
  ['`next`', (other) => (call) => (isList(call) ? page({}, { items: [], next: `${other}/things?page=2` }) : undefined)],
  [
    '`next`',
    (other) => (call) => (isList(call) ? page({}, { items: [], _links: { next: { href: `${other}/x` } } }) : undefined),
  ],
  [
    'the `Link` to the next page',
    (other) => (call) => (isList(call) ? page({ headers: { link: `<${other}/x>; rel="next"` } }, []) : undefined),
  ],
  [
    '`Location`',
    (other) => (call) =>
      call.method === 'POST' && call.json
        ? { status: 201, body: { id: 1, name: 'x' }, headers: { location: `${other}/things/1` } }
        : undefined,
  ],
  [
    'a redirect',
    (other) => (call) => (isList(call) ? { status: 307, headers: { location: `${other}/things` } } : undefined),
  ],
])('%s to another host is told once, and never followed', async (way, lead) => {
  const { result, asked, host } = await run(lead);
  const notes = result.notes.filter((note) => note.includes(host));
  expect(notes).toEqual([expect.stringContaining(`${way} names another host, ${host}, as in a response of `)]);
  expect(asked).toBe(0);
});

test('another name of this machine is no other host', async () => {
  const { result } = await run(() => (call) => {
    const own = `http://localhost:${new URL(`http://${call.headers.host ?? ''}`).port}`;
    return isList(call) ? page({ headers: { link: `<${own}/things?page=2>; rel="next"` } }, []) : undefined;
  });
  expect(result.notes.join('\n')).not.toContain('another host');
});

test('a path that is redirected to itself with a slash is told once', async () => {
  const { result } = await run(
    () => (call) => (isList(call) ? { status: 308, headers: { location: '/things/' } } : undefined),
  );
  expect(result.notes.filter((note) => note.includes('redirects'))).toEqual([
    'the target redirects /things to /things/, which the contract does not have',
  ]);
});

function isList({ method, path }: { method: string; path: string }): boolean {
  return method === 'GET' && path === '/things';
}
