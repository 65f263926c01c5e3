import { expect, test } from 'vitest';
import { loadHooks } from '../../../src/cli/conformance/settings.js';
import { runConformance, type ConformanceOptions, type RunResult } from '../../../src/conformance/index.js';
import { makeFolder } from '../../support/folder.js';
import { describeThings, reject, serveThings, type Guard, type Things } from '../support/guarded-things.js';

const spec = describeThings({ schemes: {} });

async function run(things: Things, options: Partial<ConformanceOptions>): Promise<RunResult> {
  return runConformance({
    target: things.url,
    spec,
    apiKey: '',
    settleMs: 0,
    only: ['things/records/create'],
    ...options,
  });
}

test('hooks are called before the first request, with each request, and after the last', async () => {
  const isSigned: Guard = ({ headers, text }) =>
    headers['x-signature'] === `signed ${text.length}` ? undefined : reject('X');
  const things = await serveThings(isSigned);
  const seen: string[] = [];
  const note = (what: string) => () => {
    seen.push(`${what} at ${things.calls.length > 0}, ${things.store.size} there`);
  };
  const { problems, summary } = await run(things, {
    hooks: {
      before: note('before'),
      after: note('after'),
      request: ({ headers, body = '' }) => ({ headers: { ...headers, 'X-Signature': `signed ${body.length}` } }),
    },
  });
  expect(problems).toEqual([]);
  expect(summary.created).toBeGreaterThan(0);
  expect(seen).toEqual(['before at false, 0 there', 'after at true, 0 there']);
});

test('a hook changes path and body, and the length goes with it', async () => {
  const things = await serveThings();
  const { problems } = await run(things, {
    hooks: {
      request: ({ method, path, body }) =>
        method === 'POST' && body !== undefined
          ? { path: `${path}?signed=1`, body: `${body}${' '.repeat(7)}` }
          : undefined,
    },
  });
  expect(problems).toEqual([]);
  const posts = things.calls.filter(({ method }) => method === 'POST');
  expect(posts.every(({ query, text }) => query.get('signed') === '1' && text.endsWith('       '))).toBe(true);
});

test('a hook that fails ends the run with its reason, and accuses nobody', async () => {
  const things = await serveThings();
  let count = 0;
  const request = (): undefined => {
    count += 1;
    if (count > 12) throw new Error('no signature today');
  };
  const { problems, scenarios, notes } = await run(things, { hooks: { request }, only: ['things/records/*'] });
  expect(problems).toEqual([]);
  expect(notes).toContain('the run ended early: the hook request failed: no signature today');
  expect(scenarios.some(({ verdict }) => verdict === 'inconclusive')).toBe(true);
  const before = (): never => {
    throw new Error('no database');
  };
  await expect(run(things, { hooks: { before } })).rejects.toMatchObject({
    code: 'bad-handler',
    message: 'the hook before failed: no database.',
  });
});

test.each([
  ['export function request() {}\nexport const before = () => {};', ['before', 'request']],
  ['export default { after() {} };', ['after']],
])('a module has its hooks: %s', async (text, names) => {
  const hooks = await loadHooks(`${makeFolder({ 'hooks.mjs': text })}/hooks.mjs`);
  expect(Object.keys(hooks ?? {}).toSorted()).toEqual(names);
});

test.each([
  [
    'export function requests() {}',
    'its export requests is no hook; did you mean request? The hooks are before, after, request.',
  ],
  ['export const request = 5;', 'its export request is not a function.'],
  ['export {};', 'it exports no hooks'],
])('a module that has none is refused: %s', async (text, message) => {
  await expect(loadHooks(`${makeFolder({ 'hooks.mjs': text })}/hooks.mjs`)).rejects.toThrow(message);
});
